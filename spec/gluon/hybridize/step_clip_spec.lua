-- step_clip_spec.lua - clip_global_norm in compiled training steps: a node with the bits of the eager function, in
-- explain(), with its warning, and in exported steps.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn, utils = gluon.nn, gluon.utils

-- Everything written to io.stderr while fn runs.
local function said_by(fn)
  local stderr, said = io.stderr, {}
  local _ <close> = setmetatable({}, { __close = function() io.stderr = stderr end })       -- luacheck: ignore 122
  io.stderr = { write = function(_, text) said[#said + 1] = text end }       -- luacheck: ignore 122
  fn()
  return table.concat(said)
end

local function new_training()
  hl.random.seed(5)
  local t = { net = nn.HybridSequential(), loss_of = gluon.loss.L2Loss() }
  t.net:add(nn.Dense(5, { activation = "tanh", in_units = 3 }), nn.Dense(2, { in_units = 5 }))
  t.net:initialize()
  t.params = t.net:collect_params()
  t.trainer = gluon.Trainer(t.params, "adam", { learning_rate = 0.05 })
  return t
end

local function batch(i, scale)
  hl.random.seed(100 + i)
  return nd.random.normal { shape = { 4, 3 } }, nd.random.normal { shape = { 4, 2 } } * scale
end

-- A step that clips by clip(t).
local function step_with(clip)
  return function(t)
    return function(_, x, y)
      local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
      loss:backward()
      clip(t)
      t.trainer:step(4)
      return loss
    end
  end
end

local function gradients_of(t)
  local list = {}
  for i, param in ipairs(t.params:values()) do list[i] = param:grad() end
  return list
end

-- Trains 5 steps in both ways, and compares parameters and gradients after each; returns the compiled step.
local function compare(make, scale_of, before)
  local found, run = {}, nil
  for _, way in ipairs { "eager", "compiled" } do
    local t, list = new_training(), {}
    if before then before(t) end
    local fn = make(t)
    run = way == "eager" and function(...) return fn(nd, ...) end or hl.compile(fn)
    for i = 1, 5 do
      list[#list + 1] = run(batch(i, scale_of(i))):tobytes()
      for _, param in ipairs(t.params:values()) do
        list[#list + 1] = param:data():tobytes()
        list[#list + 1] = param:grad():tobytes()
      end
    end
    found[way] = list
  end
  assert.equal(45, #found.eager)
  for i, bytes in ipairs(found.eager) do assert.equal(bytes, found.compiled[i], "value " .. i) end
  return run
end

local NODE = "_contrib_clip_global_norm %(clip_global_norm%)[^\n]-effect[^\n]-step_clip_spec.lua:%d+"
local function is_node(run, times)
  local _, n = run:explain():gsub(NODE, "")
  assert.equal(times or 1, n)
  assert.falsy(run:explain():find("_host_call (clip_global_norm)", 1, true))
end

describe("clip_global_norm in a compiled step", function()
  local ways = {
    ["of gradients that the step requests"] = step_with(function(t) utils.clip_global_norm(gradients_of(t), 0.5) end),
    ["by the trainer"] = step_with(function(t) t.trainer:clip_gradients(0.5) end),
    ["of gradients gathered before"] = function(t)
      local list = gradients_of(t)
      return step_with(function() utils.clip_global_norm(list, 0.5, false) end)(t)
    end,
  }
  for name, make in pairs(ways) do
    it("is a node with the bits of eager steps, " .. name, function()
      is_node(compare(make, function(i) return i % 2 == 0 and 1e-3 or 20 end))
    end)
  end

  it("awaits shapes that the first call determines", function()
    local weights = {}
    for _, way in ipairs { "eager", "compiled" } do
      local t = new_training()
      t.net = nn.Dense(2)
      t.net:initialize()
      t.params = t.net:collect_params()
      t.trainer = gluon.Trainer(t.params, "adam")
      local fn = ways["by the trainer"](t)
      local run = way == "eager" and function(...) return fn(nd, ...) end or hl.compile(fn)
      for i = 1, 3 do run(batch(i, 20)) end
      if way == "compiled" then is_node(run) end
      weights[way] = t.net.weight:data()
    end
    assert.bits(weights.eager, weights.compiled)
  end)

  it("changes no gradient below the limit", function()
    local t = new_training()
    local plain = new_training()
    hl.compile(step_with(function(one) one.trainer:clip_gradients(1e6) end)(t))(batch(1, 1))
    hl.compile(step_with(function() end)(plain))(batch(1, 1))
    for i, param in ipairs(t.params:values()) do assert.bits(plain.params:values()[i]:grad(), param:grad()) end
  end)

  it("clips some of the gradients, twice, in float64, and with grad_req add", function()
    local double = step_with(function(t)
      utils.clip_global_norm({ t.net[0].weight:grad(), t.net[1].bias:grad() }, 0.1)
      t.trainer:clip_gradients(0.05)
    end)
    is_node(compare(double, function() return 3 end, function(t)
      t.net[0].weight.grad_req = "add"
    end), 2)
    local wide = step_with(function(t) t.trainer:clip_gradients(0.05) end)
    is_node(compare(function(t)
      return function(F, x, y) return wide(t)(F, x:astype "float64", y:astype "float64") end
    end, function() return 3 end, function(t) t.net:cast "float64" end))
  end)

  it("follows replaced parameters", function()
    local count = 0
    compare(ways["by the trainer"], function(i)
      count = i
      return 5
    end)
    assert.equal(5, count)
    local lists = {}
    for _, way in ipairs { "eager", "compiled" } do
      local t = new_training()
      local fn = ways["by the trainer"](t)
      local run = way == "eager" and function(...) return fn(nd, ...) end or hl.compile(fn)
      for i = 1, 4 do
        hl.random.seed(9)
        if i == 3 then t.net:initialize { force_reinit = true } end
        run(batch(i, 5))
      end
      lists[way] = t.net[0].weight:data()
    end
    assert.bits(lists.eager, lists.compiled)
  end)

  it("warns of a norm that is not finite, with its line, once, and gives NaN", function()
    local line = debug.getinfo(1, "l").currentline + 1
    local make = step_with(function(t) t.trainer:clip_gradients(0.5) end)
    local said = said_by(function()
      local t = new_training()
      hl.compile(make(t))(batch(1, 0 / 0))
      local weight = t.net[0].weight:data()[{ 0, 0 }]:asscalar()
      assert.truthy(weight ~= weight)
    end)
    local warning = ("step_clip_spec.lua:%d: UserWarning: nan or inf is detected."):format(line)
    assert.truthy(said:find(warning, 1, true), said)
    assert.equal("", said_by(function()
      for _, bad in ipairs { 0 / 0, math.huge } do
        is_node(compare(make, function(i) return i == 3 and bad or 1 end))
      end
    end))
    local one = step_with(function(t) t.trainer:clip_gradients(0.5) end)
    said = said_by(function()
      local t = new_training()
      local run = hl.compile(one(t))
      for i = 1, 3 do run(batch(i, 0 / 0)) end
    end)
    local _, times = said:gsub("UserWarning", "")
    assert.equal(1, times)
  end)

  it("does not warn with check_isfinite = false", function()
    local make = step_with(function(t) utils.clip_global_norm(gradients_of(t), 0.5, false) end)
    local run
    assert.equal("", said_by(function() run = compare(make, function(i) return i == 3 and 0 / 0 or 1 end) end))
    is_node(run)
    assert.falsy(run:explain():find("warning of clip_global_norm", 1, true))
  end)

  it("calls Lua for arrays that are not gradients of what the function reads, or come twice", function()
    local sums = {}
    for _, make in ipairs {
      function()
        local other = nd.ones { 3 } * 2
        sums[#sums + 1] = other
        return step_with(function(t)
          local list = gradients_of(t)
          list[#list + 1] = other
          utils.clip_global_norm(list, 0.5)
        end)
      end,
      function()
        return step_with(function(t)
          local weight = t.net[0].weight
          utils.clip_global_norm({ weight:grad(), weight:grad() }, 0.5)
        end)
      end } do
      local run = compare(function(t) return make()(t) end, function() return 20 end)
      assert.truthy(run:explain():find("_host_call (clip_global_norm)", 1, true))
    end
    assert.bits(sums[1], sums[2])
    assert.truthy(sums[1][0]:asscalar() < 2)
  end)

  it("is exported, with the norm as an output", function()
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local _ <close> = setmetatable({}, { __close = function() os.execute("rm -r " .. folder) end })
    local t = new_training()
    t.trainer = gluon.Trainer(t.params, "sgd", { momentum = 0.9, learning_rate = 0.1 })
    local step = hl.compile(ways["by the trainer"](t))
    step(batch(1, 1))
    local symbol, params = step:export(folder .. "/step")
    local block = gluon.SymbolBlock.imports(symbol, { "data0", "data1", "numbers" }, params)
    local numbers, norms = nd.load(params)["arg:numbers"], {}
    for i = 1, 4 do
      local x, y = batch(i, i % 2 == 0 and 1e-3 or 20)
      local copy = new_training()
      for k, param in ipairs(copy.params:values()) do param:set_data(t.params:values()[k]:data()) end
      autograd.record(function() return copy.loss_of(copy.net(x), y) end):backward()
      local out = block(x, y, numbers)
      assert.bits(step(x, y), out[1])
      norms[i] = out[3]:asscalar()
      assert.equal(utils.clip_global_norm(gradients_of(copy), 0.5), norms[i])
      for _, param in ipairs(t.params:values()) do
        assert.bits(param:data(), block:collect_params():get(param.name):data())
      end
    end
    assert.truthy(norms[1] > 0.5 and norms[2] < 0.5)
    local other = nd.ones { 2 }
    local strange = hl.compile(step_with(function(one)
      utils.clip_global_norm({ one.net[0].weight:grad(), other }, 1)
    end)(t))
    strange(batch(1, 1))
    assert.raises(function() strange:export(folder .. "/step") end,
      "export: clip_global_norm at .*step_clip_spec.lua:%d+: expected gradients of parameters that the function reads",
      "got others")
  end)
end)

describe("contrib.clip_global_norm", function()
  it("has the bits of the eager function in all sizes and ranges", function()
    hl.random.seed(2)
    for _, n in ipairs { 1, 15, 17, 1023, 1025, 131071, 131073, 1048577 } do
      for _, scale in ipairs { 1, 1e-30, 1e25, 0 } do
        for _, dtype in ipairs(n < 2000 and { "float32", "float64" } or { "float32" }) do
          local a, b = nd.random.normal { shape = { n } }:astype(dtype) * scale, nd.random.normal { shape = { 3, 5 } }
          local out = nd.contrib.clip_global_norm(a, b, { max_norm = 1, num_arrays = 2 })
          assert.equal(utils.clip_global_norm({ a, b }, 1), out[3]:asscalar())
          assert.bits(a, out[1])
          assert.bits(b, out[2])
        end
      end
    end
  end)

  it("refuses integers", function()
    assert.raises(function() nd.contrib.clip_global_norm(nd.array({ 1 }, { dtype = "int32" }), { max_norm = 1 }) end,
      "contrib.clip_global_norm: ")
  end)
end)
