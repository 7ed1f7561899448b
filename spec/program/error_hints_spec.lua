-- error_hints_spec.lua - hints that the program adds to uncaught errors: what to write instead of a missing name.
local hl = require "hybridlua"
local command = require "support.command"
local foreign = require "hybridlua.language.foreign_names"
local hints = require "hybridlua.language.error_hints"
local nd, gluon, nn = hl.nd, hl.gluon, hl.gluon.nn

local x = nd.array { { 1, 2 }, { 3, 4 } }
local net = nn.Dense(2, { in_units = 2 })
net:initialize()
local trainer = gluon.Trainer(net:collect_params(), "sgd")
local data = gluon.data.ArrayDataset(x)
local loader = gluon.data.DataLoader(data, { batch_size = 1 })

-- Returns the message of the program's message handler, with a hint if there is one.
local function message_of(fn)
  local _, hint = xpcall(fn, hints)
  return hint or select(2, pcall(fn))
end

local function hinted(list)
  for text, fn in pairs(list) do
    local message = message_of(fn)
    assert.truthy(message:find(text, 1, true), message)
    assert.truthy(message:find("error_hints_spec.lua:", 1, true), message)
  end
end

describe("a missing method", function()
  it("gets a hint for the object that it was called on", function()
    hinted {
      ["(method 'eval'); a block has no modes"] = function() net:eval() end,
      ["(method 'train'); a block has no modes"] = function() net:train(true) end,
      ["(method 'parameters'); write net:collect_params():values()"] = function() return net:parameters(), 1 end,
      ["(method 'state_dict'); write net:save_parameters(file)"] = function() print(net:state_dict()) end,
      ["(method 'state_dict'); write trainer:save_states(file)"] = function() trainer:state_dict() end,
      ['write net:reset_ctx(ctx) for a context, net:cast "float64"'] = function() net:to "cpu" end,
      ["(method 'zero_grad'); each backward overwrites"] = function() trainer:zero_grad() end,
      ["(method 'next'); write for data, label in loader do"] = function() print(loader:next()) end,
      ["(method 'map'); write dataset:transform(fn)"] = function() print(data:map(print)) end,
      ["(method 'numel'); write param:data().size"] = function() print(net.weight:numel()) end,
      ["(method 'named_parameters'); write for name, param in pairs(params) do"] = function()
        local named = net:collect_params():named_parameters()
        return named
      end,
      ["(method 'result'); write metric:get()"] = function() print(hl.metric.Accuracy():result()) end,
      ["(method 'minimize'); write gluon.Trainer"] = function() hl.optimizer.SGD():minimize(x) end,
      ['(method \'extend\'); write Base:subclass "Name"'] = function() print(gluon.Block:extend "A") end,
      ["(method 'size'); it is a field: write x.size"] = function() print(x:size()) end,
      ["(method 'dtype'); it is a field: write x.dtype"] = function() print(x:dtype()) end,
    }
  end)

  it("gets no hint on other objects", function()
    local mine, text = { inner = {} }, "a"
    for _, fn in ipairs { function() mine:eval(net) end,
                          function() mine.inner:zero_grad(trainer, loader) end, function() text:parameters(net) end } do
      local message = message_of(fn)
      assert.falsy(message:find(";", 1, true), message)
    end
  end)

  it("stays nil", function()
    for _, object in ipairs { net, trainer, data, nn.Dense, gluon.HybridBlock } do
      for _, name in ipairs { "eval", "zero_grad", "state_dict", "map", "extend" } do
        assert.equal(nil, object[name])
      end
    end
  end)

  it("gets a hint by name if its coroutine's stack is gone", function()
    local message = message_of(function()
      local routine = coroutine.wrap(function() net:eval() end)
      routine()
    end)
    assert.truthy(message:find("for a block, a block has no modes", 1, true), message)
  end)
end)

