-- np/later.lua - functions of np that are nd's by the same name: as soon as nd has one, so has np. A line is np's name
-- and its parameters (a star marks operands); "linalg.eig" is np.linalg.eig. Those of random go by name, with the size.
local LINES = [[
arctan2 x1* x2* out
copysign x1* x2* out
cumprod a* axis dtype out
nancumprod a* axis dtype out
nancumsum a* axis dtype out
trapz y* x*? dx axis
trapezoid y* x*? dx axis
correlate a* v* mode
convolve a* v* mode
genfromtxt fname dtype comments delimiter
loadtxt fname dtype comments delimiter
savetxt fname X
linalg.eig a*
linalg.eigvals a*
linalg.expm a*
linalg.sqrtm a*
linalg.lu a*
random.lognormal mean sigma size dtype ctx out
random.logistic loc scale size dtype ctx out
random.gumbel loc scale size dtype ctx out
random.laplace loc scale size dtype ctx out
random.rayleigh scale size dtype ctx out
random.weibull a size dtype ctx out
random.pareto a size dtype ctx out
random.power a size dtype ctx out
random.chisquare df size dtype ctx out
random.beta a b size dtype ctx out
random.f dfnum dfden size dtype ctx out
random.geometric p size dtype ctx out
random.standard_t df size dtype ctx out
random.triangular left mode right size dtype ctx out
random.binomial n p size dtype ctx out
random.dirichlet alpha[] size dtype
]]

local later = {}
for line in LINES:gmatch "[^\n]+" do
  local name, names = line:match "^(%S+)%s*(.*)$"
  later[#later + 1] = { name = name, names = names }
end
return later
