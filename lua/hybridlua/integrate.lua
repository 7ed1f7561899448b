-- integrate.lua - hl.integrate: differential equations and integrals, by SciPy's names.
local module = require "hybridlua.language.module"
local runge_kutta = require "hybridlua.integrate.runge_kutta"

return module({
  odeint = runge_kutta.odeint,
  solve_ivp = runge_kutta.solve_ivp,
  quad = require "hybridlua.integrate.quad",
}, "hybridlua.integrate")
