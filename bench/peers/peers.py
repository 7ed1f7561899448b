"""Shared by all comparisons here: where the peers are, cores and threads, and processes that take turns.

Each system is a process (Worker) that reads benchmarks, one per line, and prints numbers. While one runs, the others are
stopped (SIGSTOP), so that none of their spinning threads takes time from it."""
import argparse
import atexit
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENTS = {"mxnet": "mxnet", "torch": "torch", "jax": "jax", "numpy": "mxnet"}      # made by setup.sh

# ---- Options ------------------------------------------------------------------------------------


def parser(doc, rounds=None):
    """A parser with the options that all have; rounds: how many by default, or no rounds."""
    options = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    options.add_argument("--environments", metavar="DIR", help="what setup.sh made")
    options.add_argument("--python", action="append", default=[], metavar="NAME=PATH", help="a peer's interpreter")
    options.add_argument("--core", type=int, help="the first of those where all run (default: the last ones)")
    if rounds:
        options.add_argument("--rounds", type=int, default=rounds)
    return options


def pythons(options, names):
    """The interpreters of the peers that are there, by name."""
    found = {}
    for name in names:
        path = os.path.join(options.environments or "/nonexistent", ENVIRONMENTS[name], "bin", "python")
        if os.path.exists(path):
            found[name] = path
    for given in options.python:
        name, _, path = given.partition("=")
        if name not in ENVIRONMENTS or not path:
            sys.exit("--python: expected NAME=PATH with a NAME of %s, got %s" % (", ".join(ENVIRONMENTS), given))
        found[name] = path
    return {name: found[name] for name in names if name in found}


def wanted(names, patterns):
    """The works that a pattern fits, or all."""
    return [name for name in names if not patterns or any(re.search(p, name) for p in patterns)]


def settle(options, threads=1):
    """This process and those that it begins stay on as many cores as they have threads. JAX has a thread for each core
    that it may use; the others read their number before they are imported."""
    cores = sorted(os.sched_getaffinity(0))
    at = len(cores) - threads if options.core is None else cores.index(options.core) if options.core in cores else -1
    if at < 0 or at + threads > len(cores):
        sys.exit("--threads, --core: expected %d of the cores %s" % (threads, ", ".join(map(str, cores))))
    os.sched_setaffinity(0, cores[at:at + threads])
    number = str(threads)
    os.environ.update(
        HYBRIDLUA_NUM_THREADS=number, OMP_NUM_THREADS=number, OPENBLAS_NUM_THREADS=number, MKL_NUM_THREADS=number,
        PJRT_NPROC=number, XLA_FLAGS="--xla_cpu_multi_thread_eigen=" + ("true" if threads > 1 else "false"),
        JAX_PLATFORMS="cpu")


# ---- The processes ------------------------------------------------------------------------------

running = []


def end_all():
    for worker in running:
        worker.process.kill()


atexit.register(end_all)


class Worker:
    """A process that runs works on request."""

    def __init__(self, command):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))      # otherwise stopped workers would remain
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                        bufsize=1)
        running.append(self)
        self.title = os.path.basename(command[0])
        self.title = self.read("began")
        self.process.send_signal(signal.SIGSTOP)

    def read(self, doing):
        answer = self.process.stdout.readline().strip()
        if not answer:
            self.errors.seek(0)
            sys.exit("%s ended while it %s:\n%s" % (self.title, doing, self.errors.read().decode(errors="replace")[-4000:]))
        return answer

    def ask(self, line):
        """The numbers for a work, or None: it has none."""
        self.process.send_signal(signal.SIGCONT)
        print(line, file=self.process.stdin, flush=True)
        answer = self.read("ran " + line)
        self.process.send_signal(signal.SIGSTOP)
        return None if answer == "none" else [float(number) for number in answer.split()]

    def close(self):
        running.remove(self)
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()


# ---- In a process -------------------------------------------------------------------------------


def serve(title, answer):
    """Reads works until there are no more; answer(line) gives numbers, or None."""
    print(title, flush=True)
    for line in sys.stdin:
        numbers = answer(line.rstrip("\n"))
        print("none" if numbers is None else " ".join("%.9g" % number for number in numbers), flush=True)


def time_of(run, n=1):
    start = time.perf_counter()
    for _ in range(n):
        run()
    return time.perf_counter() - start


class Repeated:
    """A short call, made in batches that the clock can tell apart."""

    def __init__(self, run):
        self.run, self.n = run, 1
        for _ in range(3):
            run()
        while time_of(run, self.n) < 2e-3:
            self.n *= 2

    def times(self, seconds, least=1):
        """Seconds of a call, batch by batch."""
        times = []
        while sum(times) * self.n < seconds or len(times) < least:
            times.append(time_of(self.run, self.n) / self.n)
        return times


# ---- Tables -------------------------------------------------------------------------------------


def markdown(rows):
    """A table of rows of texts, the first its heads."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(rows[0]) - 1)] + lines[1:])


def aligned(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths)))
                     for row in rows)


def update(name, mark, text):
    """Puts a text into a file, between <!-- MARK --> and <!-- end -->."""
    with open(name) as file:
        before, begin, rest = file.read().partition("<!-- %s -->\n" % mark)
    end = "\n<!-- end -->"
    if end not in rest:
        sys.exit("--update: %s: expected the marks <!-- %s --> and <!-- end -->" % (name, mark))
    with open(name, "w") as file:
        file.write(before + begin + text + "\n" + rest[rest.index(end):])


def text_of(seconds):
    for unit, factor in (("us", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return ("%.2f %s" if seconds * factor < 10 else "%.1f %s") % (seconds * factor, unit)
    return "%.2f s" % seconds
