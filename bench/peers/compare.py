#!/usr/bin/env python3
"""The same work in hybridlua and in its peers, side by side: one process each, which take
turns (peers.py), work by work and round by round, on one core with one thread; the shortest times are
compared. bench/peers/setup.sh makes the peers' environments.

usage: compare.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]...
                  [--core N] [--rounds N] [--seconds S] [--markdown] [--update FILE]
NAME is mxnet, torch or jax; --environments DIR stands for DIR/mxnet/bin/python and so on,
where they are there; --update FILE puts the table into FILE, between the marks
<!-- bench/peers --> and <!-- end -->."""
import os
import statistics
import subprocess
import tempfile

import peers

HERE = peers.HERE
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


def programs(options):
    return {"hybridlua": [os.path.abspath(options.program)],
            **{name: [python] for name, python in peers.pythons(options, PEERS).items()}}


def worker_command(name, program):
    return program + ([os.path.join(HERE, "worker.lua")] if name == "hybridlua" else [os.path.join(HERE, "worker.py"), name])


def start_time(name, program):
    return peers.time_of(lambda: subprocess.run(program + START[name], capture_output=True, check=True))


def first_call(name, program):
    """Seconds of a compiled network's first call, with no kernels kept from an earlier run."""
    command = worker_command(name, program) + ["first"]
    with tempfile.TemporaryDirectory() as empty:
        environment = dict(os.environ, HYBRIDLUA_CACHE=empty, TORCHINDUCTOR_CACHE_DIR=empty)
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, env=environment).stdout
    return float(output)


def measure(options, found):
    """{work: {name: seconds}} and the workers' titles."""
    times = {work: {} for work in TITLES}

    def keep(work, name, seconds):
        times[work][name] = min(seconds, times[work].get(name, seconds))

    for _ in range(3):
        for name, program in found.items():
            keep("start", name, start_time(name, program))
    for name, program in found.items():
        keep("first", name, first_call(name, program))
    workers = {name: peers.Worker(worker_command(name, program)) for name, program in found.items()}
    for _ in range(options.rounds):
        for work in TITLES:
            if work not in ("start", "first"):
                for name, worker in workers.items():
                    for seconds in worker.ask("%s %s" % (work, options.seconds)) or []:
                        keep(work, name, seconds)
    titles = {name: worker.title for name, worker in workers.items()}
    for worker in workers.values():
        worker.close()
    return times, titles


def cell(times, name):
    if name not in times:
        return ""
    if name == "hybridlua":
        return peers.text_of(times[name])
    return "%s (%.2fx)" % (peers.text_of(times[name]), times[name] / times["hybridlua"])


def table(times, titles, markdown):
    names = list(titles)
    rows = [["work"] + [titles[name] for name in names]]
    for work, title in TITLES.items():
        rows.append([title] + [cell(times[work], name) for name in names])
    means = [""] + [text for text in ("%.2fx" % statistics.geometric_mean(
        times[w][n] / times[w]["hybridlua"] for w in TITLES if n in times[w]) for n in names[1:])]
    rows.append(["geometric mean"] + means)
    return peers.markdown(rows) if markdown else peers.aligned(rows)


def main():
    parser = peers.parser(__doc__, 7)
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--update", metavar="FILE")
    options = parser.parse_args()
    peers.settle(options)
    os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"
    times, titles = measure(options, programs(options))
    print(table(times, titles, options.markdown))
    if options.update:
        peers.update(options.update, "bench/peers", table(times, titles, True))
    print("\nTimes of one call, the shortest of %d rounds; in brackets how many times hybridlua's." % options.rounds)


main()
