-- viz_spec.lua - pictures of graphs, and the summary of a Symbol.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, sym, nn = hl.nd, hl.sym, hl.gluon.nn

local function small_function()
  return hl.compile(function(F, a, b)
    local s = F.softmax(F.dot(a, b) * 2)
    return (s - s:mean { axis = 1 }:reshape { -1, 1 }):exp(), F.random.uniform { shape = { 2 } }
  end)
end

local a, b = nd.ones { 2, 4 }, nd.ones { 4, 3 }
local have_dot = os.execute "command -v dot >/dev/null 2>&1"

-- A node's line in DOT text.
local function line_of(dot, graph, pattern)
  for line in dot:gmatch "[^\n]+" do
    if line:find("^    \"g" .. graph .. "_%d+\" %[label") and line:find(pattern) then return line end
  end
end

-- The graph's picture without fused groups.
local function unfused(...)
  local before = core.host.debug { jit = "off" }
  local ok, dot = pcall(hl.viz.graph, ...)
  core.host.debug(before)
  assert.truthy(ok, dot)
  return dot
end

describe("viz.graph", function()
  it("shows each node with operator, name, type, line, place, and a colour for its kind", function()
    local dot = unfused(small_function(), a, b)
    local product = line_of(dot, 1, "<b>dot</b>")
    assert.truthy(product:find("float32 (2, 3)", 1, true) and product:find("viz_spec.lua:10", 1, true), product)
    assert.truthy(line_of(dot, 2, "<b>mean</b>"):find "viz_spec.lua:11   workspace %+%d", dot)
    assert.truthy(line_of(dot, 2, "<b>exp</b>"):find("   output", 1, true))
    local function colour(op) return line_of(dot, 1, "<b>" .. op .. "</b>"):match "fillcolor=\"(#%x+)\"" end
    local colours = { colour "dot", colour "_mul_scalar", colour "mean", colour "Reshape", colour "_random_uniform" }
    for i = 1, #colours do for k = 1, i - 1 do assert.not_equal(colours[i], colours[k]) end end
    assert.equal(colour "_mul_scalar", colour "exp")
    for _, kind in ipairs { "random", "view", "elementwise", "reduction", "kernel" } do
      assert.truthy(dot:find(">" .. kind .. "</td>", 1, true), kind)
    end
    assert.truthy(dot:find "after the passes: 8 operators became %d+ instructions, %d+ bytes of workspace")
  end)

  it("shows the line where a layer was made, and those of the script's own code", function()
    local here = debug.getinfo(1, "l").currentline
    local net = nn.HybridSequential()
    net:add(nn.Dense(3, { in_units = 4 }),
            nn.HybridLambda(function(F, x) return F.exp(x) end))
    net:add(nn.Dense(2, { in_units = 3 }))
    net:initialize()
    local dot = hl.viz.graph(net, a, { passes = "before" })
    local lines = {}
    for line in dot:gmatch "<b>FullyConnected</b>[^\n]*viz_spec.lua:(%d+)" do
      lines[#lines + 1] = tonumber(line) - here
    end
    assert.same({ 2, 4 }, lines)
    assert.equal(here + 3, tonumber(dot:match "<b>exp</b>[^\n]*viz_spec.lua:(%d+)"))
  end)

  it("hides internal parameters that layers set", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(2, { in_units = 3 }), nn.Embedding(3, 2))
    net:initialize()
    local dot = hl.viz.graph(net, nd.zeros { 2, 3 }, { gradient = true })
    assert.truthy(dot:find("num_hidden=2", 1, true))
    assert.falsy(dot:find("_check", 1, true))
  end)

  it("shows the graph before, after or both, with backward on request", function()
    local f = small_function()
    local before = hl.viz.graph(f, a, b, { passes = "before" })
    assert.truthy(before:find "as traced" and not before:find "after the passes")
    local after = unfused(f, a, b, { passes = "after", gradient = true })
    assert.truthy(after:find "after the passes" and not after:find "as traced")
    assert.truthy(line_of(after, 1, "_backward_softmax"):find "dashed")
    assert.falsy(line_of(after, 1, "<b>softmax</b>"):find "dashed")
    assert.raises(function() hl.viz.graph(f, a, b, { passes = "during" }) end,
      "viz_spec.lua:%d+: viz.graph: passes: expected 'before'")
    assert.raises(function() hl.viz.graph(f, a, b, { format = "gif" }) end, "format: expected 'dot'")
    assert.raises(function() hl.viz.graph(f, a, b, { format = "dot", colour = 1 }) end, "unknown option 'colour'")
    assert.raises(function() hl.viz.graph(print, a) end, "net: expected a HybridBlock")
  end)

  it("names gradients by their parameters, and head gradients by their outputs", function()
    local net = nn.HybridSequential { prefix = "net_" }
    net:name_scope(function() net:add(nn.Dense(3, { in_units = 4 }), nn.Dense(2, { in_units = 3 })) end)
    net:initialize()
    for _, jit in ipairs { "off", "sync" } do
      local was = core.host.debug { jit = jit }
      local ok, dot = pcall(hl.viz.graph, net, a, { passes = "after", gradient = true })
      core.host.debug(was)
      assert.truthy(ok, dot)
      for _, name in ipairs { "net_dense0_weight", "net_dense0_bias", "net_dense1_weight", "net_dense1_bias",
          "data" } do
        local _, count = dot:gsub('label="gradient of ' .. name .. '"', "")
        assert.equal(1, count, name)
      end
      local _, all = dot:gsub('label="gradient of ', "")
      assert.equal(5, all)
      -- The gradient of a weight is the output of a node with its shape.
      local out = dot:match '"(g1_out%d+)" %[label="gradient of net_dense1_weight"'
      local from = dot:match('"(g1_%d+)" %-> "' .. out .. '"')
      assert.truthy(dot:match('"' .. from .. '" (%b[])'):find("float32 (2, 3)", 1, true), dot)
      assert.truthy(line_of(dot, 1, "<b>gradient of output 0</b>"), dot)
      assert.falsy(dot:find("<b>head</b>", 1, true))
    end
    local two = hl.compile(function(_, x) return x * 2, x:exp() end)
    local dot = unfused(two, a, { passes = "after", gradient = true })
    assert.truthy(line_of(dot, 1, "<b>gradient of output 0</b>") and line_of(dot, 1, "<b>gradient of output 1</b>"),
      dot)
    assert.truthy(dot:find('label="output 1"', 1, true) and dot:find('label="gradient of ', 1, true))
  end)

  it("shows only parameters that differ from their defaults", function()
    local f = hl.compile(function(F, x) return F.sum(F.Dropout(x, { p = 0.25 }), { axis = 1, keepdims = false }) end)
    for _, gradient in ipairs { false, true } do
      local dot = unfused(f, a, { gradient = gradient, train = true })
      assert.truthy(line_of(dot, 1, "<b>Dropout</b>"):find("<br/>p=0.25<br/>", 1, true), dot)
      assert.truthy(line_of(dot, 1, "<b>sum</b>"):find("<br/>axis=1<br/>", 1, true), dot)
    end
    local dot = unfused(small_function(), a, b, { gradient = true })
    assert.falsy(dot:find("forward_stype", 1, true))
    assert.falsy(dot:find("exclude=", 1, true))
  end)

  it("uses the word kernel for one thing at a time, fused or hand-written", function()
    local was = core.host.debug { jit = "sync" }
    local ok, dot = pcall(hl.viz.graph, small_function(), a, b)
    core.host.debug(was)
    assert.truthy(ok, dot)
    for before in dot:gmatch "([^\n]-)kernel" do
      assert.truthy(before:find "fused $" or before:find "hand%-written<br/>$" or
        before:find "after the passes.*fused $", before)
    end
  end)

  it("puts one graph below the other on request", function()
    local f = small_function()
    assert.falsy(hl.viz.graph(f, a, b):find("between", 1, true))
    local dot = hl.viz.graph(f, a, b, { layout = "below" })
    assert.truthy(dot:find('"g1_out1" -> between [style=invis]', 1, true) and
      dot:find('between -> "g2_0" [style=invis]', 1, true), dot)
    assert.raises(function() hl.viz.graph(f, a, b, { layout = "above" }) end,
      "viz_spec.lua:%d+: viz.graph: layout: expected 'beside' or 'below', got 'above'")
    if not have_dot then return end
    local function size(layout)
      local text = hl.viz.graph(f, a, b, { layout = layout, format = "svg" })
      return tonumber(text:match 'width="(%d+)pt"'), tonumber(text:match 'height="(%d+)pt"')
    end
    local wide, low = size "beside"
    local narrow, high = size "below"
    assert.truthy(narrow < 0.75 * wide and high > 1.4 * low)
  end)

  it("draws edges from inputs to users, with the index of the output if there are several", function()
    local f = hl.compile(function(F, x)
      local parts = F.split(x, { num_outputs = 2, axis = 1 })
      return parts[2] - parts[1]
    end)
    local dot = hl.viz.graph(f, a, { passes = "before" })
    local split = line_of(dot, 1, "SliceChannel"):match '"(g1_%d+)"'
    local minus = line_of(dot, 1, "broadcast_sub"):match '"(g1_%d+)"'
    assert.truthy(dot:find(('"%s" -> "%s" [label=1'):format(split, minus), 1, true), dot)
    assert.truthy(dot:find(('"%s" -> "%s" [label=0'):format(split, minus), 1, true))
    assert.truthy(dot:find(('"%s" -> "g1_out1"'):format(minus), 1, true))
  end)

  it("draws a box around the operators of a fused group", function()
    local before = core.host.debug { jit = "sync" }
    local ok, dot = pcall(hl.viz.graph, hl.compile(function(F, x, y) return F.exp(F.dot(x, y) * 2 + 1) - 3 end), a, b,
      { passes = "after" })
    core.host.debug(before)
    assert.truthy(ok, dot)
    local box = dot:match 'subgraph "cluster_g1_1" (%b{})'
    for _, op in ipairs { "_mul_scalar", "_plus_scalar", "exp", "_minus_scalar" } do
      assert.truthy(box and box:find("<b>" .. op .. "</b>", 1, true), dot)
    end
    assert.truthy(box:find "kernel 1: " and not box:find "<b>dot</b>", box)
    local times = box:match '"(g1_%d+)" %[label=<<b>_mul_scalar'
    local plus = box:match '"(g1_%d+)" %[label=<<b>_plus_scalar'
    assert.truthy(dot:find(('"%s" -> "%s"'):format(times, plus), 1, true), dot)
  end)

  it("draws blocks without changing them: parameters, traces, the random stream", function()
    hl.random.seed(5)
    local net = nn.HybridSequential()
    net:add(nn.Dense(8, { activation = "relu" }), nn.Dropout(0.5), nn.Dense(3))
    net:initialize()
    net(a)
    local state, weight = { core.random.state() }, net[0].weight:data():copy()
    local dot = hl.viz.graph(net, a, { title = "a <small> \"net\"" })
    assert.truthy(line_of(dot, 1, "<b>FullyConnected</b>"):find("dense%d+_fwd"))
    assert.truthy(dot:find('label="a <small> \\"net\\""', 1, true))
    assert.same(state, { core.random.state() })
    assert.bits(net[0].weight:data(), weight)
    assert.same({}, net:explain { format = "table" }.traces)
  end)

  it("writes files, SVG by graphviz, or reports that it is missing", function()
    local folder = scratch.folder()
    hl.viz.graph(small_function(), a, b, { path = folder:file "net.dot" })
    assert.truthy(scratch.read(folder:file "net.dot"):find "^digraph {")
    if have_dot then
      local text = hl.viz.graph(small_function(), a, b, { path = folder:file "net.svg", gradient = true })
      assert.equal(text, scratch.read(folder:file "net.svg"))
      assert.truthy(text:find "<svg" and text:find "softmax" and text:find "viz_spec.lua:10")
    end
    folder:remove()
    local script = command.file [[
      local hl = require "hybridlua"
      print(pcall(hl.viz.graph, hl.compile(function(F, x) return x + 1 end), hl.nd.ones { 2 }, { format = "svg" }))]]
    local program = scratch.absolute(command.program)
    if scratch.is_own_program then
      local text = command.run(("PATH=/nowhere %s %s"):format(program, script))
      assert.truthy(text:find "viz.graph: format: 'svg' needs the program dot, which was not found; install graphviz",
        text)
    end
  end)
end)

