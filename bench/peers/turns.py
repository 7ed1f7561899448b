"""Networks in hybridlua, MXNet, PyTorch and JAX side by side: one process each, which take turns, work by work and round by
round (peers.py); medians of rounds are compared. A turn is TURN seconds of calls, at least one: the first of
several short ones runs with cold caches. pictures.py, sequences.py and attention.py have the benchmarks and each system's
code; steps.py has the shared parts of training steps."""
import os
import statistics
import sys
import time

import peers

WAYS = {"mxnet": ["hybridized"], "torch": ["eager", "compiled"], "jax": ["jit"]}      # each system's modes
TURN = 0.05                                          # equal to that of turns.lua


def work(makers, framework, way):
    """A worker: reads names of works, answers with the seconds of one call, and with those that its threads computed."""
    module, ready = __import__(framework), {}
    if framework == "torch":
        module.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))

    def answer(name):
        if name not in ready:
            ready[name] = makers[framework](name, way)
            for _ in range(3 if ready[name] else 0):
                ready[name]()
        if ready[name] is None:
            return None
        computed, start, seconds, calls = time.process_time(), time.perf_counter(), 0, 0
        while seconds < TURN:
            ready[name]()
            seconds, calls = time.perf_counter() - start, calls + 1
        return seconds / calls, (time.process_time() - computed) / calls

    peers.serve("%s %s %s" % (framework, module.__version__, way), answer)


def begin(options, script, makers, best):
    """The workers, ours first."""
    workers = [peers.Worker([os.path.abspath(options.program), os.path.splitext(script)[0] + ".lua"])]
    for name, python in peers.pythons(options, [name for name in WAYS if name in makers]).items():
        for way in WAYS[name] + ([best] if best and name == "torch" else []):
            workers.append(peers.Worker([python, script, "worker", name, way]))
            workers[-1].framework, workers[-1].is_best = name, way == best
    return workers


def median(answers):
    """The median of the seconds, or None where a system has no such work."""
    return None if None in answers else statistics.median(seconds for seconds, _ in answers)


def ratio(ours, others):
    others = [t for t in others if t is not None]
    return "%.2f" % (ours / min(others)) if others else "-"


def main(script, doc, goals, makers, best=None):
    """script: the file, with its Lua side beside it; goals: the goal for the ratio to the peers, by work; makers: the function
    that makes a work from its name and the way, or None, by system; best: a further way of PyTorch's, which counts in a
    column of its own."""
    if sys.argv[1:2] == ["worker"]:
        work(makers, *sys.argv[2:4])
        return
    parser = peers.parser(doc, 30)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--update", metavar="FILE", help="puts the table between the marks <!-- %s, threads: N --> and "
                        "<!-- end -->" % os.path.basename(script))
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    if options.update and options.pattern:
        sys.exit("--update: expected no PATTERN, for the table is that of all works")
    peers.settle(options, options.threads)
    os.environ["HYBRIDLUA_JIT"] = "sync"             # no compiler runs while a peer is timed
    workers = begin(options, script, makers, best)
    rows = [["work"] + [worker.title for worker in workers] + ["to peers"] + (["to torch"] if best else [])]
    computed = [[0, 0] for _ in workers]

    def show(row):
        cells = [text.rjust(max(len(head), 10) + 3) for text, head in zip(row[1:], rows[0][1:])]
        print(row[0].ljust(46) + "".join(cells), flush=True)

    show(rows[0])
    for name in peers.wanted(goals, options.pattern):
        rounds = [[worker.ask(name) for worker in workers] for _ in range(options.rounds)]
        for sums, answers in zip(computed, zip(*rounds)):
            for seconds, busy in filter(None, answers):
                sums[0], sums[1] = sums[0] + seconds, sums[1] + busy
        ours, *others = map(median, zip(*rounds))
        usual = [t for t, worker in zip(others, workers[1:]) if not worker.is_best]
        row = [name] + ["-" if t is None else peers.text_of(t) for t in [ours] + others]
        row.append("%s (%g)" % (ratio(ours, usual), goals[name]))
        if best:
            row.append(ratio(ours, [t for t, worker in zip(others, workers[1:]) if worker.framework == "torch"]))
        rows.append(row)
        show(row)
    show(["cores that computed, on average"] + ["%.2f" % (busy / seconds) if seconds else "-" for seconds, busy in computed])
    if options.update:
        peers.update(options.update, "%s, threads: %d" % (os.path.basename(script), options.threads), peers.markdown(rows))
    for worker in workers:
        worker.close()
