"""Training steps in each system's fastest usual way: forward, cross entropy, backward, plain SGD. Weights, data and labels
exist beforehand; each call waits for its result."""
RATE = 0.01


def torch_step(net, x, y, compiled=False):
    import torch
    model = torch.compile(net) if compiled else net
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE)

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x).flatten(0, -2), y.flatten()).backward()
        optimizer.step()

    return step


def mxnet_ready(net, compiled=True):
    """A network with its parameters, hybridized."""
    from mxnet import init
    net.initialize(init.Xavier())
    net.hybridize(compiled, static_alloc=True, static_shape=True)
    return net


def mxnet_step(net, y, *inputs, compiled=True):
    from mxnet import autograd, gluon, nd
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    loss.hybridize(compiled, static_alloc=True, static_shape=True)
    mxnet_ready(net, compiled)(*inputs).wait_to_read()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": RATE})

    def step():
        with autograd.record():
            each = loss(net(*inputs), y)
        each.backward()
        trainer.step(y.size)
        nd.waitall()

    return step


def jax_step(network, weights, x, y, statistics=(), compiled=True):
    """One function of weights, statistics and batch. network(weights, statistics, x) gives scores and new statistics."""
    import jax
    import jax.numpy as jnp

    def loss(weights, statistics, x, y):
        scores, statistics = network(weights, statistics, x)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores), y[..., None], -1)), statistics

    def update(weights, statistics, x, y):
        gradients, statistics = jax.grad(loss, has_aux=True)(weights, statistics, x, y)
        return jax.tree.map(lambda w, g: w - RATE * g, weights, gradients), statistics

    function, state = jax.jit(update, donate_argnums=(0, 1)) if compiled else update, [weights, statistics]

    def step():
        state[:] = jax.block_until_ready(function(*state, x, y))

    return step


def jax_random():
    """A function that gives random arrays of a shape, each time others."""
    import jax
    keys = iter(jax.random.split(jax.random.PRNGKey(0), 1000))
    return lambda *shape: 0.05 * jax.random.normal(next(keys), shape)
