-- options_spec.lua - options and arguments: unknown options are rejected with the nearest name; arguments can be passed
-- by name.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local faces = require "support.faces"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn, data = gluon.nn, gluon.data

describe("the reader of arguments", function()
  it("can be looked up for a class or function", function()
    assert.same({ "units", "activation", "use_bias" }, table.move(arguments.reader_of(nn.Dense).names, 1, 3, 1, {}))
    assert.equal("SGD", arguments.reader_of(hl.optimizer.SGD).what)
    assert.equal(0.07, arguments.reader_of(hl.initializer.Uniform).defaults.scale)
    assert.equal("label_format", arguments.reader_of(gluon.loss.LogisticLoss).names[3])
    assert.equal("top_k", arguments.reader_of(hl.metric.TopKAccuracy).names[1])
    assert.equal("filename", arguments.reader_of(gluon.Block.save_parameters).names[1])
    assert.equal("ignore_stale_grad", arguments.reader_of(gluon.Trainer.step).names[2])
    local Mine = nn.Dense:subclass "Mine"
    assert.equal("Dense", arguments.reader_of(Mine).what)
    function Mine:init() nn.Dense.init(self, 2) end
    assert.is_nil(arguments.reader_of(Mine))
    assert.is_nil(arguments.reader_of(3))
  end)

  it("orders a function's arguments", function()
    local taken = arguments.taking("f", "first second third{}", function(...) return table.pack(...) end)
    assert.same({ n = 0 }, taken())
    assert.same({ 1, 2, n = 2 }, taken(1, 2))
    assert.same({ 1, nil, 3, n = 3 }, taken { first = 1, third = 3 })
    assert.same({ 1, nil, 3, n = 3 }, taken(1, { third = 3 }))
    assert.same({ 1, 2, { own = 1 }, n = 3 }, taken(1, 2, { own = 1 }))
    assert.same({ nil, 2, nil, n = 3 }, taken(nd.NULL, 2))
    assert.raises(function() taken { frist = 1 } end,
      "options_spec.lua:%d+: f: unknown option 'frist'; did you mean 'first'%?")
    assert.raises(function() taken(1, 2, 3, 4) end, "f: expected at most 3 arguments, got 4")
    local list = arguments.taking("f", "items[] other", function(items, other) return items, other end)
    local given = { 1, 2 }
    assert.equal(given, (list(given)))
    assert.same({ 1, 2 }, (list { 1, 2, other = 5 }))
    assert.same({}, (list {}))
    assert.equal(5, select(2, list { 1, other = 5 }))
    local keyword = arguments.taking("f", "function", function(fn) return fn end)
    assert.equal(print, keyword { function_ = print })
    assert.equal(print, keyword { ["function"] = print })
  end)
end)

-- ---- All public functions -----------------------------------------------------------------------------

local OPTION = "optionthatdoesnotexist"

-- Does the call raise an error that names the unknown option?
local function refuses(fn, ...)
  local args = table.pack(...)
  local ok, message = pcall(fn, table.unpack(args, 1, args.n))
  message = tostring(message)
  if ok then return false, "was taken" end
  if message:find(OPTION, 1, true) then return true end
  if message:find("needs values, and a Symbol has none", 1, true) then return true end       -- for any arguments
  if message:find("so it works on arrays only, not in a graph", 1, true) then return true end
  return false, message
end

