"""Linear algebra of matrices of one size in hybridlua, PyTorch and NumPy, side by side: one process each, on one core
with one thread, which take turns, work by work and round by round; the medians of the rounds' shortest times are compared.
bench/peers/setup.sh makes the peers' environments; NumPy is the one beside MXNet.

usage: linalg.py [--program ./hybridlua] [--environments DIR] [--size 500] [--rounds N] [--seconds S] [--core N]"""
import argparse
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMITS = {"inverse": 1.5}                # times PyTorch's; 1.2 for the others
WORKS = ["potrf", "cholesky", "potri", "trsm", "syevd", "eigh", "eigvalsh", "inverse", "det", "slogdet", "solve", "solve_matrix", "svd",
         "singular_values", "qr", "lstsq", "lstsq_tall", "pinv", "matrix_rank", "norm"]
PEERS = {"torch": "torch", "numpy": "mxnet"}     # a peer and the environment that it is in


def torch_works(n):
    import torch
    torch.set_num_threads(1)
    a, c, b = torch.randn(n, n), torch.randn(n, n), torch.randn(n)
    tall, tall_b = torch.randn(2 * n, n), torch.randn(2 * n, 1)
    symmetric, positive = (a + a.T) / 2, a @ a.T / n + torch.eye(n)
    l, linalg, column = torch.linalg.cholesky(positive), torch.linalg, b.reshape(n, 1)
    return torch.__version__, {
        "potrf": lambda: linalg.cholesky(positive), "cholesky": lambda: linalg.cholesky(positive),
        "potri": lambda: torch.cholesky_inverse(l), "trsm": lambda: linalg.solve_triangular(l, c, upper=False),
        "syevd": lambda: linalg.eigh(symmetric), "eigh": lambda: linalg.eigh(symmetric), "eigvalsh": lambda: linalg.eigvalsh(symmetric),
        "inverse": lambda: linalg.inv(a), "det": lambda: linalg.det(a), "slogdet": lambda: linalg.slogdet(a),
        "solve": lambda: linalg.solve(a, b), "solve_matrix": lambda: linalg.solve(a, c), "svd": lambda: linalg.svd(a),
        "singular_values": lambda: linalg.svdvals(a), "qr": lambda: linalg.qr(a), "lstsq": lambda: linalg.lstsq(a, column),
        "lstsq_tall": lambda: linalg.lstsq(tall, tall_b), "pinv": lambda: linalg.pinv(a), "matrix_rank": lambda: linalg.matrix_rank(a),
        "norm": lambda: linalg.matrix_norm(a, 2),
    }


def numpy_works(n):
    import numpy
    random, linalg = numpy.random.RandomState(0), numpy.linalg
    a, c, b, tall, tall_b = (random.randn(*shape).astype("float32") for shape in ((n, n), (n, n), (n,), (2 * n, n), (2 * n,)))
    symmetric, positive = (a + a.T) / 2, a @ a.T / n + numpy.eye(n, dtype="float32")
    return numpy.__version__, {
        "potrf": lambda: linalg.cholesky(positive), "cholesky": lambda: linalg.cholesky(positive),
        "syevd": lambda: linalg.eigh(symmetric), "eigh": lambda: linalg.eigh(symmetric), "eigvalsh": lambda: linalg.eigvalsh(symmetric),
        "inverse": lambda: linalg.inv(a), "det": lambda: linalg.det(a), "slogdet": lambda: linalg.slogdet(a),
        "solve": lambda: linalg.solve(a, b), "solve_matrix": lambda: linalg.solve(a, c), "svd": lambda: linalg.svd(a),
        "singular_values": lambda: linalg.svd(a, compute_uv=False), "qr": lambda: linalg.qr(a),
        "lstsq": lambda: linalg.lstsq(a, b, rcond=None), "lstsq_tall": lambda: linalg.lstsq(tall, tall_b, rcond=None),
        "pinv": lambda: linalg.pinv(a), "matrix_rank": lambda: linalg.matrix_rank(a), "norm": lambda: linalg.norm(a, 2),
    }


def best(run, seconds):
    shortest, spent = float("inf"), 0
    while spent < seconds:
        start = time.perf_counter()
        run()
        t = time.perf_counter() - start
        shortest, spent = min(shortest, t), spent + t
    return shortest


def work_for(peer, n):
    version, works = {"torch": torch_works, "numpy": numpy_works}[peer](n)
    print(peer, version, flush=True)
    for line in sys.stdin:
        name, seconds = line.split()
        print(best(works[name], float(seconds)) if name in works else "none", flush=True)


class Worker:
    """A process that runs works when told to."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        bufsize=1)
        self.title = self.process.stdout.readline().strip()

    def best(self, work, seconds):
        print(work, seconds, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit("linalg.py: %s ended while it ran %s" % (self.title, work))
        return None if answer == "none" else float(answer)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    parser.add_argument("--environments", metavar="DIR", default="/nonexistent")
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--core", type=int)
    return parser.parse_args()


def start_workers(options):
    workers = {"hybridlua": Worker([os.path.abspath(options.program), os.path.join(HERE, "linalg.lua"), str(options.size)])}
    for peer, environment in PEERS.items():
        python = os.path.join(options.environments, environment, "bin", "python")
        if os.path.exists(python):
            workers[peer] = Worker([python, os.path.abspath(__file__), "--worker", peer, str(options.size)])
    return workers


def measure(options, workers):
    times = {work: {name: [] for name in workers} for work in WORKS}
    for work in WORKS:
        for worker in workers.values():
            worker.best(work, 1e-3)
    for _ in range(options.rounds):
        for work in WORKS:
            for name, worker in workers.items():
                times[work][name].append(worker.best(work, options.seconds))
    return {work: {name: statistics.median(t) for name, t in row.items() if None not in t} for work, row in times.items()}


def report(times, workers):
    print("%-16s" % "ms" + "".join("%22s" % worker.title for worker in workers.values()) + "   of torch")
    for work, row in times.items():
        line = "%-16s" % work + "".join("%22s" % ("%.2f" % (row[name] * 1e3) if name in row else "") for name in workers)
        if "torch" in row:
            ratio, limit = row["hybridlua"] / row["torch"], LIMITS.get(work, 1.2)
            line += "   %.2f%s" % (ratio, "" if ratio <= limit else ", more than %.1f" % limit)
        print(line)


def main():
    options = read_options()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", HYBRIDLUA_NUM_THREADS="1")
    os.sched_setaffinity(0, {options.core if options.core is not None else max(os.sched_getaffinity(0))})
    workers = start_workers(options)
    report(measure(options, workers), workers)


if sys.argv[1:2] == ["--worker"]:
    work_for(sys.argv[2], int(sys.argv[3]))
else:
    main()
