-- honoured_options_spec.lua - known options and settings: each has its effect, or an error or warning says
-- that it has none.
local hl = require "hybridlua"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn, data = gluon.nn, gluon.data

local folder = scratch.folder()

local function output_of(code, environment)
  return (command.run(("%s %s %s"):format(environment or "", command.program,
    command.file('local hl = require "hybridlua"\n' .. code))))
end

local function count(text, part)
  local n, at = 0, 0
  repeat
    at = text:find(part, at + 1, true)
    n = n + (at and 1 or 0)
  until not at
  return n
end

local function parameters()
  local net = nn.Dense(1, { in_units = 2 })
  net:initialize(hl.init.One())
  return net
end

describe("a trainer's options", function()
  local function made(options)
    local net = parameters()
    return gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 1 }, options), net
  end

  it("accept kvstores of one process", function()
    for _, store in ipairs { "device", "local", hl.kv.create "device", nd.NULL } do
      local trainer, net = made { kvstore = store }
      autograd.record(function() return net(nd.ones { 1, 2 }) end):backward()
      trainer:step(1)
      assert.same({ { 0, 0 } }, net.weight:data():totable())
    end
    assert.raises(function() made { kvstore = "banana" } end,
                  "honoured_options_spec.lua:%d+: Trainer: kvstore: expected 'device', 'local' or nil, got 'banana'")
    assert.raises(function() made { kvstore = 3 } end, "Trainer: kvstore: expected 'device', 'local' or nil, got 3")
    for _, store in ipairs { "dist_sync", "dist_async", "dist_device_sync", "nccl", "horovod" } do
      assert.raises(function() made { kvstore = store } end,
        "Trainer: kvstore: expected 'device', 'local' or nil, got '" .. store .. "'; training runs in one process")
    end
    assert.raises(function() gluon.Trainer { parms = {}, optimizer = "sgd" } end,
      "Trainer: unknown option 'parms'; did you mean 'params'%?")
    assert.raises(function() made { kvstor = "local" } end,
      "Trainer: unknown option 'kvstor'; did you mean 'kvstore'%?")
    assert.raises(function() made { compression_params = { type = "2bit" } } end,
      "Trainer: compression_params: expected nil")
  end)

  it("include update_on_kvstore, which restricts updates to step, as in MXNet", function()
    local trainer, net = made { update_on_kvstore = true }
    autograd.record(function() return net(nd.ones { 1, 2 }) end):backward()
    assert.raises(function() trainer:update(1) end,
      "^[^\n]*update%(%) when parameters are updated on kvstore is not supported%. Make the Trainer " ..
      "with update_on_kvstore = false%.")
    assert.raises(function() trainer:allreduce_grads() end,
      "allreduce_grads%(%) when parameters are updated on kvstore is not supported")
    trainer:step(1)
    assert.same({ { 0, 0 } }, net.weight:data():totable())
    trainer = made { update_on_kvstore = false }
    trainer:allreduce_grads()
    assert.raises(function() made { update_on_kvstore = true, kvstore = nd.NULL } end,
                  "update_on_kvstore: expected false or nil without a kvstore")
    assert.raises(function() made { update_on_kvstore = "yes" } end,
      "update_on_kvstore: expected true, false or nil, got yes")
  end)
end)

describe("a read-only field", function()
  it("says what to write instead", function()
    local net = parameters()
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 1 })
    assert.raises(function() trainer.learning_rate = 0 end,
                  "honoured_options_spec.lua:%d+: Trainer: learning_rate is read only; write " ..
                    "trainer:set_learning_rate%(0%)")
    assert.equal(1, trainer.learning_rate)
    trainer:set_learning_rate(0.5)
    assert.equal(0.5, trainer.learning_rate)
    assert.raises(function() trainer.optimizer.learning_rate = 0 end,
      "SGD: learning_rate is read only; write optimizer:set_learning_rate%(0%)")
    for _, field in ipairs { "name", "prefix", "params" } do
      assert.raises(function() net[field] = "other" end, field .. " is read only")
    end
    assert.raises(function() net.params.prefix = "p" end, "ParameterDict 'dense%d+_': prefix is read only")
    assert.raises(function() net.params.weight = nd.ones { 1 } end, "parameters are created by get")
  end)

  it("does not include a parameter's dtype, which casts", function()
    local net = parameters()
    net.weight.dtype = "float64"
    assert.equal("float64", net.weight:data().dtype)
    assert.equal("float64", net.weight.dtype)
  end)
end)

describe("a network's cast", function()
  it("rejects float16, which is for storage only", function()
    assert.raises(function() parameters():cast "float16" end,
      "honoured_options_spec.lua:%d+: dense%d+: cast: float16 is for storage only")
    local net = nn.HybridSequential()
    net:add(nn.Dense(1, { in_units = 1 }))
    assert.raises(function() net:cast { dtype = "float16" } end, "float16 is for storage only")
    net:cast "float64"
    net:initialize()
    assert.equal("float64", net(nd.ones({ 1, 1 }, { dtype = "float64" })).dtype)
  end)
end)

