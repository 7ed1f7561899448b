# numpy_cases.py - writes numpy_cases.txt: calls of functions of np and nd with random arguments, and what NumPy 2 and
# SciPy 1 give for them (spec/functions/as_numpy_spec.lua). Run in the root: python spec/oracle/numpy_cases.py
#
# A line is name|arguments|options|result|flags, as spec/support/call_cases.lua reads it, in float64. Numbers are odd
# multiples of 1/64, so float32 has them too, and differ within an array, so that finite differences meet no corner.
# @name is a function of the spec. Flags:
#   g         has gradients (g-01: except that of the arrays 0 and 1)
#   sym       of symmetric matrices
#   abs sort  up to signs, in any order
#   w         float64 only: float32's rounding errors exceed the tolerance
#   1e-6      the tolerance, if it is not float64's
import numpy as np
import scipy.integrate as si, scipy.linalg as sl, scipy.optimize as so, scipy.special as sp, scipy.stats as st

assert int(np.__version__.split('.')[0]) >= 2
rng = np.random.default_rng(34)

def between(low, high, shape):
    size = int(np.prod(shape))
    odd = np.arange(int(np.ceil(low * 32)), int(np.floor(high * 32)))
    return ((rng.choice(odd, size, replace=False) * 2 + 1) / 64).reshape(shape)

def f(*shape): return between(-2, 2, shape)
def p(*shape): return between(0.25, 2, shape)
def u(*shape): return between(-0.9, 0.9, shape)
def q(*shape): return between(0.1, 0.9, shape)
def w(*shape): return between(-20, 20, shape)
def i(low, high, *shape): return rng.integers(low, high, shape)
def spd(n): a = f(n, n); return a @ a.T + n * np.eye(n)
def regular(n): return f(n, n) + 3 * np.eye(n)
def with_real(n): a = f(n, n); return a + a.T            # real eigenvalues

NAN = np.nan
lines = []
NAMES = set()

def number(v, digits):
    if isinstance(v, (bool, np.bool_)): return 'T' if v else 'F'
    if isinstance(v, (int, np.integer)): return str(int(v))
    v = float(v)
    if v != v: return 'nan'
    if np.isinf(v): return 'inf' if v > 0 else '-inf'
    return '%.*g' % (digits, v)

LETTER = {'float64': 'd', 'int64': 'l', 'bool': 'b', 'int32': 'i', 'uint8': 'u'}

class Fn(str): pass

def text(x, digits=17):
    if isinstance(x, Fn): return '@' + x
    if isinstance(x, str): return '"' + x
    if x is None: return '~'
    if isinstance(x, (list, tuple)): return '[' + ' '.join(text(y, digits) for y in x) + ']'
    if isinstance(x, np.ndarray):
        return LETTER[str(x.dtype)] + 'x'.join(map(str, x.shape)) + ':' + ','.join(number(v, digits) for v in x.ravel())
    return '#' + number(x, digits)

def as_result(r):
    if isinstance(r, (list, tuple)): return [as_result(x) for x in r]
    r = np.asarray(r)
    return r.astype('int64') if r.dtype == np.int32 or r.dtype == np.uint64 else r

def resolve(name):
    at = np
    for part in name.split('.')[1:]: at = getattr(at, part)
    return at

# One case: fn is the reference, NumPy's function of that name if it is None; fn_options are its options where ours differ.
def case(name, *args, fn=None, options=None, fn_options=None, flags=''):
    fn = fn or resolve(name)
    options = options or {}
    result = fn(*[ [np.asarray(y) if isinstance(y, np.ndarray) else y for y in a] if isinstance(a, list) else a for a in args],
                **(options if fn_options is None else fn_options))
    NAMES.add(name)
    lines.append('|'.join([name, ' '.join(text(a) for a in args), ' '.join(k + '=' + text(v) for k, v in options.items()),
                           text(as_result(result), 13), flags]))

G = 'g'
SHAPES = ((), (5,), (2, 3))

# ---- Element by element
for n in 'abs negative square sin cos tan arctan sinh cosh tanh arcsinh exp expm1 cbrt degrees radians'.split():
    for s in SHAPES: case('np.' + n, f(*s), flags=G)
for n in 'sign floor ceil trunc fix rint'.split():
    for s in SHAPES: case('np.' + n, f(*s), flags=G)
for n in 'sqrt log log2 log10 log1p reciprocal'.split():
    for s in SHAPES: case('np.' + n, p(*s), flags=G)
