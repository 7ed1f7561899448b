"""NumPy's everyday functions in hybridlua, NumPy and PyTorch, side by side: one process each, on one core with
one thread, which take turns, work by work and round by round; medians are compared. The Python that runs this
file must have numpy and torch (bench/peers/setup.sh makes DIR/torch); --numpy PYTHON takes another's NumPy.

usage: everyday.py [--program ./hybridlua] [--numpy PYTHON] [--core N] [--rounds N] [--seconds S] [PATTERN]...

A work is a line in WORKS here and one of the same name in everyday.lua: name, what its inputs are, the call in
NumPy, the call in PyTorch (None: it has none), of a, b, c, and s, the last one sorted. The last column of
the table is hybridlua's time over the better of the two."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MILLION = 1000000

# name: (shapes of float32 inputs, uniform over [0, 1), NumPy's call, PyTorch's)
WORKS = {
    "sort of 1M floats": ([MILLION], "np.sort(a)", "torch.sort(a)[0]"),
    "sort of (1000, 1000)": ([(1000, 1000)], "np.sort(a)", "torch.sort(a)[0]"),
    "argsort of 1M floats": ([MILLION], "np.argsort(a)", "torch.argsort(a)"),
    "topk, 10 of 1M floats": ([MILLION], "np.argpartition(a, -10)[-10:]", "torch.topk(a, 10)[1]"),
    "topk, 5 of each row of (1000, 1000)": ([(1000, 1000)], "np.argpartition(a, -5)[:, -5:]", "torch.topk(a, 5)[1]"),
    "cumsum of 1M floats": ([MILLION], "np.cumsum(a)", "torch.cumsum(a, 0)"),
    "cumsum of (1000, 1000) over axis 0": ([(1000, 1000)], "np.cumsum(a, 0)", "torch.cumsum(a, 0)"),
    "cumsum of (1000, 1000) over axis 1": ([(1000, 1000)], "np.cumsum(a, 1)", "torch.cumsum(a, 1)"),
    "histogram of 1M floats": ([MILLION], "np.histogram(a, 10, (0, 1))", "torch.histc(a, 10, 0, 1)"),
    "median of 1M floats": ([MILLION], "np.median(a)", "torch.quantile(a, 0.5)"),
    "unique of 1M floats": ([MILLION], "np.unique(a)", "torch.unique(a)"),
    "searchsorted of 1M in 1M floats": ([MILLION, MILLION], "np.searchsorted(s, a)", "torch.searchsorted(s, a)"),
}


def time_of(run, n):
    start = time.perf_counter()
    for _ in range(n):
        run()
    return time.perf_counter() - start


def prepare(framework, name):
    shapes, *calls = WORKS[name]
    call = calls[framework == "torch"]
    if call is None:
        return None
    import numpy as np
    inputs = [np.random.default_rng(i).random(shape, dtype=np.float32) for i, shape in enumerate(shapes)]
    scope = {"np": np}
    if framework == "torch":
        import torch
        torch.set_num_threads(1)
        inputs, scope["torch"] = [torch.from_numpy(x) for x in inputs], torch
    scope.update(zip("abc", inputs))
    scope["s"] = inputs[-1].sort()[0] if framework == "torch" else np.sort(inputs[-1])
    return eval("lambda: " + call, scope)


def work(framework):
    """A worker: reads lines "NAME<tab>SECONDS", answers with the seconds of one call."""
    version = __import__(framework).__version__
    print(framework, version, flush=True)
    ready = {}
    for line in sys.stdin:
        name, seconds = line.rstrip("\n").split("\t")
        if name not in ready:
            run, n = prepare(framework, name), 1
            while run and time_of(run, n) < 2e-3:
                n *= 2
            ready[name] = run, n
        run, n = ready[name]
        if run is None:
            print("none", flush=True)
            continue
        times, spent = [], 0
        while spent < float(seconds) or len(times) < 3:
            times.append(time_of(run, n) / n)
            spent += times[-1] * n
        print(statistics.median(times), flush=True)


class Worker:
    """A process that runs works when told to."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.title = self.process.stdout.readline().strip()

    def median(self, name, seconds):
        print(name, seconds, sep="\t", file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit("everyday.py: %s ended while it ran %s" % (self.title, name))
        return None if answer == "none" else float(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def milliseconds(seconds):
    return "-" if seconds is None else "%.3f ms" % (seconds * 1e3)


def main():
    if sys.argv[1:2] == ["worker"]:
        work(sys.argv[2])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    parser.add_argument("--numpy", default=sys.executable)
    parser.add_argument("--core", type=int)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", HYBRIDLUA_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    os.sched_setaffinity(0, {options.core if options.core is not None else max(os.sched_getaffinity(0))})
    workers = [Worker([os.path.abspath(options.program), os.path.join(HERE, "everyday.lua")]),
               Worker([options.numpy, __file__, "worker", "numpy"]), Worker([sys.executable, __file__, "worker", "torch"])]
    names = [name for name in WORKS if not options.pattern or any(re.search(p, name) for p in options.pattern)]
    print("%-42s" % "" + "".join("%22s" % w.title for w in workers) + "%12s" % "to better")
    for name in names:
        rounds = [[w.median(name, options.seconds) for w in workers] for _ in range(options.rounds)]
        ours, *peers = [None if times[0] is None else statistics.median(times) for times in zip(*rounds)]
        better = min((t for t in peers if t is not None), default=None)
        ratio = "%.2f" % (ours / better) if ours and better else "-"
        print("%-42s" % name + "".join("%22s" % milliseconds(t) for t in [ours, *peers]) + "%12s" % ratio, flush=True)
    for worker in workers:
        worker.close()


main()
