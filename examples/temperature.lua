-- temperature.lua - a number that changes in each call of a compiled function: hybridize{scalars = {...}}.
--
-- Simulated annealing of a soft choice: softmax(scores / temperature) moves from an even choice to the best one as the
-- temperature falls. Without `scalars` each new value would cost a new trace, which takes thousands of times as long as
-- a call. A number bound at run time is read in each call, and results are those of eager code, to the bit.
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon

local Choice = gluon.HybridBlock:subclass "Choice"

function Choice:init() self.temperature = 1 end

-- The noise falls with the square root of the temperature; Lua computes with the number.
function Choice:hybrid_forward(F, scores, noise)
  local spread = math.sqrt(self.temperature) / 10
  return F.softmax((scores + noise * spread) / self.temperature)
end

local plain, compiled, fixed = Choice(), Choice(), Choice()
compiled:hybridize { scalars = { "self.temperature" } }
fixed:hybridize()

local scores, noise = nd.array { 1, 2, 2.5 }, nd.array { 0.3, -0.1, 0.2 }
local steps, same = 50, true
for step = 1, steps do
  local temperature = 4 * 0.9 ^ step
  for _, net in ipairs { plain, compiled, fixed } do net.temperature = temperature end
  local expected, result = plain(scores, noise), compiled(scores, noise)
  same = same and nd.array_equal(expected, result):asscalar()
  if step <= 3 then fixed(scores, noise) end           -- each needs its own trace
  if step % 10 == 0 then
    local p = result:totable()
    print(("temperature %.3f: %.3f %.3f %.3f"):format(temperature, table.unpack(p)))
  end
end
print("the same bits as eager code: " .. tostring(same))
print(("traces: %d for %d temperatures; without scalars %d for 3"):format(
  #compiled:explain { format = "table" }.traces, steps, #fixed:explain { format = "table" }.traces))
