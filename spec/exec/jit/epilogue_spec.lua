-- epilogue_spec.lua - operators computed in a convolution's loop (pass/epilogue.h): the bits of eager code in every
-- mode, forward and backward; reports by explain and the profiler.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd
local nn = hl.gluon.nn

-- ---- Running ----------------------------------------------------------------------------------

local function in_mode(switches, fn)
  local before = core.host.debug(switches)
  local results = table.pack(pcall(fn))
  core.host.debug(before)
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- The epilogues among the kernels of a hybridized block or function, from explain.
local function epilogues(f)
  local list = {}
  for _, trace in ipairs(f:explain { format = "table" }.traces) do
    for _, plan in ipairs(trace.compiled.plans) do
      for _, group in ipairs(plan.groups) do if group.leader then list[#list + 1] = group end end
    end
  end
  return list
end

local can_compile = in_mode({ jit = "sync" }, function()
  local f = hl.compile(function(F, a) return F.relu(a + a) end)
  f(nd.ones { 2 })
  return f:explain { format = "table" }.traces[1].compiled.plans[1].kernels ~= "none"
end)
local fused = can_compile and it or function(title) it(title, function() pending "there is no compiler" end) end

local MODES = { { jit = "off" }, { jit = "sync" }, { jit = "sync", report_tiles = true, share = true },
  { jit = "sync", report_tiles = true, share = true, no_plan = true },
  { jit = "sync", report_tiles = true, share = true, poison = true } }

local function random(shape, dtype) return nd.random.uniform(-1, 1, { shape = shape }):astype(dtype or "float32") end

local function list(...) return type((...)) == "table" and (...) or { ... } end

-- Results of fn(F, ...) on the arrays; with recording, also all gradients.
local function run(f, arrays, record)
  if not record then return list(f(table.unpack(arrays))) end
  for _, a in ipairs(arrays) do a:attach_grad() end
  local out = autograd.record(function() return list(f(table.unpack(arrays))) end)
  autograd.backward(out)
  for _, a in ipairs(arrays) do out[#out + 1] = a.grad:copy() end
  return out
end

-- Checks for the bits of eager code in all modes, with one thread and two, twice each; and the number of epilogues.
local function check(fn, arrays, count, record)
  local function eager(...) return fn(nd, ...) end
  local threads = core.host.threads()
  for n = 1, 2 do
    core.host.threads(n)
    local expected = run(eager, arrays, record)
    for _, mode in ipairs(MODES) do
      in_mode(mode, function()
        local f = hl.compile(fn)
        for _ = 1, 2 do
          for i, y in ipairs(run(f, arrays, record)) do assert.bits(expected[i], y) end
        end
        if can_compile and mode.jit == "sync" then assert.equal(count, #epilogues(f)) end
      end)
    end
  end
  core.host.threads(threads)
end

-- ---- Functions ----------------------------------------------------------------------------------

-- data, weight, bias, and the options of Convolution, by the numbers of images, channels and filters, and the extents.
local function convolution(images, channels, filters, extent, options)
  local dtype, groups = options.dtype, options.num_group or 1
  local told = { kernel = options.kernel, stride = options.stride, pad = options.pad, dilate = options.dilate,
                 num_group = groups, num_filter = filters }
  return random({ images, channels, table.unpack(extent) }, dtype),
         random({ filters, channels // groups, table.unpack(options.kernel) }, dtype), random({ filters }, dtype), told
end

-- title, images, channels, filters, extents, options: each algorithm of convolution
local shapes = {
  { "one image", 1, 3, 16, { 30, 30 }, { kernel = { 3, 3 }, pad = { 1, 1 } } },
  { "three images", 3, 8, 24, { 19, 23 }, { kernel = { 3, 3 }, pad = { 1, 1 } } },
  { "large", 1, 4, 40, { 90, 90 }, { kernel = { 3, 3 } } },
  { "in bands", 2, 4, 8, { 70, 90 }, { kernel = { 3, 3 } } },
  { "in float64", 3, 5, 7, { 20, 17 }, { kernel = { 3, 2 }, dtype = "float64" } },
  { "with a stride", 3, 6, 10, { 33, 31 }, { kernel = { 3, 3 }, stride = { 2, 2 }, pad = { 1, 1 } } },
  { "dilated", 2, 3, 6, { 25, 40 }, { kernel = { 3, 3 }, dilate = { 2, 3 } } },
  { "in groups", 2, 12, 24, { 21, 20 }, { kernel = { 3, 3 }, num_group = 3, pad = { 1, 1 } } },
  { "depthwise", 3, 32, 32, { 28, 28 }, { kernel = { 3, 3 }, num_group = 32, pad = { 1, 1 } } },
  { "depthwise, small", 5, 40, 80, { 7, 7 }, { kernel = { 3, 3 }, num_group = 40, pad = { 1, 1 } } },
  { "pointwise", 1, 64, 128, { 14, 14 }, { kernel = { 1, 1 } } },
  { "many terms, few positions", 8, 256, 300, { 7, 7 }, { kernel = { 3, 3 }, pad = { 1, 1 } } },
  { "many terms, one small image", 1, 256, 300, { 7, 7 }, { kernel = { 3, 3 }, pad = { 1, 1 } } },
  { "many small images", 40, 8, 16, { 8, 8 }, { kernel = { 3, 3 }, pad = { 1, 1 } } },
  { "one axis", 3, 4, 9, { 700 }, { kernel = { 5 }, pad = { 2 } } },
  { "three axes", 2, 3, 8, { 6, 11, 12 }, { kernel = { 2, 3, 3 } } },
  { "one position", 2, 3, 8, { 3, 3 }, { kernel = { 3, 3 } } },
}

-- One value per channel.
local function by_channel(array, like)
  local shape = { 1, array.shape[1] }
  for i = 3, #like.shape do shape[i] = 1 end
  return array:reshape(shape)
end

describe("an operator after a convolution", function()
  for _, case in ipairs(shapes) do
    local title, images, channels, filters, extent, options = table.unpack(case)

    it(title .. ": per channel, then an activation", function()
      local x, w, b, told = convolution(images, channels, filters, extent, options)
      local scale = by_channel(random({ filters }, options.dtype), x)
      check(function(F, data, weight, bias, factor)
        return F.relu(F.broadcast_mul(F.Convolution(data, weight, bias, told), factor) - 0.1)
      end, { x, w, b, scale }, 1)
    end)

    it(title .. ": one operator, recorded", function()
      local x, w, b, told = convolution(images, channels, filters, extent, options)
      check(function(F, data, weight, bias) return F.tanh(F.Convolution(data, weight, bias, told)) end, { x, w, b }, 1,
        true)
    end)
  end

  local x, w, b, told = convolution(2, 6, 6, { 24, 24 }, { kernel = { 3, 3 }, pad = { 1, 1 } })

  it("can read the convolution's input, which is not overwritten too early", function()
    check(function(F, data, weight, bias)
      local y = data * 2
      return F.relu(F.Convolution(y, weight, bias, told) + y)
    end, { x, w, b }, 1)
  end)

  it("can have several users", function()
    check(function(F, data, weight, bias)
      local y = F.Convolution(data, weight, bias, told)
      local z = F.relu(y) * 3
      return { z, y, F.max(y, { axis = 1 }) }
    end, { x, w, b }, 1)
    check(function(F, data, weight, bias)
      local y = F.Convolution(data, weight, bias, told)
      local most = F.Pooling(y, { kernel = { 2, 2 }, pool_type = "max" })
      return { most, F.relu(y) * 3 }
    end, { x, w, b }, 1)
  end)

  it("runs after its other inputs", function()
    check(function(F, data, weight, bias)
      local y = F.Convolution(data, weight, bias, told)
      local z = F.Convolution(F.relu(y), weight, bias, told)
      return F.relu(z + y)
    end, { x, w, b }, 2)
    check(function(F, data, weight, bias)
      local y = F.Convolution(data, weight, bias, told)
      return F.broadcast_mul(y, F.mean(y, { axis = { 2, 3 }, keepdims = true })) + 1
    end, { x, w, b }, 0)
  end)

  it("is the epilogue of the second of two convolutions whose results it adds", function()
    check(function(F, data, weight, bias)
      return F.relu(F.Convolution(data, weight, bias, told) + F.Convolution(data * 2, weight, bias, told))
    end, { x, w, b }, 1)
  end)

  it("can have several results", function()
    check(function(F, data, weight, bias)
      local y = F.Convolution(data, weight, bias, told)
      local z = F.exp(y)
      return { z, F.sqrt(z) + y }
    end, { x, w, b }, 1, true)
  end)

  it("is a separate kernel if its shape differs", function()
    check(function(F, data, weight, bias, more)
      return F.relu(F.broadcast_add(F.Convolution(data, weight, bias, told), more))
    end, { x[{ { 0, 1 } }]:copy(), w, b, random { 3, 6, 24, 24 } }, 0)
  end)
end)

-- ---- Blocks -----------------------------------------------------------------------------------------

local Residual = hl.gluon.HybridBlock:subclass "Residual"
function Residual:init(options)
  self.body = nn.HybridSequential()
  self.body:add(nn.Conv2D(8, 3, { strides = options.stride, padding = 1, use_bias = false }), nn.BatchNorm(),
    nn.Activation "relu", nn.Conv2D(8, 3, { padding = 1, use_bias = false }), nn.BatchNorm())
  if options.stride > 1 then
    self.down = nn.HybridSequential()
    self.down:add(nn.Conv2D(8, 1, { strides = options.stride, use_bias = false }), nn.BatchNorm())
  end
end
function Residual:hybrid_forward(F, x)
  return F.relu(self.body(x) + (self.down and self.down(x) or x))
end

local function mobile()
  local net = nn.HybridSequential()
  net:add(nn.Conv2D(8, 3, { padding = 1, groups = 8, use_bias = false }), nn.BatchNorm(), nn.Activation "relu",
    nn.Conv2D(16, 1, { use_bias = false }), nn.BatchNorm(), nn.Activation "relu")
  return net
end

-- The block's results in each step; in training also gradients and updated states.
local function steps(net, data, train)
  local out = {}
  for _ = 1, 3 do
    if train then
      autograd.record(function()
        out[#out + 1] = net(data)
        return out[#out]
      end):backward()
      for _, p in ipairs(net:collect_params():values()) do
        out[#out + 1] = (p.grad_req == "null" and p:data() or p:grad()):copy()
      end
    else
      out[#out + 1] = net(data)
    end
  end
  return out
end

local function check_block(make, data, train, count)
  local eager, hybrid = make(), make()
  local file = os.tmpname()
  eager:initialize(hl.init.Xavier())
  eager(data)
  eager:save_parameters(file)
  hybrid:load_parameters(file)
  os.remove(file)
  in_mode({ jit = "sync", report_tiles = true, share = true }, function()
    hybrid:hybridize()
    local expected = steps(eager, data, train)
    for i, y in ipairs(steps(hybrid, data, train)) do assert.bits(expected[i], y) end
    if can_compile and count then assert.equal(count, #epilogues(hybrid)) end
  end)
end

describe("a block", function()
  for _, batch in ipairs { 1, 3 } do
    for _, train in ipairs { false, true } do
      local how = (", batch %d, %s"):format(batch, train and "training" or "prediction")
      local data = random { batch, 8, 20, 20 }
      it("matches eager bits in ResNet" .. how, function()
        check_block(function() return Residual { stride = 1 } end, data, train, not train and 2 or nil)
        check_block(function() return Residual { stride = 2 } end, data, train, not train and 2 or nil)
      end)
      it("matches eager bits in MobileNet" .. how, function()
        check_block(mobile, data, train, not train and 2 or nil)
      end)
    end
  end

  it("has epilogues in training if it has a bias and an activation", function()
    local function make()
      local net = nn.HybridSequential()
      net:add(nn.Conv2D(8, 3, { activation = "relu" }), nn.MaxPool2D(2), nn.Conv2D(9, 3, { activation = "tanh" }))
      return net
    end
    check_block(make, random { 3, 8, 20, 20 }, true, 2)
  end)
end)

-- ---- Reports -----------------------------------------------------------------------------------------

describe("an epilogue", function()
  local function compiled()
    local net = mobile()
    net:initialize()
    net:hybridize()
    return net, random { 2, 8, 20, 20 }
  end

  fused("appears in explain", function()
    in_mode({ jit = "sync" }, function()
      local net, data = compiled()
      net(data)
      local text = net:explain()
      assert.truthy(text:find "Convolution %([%w_]+%) %+ kernel %d", text)
      assert.truthy(text:find "16 rows of 400, 4 in, 1 out, as the epilogue of Convolution %([%w_]+%)", text)
      for _, group in ipairs(epilogues(net)) do
        assert.equal("Convolution", group.leader)
        assert.equal("Activation", group.members[#group.members].op)
      end
    end)
  end)

  fused("appears in the box of its convolution in drawings", function()
    in_mode({ jit = "sync" }, function()
      local net, data = compiled()
      net(data)
      local boxes = {}
      for box in hl.viz.graph(net, data, { passes = "after" }):gmatch "subgraph(.-)\n    }" do
        if box:find "Convolution" then boxes[#boxes + 1] = box end
      end
      assert.equal(2, #boxes)
      for _, box in ipairs(boxes) do
        assert.truthy(box:find "fused kernel %d: 5 operators" and box:find "Activation", box)
      end
    end)
  end)

  fused("is counted in the profiler's row of its convolution", function()
    in_mode({ jit = "sync" }, function()
      local net, data = compiled()
      net(data)
      hl.profiler.set_config { filename = os.tmpname(), profile_all = true }
      hl.profiler.set_state "run"
      net(data)
      hl.profiler.set_state "stop"
      local flops
      for _, row in ipairs(hl.profiler.table()) do
        if row.name:find "^Convolution %+ broadcast_sub %+ .*Activation$" then flops = row.flops end
      end
      -- two convolutions, and four operators after each
      assert.equal(2 * 2 * 8 * 400 * 9 + 2 * 2 * 16 * 400 * 8 + 2 * 4 * (8 + 16) * 400, flops)
      hl.profiler.dumps { reset = true }
    end)
  end)
end)
