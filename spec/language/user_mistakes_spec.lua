-- user_mistakes_spec.lua - common mistakes and their errors.
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local command = require "support.command"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local nn = gluon.nn

local function network(...)
  local net = nn.HybridSequential()
  for _, units in ipairs { ... } do net:add(nn.Dense(units, { in_units = 3 })) end
  net:initialize()
  return net
end

-- Asserts that the error names a line of this script and contains the given texts.
local function told(fn, ...)
  local patterns = { ... }
  for i, text in ipairs(patterns) do patterns[i] = text:gsub("%p", "%%%0") end
  assert.raises(fn, "^[^\n]*user_mistakes_spec.lua:%d+: ", table.unpack(patterns))
end

local function stderr_of(code)
  local name = os.tmpname()
  os.execute(("%s -e '%s' 2>%s"):format(command.program, code, name))
  local file <close> = assert(io.open(name))
  os.remove(name)
  return file:read "a"
end

describe("an error about", function()
  it("a wrong name suggests the nearest one", function()
    local params = network(2):collect_params()
    told(function() local t = gluon.Trainer(params, "sdg") return t end,
      "Cannot find optimizer sdg; did you mean 'sgd'?")
    told(function() local d = nn.Dense(3, { activation = "rely" }) return d end, "got 'rely'; did you mean 'relu'?")
    told(function() network(2):initialize("xaver", { force_reinit = true }) end, "xaver is not registered",
      "did you mean 'xavier'?")
    told(function() local x = nd.ones { 2 }:summ() return x end, "'summ' is not a field", "did you mean 'sum'?")
    told(function() local x = nd.array({ 1 }, { dtyp = "int32" }) return x end,
      "unknown option 'dtyp'; did you mean 'dtype'?")
    told(function() local p = gluon.Parameter("w", { shap = { 1 } }) return p end,
      "unknown option 'shap'; did you mean 'shape'?")
    told(function() local t = hl.viz.graph(network(2), nd.ones { 1, 3 }, { pth = "a.svg" }) return t end,
      "did you mean 'path'?")
  end)

  it("another library's option name suggests ours", function()
    local params = network(2):collect_params()
    told(function() local t = gluon.Trainer(params, "sgd", { lr = 1 }) return t end,
      "unknown option 'lr'; did you mean 'learning_rate'?")
    told(function() local t = hl.optimizer.Adam { weight_decay = 1 } return t end,
      "unknown option 'weight_decay'; did you mean 'wd'?")
    told(function() local d = nn.Dense(2, { bias = false }) return d end,
      "unknown option 'bias'; did you mean 'use_bias'?")
  end)

  it("a parameter's shape is raised on creation", function()
    told(function() local p = gluon.Parameter("w", { shape = "3" }) return p end,
      "Parameter 'w': shape: expected a table of integers, got 3")
    told(function() local p = gluon.Parameter("w", { shape = { 2, 1.5 } }) return p end,
         "Parameter 'w': shape: expected a table of integers, got (2, 1.5)")
    assert.same({ 3 }, gluon.Parameter("w", { shape = 3 }).shape)
  end)

  it("blocks passed to a container's constructor says to use add", function()
    told(function() local s = nn.HybridSequential(nn.Dense(2)) return s end,
      "HybridSequential: it accepts no blocks; write net:add(...)")
    told(function() local s = nn.Sequential { nn.Dense(2), nn.Dense(3) } return s end,
      "Sequential: it accepts no blocks; write net:add(...)")
  end)

  it("a one-letter name suggests no other letter", function()
    local ok, message = pcall(function() return nd.ones { 2 }.x end)
    assert.falsy(ok)
    assert.falsy(message:find("did you mean", 1, true), message)
  end)

  it("a dot instead of a colon says so", function()
    local net, trainer = network(2), gluon.Trainer(network(2):collect_params(), "sgd")
    told(function() net.initialize() end, "Block.initialize: call it with a colon")
    told(function() net.hybridize() end, "HybridBlock.hybridize: call it with a colon")
    told(function() net.add(nn.Dense(2)) end, "HybridSequential.add: call it with a colon")
    told(function() trainer.step(1) end, "Trainer.step: call it with a colon, trainer:step")
    told(function() local g = net[0].weight.grad() return g end, "Parameter.grad: call it with a colon")
    told(function() hl.metric.Accuracy().update(nd.ones { 1 }, nd.ones { 1 }) end,
      "EvalMetric.update: call it with a colon")
  end)

  -- Visits every module of hybridlua that can be reached by name, once.
  local function each_module(visit)
    local seen = {}
    local function go(t, path)
      if seen[t] then return end
      seen[t] = true
      visit(t, path)
      for name, value in pairs(t) do
        if type(value) == "table" and type(name) == "string" and not rawget(value, "__name__") then
          go(value, path .. "." .. name)
        end
      end
    end
    go(gluon, "gluon")
    for _, name in ipairs { "optimizer", "initializer", "lr_scheduler", "metric" } do go(hl[name], name) end
  end

  local NOT_METHODS = { init = true, call = true, run = true, forward = true, hybrid_forward = true,
                        call_compiled = true, has_hooks = true,
                        with_hooks = true, set_field = true, subclass = true }

  it("a dot instead of a colon is raised by every method of every class", function()
    local count, seen = 0, {}
    each_module(function(module)
      for _, cls in pairs(module) do
        if class.is_class(cls) and not seen[cls] then
          seen[cls] = true
          for name, method in pairs(class.members(cls)) do
            if type(method) == "function" and debug.getlocal(class.as_written(method), 1) == "self" and
                not NOT_METHODS[name]
               and name:sub(1, 1) ~= "_" then
              count = count + 1
              told(function() local y = cls[name]() return y end,
                ("%s.%s: call it with a colon, "):format(cls.__name__, name))
              told(function() local y = cls[name](3, nd.ones { 1 }) return y end, "call it with a colon")
            end
          end
        end
      end
    end)
    assert.truthy(count > 150, count)
  end)

  it("a colon instead of a dot is raised by classes and functions of every module", function()
    local count = 0
    each_module(function(module)
      for name, value in pairs(module) do
        if class.is_class(value) or type(value) == "function" and debug.getinfo(value, "S").what ~= "C" then
          count = count + 1
          told(function() local y = module[name](module, {}) return y end,
            ("expected a dot, got a colon; write %s"):format(""))
        end
      end
    end)
    assert.truthy(count > 100, count)
    told(function() local y = hl:load "a" return y end, "load: expected a dot, got a colon; write hl.load(...)")
    told(function() local y = gluon.nn:Dense(4) return y end, "Dense: expected a dot, got a colon; write nn.Dense(...)")
    told(function() local y = nd:array { 1, 2 } return y end, "array: expected a dot, got a colon; write nd.array(...)")
    told(function() local y = nd:zeros { 2 } return y end, "zeros: expected a dot, got a colon; write nd.zeros(...)")
    told(function() local y = hl.sym:zeros { 2 } return y end,
      "zeros: expected a dot, got a colon; write sym.zeros(...)")
    told(function() local y = nd:tanh(nd.ones { 2 }) return y end,
      "tanh: expected a dot, got a colon; write nd.tanh(...)")
    told(function() local y = nd.random:normal(0, 1, { 2 }) return y end, "normal: expected a dot, got a colon")
    told(function() local c = gluon.HybridBlock.subclass "N" return c end, 'subclass: call it with a colon')
  end)

  it("an argument says what was expected", function()
    local net = network(2)
    local params = net:collect_params()
    told(function() local t = gluon.Trainer(net, "sgd") return t end,
      "got HybridSequential. Write net:collect_params().")
    told(function() local t = gluon.Trainer(params, "sgd", 0.1) return t end, "optimizer_params: expected a table")
    told(function() local t = gluon.Trainer(params, "sgd", { learning_rate = "fast" }) return t end,
      "learning_rate: expected a number, got 'fast'")
    told(function() local t = gluon.Trainer(params, hl.optimizer.SGD) return t end, "got the class SGD; write 'sgd'")
    told(function() network(2):initialize(hl.init.Xavier) end, "got the class Xavier; call it: Xavier()")
    told(function() net:add(nil) end, "add: expected Blocks, got nil")
    told(function() net:add(nn.Dense) end, "got the class Dense; call it, Dense(...)")
    told(function() nn.Sequential():add(3) end, "Children of Block must be Blocks, but 3 has type number")
    told(function() local d = nn.Dense(-1) return d end, "units: expected an integer of 0 or more, got -1")
    told(function() local d = nn.Dense "10" return d end, "got the string '10'")
    told(function() local d = nn.Dropout(1.5) return d end, "rate: expected a number from 0 to 1, got 1.5")
    told(function() net:hybridize "fast" end, "active: expected true, false or a table of options, got fast")
    told(function() net:export() end, "export: path: expected a string, got nil")
    told(function() net:cast "float" end, "expected float32", "got 'float'")
    told(function() autograd.record(nd.ones { 1 }) end, "expected a function, got an NDArray")
    told(function() hl.metric.Accuracy():update() end, "expected labels and predictions, got nothing")
    told(function() local y = nd.dot(nd.ones { 2 }, 3) return y end, "dot: rhs: expected an NDArray or a Symbol, got")
    told(function() local y = nd.zeros { -1 } return y end, "shape: expected dimensions of 0 or more, got (-1,)")
    told(function() local y = nd.random.normal(0, 1, { shape = { 2, -1 } }) return y end,
      "expected dimensions of 0 or more, got (2, -1)")
    told(function() local y = nd.zeros { 2 ^ 40 | 0, 2 ^ 40 | 0, 0 } return y end,
         "expected at most 2^48 elements along the dimensions that are not 0, got (1099511627776, 1099511627776, 0)")
    told(function() local y = nd.zeros { 0, 2 ^ 60 | 0, 1 << 20 } return y end,
      "expected at most 2^48 elements along the dimensions")
    told(function() local y = nd.ones { 1 }:astype "float" return y end, "dtype: expected dtype float32, float64",
      "got 'float'")
    told(function() local y = nd.zeros { 1000000, 1000000 } return y end, "out of memory: 3.64 TiB more are needed")
  end)

  it("a compiled function names the script's line", function()
    told(function() local y = hl.compile(function() return 3 end)(nd.ones { 1 }) return y end, "got a number (3)")
    told(function() local y = hl.compile(function(_, x) return x end)(print) return y end, "got a function")
    told(function() local f = hl.compile(nd.ones { 1 }) return f end, "hl.compile: expected a function")
    local net = network(2)
    net:hybridize { frozen = true }
    net(nd.ones { 1, 3 })
    told(function() net(nd.ones({ 1, 3 }, { dtype = "float64" })) end, "this call would need another trace")
  end)

  local x = nd.ones { 2, 4 }

  local function both_modes(fn)
    for _, hybridized in ipairs { false, true } do
      fn(function(net)
        net:initialize()
        if hybridized then net:hybridize() end
        return net
      end)
    end
  end

  it("an input's size names the layer, the expected size and the actual one", function()
    both_modes(function(make)
      local net = nn.HybridSequential { prefix = "net_" }
      net:name_scope(function() net:add(nn.Dense(9), nn.Dense(5, { in_units = 8 })) end)
      told(function() make(net)(x) end, "net_dense1: data: expected 8 features, got 9")
      net = nn.HybridSequential { prefix = "net_" }
      net:name_scope(function() net:add(nn.Dense(9), nn.Dense(5)) end)
      make(net)(x)
      told(function() net(nd.ones { 2, 7 }) end, "net_dense0: data: expected 4 features, got 7")
      told(function() net(x:astype "float64") end,
        "net_dense0: data: expected dtype float32, got float64; convert with astype")
      net:cast "float64"
      told(function() net(x) end, "net_dense0: data: expected dtype float64, got float32")
      assert.equal("float64", net(x:astype "float64").dtype)
      local deep = make(nn.Dense(2, { flatten = false, in_units = 3, prefix = "deep_" }))
      told(function() deep(nd.ones { 2, 4, 5 }) end, "deep: data: expected 3 features, got 5")
    end)
  end)

  it("an index for an Embedding names the layer, the value and the row", function()
    both_modes(function(make)
      local words = make(nn.Embedding(5, 2, { prefix = "words_" }))
      words(nd.array { { 4, 0 } })
      told(function() words(nd.array { { 1, 2 }, { 3, 5 } }) end,
        "words: data: expected indices from 0 to 4, got 5 in row 1, at (1, 1)")
      told(function() words(nd.array({ 0, -1 }, { dtype = "int32" })) end,
        "words: data: expected indices from 0 to 4, got -1 in row 1")
      told(function() words(nd.array { 0 / 0 }) end, "got nan in row 0")
      told(function() autograd.record(function() words(nd.array { 7 }) end) end, "got 7 in row 0")
      assert.same({ 2, 2 }, words(nd.array { 0, 4 }).shape)
    end)
  end)

  it("a Parameter says how to get its array", function()
    both_modes(function(make)
      local N = gluon.HybridBlock:subclass "N"
      function N:init() self.w = self.params:get("w", { shape = { 4 }, init = "ones" }) end
      function N:hybrid_forward(_, v) return v * self.w end
      told(function() make(N())(x) end,
           "hybrid_forward: expected at most 0 inputs, got 1. N has parameters (w): declare p last, " ..
           "function N:hybrid_forward(F, x, p)")
      local HINT =
        "hybrid_forward gets a Parameter's array in its last argument, p, as p.NAME; elsewhere write parameter:data()"
      function N:hybrid_forward(_, v, p) return v * self.w + p.w end
      told(function() make(N())(x) end, "got a", "and a Parameter", HINT)
      function N:hybrid_forward(_, v, p) return self.w * v + p.w end
      told(function() make(N())(x) end, "got the Parameter n", "elsewhere write parameter:data()")
      function N:hybrid_forward(_, _, p) return self.w * 2 + p.w end
      told(function() make(N())(x) end, "got the Parameter n",
        "hybrid_forward gets its arrays in its last argument (p.w)")
      function N:hybrid_forward(F, v, p) return F.broadcast_add(v, self.w) + p.w end
      told(function() make(N())(x) end,
        "broadcast_add: rhs: expected an NDArray or a Symbol, got a Parameter; " .. HINT)
      function N:hybrid_forward(_, v) return v * self.w:data() end
      local M = gluon.HybridBlock:subclass "M"
      function M:init() self.inner = N() end
      function M:hybrid_forward(_, v) return v * self.inner.w:data() end
      assert.allclose(make(M())(x), { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } })
    end)
  end)

  it("a missing F or return says so", function()
    both_modes(function(make)
      local N = gluon.HybridBlock:subclass "N"
      local HINT = "hybrid_forward and functions given to hl.compile take"
      function N:init() self.fc = nn.Dense(2, { in_units = 4 }) end
      function N:hybrid_forward(v) return v:tanh() end                              -- luacheck: ignore 212
      told(function() make(N())(x) end, "tanh: data: expected an NDArray or a Symbol, got F, the table of operators",
        HINT)
      function N:hybrid_forward(v) return self.fc(v) end
      told(function() make(N())(x) end, "got F, the table of operators", HINT)
      for _, fn in ipairs { function(v) return v * 2 end, function(v) return 1 - v end, function(v) return -v end } do
        told(function() make(nn.HybridLambda(fn))(x) end, "attempt to perform arithmetic on a table value: it is F",
          "function(F, x)")
      end
      told(function() make(nn.HybridLambda(function(v) return nd.tanh(v) end))(x) end, "got F, the table of operators",
        HINT)
      local Nothing = gluon.HybridBlock:subclass "Nothing"
      function Nothing:hybrid_forward(_, v) local _ = v * 2 end                     -- luacheck: ignore 212
      told(function() make(Nothing())(x) end, "hybrid_forward returned nothing; write return")
      told(function() autograd.record(function() make(Nothing())(x) end) end,
        "hybrid_forward returned nothing; write return")
    end)
    told(function() nn.HybridSequential():add(nn.Lambda(function(v) return v end)):hybridize() end,
      "but Lambda(", "Write nn.HybridLambda(function(F, x)")
    told(function() hl.metric.Accuracy():update(nd.ones { 2, 3 }, nd.ones { 2 }) end,
         "update: labels: expected classes for predictions of shape (2,), got shape (2, 3); labels come first: " ..
           "metric:update(labels, preds)")
    told(function() nn.Dense(2):optimize_for(x, "TensorRT") end,
      "optimize_for: there are no other back ends here; net:hybridize()")
    local Keeps = gluon.HybridBlock:subclass "Keeps"
    function Keeps:hybrid_forward(_, v) self.mu = v * 2 return self.mu end
    local net = Keeps()
    net:hybridize { effects = "error" }
    told(function() net(x) end, "self.mu of keeps", "is written while the block is traced", "return the value")
  end)

  it("a harmless mistake is a warning, once per line of the script", function()
    local text = stderr_of [[
      local net = nn.Dense(2, {in_units = 1})
      net:initialize()
      for _ = 1, 3 do net:initialize() end]]
    local _, count =
      text:gsub("[^\n]*:3: UserWarning: Parameter .dense0_%w+. is already initialized, ignoring. Pass " ..
        "{force_reinit = true}", "")
    assert.equal(2, count, text)                        -- for the weight and for the bias
    text = stderr_of [[
      local net = nn.Sequential()
      net:add(nn.Dense(2))
      net:hybridize()]]
    assert.truthy(text:find ":3: UserWarning: All children of this Sequential layer .sequential0_. are HybridBlocks",
      text)
  end)
