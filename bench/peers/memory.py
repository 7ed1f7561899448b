#!/usr/bin/env python3
"""The growth of peak resident memory over two training steps of ResNet-18 with 8 images of 224x224, relative to the size
after a prediction of one image: hybridlua, hybridlua with remat, PyTorch, with one thread. Linux.

usage: memory.py [--program ./hybridlua] [--environments DIR] [--python torch=PATH] [--core N]"""
import os
import subprocess
import sys

import peers


def resident(field):
    for line in open("/proc/self/status"):
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024


def torch_growth():
    import pictures
    import steps
    import torch
    torch.set_num_threads(1)
    net, x, y = pictures.torch_network("resnet18"), torch.randn(8, 3, 224, 224), torch.arange(8)
    with torch.no_grad():
        net.eval()(torch.zeros(1, 3, 224, 224))
    step = steps.torch_step(net.train(), x, y)
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    before = resident("VmRSS")
    for _ in range(2):
        step()
    return resident("VmHWM") - before


def main():
    if sys.argv[1:] == ["torch"]:
        print(torch_growth())
        return
    options = peers.parser(__doc__).parse_args()
    peers.settle(options)
    ours = [os.path.abspath(options.program), os.path.join(peers.HERE, "memory.lua")]
    commands = [("hybridlua", ours), ("hybridlua, remat", ours + ["remat"])]
    commands += [("PyTorch", [python, __file__, "torch"]) for python in peers.pythons(options, ["torch"]).values()]
    for title, command in commands:
        grown = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print("%-20s%6.0f MB" % (title, grown), flush=True)


main()
