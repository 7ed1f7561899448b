#!/usr/bin/env python3
"""Compares std, var, logsumexp, einsum and related functions with NumPy and PyTorch: one process each, which take
turns (peers.py), on one core with one thread, eagerly; the shortest times are compared.

usage: moments.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--core N] [--rounds N] [--seconds S]
                  [PATTERN]...
PyTorch's and NumPy's interpreters are those that setup.sh makes, NumPy's the one beside MXNet."""
import os
import sys

import peers

# Title, hybridlua, NumPy (n), PyTorch (t). NumPy's einsum is given optimize, without which it uses no BLAS.
WORKS = [
    ("std of 1M", "x:std()", "x.std()", "x.std(unbiased=False)"),
    ("var of 1M", "x:var()", "x.var()", "x.var(unbiased=False)"),
    ("std of (1000, 1000), axis 0", "m:std{axis = 0}", "m.std(0)", "m.std(0, unbiased=False)"),
    ("std of (1000, 1000), axis 1", "m:std{axis = 1}", "m.std(1)", "m.std(1, unbiased=False)"),
    ("moments of (1000, 1000), axis 0", "nd.moments(m, {axes = {0}})", "(m.mean(0), m.var(0))", "t.var_mean(m, 0, unbiased=False)"),
    ("logsumexp of (1000, 1000), axis 1", "nd.logsumexp(m, {axis = 1})",
     "n.log(n.exp(m - m.max(1, keepdims=True)).sum(1)) + m.max(1)", "t.logsumexp(m, 1)"),
    ("isnan of 1M", "nd.isnan(x)", "n.isnan(x)", "t.isnan(x)"),
    ("all of 1M", "nd.all(x)", "n.all(x)", "t.all(x)"),
    ("count_nonzero of 1M", "nd.count_nonzero(x)", "n.count_nonzero(x)", "t.count_nonzero(x)"),
    ("roll of (1000, 1000), axis 1", "nd.roll(m, 7, {axis = 1})", "n.roll(m, 7, 1)", "t.roll(m, 7, 1)"),
    ("tril of (1000, 1000)", "nd.tril(m)", "n.tril(m)", "t.tril(m)"),
    ("einsum ij,jk->ik, 256", 'nd.einsum("ij,jk->ik", a, b)', 'n.einsum("ij,jk->ik", a, b, optimize=True)', 't.einsum("ij,jk->ik", a, b)'),
    ("einsum bij,bjk->bik, 16 of 64", 'nd.einsum("bij,bjk->bik", p, q)', 'n.einsum("bij,bjk->bik", p, q, optimize=True)',
     't.einsum("bij,bjk->bik", p, q)'),
    ("einsum bqhd,bkhd->bhqk (8, 64, 8, 32)", 'nd.einsum("bqhd,bkhd->bhqk", u, v)', 'n.einsum("bqhd,bkhd->bhqk", u, v, optimize=True)',
     't.einsum("bqhd,bkhd->bhqk", u, v)'),
    ("tensordot over two axes (16, 64, 64)", "nd.tensordot(p, q, {axes = {{1, 2}, {1, 2}}})", "n.tensordot(p, q, ([1, 2], [1, 2]))",
     "t.tensordot(p, q, ([1, 2], [1, 2]))"),
    ("gelu of 1M", "nd.gelu(x)", None, "t.nn.functional.gelu(x)"),
    ("silu of 1M", "nd.silu(x)", None, "t.nn.functional.silu(x)"),
]
SHAPES = {"x": (1000000,), "m": (1000, 1000), "a": (256, 256), "b": (256, 256), "p": (16, 64, 64), "q": (16, 64, 64),
          "u": (8, 64, 8, 32), "v": (8, 64, 8, 32)}


def work_for(peer):
    """The other side, in an interpreter that has the package."""
    if peer == "torch":
        import torch
        torch.set_num_threads(1)
        names = dict({k: torch.randn(s) for k, s in SHAPES.items()}, t=torch)
        title = "torch " + torch.__version__
    else:
        import numpy
        names = dict({k: numpy.random.randn(*s).astype("f4") for k, s in SHAPES.items()}, n=numpy)
        title = "numpy " + numpy.__version__
    ready = {}

    def answer(line):
        seconds, text = line.split("\t")
        if text not in ready:
            ready[text] = peers.Repeated(eval("lambda: " + text, names))
        return [min(ready[text].times(float(seconds)))]

    peers.serve(title, answer)


def main():
    parser = peers.parser(__doc__, 5)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    peers.settle(options)
    workers = [(0, peers.Worker([os.path.abspath(options.program), os.path.join(peers.HERE, "moments.lua")]))]
    for name, python in peers.pythons(options, ["numpy", "torch"]).items():
        workers.append((1 if name == "numpy" else 2, peers.Worker([python, os.path.abspath(__file__), "worker", name])))
    titles = peers.wanted([w[0] for w in WORKS], options.pattern)
    rows = [w for w in WORKS if w[0] in titles]
    times = {w[0]: {} for w in rows}
    for _ in range(options.rounds):
        for title, *texts in rows:
            for column, worker in workers:
                if texts[column]:
                    seconds, = worker.ask("%s\t%s" % (options.seconds, texts[column]))
                    times[title][column] = min(seconds, times[title].get(column, seconds))
    print("%-40s" % "work" + "".join("%24s" % worker.title for _, worker in workers) + "%16s" % "of the better")
    for title, found in times.items():
        others = [found[c] for c in found if c > 0]
        cells = ["%21.1f us" % (found[c] * 1e6) if c in found else "" for c, _ in workers]
        print("%-40s" % title + "".join("%24s" % cell for cell in cells) + ("%16.2f" % (found[0] / min(others)) if others else ""))
    for _, worker in workers:
        worker.close()


if sys.argv[1:2] == ["worker"]:
    work_for(sys.argv[2])
else:
    main()
