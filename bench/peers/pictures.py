#!/usr/bin/env python3
"""Convolutional networks in hybridlua, MXNet, PyTorch and JAX, side by side (turns.py); setup.sh makes the peers'
environments.

usage: pictures.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--threads N] [--core N]
                   [--rounds N] [--update FILE] [PATTERN]...

A work is one call: a prediction, or a training step (forward, backward, plain SGD). PyTorch runs eagerly in its default
layout, compiled by torch.compile, and with memory_format=channels_last; JAX has channels last, as its libraries do: first is no
faster there. The column "to peers" is hybridlua's time over the best of all but PyTorch's channels_last, in
brackets the goal for this ratio; "to torch" is hybridlua's time over PyTorch at its best."""
import steps
import turns

# name: (network, batch, training?, goal for hybridlua's time over that of the fastest peer, channels_last left out)
WORKS = {
    "LeNet, batch 64, training step": ("lenet", 64, True, 0.4),
    "CIFAR-ResNet-20, batch 32, training step": ("resnet20", 32, True, 0.5),
    "ResNet-18, batch 1, prediction": ("resnet18", 1, False, 0.66),
    "ResNet-18, batch 8, prediction": ("resnet18", 8, False, 0.6),
    "ResNet-18, batch 8, training step": ("resnet18", 8, True, 0.6),
    "VGG-16, batch 1, prediction": ("vgg16", 1, False, 0.5),
    "ResNet-50, batch 1, prediction": ("resnet50", 1, False, 0.75),
    "MobileNet 1.0, batch 1, prediction": ("mobilenet1.0", 1, False, 0.75),
    "MobileNet 0.25, batch 1, prediction": ("mobilenet0.25", 1, False, 0.45),
}
MOBILENET = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + 5 * [(512, 1)] + [(1024, 2), (1024, 1)]
VGG16 = [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]      # channels, convolutions


def shape_of(kind):
    """Of an image."""
    return {"lenet": (1, 28, 28), "resnet20": (3, 32, 32)}.get(kind, (3, 224, 224))


# ---- PyTorch ------------------------------------------------------------------------------------


