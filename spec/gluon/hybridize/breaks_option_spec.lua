-- breaks_option_spec.lua - hybridize{breaks = true} with other options, hooks, files, errors and coroutines.
local hl = require "hybridlua"
local breaks = require "support.graph_breaks"
local nd, nn = hl.nd, hl.gluon.nn
local same, kinds, class, note, Plain = breaks.same, breaks.kinds, breaks.class, breaks.note, breaks.Plain

local HERE = "breaks_option_spec.lua"

local x = nd.array { { 1, -2, 3 }, { 0.5, 0.25, -4 } }
local function call(net) return net(x) end

describe("hybridize{breaks = true}", function()
  local function net()
    local list = nn.HybridSequential()
    list:add(nn.Dense(3, { in_units = 3 }), Plain(), nn.Dense(2, { in_units = 3 }))
    list:initialize()
    return list
  end

  before_each(breaks.reset_notes)

  it("expects true or false", function()
    assert.raises(function() net():hybridize { breaks = 1 } end, HERE, "breaks: expected true or false, got 1")
    assert.raises(function() hl.compile(function() end, { breaks = "yes" }) end, "breaks: expected true or false")
    assert.raises(function() net():hybridize { breaks = false } end, "Children of HybridBlock must also be HybridBlock")
  end)

  it("must be set if the network has plain Blocks or gets some later", function()
    assert.raises(function() net():hybridize() end, HERE, "must also be HybridBlock, but Plain.* has type Plain")
    net():hybridize(false)
    local list = nn.HybridSequential()
    list:add(nn.Dense(3, { in_units = 3 }))
    list:initialize()
    list:hybridize()
    list(x)
    list:add(Plain())
    for _ = 1, 2 do assert.raises(function() list(x) end, HERE, "must also be HybridBlock, but Plain") end
    list:hybridize(false)
    list(x)
    local Tabled = class(function(self, _, a)
      for _, layer in ipairs(self.list) do a = layer(a) end
      return a
    end, function(self) self.list = { nn.Activation "tanh" } end)
    local tabled = Tabled()
    tabled:hybridize()
    tabled(x)
    tabled.list[2] = Plain()
    assert.raises(function() tabled(x) end, HERE, "must also be HybridBlock, but Plain")
  end)

  it("with full = true raises an error that names the block that breaks", function()
    assert.raises(function() net():hybridize { breaks = true, full = true } end, HERE,
      "hybridize{full = true}: plain%d+, inside, is a plain Block %(Plain%)")
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate = Gate()
    gate:hybridize { breaks = true, full = true }
    assert.raises(function() gate(x) end, HERE, "x:asscalar%(%) needs values")
    local outer = nn.HybridSequential()
    local inner = Gate()
    outer:add(inner)
    outer:hybridize { breaks = true, full = true }
    inner:hybridize { breaks = true }
    inner(x)
    assert.raises(function() outer(x) end, HERE, "full = true}: net%d+: x:asscalar%(%) needs values  .*" .. HERE)
  end)

  it("rejects export and trace_for, since there is no single graph", function()
    local list = net()
    list:hybridize { breaks = true }
    list(x)
    assert.raises(function() list:export "breaks_option_spec" end, HERE, "must also be HybridBlock, but Plain")
    assert.raises(function() list:trace_for { data = { 2, 3 } } end, "must also be HybridBlock, but Plain")
    local Gate = class(function(_, _, a) return a * a:max():asscalar() end)
    local gate = Gate()
    gate:hybridize { breaks = true }
    gate(x)
    assert.raises(function() gate:export "breaks_option_spec" end, HERE, "export: the block runs in segments",
      "x:asscalar%(%) needs values")
  end)

  it("calls hooks as often as eager code; their reads cause no breaks", function()
    local seen = {}
    for k = 1, 2 do
      hl.random.seed(1)
      local list = nn.HybridSequential()
      list:add(nn.Dense(3, { in_units = 3 }), nn.Dense(3, { in_units = 3 }), Plain(), nn.Dense(2, { in_units = 3 }))
      list:initialize()
      if k == 2 then list:hybridize { breaks = true } end
      local log = {}
      list[1]:register_forward_hook(function(_, _, y) log[#log + 1] = y:tobytes() end)
      list:register_forward_pre_hook(function() log[#log + 1] = "before" end)
      local handle = list[3]:register_forward_hook(function(_, _, y) log[#log + 1] = y:tobytes() end)
      for i = 1, 6 do
        if i == 4 then handle.detach() end
        log[#log + 1] = list(x):tobytes()
      end
      seen[k] = log
      if k == 2 then assert.equal("compiled compiled plain compiled", kinds(list)) end
    end
    assert.same(seen[1], seen[2])
    local dense = nn.Dense(3, { in_units = 3 })
    dense:initialize()
    dense:hybridize { breaks = true }
    local bytes
    dense:register_forward_hook(function(_, _, y) bytes = y:tobytes() end)
    for _ = 1, 3 do assert.equal(dense(x):tobytes(), bytes) end
    assert.equal(1, #dense:explain("table").traces)
  end)

  it("supports summary, save_parameters, load_parameters and monitor", function()
    local list, other = net(), net()
    list:hybridize { breaks = true }
    local y = list(x)
    local file = os.tmpname()
    list:save_parameters(file)
    other:hybridize { breaks = true }
    other(x)
    other:load_parameters(file)
    os.remove(file)
    for _ = 1, 3 do assert.bits(other(x), y) end
    local lines, globals = {}, package.loaded._G
    local print_ = globals.print
    globals.print = function(text) lines[#lines + 1] = text end
    local ok, problem = pcall(list.summary, list, x)
    globals.print = print_
    assert.truthy(ok, problem)
    assert.truthy(table.concat(lines, "\n"):find "Plain%-2")
    local names = {}
    local handle = list:monitor(function(name) names[#names + 1] = name:gsub("%d+", "") end)
    assert.bits(list(x), y)
    handle.detach()
    assert.same({ "dense_fwd_output", "dense_output", "plain_output", "dense_fwd_output", "dense_output",
                  "hybridsequential_output" }, names)
    assert.bits(list(x), y)
  end)

  it("raises the block's own errors, and the next call works", function()
    local Net = class(function(self, _, a, fails)
      local y = self.dense(a)
      note("y", y)
      if fails then error "of the script" end
      return y
    end, function(self) self.dense = nn.Dense(3, { in_units = 3 }) end)
    local made = Net()
    made:initialize()
    made:hybridize { breaks = true }
    assert.raises(function() made(x, true) end, "of the script")
    local y = made(x)
    assert.raises(function() made(x, true) end, "of the script")
    assert.raises(function() made(nd.ones { 2, 5 }) end, "net%d+_dense%d+: data")
    assert.bits(made(x), y)
    assert.equal("compiled read", kinds(made))
  end)

  it("rejects two contexts in compiled segments, as a hybridized block does", function()
    local Net = class(function(self, _, a, b)
      note("a", a)
      return self.sum(a, b)
    end, function(self) self.sum = nn.HybridLambda(function(_, a, b) return a + b end) end)
    local made = Net()
    made:hybridize { breaks = true }
    local other = x:as_in_context(hl.cpu(1))
    assert.raises(function() made(x, other) end, HERE, "cpu%(1%)")
    made(x, x)
    assert.raises(function() made(x, other) end, HERE, "several contexts in the arguments, cpu%(0%) and cpu%(1%)")
    assert.bits(made(other, other):as_in_context(hl.cpu(0)), x + x)
  end)

  it("checks the segments with check", function()
    local list = net()
    list:add(nn.Dropout(0.5), nn.Dense(2, { in_units = 2 }))
    list[4]:initialize()
    list:hybridize { breaks = true, check = 2 }
    local y = list(x)
    for _ = 1, 4 do assert.bits(list(x), y) end
  end)

  it("attributes a coroutine's reads to the code that resumes it", function()
    local Net = class(function(self, F, a)
      local h = self.dense(a)
      local values = coroutine.wrap(function(v)
        for _, row in ipairs(v:totable()) do coroutine.yield(row[1]) end
      end)
      return F.tanh(h * values(h) + values())
    end, function(self) self.dense = nn.Dense(3, { in_units = 3 }) end)
    assert.equal("compiled read", kinds(same(Net, call)))
    local dense = nn.Dense(3, { in_units = 3 })
    dense:initialize()
    dense:hybridize { breaks = true }
    local resumed = coroutine.wrap(function()
      for _ = 1, 4 do coroutine.yield(dense(x)) end
    end)
    local y = resumed()
    for _ = 1, 3 do
      assert.bits(dense(x), y)
      assert.bits(resumed(), y)
    end
    assert.equal(1, #dense:explain("table").traces)
  end)

  it("forgets breaks when hybridized again", function()
    local reads = true
    local Net = class(function(_, F, a)
      if reads then note("a", a) end
      return F.tanh(a)
    end)
    local made = Net()
    made:hybridize { breaks = true }
    made(x)
    assert.equal("read", kinds(made))
    reads = false
    made(x)
    assert.equal("read", kinds(made))
    made:hybridize { breaks = true }
    for _ = 1, 2 do made(x) end
    assert.equal("", kinds(made))
    assert.equal(1, #made:explain("table").traces)
  end)
end)
