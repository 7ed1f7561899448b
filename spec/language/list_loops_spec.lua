-- list_loops_spec.lua - hints for arrays and other objects that count from 0, in loops and functions made for lists.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn = gluon.nn

local PAIRS = "write for i, row in pairs(x) do"
local x = nd.array { { 1, 2 }, { 3, 4 }, { 5, 6 } }

local function told(text, fn, ...)
  local ok, message = pcall(fn, ...)
  assert.falsy(ok)
  assert.truthy(message:find("list_loops_spec.lua:", 1, true) and message:find(text, 1, true), message)
end

describe("arrays", function()
  it("raise an error in ipairs that says to use pairs", function()
    local n = 0
    told(PAIRS, function() for _ in ipairs(x) do n = n + 1 end end)
    assert.equal(0, n)
    told(PAIRS, function() for _ in ipairs(nd.zeros { 1, 2 }) do n = n + 1 end end)
    told(PAIRS, function() for _ in ipairs(sym.var "a") do n = n + 1 end end)
    told(PAIRS, hl.compile(function(_, v) for _, row in ipairs(v) do v = v + row end return v end), x)
    assert.equal(0, n)
    for i, row in pairs(x) do
      assert.same({ 2 * i + 1, 2 * i + 2 }, row:totable())
      n = n + 1
    end
    assert.equal(3, n)
  end)

  it("are rejected by functions of the table library", function()
    told("write table.unpack(x:totable())", function() local a = table.unpack(x) return a end)
    told("write table.concat(x:totable()", function() local a = table.concat(x, ",") return a end)
    told("write nd.sort(x)", function() table.sort(x) end)
    local rows = { table.unpack(x, 0, #x - 1) }
    assert.equal(3, #rows)
    assert.same({ 3, 4 }, rows[2]:totable())
    assert.same({ 3, 4 }, (table.unpack(x, 1, 2)):totable())
  end)

  it("can be indexed with 1 outside loops", function()
    assert.same({ 3, 4 }, x[1]:totable())
    assert.same({ 3, 4 }, select(2, pcall(function() return x[1] end)):totable())
    local read = setmetatable({}, { __index = function(_, i) return x[i] end })
    assert.same({ 3, 4 }, read[1]:totable())
  end)

  it("are neither iterators nor functions", function()
    told(PAIRS, function() for row in x do row:wait_to_read() end end)
    told(PAIRS, function() for row in sym.var "a" do row:wait_to_read() end end)
    told("an NDArray is not called", function() local a = x(1, 2) return a end)
    told("an NDArray is not called", function() local a = x() return a end)
  end)

  it("reject a boolean key, such as the result of ==", function()
    told('write x:equal(y):astype "bool"', function() local a = x[x == 3] return a end)
  end)

  it("get a new axis with nd.newaxis", function()
    assert.same({ 1, 3, 2 }, x[{ nd.newaxis }].shape)
    assert.same({ 3, 1, 2 }, x[{ {}, nd.newaxis }].shape)
    assert.same({ 3, 1, 2 }, hl.compile(function(F, v) return v[{ {}, F.newaxis }] end)(x).shape)
  end)
end)

describe("the error", function()
  it("for an index out of range says that samples count from 0", function()
    local data = gluon.data.ArrayDataset(x)
    told("index 3 is out of bounds for axis 0 with size 3; samples count from 0, so the last one is 2", function()
      for i = 1, #data do local _ = data[i] end
    end)
    told("samples count from 0", function() local s = gluon.data.SimpleDataset { 7 }:get(1) return s end)
    local ok, message = pcall(function() return data[-4] end)
    assert.falsy(ok or message:find "count from 0")
  end)

  it("for a loop over parameters says what to write", function()
    local params = nn.Dense(2, { in_units = 2 }):collect_params()
    for _, fn in ipairs { function() for p in params do p:zero_grad() end end,
                          function() for _, p in ipairs(params) do p:zero_grad() end end,
                          function() local p = params[1] return p end, function() local p = params(1) return p end } do
      told("for name, param in pairs(net:collect_params()) do", fn)
    end
    local names = {}
    for param in params:values() do names[#names + 1] = param.name:match "_(%a+)$" end
    assert.same({ "weight", "bias" }, names)
    assert.equal(nil, params.nothing)
  end)

  it("for a loop over blocks says what to write", function()
    local net = nn.HybridSequential()
    net:add(nn.Dense(2, { in_units = 2 }))
    net:initialize()
    told("write for i, block in pairs(net) do", function() for b in net do b:hybridize() end end)
    told("write for i, block in pairs(net) do", function() for b in nn.Dense(2) do b:hybridize() end end)
    assert.same({ 3, 2 }, net(x).shape)
    assert.raises(function() net() end, "^[^\n]*list_loops_spec.lua")
  end)
end)
