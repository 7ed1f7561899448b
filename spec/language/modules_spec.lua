-- modules_spec.lua - modules as values, missing names in modules and arrays, and hl.type.
local hl = require "hybridlua"
local foreign = require "hybridlua.language.foreign_names"
local command = require "support.command"
local core = require "hybridlua.core"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

describe("a module", function()
  it("prints its name", function()
    for module, path in pairs {
      [hl] = "hybridlua", [nd] = "hybridlua.nd", [sym] = "hybridlua.sym", [nd.random] = "hybridlua.nd.random",
      [sym.linalg] = "hybridlua.sym.linalg", [gluon] = "hybridlua.gluon", [nn] = "hybridlua.gluon.nn",
      [gluon.loss] = "hybridlua.gluon.loss", [hl.metric] = "hybridlua.metric",
      [hl.optimizer] = "hybridlua.optimizer", [gluon.data.vision] = "hybridlua.gluon.data.vision",
      [hl.random] = "hybridlua.random",
    } do
      assert.equal(("<module '%s'>"):format(path), tostring(module))
      assert.equal("module", hl.type(module))
    end
    assert.equal("hybridlua.nd hybridlua.sym", nd.__name__ .. " " .. sym.__name__)
  end)

  it("raises an error for a missing name, with the nearest existing one", function()
    for pattern, fn in pairs {
      ["nd has no 'reshap'; did you mean 'reshape'%?"] = function() nd.reshap(nd.ones { 2 }) end,
      ["nd has no 'Convlution'; did you mean 'Convolution'%?"] = function() local f = nd.Convlution return f end,
      ["sym has no 'FullyConected'; did you mean 'FullyConnected'%?"] = function()
        return sym.FullyConected(sym.var "x")
      end,
      ["nd.random has no 'norml'; did you mean 'normal'%?"] = function() local _ = nd.random.norml { 2 } end,
      ["gluon.nn has no 'Dens'; did you mean 'Dense'%?"] = function() return nn.Dens(2) end,
      ["hybridlua has no 'optimzer'; did you mean 'optimizer'%?"] = function() hl.optimzer "sgd" end,
      ["gluon has no 'HybridBlok'; did you mean 'HybridBlock'%?"] = function() return gluon.HybridBlok() end,
      ["nd has no 'unheard_of_entirely'$"] = function() nd.unheard_of_entirely(nd.ones { 1 }, nd.zeros { 1 }) end,
      ["nd has no 'mm'; write nd.dot"] = function() return nd.mm(nd.ones { 1, 1 }, nd.ones { 1, 1 }) end,
      ["sym has no 'mm'; write sym.dot"] = function() return sym.mm(sym.var "a", sym.var "b") end,
      ["gluon.nn has no 'Linear'; write nn.Dense"] = function() return nn.Linear(2) end,
      ["nd has no '1'$"] = function() return nd[1] end,
      ["nd has no 'nil'$"] = function() return nd[nil] end,
    } do assert.raises(fn, "^spec/language/modules_spec.lua:%d+: " .. pattern) end
    local net = hl.compile(function(F, x) return F.mm(x, x) end)
    assert.raises(function() net(nd.ones { 1, 1 }) end, "modules_spec.lua:%d+: sym has no 'mm'")
  end)

  it("does the same in plain Lua", function()
    local text = 'local hl = require "hybridlua" print(pcall(function() return hl.nd.Convlution end))'
    assert.equal("false\t(command line):1: nd has no 'Convlution'; did you mean 'Convolution'?\n",
      (command.run(("LUA_CPATH='%s/?.so' lua5.4 -e %s"):format(command.build, command.quote(text)))))
  end)

  it("stores names that a script sets, until they are set to nil", function()
    nd.mine_here = 3
    assert.equal(3, nd.mine_here)
    nd.mine_here = nil
    assert.raises(function() return nd.mine_here end, "nd has no 'mine_here'$")
    local tanh = nd.tanh
    finally(function() nd.tanh = tanh end)
    nd.tanh = nil
    assert.is_false(hl.has "nd.tanh")
    assert.raises(function() return nd.tanh end, "nd has no 'tanh'; did you mean 'tan'%?$")
    for name in pairs(nd) do assert.not_equal("tanh", name) end
    nd.tanh = tanh
    assert.is_true(hl.has "nd.tanh")
    assert.equal(tanh, nd.tanh)
  end)

  it("reports with hl.has whether it has a name", function()
    for _, name in ipairs { "nd", "nd.tanh", "nd.linalg.gemm2", "gluon", "gluon.nn.Dense", "gluon.nn.Dense.hybridize",
                            "nd.NDArray.reshape", "optimizer.SGD", "np.linalg.norm", "hl.nd.tanh", "has",
                              "__version__" } do
      assert.is_true(hl.has(name), name)
    end
    for _, name in ipairs { "npp", "nd.Convlution", "nd.linalg.gemm5", "np.linalg.nrm", "gluon.nn.Linear",
                            "gluon.nn.Dense.eval", "nd.tanh.x", "__version__.x", "nd.",
                            "nd..tanh", "" } do
      assert.is_false(hl.has(name), name)
    end
    assert.raises(function() hl.has(nd) end, "has: name: expected a string, such as 'nd.tanh', got table")
    assert.raises(function() hl.has("nd", "tanh") end, "hl.has: expected at most 1 argument, got 2")
  end)

  it("is followed in a trace when the answer of hl.has changes", function()
    local x = nd.ones { 1 }
    local f = hl.compile(function(_, a) return hl.has "nd.mine_later" and a * nd.mine_later or a end)
    assert.equal(1, f(x):asscalar())
    finally(function() nd.mine_later = nil end)
    nd.mine_later = 5
    assert.equal(5, f(x):asscalar())
    nd.mine_later = nil
    assert.equal(1, f(x):asscalar())
    local caught = hl.compile(function(_, a)
      local there, factor = pcall(function() return nd.mine_later end)
      return there and a * factor or a
    end)
    assert.equal(1, caught(x):asscalar())
    nd.mine_later = 7
    assert.equal(7, caught(x):asscalar())
  end)

  it("leaves Lua's errors for calls of nil unchanged", function()
    local t, nothing = {}, nil
    local cases = {
      ["attempt to call a nil value %(field 'matmul'%)"] = function() t.matmul() end,
      ["attempt to call a nil value %(method 'go'%)"] = function() return t:go() end,
      ["attempt to call a nil value %(upvalue 'nothing'%)"] = function() nothing() end,
      ["attempt to call a nil value %(global 'no_such_global'%)"] = function()
        return no_such_global(1)       -- luacheck: ignore 113
      end,
      ["attempt to call a nil value %(for iterator 'for iterator'%)"] = function()
        for value in nothing do print(value) end
      end,
    }
    for pattern, fn in pairs(cases) do assert.raises(fn, "^spec/language/modules_spec.lua:%d+: " .. pattern .. "$") end
    assert.same({ false, "attempt to call a nil value" }, { pcall(nothing) })
    assert.is_nil(debug.getmetatable(nil))
  end)
end)

