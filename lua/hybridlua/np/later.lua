-- np/later.lua - functions of np that are nd's by the same name: as soon as nd has one, so has np. A line is np's name
-- and its parameters (a star marks operands); "linalg.eig" is np.linalg.eig. Those of random go by name, with the size.
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
random.lognormal mean sigma size dtype
random.logistic loc scale size dtype
random.gumbel loc scale size dtype
random.laplace loc scale size dtype
random.rayleigh scale size dtype
random.weibull a size dtype
random.pareto a size dtype
random.power a size dtype
random.chisquare df size dtype
random.beta a b size dtype
random.f dfnum dfden size dtype
random.geometric p size dtype
random.standard_t df size dtype
random.triangular left mode right size dtype
random.binomial n p size dtype
random.dirichlet alpha[] size dtype
random.multivariate_normal mean cov size
npx.bernoulli prob size dtype
]]

local later = {}
for line in LINES:gmatch "[^\n]+" do
  local name, names = line:match "^(%S+)%s*(.*)$"
  later[#later + 1] = { name = name, names = names }
end
return later
