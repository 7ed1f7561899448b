-- summary_spec.lua - Block:summary: MXNet's table of layers, with a column of FLOPs.
local hl = require "hybridlua"
local command = require "support.command"
local mlp = require "support.mlp"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon
local nn, Block, HybridBlock = gluon.nn, gluon.Block, gluon.HybridBlock

local x = nd.array { { 1, -2, 3 }, { 0.5, 5, -6 } }

local function printed(fn)
  local globals = package.loaded._G          -- specs have globals of their own
  local lines, print_ = {}, globals.print
  globals.print = function(...)
    local parts = table.pack(...)
    for i = 1, parts.n do parts[i] = tostring(parts[i]) end
    lines[#lines + 1] = table.concat(parts, "\t")
  end
  local ok, message = pcall(fn)
  globals.print = print_
  assert(ok, message)
  return table.concat(lines, "\n")
end

describe("summary", function()
  command.at_terminal(it, pending)("has bars on a wide terminal with UTF-8, and the same columns elsewhere", function()
    local script = command.file [[
      local net = require "hybridlua".gluon.nn.Dense(3)
      net:initialize()
      net:summary(require "hybridlua".nd.ones { 1, 4 })
      print "done"]]
    local screen = command.terminal("expect 20000 done\n", "/nowhere", script)        -- of 120 columns
    local plain = command.run(command.program .. " " .. script)
    assert.is_nil(plain:find "[\128-\255]")
    local row = plain:match "[^\n]*Dense%-1[^\n]*"
    assert.truthy(screen:find(row .. "  ████████  ████████", 1, true), screen)
  end)

  local function rows(text)
    local list = {}
    for line in text:gmatch "[^\n]+" do list[#list + 1] = (line:gsub("%s+", " ")) end
    return list
  end

  it("prints MXNet's table with the FLOPs of each layer", function()
    local net = mlp()
    local text = printed(function() net:summary(nd.ones { 5, 3 }) end)
    assert.equal([[
------------------------------------------------------------------------------------------------
        Layer (type)                                Output Shape         Param #           FLOPs
================================================================================================
               Input                                      (5, 3)               0               0
        Activation-1                                      (5, 4)               0              20
             Dense-2                                      (5, 4)              16             140
           Dropout-3                                      (5, 4)               0               0
             Dense-4                                      (5, 2)              10              90
================================================================================================
Parameters in forward computation graph, duplicate included
   Total params: 26
   Trainable params: 26
   Non-trainable params: 0
Shared params in forward computation graph: 0
Unique parameters in model: 26
FLOPs of one forward pass: 250
------------------------------------------------------------------------------------------------]], text)
    assert.equal(text, printed(function() net:summary(nd.ones { 5, 3 }) end))      -- the first call left nothing behind
  end)

  it("counts shared and fixed parameters", function()
    local net = nn.HybridSequential()
    local a = nn.Dense(3, { in_units = 3, use_bias = false })
    net:add(a, nn.Dense(3, { in_units = 3, use_bias = false, params = a.params }))
    net:initialize()
    net:collect_params():setattr("grad_req", "null")
    local list = rows(printed(function() net:summary(x) end))
    assert.same({ " Total params: 18", " Trainable params: 0", " Non-trainable params: 18" },
      table.move(list, 9, 11, 1, {}))
    assert.equal("Shared params in forward computation graph: 9", list[12])
    assert.equal("Unique parameters in model: 9", list[13])
  end)

  it("shows several inputs and nested outputs", function()
    local Nest = HybridBlock:subclass "Nest"
    function Nest:hybrid_forward(_, a, b) return { a, { b, a } } end
    local list = rows(printed(function() Nest():summary(nd.ones { 1, 3 }, nd.ones { 2 }) end))
    assert.equal(" Input (1, 3), (2,) 0 0", list[4])
    assert.equal(" Nest-1 (1, 3), [(2,), (1, 3)] 0 0", list[5])
  end)

  it("counts the FLOPs of a loaded graph and the layers of a hybridized block", function()
    local net = mlp()
    net(x)
    local graph = net(sym.var "data")
    local block = gluon.SymbolBlock(graph, sym.var "data")
    block:initialize()
    local list = rows(printed(function() block:summary(nd.ones { 5, 3 }) end))
    assert.equal(" SymbolBlock-1 (5, 2) 26 250", list[5])
    local eager = printed(function() net:summary(x) end)
    net:hybridize { full = true }
    local before = net(x)
    assert.equal(eager, printed(function() net:summary(x) end))
    assert.equal(0, require "hybridlua.core".host.count_flops())
    assert.equal(before:tobytes(), net(x):tobytes())
    assert.is_true(net:explain { format = "table" }.hybridized)
  end)

  it("counts FLOPs of products from their shapes", function()
    local function flops(fn)
      local Counted = Block:subclass "Counted"
      function Counted:forward() return fn() end
      return tonumber(printed(function() Counted():summary(x) end):match "forward pass: (%d+)")
    end
    assert.equal(2 * 3 * 4 * 5, flops(function() return nd.dot(nd.ones { 3, 4 }, nd.ones { 4, 5 }) end))
    assert.equal(2 * 3 * 4 * 5, flops(function()
      return nd.dot(nd.ones { 4, 3 }, nd.ones { 5, 4 }, { transpose_a = true, transpose_b = true })
    end))
    assert.equal(2 * 6 * 3 * 4 * 5, flops(function() return nd.batch_dot(nd.ones { 6, 3, 4 }, nd.ones { 6, 4, 5 }) end))
    assert.equal(2 * 6 * 3 * 4 * 5,
      flops(function() return nd.linalg_gemm2(nd.ones { 6, 4, 3 }, nd.ones { 6, 4, 5 }, { transpose_a = true }) end))
    assert.equal(12, flops(function() return nd.ones { 3, 4 }:sum() end))
    assert.equal(24, flops(function() return nd.ones { 3, 4 } * 2 + nd.ones { 3, 1 } end))
    local arrays, elements = {}, 0
    for i = 1, 40 do arrays[i], elements = nd.ones { i }, elements + i end
    arrays[41] = { num_arrays = 40 }
    assert.equal(2 * elements, flops(function() return nd.multi_sum_sq(table.unpack(arrays)) end))
    assert.equal(0, flops(function() return nd.ones { 3, 4 }:reshape { 4, 3 }:transpose():copy() end))
  end)
end)
