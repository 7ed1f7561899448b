-- hybridize.lua - one network, run imperatively and as a compiled function: the tutorial.
--
-- A network is written once. By default its calls compute eagerly. After net:hybridize() the first call is traced into
-- a graph and later calls run that graph, with the same results to the bit. The same code also builds the Symbol
-- itself, which can be printed, saved and exported.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

hl.random.seed(0)

local function title(text) print(("\n-- %s"):format(text)) end

-- ---- A network, imperatively -------------------------------------------------------------------

local function get_net()
  local net = nn.HybridSequential()
  net:add(nn.Dense(256, { activation = "relu" }), nn.Dense(128, { activation = "relu" }), nn.Dense(2))
  net:initialize()
  return net
end

title "a network computes at once"
local x = nd.random.normal { shape = { 1, 512 } }
local net = get_net()
local before = net(x)
print(before)

-- ---- Hybridized ----------------------------------------------------------------------------------

-- Microseconds per call, the best of five rounds.
local function measure(n)
  local best = math.huge
  for _ = 1, 5 do
    local began = hl.time()
    for _ = 1, n do net(x) end
    best = math.min(best, hl.time() - began)
  end
  return best / n * 1e6
end

title "hybridized: the same to the bit"
local eager = measure(200)
net:hybridize()
local after = net(x)
print(after)
assert(after:tobytes() == before:tobytes())

title "and faster"
local hybridized = measure(200)
print(("imperatively  %6.1f us a call"):format(eager))
print(("hybridized    %6.1f us a call, %.1f times as fast"):format(hybridized, eager / hybridized))

-- ---- The graph -----------------------------------------------------------------------------------

title "called with a Symbol, the network gives the Symbol of its output"
print(sym.var "data")
local y = net(sym.var "data")
print(y)
print "its JSON begins:"
local lines = 0
for line in y:tojson():gmatch "[^\n]+" do
  lines = lines + 1
  if lines <= 8 then print("  " .. line) end
end
print(("  ... (%d lines)"):format(lines))

-- ---- Files ---------------------------------------------------------------------------------------

title "saved, exported, and loaded again without the code above"
local folder = io.popen("mktemp -d"):read "l"
net:save_parameters(folder .. "/model.params")
print("exported:", (table.concat({ net:export(folder .. "/my_mlp") }, ", "):gsub(folder:gsub("%p", "%%%0") .. "/", "")))
local loaded = gluon.SymbolBlock.imports(folder .. "/my_mlp-symbol.json", { "data" }, folder .. "/my_mlp-0000.params")
print("the loaded graph's answer is the same:", loaded(x):tobytes() == before:tobytes())
local again = get_net()
again:load_parameters(folder .. "/model.params")
print("and so is that of the same code with the saved parameters:", again(x):tobytes() == before:tobytes())
os.execute("rm -r '" .. folder .. "'")

-- ---- What runs when ------------------------------------------------------------------------------

local HybridNet = gluon.HybridBlock:subclass "HybridNet"

function HybridNet:init()
  self.hidden = nn.Dense(10)
  self.output = nn.Dense(2)
end

function HybridNet:hybrid_forward(F, v)
  print("  F:", F.__name__)
  print("  x:", v)
  v = F.relu(self.hidden(v))
  print("  hidden:", v)
  return self.output(v)
end

title "hybrid_forward runs at every call..."
local talking = HybridNet()
talking:initialize()
local small = nd.random.normal { shape = { 1, 4 } }
talking(small)

title "... once with Symbols after hybridize()"
talking:hybridize()
talking(small)

title "... and then never: two more calls print nothing"
talking(small)
talking(small * 2)

title "another batch size needs no new trace, another number of dimensions does"
talking(nd.ones { 3, 4 })
print "  (3, 4): nothing printed"
talking(nd.ones { 2, 2, 2 })

-- ---- Symbolic programming, step by step -----------------------------------------------------------

title "the three steps of symbolic programming: describe, compile, run"
local A, B, C, D = sym.var "A", sym.var "B", sym.var "C", sym.var "D"
local G = (A + B) + (C + D)
print(G)
local f = sym.compile { inputs = { A, B, C, D }, outputs = { G } }
print(f(nd.array { 1 }, nd.array { 2 }, nd.array { 3 }, nd.array { 4 }))

title "a program as a string is Lua's own load"
local program = load("local a, b = ... return (a + b) * 2")
print(program(nd.array { 1 }, nd.array { 2 }))
local twice_sum = hl.compile(function(_, a, b) return (a + b) * 2 end)
print(twice_sum(nd.array { 1 }, nd.array { 2 }))
