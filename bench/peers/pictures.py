"""Convolutional networks in hybridlua, MXNet and PyTorch, side by side (turns.py). The Python that runs this file must have torch
(bench/peers/setup.sh makes DIR/torch); --mxnet PYTHON adds MXNet's.

usage: pictures.py [--program ./hybridlua] [--mxnet PYTHON] [--threads N] [--core N] [--rounds N] [PATTERN]...

A work is one call: a prediction, or a training step (forward, backward, plain SGD). PyTorch runs eagerly in its default
layout, compiled by torch.compile, and with memory_format=channels_last. The last two columns are hybridlua's time
over the best of MXNet and PyTorch in its default layout, and over PyTorch at its best."""
import turns

# name: (network, batch, training?, highest ratio that issue 13 asks for to the peers)
WORKS = {
    "LeNet, batch 64, training step": ("lenet", 64, True, 0.4),
    "CIFAR-ResNet-20, batch 32, training step": ("resnet20", 32, True, 0.75),
    "ResNet-18, batch 1, prediction": ("resnet18", 1, False, 0.6),
    "ResNet-18, batch 8, prediction": ("resnet18", 8, False, 0.9),
    "ResNet-18, batch 8, training step": ("resnet18", 8, True, 0.75),
    "MobileNet 1.0, batch 1, prediction": ("mobilenet1.0", 1, False, 0.6),
    "MobileNet 0.25, batch 1, prediction": ("mobilenet0.25", 1, False, 0.4),
}
SHAPES = {"lenet": (1, 28, 28), "resnet20": (3, 32, 32)}       # of an image; the others' are (3, 224, 224)

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

    def stages(channels, blocks, first):
        layers, a = [], first
        for i, b in enumerate(channels):
            for k in range(blocks):
                layers.append(Residual(a, b, 2 if i > 0 and k == 0 else 1))
                a = b
        return layers + [nn.AdaptiveAvgPool2d(1), nn.Flatten()]

    if name == "lenet":
        return nn.Sequential(nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
                             nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10))
    if name == "resnet20":
        return nn.Sequential(conv(3, 16, 3), norm(16), nn.ReLU(), *stages([16, 32, 64], 3, 16), nn.Linear(64, 10))
    if name == "resnet18":
        return nn.Sequential(conv(3, 64, 7, 2), norm(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1), *stages([64, 128, 256, 512], 2, 64),
                             nn.Linear(512, 1000))
    width = float(name[len("mobilenet"):])
    layers, a = [conv(3, int(32 * width), 3, 2), norm(int(32 * width)), nn.ReLU()], int(32 * width)
    for b, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + 5 * [(512, 1)] + [(1024, 2), (1024, 1)]:
        b = int(b * width)
        layers += [conv(a, a, 3, stride, a), norm(a), nn.ReLU(), conv(a, b, 1), norm(b), nn.ReLU()]
        a = b
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(a, 1000))


def torch_work(name, way):
    import torch
    kind, batch, trains, _ = WORKS[name]
    net, x = torch_network(kind).train(trains), torch.randn(batch, *SHAPES.get(kind, (3, 224, 224)))
    y = torch.arange(batch) % 10
    if way == "channels_last":
        net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    model = torch.compile(net) if way == "compiled" else net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def predict():
        with torch.no_grad():
            return model(x)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step if trains else predict


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
    return vision.get_model("resnet18_v1" if name == "resnet18" else name)


def mxnet_work(name, _):
    from mxnet import autograd, gluon, init, nd
    kind, batch, trains, _ = WORKS[name]
    net, loss = mxnet_network(kind), gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize(init.Xavier())
    net.hybridize(static_alloc=True, static_shape=True)
    loss.hybridize(static_alloc=True, static_shape=True)
    x, y = nd.random.normal(shape=(batch,) + SHAPES.get(kind, (3, 224, 224))), nd.arange(batch) % 10
    net(x).wait_to_read()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step():
        with autograd.record():
            each = loss(net(x), y)
        each.backward()
        trainer.step(batch)
        nd.waitall()

    return step if trains else lambda: net(x).wait_to_read()


if __name__ == "__main__":
    turns.main(__file__, __doc__, {name: work[3] for name, work in WORKS.items()},
               {"torch": torch_work, "mxnet": mxnet_work}, "channels_last")