describe("a file of the library", function()
  it("runs with the names and lines of its source, precompiled or not", function()
    local files = io.popen "find lua -name '*.lua'"
    local n = 0
    for file in files:lines() do
      local path = file:gsub("^lua/", "")
      local name = path:gsub("%.lua$", ""):gsub("/", "."):gsub("%.init$", "")
      local loader
      for i = #package.searchers, 1, -1 do
        local found, where = package.searchers[i](name)
        if type(found) == "function" and where == path then loader = found break end
      end
      assert.is_function(loader, name)
      local text = assert(io.open(file)):read "a"
      assert.equal(text, core.host.source_text(path), "make was not run")
      assert.is_true(string.dump(assert(load(text, "=" .. path))) == string.dump(loader), path)
      n = n + 1
    end
    files:close()
    assert.is_true(n > 50)
  end)
end)

describe("a missing name of arrays", function()
  it("raises an error with the name used here, on arrays and Symbols", function()
    for name, pattern in pairs {
      view = "write x:reshape", unsqueeze = "write x:expand_dims", permute = "write x:transpose", t = "write x.T",
      mm = "write nd.dot", to = "write x:astype", cuda = "write x:as_in_context", numel = "write x.size",
      dim = "write x.ndim", requires_grad_ = "write x:attach_grad", float = 'write x:astype "float32"',
      long = 'write x:astype "int64"', clamp = "write x:clip", contiguous = "always contiguous",
      masked_fill = "write nd.where", summ = "did you mean 'sum'%?", shap = "did you mean 'shape'%?",
    } do
      assert.raises(function() return nd.ones { 2 }[name] end,
        ("modules_spec.lua:%%d+: index: '%s' is not a field, .*%s"):format(name, pattern))
      assert.raises(function() return sym.var "x"[name] end, ("'%s' is not a field, .*%s"):format(name, pattern))
    end
  end)

  it("raises an error with an explanation if there is no equivalent", function()
    for name, text in pairs(foreign.tables.absent) do
      assert.raises(function() return nd.ones { 2 }[name] end, "index: '" .. name .. "' is not a field")
      local _, message = pcall(function() return sym.var "x"[name] end)
      assert.truthy(message:find(text, 1, true), message)
    end
    local x = nd.ones { 2 }
    assert.equal(x, x:tostype "default")
    assert.raises(function() x:tostype "csr" end,
      "tostype: stype: expected 'default', got 'csr': there are no sparse arrays")
    assert.same({ "float32" }, (sym.var("x", { dtype = "float32" }) * 2):infer_type_partial())
  end)

  it("is looked up only if missing", function()
    for name, text in pairs(foreign.tables.array) do
      local ok, value = pcall(function() return nd.ones { 2 }[name] end)
      if not core.array.methods[name] and not ok then assert.truthy(value:find("write " .. text, 1, true), value) end
    end
    assert.truthy(nd.ones { 2 }.expand_dims)
  end)
end)

