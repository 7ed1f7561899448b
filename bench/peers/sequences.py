"""Recurrent networks in hybridlua, MXNet and PyTorch, side by side (turns.py). The Python that runs this file must have
torch (bench/peers/setup.sh makes DIR/torch); --mxnet PYTHON adds MXNet's.

usage: sequences.py [--program ./hybridlua] [--mxnet PYTHON] [--threads N] [--core N] [--rounds N] [PATTERN]...

A work is one call: a prediction, or a training step (forward, backward, plain SGD). PyTorch runs eagerly and compiled by
torch.compile. The column "to peers" is hybridlua's time over the best of MXNet and PyTorch."""
import turns

STEPS, BATCH, VOCABULARY, WIDTH = 35, 32, 500, 256

# name: highest ratio that issue 14 asks for to the peers
WORKS = {
    "LSTM language model 2x256, 35x32, training": 0.7,
    "GRU 1x128, batch 1, 100 steps, forward": 0.5,
}

# ---- PyTorch ------------------------------------------------------------------------------------


def torch_work(name, way):
    import torch
    from torch import nn
    if name.startswith("GRU"):
        net, x = nn.GRU(128, 128), torch.randn(100, 1, 128)
        model = torch.compile(net) if way == "compiled" else net

        def forward():
            with torch.no_grad():
                return model(x)
        return forward

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = nn.Embedding(VOCABULARY, WIDTH), nn.LSTM(WIDTH, WIDTH, 2)
            self.decoder = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, x):
            return self.decoder(self.lstm(self.embedding(x))[0])

    net = Model()
    model = torch.compile(net) if way == "compiled" else net
    x, y = (torch.randint(0, VOCABULARY, (STEPS, BATCH)) for _ in range(2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x).reshape(-1, VOCABULARY), y.reshape(-1)).backward()
        optimizer.step()

    return step


# ---- MXNet --------------------------------------------------------------------------------------


def mxnet_work(name, _):
    from mxnet import autograd, gluon, init, nd
    if name.startswith("GRU"):
        net, x = gluon.rnn.GRU(128, 1, input_size=128), nd.random.normal(shape=(100, 1, 128))
        net.initialize(init.Xavier())
        net.hybridize(static_alloc=True, static_shape=True)
        return lambda: net(x).wait_to_read()
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Embedding(VOCABULARY, WIDTH), gluon.rnn.LSTM(WIDTH, 2), gluon.nn.Dense(VOCABULARY, flatten=False))
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    net.initialize(init.Xavier())
    net.hybridize(static_alloc=True, static_shape=True)
    loss.hybridize(static_alloc=True, static_shape=True)
    x, y = (nd.random.randint(0, VOCABULARY, shape=(STEPS, BATCH)).astype("float32") for _ in range(2))
    net(x).wait_to_read()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})

    def step():
        with autograd.record():
            each = loss(net(x), y)
        each.backward()
        trainer.step(STEPS * BATCH)
        nd.waitall()

    return step


turns.main(__file__, __doc__, WORKS, {"torch": torch_work, "mxnet": mxnet_work}, None)
