#!/usr/bin/env python3
"""Linear algebra of matrices of one size in hybridlua, PyTorch and NumPy, side by side: one process each, on one core
with one thread, which take turns (peers.py), work by work and round by round; the medians of the rounds' shortest times are compared.
bench/peers/setup.sh makes the peers' environments; NumPy is the one beside MXNet.

usage: linalg.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--size 500] [--rounds N] [--seconds S]
                 [--core N]"""
import os
import statistics
import sys

import peers

LIMITS = {"inverse": 1.5}                # times PyTorch's; 1.2 for the others
WORKS = ["potrf", "cholesky", "potri", "trsm", "syevd", "eigh", "eigvalsh", "inverse", "det", "slogdet", "solve", "solve_matrix", "svd",
         "singular_values", "qr", "lstsq", "lstsq_tall", "pinv", "matrix_rank", "norm"]
PEERS = ["torch", "numpy"]


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
        t = peers.time_of(run)
        shortest, spent = min(shortest, t), spent + t
    return shortest


def work_for(peer, n):
    version, works = {"torch": torch_works, "numpy": numpy_works}[peer](n)

    def answer(line):
        name, seconds = line.split()
        return [best(works[name], float(seconds))] if name in works else None

    peers.serve(peer + " " + version, answer)


def start_workers(options):
    workers = {"hybridlua": peers.Worker([os.path.abspath(options.program), os.path.join(peers.HERE, "linalg.lua"), str(options.size)])}
    for peer, python in peers.pythons(options, PEERS).items():
        workers[peer] = peers.Worker([python, os.path.abspath(__file__), "--worker", peer, str(options.size)])
    return workers


def ask(worker, work, seconds):
    return (worker.ask("%s %s" % (work, seconds)) or [None])[0]


def measure(options, workers):
    times = {work: {name: [] for name in workers} for work in WORKS}
    for work in WORKS:
        for worker in workers.values():
            ask(worker, work, 1e-3)
    for _ in range(options.rounds):
        for work in WORKS:
            for name, worker in workers.items():
                times[work][name].append(ask(worker, work, options.seconds))
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
    parser = peers.parser(__doc__, 7)
    parser.add_argument("--size", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=0.05)
    options = parser.parse_args()
    peers.settle(options)
    workers = start_workers(options)
    report(measure(options, workers), workers)


if sys.argv[1:2] == ["--worker"]:
    work_for(sys.argv[2], int(sys.argv[3]))
else:
    main()
