-- The same chapter of The Straight Dope in its markdown source, cells n=1 to n=11 (of which it keeps no output).
-- Files go into the folder given.
local folder = ...
local nd = require "hybridlua".nd
local cells = dofile "spec/tutorials/cells.lua"
local cell = cells.cell

cell "1"
print(cells.fancy_func(1, 2, 3, 4))

cell "2"
local prog = cells.evoke_str()
local run = load(prog, "")
run()

cell "3"
local a = nd.ones(10)
local b = nd.ones(10) * 2
local c = b * a
local d = c + 1
print(d)

dofile "spec/tutorials/straight_dope_cells.lua"(4, folder)
