"""Writes spec/oracle/records: files of records by MXNet 1.9.1.

    python3.11 -m venv /tmp/mxnet && /tmp/mxnet/bin/pip install mxnet==1.9.1 numpy==1.23.5
    /tmp/mxnet/bin/python spec/oracle/records.py spec/oracle/records

records.rec has the strings of `data` below under the keys 0, 2, 4 ...; pictures.rec three files of spec/oracle/pictures.
"""
import os
import struct
import sys

import mxnet as mx

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def writer(name):
    return mx.recordio.MXIndexedRecordIO('%s/%s.idx' % (folder, name), '%s/%s.rec' % (folder, name), 'w')


magic = struct.pack('<I', 0xced7230a)
data = [b'', b'a', b'abcd', b'hello world', magic, b'1234' + magic + b'5678', magic * 3 + b'xy', b'12' + magic + b'34',
        b'abcd' + magic]
records = writer('records')
for i, record in enumerate(data):
    records.write_idx(i * 2, record)
records.close()
pictures = writer('pictures')
for i, name in enumerate(['colour.png', 'gray.jpg', 'colour.jpg']):
    label = 3.5 if i == 0 else [1, 2.25, i]
    with open('spec/oracle/pictures/' + name, 'rb') as file:
        pictures.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, label, 100 + i, 7), file.read()))
pictures.close()
