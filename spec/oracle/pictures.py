"""Writes spec/oracle/pictures: small PNG and JPEG files, and in pictures.params what MXNet 1.9.1 reads in them.

    python3.11 -m venv /tmp/mxnet && /tmp/mxnet/bin/pip install mxnet==1.9.1 numpy==1.23.5 pillow==13.0.0
    /tmp/mxnet/bin/python spec/oracle/pictures.py spec/oracle/pictures

Names: "imread FILE FLAG" with flag 0 (gray) and 1; of colour.png "resize_short SIZE INTERP", "center_crop WIDTH HEIGHT
INTERP", "fixed_crop X Y WIDTH HEIGHT NEW_WIDTH NEW_HEIGHT INTERP", "imresize WIDTH HEIGHT INTERP"; "scale_down SOURCE_WIDTH
SOURCE_HEIGHT WIDTH HEIGHT".
"""
import os
import struct
import sys
import zlib

import mxnet as mx
import numpy as np
from PIL import Image

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
random = np.random.RandomState(3)
noise = random.randint(0, 256, (7, 11, 4)).astype('uint8')
smooth = (np.add.outer(np.arange(18) * 6, np.arange(25) * 5)[:, :, None] + np.array([0, 30, 60])).astype('uint8')


def save(picture, name, **options):
    picture.save(os.path.join(folder, name), **options)


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def save_interlaced(pixels, name):
    """The seven passes of Adam7, which Pillow does not write."""
    rows = b''
    for top, left, down, across in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
                                    (1, 0, 2, 1)):
        for row in pixels[top::down, left::across]:
            if len(row):
                rows += b'\0' + row.tobytes()
    height, width = pixels.shape[:2]
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 1)) +
                   chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


save_interlaced(noise[:, :, :3], 'interlaced.png')
save(Image.fromarray(noise[:, :, :3].copy()), 'colour.png')
save(Image.fromarray(noise), 'alpha.png')
save(Image.fromarray(noise[:, :, 0].copy()), 'gray.png')
save(Image.fromarray(noise[:, :, :2].copy(), 'LA'), 'gray_alpha.png')
save(Image.fromarray(noise[:, :, 0].copy()).point(lambda x: 255 * (x > 99)).convert('1'), 'bits.png')
save(Image.fromarray(noise[:, :, :3].copy()).quantize(9), 'palette.png', transparency=2)
save(Image.fromarray(random.randint(0, 65536, (7, 11)).astype('uint16')), 'deep.png')
turned = Image.Exif()
turned[0x112] = 6
save(Image.fromarray(smooth), 'colour.jpg', quality=90, exif=turned)
save(Image.fromarray(smooth), 'progressive.jpg', quality=80, progressive=True)
save(Image.fromarray(smooth), 'full.jpg', quality=95, subsampling=0, comment='a comment')
save(Image.fromarray(smooth[:, :, 0].copy()), 'gray.jpg', quality=90)
save(Image.fromarray(np.repeat(np.repeat(noise, 4, 0), 4, 1), 'CMYK'), 'ink.jpg', quality=90)

arrays = {}
for name in sorted(os.listdir(folder)):
    if name.endswith(('.png', '.jpg')):
        for flag in (0, 1):
            arrays['imread %s %d' % (name, flag)] = mx.image.imread(os.path.join(folder, name), flag=flag)
picture = mx.image.imread(os.path.join(folder, 'colour.png'))
for size, interp in ((5, 2), (13, 9), (4, 9), (9, 1)):
    arrays['resize_short %d %d' % (size, interp)] = mx.image.resize_short(picture, size, interp)
for width, height, interp in ((4, 5, 2), (20, 9, 9), (9, 20, 1), (11, 7, 2)):
    arrays['center_crop %d %d %d' % (width, height, interp)] = mx.image.center_crop(picture, (width, height), interp)[0]
for crop in ((2, 1, 7, 5, 4, 6, 2), (0, 0, 11, 7, 5, 3, 9), (3, 2, 4, 4, 4, 4, 0)):
    arrays['fixed_crop %d %d %d %d %d %d %d' % crop] = mx.image.fixed_crop(picture, *crop[:4], crop[4:6], crop[6])
for width, height, interp in ((5, 3, 0), (17, 9, 1), (6, 4, 3)):
    arrays['imresize %d %d %d' % (width, height, interp)] = mx.image.imresize(picture, width, height, interp)
for sizes in ((640, 480, 720, 120), (360, 1000, 480, 500), (10, 10, 7, 3), (3, 7, 100, 99)):
    arrays['scale_down %d %d %d %d' % sizes] = mx.nd.array(mx.image.scale_down(sizes[:2], sizes[2:]))
mx.nd.save(os.path.join(folder, 'pictures.params'), arrays)
