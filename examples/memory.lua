-- memory.lua - the memory of the same computation, imperative and symbolic.
--
-- Four float64 arrays of ten elements take 320 bytes if each is a separate array. In a graph the memory plan can write
-- the sum over the product, which is not needed afterwards.
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

-- Imperative.
local a = nd.ones { 10, dtype = "float64" }
local b = nd.ones { 10, dtype = "float64" } * 2
local c = b * a
local d = c + 1
print(d)

-- Symbolic.
local A, B = sym.var "A", sym.var "B"
local C = B * A
local D = C + 1
local f = sym.compile { inputs = { A, B }, outputs = { D } }
print(f(a, b))

local plan = f:explain({ format = "table" }).plans[1]
local arrays = { a, b, c, d }
local eager = 0
for _, x in ipairs(arrays) do eager = eager + x.size * 8 end

print(("%-34s %s"):format("", "bytes"))
print(("%-34s %d"):format("eager: a, b, c, d", eager))
print(("%-34s %d"):format("graph: the two inputs", plan.input_bytes))
print(("%-34s %d"):format("graph: workspace", plan.arena_bytes))
print(("%-34s %d"):format("graph: the output", plan.output_bytes))
print(("%-34s %d"):format("graph: beyond the inputs", plan.arena_bytes + plan.output_bytes))
print(("%-34s %d"):format("graph: in all", plan.input_bytes + plan.arena_bytes + plan.output_bytes))
