-- see_the_graph.lua - a picture of a hybridized block's graph before and after the passes, and the same as text. With
-- graphviz it writes see_the_graph.svg, else .dot.
--   hybridlua examples/see_the_graph.lua [file]
local hl = require "hybridlua"
local nd, gluon = hl.nd, hl.gluon
local nn = gluon.nn

local Attention = gluon.HybridBlock:subclass "Attention"

function Attention:init(size)
  self.size = size
  self.query, self.key, self.value = nn.Dense(size), nn.Dense(size), nn.Dense(size)
end

function Attention:hybrid_forward(F, x)
  local scores = F.dot(self.query(x), self.key(x), { transpose_b = true }) / self.size ^ 0.5
  local weights = F.softmax(scores, { axis = -1 })
  return F.dot(weights, self.value(x)) + x, weights:max { axis = 1 }
end

local net = Attention(16)
net:initialize()
local x = nd.random.normal { shape = { 10, 16 } }

-- The picture shows the traced graph, and below it the graph that runs, with backward dashed.
local have_dot = os.execute "command -v dot >/dev/null 2>&1"
local path = arg[1] or (have_dot and "see_the_graph.svg" or "see_the_graph.dot")
hl.viz.graph(net, x, { path = path, gradient = true, layout = "below", title = "attention" })
print("wrote " .. path)

-- The same as text, after real calls. `check` also runs the first call eagerly and compares every bit.
net:hybridize { check = 1 }
net(x)
net(nd.random.normal { shape = { 20, 16 } })
print(net:explain())
