-- same_or_refused_spec.lua - known pitfalls of tracing: every script here has the same bits eager and hybridized, or
-- raises an error that names its line.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local HERE = "same_or_refused_spec.lua:%d+"
local count = 0

-- A block whose hybrid_forward is fn(F, ...).
local function block(fn, hybridized)
  count = count + 1
  local Class = gluon.HybridBlock:subclass("Footgun" .. count)
  function Class:hybrid_forward(F, ...) return fn(F, ...) end
  local made = Class()
  if hybridized then made:hybridize() end
  return made
end

local function input() return nd.array { { 1, -2, 3 }, { 4, 5, -6 } } end
local function traces(b) return b:explain { format = "table" }.traces end

-- The results of a call as a flat list, or nil and the error text.
local function outcome(fn, ...)
  local results = table.pack(pcall(fn, ...))
  if not results[1] then return nil, results[2] end
  local list = {}
  local function add(x)
    if type(x) ~= "table" then list[#list + 1] = x return end
    for _, item in ipairs(x) do add(item) end
  end
  for i = 2, results.n do add(results[i]) end
  return list
end

local inner = block(function(F, v) return F.relu(v) end)

local same = {
  ["indexing a row"] = function(_, v) return v[0] end,
  ["indexing from the end"] = function(_, v) return v[-1] end,
  ["a slice"] = function(_, v) return v["0:1"] end,
  ["a slice of columns"] = function(_, v) return v[{ {}, { 0, 2 } }] end,
  ["rows by an array"] = function(_, v) return v[nd.array({ 1, 0, 1 }, { dtype = "int32" })] end,
  ["rows by computed indices"] = function(F, v) return F.take(v, v:argmax { axis = 1 } % 2) end,
  ["a loop over #v"] = function(_, v) local s = 0 for i = 0, #v - 1 do s = s + v[i] end return s end,
  ["arithmetic that broadcasts"] = function(_, v) return v + v:sum { axis = 0 } end,
  ["reading a shape"] = function(_, v) return v:reshape { v.shape[1], -1 } * v.ndim * v.size end,
  ["a branch on a shape"] = function(_, v) if v.shape[1] > 1 then return v * 2 end return v end,
  ["a branch on a dtype"] = function(_, v) return v.dtype == "float32" and v * 2 or v end,
  ["a branch on nil"] = function(_, v, mask) if mask then return v * mask end return v end,
  ["the truth value of an array"] = function(_, v) if v:sum() then return v end return v * 2 end,
  ["== is identity"] = function(_, v) local w = v if v == w and v ~= 1 then return v * 3 end return v end,
  ["nd instead of F"] = function(_, v) return nd.relu(v) + nd.zeros { 2, 3 } + nd.ones_like(v) end,
  ["a constant created in the code"] = function(_, v) return nd.array { 1, 2, 3 } + v end,
  ["the training mode"] = function(_, v) return v * (autograd.is_training() and 2 or 3) end,
  ["the recording mode"] = function(_, v) return v * (autograd.is_recording() and 2 or 3) end,
  ["detach"] = function(_, v) return v:detach() * v end,
  ["a device"] = function(F, v) return F.ones(v.shape, { ctx = v.context }) + v:as_in_context(hl.cpu()) end,
  ["waiting"] = function(_, v) v:wait_to_read() return v + 1 end,
  ["a coroutine"] = function(_, v) return coroutine.wrap(function() coroutine.yield(v + 1) end)() end,
  ["split"] = function(F, v) local p = F.split(v, { num_outputs = 3, axis = 1 }) return p[3] - p[1] end,
  ["nested results"] = function(_, v) return { v, { v + 1, v * 2 } } end,
  ["several results"] = function(_, v) return v, v + 1, v end,
  ["a result that is the argument"] = function(_, v) return v end,
  ["integer division and modulo"] = function(_, v) return v % 2 + v / 4 end,
  ["bit operators as logic"] = function(_, v) return v & 1 | (v - v) end,
  ["an unused computation"] = function(F, v) local _ = F.exp(v) return v end,
  ["writing a text"] = function(_, v) io.write "" io.stdout:write "" return v + 1 end,
  ["a long text"] = function(_, v) return v * #("x"):rep(100000) + #table.concat({ ("y"):rep(70000), "z" }, ", ") end,
  ["a block in a block"] = function(_, v) return inner(v) * 2 end,
  ["NaN and infinities"] = function(F, v) return F.relu(F.log(v)) + F.maximum(v / 0, F.sqrt(v)) end,
}

-- Each value: code that raises in both modes, and the error texts.
local raises_in_both = {
  ["comparing with <"] = { function(_, v) if v < 0 then return v end return v * 2 end, "a:lesser%(b%)" },
  ["comparing with >="] = { function(_, v) if v >= v then return v end return v * 2 end, "a:greater_equal%(b%)" },
  ["math.max"] = { function(_, v) return v * math.max(v, 1) end, "a:lesser" },
  ["ipairs"] = { function(_, v) local s = 0 for _, row in ipairs(v) do s = s + row end return s end,
    "ipairs begins at 1 and would leave out row 0", "pairs%(x%)" },
  ["an index past the end"] = { function(_, v) return v[2] end, "2 is out of range for axis 0" },
  ["tonumber"] = { function(_, v) return v * tonumber(v:sum()) end, "broadcast_mul" },
  ["a loop up to an array"] = { function(_, v) local w = v for _ = 1, v do w = w + 1 end return w end, "'for' limit" },
  ["an unknown operator"] = { function(F, v) return F.rellu(v) end, "rellu" },
  ["an unknown method"] = { function(_, v) return v:rellu() end, "rellu" },
  ["an unknown option"] = { function(F, v) return F.sum(v, { axes = 1 }) end, "sum: unknown option 'axes'", "axis" },
  ["shapes that do not fit"] = { function(_, v) return v + nd.ones { 4 } end, "broadcast_add: rhs", "%(2, 3%)",
    "%(4,%)" },
  ["setting a field of an array"] = { function(_, v) v.note = 1 return v end },
}

-- Each value: code that reads values, and the error texts when hybridized.
local raises_hybridized = {
  ["totable"] = { function(_, v) return v * v:totable()[1][1] end, "totable", "needs values" },
  ["asscalar"] = { function(_, v) return v * v:sum():asscalar() end, "asscalar", "F.where" },
  ["pairs"] = { function(_, v) local s = 0 for _, row in pairs(v) do s = s + row end return s end, "pairs", "F.split" },
  ["writing an element"] = { function(_, v) v[0] = 1 return v end, "F.where" },
  ["writing in place"] = { function(_, v) v:add_(1) return v end, "add_", "without the underscore" },
  ["writing to out"] = { function(F, v) return F.relu(v, { out = v }) end, "out" },
  ["a mask"] = { function(_, v) return v[v:greater(0):astype "bool"] end, "mask", "F.where" },
  ["attach_grad"] = { function(_, v) v:attach_grad() return v end, "attach_grad" },
  ["copyto"] = { function(_, v) return v:copyto(nd.ones { 2, 3 }) end, "copyto" },
  ["free"] = { function(_, v) local w = v + 1 w:free() return v end, "free" },
  ["a number as the result"] = { function() return 3 end, "returns arrays", "number" },
  ["a string as the result"] = { function() return "x" end, "returns arrays", "string" },
  ["math.random"] = { function(_, v) return v * math.random() end, "math.random", "F.random.uniform" },
  ["os.time"] = { function(_, v) return v * os.time() end, "os.time", "frozen" },
  ["os.clock"] = { function(_, v) return v * os.clock() end, "os.clock", "frozen" },
  ["saving"] = { function(_, v) nd.save("/dev/null", { v }) return v end, "nd.save", "Symbol" },
}

local function sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = key end
  table.sort(keys)
  local i = 0
  return function() i = i + 1 return keys[i], t[keys[i]] end
end

describe("hybridized code matches eager code with", function()
  for name, fn in sorted(same) do
    it(name, function()
      local eager, hybrid = block(fn), block(fn, true)
      for call = 1, 3 do
        local want, got = assert(outcome(eager, input())), assert(outcome(hybrid, input()))
        assert.equal(#want, #got)
        for i = 1, #want do assert.bits(got[i], want[i], "call " .. call) end
      end
      local x, y = input(), input()
      x:attach_grad()
      y:attach_grad()
      local a = autograd.record(function() return (eager(x)) end)
      local b = autograd.record(function() return (hybrid(y)) end)
      if type(a) ~= "table" and a ~= x then
        a:backward()
        b:backward()
        assert.bits(y.grad, x.grad)
      end
    end)
  end
end)

describe("an error at the script's line, in both modes, is raised by", function()
  for name, case in sorted(raises_in_both) do
    it(name, function()
      for _, hybridized in ipairs { false, true } do
        assert.raises(function() return block(case[1], hybridized)(input()) end, HERE, table.unpack(case, 2))
      end
    end)
  end
end)

describe("an error in hybridized mode only is raised by", function()
  for name, case in sorted(raises_hybridized) do
    it(name, function()
      assert(outcome(block(case[1]), input()))
      local hybrid = block(case[1], true)
      for _ = 1, 2 do                                    -- the second call shows that no incomplete trace is left
        assert.raises(function() return hybrid(input()) end, table.unpack(case, 2))
      end
    end)
  end

  it("code that draws from math.random, which is restored", function()
    assert.raises(function() return block(function(_, v) return v * math.random() end, true)(input()) end,
      "math.random")
    assert.equal("number", math.type(math.random()) and "number")
    assert.equal("number", type(os.time()))
  end)

  it("code that changes state, named by its line", function()
    local n = 0
    local b = block(function(_, v) n = n + 1 return v * n end, true)
    assert.raises(function() return b(input()) end, "upvalue n", "return the value")
    local Class = gluon.HybridBlock:subclass "Counter"
    function Class:init() self.n = 0 end
    function Class:hybrid_forward(_, v) self.n = self.n + 1 return v end
    local counter = Class()
    counter(input())
    assert.equal(1, counter.n)
    counter:hybridize()
    assert.raises(function() return counter(input()) end, "self.n", HERE)
  end)
end)

describe("a value out of range, in both modes,", function()
  local x = input()
  local ranges = {
    { "2 is out of range", "%-2 to 1", function(_, v) return v[2] end },
    { "%-3 is out of range", "%-2 to 1", function(_, v) return v[-3] end },
    { "3 is out of range", "axis 1", function(_, v) return v[{ 0, 3 }] end },
    { "axis", "%-4", function(F, v) return F.sum(v, { axis = -4 }) end },
    { "axis", "%-2 to 1", function(F, v) return F.sum(v, { axis = 2 }) end },
    { "axis", "5", function(F, v) return F.softmax(v, { axis = 5 }) end },
    { "axis", "4", function(F, v) return F.expand_dims(v, { axis = 4 }) end },
    { "dim", "3", function(F, v) return F.concat(v, v, { dim = 3 }) end },
    { "axis", "3", function(F, v) return F.stack(v, v, { axis = 4 }) end },
    { "axes", "2", function(F, v) return F.transpose(v, { axes = { 0, 2 } }) end },
    { "axis", "7", function(F, v) return F.argmax(v, { axis = 7 }) end },
    { "end", "9", function(F, v) return F.slice_axis(v, { axis = 0, begin = 0, stop = 9 }) end },
    { "axis", "2", function(F, v) return F.slice_axis(v, { axis = 2, begin = 0, stop = 1 }) end },
    { "axis", "2", function(F, v) return F.repeat_(v, { repeats = 2, axis = 2 }) end },
    { "axis", "3", function(F, v) return F.flip(v, { axis = 3 }) end },
    { "dim", "5", function(F, v) return F.swapaxes(v, { dim1 = 0, dim2 = 5 }) end },
    { "axis", "4", function(F, v) return F.take(v, nd.zeros { 1 }, { axis = 4 }) end },
    { "take: indices", "from %-2 to 1, got 9",
      function(F, v) return F.take(v, nd.array { 9 }, { mode = "raise" }) end },
    { "axis", "3", function(F, v) return F.squeeze(v, { axis = 3 }) end },
    { "num_outputs", "2", function(F, v) return F.split(v, { num_outputs = 2, axis = 1 }) end },
    { "at most 2 axes", "got 3", function(_, v) return v[{ 0, 0, 0 }] end },
    { "Dropout: p", "1.5", function(F, v) return F.Dropout(v, { p = 1.5 }) end },
  }
  for i, case in ipairs(ranges) do
    it("raises an error in case " .. i, function()
      for _, hybridized in ipairs { false, true } do
        assert.raises(function() return block(case[3], hybridized)(x) end, HERE, case[1], case[2])
      end
    end)
  end
end)

describe("error texts", function()
  local x, dense = input(), nn.Dense(3, { in_units = 3 })
  dense:initialize()
  local golden = {
    { "broadcast_add: rhs: expected a shape that broadcasts with (2, 3), got (4,)",
      function(_, v) return v + nd.ones { 4 } end },
    { "broadcast_mul: rhs: expected dtype float32, got int32",
      function(_, v) return v * nd.ones({ 3 }, { dtype = "int32" }) end },
    { "dot: ", function(F, v) return F.dot(v, v) end },
    { "FullyConnected: weight: expected shape (5, 3), got (5, 4)",
      function(F, v) return F.FullyConnected(v, nd.ones { 5, 4 }, nd.ones { 5 }, { num_hidden = 5 }) end },
    { "FullyConnected: num_hidden: expected int (a required parameter), got nothing",
      function(F, v) return F.FullyConnected(v, v) end },
    { "FullyConnected: num_hidden: ",
      function(F, v) return F.FullyConnected(v, v, { num_hidden = "x", no_bias = true }) end },
    { "Reshape: shape: expected 6 elements, as (2, 3) has, got (7,)", function(_, v) return v:reshape { 7 } end },
    { "Concat: ", function(F, v) return F.concat(v, nd.ones { 4 }, { dim = 0 }) end },
    { "Activation: act_type: expected", function(F, v) return F.Activation(v, { act_type = "rellu" }) end },
    { "Activation: act_type: expected", function(F, v) return F.Activation(v, {}) end },
    { "relu: data: expected an NDArray or a Symbol, got a string", function(F) return F.relu "x" end },
    { "relu: expected 1 input, got more", function(F, v) return F.relu(v, v) end },
    { "relu: unknown option 'inplace'; it takes none", function(F, v) return F.relu(v, { inplace = true }) end },
    { "softmax: unknown option 'axes'", function(F, v) return F.softmax(v, { axes = 1 }) end },
    { "sum: axis: expected", function(F, v) return F.sum(v, { axis = "x" }) end },
    { "sum: axis: expected", function(F, v) return F.sum(v, { axis = 1.5 }) end },
    { "sum: keepdims: expected bool", function(F, v) return F.sum(v, { keepdims = "perhaps" }) end },
    { "Cast: dtype: expected", function(_, v) return v:astype "float33" end },
    { "clip: a_max", function(F, v) return F.clip(v, 0) end },
    { "where: ", function(F, v) return F.where(v, v, nd.ones { 7 }) end },
    { "take: ", function(F, v) return F.take(v) end },
    { "Embedding: weight: expected shape (4, 2), got (2, 3)",
      function(F, v) return F.Embedding(v, v, { input_dim = 4, output_dim = 2 }) end },
    { "SliceChannel: num_outputs: ", function(F, v) return F.split(v, { num_outputs = 5 }) end },
    { "transpose: axes: ", function(F, v) return F.transpose(v, { axes = { 0, 0 } }) end },
    { "tile: reps: ", function(F, v) return F.tile(v, { reps = "x" }) end },
    { "broadcast_to: shape: ", function(F, v) return F.broadcast_to(v, { shape = { 5, 5 } }) end },
    { "expand_dims: axis: ", function(F, v) return F.expand_dims(v) end },
    { "exp: data: expected dtype float32 or float64, got int32; convert with astype",
      function(F, v) return F.exp(v:astype "int32") end },
    { "batch_dot: ", function(F, v) return F.batch_dot(v, v) end },
    { "LayerNorm: ", function(F, v) return F.LayerNorm(v, nd.ones { 4 }, nd.ones { 4 }) end },
    { "FullyConnected: weight: expected shape (3, 2), got (3, 3)", function(_, v) return dense(v["0:2, 0:2"]) end },
    { "linalg_potrf: ", function(F, v) return F.linalg_potrf(v) end },
  }
  for i, case in ipairs(golden) do
    it(("%d: %s"):format(i, case[1]), function()
      local texts = {}
      for k, hybridized in ipairs { false, true } do
        local _, message = outcome(block(case[2], hybridized), x)
        assert.truthy(message, "no error")
        assert.truthy(message:find(HERE), message)
        assert.truthy(message:find(case[1], 1, true), message)
        texts[k] = message:gsub(" %(node .-%)$", "")
      end
      assert.equal(texts[1], texts[2])
    end)
  end

  it("name the line inside a deep network", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(4), block(function(F, v) return F.reshape(v, { shape = { 7, 7 } }) end), nn.Dense(2))
    net:initialize()
    for _, hybridized in ipairs { false, true } do
      net:hybridize(hybridized)
      assert.raises(function() return net(input()) end, HERE, "Reshape: shape", "%(2, 4%)")
    end
  end)
end)

describe("gradients", function()
  -- y = sum of k different functions of x.
  local function uses(k)
    return function(F, v)
      local sum
      for i = 1, k do
        local term = i % 3 == 0 and F.tanh(v) or i % 3 == 1 and v * i or v * v
        sum = sum and sum + term or term
      end
      return sum
    end
  end
  local function value(k, at)
    local sum = 0
    for i = 1, k do
      sum = sum + (i % 3 == 0 and (1 - 2 / (math.exp(2 * at) + 1)) or i % 3 == 1 and at * i or at * at)
    end
    return sum
  end

  for _, req in ipairs { "write", "add", "null" } do
    it("are correct for a value used 1 to 12 times, " .. req, function()
      for k = 1, 12 do
        local grads = {}
        for mode, hybridized in ipairs { false, true } do
          local fn = block(uses(k), hybridized)
          local x = nd.array({ 0.3, -0.7, 1.1 }, { dtype = "float64" })
          x:attach_grad(req)
          for _ = 1, 3 do
            local y = autograd.record(function() return fn(x) end)
            if req ~= "null" then y:backward() end
          end
          grads[mode] = req ~= "null" and x.grad:copy() or nil
        end
        if req ~= "null" then
          assert.bits(grads[2], grads[1])
          local times, h = req == "add" and 3 or 1, 1e-6
          for i, at in ipairs { 0.3, -0.7, 1.1 } do
            local numeric = (value(k, at + h) - value(k, at - h)) / (2 * h)
            assert.near(times * numeric, grads[1][i - 1]:asscalar(), 1e-6)
          end
        end
      end
    end)

    it("are correct for a parameter used 1 to 12 times, " .. req, function()
      for k = 1, 12 do
        local grads = {}
        for mode, hybridized in ipairs { false, true } do
          local Class = gluon.HybridBlock:subclass "Uses"
          function Class:init()
            self.w = self.params:get("w", { shape = { 3 }, init = hl.init.Constant(0.5), grad_req = req })
          end
          function Class:hybrid_forward(F, v, p) return uses(k)(F, p.w) * v end
          local net = Class()
          net:initialize()
          if hybridized then net:hybridize() end
          for _ = 1, 2 do
            local y = autograd.record(function() return net(nd.array { 1, 2, 3 }) end)
            if req ~= "null" then y:backward() end
          end
          grads[mode] = req ~= "null" and net.w:grad() or nil
        end
        if req ~= "null" then
          assert.bits(grads[2], grads[1])
          local h = 1e-5
          local numeric = (value(k, 0.5 + h) - value(k, 0.5 - h)) / (2 * h) * (req == "add" and 2 or 1)
          assert.allclose(grads[1], { numeric, 2 * numeric, 3 * numeric }, 1e-4, 1e-5)
        end
      end
    end)
  end
end)

describe("modes", function()
  it("share no traces when alternated", function()
    local function make(hybridized)
      local net = nn.HybridSequential({ prefix = "alternating_" })
      net:add(nn.Dense(8, { activation = "relu", in_units = 3 }), nn.Dropout(0.5), nn.Dense(2, { in_units = 8 }))
      hl.random.seed(3)
      net:initialize()
      if hybridized then net:hybridize() end
      return net
    end
    local eager, hybrid = make(false), make(true)
    for i = 1, 20 do
      local results = {}
      for k, net in ipairs { eager, hybrid } do
        hl.random.seed(i)
        if i % 3 == 0 then results[k] = net(input())
        elseif i % 3 == 1 then results[k] = autograd.record(function() return net(input()) end)
        else results[k] = autograd.record(function() return net(input()) end, { train_mode = false }) end
      end
      assert.bits(results[2], results[1])
    end
    assert.is_true(#traces(hybrid) <= 3)
  end)

  it("draw the same dropout masks after any number of predictions", function()
    local net = nn.Dropout(0.5)
    net:hybridize()
    local function masks(predictions)
      hl.random.seed(7)
      for _ = 1, predictions do net(nd.ones { 50 }) end
      return autograd.record(function() return net(nd.ones { 50 }) end)
    end
    assert.bits(masks(5), masks(0))
  end)
end)

describe("a trace", function()
  it("depends on the presence of optional arguments", function()
    local fn = function(_, v, mask, scale) if mask then v = v * mask end return scale and v * scale or v end
    local eager, hybrid = block(fn), block(fn, true)
    local mask = nd.array { 1, 0, 1 }
    for i = 1, 12 do
      local args = ({ { input() }, { input(), mask }, { input(), nil, 3 }, { input(), mask, i // 4 } })[i % 4 + 1]
      assert.bits(hybrid(table.unpack(args, 1, 3)), eager(table.unpack(args, 1, 3)))
    end
  end)

  it("depends on nested tables and their lengths", function()
    local fn = function(_, list) local s = list[1] for i = 2, #list do s = s + list[i] * i end return s end
    local eager, hybrid = block(fn), block(fn, true)
    for _, n in ipairs { 1, 3, 2, 3, 1 } do
      local list = {}
      for i = 1, n do list[i] = input() * i end
      assert.bits(hybrid(list), eager(list))
    end
    assert.equal(3, #traces(hybrid))
  end)

  it("depends on the values of captured numbers, not of captured arrays", function()
    local scale, weight = 2, nd.array { 1, 2, 3 }
    local hybrid = block(function(_, v) return v * scale + weight end, true)
    assert.bits(hybrid(input()), input() * 2 + weight)
    assert.equal(1, #traces(hybrid))
    weight:set(5)
    assert.bits(hybrid(input()), input() * 2 + 5)
    assert.equal(1, #traces(hybrid))
    scale = 4
    assert.bits(hybrid(input()), input() * 4 + weight)
    assert.equal(2, #traces(hybrid))
    assert.truthy(hybrid:explain():find "scale")
    scale = 2
    assert.bits(hybrid(input()), input() * 2 + weight)
    assert.equal(2, #traces(hybrid))
  end)

  it("depends on numbers in self", function()
    local Class = gluon.HybridBlock:subclass "Scaled"
    function Class:init() self.scale = 1 end
    function Class:hybrid_forward(_, v) return v * self.scale end
    local net = Class()
    net:hybridize()
    for _, scale in ipairs { 1, 2, 1, 3 } do
      net.scale = scale
      assert.bits(net(input()), input() * scale)
    end
    assert.equal(3, #traces(net))
  end)

  it("is made for each dtype, number of dimensions and shape that is read, not for each batch size", function()
    local plain, reads = block(function(F, v) return F.tanh(v) end, true),
      block(function(_, v) return v * v.shape[1] end, true)
    for _, n in ipairs { 4, 7, 4, 7 } do
      assert.bits(plain(nd.ones { n, 3 }), nd.tanh(nd.ones { n, 3 }))
      assert.bits(reads(nd.ones { n, 3 }), nd.ones { n, 3 } * n)
    end
    assert.equal(1, #traces(plain))
    assert.equal(2, #traces(reads))
    local hits = 0
    for _, t in ipairs(traces(plain)) do hits = hits + t.hits end
    assert.equal(4, hits)
    plain(nd.ones({ 4, 3 }, { dtype = "float64" }))
    plain(nd.ones { 4 })
    assert.equal(3, #traces(plain))
  end)

  it("keeps the outputs of earlier calls", function()
    local net, kept = block(function(F, v) return F.exp(v), v + 1 end, true), {}
    for i = 1, 4 do kept[i] = { net(nd.full({ 3 }, i)) } end
    for i = 1, 4 do
      assert.bits(kept[i][1], nd.exp(nd.full({ 3 }, i)))
      assert.bits(kept[i][2], nd.full({ 3 }, i + 1))
    end
  end)

  it("may be frozen, and the number of traces limited", function()
    local net = block(function(F, v) return F.tanh(v) end)
    net:hybridize { frozen = true, max_traces = 8 }
    local ok = pcall(net, nd.ones { 3 })
    if ok then assert.raises(function() return net(nd.ones { 3, 3 }) end, "frozen") end
  end)
end)

describe("shapes (), (0) and (2, 0, 3)", function()
  it("work in both modes", function()
    for _, shape in ipairs { {}, { 0 }, { 2, 0, 3 } } do
      local fn = function(F, v) return F.tanh(v * 2 + 1):sum(), v + v end
      local a, b = { block(fn)(nd.ones(shape)) }, { block(fn, true)(nd.ones(shape)) }
      assert.bits(b[1], a[1])
      assert.bits(b[2], a[2])
    end
  end)
end)

describe("hooks", function()
  it("run equally often in both modes", function()
    local counts = {}
    for k, hybridized in ipairs { false, true } do
      local net, child = nn.HybridSequential(), nn.Dense(2)
      net:add(child, nn.Dense(1))
      net:initialize()
      counts[k] = 0
      child:register_forward_hook(function() counts[k] = counts[k] + 1 end)
      if hybridized then net:hybridize() end
      for _ = 1, 4 do net(input()) end
    end
    assert.same({ 4, 4 }, counts)
  end)
end)

describe("the names nd and sym", function()
  it("hold the same operators", function()
    local missing = {}
    for name, fn in pairs(nd) do
      if type(fn) == "function" and require "hybridlua.core".op.row(name) and not hl.has("sym." .. name) then
        missing[#missing + 1] = name
      end
    end
    assert.same({}, missing)
  end)
end)