-- Calls the function with the option alone, and after as many arguments as it has names, or, if it reads its arguments
-- in its own way, after those it needs.
local function check(entry, problems)
  local self, option = entry.self, { [OPTION] = 1 }
  local needed, read = faces.needed[entry.name], arguments.reader_of(entry.fn)
  local calls = {}
  if needed then
    local args = table.pack(needed())
    args.n = args.n + 1
    args[args.n] = option
    calls[1] = args
  else
    calls[1] = { n = 1, option }
    if read then
      local before = entry.method and read.kind[#read.names] ~= "{}" and math.max(#read.names - 1, 0) or #read.names
      calls[2] = { n = before + 1, [before + 1] = option }
    end
  end
  for _, args in ipairs(calls) do
    local ok, problem
    if entry.method then ok, problem = refuses(entry.fn, self, table.unpack(args, 1, args.n))
    else ok, problem = refuses(entry.fn, table.unpack(args, 1, args.n)) end
    if not ok then problems[#problems + 1] = ("%s: %s"):format(entry.name, problem) end
  end
end

describe("an unknown option", function()
  local all = faces.list()

  it("is rejected by every public function, constructor and method", function()
    local problems, checked = {}, 0
    for _, entry in ipairs(all.entries) do
      if not faces.exceptions[entry.name] then
        check(entry, problems)
        checked = checked + 1
      end
    end
    assert.equal("", table.concat(problems, "\n"))
    assert.is_true(checked > 2300, checked)
    if os.getenv "HYBRIDLUA_COUNT" then
      print(("%d public functions, constructors and methods refuse it"):format(checked))
    end
  end)

  it("is tested on instances of every class", function()
    assert.equal("", table.concat(all.without_maker, "\n"))
    local names = {}
    for _, entry in ipairs(all.entries) do names[entry.name] = true end
    for name, reason in pairs(faces.exceptions) do
      assert.is_true(names[name] and #reason > 5, "no such function, or no reason: " .. name)
    end
    for name in pairs(faces.needed) do assert.is_true(names[name] ~= nil, "no such function: " .. name) end
  end)
end)

-- ---- Arguments by name ----------------------------------------------------------------------------------

-- A description of x for comparison.
local function told(x)
  if core.array.is(x) then return ("array %s %s"):format(x.dtype, x:tobytes()) end
  if type(x) ~= "table" or core.symbol.is(x) or class.of(x) then return tostring(x) end
  local parts = {}
  for i, item in ipairs(x) do parts[i] = told(item) end
  return table.concat(parts, ", ")
end

local function one(x) return x:asscalar() end

describe("arguments by name", function()
  local x, y = sym.var "x", sym.var "y"
  local ones = nd.ones { 2, 3 }
  local twice = x * 2

  -- Each case: a call by position and one by name, whose results must have the same description.
  local cases = {
    Parameter = { function() return gluon.Parameter("w", { shape = { 2, 3 } }) end,
                  function() return gluon.Parameter { name = "w", shape = { 2, 3 } } end },
    Constant = { function() return gluon.Constant("c", { 1, 2 }) end,
      function() return gluon.Constant { name = "c", value = { 1, 2 } } end },
    ParameterDict = { function() return gluon.ParameterDict "p_" end,
      function() return gluon.ParameterDict { prefix = "p_" } end },
    SequentialSampler = { function() return data.SequentialSampler(3, 2):totable() end,
                          function() return data.SequentialSampler { length = 3, start = 2 }:totable() end },
    RandomSampler = { function() return #data.RandomSampler(3) end,
      function() return #data.RandomSampler { length = 3 } end },
    FilterSampler = { function()
      return data.FilterSampler(function(v) return v > 5 end, data.SimpleDataset { 3, 7 }):totable()
    end,
                      function()
                        return data.FilterSampler { fn = function(v) return v > 5 end,
                          dataset = data.SimpleDataset { 3, 7 } }:totable()
                      end },
    ListSampler = { function() return data.ListSampler({ 2, 0 }):totable() end,
                    function() return data.ListSampler { places = { 2, 0 } }:totable() end },
    BatchSampler = { function() return #data.BatchSampler(data.SequentialSampler(5), 2, "discard") end,
                     function()
                       return #data.BatchSampler { sampler = data.SequentialSampler(5), batch_size = 2,
                         last_batch = "discard" }
                     end },
    SimpleDataset = { function() return data.SimpleDataset { 1, 2, 3 } end,
      function() return data.SimpleDataset { data = { 1, 2, 3 } } end },
    DataLoader = { function() return #data.DataLoader({ 1, 2, 3 }, 2) end,
                   function() return #data.DataLoader { dataset = { 1, 2, 3 }, batch_size = 2 } end },
    Compose = { function()
      return data.vision.transforms.Compose({ data.vision.transforms.ToTensor() })(nd.ones { 1, 1, 1 })
    end,
                function()
                  return data.vision.transforms.Compose {
                    transforms = { data.vision.transforms.ToTensor() } }(nd.ones { 1, 1, 1 })
                end },
    Normalize = { function() return data.vision.transforms.Normalize(1, 2)(nd.ones { 1, 1, 1 }) end,
                  function() return data.vision.transforms.Normalize { mean = 1, std = 2 }(nd.ones { 1, 1, 1 }) end },
    Cast = { function() return data.vision.transforms.Cast "int32"(ones) end,
             function() return data.vision.transforms.Cast { dtype = "int32" }(ones) end },
    Lambda = { function() return nn.Lambda "relu"(ones) end,
      function() return nn.Lambda { ["function"] = "relu" }(ones) end },
    HybridLambda = { function() return nn.HybridLambda "relu"(ones) end,
      function() return nn.HybridLambda { function_ = "relu" }(ones) end },
    Dense = { function() return nn.Dense(3, { in_units = 2 }) end,
      function() return nn.Dense { units = 3, in_units = 2 } end },
    SymbolBlock = { function() return gluon.SymbolBlock(x * 2, x, { prefix = "s_" }) end,
                    function() return gluon.SymbolBlock { outputs = x * 2, inputs = x, prefix = "s_" } end },
    L2Loss = { function() return gluon.loss.L2Loss(2) end, function() return gluon.loss.L2Loss { weight = 2 } end },
    Trainer = { function()
      return gluon.Trainer({ gluon.Parameter("w", { shape = { 1 } }) }, "sgd", { momentum = 0.5 })
    end,
                function()
                  return gluon.Trainer { params = { gluon.Parameter("w", { shape = { 1 } }) }, optimizer = "sgd",
                                         optimizer_params = { momentum = 0.5 } }
                end },
    Mixed = { function() return #hl.init.Mixed({ ".*" }, { "zeros" }).rules end,
              function() return #hl.init.Mixed { patterns = { ".*" }, initializers = { "zeros" } }.rules end },
    ["init.Constant"] = { function() return hl.init.Constant(3) end,
      function() return hl.init.Constant { value = 3 } end },
    ["init.Load"] = { function() return hl.init.Load({ w = ones }).arrays.w end,
                      function() return hl.init.Load { param = { w = ones } }.arrays.w end },
    Updater = { function() return hl.optimizer.Updater(hl.optimizer.SGD()).optimizer end,
                function() return hl.optimizer.Updater { optimizer = hl.optimizer.SGD() }.optimizer end },
    EvalMetric = { function() return hl.metric.EvalMetric "m".name end,
      function() return hl.metric.EvalMetric { name = "m" }.name end },
    ["sym.Variable"] = { function() return sym.Variable "v" end, function() return sym.Variable { name = "v" } end },
    ["sym.Group"] = { function() return sym.Group { x, y } end,
      function() return sym.Group { symbols = { x, y } } end },
    ["sym.compile"] = { function() return sym.compile { inputs = { x }, outputs = { x * 2 } }(ones) end,
                        function() return sym.compile { inputs = { x }, outputs = x * 2, name = "p" }(ones) end },
    bind = { function() return (x * 2):bind(hl.cpu(), { x = ones }):forward() end,
             function() return (x * 2):bind { ctx = hl.cpu(), args = { x = ones } }:forward() end },
    split_data = { function() return gluon.utils.split_data(ones, 3, 1) end,
                   function() return gluon.utils.split_data { data = ones, num_slice = 3, batch_axis = 1 } end },
    split_and_load = { function() return gluon.utils.split_and_load(ones, { hl.cpu() }) end,
                       function() return gluon.utils.split_and_load { data = ones, ctx_list = { hl.cpu() } } end },
    clip_global_norm = { function() return gluon.utils.clip_global_norm({ ones:copy() }, 1) end,
                         function()
                           return gluon.utils.clip_global_norm { arrays = { ones:copy() }, max_norm = 1 }
                         end },
    moveaxis = { function() return nd.moveaxis(ones, 0, 1) end,
      function() return ones:moveaxis { source = 0, destination = 1 } end },
    progress = { function() return hl.progress({ 5 }, { disable = true })() end,
                 function() return hl.progress { loop = { 5 }, disable = true }() end },
    plot_network = { function() return hl.viz.plot_network(twice) end,
      function() return hl.viz.plot_network { symbol = twice } end },
  }

  for name, case in pairs(cases) do
    it("equal arguments by position in " .. name, function()
      -- Names contain counters, which are replaced by N.
      local by_position, by_name = told(case[1]()):gsub("(%a)%d+", "%1N"), told(case[2]()):gsub("(%a)%d+", "%1N")
      assert.equal(by_position, by_name)
    end)
  end

  it("work in print_summary", function()
    local lines = {}
    local was = print
    _G.print = function(line) lines[#lines + 1] = line end
    local s = sym.FullyConnected(x, { num_hidden = 2, name = "fc" })
    hl.viz.print_summary(s, { x = { 1, 3 } })
    hl.viz.print_summary(s, { shape = { x = { 1, 3 } } })
    hl.viz.print_summary { symbol = s, shape = { x = { 1, 3 } } }
    _G.print = was
    local n = #lines // 3
    assert.equal(table.concat(lines, "\n", 1, n), table.concat(lines, "\n", n + 1, 2 * n))
    assert.equal(table.concat(lines, "\n", 1, n), table.concat(lines, "\n", 2 * n + 1))
  end)

  it("work in backward and grad", function()
    local a = nd.array { 1, 2 }
    a:attach_grad { grad_req = "write" }
    local function head() return autograd.record(function() return a * a end) end
    head():backward { out_grad = nd.array { 10, 100 } }
    assert.same({ 20, 400 }, a.grad:totable())
    head():backward(nd.array { 1, 0 }, { retain_graph = false, train_mode = true })
    assert.same({ 2, 0 }, a.grad:totable())
    autograd.backward { heads = { head() }, head_grads = { nd.array { 1, 2 } } }
    assert.same({ 2, 8 }, a.grad:totable())
    autograd.backward { head() }
    assert.same({ 2, 4 }, a.grad:totable())
    local kept = head()
    kept:backward { retain_graph = true }
    kept:backward()
    assert.same({ 2, 4 }, a.grad:totable())
    assert.same({ 2, 4 }, autograd.grad { heads = head(), variables = a }:totable())
    local g = autograd.grad { heads = { head() }, variables = { a }, head_grads = { nd.array { 2, 0 } } }
    assert.same({ 4, 0 }, g[1]:totable())
    local second = autograd.record(function() return autograd.grad(head(), a, { create_graph = true }) end)
    assert.same({ 2, 2 }, autograd.grad(second, a):totable())
    assert.raises(function() head():backward { out_gard = a } end,
      "backward: unknown option 'out_gard'; did you mean 'out_grad'%?")
    assert.raises(function() autograd.grad(head(), a, { creat_graph = true }) end, "did you mean 'create_graph'")
  end)

  it("work in methods", function()
    local ds = data.SimpleDataset { 1, 2, 3 }:transform { fn = function(v) return v * 2 end, lazy = false }
    assert.equal(4, ds[1])
    local net = nn.Dense(1, { in_units = 2 })
    net:initialize { init = hl.init.One() }
    net:hybridize { static_alloc = true, static_shape = true }
    local trainer = gluon.Trainer(net:collect_params { select = ".*weight" }, "sgd", { learning_rate = 1 })
    autograd.record(function() return net(nd.ones { 1, 2 }) end):backward()
    trainer:step { batch_size = 1, ignore_stale_grad = true }
    assert.same({ { 0, 0 } }, net.weight:data():totable())
    local metric = hl.metric.Accuracy()
    metric:update { labels = { nd.array { 1 } }, preds = { nd.array { { 0, 1 } } } }
    assert.equal(1.0, select(2, metric:get()))
    assert.equal(2, #data.SimpleDataset { 1, 2, 3 }:take { count = 2 })
    assert.equal(6, one(nd.ones { 2, 3 }:sum()))
    assert.is_false(autograd.record({ train_mode = false, fn = function() return autograd.is_training() end }))
    assert.is_false(autograd.record(function() return autograd.is_training() end, { train_mode = false }))
  end)

  it("can be nd.NULL, which means nil", function()
    assert.matches("^dense%d+_$", nn.Dense(1, { prefix = nd.NULL }).prefix)
    assert.matches("^hybridsequential%d+_$", nn.HybridSequential { prefix = nd.NULL, params = nd.NULL }.prefix)
    assert.equal("(\n\n)", tostring(gluon.ParameterDict(nd.NULL)))
  end)
end)
