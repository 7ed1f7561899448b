#!/usr/bin/env python3
"""Attention and small transformers in hybridlua, MXNet, PyTorch and JAX, side by side (turns.py); setup.sh makes the peers'
environments.

usage: attention.py [--program ./hybridlua] [--environments DIR] [--python NAME=PATH]... [--threads N] [--core N]
                    [--rounds N] [--update FILE] [PATTERN]...

A work is one call. PyTorch runs eagerly and compiled by torch.compile; its attention is scaled_dot_product_attention. MXNet's
is two batch_dot around a softmax, and in transformers interleaved_matmul_selfatt; what a token may see is the softmax's length,
which is faster there than a mask. JAX's is written out, which is faster than jax.nn.dot_product_attention on this side.
Generating, compiled PyTorch and JAX have a compiled step with caches of one length that it writes in place. MXNet has no such
work: nothing in its graphs writes into a part of an array, so a cache would be copied whole, or grow and have the graph planned
anew, at each token."""
import steps
import turns

VOCABULARY, TOKENS, BATCH = 500, 64, 16
SEEN, HEADS, WIDTH = 1024, 8, 64                           # of attention alone

# name: goal for hybridlua's time over that of the fastest peer
WORKS = {
    "attention 8x64, 1024 tokens, with gradient": 0.9,
    "the same, causal": 0.9,
    "transformer 4x256, 64 tokens x 16, training": 0.8,
    "GPT 3x96, batch 1, generating 256 tokens": 0.3,
}


def is_attention(name):
    return "attention" in name or "same" in name


# ---- PyTorch ------------------------------------------------------------------------------------