describe("a missing feature", function()
  it("is reported where it is requested", function()
    assert.raises(function() gluon.Parameter("w", { stype = "row_sparse" }) end,
                  "Parameter 'w': stype: expected 'default', since there are no sparse arrays here")
    assert.raises(function() sym.var("w", { stype = "csr" }) end, "sym.var: stype: expected 'default'")
  end)
end)

describe("files", function()
  it("cannot have extensions of formats that are not written", function()
    local s = sym.var "x" * 2
    for _, ending in ipairs { "safetensors", "onnx", "pt", "csv", "h5", "json" } do
      assert.raises(function() hl.save(folder:file("a." .. ending), nd.ones { 1 }) end,
        "honoured_options_spec.lua:%d+: nd.save: file: '[^']*' is the name of a format that is not written " ..
          "here; expected an ending .params")
    end
    assert.raises(function() parameters():save_parameters(folder:file "net.pt") end,
      "is the name of a format that is not written here")
    for _, ending in ipairs { "onnx", "png", "txt" } do
      assert.raises(function() hl.save(folder:file("s." .. ending), s) end,
        "Symbol.save: file: .* expected an ending .json")
    end
    for _, name in ipairs { "a.params", "a.npy", "a.npz", "weights", "net-0001", "a.states" } do
      hl.save(folder:file(name), nd.ones { 1 })
      local back = hl.load(folder:file(name))
      assert.same({ 1 }, (type(back) == "table" and select(2, next(back)) or back):totable())
    end
    hl.save(folder:file "s.json", s)
    assert.equal(tostring(s), tostring(hl.load(folder:file "s.json")))
  end)

  it("of another kind raise an error that names the kind", function()
    local name = folder:file "table.csv"
    local file = io.open(name, "w")
    file:write "1,2,3\n"
    file:close()
    assert.raises(function() hl.load(name) end,
      "hl.load: .*table.csv: expected .*, got text with numbers; gluon.data.CSVDataset%(file%) reads")
    assert.raises(function() nd.load(name) end, "expected arrays %(.params, .npy or .npz%)")
  end)

  it("may hold tables whose keys are names of arguments", function()
    nd.save(folder:file "d.params", { data = nd.ones { 1 }, file = nd.zeros { 1 } })
    assert.same({ 1 }, nd.load(folder:file "d.params").data:totable())
  end)
end)

