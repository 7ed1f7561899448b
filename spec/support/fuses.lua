-- fuses.lua - whether this build fuses multiply-adds, for specs that compare with plain loops: (1 + e)^2 - (1 + 2e) is
-- then e^2, otherwise 0.
local nd = require "hybridlua".nd

local e = 2.0 ^ -12
local data, weight = nd.array { { { 1, 1 + e } } }, nd.array { { { -(1 + 2 * e), 1 + e } } }
local value = nd.Convolution(data, weight, { kernel = { 2 }, num_filter = 1, no_bias = true }):asscalar()
assert(value == 0 or value == e * e)
return value ~= 0
