"""Writes spec/oracle/image.params: what MXNet 1.9.1's nd.image makes of a picture.

    python3.11 -m venv /tmp/mxnet && /tmp/mxnet/bin/pip install mxnet==1.9.1 numpy==1.23.5
    /tmp/mxnet/bin/python spec/oracle/image.py spec/oracle/image.params

Names: "uint8" and "float32" are the picture (8, 10, 3); "DTYPE resize INTERP WIDTH HEIGHT"; "DTYPE random_KIND FACTOR",
by that factor alone; "DTYPE adjust_lighting" by (0.1, -0.2, 0.3). random_saturation is not there: MXNet's takes a tenth
of blue for gray.
"""
import sys

import mxnet as mx
import numpy as np

np.random.seed(2)
pixels = np.random.randint(0, 256, (8, 10, 3))
image, arrays = mx.nd.image, {}
for dtype in ('uint8', 'float32'):
    x = arrays[dtype] = mx.nd.array(pixels, dtype=dtype)
    for interp in range(4):
        for size in ((5, 4), (10, 8), (13, 11), (20, 16), (3, 5), (7, 12)):
            arrays['%s resize %d %d %d' % ((dtype, interp) + size)] = image.resize(x, size, False, interp)
    for factor in (0, 0.3, 0.7, 1.0, 1.5):
        for kind in ('random_brightness', 'random_contrast', 'random_hue'):
            arrays['%s %s %g' % (dtype, kind, factor)] = getattr(image, kind)(x, factor, factor)
    arrays[dtype + ' adjust_lighting'] = image.adjust_lighting(x, (0.1, -0.2, 0.3))
mx.nd.save(sys.argv[1], arrays)