describe("a Symbol", function()
  local function mlp()
    local y = sym.FullyConnected(sym.var "data", { num_hidden = 4, name = "fc1" })
    y = sym.Activation(y, { act_type = "relu", name = "relu1" })
    y = sym.FullyConnected(y, { num_hidden = 2, name = "fc2" })
    return sym.SoftmaxOutput(y, { name = "softmax" })
  end

  it("is drawn with the shapes of its inputs, or without", function()
    local dot = hl.viz.graph(mlp(), { data = { 1, 8 } })
    assert.truthy(line_of(dot, 1, "<br/>fc1<br/>"):find("float32 (1, 4)", 1, true))
    assert.truthy(hl.viz.graph(mlp()):find "as traced")
    assert.raises(function() hl.viz.graph(mlp(), { softmax_label = { 3 } }) end)
  end)

  it("titles the picture with its name, or with its inputs", function()
    assert.truthy(hl.viz.graph(mlp()):find('label="softmax"', 1, true))
    assert.truthy(hl.viz.graph(mlp() * 2):find('label="a Symbol of data and 5 variables more"', 1, true))
    assert.truthy(hl.viz.graph(sym.var "x" * 2):find('label="a Symbol of x"', 1, true))
    assert.truthy(hl.viz.graph(mlp() * 2, { data = { 1, 8 } }, { title = "mine" }):find('label="mine"', 1, true))
  end)

  it("is drawn by plot_network without weights, unless requested", function()
    local dot = hl.viz.plot_network(mlp(), { shape = { data = { 1, 8 } }, title = "mlp" })
    assert.truthy(dot:find("<b>data</b>", 1, true) and not dot:find "fc1_weight" and dot:find 'label="mlp"')
    assert.truthy(line_of(dot, 1, "relu1"):find("float32 (1, 4)", 1, true))
    assert.truthy(hl.viz.plot_network(mlp(), { hide_weights = false }):find "fc1_weight")
  end)

  it("is drawn by plot_network with graphviz's attributes and with dtypes", function()
    local options = { shape = { data = { 1, 8 } }, node_attrs = { shape = "oval", fixedsize = "false" } }
    local dot = hl.viz.plot_network(mlp(), options)
    assert.truthy(line_of(dot, 1, "relu1"):find('fixedsize="false", shape="oval"', 1, true))
    assert.truthy(dot:find('<b>data</b><br/>float32 (1, 8)>, fillcolor="white", fixedsize="false", shape="ellipse"', 1,
      true))
    dot = hl.viz.plot_network(mlp(), { shape = { data = { 1, 8 } }, dtype = { data = "float64" } })
    assert.truthy(line_of(dot, 1, "relu1"):find("float64 (1, 4)", 1, true))
    local function plot(attributes) return function() hl.viz.plot_network(mlp(), { node_attrs = attributes }) end end
    assert.raises(plot(3), "plot_network: node_attrs: expected a table")
    assert.raises(plot { ["a b"] = "c" }, "graphviz's names as keys")
    assert.raises(plot { shape = {} }, "shape: expected a text")
  end)

  -- As printed by MXNet 1.9.1.
  it("is summarised as a table of its layers", function()
    local lines, print_ = {}, print
    _G.print = function(text) lines[#lines + 1] = text end
    local ok, message = pcall(function()
      local y = mlp()
      hl.viz.print_summary(y, { data = { 1, 8 } })
      hl.viz.print_summary(y + y, { data = { 3, 8 } }, 60)
    end)
    _G.print = print_
    assert.truthy(ok, message)
    local function row(name, shape, n, before) return ("%-52s%-24s%-12s%-32s"):format(name, shape, n, before) end
    local line, double = ("_"):rep(120), ("="):rep(120)
    assert.same({ line, row("Layer (type)", "Output Shape", "Param #", "Previous Layer"), double,
      row("data(null)", "8", "0", ""), line,
      row("fc1(FullyConnected)", "4", "36", "data"), line, row("relu1(Activation)", "4", "0", "fc1"), line,
      row("fc2(FullyConnected)", "2", "10", "relu1"), line, row("softmax(SoftmaxOutput)", "2", "0", "fc2"), double,
      "Total params: 46", line }, table.move(lines, 1, 15, 1, {}))
    assert.equal(60, #lines[16])
    local text = table.concat(lines, "\n", 16)
    local _, twice = text:gsub("softmax +\n", "")
    assert.equal(2, twice)
    assert.truthy(text:find "Total params: 46")
  end)
end)
