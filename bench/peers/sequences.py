#!/usr/bin/env python3
"""Recurrent networks in hybridlua, MXNet, PyTorch and JAX, side by side (turns.py); setup.sh makes the peers' environments.

usage: sequences.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--threads N] [--core N]
                    [--rounds N] [--update FILE] [PATTERN]...

A work is one call: a prediction, or a training step (forward, backward, plain SGD). PyTorch runs eagerly and compiled by
torch.compile; JAX's layers are lax.scan over the steps, unrolled as far as it makes them faster. The column "to peers" is
hybridlua's time over that of the fastest of them; in brackets the goal for this ratio."""
import steps
import turns

STEPS, BATCH, VOCABULARY, WIDTH = 35, 32, 500, 256
GRU_STEPS, GRU_WIDTH = 100, 128

# name: goal for hybridlua's time over that of the fastest peer
WORKS = {
    "LSTM language model 2x256, 35x32, training": 0.7,
    "GRU 1x128, batch 1, 100 steps, forward": 0.5,
}

# ---- PyTorch ------------------------------------------------------------------------------------


def torch_work(name, way):
    import torch
    from torch import nn
    if name.startswith("GRU"):
        net, x = nn.GRU(GRU_WIDTH, GRU_WIDTH), torch.randn(GRU_STEPS, 1, GRU_WIDTH)
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

    x, y = (torch.randint(0, VOCABULARY, (STEPS, BATCH)) for _ in range(2))
    return steps.torch_step(Model(), x, y, way == "compiled")


# ---- MXNet --------------------------------------------------------------------------------------


def mxnet_work(name, _):
    from mxnet import gluon, nd
    if name.startswith("GRU"):
        x = nd.random.normal(shape=(GRU_STEPS, 1, GRU_WIDTH))
        net = steps.mxnet_ready(gluon.rnn.GRU(GRU_WIDTH, 1, input_size=GRU_WIDTH))
        return lambda: net(x).wait_to_read()
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Embedding(VOCABULARY, WIDTH), gluon.rnn.LSTM(WIDTH, 2), gluon.nn.Dense(VOCABULARY, flatten=False))
    x, y = (nd.random.randint(0, VOCABULARY, shape=(STEPS, BATCH)).astype("float32") for _ in range(2))
    return steps.mxnet_step(net, y, x)


# ---- JAX ----------------------------------------------------------------------------------------


def jax_lstm(weights, x):
    import jax
    import jax.numpy as jnp
    of_input, of_state, bias = weights

    def step(state, gates):
        h, c = state
        i, f, g, o = jnp.split(gates + h @ of_state, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros((BATCH, WIDTH))
    return jax.lax.scan(step, (zeros, zeros), x @ of_input + bias, unroll=5)[1]


def jax_gru(weights, x):
    import jax
    import jax.numpy as jnp
    of_input, of_state, bias, bias_of_state = weights

    def step(h, gates):
        r, z, n = jnp.split(gates, 3, -1)
        at_r, at_z, at_n = jnp.split(h @ of_state + bias_of_state, 3, -1)
        z = jax.nn.sigmoid(z + at_z)
        h = (1 - z) * jnp.tanh(n + jax.nn.sigmoid(r + at_r) * at_n) + z * h
        return h, h

    return jax.lax.scan(step, jnp.zeros((1, GRU_WIDTH)), x @ of_input + bias, unroll=20)[1]


def jax_work(name, _):
    import jax
    random = steps.jax_random()
    if name.startswith("GRU"):
        n = GRU_WIDTH
        weights, x = [random(n, 3 * n), random(n, 3 * n), random(3 * n), random(3 * n)], random(GRU_STEPS, 1, n)
        function = jax.jit(jax_gru)
        return lambda: function(weights, x).block_until_ready()

    def network(weights, statistics, x):
        embedding, first, second, (decoder, bias) = weights
        return jax_lstm(second, jax_lstm(first, embedding[x])) @ decoder + bias, statistics

    layers = [[random(WIDTH, 4 * WIDTH), random(WIDTH, 4 * WIDTH), random(4 * WIDTH)] for _ in range(2)]
    weights = [random(VOCABULARY, WIDTH), *layers, [random(WIDTH, VOCABULARY), random(VOCABULARY)]]
    x, y = (jax.random.randint(jax.random.PRNGKey(i), (STEPS, BATCH), 0, VOCABULARY) for i in range(2))
    return steps.jax_step(network, weights, x, y)


turns.main(__file__, __doc__, WORKS, {"torch": torch_work, "mxnet": mxnet_work, "jax": jax_work})
