"""Writes spec/oracle/zoo.lua: what the models of MXNet's zoo are made of, as digests.

    python3.11 -m venv /tmp/mxnet && /tmp/mxnet/bin/pip install mxnet==1.9.1 numpy==1.23.5
    /tmp/mxnet/bin/python spec/oracle/zoo.py > spec/oracle/zoo.lua

Of each model, with 10 classes and prefix "net_", for a batch of two images: the number of elements of its parameters,
and FNV-1a digests (64 bits) of lists of lines:
  structural  "features.0.weight:(64, 3, 7, 7)", as save_parameters names them, sorted
  full        "net_conv0_weight:(64, 3, 7, 7)", in the order of collect_params
  graph       "op attributes inputs" of each node of the graph, or "null name"
"""
import json

import mxnet as mx
from mxnet.gluon.model_zoo import vision

NAMES = ['alexnet', 'inceptionv3']
NAMES += ['vgg%d%s' % (n, bn) for n in (11, 13, 16, 19) for bn in ('', '_bn')]
NAMES += ['resnet%d_v%d' % (n, v) for v in (1, 2) for n in (18, 34, 50, 101, 152)]
NAMES += ['squeezenet1.0', 'squeezenet1.1'] + ['densenet%d' % n for n in (121, 161, 169, 201)]
NAMES += [kind + width for kind in ('mobilenet', 'mobilenetv2_') for width in ('1.0', '0.75', '0.5', '0.25')]


def digest(lines):
    h = 0xcbf29ce484222325
    for byte in '\n'.join(lines).encode():
        h = ((h ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return '%016x' % h


def node_line(node):
    if node['op'] == 'null':
        return 'null ' + node['name']
    attrs = ' '.join('%s=%s' % item for item in sorted(node.get('attrs', {}).items()))
    return '%s %s %s' % (node['op'], attrs, ' '.join(str(i[0]) for i in node['inputs']))


print('-- zoo.lua - made by spec/oracle/zoo.py with MXNet %s, which says what these are.' % mx.__version__)
print('return {')
for name in NAMES:
    net = vision.get_model(name, prefix='net_', classes=10)
    size = 299 if name == 'inceptionv3' else 224
    graph = net(mx.sym.var('data'))
    args, _, states = graph.infer_shape(data=(2, 3, size, size))
    shape = dict(zip(graph.list_arguments(), args))
    shape.update(zip(graph.list_auxiliary_states(), states))
    full = net.collect_params().keys()
    elements = 0
    for key in full:
        n = 1
        for d in shape[key]:
            n *= d
        elements += n
    structural = net._collect_params_with_prefix()
    print('  ["%s"] = { elements = %d, structural = "%s",' % (name, elements, digest(
        sorted('%s:%s' % (key, shape[p.name]) for key, p in structural.items()))))
    print('    full = "%s", graph = "%s" },' % (
        digest(['%s:%s' % (key, shape[key]) for key in full]),
        digest([node_line(node) for node in json.loads(graph.tojson())['nodes']])))
print('}')
