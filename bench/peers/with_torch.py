"""The works of compare.py in PyTorch, compiled by torch.compile."""
import torch
from torch import nn

import steps

VERSION = torch.__version__
torch.set_num_threads(1)


def mlp(*sizes):
    layers = []
    for i in range(1, len(sizes)):
        layers.append(nn.Linear(sizes[i - 1], sizes[i]))
        if i < len(sizes) - 1:
            layers.append(nn.ReLU())
    return nn.Sequential(*layers)


def maybe_compiled(function, compiled):
    return torch.compile(function) if compiled else function


def forward(compiled):
    net, x = maybe_compiled(mlp(512, 256, 128, 2).eval(), compiled), torch.randn(1, 512)

    def run():
        with torch.no_grad():
            return net(x)

    return run


def step(compiled):
    return steps.torch_step(mlp(784, 256, 128, 10), torch.randn(64, 784), torch.arange(64) % 10, compiled)


def chain(a, b):
    return torch.tanh(a * b + a) * torch.sigmoid(b) - torch.relu(a)


def of_arrays(function, *shapes):
    def prepare():
        arrays = [torch.rand(shape) for shape in shapes]
        return lambda: function(*arrays)

    return prepare


WORKS = {
    "forward_eager": lambda: forward(False),
    "forward_compiled": lambda: forward(True),
    "step_eager": lambda: step(False),
    "step_compiled": lambda: step(True),
    "chain_eager": of_arrays(chain, (1000000,), (1000000,)),
    "chain_compiled": of_arrays(torch.compile(chain), (1000000,), (1000000,)),
    "add_small": of_arrays(lambda a, b: a + b, (4,), (4,)),
    "add_large": of_arrays(lambda a, b: a + b, (10000000,), (10000000,)),
    "sum_large": of_arrays(torch.sum, (10000000,)),
    "softmax": of_arrays(lambda a: torch.softmax(a, -1), (1000, 1000)),
    "product": of_arrays(torch.mm, (1024, 1024), (1024, 1024)),
}
