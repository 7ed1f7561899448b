-- image/random_numbers.lua - random numbers for images, from the library's random stream.
local core = require "hybridlua.core"

local nd = core.op.nd
local random_numbers = {}

--- A number from low to high.
function random_numbers.uniform(low, high)
  return low + (high - low) * nd.random.uniform({ shape = { 1 }, dtype = "float64" }):asscalar()
end

--- An integer from low to high.
function random_numbers.integer(low, high)
  return math.min(high, low + math.floor(random_numbers.uniform(0, high - low + 1)))
end

return random_numbers