end)

describe("loading", function()
  local file = os.tmpname()
  network(4, 3):save_parameters(file)

  it("lists all mismatches, the first in MXNet's words, and writes nothing", function()
    local net = network(5, 3, 3)
    table.remove(net._children, 2)
    net._children[1].value.bias:set_data(nd.zeros { 5 })
    told(function() net:load_parameters(file) end, "Parameter '2.weight' is missing in file",
         "\n6 parameters do not fit in all:\n",
         "missing in the file: 2.weight, 2.bias\n", "only in the file: 1.bias, 1.weight\n",
         "of another shape or dtype: 0.bias (expected (5,), got (4,)), 0.weight (expected (5, 3), got (4, 3))")
    assert.same({ 0, 0, 0, 0, 0 }, net[0].bias:data():totable())
  end)

  it("uses MXNet's words alone for a single problem", function()
    local net = network(4, 3)
    net[1].bias = nil
    local _, message = pcall(net.load_parameters, net, file)
    assert.truthy(message:find("Parameter '1.bias' loaded from file '" .. file .. "' is not present in ParameterDict",
      1, true), message)
    assert.falsy(message:find("in all", 1, true))
  end)

  it("does the same in ParameterDict", function()
    local from = network(4)
    from:collect_params():save(file)
    told(function() network(4):collect_params():load(file) end, "is missing in file: ",
      "4 parameters do not fit in all", "only in the file: dense")
  end)
end)

