-- shared_memory_spec.lua - a write into a result or an argument has the same effects in eager code, compiled code and
-- blocks: views share memory in all of them, and copies in none.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon

-- The contents of each array after a write into each result, and then into the argument.
local function writes(f, x)
  local arrays = { x, f(x) }
  local seen = {}
  for round = 1, #arrays do
    local i = round == #arrays and 1 or round + 1
    arrays[i][{}] = 100 + round
    for k, y in ipairs(arrays) do
      seen[#seen + 1] = ("%d after %d: %s"):format(k, i, table.concat(y:reshape(-1):totable(), " "))
    end
  end
  return table.concat(seen, "\n")
end

local Holder = gluon.HybridBlock:subclass "Holder"
function Holder:init(fn) self.fn = fn end
function Holder:hybrid_forward(F, x) return self.fn(F, x) end

local function start() return nd.arange(16):reshape { 4, 4 } end

local function same_everywhere(fn)
  local eager = writes(function(x) return fn(nd, x) end, start())
  assert.equal(eager, writes(Holder(fn), start()))
  local block = Holder(fn)
  block:hybridize()
  for _ = 1, 2 do assert.equal(eager, writes(block, start())) end
  local compiled = hl.compile(fn)
  assert.equal(eager, writes(compiled, start()))
  local recorded = autograd.record(function()
    local x = start()
    x:attach_grad()
    return { x, compiled(x) }
  end)
  local x = recorded[1]
  assert.equal(eager, writes(function() return table.unpack(recorded, 2) end, x))
  return eager
end

local VIEWS = {
  reshape = function(_, x) return x:reshape { -1 } end,
  Flatten = function(F, x) return F.Flatten(x) end,
  expand_dims = function(F, x) return F.expand_dims(x, { axis = 1 }) end,
  squeeze = function(F, x) return F.squeeze(x:expand_dims { axis = 0 }) end,
  row = function(_, x) return x[1] end,
  last_row = function(_, x) return x[-1] end,
  rows = function(_, x) return x["1:3"] end,
  part_of_row = function(_, x) return x[{ 1, { 0, 2 } }] end,
  row_of_one = function(_, x) return x[{ { 2, 3 }, 1 }] end,
  element = function(_, x) return x[{ 1, 2 }] end,
  slice_axis = function(F, x) return F.slice_axis(x, { axis = 0, begin = 1, stop = 3 }) end,
  slice = function(F, x) return F.slice(x, { begin = { 0, 0 }, stop = { 2, 4 } }) end,
  reshape_like = function(_, x) return x:reshape_like(x) end,
  detach = function(_, x) return x:detach() end,
  BlockGrad = function(F, x) return F.BlockGrad(x) end,
  itself = function(_, x) return x end,
  two_views = function(_, x) return x:reshape { -1 }, x[1] end,
}

local OWN = {          -- not the argument's; results can share memory
  columns = function(_, x) return x[{ {}, { 1, 3 } }] end,
  every_second = function(_, x) return x["::2"] end,
  identity = function(F, x) return F.identity(x) end,
  copy = function(_, x) return x:copy() end,
  cast = function(_, x) return x:astype "float32" end,
  transpose = function(_, x) return x:transpose() end,
  dropout = function(F, x) return F.Dropout(x, { p = 0.5 }) end,
  sum = function(_, x) return x + 1 end,
  result_and_its_view = function(_, x) local y = x * 2 return y, y:reshape { -1 } end,
  two_views_of_a_result = function(_, x) local y = x * 2 return y:reshape { 2, 8 }, y[1] end,
  result_twice = function(_, x) local y = x * 2 return y, y end,
  equal_results = function(_, x) return x * 2, x * 2 end,
  in_a_table = function(_, x) local y = x * 2 return y, y:detach() end,
}

describe("memory", function()
  for name, fn in pairs(VIEWS) do
    it("of a result is the argument's in every mode: " .. name, function()
      local seen = same_everywhere(fn)
      assert.is_nil(seen:find("1 after 2: 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0", 1,
        true))
    end)
  end

  for name, fn in pairs(OWN) do
    it("of a result is new in every mode: " .. name, function()
      local seen = same_everywhere(fn)
      assert.truthy(seen:find("1 after 2: 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0", 1,
        true))
    end)
  end

  it("is shared by operators that are views and by no others, in every mode", function()
    local looked = 0
    for _, op in ipairs(core.op.rows()) do
      local example = (op.example or ""):match "^F%.[%w_]+%(F%.array%b{}[^\n]*"
      if example and #op.inputs == 1 and not (op.internal or op.dynamic or op.mutates) then
        local call = example:gsub("F%.array%b{}", "x", 1)
        local fn = not call:find "F%.array" and load("local F, x = ... return " .. call)
        local given = fn and assert(load("local F = ... return " .. example:match "F%.array%b{}"))(nd)
        if fn and pcall(fn, nd, given) then
          local got = {}
          for way, f in ipairs { function(x) return fn(nd, x) end, hl.compile(function(F, x) return fn(F, x) end) } do
            hl.random.seed(3)
            local x = given:copy()
            local y = f(x)
            y = type(y) == "table" and y or { y }
            x[{}] = 0
            got[way] = {}
            for i, part in ipairs(y) do got[way][i] = part end
          end
          for i = 1, #got[1] do assert.bits(got[2][i], got[1][i]) end
          looked = looked + 1
        end
      end
    end
    assert.is_true(looked > 60, "looked at " .. looked)
  end)

  it("of a parameter is shared with returned arrays, and their gradient is the parameter's", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:init() self.w = self.params:get("w", { shape = { 2, 3 }, init = hl.init.One() }) end
    function Net:hybrid_forward(_, x, p) return p.w, p.w:reshape { -1 }, x * p.w end
    for _, hybrid in ipairs { false, true } do
      local net = Net()
      net:initialize()
      if hybrid then net:hybridize() end
      local w, flat = net(nd.ones { 2, 3 })
      assert.is_true(rawequal(w, net.w:data()))
      flat[{}] = 5
      assert.allclose(net.w:data(), { { 5, 5, 5 }, { 5, 5, 5 } })
      autograd.record(function()
        local _, part, y = net(nd.ones { 2, 3 })
        return part:sum() * 2 + y:sum()
      end):backward()
      assert.allclose(net.w:grad(), { { 3, 3, 3 }, { 3, 3, 3 } })
    end
  end)

  it("written after recording causes an error in every mode", function()
    for _, f in ipairs { function(v) return v:reshape { -1 }, v * v end,
        hl.compile(function(_, v) return v:reshape { -1 }, v * v end) } do
      local x = nd.array { { 1, 2 } }
      x:attach_grad()
      local view, y = autograd.record(function() return f(x) end)
      view[{}] = 7
      assert.raises(function() y:backward() end, "backward", "overwritten in place")
    end
  end)
end)
