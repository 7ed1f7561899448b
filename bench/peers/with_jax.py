"""The works of compare.py in JAX, compiled by jax.jit; each call waits for its result."""
import jax
import jax.numpy as np

VERSION = jax.__version__
KEY = jax.random.PRNGKey(0)


def parameters(*sizes):
    return [(jax.random.normal(KEY, (n, m)) * 0.05, np.zeros(n)) for m, n in zip(sizes, sizes[1:])]


def network(weights, x):
    for i, (w, b) in enumerate(weights):
        x = x @ w.T + b
        x = np.maximum(x, 0) if i < len(weights) - 1 else x
    return x


def loss(weights, x, y):
    return -np.mean(np.take_along_axis(jax.nn.log_softmax(network(weights, x)), y[:, None], 1))


def update(weights, x, y):
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, jax.grad(loss)(weights, x, y))


def forward(compiled):
    function = jax.jit(network) if compiled else network
    weights, x = parameters(512, 256, 128, 2), jax.random.normal(KEY, (1, 512))
    return lambda: function(weights, x).block_until_ready()


def step(compiled):
    function = jax.jit(update, donate_argnums=0) if compiled else update
    x, y = jax.random.normal(KEY, (64, 784)), np.arange(64) % 10
    state = [parameters(784, 256, 128, 10)]

    def run():
        state[0] = jax.block_until_ready(function(state[0], x, y))

    return run


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
