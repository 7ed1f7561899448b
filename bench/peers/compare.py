"""The same work in hybridlua and in its peers, side by side: one process each, which take
turns, work by work and round by round, on one core with one thread; the shortest times are
compared. bench/peers/setup.sh makes the peers' environments.

usage: compare.py [--program ./hybridlua] [--python NAME=PATH]... [--environments DIR]
                  [--core N] [--rounds N] [--seconds S] [--markdown]
NAME is mxnet, torch or jax; --environments DIR stands for DIR/mxnet/bin/python and so on,
where they are there."""
import argparse
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ["mxnet", "torch", "jax"]
TITLES = {
    "forward_eager": "MLP 512-256-128-2, batch 1, eager",
    "forward_compiled": "MLP 512-256-128-2, batch 1, compiled",
    "step_eager": "MLP 784-256-128-10, batch 64, training step, eager",
    "step_compiled": "MLP 784-256-128-10, batch 64, training step, compiled",
    "chain_eager": "tanh(a*b+a)*sigmoid(b)-relu(a), 1M floats, eager",
    "chain_compiled": "tanh(a*b+a)*sigmoid(b)-relu(a), 1M floats, compiled",
    "add_small": "a + b of 4 floats",
    "add_large": "a + b of 10M floats",
    "sum_large": "sum of 10M floats",
    "softmax": "softmax of (1000, 1000)",
    "product": "product of 1024^3",
    "start": "start to first result",
    "first": "first call of the compiled MLP",
}
START = {
    "hybridlua": ["-e", "print(nd.ones{2,2}+1)"],
    "mxnet": ["-c", "import mxnet as mx; print(mx.nd.ones((2, 2)) + 1)"],
    "torch": ["-c", "import torch; print(torch.ones(2, 2) + 1)"],
    "jax": ["-c", "import jax.numpy as np; print(np.ones((2, 2)) + 1)"],
}


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--environments", metavar="DIR")
    parser.add_argument("--core", type=int)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def programs(options):
    found = {"hybridlua": [os.path.abspath(options.program)]}
    for name in PEERS:
        path = os.path.join(options.environments or "/nonexistent", name, "bin", "python")
        if os.path.exists(path):
            found[name] = [path]
    for given in options.python:
        name, _, path = given.partition("=")
        if name not in PEERS or not path:
            sys.exit("compare.py: --python: expected mxnet=PATH, torch=PATH or jax=PATH, got " + given)
        found[name] = [path]
    return found


def worker_command(name, program):
    return program + ([os.path.join(HERE, "worker.lua")] if name == "hybridlua" else [os.path.join(HERE, "worker.py"), name])


class Worker:
    """A process that runs works when told to."""

    def __init__(self, name, program):
        self.process = subprocess.Popen(worker_command(name, program), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.title = self.process.stdout.readline().strip()

    def best(self, work, seconds):
        print(work, seconds, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit("compare.py: %s ended while it ran %s" % (self.title, work))
        return None if answer == "none" else float(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def start_time(name, program):
    begin = time.perf_counter()
    subprocess.run(program + START[name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def first_call(name, program):
    command = worker_command(name, program) + ["first"]
    return float(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)


def measure(options, found):
    """{work: {name: seconds}} and the workers' titles."""
    times = {work: {} for work in TITLES}

    def keep(work, name, seconds):
        if seconds is not None:
            times[work][name] = min(seconds, times[work].get(name, seconds))

    for _ in range(3):
        for name, program in found.items():
            keep("start", name, start_time(name, program))
    for name, program in found.items():
        keep("first", name, first_call(name, program))
    workers = {name: Worker(name, program) for name, program in found.items()}
    for _ in range(options.rounds):
        for work in TITLES:
            if work not in ("start", "first"):
                for name, worker in workers.items():
                    keep(work, name, worker.best(work, options.seconds))
    titles = {name: worker.title for name, worker in workers.items()}
    for worker in workers.values():
        worker.close()
    return times, titles


def text_of(seconds):
    for unit, factor in (("us", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return ("%.2f %s" if seconds * factor < 10 else "%.1f %s") % (seconds * factor, unit)
    return "%.2f s" % seconds


def cell(times, name):
    if name not in times:
        return ""
    if name == "hybridlua":
        return text_of(times[name])
    return "%s (%.2fx)" % (text_of(times[name]), times[name] / times["hybridlua"])


def table(times, titles, markdown):
    names = list(titles)
    rows = [["work"] + [titles[name] for name in names]]
    for work, title in TITLES.items():
        rows.append([title] + [cell(times[work], name) for name in names])
    means = [""] + [text for text in ("%.2fx" % statistics.geometric_mean(
        times[w][n] / times[w]["hybridlua"] for w in TITLES if n in times[w]) for n in names[1:])]
    rows.append(["geometric mean"] + means)
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---|" + "---:|" * len(names)] + lines[1:])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))) for row in rows)


def main():
    options = read_options()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", HYBRIDLUA_NUM_THREADS="1",
                      MXNET_ENGINE_TYPE="NaiveEngine", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
                      JAX_PLATFORMS="cpu")
    os.sched_setaffinity(0, {options.core if options.core is not None else max(os.sched_getaffinity(0))})
    times, titles = measure(options, programs(options))
    print(table(times, titles, options.markdown))
    print("\nTimes of one call, the shortest of %d rounds; in brackets how many times hybridlua's." % options.rounds)


main()