def torch_network(name):
    from torch import nn

    def norm(channels):
        return nn.BatchNorm2d(channels)

    def conv(a, b, kernel, stride=1, groups=1):
        return nn.Conv2d(a, b, kernel, stride, kernel // 2, groups=groups, bias=False)

    class Residual(nn.Module):
        def __init__(self, a, b, stride):
            super().__init__()
            self.body = nn.Sequential(conv(a, b, 3, stride), norm(b), nn.ReLU(), conv(b, b, 3), norm(b))
            self.short = nn.Sequential(conv(a, b, 1, stride), norm(b)) if stride > 1 or a != b else nn.Identity()

        def forward(self, x):
            return nn.functional.relu(self.body(x) + self.short(x))

    class Bottleneck(nn.Module):
        """MXNet's resnet50_v1: the stride is that of the first 1x1."""

        def __init__(self, a, b, stride):
            super().__init__()
            self.body = nn.Sequential(conv(a, b // 4, 1, stride), norm(b // 4), nn.ReLU(), conv(b // 4, b // 4, 3),
                                      norm(b // 4), nn.ReLU(), conv(b // 4, b, 1), norm(b))
            self.short = nn.Sequential(conv(a, b, 1, stride), norm(b)) if stride > 1 or a != b else nn.Identity()

        def forward(self, x):
            return nn.functional.relu(self.body(x) + self.short(x))

    def stages(channels, blocks, first, block=Residual):
        layers, a = [], first
        for i, b in enumerate(channels):
            for k in range(blocks[i]):
                layers.append(block(a, b, 2 if i > 0 and k == 0 else 1))
                a = b
        return layers + [nn.AdaptiveAvgPool2d(1), nn.Flatten()]

    def vgg16():
        layers, a = [], 3
        for b, convolutions in VGG16:
            for _ in range(convolutions):
                layers += [nn.Conv2d(a, b, 3, 1, 1), nn.ReLU()]
                a = b
            layers.append(nn.MaxPool2d(2))
        for a, b in (512 * 49, 4096), (4096, 4096):
            layers += [nn.Flatten(), nn.Linear(a, b), nn.ReLU(), nn.Dropout(0.5)]
        return nn.Sequential(*layers, nn.Linear(4096, 1000))

    if name == "lenet":
        return nn.Sequential(nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
                             nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    if name == "resnet20":
        return nn.Sequential(conv(3, 16, 3), *stages([16, 32, 64], 3 * [3], 16), nn.Linear(64, 10))
    if name == "resnet18":
        return nn.Sequential(conv(3, 64, 7, 2), norm(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
                             *stages([64, 128, 256, 512], 4 * [2], 64), nn.Linear(512, 1000))
    if name == "resnet50":
        return nn.Sequential(conv(3, 64, 7, 2), norm(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
                             *stages([256, 512, 1024, 2048], [3, 4, 6, 3], 64, Bottleneck), nn.Linear(2048, 1000))
    if name == "vgg16":
        return vgg16()
    width = float(name[len("mobilenet"):])
    layers, a = [conv(3, int(32 * width), 3, 2), norm(int(32 * width)), nn.ReLU()], int(32 * width)
    for b, stride in MOBILENET:
        b = int(b * width)
        layers += [conv(a, a, 3, stride, a), norm(a), nn.ReLU(), conv(a, b, 1), norm(b), nn.ReLU()]
        a = b
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(a, 1000))


def torch_work(name, way):
    import torch
    kind, batch, trains, _ = WORKS[name]
    net, x = torch_network(kind).train(trains), torch.randn(batch, *shape_of(kind))
    if way == "channels_last":
        net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    if trains:
        return steps.torch_step(net, x, torch.arange(batch) % 10, way == "compiled")
    model = torch.compile(net) if way == "compiled" else net

    def predict():
        with torch.no_grad():
            return model(x)

    return predict


# ---- MXNet --------------------------------------------------------------------------------------


def mxnet_network(name):
    from mxnet.gluon import model_zoo, nn
    vision = model_zoo.vision
    net = nn.HybridSequential()
    if name == "lenet":
        net.add(nn.Conv2D(20, 5, activation="relu"), nn.MaxPool2D(2), nn.Conv2D(50, 5, activation="relu"), nn.MaxPool2D(2),
                nn.Flatten(), nn.Dense(500, activation="relu"), nn.Dense(10))
        return net
    if name == "resnet20":
        return vision.ResNetV1(vision.BasicBlockV1, [3, 3, 3], [16, 16, 32, 64], classes=10, thumbnail=True)
    return vision.get_model(name + "_v1" if name in ("resnet18", "resnet50") else name)


def mxnet_work(name, _):
    from mxnet import nd
    kind, batch, trains, _ = WORKS[name]
    net, x = mxnet_network(kind), nd.random.normal(shape=(batch,) + shape_of(kind))
    if trains:
        return steps.mxnet_step(net, nd.arange(batch) % 10, x)
    steps.mxnet_ready(net)
    return lambda: net(x).wait_to_read()


# ---- JAX ----------------------------------------------------------------------------------------


class Pass:
    """A pass through a network: gives it weights and statistics in the order of their use. Without any it makes them."""

    def __init__(self, weights=None, statistics=None, trains=False):
        self.makes, self.trains = weights is None, trains
        self.weights, self.statistics, self.after = weights or [], statistics or [], []
        self.next_weight, self.random = 0, steps.jax_random()

    def weight(self, *shape):
        import jax.numpy as jnp
        if self.makes:
            self.weights.append(self.random(*shape) if len(shape) > 1 else jnp.ones(shape))
        self.next_weight += 1
        return self.weights[self.next_weight - 1]

    def conv(self, x, channels, kernel, stride=1, groups=1, padding=None, bias=False):
        from jax import lax
        at = kernel // 2 if padding is None else padding
        y = lax.conv_general_dilated(x, self.weight(kernel, kernel, x.shape[-1] // groups, channels), (stride, stride),
                                     [(at, at)] * 2, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)
        return y + self.weight(channels) if bias else y

    def norm(self, x):
        """By the batch's mean and variance in training, which running ones follow; by these in prediction."""
        import jax.numpy as jnp
        from jax import lax
        channels = x.shape[-1:]
        if self.makes:
            self.statistics.append((jnp.zeros(channels), jnp.ones(channels)))
        mean, var = before = self.statistics[len(self.after)]
        if self.trains:
            mean = x.mean((0, 1, 2))
            var = jnp.maximum((x * x).mean((0, 1, 2)) - mean * mean, 0)
            before = tuple(0.9 * old + 0.1 * new for old, new in zip(before, (mean, var)))
        self.after.append(before)
        return (x - mean) * (self.weight(*channels) * lax.rsqrt(var + 1e-5)) + self.weight(*channels)

    def dense(self, x, units):
        return x @ self.weight(x.shape[-1], units) + self.weight(units)


def max_pool(x, kernel, stride, padding=0):
    import jax.numpy as jnp
    from jax import lax
    at = (0, 0), (padding, padding), (padding, padding), (0, 0)
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, kernel, kernel, 1), (1, stride, stride, 1), at)


def jax_residual(p, x, channels, stride):
    from jax.nn import relu
    short = p.norm(p.conv(x, channels, 1, stride)) if stride > 1 or x.shape[-1] != channels else x
    y = relu(p.norm(p.conv(x, channels, 3, stride)))
    return relu(p.norm(p.conv(y, channels, 3)) + short)


def jax_bottleneck(p, x, channels, stride):
    from jax.nn import relu
    short = p.norm(p.conv(x, channels, 1, stride)) if stride > 1 or x.shape[-1] != channels else x
    y = relu(p.norm(p.conv(x, channels // 4, 1, stride)))
    y = relu(p.norm(p.conv(y, channels // 4, 3)))
    return relu(p.norm(p.conv(y, channels, 1)) + short)


def jax_network(name, p, x):
    from jax.nn import relu
    if name == "lenet":
        for channels in (20, 50):
            x = max_pool(relu(p.conv(x, channels, 5, padding=0, bias=True)), 2, 2)
        return p.dense(relu(p.dense(x.reshape(len(x), -1), 500)), 10)
    if name.startswith("mobilenet"):
        width = float(name[len("mobilenet"):])
        x = relu(p.norm(p.conv(x, int(32 * width), 3, 2)))
        for channels, stride in MOBILENET:
            x = relu(p.norm(p.conv(x, x.shape[-1], 3, stride, groups=x.shape[-1])))
            x = relu(p.norm(p.conv(x, int(channels * width), 1)))
        return p.dense(x.mean((1, 2)), 1000)
    if name == "vgg16":
        for channels, convolutions in VGG16:
            for _ in range(convolutions):
                x = relu(p.conv(x, channels, 3, bias=True))
            x = max_pool(x, 2, 2)
        return p.dense(relu(p.dense(relu(p.dense(x.reshape(len(x), -1), 4096)), 4096)), 1000)
    block, classes = jax_residual, 1000
    if name == "resnet20":
        x, stages, blocks, classes = p.conv(x, 16, 3), (16, 32, 64), 3 * [3], 10
    else:
        x, stages, blocks = max_pool(relu(p.norm(p.conv(x, 64, 7, 2))), 3, 2, 1), (64, 128, 256, 512), 4 * [2]
    if name == "resnet50":
        stages, blocks, block = (256, 512, 1024, 2048), [3, 4, 6, 3], jax_bottleneck
    for i, channels in enumerate(stages):
        for k in range(blocks[i]):
            x = block(p, x, channels, 2 if i > 0 and k == 0 else 1)
    return p.dense(x.mean((1, 2)), classes)


def jax_work(name, _):
    import jax
    import jax.numpy as jnp
    kind, batch, trains, _ = WORKS[name]
    channels, *size = shape_of(kind)
    x, made = 20 * steps.jax_random()(batch, *size, channels), Pass()
    jax_network(kind, made, x)

    def network(weights, statistics, x):
        p = Pass(weights, statistics, trains)
        return jax_network(kind, p, x), p.after

    if trains:
        return steps.jax_step(network, made.weights, x, jnp.arange(batch) % 10, made.statistics)
    predict = jax.jit(lambda weights, statistics, x: network(weights, statistics, x)[0])
    return lambda: predict(made.weights, made.statistics, x).block_until_ready()


if __name__ == "__main__":
    turns.main(__file__, __doc__, {name: work[3] for name, work in WORKS.items()},
               {"torch": torch_work, "mxnet": mxnet_work, "jax": jax_work}, "channels_last")