def torch_attention(causal, compiled):
    import torch
    q, k, v, g = (torch.randn(1, HEADS, SEEN, WIDTH) for _ in range(4))
    for x in (q, k, v):
        x.requires_grad_()

    def run(q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

    run = torch.compile(run) if compiled else run

    def step():
        q.grad = k.grad = v.grad = None
        run(q, k, v).backward(g)

    return step


def torch_gpt(layers, units, heads):
    import torch
    from torch import nn
    from torch.nn import functional as F

    class Cell(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm_1, self.norm_2 = nn.LayerNorm(units), nn.LayerNorm(units)
            self.qkv, self.proj = nn.Linear(units, 3 * units), nn.Linear(units, units)
            self.up, self.down = nn.Linear(units, 4 * units), nn.Linear(4 * units, units)

        def forward(self, x, cache=None, at=None, seen=None):
            batch, tokens, _ = x.shape
            split = self.qkv(self.norm_1(x)).view(batch, tokens, 3, heads, units // heads).permute(2, 0, 3, 1, 4)
            q, k, v = split.unbind(0)
            if cache is not None:
                cache[0][:, :, at], cache[1][:, :, at] = k, v
                k, v = cache if seen is not None else cache[:, :, :, :at.stop]
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=seen, is_causal=cache is None)
            x = x + self.proj(y.transpose(1, 2).reshape(batch, tokens, units))
            return x + self.down(F.gelu(self.up(self.norm_2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.cells = nn.Embedding(VOCABULARY, units), nn.ModuleList(Cell() for _ in range(layers))
            self.norm, self.out = nn.LayerNorm(units), nn.Linear(units, VOCABULARY)

        def forward(self, words, caches=None, at=None, seen=None):
            x = self.embed(words)
            for i, cell in enumerate(self.cells):
                x = cell(x, caches[i], at, seen) if caches is not None else cell(x)
            return self.out(self.norm(x))

    return Model()


def torch_generating(compiled):
    """Eagerly with the part of the caches that is filled; compiled with all of it and a mask, so that nothing grows, and called
    from C++, which halves the time of so small a step."""
    import torch
    net, length = torch_gpt(3, 96, 4), 256

    def step(word, caches, at):
        return net(word, caches, at, (torch.arange(length) <= at)[None] if compiled else None).argmax(2)

    step = torch.compile(step, options={"cpp_wrapper": True}) if compiled else step

    def generate():
        with torch.inference_mode():
            caches = [torch.zeros(2, 1, 4, length, 24) for _ in range(3)]
            word = torch.zeros(1, 1, dtype=torch.long)
            for t in range(length):
                word = step(word, caches, torch.tensor([t]) if compiled else slice(t, t + 1))
                word.item()

    return generate


def torch_work(name, way):
    import torch
    if is_attention(name):
        return torch_attention("causal" in name, way == "compiled")
    if name.startswith("GPT"):
        return torch_generating(way == "compiled")
    x, y = (torch.randint(0, VOCABULARY, (BATCH, TOKENS)) for _ in range(2))
    return steps.torch_step(torch_gpt(4, 256, 4), x, y, way == "compiled")


# ---- MXNet --------------------------------------------------------------------------------------


def mxnet_lengths(rows, tokens):
    """How many keys a token of each row sees."""
    from mxnet import nd
    return nd.tile(nd.arange(1, tokens + 1, dtype="int32").reshape((1, -1)), (rows, 1))


def mxnet_attention(causal):
    from mxnet import autograd, gluon, nd

    class Attention(gluon.HybridBlock):
        def hybrid_forward(self, F, q, k, v, length=None):
            scores = F.batch_dot(q * WIDTH ** -0.5, k, transpose_b=True)
            return F.batch_dot(F.softmax(scores, length, use_length=True) if causal else F.softmax(scores), v)

    net = Attention()
    net.hybridize(static_alloc=True, static_shape=True)
    q, k, v, g = (nd.random.normal(shape=(HEADS, SEEN, WIDTH)) for _ in range(4))
    for x in (q, k, v):
        x.attach_grad()
    inputs = [q, k, v] + ([mxnet_lengths(HEADS, SEEN)] if causal else [])

    def step():
        with autograd.record():
            y = net(*inputs)
        y.backward(g)
        nd.waitall()

    return step


def mxnet_gpt(layers, units, heads):
    """Tokens come first, as interleaved_matmul_selfatt has them."""
    from mxnet import gluon
    from mxnet.gluon import nn

    def dense(size):
        return nn.Dense(size, flatten=False)

    class Cell(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.norm_1, self.norm_2 = nn.LayerNorm(), nn.LayerNorm()
                self.qkv, self.proj, self.up, self.down = dense(3 * units), dense(units), dense(4 * units), dense(units)

        def hybrid_forward(self, F, x, length):
            qkv = self.qkv(self.norm_1(x))
            scores = F.softmax(F.contrib.interleaved_matmul_selfatt_qk(qkv, heads=heads), length, use_length=True)
            x = x + self.proj(F.contrib.interleaved_matmul_selfatt_valatt(qkv, scores, heads=heads))
            return x + self.down(F.LeakyReLU(self.up(self.norm_2(x)), act_type="gelu"))

    class Model(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.embed, self.norm, self.out = nn.Embedding(VOCABULARY, units), nn.LayerNorm(), dense(VOCABULARY)
                self.cells = [Cell() for _ in range(layers)]
                for cell in self.cells:
                    self.register_child(cell)

        def hybrid_forward(self, F, words, length):
            x = self.embed(words)
            for cell in self.cells:
                x = cell(x, length)
            return self.out(self.norm(x))

    return Model()


def mxnet_work(name, _):
    from mxnet import nd
    if is_attention(name):
        return mxnet_attention("causal" in name)
    if name.startswith("GPT"):
        return None
    x, y = (nd.random.randint(0, VOCABULARY, shape=(TOKENS, BATCH)).astype("float32") for _ in range(2))
    return steps.mxnet_step(mxnet_gpt(4, 256, 4), y, x, mxnet_lengths(BATCH * 4, TOKENS))


# ---- JAX ----------------------------------------------------------------------------------------


def jax_attend(q, k, v, seen=None):
    """seen: where a query may see a key."""
    import jax
    import jax.numpy as jnp
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores if seen is None else jnp.where(seen, scores, -1e30)), v)


def jax_causal(tokens):
    import jax.numpy as jnp
    return jnp.tril(jnp.ones((tokens, tokens), bool))


def jax_attention(causal):
    import jax
    random = steps.jax_random()
    q, k, v, g = (random(1, HEADS, SEEN, WIDTH) for _ in range(4))

    @jax.jit
    def function(q, k, v, g):
        y, backward = jax.vjp(lambda q, k, v: jax_attend(q, k, v, jax_causal(SEEN) if causal else None), q, k, v)
        return y, backward(g)

    return lambda: jax.block_until_ready(function(q, k, v, g))


def jax_gpt(layers, units):
    """The weights: an embedding, for each cell what is before attention, behind it and the feed-forward part, the scores."""
    import jax.numpy as jnp
    random = steps.jax_random()

    def norm():
        return [jnp.ones(units), jnp.zeros(units)]

    def dense(a, b):
        return [random(a, b), jnp.zeros(b)]

    cells = [[norm(), dense(units, 3 * units), dense(units, units), norm(), dense(units, 4 * units), dense(4 * units, units)]
             for _ in range(layers)]
    return [random(VOCABULARY, units), cells, norm(), dense(units, VOCABULARY)]


def jax_normed(weights, x):
    import jax.numpy as jnp
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * weights[0] + weights[1]


def jax_dense(weights, x):
    return x @ weights[0] + weights[1]


def jax_cell(weights, x, heads, attend):
    """attend(q, k, v) may look at more than the keys at hand."""
    import jax
    import jax.numpy as jnp
    norm_1, qkv, proj, norm_2, up, down = weights
    batch, tokens, units = x.shape
    split = jax_dense(qkv, jax_normed(norm_1, x)).reshape(batch, tokens, 3, heads, units // heads)
    y = attend(*jnp.moveaxis(split, 2, 0).swapaxes(2, 3))
    x = x + jax_dense(proj, y.swapaxes(1, 2).reshape(batch, tokens, units))
    return x + jax_dense(down, jax.nn.gelu(jax_dense(up, jax_normed(norm_2, x)), approximate=False))


def jax_network(weights, statistics, words):
    embedding, cells, norm, out = weights
    x, seen = embedding[words], jax_causal(TOKENS)
    for cell in cells:
        x = jax_cell(cell, x, 4, lambda q, k, v: jax_attend(q, k, v, seen))
    return jax_dense(out, jax_normed(norm, x)), statistics


def jax_generating():
    import functools
    import jax
    import jax.numpy as jnp

    @functools.partial(jax.jit, donate_argnums=1)
    def step(weights, caches, word, at):
        embedding, cells, norm, out = weights
        x, after, seen = embedding[word], [], jnp.arange(256) <= at

        def attend(cache, q, k, v):
            keys, values = (jax.lax.dynamic_update_slice(old, new, (0, 0, at, 0)) for old, new in zip(cache, (k, v)))
            after.append((keys, values))
            return jax_attend(q, keys, values, seen)

        for cell, cache in zip(cells, caches):
            x = jax_cell(cell, x, 4, functools.partial(attend, cache))
        return after, jax_dense(out, jax_normed(norm, x)).argmax(2)

    weights = jax_gpt(3, 96)

    def generate():
        caches = [(jnp.zeros((1, 4, 256, 24)), jnp.zeros((1, 4, 256, 24))) for _ in range(3)]
        word = jnp.zeros((1, 1), int)
        for t in range(256):
            caches, word = step(weights, caches, word, t)
            word.item()

    return generate


def jax_work(name, _):
    import jax
    if is_attention(name):
        return jax_attention("causal" in name)
    if name.startswith("GPT"):
        return jax_generating()
    x, y = (jax.random.randint(jax.random.PRNGKey(i), (BATCH, TOKENS), 0, VOCABULARY) for i in range(2))
    return steps.jax_step(jax_network, jax_gpt(4, 256), x, y)


turns.main(__file__, __doc__, WORKS, {"torch": torch_work, "mxnet": mxnet_work, "jax": jax_work})
