-- models_spec.lua - whole models from MXNet's files: import, hybridize, export and load by name. Outputs must match
-- MXNet's, and have the same bits in each mode.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn = gluon.nn
local SymbolBlock = gluon.SymbolBlock

local MODELS, LEGACY = "spec/oracle/models/", "spec/oracle/legacy/"

local models = {
  { name = "mlp", symbol = MODELS .. "mlp-symbol.json", params = MODELS .. "mlp-0000.params",
    io = MODELS .. "mlp-io.params" },
  { name = "lenet", symbol = MODELS .. "lenet-symbol.json", params = MODELS .. "lenet-0000.params",
    io = MODELS .. "lenet-io.params" },
  { name = "resnet_thin", symbol = MODELS .. "resnet_thin-symbol.json", params = MODELS .. "resnet_thin-0000.params",
    io = MODELS .. "resnet_thin-io.params" },
  { name = "mlp of v0.11", symbol = LEGACY .. "mlp-v0.11-symbol.json", params = MODELS .. "mlp-0000.params",
    io = MODELS .. "mlp-io.params" },
  { name = "conv of v0.8", symbol = LEGACY .. "conv-v0.8-symbol.json", params = LEGACY .. "conv-v0.8-0000.params",
    io = LEGACY .. "conv-v0.8-io.params", label = "softmax_label" },
}

