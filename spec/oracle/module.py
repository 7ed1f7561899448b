"""Writes spec/oracle/module: what MXNet 1.9.1's modules compute. Run in spec/oracle: python module.py

net-symbol.json, net-0000.params   a small network and its first parameters, as save_checkpoint writes them
net-0003.params                    the same after three epochs of Module.fit
data.params                        x and y, and p: what the trained network predicts; seq_*, buckets_*: parameters of a
                                   SequentialModule and a BucketingModule before (first_) and after (last_) fit;
                                   two_*: parameters, outputs, gradients of the data and the metric of a Module in two
                                   contexts after a pass
"""
import mxnet as mx
import numpy as np

rng = np.random.RandomState(3)
FOLDER = "module/"


def network():
    x = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=2, name="conv")
    x = mx.sym.BatchNorm(x, fix_gamma=False, name="bn")
    x = mx.sym.Activation(x, act_type="relu", name="relu")
    weight = mx.sym.var("fc_weight", lr_mult=0.5, wd_mult=2)
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flatten"), weight=weight, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def keep(into, prefix, params):
    for name, value in params.items():
        into[prefix + name] = value.copy()


x = mx.nd.array(rng.randn(22, 1, 5, 5))
y = mx.nd.array(rng.randint(0, 3, (22,)))
data = {"x": x, "y": y}

mod = mx.mod.Module(network())
it = mx.io.NDArrayIter(x, y, 4, last_batch_handle="roll_over")
mod.bind(it.provide_data, it.provide_label)
mx.random.seed(1)
mod.init_params(mx.init.Xavier())
mod.save_checkpoint(FOLDER + "net", 0)
mod.fit(it, num_epoch=3, optimizer="sgd", optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01})
mod.save_checkpoint(FOLDER + "net", 3)
data["p"] = mod.predict(mx.io.NDArrayIter(x, y, 4))

first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="a")
last = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("d2"), num_hidden=3, name="b"), name="softmax")
seq = mx.mod.SequentialModule()
seq.add(mx.mod.Module(first, label_names=None))
seq.add(mx.mod.Module(last, data_names=["d2"]), take_labels=True, auto_wiring=True)
it = mx.io.NDArrayIter(x, y, 4)
seq.bind(it.provide_data, it.provide_label)
seq.init_params(mx.init.Xavier())
keep(data, "seq_first_", seq.get_params()[0])
seq.fit(it, num_epoch=2, optimizer_params={"learning_rate": 0.1})
keep(data, "seq_last_", seq.get_params()[0])


def sentence_network(length):
    x = mx.sym.Embedding(mx.sym.var("data"), input_dim=7, output_dim=4, name="embedding")
    x = mx.sym.FullyConnected(mx.sym.sum(x, axis=1, name="sum"), num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(x, name="softmax"), ("data",), ("softmax_label",)


batches = []
for i, length in enumerate([5, 3, 5, 4, 3]):
    words, kinds = mx.nd.array(rng.randint(0, 7, (4, length))), mx.nd.array(rng.randint(0, 3, (4,)))
    data["words%d" % i], data["kinds%d" % i] = words, kinds
    batches.append(mx.io.DataBatch([words], [kinds], pad=0, bucket_key=length, provide_data=[("data", (4, length))],
                                   provide_label=[("softmax_label", (4,))]))
buckets = mx.mod.BucketingModule(sentence_network, default_bucket_key=5)
buckets.bind([("data", (4, 5))], [("softmax_label", (4,))])
buckets.init_params(mx.init.Xavier())
buckets.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.05})
keep(data, "buckets_first_", buckets.get_params()[0])
for epoch in range(3):
    for batch in batches:
        buckets.forward_backward(batch)
        buckets.update()
keep(data, "buckets_last_", buckets.get_params()[0])

_, args, aux = mx.model.load_checkpoint(FOLDER + "net", 0)
two = mx.mod.Module(network(), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1, 3])
it = mx.io.NDArrayIter(x, y, 11)
two.bind(it.provide_data, it.provide_label, inputs_need_grad=True)
two.init_params(arg_params=args, aux_params=aux)
two.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01})
metric = mx.metric.create("ce")
for batch in it:
    two.forward(batch)
    two.update_metric(metric, batch.label)
    two.backward()
    two.update()
for params in two.get_params():
    keep(data, "two_", params)
data["two_outputs"], data["two_input_grads"] = two.get_outputs()[0], two.get_input_grads()[0]
data["two_metric"] = mx.nd.array([metric.get()[1]])
mx.nd.save(FOLDER + "data.params", data)
