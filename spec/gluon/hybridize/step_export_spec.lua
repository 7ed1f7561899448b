-- step_export_spec.lua - compiled training steps as files, whose graphs train on with the same bits, one call at a time
-- or in a loop of the graph.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local folder
local function path() return folder .. "/step" end

local function new_step(optimizer, options, change)
  hl.random.seed(3)
  local t = { net = nn.HybridSequential(), loss_of = gluon.loss.SoftmaxCrossEntropyLoss() }
  t.net:add(nn.Dense(5, { activation = "relu" }), nn.Dense(4))
  t.net:initialize()
  t.params = t.net:collect_params()
  t.trainer = gluon.Trainer(t.params, optimizer, options)
  t.step = hl.compile(change and change(t) or function(_, x, y)
    local loss = autograd.record(function() return t.loss_of(t.net(x), y) end)
    loss:backward()
    t.trainer:step(2)
    return loss
  end)
  t.x, t.y = nd.random.normal { shape = { 2, 3 } }, nd.array { 0, 3 }
  return t
end

-- The exported step as a block, and the numbers of its next update.
local function imported(t)
  local symbol, params = t.step:export(path())
  local block = gluon.SymbolBlock.imports(symbol, { "data0", "data1", "numbers" }, params)
  return block, nd.load(params)["arg:numbers"]
end

local function same_weights(t, block)
  for _, param in ipairs(t.params:values()) do
    assert.bits(param:data(), block:collect_params():get(param.name):data())
  end
end

