"""The works of compare.py in JAX, compiled by jax.jit; each call waits for its result."""
import jax
import jax.numpy as np

import steps

VERSION = jax.__version__
KEY = jax.random.PRNGKey(0)


def parameters(*sizes):
    return [(jax.random.normal(KEY, (n, m)) * 0.05, np.zeros(n)) for m, n in zip(sizes, sizes[1:])]


def network(weights, x):
    for i, (w, b) in enumerate(weights):
        x = x @ w.T + b
        x = np.maximum(x, 0) if i < len(weights) - 1 else x
    return x


def forward(compiled):
    function = jax.jit(network) if compiled else network
    weights, x = parameters(512, 256, 128, 2), jax.random.normal(KEY, (1, 512))
    return lambda: function(weights, x).block_until_ready()


def step(compiled):
    x, y = jax.random.normal(KEY, (64, 784)), np.arange(64) % 10
    weights = parameters(784, 256, 128, 10)
    return steps.jax_step(lambda weights, none, x: (network(weights, x), none), weights, x, y, compiled=compiled)


def chain(a, b):
    return np.tanh(a * b + a) * jax.nn.sigmoid(b) - np.maximum(a, 0)


def of_arrays(function, *shapes):
    def prepare():
        arrays = [jax.random.uniform(KEY, shape) for shape in shapes]
        return lambda: function(*arrays).block_until_ready()

    return prepare


WORKS = {
    "forward_eager": lambda: forward(False),
    "forward_compiled": lambda: forward(True),
    "step_eager": lambda: step(False),
    "step_compiled": lambda: step(True),
    "chain_eager": of_arrays(chain, (1000000,), (1000000,)),
    "chain_compiled": of_arrays(jax.jit(chain), (1000000,), (1000000,)),
    "add_small": of_arrays(lambda a, b: a + b, (4,), (4,)),
    "add_large": of_arrays(lambda a, b: a + b, (10000000,), (10000000,)),
    "sum_large": of_arrays(np.sum, (10000000,)),
    "softmax": of_arrays(jax.nn.softmax, (1000, 1000)),
    "product": of_arrays(np.dot, (1024, 1024), (1024, 1024)),
}