describe("a missing name", function()
  it("gets a hint for the module that was searched", function()
    hinted {
      ["hybridlua has no 'executor_manager'; write hl.mod.Module"] = function()
        local M = hl.executor_manager M.Module(3)
      end,
      ["np has no 'pv'; NumPy removed"] = function() return hl.np.pv(1), 1 end,
      ["nd has no 'sparse'; there are no sparse arrays"] = function() nd.sparse.csr_matrix(x) end,
      ["nd has no 'fft'; write nd.contrib.fft"] = function() nd.fft.fft(x) end,
      ["gluon.nn has no 'Module'; write nn.Block or nn.HybridBlock"] = function() print(nn.Module:subclass "A") end,
      ["nd has no 'atan2'; write nd.arctan2(y, x)"] = function() return nd.atan2(x, x) * 2, 1 end,
      ["hybridlua has no 'no_grad'; write hl.autograd.pause(fn)"] = function() hl.no_grad(print) end,
      ["lr_scheduler has no 'CosineAnnealingLR'; write lr_scheduler.CosineScheduler"] = function()
        hl.lr_scheduler.CosineAnnealingLR(3)
      end,
      ["nd has no 'ma'; there are no masked arrays"] = function() nd.ma(x) end,
      ["(global 'mx'); write local mx = require"] = function() mx.nd.ones { 2 } end, -- luacheck: ignore
    }
  end)

  it("gets no hint in the script's own tables", function()
    local own = {}
    for _, fn in ipairs { function() own.io.read() end, function() local model = own.model model.fit() end,
                          function() own.kv() end } do
      local message = message_of(fn)
      assert.falsy(message:find(";", 1, true), message)
    end
  end)

  it("gets hints that are sentences", function()
    for path, names in pairs(foreign.tables.absent_parts) do
      for name, text in pairs(names) do
        assert.truthy(#text > 10 and not text:find "%.$" and not text:find "  ", ("%s.%s: %s"):format(path, name, text))
      end
    end
    -- an existing name needs no hint
    for path, names in pairs(foreign.tables.absent_parts) do
      local inside = path:gsub("^hybridlua%.?", "")
      for name in pairs(names) do
        local full = inside == "" and name or inside .. "." .. name
        assert.is_false(hl.has(full), full)
      end
    end
    for name in pairs(foreign.tables.absent_functions) do assert.is_false(hl.has("nd." .. name), name) end
  end)
end)

describe("a context in a <close> variable", function()
  it("gets a hint to write with", function()
    hinted {
      ["variable '_' got a non-closable value; a context is entered by its method with: write local _ <close> = " ..
        "ctx:with()"] = function() local _ <close> = hl.cpu(1) end,
    }
    local mine = message_of(function() local _ <close> = {} end)
    assert.falsy(mine:find(";", 1, true), mine)
  end)
end)

describe("a call in the form of another library", function()
  it("gets a hint", function()
    hinted {
      ["got more (an integer); for decimals write nd.round(x * 100) / 100"] = function() print(nd.round(x, 2)) end,
      ["got 1; write nd.pad(x, {mode"] = function() print(nd.pad(x, 1)) end,
      ["got nothing; for the places where a condition holds write nd.nonzero"] = function() print(nd.where(x)) end,
      ['DataLoader: unknown option \'drop_last\'; write last_batch = "discard"'] = function()
        gluon.data.DataLoader(data, { batch_size = 1, drop_last = true })
      end,
      ["softmax: unknown option 'dim'; did you mean 'axis'?"] = function() print(nd.softmax(x, { dim = 1 })) end,
      ["sum: unknown option 'keepdim'; did you mean 'keepdims'?"] = function()
        local y = x:sum { keepdim = true }
        return y
      end,
    }
  end)
end)

describe("the program", function()
  local begin = 'local hl = require "hybridlua"\nlocal net = hl.gluon.nn.Dense(2)\n'

  it("adds hints to uncaught errors", function()
    local file = command.file(begin .. "net:eval()\n")
    local output, code = command.hybridlua { file }
    assert.equal(1, code)
    assert.truthy(output:find(":3: attempt to call a nil value (method 'eval'); a block has no modes", 1, true), output)
    assert.truthy(command.hybridlua { "-e", begin .. "hl.sparse.zeros()" }:find("there are no sparse arrays", 1, true))
  end)

  it("does not change caught errors", function()
    local output = command.hybridlua { "-e", begin .. "print(pcall(function() net:eval() end)) print(net.eval)" }
    assert.equal("false\t(command line):3: attempt to call a nil value (method 'eval')\nnil\n", output)
  end)

  it("adds them at the prompt", function()
    local typed = 'local net = require "hybridlua".gluon.nn.Dense(2)\nnet:eval()\nlocal _ <close> = hl.cpu(1)\n'
    local output = command.hybridlua({ "-i" }, typed)
    assert.truthy(output:find("(method 'eval'); a block has no modes", 1, true), output)
    assert.truthy(output:find("got a non-closable value; a context is entered", 1, true), output)
  end)

  it("answers help and exit at the prompt unless the script defines these names", function()
    local answer = "?name prints documentation, :help lists what else there is, :quit or Ctrl-D leaves\n"
    for _, line in ipairs { "help", "help()", " exit ( ) ;", "quit()", "exit" } do
      local output = command.hybridlua({ "-i" }, line .. "\nprint 'on'\n")
      assert.truthy(output:find(answer, 1, true) and output:find("on\n", 1, true), output)
    end
    local output = command.hybridlua({ "-i" },
      "local help = 31\nhelp\nfunction exit() print 'mine' end\nexit()\nexiting\n")
    assert.truthy(output:find("31", 1, true) and output:find("mine", 1, true) and output:find("nil", 1, true), output)
    assert.falsy(output:find(answer, 1, true), output)
  end)
end)