describe("an exported training step", function()
  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
  end)
  teardown(function() os.execute("rm -r " .. folder) end)

  for _, rule in ipairs { { "sgd", { learning_rate = 0.1 } }, { "sgd", { momentum = 0.9, wd = 0.01 } },
    { "nag", { momentum = 0.5 } }, { "rmsprop", { centered = true } } } do
    local more = rule[2].momentum and ", momentum" or ""
    it(("has the bits of the compiled one with %s%s"):format(rule[1], more), function()
      local t = new_step(rule[1], rule[2])
      t.step(t.x, t.y)
      local block, numbers = imported(t)
      for _ = 1, 3 do
        local out = block(t.x, t.y, numbers)
        assert.bits(t.step(t.x, t.y), out[1])
        assert.allclose(out[2], { true })
      end
      same_weights(t, block)
    end)
  end

  it("reads the optimizer's numbers from an input", function()
    local t = new_step("adam", {})
    t.step(t.x, t.y)
    local block, numbers = imported(t)
    assert.same({ 4, 9 }, { table.unpack(numbers.shape) })
    assert.equal(1, t.trainer.optimizer.num_update)              -- export counts no update
    for _ = 1, 2 do
      local _, next_numbers = imported(t)
      assert.bits(t.step(t.x, t.y), block(t.x, t.y, next_numbers)[1])
    end
    same_weights(t, block)
    t.net:export(path(), { shapes = { data = { 2, 3 } } })       -- the network is what it was
    assert.truthy(nd.load(path() .. "-0000.params")["arg:" .. t.net[0].weight.name])
  end)

  it("runs in a loop of a graph", function()
    local t = new_step("sgd", { momentum = 0.9 })
    t.step(t.x, t.y)
    local block, n = imported(t)
    local many = hl.compile(function(F, xs, ys, numbers)
      return F.contrib.foreach(function(batch, states) return block(table.unpack(batch)), states end,
        { xs, ys, numbers }, {})
    end)
    local losses = many(nd.stack(t.x, t.x * 2, t.x * 3), nd.stack(t.y, t.y, t.y), nd.stack(n, n, n))[1]
    for i = 1, 3 do assert.bits(t.step(t.x * i, t.y), losses[i - 1]) end
    same_weights(t, block)
  end)

  it("starts with zeros where the step calls zero_grad", function()
    local t = new_step("sgd", {}, function(t)
      return function(_, x, y)
        t.trainer:set_learning_rate(0.2)
        t.params:zero_grad()
        local a, b = autograd.record(function()
          local out = t.net(x)
          return t.loss_of(out, y), (out * out):sum()
        end)
        a:backward { retain_graph = true }
        b:backward()
        t.trainer:step(2)
        return a
      end
    end)
    t.net(t.x)
    t.params:setattr("grad_req", "add")
    t.step(t.x, t.y)
    local block, numbers = imported(t)
    for _ = 1, 2 do assert.bits(t.step(t.x, t.y), block(t.x, t.y, numbers)[1]) end
    same_weights(t, block)
  end)

  it("is refused, with the reason, if a file cannot contain it", function()
    local noisy = new_step("sgld", {})
    noisy.step(noisy.x, noisy.y)
    assert.raises(function() noisy.step:export(path()) end,
      "export: expected steps that are operators, got Trainer.step at .*step_export_spec.lua:%d+, which calls Lua",
      "the optimizer SGLD is not an operator: it draws noise")
    local t = new_step("sgd", {})
    t.net(t.x)
    t.params:setattr("grad_req", "add")
    t.step(t.x, t.y)
    assert.raises(function() t.step:export(path()) end, "has grad_req 'add'", "call zero_grad in the step")
  end)

  it("trains a network of convolutions, BatchNorm and Dropout on", function()
    local t = new_step("adam", {}, function(one)
      one.net = nn.HybridSequential()
      one.net:add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation "relu", nn.Dropout(0.5), nn.Dense(4))
      one.net:initialize()
      one.params = one.net:collect_params()
      one.trainer = gluon.Trainer(one.params, "adam", {})
      return function(_, x, y)
        local loss = autograd.record(function() return one.loss_of(one.net(x), y) end)
        loss:backward()
        one.trainer:step(2)
        return loss
      end
    end)
    t.x = nd.random.normal { shape = { 2, 2, 6, 6 } }
    t.net(t.x)
    t.step(t.x, t.y)
    local block = imported(t)
    for _ = 1, 3 do
      local _, numbers = imported(t)
      hl.random.seed(5)
      local loss = t.step(t.x, t.y)
      hl.random.seed(5)
      assert.bits(loss, block(t.x, t.y, numbers)[1])
    end
    same_weights(t, block)
  end)

  it("has nodes that only this version of hybridlua reads, and whose operands are checked", function()
    local function load(op, inputs, attributes)
      local nodes, list = {}, {}
      for i = 1, inputs do
        nodes[i] = ('{"op": "null", "name": "x%d", "inputs": []}'):format(i)
        list[i] = ("[%d, 0, 0]"):format(i - 1)
      end
      nodes[#nodes + 1] = ('{"op": "%s", "name": "n", "attrs": {%s}, "inputs": [%s]}'):format(op, attributes,
        table.concat(list, ", "))
      return hl.sym.load_json(('{"nodes": [%s], "arg_nodes": [], "heads": [[%d, 0, 0]]}'):format(
        table.concat(nodes, ", "), inputs))
    end
    assert.raises(function() load("hybridlua2:train:Dropout", 1, "") end, "expected version 1 of hybridlua's own form",
      "got version 2")
    assert.raises(function() load("hybridlua1:train:relu", 1, "") end, "unknown operators: hybridlua1:train:relu")
    assert.raises(function() load("hybridlua1:_backward_pooling_sum", 1, "") end, "unknown operators")
    assert.raises(function() load("_backward_batch_norm", 5, "") end, "unknown operators: _backward_batch_norm")
    local norm = load("hybridlua1:_backward_batch_norm", 5, '"axis": "1", "eps": "0.1", "batch": "True"')
    assert.raises(function()
      norm:infer_shape { x1 = { 2, 3 }, x2 = { 2, 3 }, x3 = { 2 }, x4 = { 3 }, x5 = { 3 } }
    end, "backward_batch_norm: gamma: expected shape")
    local conv = load("hybridlua1:_backward_convolution_weight", 2,
      '"kernel": "(3, 3)", "num_filter": "4", "shape": "(2, 2, 6, 6)"')
    assert.raises(function() conv:infer_shape { x1 = { 2, 4, 9, 9 }, x2 = { 2, 2, 6, 6 } } end,
      "backward_convolution_weight")
  end)
end)