for n in 'arcsin arccos arctanh'.split():
    for s in SHAPES: case('np.' + n, u(*s), flags=G)
case('np.arccosh', p(5) + 1, flags=G)
SPECIAL = { 'erf': sp.erf, 'gamma': sp.gamma, 'gammaln': sp.gammaln, 'digamma': sp.digamma, 'trigamma': lambda x: sp.polygamma(1, x),
  'rsqrt': lambda x: x ** -0.5, 'rcbrt': lambda x: x ** (-1 / 3), 'sigmoid': sp.expit, 'log_sigmoid': sp.log_expit,
  'softrelu': lambda x: np.logaddexp(0, x), 'softsign': lambda x: x / (1 + np.abs(x)), 'silu': lambda x: x * sp.expit(x),
  'gelu': lambda x: x * sp.ndtr(x), 'relu': lambda x: np.maximum(x, 0), 'mish': lambda x: x * np.tanh(np.logaddexp(0, x)),
  'softplus': lambda x: np.logaddexp(0, x) }
for n, fn in SPECIAL.items():
    for s in ((5,), (2, 3)): case('nd.' + n, p(*s), fn=fn, flags=G)
for n in ('gamma', 'gammaln', 'digamma', 'trigamma'):
    case('nd.' + n, w(8), fn=SPECIAL[n], flags='g w 1e-8' if n == 'gamma' else 'g w')
for n in ('erf', 'sigmoid', 'log_sigmoid', 'silu', 'gelu', 'mish', 'softsign'): case('nd.' + n, w(6), fn=SPECIAL[n], flags=G)
case('nd.erfinv', u(6), fn=sp.erfinv, flags=G)
case('np.i0', f(6), flags=G)
case('np.nan_to_num', np.array([1.5, NAN, np.inf, -2]), flags='w')
case('np.nan_to_num', np.array([1.5, NAN, np.inf, -np.inf]), options={'nan': 3, 'posinf': 7, 'neginf': -7})
for n in 'isnan isinf isfinite isposinf isneginf signbit'.split(): case('np.' + n, np.array([1, NAN, np.inf, -np.inf, -0.5]))
case('np.logical_not', np.array([0, 1.5, -2]))
for d in (0, 1, 2, -1, -2):
    case('np.around', w(6) * (100 if d < 0 else 1), d, flags=G)
case('np.around', np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5]), flags='')
case('np.around', np.array([250., 350, -250, 1250, -50, 150]), -2)
case('np.around', np.array([0.25, 0.75, -0.25, 1.125, 0.375]), 1)
case('np.round', f(5), 3)
case('np.modf', f(5)); case('np.frexp', w(5)); case('np.spacing', f(3), flags='w'); case('np.divmod', f(4), p(4))
case('np.ldexp', f(4), i(-3, 4, 4)); case('np.clip', f(6), -1, 1, flags=G); case('np.heaviside', f(5), q(5))
for n in 'add subtract multiply divide maximum minimum power hypot arctan2 copysign logaddexp true_divide float_power fmax fmin'.split():
    for a, b in (((), ()), ((4,), (4,)), ((2, 3), (3,)), ((2, 1), (1, 3))):
        case('np.' + n, p(*a) if n.endswith('power') else f(*a), f(*b), flags='' if n == 'float_power' else G)
for n in 'mod remainder fmod floor_divide'.split():
    for a, b in (((4,), (4,)), ((2, 3), (3,))): case('np.' + n, w(*a), f(*b), flags=G)
for n in 'equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor'.split():
    case('np.' + n, i(0, 3, 2, 3).astype('float64'), i(0, 3, 3).astype('float64'))
for n in 'bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm'.split(): case('np.' + n, i(1, 9, 2, 3), i(1, 4, 3))
case('np.bitwise_not', i(-5, 5, 4)); case('np.invert', i(-5, 5, 4))
case('np.isclose', np.array([1, 2, 3.]), np.array([1, 2 + 1e-7, 3.1]))
case('np.allclose', np.array([1, 2.]), np.array([1, 2 + 1e-6])); case('np.array_equal', i(0, 2, 3), i(0, 2, 3)); case('np.array_equiv', i(0, 2, 3), i(0, 2, 3))

# ---- Over axes
AXES = ({}, {'axis': 0}, {'axis': -1, 'keepdims': True}, {'axis': (0, 2)})
for n in 'sum prod mean max min amax amin ptp std var median'.split():
    for k in AXES: case('np.' + n, f(2, 3, 4), options=k, flags=G)
