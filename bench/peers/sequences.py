"""Recurrent networks and transformers in hybridlua, MXNet and PyTorch, side by side (turns.py). The Python that runs this file must have
torch (bench/peers/setup.sh makes DIR/torch); --mxnet PYTHON adds MXNet's.

usage: sequences.py [--program ./hybridlua] [--mxnet PYTHON] [--threads N] [--core N] [--rounds N] [PATTERN]...

A work is one call: a prediction, or a training step (forward, backward, plain SGD). PyTorch runs eagerly and compiled by
torch.compile. The column "to peers" is hybridlua's time over the best of MXNet and PyTorch."""
import turns

STEPS, BATCH, VOCABULARY, WIDTH, HEADS, LAYERS = 35, 32, 500, 256, 4, 4

# name: highest ratio that issue 14 asks for to the peers
WORKS = {
    "LSTM language model 2x256, 35x32, training": 0.7,
    "GRU 1x128, batch 1, 100 steps, forward": 0.5,
    "transformer 4x256, 64 tokens, batch 16, training": 0.8,
    "attention, 8x64, 1024 tokens, with gradient": 0.9,
    "GPT 4x256, batch 1, 256 tokens generated": 0.3,
}

# ---- PyTorch ------------------------------------------------------------------------------------


def torch_gpt():
    """A decoder-only transformer: forward(tokens) of whole sequences; with a cache, of one token at a position."""
    import torch
    from torch import nn
    from torch.nn import functional as F

    class Layer(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

        def forward(self, x, cache=None, position=0):
            q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
            if cache is not None:
                cache[0][:, :, position:position + 1], cache[1][:, :, position:position + 1] = k, v
                k, v = cache[0][:, :, :position + 1], cache[1][:, :, :position + 1]
            y = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
            x = self.norm1(x + self.out(y.transpose(1, 2).flatten(2)))
            return self.norm2(x + self.down(F.relu(self.up(x))))

    class Model(nn.Module):
        def __init__(self, tokens):
            super().__init__()
            self.embedding, self.places = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(tokens, WIDTH)
            self.layers, self.decoder = nn.ModuleList(Layer() for _ in range(LAYERS)), nn.Linear(WIDTH, VOCABULARY)

        def forward(self, tokens, caches=None, position=0):
            x = self.embedding(tokens) + self.places(torch.arange(position, position + tokens.shape[1]))
            for i, layer in enumerate(self.layers):
                x = layer(x, caches and caches[i], position)
            return self.decoder(x)

    return Model


def torch_generate(way):
    import torch
    net = torch_gpt()(256).eval()
    model = torch.compile(net, dynamic=True) if way == "compiled" else net

    def generate():
        with torch.no_grad():
            caches = [[torch.zeros(1, HEADS, 256, WIDTH // HEADS) for _ in range(2)] for _ in range(LAYERS)]
            token = torch.zeros(1, 1, dtype=torch.long)
            for position in range(256):
                token = model(token, caches, position)[:, -1].argmax(-1, keepdim=True)
                token.item()
    return generate


def torch_attention(way):
    import torch
    attend = torch.nn.functional.scaled_dot_product_attention
    function = torch.compile(attend) if way == "compiled" else attend
    q, k, v, g = (torch.randn(1, 8, 1024, 64, requires_grad=i < 3) for i in range(4))

    def step():
        q.grad = k.grad = v.grad = None
        function(q, k, v).backward(g)
    return step


def torch_work(name, way):
    import torch
    from torch import nn
    if name.startswith("GPT"):
        return torch_generate(way)
    if name.startswith("attention"):
        return torch_attention(way)
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

    is_transformer = name.startswith("transformer")
    net = torch_gpt()(64) if is_transformer else Model()
    model = torch.compile(net) if way == "compiled" else net
    x, y = (torch.randint(0, VOCABULARY, (16, 64) if is_transformer else (STEPS, BATCH)) for _ in range(2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x).reshape(-1, VOCABULARY), y.reshape(-1)).backward()
        optimizer.step()

    return step


# ---- MXNet --------------------------------------------------------------------------------------


def mxnet_work(name, _):
    from mxnet import autograd, gluon, init, nd
    if not name.startswith(("LSTM", "GRU")):
        return None
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
