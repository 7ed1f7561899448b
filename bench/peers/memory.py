"""How much the resident size grows at its peak over two training steps of ResNet-18 with 8 images of 224x224, from before
the first one, after a prediction of one image: hybridlua, hybridlua with remat, PyTorch. Linux.

usage: memory.py [--program ./hybridlua]"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def resident(field):
    for line in open("/proc/self/status"):
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024


def torch_growth():
    import pictures
    import torch
    torch.set_num_threads(1)
    net, x, y = pictures.torch_network("resnet18"), torch.randn(8, 3, 224, 224), torch.arange(8)
    with torch.no_grad():
        net.eval()(torch.zeros(1, 3, 224, 224))
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")
    before = resident("VmRSS")
    for _ in range(2):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
    return resident("VmHWM") - before


def main():
    if sys.argv[1:] == ["torch"]:
        print(torch_growth())
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "hybridlua"))
    program, script = os.path.abspath(parser.parse_args().program), os.path.join(HERE, "memory.lua")
    environment = dict(os.environ, OMP_NUM_THREADS="1", HYBRIDLUA_NUM_THREADS="1")
    for title, command in [("hybridlua", [program, script]), ("hybridlua, remat", [program, script, "remat"]),
                           ("PyTorch", [sys.executable, __file__, "torch"])]:
        grown = float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
        print("%-20s%6.0f MB" % (title, grown), flush=True)


main()