case('np.std', f(2, 5), options={'axis': 1, 'ddof': 1}, flags=G); case('np.var', f(2, 5), options={'ddof': 1}, flags=G)
for n in 'any all count_nonzero'.split():
    for k in ({}, {'axis': 1}): case('np.' + n, i(0, 2, 2, 3).astype('float64'), options=k)
for n in 'argmax argmin'.split():
    for k in ({}, {'axis': 1}): case('np.' + n, f(2, 4), options=k)
case('np.average', f(2, 3), flags=G); case('np.average', f(2, 3), options={'axis': 1, 'weights': p(3)}, flags=G)
for k in ({}, {'axis': 1}): case('np.cumsum', f(2, 4), options=k, flags=G); case('np.cumprod', f(2, 4), options=k, flags=G)
nans = f(3, 4); nans[0, 1] = nans[1, 2] = nans[2, 0] = NAN
for n in 'nansum nanprod nanmean nanmax nanmin nanstd nanvar nanmedian nancumsum nancumprod'.split():
    for k in ({}, {'axis': 1}, {'axis': 0}): case('np.' + n, nans, options=k, flags=G)
for n in 'nanargmax nanargmin'.split():
    for k in ({}, {'axis': 1}): case('np.' + n, nans, options=k)
for m in 'linear lower higher midpoint nearest inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull median_unbiased normal_unbiased'.split():
    case('np.quantile', f(7), 0.35, options={'method': m}, flags=G)
    case('np.nanquantile', nans, 0.6, options={'method': m, 'axis': 1}, flags=G)
case('np.percentile', f(3, 5), [20, 55, 90], options={'axis': 1}, flags=G); case('np.nanpercentile', nans, [20, 55, 90], flags=G)
case('nd.logsumexp', f(3, 4), options={'axis': 1}, fn=sp.logsumexp, flags=G); case('nd.logsumexp', w(5), fn=sp.logsumexp, flags=G)
case('nd.softmax', f(2, 4), fn=lambda x: sp.softmax(x, axis=-1), flags=G); case('nd.log_softmax', w(2, 4), fn=lambda x: sp.log_softmax(x, axis=-1), flags=G)
case('nd.softmin', f(2, 4), fn=lambda x: sp.softmax(-x, axis=-1), flags=G)
case('np.cov', f(3, 6), flags=G); case('np.cov', f(5, 2), options={'rowvar': False}, flags=G); case('np.cov', f(2, 6), f(2, 6), flags=G); case('np.cov', f(2, 6), options={'ddof': 0}, flags=G)
case('np.cov', f(2, 6), options={'fweights': i(1, 4, 6)}); case('np.cov', f(2, 6), options={'aweights': p(6)}); case('np.cov', f(2, 6), options={'fweights': i(1, 4, 6), 'aweights': p(6), 'ddof': 0})
for k in ({'fweights': i(1, 4, 6)}, {'aweights': p(6)}, {'fweights': i(0, 4, 6), 'aweights': p(6)}, {'aweights': p(6), 'bias': True}): case('nd.cov', f(2, 6), options=k, fn=np.cov, flags=G)
case('np.corrcoef', f(3, 6), flags=G); case('np.corrcoef', f(6, 2), options={'rowvar': False}, flags=G)

