"""A peer's side of compare.py: worker.py FRAMEWORK reads "NAME SECONDS" lines, runs that
benchmark in batches for this time, and prints the shortest seconds of one call, or "none" if the framework does not have
it. worker.py FRAMEWORK first prints the seconds of a compiled
network's first call."""
import importlib
import sys

import peers


def main():
    peer, ready = importlib.import_module("with_" + sys.argv[1]), {}
    if sys.argv[2:] == ["first"]:
        print(peers.time_of(peer.WORKS["forward_compiled"]()))
        return

    def answer(line):
        name, seconds = line.split()
        if name not in peer.WORKS:
            return None
        if name not in ready:
            ready[name] = peers.Repeated(peer.WORKS[name]())
        return [min(ready[name].times(float(seconds)))]

    peers.serve(sys.argv[1] + " " + peer.VERSION, answer)


main()
