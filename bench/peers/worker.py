"""A peer's side of compare.py: worker.py FRAMEWORK reads "NAME SECONDS" lines, runs that work
in batches for so long and answers with the shortest seconds of one call, or "none" where the
framework has no such thing. worker.py FRAMEWORK first prints the seconds of a compiled
network's first call."""
import importlib
import sys
import time


def time_of(run, n):
    start = time.perf_counter()
    for _ in range(n):
        run()
    return time.perf_counter() - start


def best(works, ready, name, seconds):
    if name not in ready:
        run, n = works[name](), 1
        for _ in range(3):
            run()
        while time_of(run, n) < 2e-3:
            n *= 2
        ready[name] = run, n
    run, n = ready[name]
    shortest, spent = float("inf"), 0
    while spent < seconds:
        t = time_of(run, n)
        shortest, spent = min(shortest, t / n), spent + t
    return shortest


def main():
    peer = importlib.import_module("with_" + sys.argv[1])
    if sys.argv[2:] == ["first"]:
        print(time_of(peer.WORKS["forward_compiled"](), 1))
        return
    print(sys.argv[1], peer.VERSION, flush=True)
    ready = {}
    for line in sys.stdin:
        name, seconds = line.split()
        print(best(peer.WORKS, ready, name, float(seconds)) if name in peer.WORKS else "none", flush=True)


main()