# ---- Order
case('np.sort', f(2, 5), flags=G); case('np.sort', f(3, 2), options={'axis': 0}, flags=G); case('np.sort', f(2, 3), options={'axis': None}, flags=G)
case('np.argsort', f(2, 5)); case('np.argsort', f(3, 2), options={'axis': 0}); case('np.lexsort', [f(5), i(0, 3, 5).astype('float64')])
rising = np.sort(f(6))
for side in ('left', 'right'): case('np.searchsorted', rising, np.concatenate([f(3), rising[:2]]), options={'side': side})
case('np.digitize', f(6), rising); case('np.digitize', f(6), rising[::-1].copy()); case('np.digitize', rising, rising, True)
case('np.interp', w(6), rising, f(6), flags=G); case('np.interp', f(6), rising, f(6), options={'left': -9, 'right': 9}); case('np.interp', w(5), np.array([0, 1, 2.5]), f(3), options={'period': 4})
case('np.histogram', f(30), 5); case('np.histogram', f(30), np.array([-2, -1, 0.5, 2])); case('np.histogram', f(20), 4, options={'range': (-1, 1)}); case('np.histogram', f(20), 4, options={'density': True}); case('np.histogram', f(20), 4, options={'weights': p(20)})
case('np.histogram_bin_edges', f(20), 4); case('np.histogram2d', f(12), f(12), 3); case('np.bincount', i(0, 6, 12)); case('np.bincount', i(0, 6, 12), p(12)); case('np.bincount', i(0, 3, 5), options={'minlength': 6})
case('np.unique', i(0, 5, 9)); case('np.unique', i(0, 5, 9), options={'return_index': True, 'return_inverse': True, 'return_counts': True})
for n in 'union1d intersect1d setdiff1d setxor1d'.split(): case('np.' + n, i(0, 9, 6), i(0, 9, 5))
case('np.isin', i(0, 5, 2, 3), i(0, 5, 3)); case('np.isin', i(0, 5, 2, 3), i(0, 5, 3), options={'invert': True})
case('np.take_along_axis', f(2, 4), np.argsort(f(2, 4), 1), 1, flags=G)
case('np.nonzero', i(0, 2, 3, 3)); case('np.argwhere', i(0, 2, 3, 3)); case('np.flatnonzero', i(0, 2, 3, 3)); case('np.trim_zeros', np.array([0, 0, 1, 2, 0, 3, 0.]))
case('np.diff', f(6), flags=G); case('np.diff', f(2, 5), 2, flags=G); case('np.diff', f(3, 4), options={'axis': 0}, flags=G); case('np.ediff1d', f(5), flags=G); case('np.ediff1d', f(5), options={'to_end': f(2), 'to_begin': f(1)}, flags=G)
case('np.unwrap', w(8), flags=G); case('np.unwrap', w(8), options={'period': 5})

# ---- Shapes
for n in 'hstack vstack dstack column_stack'.split(): case('np.' + n, [f(3), f(3)], flags=G); case('np.' + n, [f(2, 3), f(2, 3)], flags=G)
case('np.concatenate', [f(2, 3), f(1, 3)], flags=G); case('np.stack', [f(2, 3), f(2, 3)], 1, flags=G); case('np.append', f(2, 2), f(3), flags=G); case('np.append', f(2, 2), f(1, 2), 0, flags=G)
case('nd.block', [[f(2, 2), f(2, 1)], [f(1, 2), f(1, 1)]], fn=lambda x: np.block(x), flags=G)
for n in 'flip fliplr flipud ravel transpose'.split(): case('np.' + n, f(2, 3), flags=G)
case('np.roll', f(7), 2, flags=G); case('np.roll', f(2, 3), (1, -1), options={'axis': (0, 1)}, flags=G); case('np.rot90', f(2, 3), flags=G); case('np.rot90', f(2, 3), 3, flags=G)
for k in (-1, 0, 2): case('np.tril', f(3, 4), k, flags=G); case('np.triu', f(3, 4), k, flags=G); case('np.diag', f(3), k, flags=G); case('np.diagonal', f(3, 4), k, flags=G); case('np.trace', f(3, 4), k, flags=G)
case('np.diagflat', f(2, 2), 1, flags=G); case('np.swapaxes', f(2, 3, 2), 0, 2, flags=G); case('np.moveaxis', f(2, 3, 4), 0, -1, flags=G); case('np.rollaxis', f(2, 3, 4), 2, flags=G)
case('np.tile', f(2, 2), (2, 3), flags=G); case('np.repeat', f(2, 3), 2, options={'axis': 1}, flags=G); case('np.repeat', f(2, 2), 3, flags=G); case('np.resize', f(5), (2, 4), flags=G)
case('np.split', f(6), 3, flags=G); case('np.split', f(7), [2, 5], flags=G); case('np.array_split', f(7), 3, flags=G); case('np.hsplit', f(2, 4), 2, flags=G); case('np.vsplit', f(4, 2), 2, flags=G); case('np.dsplit', f(2, 2, 4), 2, flags=G)
case('np.meshgrid', f(3), f(2), flags=G); case('np.broadcast_to', f(3), (2, 3), flags=G); case('np.broadcast_arrays', f(3), f(2, 1), flags=G); case('np.expand_dims', f(3), 0, flags=G); case('np.squeeze', f(1, 3, 1), flags=G)
case('np.where', i(0, 2, 2, 3).astype(bool), f(2, 3), f(3), flags=G); case('np.select', [i(0, 2, 4).astype(bool), i(0, 2, 4).astype(bool)], [f(4), f(4)], 7, flags=''); case('np.take', f(3, 4), i(0, 4, 2), options={'axis': 1}, flags=G); case('np.take', f(3, 4), i(0, 12, 3), flags=G)
case('np.compress', [True, False, True], f(3, 2), options={'axis': 0}); case('np.extract', i(0, 2, 5).astype(bool), f(5)); case('np.delete', f(5), [1, 3]); case('np.insert', f(5), 2, 9.5); case('np.choose', i(0, 2, 4), [f(4), f(4)])
for mode in 'constant edge reflect symmetric maximum minimum'.split(): case('np.pad', f(3, 4), [[1, 2], [2, 1]], options={'mode': mode}, flags=G)
for n in 'atleast_1d atleast_2d atleast_3d'.split(): case('np.' + n, f(3), flags=G)
case('np.unravel_index', i(0, 12, 4), (3, 4)); case('np.ravel_multi_index', [i(0, 3, 4), i(0, 4, 4)], (3, 4)); case('np.packbits', i(0, 2, 11).astype(bool)); case('np.unpackbits', i(0, 256, 2).astype('uint8'))
case('np.tril_indices_from', f(3, 3)); case('np.triu_indices_from', f(3, 3)); case('np.diag_indices_from', f(3, 3)); case('np.ix_', i(0, 3, 2), i(0, 3, 2))
D = {'dtype': 'float64'}
case('np.eye', 3, 4, 1, options=D); case('np.identity', 3, options=D); case('np.tri', 3, 4, -1, options=D); case('np.linspace', 0.5, 3, 7, options=D); case('np.linspace', 0, 1, 5, options={'endpoint': False, 'dtype': 'float64'}); case('np.logspace', 0, 2, 5, options=D); case('np.geomspace', 1, 64, 7, options=D); case('np.arange', 0.5, 4, 0.75, options=D); case('np.full', (2, 3), 2.5, options=D); case('np.indices', (2, 3), options={'dtype': 'int64'}); case('np.vander', f(4), flags=G); case('np.vander', f(4), 3, options={'increasing': True}, flags=G)
for n in 'hanning hamming blackman'.split(): case('np.' + n, 7, options=D, fn_options={}, flags='')