describe("Block:save and load", function()
  it("write MXNet's pair of files and restore the parameters", function()
    local prefix = os.tmpname()
    local a, b = network(4), network(4)
    a:save(prefix)
    b:load(prefix)
    assert.same(a[0].weight:data():totable(), b[0].weight:data():totable())
    local handle <close> = assert(io.open(prefix .. "-model.json"))
    local dense = a[0].name
    assert.equal(('{"hybridsequential0": {"orig_name": "%s", "hybridized": false, "children": {"%s": "0"}, ' ..
      '"dense1": {"orig_name": "%s", '
      .. '"hybridized": false, "children": {}}}}'):format(a.name, dense, dense), handle:read "a")
    told(function() a:save() end, "prefix: expected a string, got nothing")
    for _, ending in ipairs { "", "-model.json", "-model.params" } do os.remove(prefix .. ending) end
  end)
end)

describe("hl.name", function()
  it("prefixes the names of operators inside a scope", function()
    local function layer()
      return hl.sym.FullyConnected(hl.sym.var "data", { num_hidden = 3, name = "fc1" }):list_arguments()
    end
    assert.same({ "data", "mynet_fc1_weight", "mynet_fc1_bias" }, hl.name.Prefix("mynet_", layer))
    assert.falsy(pcall(hl.name.Prefix, "other_", error))
    assert.same({ "data", "fc1_weight", "fc1_bias" }, layer())
    assert.equal("relu0", hl.name.NameManager(function() return hl.sym.relu(hl.sym.var "a").name end))
  end)
end)
