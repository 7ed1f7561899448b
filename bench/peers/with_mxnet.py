"""The works of compare.py in MXNet's Gluon; each call waits for its result."""
import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn

import steps

VERSION = mx.__version__


def mlp(*sizes):
    net = nn.HybridSequential()
    for i, units in enumerate(sizes):
        net.add(nn.Dense(units, activation="relu" if i < len(sizes) - 1 else None))
    return net


def forward(compiled):
    net, x = steps.mxnet_ready(mlp(256, 128, 2), compiled), nd.random.normal(shape=(1, 512))
    return lambda: net(x).wait_to_read()


def step(compiled):
    return steps.mxnet_step(mlp(256, 128, 10), nd.arange(64) % 10, nd.random.normal(shape=(64, 784)), compiled=compiled)


def chain(F, a, b):
    return F.tanh(a * b + a) * F.sigmoid(b) - F.relu(a)


class Chain(gluon.HybridBlock):
    def hybrid_forward(self, F, a, b):
        return chain(F, a, b)


def chain_of(compiled):
    a, b = nd.random.uniform(shape=(1000000,)), nd.random.uniform(shape=(1000000,))
    if not compiled:
        return lambda: chain(nd, a, b).wait_to_read()
    block = Chain()
    block.hybridize(static_alloc=True, static_shape=True)
    return lambda: block(a, b).wait_to_read()


def of_arrays(function, *shapes):
    def prepare():
        arrays = [nd.random.uniform(shape=shape) for shape in shapes]
        return lambda: function(*arrays).wait_to_read()

    return prepare


WORKS = {
    "forward_eager": lambda: forward(False),
    "forward_compiled": lambda: forward(True),
    "step_eager": lambda: step(False),
    "step_compiled": lambda: step(True),
    "chain_eager": lambda: chain_of(False),
    "chain_compiled": lambda: chain_of(True),
    "add_small": of_arrays(lambda a, b: a + b, (4,), (4,)),
    "add_large": of_arrays(lambda a, b: a + b, (10000000,), (10000000,)),
    "sum_large": of_arrays(nd.sum, (10000000,)),
    "softmax": of_arrays(nd.softmax, (1000, 1000)),
    "product": of_arrays(nd.dot, (1024, 1024), (1024, 1024)),
}
