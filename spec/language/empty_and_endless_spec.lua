-- empty_and_endless_spec.lua - errors for selections of nothing, and for numbers that would make a call endless.
local hl = require "hybridlua"
local command = require "support.command"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

local function fails(part, fn, ...)
  local ok, message = pcall(fn, ...)
  assert.falsy(ok)
  assert.truthy(tostring(message):find(part, 1, true), message)
  assert.falsy(tostring(message):find "^hybridlua/")
end

describe("a selection of nothing", function()
  local function net()
    local block = gluon.nn.Dense(2)
    block:initialize()
    return block
  end

  it("is rejected as a Trainer's parameters", function()
    fails("Trainer: params: expected at least one Parameter, got none", gluon.Trainer, net():collect_params ".*gamma",
      "sgd")
    fails("Trainer: params: expected at least one Parameter, got none", gluon.Trainer, {}, "sgd")
  end)

  it("is an error if caused by a Lua pattern instead of a regular expression", function()
    local block = net()
    fails("'dense%d_weight' matches no parameter; it is a regular expression", block.collect_params, block,
      "dense%d_weight")
    assert.equal(0, #block:collect_params("gamma"):keys())
    assert.equal(1, #block:collect_params(".*weight"):keys())
  end)
end)

describe("large numbers", function()
  it("let nd.diff end when no elements are left", function()
    local x = nd.array { 1, 4, 9 }
    assert.same({ 0 }, nd.diff(x, { n = 2147483647 }).shape)
    assert.same({ 2 }, nd.diff(x, 2):totable())
    assert.same({ 0 }, nd.diff(x, 3).shape)
    assert.same({ 0 }, nd.diff(nd.zeros { 0 }, 5).shape)
    fails("diff: n: expected at most 1000", sym.diff, sym.var "x", { n = 2147483647 })
    assert.same({ { 0 } }, (select(2, sym.diff(sym.var("x", { shape = { 3 } }), { n = 2147483647 }):infer_shape {})))
  end)

  it("are rejected if a call would not end", function()
    local x = nd.array { { 3, 1 }, { 4, 5 } }
    fails("random_gamma: alpha: expected more than 0, and finite, got inf", nd.random.gamma, 1 / 0, 1)
    fails("alpha: expected more than 0, and finite", nd.random.gamma, nd.array { 1 / 0 }, nd.array { 1 })
    fails("k: expected 0 or more, and finite, got inf", nd.random.negative_binomial, 1 / 0, 0.5)
    fails("alpha: expected 0 or more, and finite", nd.random.generalized_negative_binomial, 1, 1 / 0)
    fails("alpha: expected 0 or more, and finite", nd.random.generalized_negative_binomial,
      nd.array({ 1 }, "float64"), nd.array({ 4e-320 }, "float64"))
    fails("linalg.matrix_power: n: expected a greater integer", nd.linalg.matrix_power, x, math.mininteger)
    fails("PositionalEmbedding: max_length: expected at most", gluon.contrib.nn.PositionalEmbedding, 4, 2147483647)
    fails("linalg.tensorinv: ind: expected an integer from 1 to 2", nd.linalg.tensorinv, x, 2147483647)
  end)

  it("select as many samples as exist", function()
    local data = gluon.data.SimpleDataset { 1, 2, 3 }
    assert.equal(2, #data:take(2))
    assert.equal(0, #data:take(0))
    assert.equal(3, #data:take(math.maxinteger))
    assert.equal(3, #data:take())
    for _, count in ipairs { -5, math.mininteger, 1.5, "2" } do
      fails("Dataset.take: count: expected an integer of 0 or more", data.take, data, count)
    end
  end)
end)

describe("whole numbers that float32 rounds", function()
  local function refused(fn, what, number)
    assert.raises(fn, ("%s: %s would become .* in float32, which holds whole numbers up to 16777216; write dtype = " ..
      '"int64" or "float64"'):format(what, number))
  end

  it("are errors that say what to write", function()
    refused(function() return nd.array { { 1 }, { 16777217 } } end, "nd.array", "16777217")
    refused(function() return nd.array(16777219) end, "nd.array", "16777219")
    refused(function() return nd.array { math.maxinteger } end, "nd.array", "9223372036854775807")
    refused(function() return nd.arange(16777217, 16777221) end, "arange", "16777217")
    refused(function() return nd.arange(20000000) end, "arange", "19999999")
    refused(function() return nd.full({ 2 }, 16777217) end, "full", "16777217")
    refused(function() return sym.full { shape = { 2 }, value = -16777219 } end, "full", "%-16777219")
    refused(function() return hl.np.full({ 2 }, 16777217) end, "full", "16777217")
    local compiled = hl.compile(function(F, x) return F.full({ 1 }, 16777217) + x end)
    local x = nd.zeros { 2 }
    refused(function() return compiled(x) end, "full", "16777217")
    refused(function() return nd.full_like(x, 16777217) end, "full_like", "16777217")
    refused(function() return hl.np.full_like(x, 16777217) end, "full_like", "16777217")
    refused(function() x[0] = 16777217 end, "assignment", "16777217")
    refused(function() x[{}] = { 1, -16777217 } end, "assignment", "%-16777217")
    assert.same({ 0, 0 }, x:totable())
  end)

  it("are accepted in other dtypes, if float32 is asked for, and as fractions", function()
    assert.equal(16777217, nd.array({ 16777217 }, "float64"):asscalar())
    local x = nd.array({ 16777217 }, { dtype = "int64" })
    x[0] = 16777219
    assert.equal(16777219, x:asscalar())
    assert.equal(16777220, nd.arange(16777217, 16777221, { dtype = "int64" })[-1]:asscalar())
    assert.equal(32768, nd.arange(0, 33554432, 1024).size)
    assert.equal(16777217, nd.full({ 1 }, 16777217, { dtype = "int64" }):asscalar())
    assert.equal(16777217, nd.full_like(x, 16777217):asscalar())
    assert.equal(16777217, nd.full_like(nd.ones { 1 }, 16777217, { dtype = "float64" }):asscalar())
    assert.equal(16777216, nd.full({ 1 }, 16777217, { dtype = "float32" }):asscalar())
    assert.same({ 1e10, 33554432 }, { nd.full({ 1 }, 1e10):asscalar(), nd.full({ 1 }, 33554432):asscalar() })
    hl.set_default_dtype "float64"
    assert.equal(16777217, nd.full({ 1 }, 16777217):asscalar())
    hl.set_default_dtype "float32"
    assert.equal(16777216, nd.array({ 16777217 }, { dtype = "float32" }):asscalar())
    assert.equal(16777216, nd.array { 16777216, 33554432, 1e10, 16777217.5, -16777216 }[0]:asscalar())
  end)

  it("beside an array are rounded to its dtype, as results are", function()
    assert.equal(16777216, (nd.zeros { 1 } + 16777217):asscalar())
    assert.equal(16777217, (nd.zeros({ 1 }, { dtype = "float64" }) + 16777217):asscalar())
  end)
end)

describe("lists", function()
  local x = nd.ones { 2, 2 }
  local HOLES = "expected a list without holes"

  it("are rejected if they have holes", function()
    for _, fn in ipairs {
      function() return nd.zeros { [1] = 3, [3] = 4 } end, function() return nd.zeros({ 2, [0] = 3 }) end,
      function() return sym.zeros { 2, [4] = 3, dtype = "int32" } end, function() return nd.empty { 3, [3] = 4 } end,
      function() return nd.array { [1] = 3, [3] = 4 } end, function() return nd.array { { 1, [4] = 2 } } end,
      function() return x:reshape { 2, [3] = 2 } end, function() return x:sum { axis = { 0, [3] = 1 } } end,
      function() return nd.concat { x, [3] = x } end, function() return x[{ 0, [3] = 1 }] end,
      function() return nd.random.uniform { shape = { 3, [3] = 4 } } end,
      function() return gluon.Parameter("w", { shape = { 2, [3] = 4 } }) end,
      function() return sym.var("x", { shape = { 2, [3] = 4 } }) end,
    } do fails(HOLES, fn) end
    local long = {}
    for i = 1, 100 do long[i] = i end
    assert.same({ 100 }, nd.array(long).shape)
    long[300] = 1
    fails(HOLES, nd.array, long)
  end)

  it("are rejected if they have a nil among arrays", function()
    for _, fn in ipairs { function() return nd.concat { x, nil, x } end, function() return nd.stack(x, nil, x) end } do
      fails("arg1: expected an NDArray or a Symbol, got nothing", fn)
    end
    assert.same({ 2, 4 }, nd.concat { x, x }.shape)
  end)

  it("are rejected if they have a NaN among integers, and the error shows it", function()
    fails("zeros: shape: expected shape (integers, such as {2, 3}), got nan", nd.zeros, { 0 / 0 })
    fails("Reshape: shape: expected shape (integers, such as {2, 3}), got nan", x.reshape, x, { 0 / 0, 2 })
    assert.falsy(pcall(nd.zeros, 0 / 0, 2))
  end)

  it("are named in errors of functions that expect other types", function()
    fails("nd.from_bytes: bytes: expected a string, got an NDArray", nd.from_bytes, x)
    fails("moveaxis: tensor: expected an NDArray or a Symbol, got 3", nd.moveaxis, 3, 0, 1)
    fails("sym.var: init: expected an initializer or its name, got number", sym.var, "w", { init = 3 })
  end)
end)

describe("names of files", function()
  it("must not contain zero bytes for records", function()
    fails("MXRecordIO: uri: expected a file's name without zero bytes", hl.recordio.MXRecordIO, "r\0x", "w")
    fails("MXIndexedRecordIO: idx_path: expected a file's name without zero bytes", hl.recordio.MXIndexedRecordIO,
      "r\0x", "r", "w")
    fails("MXIndexedRecordIO: uri: expected a file's name without zero bytes", hl.recordio.MXIndexedRecordIO, "r",
      "r\0x", "w")
  end)

  it("can be passed as path or file for graphs", function()
    local name = command.file ""
    local symbol = sym.relu(sym.var "data")
    local text = hl.viz.graph(symbol, { data = { 2 } }, { file = name, format = "dot" })
    local file = assert(io.open(name, "rb"))
    assert.equal(text, file:read "a")
    file:close()
    fails("path and file are the same option", hl.viz.graph, symbol, { data = { 2 } }, { file = name, path = name })
  end)
end)
