-- empty_and_endless_spec.lua - what selects nothing says so, and no number makes a call endless.
local hl = require "hybridlua"
local command = require "support.command"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

local function fails(part, fn, ...)
  local ok, message = pcall(fn, ...)
  assert.falsy(ok)
  assert.truthy(tostring(message):find(part, 1, true), message)
end

describe("a selection of nothing", function()
  local function net()
    local block = gluon.nn.Dense(2)
    block:initialize()
    return block
  end

  it("is no Trainer's parameters", function()
    fails("Trainer: params: expected at least one Parameter, got none", gluon.Trainer, net():collect_params ".*gamma",
      "sgd")
    fails("Trainer: params: expected at least one Parameter, got none", gluon.Trainer, {}, "sgd")
  end)

  it("by a Lua pattern is told from a regular expression", function()
    local block = net()
    fails("'dense%d_weight' matches no parameter; it is a regular expression", block.collect_params, block,
      "dense%d_weight")
    assert.equal(0, #block:collect_params("gamma"):keys())
    assert.equal(1, #block:collect_params(".*weight"):keys())
  end)
end)

describe("large numbers", function()
  it("end differences when nothing is left", function()
    local x = nd.array { 1, 4, 9 }
    assert.same({ 0 }, nd.diff(x, { n = 2147483647 }).shape)
    assert.same({ 2 }, nd.diff(x, 2):totable())
    assert.same({ 0 }, nd.diff(x, 3).shape)
    assert.same({ 0 }, nd.diff(nd.zeros { 0 }, 5).shape)
    fails("diff: n: expected at most 1000", sym.diff, sym.var "x", { n = 2147483647 })
    assert.same({ { 0 } }, (select(2, sym.diff(sym.var("x", { shape = { 3 } }), { n = 2147483647 }):infer_shape {})))
  end)

  it("take no samples, or all", function()
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

describe("names of files", function()
  it("of records have no zero bytes", function()
    fails("MXRecordIO: uri: expected a file's name without zero bytes", hl.recordio.MXRecordIO, "r\0x", "w")
  end)

  it("of pictures of graphs are path or file", function()
    local name = command.file ""
    local symbol = sym.relu(sym.var "data")
    local text = hl.viz.graph(symbol, { data = { 2 } }, { file = name, format = "dot" })
    local file = assert(io.open(name, "rb"))
    assert.equal(text, file:read "a")
    file:close()
    fails("path and file are the same option", hl.viz.graph, symbol, { data = { 2 } }, { file = name, path = name })
  end)
end)