-- The operators of a graph's file that are missing here.
local function lacking(path)
  local missing = {}
  for op in scratch.read(path):gmatch '"op": "([^"]+)"' do
    if op ~= "null" and not core.op.row(op) and not missing[op] then missing[op], missing[#missing + 1] = true, op end
  end
  return missing
end

local function inputs_of(m) return m.label and { "data", m.label } or { "data" } end
local function arguments(m, x)
  if m.label then return x, nd.zeros { x.shape[1] } end
  return x
end

-- Gradients of a block's parameters and input after one backward in training.
local function gradients(block, m, x)
  x = x:copy()
  x:attach_grad()
  local y = autograd.record(function() return block(arguments(m, x)) end, { train_mode = false })
  y:backward()
  local all = { data = x.grad }
  for name, param in pairs(block:collect_params()) do
    if param.grad_req ~= "null" then all[name] = param:grad() end
  end
  return all
end

for _, m in ipairs(models) do
  describe("the model " .. m.name, function()
    local missing = lacking(m.symbol)
    if #missing > 0 then
      pending("waits for " .. table.concat(missing, ", "))
      it("names the missing operators", function()
        for _, op in ipairs(missing) do
          assert.raises(function() return SymbolBlock.imports(m.symbol, inputs_of(m), m.params) end,
            m.symbol:gsub("%p", "%%%0"), op)
        end
      end)
      return
    end

    local folder, io, block
    before_each(function()
      folder, io = scratch.folder(), nd.load(m.io)
      block = SymbolBlock.imports(m.symbol, inputs_of(m), m.params)
    end)
    after_each(function() folder:remove() end)

    it("matches MXNet's outputs, with the same bits hybridized", function()
      local y = block(arguments(m, io.in0))
      assert.allclose(y, io.out0, 1e-3, 1e-4)
      block:hybridize()
      for _ = 1, 2 do assert.bits(block(arguments(m, io.in0)), y) end
      block:hybridize(false)
      assert.bits(block(arguments(m, io.in0)), y)
    end)

    it("has correct gradients, with the same bits eager and hybridized", function()
      local eager = gradients(block, m, io.in0)
      local hybrid = SymbolBlock.imports(m.symbol, inputs_of(m), m.params)
      hybrid:hybridize()
      local compiled, n = gradients(hybrid, m, io.in0), 0
      for name, grad in pairs(eager) do
        assert.bits(compiled[name], grad, name)
        n = n + 1
      end
      assert.is_true(n > 4)
      if m.label then return end                       -- an output layer's gradient is not a derivative
      block:cast "float64"                             -- float64 allows small steps, far from kinks of max and ReLU
      local x = io.in0:astype "float64"
      local direction, h = nd.random.normal { shape = x.shape, dtype = "float64" }, 1e-6
      local up, down = block(x + direction * h):sum():asscalar(), block(x - direction * h):sum():asscalar()
      local slope = (gradients(block, m, x).data * direction):sum():asscalar()
      assert.near((up - down) / (2 * h), slope, 1e-5 * math.abs(slope))
      assert.allclose(eager.data, gradients(block, m, x).data:astype "float32", 1e-3, 1e-4)
    end)

    it("reduces its loss, with the same bits in eager and hybridized mode after 20 steps", function()
      if m.label then return end                       -- has its own loss
      local nets, trainers, losses = {}, {}, {}
      for i = 1, 2 do
        nets[i] = SymbolBlock.imports(m.symbol, inputs_of(m), m.params)
        trainers[i] = gluon.Trainer(nets[i]:collect_params(), "sgd", { learning_rate = 0.01, momentum = 0.9 })
        losses[i] = {}
      end
      nets[2]:hybridize()
      local loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
      local shape = table.move(io.in0.shape, 2, #io.in0.shape, 2, { 8 })
      local x, labels = nd.random.normal { shape = shape }, nd.arange(8) % block(io.in0).shape[2]
      for _ = 1, 20 do
        for i, net in ipairs(nets) do
          local loss = autograd.record(function() return loss_of(net(x), labels) end)
          loss:backward()
          trainers[i]:step(8)
          losses[i][#losses[i] + 1] = loss:mean():asscalar()
        end
      end
      assert.same(losses[1], losses[2])
      assert.is_true(losses[1][20] < 0.5 * losses[1][1], table.concat(losses[1], " "))
      local eager = nets[1]:collect_params():values()
      for i, param in ipairs(nets[2]:collect_params():values()) do
        assert.bits(param:data(), eager[i]:data(), param.name)
      end
      assert.bits(nets[2](x), nets[1](x))
    end)

    it("is exported and imported again to the same bits", function()
      local y = block(arguments(m, io.in0))
      block:hybridize()
      block(arguments(m, io.in0))
      block:export(folder:file "again", 3)
      local again = SymbolBlock.imports(folder:file "again-symbol.json", inputs_of(m), folder:file "again-0003.params")
      assert.bits(again(arguments(m, io.in0)), y)
      again:hybridize()
      assert.bits(again(arguments(m, io.in0)), y)
    end)

    it("saves and loads its parameters with save_parameters", function()
      local y = block(arguments(m, io.in0))
      block:save_parameters(folder:file "p.params")
      local bare = SymbolBlock.imports(m.symbol, inputs_of(m))
      bare:load_parameters(folder:file "p.params")
      assert.bits(bare(arguments(m, io.in0)), y)
    end)

    it("lists the parameters that a file lacks", function()
      local params = nd.load(m.params)
      local name = next(params)
      params[name] = nil
      nd.save(folder:file "less.params", params)
      assert.raises(function() return SymbolBlock.imports(m.symbol, inputs_of(m), folder:file "less.params") end,
        (name:gsub("^%a+:", ""):gsub("%p", "%%%0")))
    end)
  end)
end

describe("an imported block", function()
  it("reports wrong inputs at the script's line", function()
    local block = SymbolBlock.imports(models[1].symbol, { "data" }, models[1].params)
    for _, hybridized in ipairs { false, true } do
      block:hybridize(hybridized)
      assert.raises(function() local _ = block(nd.ones { 1, 512 }, nd.ones { 1 }) end,
        "expected 1 input %(data%), got 2", "models_spec.lua:%d+")
      assert.raises(function() local _ = block(nd.ones { 1, 511 }) end, "FullyConnected: weight", "511")
    end
    assert.raises(function() local _ = SymbolBlock.imports(models[1].symbol, { "nope" }) end, "no variable 'nope'",
      "models_spec.lua:%d+")
  end)
end)

describe("parameters of a Gluon MLP", function()
  local function mlp(options)
    local net = nn.HybridSequential(options)
    net:add(nn.Dense(256, { activation = "relu" }), nn.Dense(128, { activation = "relu" }), nn.Dense(2))
    return net
  end

  it("are equal after loading from every kind of file", function()
    local io = nd.load(MODELS .. "mlp-io.params")
    local structural = mlp()
    structural:load_parameters(LEGACY .. "mlp-save_parameters.params")
    assert.allclose(structural(io.in0), io.out0, 1e-3, 1e-4)
    local exported = SymbolBlock.imports(MODELS .. "mlp-symbol.json", { "data" }, MODELS .. "mlp-0000.params")
    assert.bits(structural(io.in0), exported(io.in0))
    structural:hybridize()
    assert.bits(structural(io.in0), exported(io.in0))

    local by_dict = nd.load(LEGACY .. "mlp-paramdict.params")
    local values = { data = io.in0 }
    for name, array in pairs(by_dict) do values["hybridsequential0_" .. name] = array end
    assert.bits(sym.load(MODELS .. "mlp-symbol.json"):eval(values)[1], exported(io.in0))
  end)

  it("have the same gradients in a Gluon net and in the imported graph", function()
    local io = nd.load(MODELS .. "mlp-io.params")
    local net = mlp()
    net:load_parameters(LEGACY .. "mlp-save_parameters.params")
    local imported = SymbolBlock.imports(MODELS .. "mlp-symbol.json", { "data" }, MODELS .. "mlp-0000.params")
    local results = {}
    for k, block in ipairs { net, imported } do
      local x = io.in0:copy()
      x:attach_grad()
      autograd.record(function() return block(x) end):backward()
      results[k] = x.grad
    end
    assert.bits(results[2], results[1])
    local weight = imported:collect_params():get "hybridsequential0_dense0_weight" or nil
    if weight then assert.bits(weight:grad(), net[0].weight:grad()) end
  end)

  it("are reported if missing, extra or of another shape", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(256), nn.Dense(128), nn.Dense(2), nn.Dense(5))
    assert.raises(function() net:load_parameters(LEGACY .. "mlp-save_parameters.params") end, "3.weight")
    net:load_parameters(LEGACY .. "mlp-save_parameters.params", { allow_missing = true })
    local small = nn.HybridSequential()
    small:add(nn.Dense(256))
    assert.raises(function() small:load_parameters(LEGACY .. "mlp-save_parameters.params") end, "1.bias",
      "ignore_extra")
    small:load_parameters(LEGACY .. "mlp-save_parameters.params", { ignore_extra = true })
    local wide = nn.HybridSequential()
    wide:add(nn.Dense(255), nn.Dense(128), nn.Dense(2))
    assert.raises(function() wide:load_parameters(LEGACY .. "mlp-save_parameters.params") end, "shape incompatible",
      "255", "256")
  end)
end)

describe("older files", function()
  it("load as lists and tables", function()
    assert.is_true(#nd.load(LEGACY .. "list-no-keys.params") > 0)
    for _, file in ipairs { "single.params", "handmade-v0.params", "handmade-v1.params", "npshape-v3.params",
        "dtypes.params" } do
      local loaded = nd.load(LEGACY .. file)
      assert.is_true(next(loaded) ~= nil, file)
    end
  end)

  it("raise an error that names sparse arrays", function()
    assert.raises(function() return nd.load(LEGACY .. "csr-v2.params") end, "csr%-v2.params", "dense", "csr")
    local net = nn.Dense(2)
    assert.raises(function() net:load_parameters(LEGACY .. "csr-v2.params") end, "dense")
  end)
end)