# ---- Products
for a, b in (((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((2, 2, 3), (3,))): case('np.dot', f(*a), f(*b), flags=G)
for a, b in (((3,), (3,)), ((2, 3), (3, 2)), ((2, 2, 3), (2, 3, 2)), ((2, 2, 3), (3, 4))): case('np.matmul', f(*a), f(*b), flags=G)
case('np.inner', f(2, 3), f(4, 3), flags=G); case('np.outer', f(3), f(4), flags=G); case('np.vdot', f(2, 2), f(2, 2), flags=G); case('np.kron', f(2, 2), f(2, 3), flags=G); case('np.kron', f(3), f(2), flags=G); case('np.cross', f(2, 3), f(2, 3), flags=G); case('np.cross', f(3), f(3), flags=G)
case('np.tensordot', f(2, 3, 2), f(3, 2, 2), 2, flags=G); case('np.tensordot', f(2, 3, 2), f(2, 3), ([0, 1], [0, 1]), flags=G)
for e, *s in (('ij,jk->ik', (2, 3), (3, 2)), ('ii->', (3, 3)), ('ij->j', (2, 3)), ('bij,bjk->bik', (2, 2, 3), (2, 3, 2)), ('i,j->ij', (3,), (2,)), ('ij,ij,ij->i', (2, 3), (2, 3), (2, 3))): case('np.einsum', e, *[f(*x) for x in s], flags=G)
case('nd.khatri_rao', f(2, 3), f(4, 3), fn=lambda a, b: sl.khatri_rao(a, b), flags=G)
for m in 'full same valid'.split():
    for a, b in (((6,), (3,)), ((3,), (5,))): case('np.convolve', f(*a), f(*b), m, flags=G); case('np.correlate', f(*a), f(*b), m, flags=G)
case('np.trapz', f(6), fn=np.trapezoid, flags=G); case('np.trapz', f(6), np.sort(f(6)), fn=np.trapezoid, flags=G); case('nd.trapezoid', f(2, 5), options={'dx': 0.5, 'axis': 1}, fn=np.trapezoid, flags=G)
case('np.gradient', f(6), flags=G); case('np.gradient', f(6), 0.5, options={'edge_order': 2}, flags=G); case('np.gradient', f(6), np.array([0, 1, 1.5, 3, 3.5, 5]), flags=G); case('np.gradient', f(3, 4), options={'axis': 1}, flags=G); case('np.gradient', f(3, 4), flags=G)

# ---- Polynomials
case('np.polyval', f(4), f(5), flags=G); case('np.polyval', f(3), f(2, 2), flags=G); case('np.polyadd', f(3), f(2), flags=G); case('np.polysub', f(2), f(4), flags=G); case('np.polymul', f(3), f(4), flags=G); case('np.polydiv', f(5), p(3)); case('np.polyder', f(5), flags=G); case('np.polyder', f(5), 2, flags=G); case('np.polyint', f(4), flags=G); case('np.polyint', f(4), 2, options={'k': [1, 2]}); case('np.poly', f(4), flags='')
case('np.polyfit', np.sort(f(8)), f(8), 2, flags='g w'); case('np.polyfit', np.sort(f(8)), f(8), 3, options={'w': p(8)}, flags='w'); case('np.polyfit', np.sort(f(8)), f(8, 2), 1, flags='g w')
case('np.roots', np.array([1, -6, 11, -6.]), flags='w 1e-8')

# ---- Linear algebra
for a in (spd(3), np.stack([spd(2), spd(2)])):
    for n in 'inv det slogdet'.split(): case('np.linalg.' + n, a, flags='g w')
    for n in 'cholesky eigvalsh'.split(): case('np.linalg.' + n, a, flags='g w sym')
    case('nd.linalg.eigvalsh', a, fn=np.linalg.eigvalsh, flags='g w sym'); case('np.linalg.cond', a, flags='g w'); case('np.linalg.matrix_rank', a); case('np.linalg.pinv', a, flags='g w')
case('np.linalg.inv', regular(3), flags='g w'); case('np.linalg.det', regular(4), flags='g w'); case('np.linalg.slogdet', f(3, 3), flags='g w')
case('np.linalg.solve', regular(3), f(3), fn=lambda a, b: np.linalg.solve(a, b[:, None])[:, 0], flags='g w'); case('np.linalg.solve', regular(3), f(3, 2), flags='g w')
case('np.linalg.lstsq', f(5, 2), f(5), fn=lambda a, b: list(np.linalg.lstsq(a, b)), flags='w')
case('np.linalg.pinv', f(4, 2), flags='g w'); case('np.linalg.matrix_power', regular(2), 3, flags='g w'); case('np.linalg.matrix_power', regular(2), -2, flags='g w'); case('np.linalg.multi_dot', [f(2, 3), f(3, 4), f(4, 2)], flags=G)
for o in ('fro', 'nuc', 1, -1, 2, -2, np.inf, -np.inf): case('np.linalg.norm', f(3, 4), o, flags='g w')
for o in (1, 2, 3, 0.5, np.inf, -np.inf, 0): case('np.linalg.norm', f(5), o, flags='g' if o else '')
case('np.linalg.norm', f(2, 3), options={'axis': 1}, flags=G); case('np.linalg.cond', f(3, 3), 1, flags='g w'); case('np.linalg.tensorinv', f(4, 2, 2), options={'ind': 1}, flags='w'); case('np.linalg.tensorsolve', f(2, 2, 4) + 3 * np.eye(4).reshape(2, 2, 4), f(2, 2), flags='w')
case('nd.linalg.svd', f(3, 2), options={'compute_uv': False}, fn=np.linalg.svd, flags='g w')
case('nd.linalg.qr', p(4, 2), fn=lambda a: [np.abs(x) for x in np.linalg.qr(a)], flags='w abs'); case('nd.linalg.qr', p(3, 3), options={'mode': 'r'}, fn=lambda a, mode: np.abs(np.linalg.qr(a, mode)), flags='w abs')
case('nd.linalg.eigh', spd(3), fn=lambda a: [np.abs(x) for x in np.linalg.eigh(a)], flags='w abs')
case('nd.linalg.eigvals', with_real(3), fn=lambda a: np.linalg.eigvals(a).real, flags='w sort'); case('nd.linalg.eigvals', np.triu(f(3, 3)), fn=lambda a: np.linalg.eigvals(a).real, flags='w sort')
case('nd.linalg.eig', np.triu(f(3, 3)), fn=lambda a: [np.abs(x.real) for x in np.linalg.eig(a)], flags='w abs')
for n, fn in (('expm', sl.expm), ('sqrtm', lambda a: sl.sqrtm(a).real)):
    for a in (spd(3), regular(2) if n == 'expm' else spd(2)): case('nd.linalg.' + n, a / 2, fn=fn, flags='g w')
case('nd.linalg.expm', f(3, 3), fn=sl.expm, flags='g w'); case('nd.linalg.lu', f(3, 3), fn=lambda a: list(sl.lu(a)), flags='w'); case('nd.linalg.lu', f(4, 2), fn=lambda a: list(sl.lu(a)), flags='w')
case('nd.linalg.potrf', spd(3), fn=np.linalg.cholesky, flags='g w sym'); case('nd.linalg.potri', np.linalg.cholesky(spd(3)).round(2), fn=lambda a: np.linalg.inv(a @ a.T), flags='w'); case('nd.linalg.sumlogdiag', spd(3), fn=lambda a: np.log(np.diag(a)).sum(), flags='g w')
case('nd.linalg.trsm', np.tril(regular(3)), f(3, 2), fn=lambda a, b: sl.solve_triangular(a, b, lower=True), flags='w'); case('nd.linalg.trmm', np.tril(regular(3)), f(3, 2), fn=lambda a, b: a @ b, flags=''); case('nd.linalg.syrk', f(2, 3), fn=lambda a: a @ a.T, flags=G); case('nd.linalg.gemm2', f(2, 3), f(3, 2), fn=np.matmul, flags=G); case('nd.linalg.gemm', f(2, 3), f(3, 2), f(2, 2), fn=lambda a, b, c: a @ b + c, flags=G)
case('nd.linalg.extractdiag', f(3, 3), fn=np.diag, flags=G); case('nd.linalg.makediag', f(3), fn=np.diag, flags=G); case('nd.linalg.extracttrian', f(3, 3), fn=lambda a: a[np.tril_indices(3)], flags=G)

# ---- Densities: samples of shape (2, 3), parameters of shape (2,)
def density(name, sample, params, frozen, discrete=False):
    columns = [x[:, None] for x in params]
    for log in (False, True):
        d = frozen(*columns)
        fn = lambda s, *_: ((d.logpmf if discrete else d.logpdf) if log else (d.pmf if discrete else d.pdf))(s)
        case('nd.random_pdf_' + name, sample, *params, options={'is_log': log}, fn=lambda s, *_, **k: fn(s), flags='g-0' + '1' * (name == 'binomial') if discrete else G)
def counts(n, low=0): return i(low, n, 2, 3).astype('float64')
for _ in range(2):
    density('uniform', q(2, 3), [-p(2), p(2) + 1], lambda a, b: st.uniform(a, b - a))
    density('normal', f(2, 3), [f(2), p(2)], st.norm)
    density('gamma', p(2, 3), [p(2), p(2)], lambda a, b: st.gamma(a, scale=1 / b))
    density('exponential', p(2, 3), [p(2)], lambda b: st.expon(scale=1 / b))
    density('poisson', counts(6), [p(2)], st.poisson, True)
    density('negative_binomial', counts(6), [p(2), q(2)], st.nbinom, True)
    density('generalized_negative_binomial', counts(6), [p(2), q(2)], lambda m, a: st.nbinom(1 / a, 1 / (1 + m * a)), True)
    density('laplace', f(2, 3), [f(2), p(2)], st.laplace)
    density('logistic', f(2, 3), [f(2), p(2)], st.logistic)
    density('gumbel', f(2, 3), [f(2), p(2)], st.gumbel_r)
    density('lognormal', p(2, 3), [f(2), p(2)], lambda m, s: st.lognorm(s, scale=np.exp(m)))
    density('beta', q(2, 3), [p(2), p(2)], st.beta)
    density('f', p(2, 3), [p(2) + 2, p(2) + 3], st.f)
    density('binomial', counts(4), [np.array([5., 7]), q(2)], st.binom, True)
    density('chisquare', p(2, 3), [p(2) + 1], st.chi2)
    density('standard_t', f(2, 3), [p(2) + 1], st.t)
    density('pareto', p(2, 3), [p(2)], st.lomax)
    density('power', q(2, 3), [p(2)], st.powerlaw)
    density('rayleigh', p(2, 3), [p(2)], lambda s: st.rayleigh(scale=s))
    density('weibull', p(2, 3), [p(2)], st.weibull_min)
    density('geometric', counts(6, 1), [q(2)], st.geom, True)
    density('bernoulli', counts(2), [q(2)], st.bernoulli, True)
sample = np.array([[0.25, 0.5, 0.25], [0.125, 0.125, 0.75]])
for log in (False, True):
    case('nd.random_pdf_dirichlet', sample, np.array([[1.5, 2, 0.75], [2, 1, 3]]), options={'is_log': log},
         fn=lambda s, a, is_log: np.array([(st.dirichlet.logpdf if is_log else st.dirichlet.pdf)(x, b) for x, b in zip(s, a)]), flags='')

# ---- Functions of functions: those of the support file
FUNCTIONS = {
  'rosenbrock': lambda x: so.rosen(x),
  'himmelblau': lambda x: (x[0] ** 2 + x[1] - 11) ** 2 + (x[0] + x[1] ** 2 - 7) ** 2,
  'bowl': lambda x: np.sum((x - 1.5) ** 2 * np.arange(1, len(x) + 1)),
  'system': lambda x: [x[0] * np.cos(x[1]) - 4, x[1] * x[0] - x[1] - 5],
  'residuals': lambda x: [10 * (x[1] - x[0] ** 2), 1 - x[0], x[0] * x[1] - 1],
  'decay': lambda x, a, b, c: a * np.exp(-b * x) + c,
  'line': lambda x, a, b: a * x + b,
  'bell': lambda x: np.exp(-x * x), 'wave': lambda x: np.sin(x) * x, 'root_of': lambda x: np.sqrt(x),
  'pendulum': lambda y, t: [y[1], -0.25 * y[1] - 5 * np.sin(y[0])],
  'decaying': lambda y, t: -0.5 * y + np.sin(t),
  'predator': lambda t, y: [1.5 * y[0] - y[0] * y[1], -3 * y[1] + y[0] * y[1]],
}
def functional(name, function, *args, fn, flags, options=None):
    case(name, Fn(function), *args, options=options, fn=lambda _, *a, **k: fn(FUNCTIONS[function], *a), flags=flags)
for method, theirs in (('BFGS', 'BFGS'), ('L-BFGS', 'L-BFGS-B'), ('Nelder-Mead', 'Nelder-Mead')):
    for name, start in (('rosenbrock', [-1.2, 1.]), ('himmelblau', list(f(2))), ('bowl', list(f(3)))):
        functional('optimize.minimize', name, [float(x) for x in start], options={'method': method}, fn=lambda fun, x: so.minimize(fun, x, method=theirs).x, flags='w 1e-3')
functional('optimize.root', 'system', [1, 1], fn=lambda fun, x: so.root(fun, x).x, flags='w 1e-6'); functional('optimize.least_squares', 'residuals', [-1.2, 1], fn=lambda fun, x: so.least_squares(fun, x).x, flags='w 1e-4')
x = between(0, 4, (12,)); x.sort()
functional('optimize.curve_fit', 'decay', x, (2.5 * np.exp(-1.3 * x) + 0.5 + 0.05 * u(12)).round(4), fn=lambda fun, a, b: list(so.curve_fit(fun, a, b)), flags='w 1e-4')
functional('optimize.curve_fit', 'line', x, (1.5 * x - 1 + 0.5 * u(12)).round(4), fn=lambda fun, a, b: list(so.curve_fit(fun, a, b)), flags='w 1e-5')
for name, a, b in (('bell', -np.inf, np.inf), ('bell', 0, 1.5), ('wave', -1, 4), ('root_of', 0, 2)): functional('integrate.quad', name, a, b, fn=lambda fun, a, b: si.quad(fun, a, b)[0], flags='w 1e-9')
functional('integrate.odeint', 'pendulum', [3, 0], np.linspace(0, 10, 5), fn=lambda fun, y, t: si.odeint(fun, y, t), flags='w 1e-6'); functional('integrate.odeint', 'decaying', [1.5], np.linspace(0, 4, 5), fn=lambda fun, y, t: si.odeint(fun, y, t), flags='w 1e-6')
functional('integrate.solve_ivp', 'predator', [0, 5], [10, 5], options={'t_eval': [0, 1, 2.5, 5], 'rtol': 1e-9, 'atol': 1e-9}, fn=lambda fun, t, y: si.solve_ivp(fun, t, y, t_eval=[0, 1, 2.5, 5], rtol=1e-9, atol=1e-9).y, flags='w 1e-6')

open('spec/oracle/numpy_cases.txt', 'w').write('\n'.join(lines) + '\n')
print(len(lines), 'cases of', len(NAMES), 'functions')
