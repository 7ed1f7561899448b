# np_names.py - writes np_names.txt: the public names of mxnet.np, np.random, np.linalg, npx, npx.random (1.9.1) and of
# np.ndarray, each with the parameters of its signature (spec/np/names_spec.lua reads it).
# Run in the root: python spec/oracle/np_names.py
import inspect
import numpy as np
np.bool = bool; np.object = object; np.int = int; np.float = float; np.complex = complex
import mxnet as mx
from mxnet import np as mnp, npx

DTYPES = "bool bool_ float16 float32 float64 int8 int32 int64 uint8".split()
# Signatures that Python does not tell: NumPy's documentation of ufuncs and of functions in C, MXNet's of the rest.
TOLD = {"divmod": "x1 x2", "float_power": "x1 x2", "frexp": "x", "heaviside": "x1 x2", "modf": "x", "positive": "x",
    "signbit": "x", "spacing": "x", "lexsort": "keys axis", "min_scalar_type": "a", "packbits": "a axis bitorder",
    "unpackbits": "a axis count bitorder", "promote_types": "type1 type2", "result_type": "",
    "alltrue": "a axis keepdims out", "genfromtxt": "fname dtype comments delimiter"}

def parameters(name, value):
    if name in TOLD: return TOLD[name].split()
    try: signature = inspect.signature(value)
    except (TypeError, ValueError): return []
    return [p.name for p in signature.parameters.values()
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]

def what(name, value):
    if name in DTYPES: return "dtype"
    if isinstance(value, (float, type(None))): return "constant"
    if inspect.isclass(value) and name != "finfo": return "class"
    return "function"

lines = []
for path, module in (("np", mnp), ("np.random", mnp.random), ("np.linalg", mnp.linalg), ("npx", npx),
                     ("npx.random", npx.random)):
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or inspect.ismodule(value): continue
        lines.append(" ".join([path + "." + name, what(name, value)] + parameters(name, value)))
real = []
for name in dir(mnp.ndarray):                   # 66 of its attributes are there to raise AttributeError
    if name.startswith("_"): continue
    value = getattr(mnp.ndarray, name)
    if callable(value):
        try: source = inspect.getsource(value)
        except (TypeError, OSError): source = ""
        if "AttributeError" in source and len(source) < 900: continue
        lines.append(" ".join(["ndarray." + name, "method"] + [p for p in parameters("", value) if p != "self"]))
    else: lines.append("ndarray." + name + " property")
open("spec/oracle/np_names.txt", "w").write("\n".join(lines) + "\n")
print(len(lines))