describe("hl.type", function()
  it("returns the kind of a value", function()
    local Net = gluon.HybridBlock:subclass "Net"
    for _, case in ipairs {
      { nd.ones { 1 }, "NDArray" }, { sym.var "x", "Symbol" }, { nn.Dense(2), "Dense" }, { Net(), "Net" },
      { nn.Dense(2).weight, "Parameter" }, { nn.Dense, "class" }, { nd.NDArray, "class" }, { nd, "module" },
      { hl.cpu(), "Context" }, { {}, "table" }, { nd.ones { 1 }.shape, "table" }, { 1, "number" }, { "a", "string" },
      { print, "function" }, { hl.optimizer.create "sgd", "SGD" },
    } do assert.equal(case[2], hl.type(case[1])) end
    assert.equal("nil", hl.type(nil))
    local double_symbols = hl.compile(function(_, x) return hl.type(x) == "Symbol" and x * 2 or x end)
    assert.equal(2, double_symbols(nd.ones { 1 }):item())
  end)
end)

describe("reading values", function()
  it("works under NumPy's and MXNet's names", function()
    local x = nd.array { { 1, 2 }, { 3, 4 } }
    for _, name in ipairs { "asnumpy", "numpy", "tolist" } do assert.same(x:totable(), x[name](x)) end
    assert.equal(3.5, nd.array { 3.5 }:item())
    assert.raises(function() x:item() end, "item: data: expected an array of one element, got shape %(2, 2%)")
  end)

  it("is an error in a trace, with the method's name", function()
    for _, name in ipairs { "asnumpy", "numpy", "tolist", "totable", "item", "asscalar" } do
      local f = hl.compile(function(_, x) return x[name](x) end)
      assert.raises(function() f(nd.ones { 1 }) end,
        ("modules_spec.lua:%%d+: x:%s%%(%%) needs values, and a Symbol has none while a block is hybridized; " ..
          "write operators"):format(name))
    end
  end)
end)
