"""Writes spec/oracle/transforms.params: what the transforms of MXNet 1.9.1's gluon.data.vision make of pictures.

    python3.11 -m venv /tmp/mxnet && /tmp/mxnet/bin/pip install mxnet==1.9.1 numpy==1.23.5
    /tmp/mxnet/bin/python spec/oracle/transforms.py spec/oracle/transforms.params

Names: "picture" (9, 14, 3), "tensor" (3, 6, 8) and "batch" (2, 3, 5, 5); "CenterCrop WIDTH HEIGHT", "Resize" to 6 with
keep_ratio, "CropResize" (2, 1, 7, 5, (4, 6), 1); "Rotate ANGLE INPUT ZOOM" with zoom plain, zoom_in or zoom_out.
"""
import sys

import mxnet as mx
import numpy as np
from mxnet.gluon.data.vision import transforms

np.random.seed(5)
arrays = {'tensor': mx.nd.array(np.random.rand(3, 6, 8)), 'batch': mx.nd.array(np.random.rand(2, 3, 5, 5)),
          'picture': mx.nd.array(np.random.randint(0, 256, (9, 14, 3)), dtype='uint8')}
picture = arrays['picture']
for angle in (30, -75, 160):
    for source in ('tensor', 'batch'):
        for zoom in ('plain', 'zoom_in', 'zoom_out'):
            options = {} if zoom == 'plain' else {zoom: True}
            arrays['Rotate %d %s %s' % (angle, source, zoom)] = transforms.Rotate(angle, **options)(arrays[source])
for size in ((5, 4), (20, 6), (9, 9), (20, 17)):
    arrays['CenterCrop %d %d' % size] = transforms.CenterCrop(size)(picture)
arrays['Resize'] = transforms.Resize(6, keep_ratio=True)(picture)
arrays['CropResize'] = transforms.CropResize(2, 1, 7, 5, (4, 6), 1)(picture)
mx.nd.save(sys.argv[1], arrays)
