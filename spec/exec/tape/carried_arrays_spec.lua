-- carried_arrays_spec.lua - arrays used after a backward that freed their tape are cut, refused or warned of, at the
-- same places in eager and compiled code.
local hl = require "hybridlua"
local command = require "support.command"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

describe("an array whose graph was freed", function()
  local Cell = gluon.HybridBlock:subclass "Cell"
  function Cell:init() self.w = self.params:get("w", { shape = { 1 }, init = hl.init.Constant(2) }) end
  function Cell:hybrid_forward(_, h, x, p)
    h = h * p.w + x
    return h * h, h
  end

  local function cell(hybridized)
    local net = Cell()
    net:initialize()
    if hybridized then net:hybridize() end
    return net
  end

  -- Gradients of w over four batches, as MXNet 1.9.1 computes them; prepare(h) is applied to the state between batches.
  local function gradients(net, options, prepare)
    local list, h, l = {}, nd.array { 1 }, nil
    for t = 1, 4 do
      autograd.record(function() l, h = net(h, nd.array { t }) end, options)
      l:backward()
      list[t] = net.w:grad():asscalar()
      if prepare then h = prepare(h) end
    end
    return list, h:asscalar()
  end

  it("is a constant afterwards, as in MXNet", function()
    for _, hybridized in ipairs { false, true } do
      local list, h = gradients(cell(hybridized), { carried = "cut" })
      assert.same({ 6, 48, 304, 1596 }, list)
      assert.equal(42, h)
      assert.same(list, (gradients(cell(hybridized), nil, function(state) return state:detach() end)))
    end
  end)

  it("is cut at the same places, eager and hybridized, with the same bits", function()
    local function run(hybridized)
      hl.random.seed(5)
      local Rnn = gluon.HybridBlock:subclass "Rnn"
      function Rnn:init()
        self.i, self.h, self.o = gluon.nn.Dense(4, { in_units = 3 }), gluon.nn.Dense(4, { in_units = 4 }),
          gluon.nn.Dense(2, { in_units = 4 })
      end
      function Rnn:hybrid_forward(F, x, h, c)
        c = c * F.sigmoid(self.h(h)) + self.i(x)
        h = F.tanh(c)
        return self.o(h), h, c
      end
      local net = Rnn()
      net:initialize(hl.init.Normal(0.5))
      if hybridized then net:hybridize() end
      local h, c = nd.zeros { 2, 4 }, nd.zeros { 2, 4 }
      for _ = 1, 5 do
        local x, out, l = nd.random.normal(0, 1, { 2, 3 }), nil, nil
        autograd.record(function()
          out, h, c = net(x, h, c)
          l = (out * out):sum()
        end, { carried = "cut" })
        l:backward()
      end
      local list = { h, c }
      for _, p in ipairs(net:collect_params():values()) do list[#list + 1] = p:grad() end
      return list
    end
    local eager, compiled = run(false), run(true)
    for i, x in ipairs(eager) do assert.bits(x, compiled[i]) end
  end)

  -- A block of a few random operators on its states and w, with values in it or computed from them as outputs. Over
  -- four batches backward runs from random heads, sometimes with retain_graph. Gradients, or the final error, as text.
  local function random_run(seed, hybridized)
    local random = math.random
    math.randomseed(seed)
    local n_states, n_ops = random(1, 3), random(2, 6)
    local ops, outs = {}, {}
    for i = 1, n_ops do ops[i] = { random(1, 4), random(1, n_states + i - 1), random(1, n_states + i - 1) } end
    for k = 1, n_states + 1 do outs[k] = random(1, n_states + n_ops) end
    local Random = gluon.HybridBlock:subclass "Random"
    function Random:init() self.w = self.params:get("w", { shape = { 3 }, init = "ones" }) end
    function Random:hybrid_forward(F, ...)
      local v, results = { ... }, {}
      local w = table.remove(v).w
      for k = 1, n_states do v[k] = v[k] * w end
      for _, op in ipairs(ops) do
        local a, b = v[op[2]], v[op[3]]
        v[#v + 1] = op[1] == 1 and a * w or op[1] == 2 and F.tanh(a) + b or op[1] == 3 and a * b or F.sin(a) * w
      end
      for k, i in ipairs(outs) do results[k] = i > n_states and (i + k) % 2 == 0 and v[i] or v[i] * 1 end
      return table.unpack(results)
    end
    local net, states, lines = Random(), {}, {}
    net:initialize()
    if hybridized then net:hybridize() end
    for k = 1, n_states do states[k] = nd.array { 0.1 * k, 0.2, 0.3 } end
    local ok = true
    for _ = 1, 4 do
      local heads, retain, message = random(1, n_states + 1), random(1, 3) == 1
      ok, message = pcall(function()
        local results
        autograd.record(function() results = { net(table.unpack(states)) } end, { carried = "cut" })
        autograd.backward(table.move(results, 1, heads, 1, {}), nil, { retain_graph = retain })
        states = table.move(results, 2, n_states + 1, 1, {})
      end)
      lines[#lines + 1] = ok and table.concat(net.w:grad():totable(), " ") or
        message:match "was freed by an earlier backward" or message
      if not ok then break end
    end
    return table.concat(lines, "\n"), ok
  end

  it("is cut at the same places for random outputs, heads and retain_graph", function()
    local whole = 0
    for seed = 1, 150 do
      local eager, ok = random_run(seed, false)
      assert.equal(eager, (random_run(seed, true)), "seed " .. seed)
      if ok then whole = whole + 1 end
    end
    assert.truthy(whole > 20, whole)
  end)

  it("is not cut if retain_graph kept its tape, or if backward did not reach it", function()
    for _, hybridized in ipairs { false, true } do
      local net, l, h, m = cell(hybridized), nil, nil, nil
      autograd.record(function() l, h = net(nd.array { 1 }, nd.array { 1 }) end)
      l:backward { retain_graph = true }
      autograd.record(function() m = h * net.w:data() end, { carried = "error" })
      m:backward()
      assert.equal(5, net.w:grad():asscalar())              -- (w + 1) w
      autograd.record(function() l, h = net(nd.array { 1 }, nd.array { 1 }) end)
      autograd.record(function() m = h * net.w:data() end, { carried = "error" })
      m:backward()
      assert.equal(5, net.w:grad():asscalar())
    end
  end)

  it("is still an error if it was used before the backward", function()
    for _, hybridized in ipairs { false, true } do
      local net, l, h, z = cell(hybridized), nil, nil, nil
      autograd.record(function()
        l, h = net(nd.array { 1 }, nd.array { 1 })
        z = h * 2
      end)
      l:backward()
      assert.raises(function() z:backward() end, "carried_arrays_spec.lua:%d+: backward: part of the tape",
        "was freed by an earlier backward")
      assert.raises(function() h:backward() end, "the tape was freed by an earlier backward")
    end
  end)

  it("can be refused; unknown options are errors", function()
    for _, hybridized in ipairs { false, true } do
      assert.raises(function() gradients(cell(hybridized), { carried = "error" }) end,
                    "carried_arrays_spec.lua:%d+: autograd.record: carried: " ..
                    "an array computed at [^\n]*carried_arrays_spec.lua:%d+ is used here, but the backward at [^\n" ..
                      "]*carried_arrays_spec.lua:%d+ freed its graph", "x:detach")
    end
    assert.raises(function() autograd.record(function() end, { carried = "maybe" }) end,
                  "carried_arrays_spec.lua:%d+: autograd.record: carried: expected 'warn', 'cut' or 'error', got maybe")
    assert.raises(function() autograd.record { carried = 3 } end,
      "carried: expected 'warn', 'cut' or 'error', got an integer")
    do
      local _ <close> = autograd.record { carried = "cut" }
      local net, h = cell(false), nd.array { 1 }
      for _ = 1, 2 do
        local l
        l, h = net(h, h)
        l:backward()
      end
    end
    assert.falsy(autograd.is_recording())
  end)

  it("is cut in compiled training steps, by the option of their record", function()
    local function run(compiled, carried)
      local net = gluon.nn.Dense(2, { in_units = 2 })
      net:initialize(hl.init.One())
      local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
      local function step(F, x, h)
        local l, state
        autograd.record(function()
          state = F.tanh(net(x) + h)
          l = (state * state):sum()
        end, { carried = carried })
        l:backward()
        trainer:step(2)
        return l, state
      end
      local f = compiled and hl.compile(step) or function(x, h) return step(nd, x, h) end
      local h, losses = nd.zeros { 2, 2 }, {}
      for t = 1, 4 do
        losses[t], h = f(nd.ones { 2, 2 } * (0.1 * t), h)
      end
      return nd.stack(losses, { axis = 0 })
    end
    assert.bits(run(false, "cut"), run(true, "cut"))
    for _, compiled in ipairs { false, true } do
      assert.raises(function() run(compiled, "error") end, "autograd.record: carried: an array computed at")
    end
  end)

  it("causes one warning, with the lines", function()
    local name = os.tmpname()
    local file = command.file [[
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd
local w = nd.array {2}
w:attach_grad()
local function run(hybridized)
  local f = function(F, h, c, v) h = h * v + c  c = c * v  return h * c, h, c end
  if hybridized then f = hl.gluon.nn.HybridLambda(f) f:hybridize() else f = hl.gluon.nn.HybridLambda(f) end
  local h, c = nd.array {1}, nd.array {1}
  for t = 1, 3 do
    local l
    autograd.record(function() l, h, c = f(h, c, w) end)
    l:backward()
  end
end
run(arg[1] == "hybridized")
]]
    for _, how in ipairs { "eager", "hybridized" } do
      os.execute(("%s %s %s 2>%s"):format(command.program, file, how, name))
      local handle <close> = assert(io.open(name))
      local text = handle:read "a"
      local _, count = text:gsub("UserWarning", "")
      assert.equal(1, count, text)
      assert.matches(":%d+: UserWarning: an array computed at [^\n]-:%d+ is used after the backward at [^\n" ..
        "]-:12, which freed its graph", text)
      assert.matches("x:detach%(%) where it is carried, or autograd.record%(f, {carried = \"cut\"}%)", text)
    end
    os.remove(name)
  end)
end)