describe("a data loader's options", function()
  local samples = { 1, 2, 3 }

  it("are checked", function()
    local wrong = {
      [{ batch_size = 0 }] = "batch_size: expected an integer of 1 or more, got 0",
      [{ batch_size = 1, shuffle = "yes" }] = "DataLoader: shuffle: expected true or false, got yes",
      [{ batch_size = 1,
        last_batch = "drop" }] = "last_batch must be one of 'keep', 'discard', or 'rollover', but got drop",
      [{ batch_size = 1,
        batchify_fn = 3 }] = "DataLoader: batchify_fn: expected a function of a list of samples, got number",
      [{ batch_size = 1, sampler = "random" }] = "DataLoader: sampler: expected a Sampler or a list, got string",
      [{ batch_size = 1, num_workers = "four" }] = "DataLoader: num_workers: expected a number, got 'four'",
      [{ batch_size = 1, num_workers = -1 }] = "DataLoader: num_workers: expected a number of 0 or more, got %-1",
      [{ batch_size = 1, num_workers = 1.5 }] = "DataLoader: num_workers: expected a number of 0 or more, got 1.5",
      [{ batch_size = 1, timeout = 0 }] = "DataLoader: timeout: expected a number above 0, got 0",
      [{ batch_size = 1, prefetch = "all" }] = "DataLoader: prefetch: expected a number, got 'all'",
      [{ batch_size = 1, thread_pool = 1 }] = "DataLoader: thread_pool: expected a boolean, got 1",
      [{ batch_size = 1, num_worker = 1 }] = "DataLoader: unknown option 'num_worker'; did you mean 'num_workers'%?",
      [{ batch_size = 1, batch_sampler = { { 1 } } }] = "must not be specified if batch_sampler is specified",
      [{ shuffle = true, batch_sampler = { { 1 } } }] = "must not be specified if batch_sampler is specified",
      [{}] = "batch_size must be specified unless batch_sampler is specified",
    }
    for options, message in pairs(wrong) do assert.raises(function() data.DataLoader(samples, options) end, message) end
  end)

  it("are accepted with one warning each if they would only affect speed", function()
    local text = output_of [[
      local data = hl.gluon.data
      for _ = 1, 2 do
        local loader = data.DataLoader({1, 2, 3}, 2,
          {prefetch = 8, timeout = 5, pin_memory = false, pin_device_id = 1, thread_pool = true, auto_reload = true})
        assert(#loader == 2)
      end
      data.DataLoader({1, 2, 3}, 2,
        {num_workers = 0, pin_memory = false, prefetch = 0, thread_pool = false, timeout = 120})
      local net = hl.gluon.nn.Dense(1)
      net:hybridize{static_alloc = true, static_shape = true} ]]
    assert.equal(5, count(text, "UserWarning"), text)
    for _, option in ipairs { "prefetch", "timeout", "pin_device_id", "thread_pool", "auto_reload" } do
      assert.equal(1, count(text, ("UserWarning: DataLoader: %s has no effect: "):format(option)), text)
    end
    assert.equal("", output_of "hl.gluon.data.DataLoader({1, 2, 3}, 2, {pin_memory = true, pin_device_id = 1})")
    text = output_of [[
      for _ in hl.gluon.data.DataLoader({1, 2, 3}, 2, {num_workers = 2, prefetch = 8, timeout = 5}) do end
      hl.gluon.data.DataLoader({1, 2, 3}, 2, {num_workers = 2, thread_pool = true}) ]]
    assert.equal(1, count(text, "UserWarning"), text)
    assert.equal(1, count(text, "thread_pool has no effect: workers are processes"), text)
    assert.equal("", output_of "hl.gluon.data.DataLoader({1, 2, 3}, 2, {num_workers = 0, thread_pool = false})")
  end)
end)

describe("meaningless values", function()
  it("are rejected", function()
    local ds = data.SimpleDataset { 1, 2, 3 }
    assert.raises(function() ds:sample { 1, 2 } end,
                  "Invalid sampler type: table%. Expected a gluon.data.Sampler, such as " ..
                    "SequentialSampler%(length, start%), or ListSampler{...}")
    assert.raises(function() ds:shard(2.5, 0) end,
      "Dataset.shard: expected integers as num_shards and index, got 2.5 and 0")
    local net = nn.Dense(1, { in_units = 1 })
    assert.raises(function() net:explain { format = "html" } end,
      "explain: format: expected 'text' or 'table', got 'html'")
    assert.raises(function() hl.optimizer.create(hl.optimizer.SGD(), { momentum = 1 }) end,
      "options: expected none with an existing Optimizer")
    assert.raises(function() hl.metric.create(hl.metric.Accuracy(), { axis = 1 }) end,
      "options: expected none with an existing metric")
    assert.raises(function() hl.init.create(hl.init.Xavier(), { magnitude = 1 }) end,
      "options: expected none with an existing Initializer")
    assert.raises(function() autograd.is_recording(true) end,
      "autograd.is_recording: expected at most 0 arguments, got 1")
    local never = false
    assert.raises(function() autograd:record(function() never = true end) end,
      "autograd.record: expected a dot, got a colon")
    assert.is_false(never or autograd.is_recording())
    local executor = (sym.var "x" * 2):bind { args = { x = nd.ones { 1 } } }
    assert.raises(function() executor:copy_params_from { y = nd.ones { 1 } } end,
      'Find name "y" that is not in the arguments')
    executor:copy_params_from({ y = nd.ones { 1 }, x = nd.zeros { 1 } }, nil, true)
    assert.same({ 0 }, executor.arg_dict.x:totable())
  end)

  it("of environment variables are reported once, at the start", function()
    local wrong = {
      ["HYBRIDLUA_NUM_THREADS=abc"] = "a whole number from 1 to 1024, got 'abc'",
      ["HYBRIDLUA_NUM_THREADS=0"] = "a whole number from 1 to 1024, got '0'",
      ["HYBRIDLUA_NUM_THREADS=-3"] = "a whole number from 1 to 1024, got '-3'",
      ["HYBRIDLUA_MEM_LIMIT=1X"] = "bytes, or a number with K, M, G or T, got '1X'",
      ["HYBRIDLUA_DISABLE=yes"] = "1 or 0, got 'yes'", ["HYBRIDLUA_JIT=foo"] = "off, sync or background, got 'foo'",
      ["HYBRIDLUA_BLAS=/nonexistent.so"] = "a library that can be read, got '/nonexistent.so'",
      ["HYBRIDLUA_CONVOLUTION=drect"] = "direct, got 'drect'",
      ["HYBRIDLUA_LOG=trace,kernels"] = "trace, plan or kernel, got 'kernels'",
    }
    for setting, message in pairs(wrong) do
      local name = setting:match "^[%w_]+"
      assert.equal(("hybridlua: %s: expected %s\ntrue\n"):format(name, message),
        output_of("print(hl.memory().budget > 1e6)", setting))
    end
    assert.equal("1536\n", output_of("print(hl.memory().budget)", "HYBRIDLUA_MEM_LIMIT=1.5K"))
    assert.equal("1\n", output_of("print(require'hybridlua.core'.host.threads())",
      "HYBRIDLUA_NUM_THREADS=1 HYBRIDLUA_DISABLE=0 HYBRIDLUA_JIT="))
  end)
end)
