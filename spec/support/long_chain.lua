-- long_chain.lua N FILE - saves and loads a chain of N nodes; a spec runs it with a small stack and a time limit.
local hl = require "hybridlua"
local n, file = tonumber(arg[1]), arg[2]
local nodes = { '{"op":"null","name":"x","inputs":[]}' }
for i = 1, n - 1 do nodes[i + 1] = ('{"op":"negative","name":"n%d","inputs":[[%d,0,0]]}'):format(i, i - 1) end
local text = ('{"nodes":[%s],"arg_nodes":[0],"heads":[[%d,0,0]]}'):format(table.concat(nodes, ","), n - 1)
local start = hl.time()
local chain = hl.sym.load_json(text)
chain:save(file)
local again = hl.sym.load(file)
local seconds = hl.time() - start
io.write(again:tojson() == chain:tojson() and "same text" or "another text", ", ", #again:list_arguments(),
  " argument\n")
assert(seconds < 60, ("took %.1f s"):format(seconds))
