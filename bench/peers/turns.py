"""Works in hybridlua, MXNet and PyTorch side by side: one process each, which take turns, work by work and round by
round; medians of rounds are compared. pictures.py and sequences.py say which works, and how each system does them."""
import argparse
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def work(makers, framework, way):
    """A worker: reads names of works, answers with the seconds of one call."""
    module = __import__(framework)
    if framework == "torch":
        module.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    print(framework, module.__version__, way, flush=True)
    ready = {}
    for line in sys.stdin:
        name = line.rstrip("\n")
        if name not in ready:
            ready[name] = makers[framework](name, way)
            for _ in range(3):
                ready[name]()
        start = time.perf_counter()
        ready[name]()
        print(time.perf_counter() - start, flush=True)


class Worker:
    """A process that runs works when told to."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.title = self.process.stdout.readline().strip()

    def seconds(self, name):
        print(name, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit("%s ended while it ran %s" % (self.title, name))
        return float(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main(script, doc, asked, makers, best):
    """script: the file, with its Lua side beside it; asked: by work the highest ratio to the peers; makers: by system what
    makes a work by name; best: PyTorch's further way, which counts in the last column only."""
    if sys.argv[1:2] == ["worker"]:
        work(makers, *sys.argv[2:4])
        return
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    parser.add_argument("--mxnet", metavar="PYTHON")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--core", type=int, help="with one thread: where all run (default: the last)")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("pattern", nargs="*")
    options = parser.parse_args()
    threads = str(options.threads)
    os.environ.update(OMP_NUM_THREADS=threads, HYBRIDLUA_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads, MKL_NUM_THREADS=threads)
    if options.threads == 1:
        os.sched_setaffinity(0, {options.core if options.core is not None else max(os.sched_getaffinity(0))})
    ways = ["eager", "compiled"] + ([best] if best else [])
    commands = [[os.path.abspath(options.program), os.path.splitext(script)[0] + ".lua"]]
    commands += [[sys.executable, script, "worker", "torch", way] for way in ways]
    if options.mxnet:
        commands.append([options.mxnet, script, "worker", "mxnet", "hybridized"])
    workers = [Worker(command) for command in commands]
    names = [name for name in asked if not options.pattern or any(re.search(p, name) for p in options.pattern)]
    print("%-42s" % "" + "".join("%28s" % w.title for w in workers) + "%10s%8s%14s" % ("to peers", "asked", "to torch"))
    for name in names:
        rounds = [[w.seconds(name) for w in workers] for _ in range(options.rounds)]
        ours, *others = (statistics.median(times) for times in zip(*rounds))
        torch, mxnet = others[:len(ways)], others[len(ways):]
        print("%-42s" % name + "".join("%25.2f ms" % (t * 1e3) for t in [ours] + others) +
              "%10.2f%8.2f%14.2f" % (ours / min(torch[:2] + mxnet), asked[name], ours / min(torch)), flush=True)
    for worker in workers:
        worker.close()
