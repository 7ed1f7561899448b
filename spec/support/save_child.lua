-- save_child.lua FILE once|forever|load - a program that the saving specs disturb: saves arrays of twos once, or arrays
-- of ones and twos alternately until killed; or loads.
local hl = require "hybridlua"
local nd = hl.nd
local file, what = arg[1], arg[2]
local N = 200000

if what == "forever" then
  local contents = { { w = nd.ones { N }, n = nd.array { 1 } }, { w = nd.ones { N } * 2, n = nd.array { 2 } } }
  while true do
    for _, content in ipairs(contents) do nd.save(file, content) end
  end
elseif what == "once" then
  local ok, message = pcall(nd.save, file, { w = nd.ones { N } * 2, n = nd.array { 2 } })
  print(ok and "saved" or message)
else
  local ok, loaded = pcall(nd.load, file)
  print(ok and "loaded " .. loaded.n:asscalar() or loaded)
end
