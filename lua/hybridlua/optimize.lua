-- optimize.lua - hl.optimize: minima, roots, least squares and fits, by SciPy's names. Gradients and Jacobians are
-- those of hl.grad's engine, so the script writes only the function.
local module = require "hybridlua.language.module"
local least_squares = require "hybridlua.optimize.least_squares"

return module({
  minimize = require "hybridlua.optimize.minimize",
  least_squares = least_squares.least_squares,
  root = least_squares.root,
  curve_fit = least_squares.curve_fit,
}, "hybridlua.optimize")
