-- np/later.lua - functions of np that are nd's by the same name: as soon as nd has one, so has np. A line is np's name
-- and its parameters (a star marks operands); "linalg.eig" is np.linalg.eig.
local LINES = [[
arctan2 x1* x2*
copysign x1* x2*
ldexp x1* x2*
lcm x1* x2*
gcd x1* x2*
frexp x*
spacing x*
i0 x*
cumprod a* axis dtype out
nancumprod a* axis dtype out
nanmedian a* axis out overwrite_input keepdims
nanpercentile a* q axis out overwrite_input interpolation keepdims
nanquantile a* q axis out overwrite_input interpolation keepdims
correlate a* v* mode
convolve a* v* mode
gradient f* varargs axis edge_order
genfromtxt fname dtype comments delimiter
loadtxt fname dtype comments delimiter
savetxt fname X
roots p*
linalg.eig a*
linalg.eigvals a*
linalg.expm a*
random.bernoulli prob size dtype
random.binomial n p size
random.dirichlet alpha size
random.f dfnum dfden size
random.geometric p size
random.laplace loc scale size dtype ctx out
random.poisson lam size
random.standard_t df size
random.triangular left mode right size
]]

local later = {}
for line in LINES:gmatch "[^\n]+" do
  local name, names = line:match "^(%S+)%s*(.*)$"
  later[#later + 1] = { name = name, names = names }
end
return later
