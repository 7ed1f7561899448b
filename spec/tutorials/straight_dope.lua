-- "Fast, portable neural networks with Gluon HybridBlocks" of The Straight Dope: its pseudo-code as programs that
-- run, its memory example, and its cells In [1] to [8]. Files go into the folder given.
local folder = ...
local cells = dofile "spec/tutorials/cells.lua"
local cell = cells.cell

local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

-- Imperative: each line computes.
cell "imperative"
local function our_function(A, B, C, D)
  local E = nd.dot(A, B)
  local F = nd.dot(C, D)
  local G = E + F
  return G
end

local W, X, Y, Z = nd.ones{2, 2}, nd.ones{2, 2}, nd.ones{2, 2}, nd.ones{2, 2}
print(our_function(W, X, Y, Z))

-- Symbolic: define, compile, feed.
cell "symbolic"
local A, B, C, D = sym.var "A", sym.var "B", sym.var "C", sym.var "D"
local E = sym.dot(A, B)
local F = sym.dot(C, D)
local G = E + F
print(G)
local compiled = sym.compile{inputs = {A, B, C, D}, outputs = {G}}
print(compiled(W, X, Y, Z))

-- Memory: four arrays of ten numbers of 8 bytes against what the graph needs for d besides its inputs; the two
-- operators are folded into one kernel.
cell "memory"
local a = nd.ones{10, dtype = "float64"}
local b = nd.ones{10, dtype = "float64"} * 2
local c = b * a
local d = c + 1
print("imperative", #a:tobytes() + #b:tobytes() + #c:tobytes() + #d:tobytes())
local va, vb = sym.var "a", sym.var "b"
local program = sym.compile{inputs = {va, vb}, outputs = {vb * va + 1}}
assert(program(a, b):tobytes() == d:tobytes())
local plan = program:explain{format = "table"}.plans[1]
print("symbolic", plan.arena_bytes + #a:tobytes() + plan.output_bytes)
print("groups", #plan.groups)

local Net, x = dofile "spec/tutorials/straight_dope_cells.lua"(1, folder)

-- A Block that is no HybridBlock: its children are compiled.
cell "block"
local Plain = gluon.Block:subclass "Plain"
function Plain:init() self.net = Net() end
function Plain:forward(data) print "forward of the Block" return self.net(data) end
local plain = Plain()
plain:initialize()
plain:hybridize()
plain(x)
plain(x)
