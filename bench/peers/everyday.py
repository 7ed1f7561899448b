#!/usr/bin/env python3
"""NumPy's everyday functions in hybridlua, NumPy and PyTorch, side by side: one process each, on one core with
one thread, which take turns (peers.py), work by work and round by round; medians are compared. setup.sh makes the
peers' environments; NumPy is the one beside MXNet.

usage: everyday.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--core N] [--rounds N] [--seconds S]
                   [PATTERN]...

A work is a line in WORKS here and one of the same name in everyday.lua: name, what its inputs are, the call in
NumPy, the call in PyTorch (None: it has none), of a, b, c, and s, the last one sorted. The last column of
the table is hybridlua's time over the better of the two."""
import os
import statistics
import sys

import peers

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
    version, ready = __import__(framework).__version__, {}

    def answer(line):
        name, seconds = line.split("\t")
        if name not in ready:
            run = prepare(framework, name)
            ready[name] = run and peers.Repeated(run)
        return ready[name] and [statistics.median(ready[name].times(float(seconds), 3))]

    peers.serve(framework + " " + version, answer)


def milliseconds(seconds):
    return "-" if seconds is None else "%.3f ms" % (seconds * 1e3)


def main():
    if sys.argv[1:2] == ["worker"]:
        work(sys.argv[2])
        return
    parser = peers.parser(__doc__, 5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    peers.settle(options)
    workers = [peers.Worker([os.path.abspath(options.program), os.path.join(peers.HERE, "everyday.lua")])]
    for name, python in peers.pythons(options, ["numpy", "torch"]).items():
        workers.append(peers.Worker([python, __file__, "worker", name]))
    print("%-42s" % "" + "".join("%22s" % w.title for w in workers) + "%12s" % "to better")
    for name in peers.wanted(WORKS, options.pattern):
        rounds = [[w.ask("%s\t%s" % (name, options.seconds)) for w in workers] for _ in range(options.rounds)]
        ours, *others = [None if None in answers else statistics.median(t for t, in answers) for answers in zip(*rounds)]
        better = min((t for t in others if t is not None), default=None)
        ratio = "%.2f" % (ours / better) if ours and better else "-"
        print("%-42s" % name + "".join("%22s" % milliseconds(t) for t in [ours, *others]) + "%12s" % ratio, flush=True)
    for worker in workers:
        worker.close()


main()
