-- seen_spec.lua - what happens inside, seen from outside: F.print and F.assert_finite, in every mode and in order.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon

-- What operators printed while fn ran; its labels, "a b c".
local function printed(fn, ...)
  core.printed(true)
  fn(...)
  return core.printed(true)
end

local function labels(fn, ...)
  local list = {}
  for label in printed(fn, ...):gmatch "([%w_]+):\n" do list[#list + 1] = label end
  return table.concat(list, " ")
end

local function with_kernels(mode, fn)
  local before = core.debug { jit = mode }.jit
  local _ <close> = setmetatable({}, { __close = function() core.debug { jit = before } end })
  fn()
end

describe("F.print", function()
  it("prints an array as print does, a label before it, the dtype behind it", function()
    local x = nd.array { { 1, 2 }, { 3, 4 } }
    assert.equal("\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 float32>\n", printed(function() nd.print(x) end))
    assert.equal("h:\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 float32>\n", printed(function() nd.print(x, "h") end))
    assert.equal("h:\n[1 2]\n<NDArray 2 int32>\n",
      printed(function() nd.array({ 1, 2 }, { dtype = "int32" }):print "h" end))
    assert.equal("\n[3.]\n<NDArray 1 float32>\n", printed(function() nd.array { 3 }:print() end))
  end)

  it("shows as many items at the edges as it is told to", function()
    local x = nd.arange(6)
    assert.equal("\n[0. ... 5.]\n<NDArray 6 float32>\n", printed(function() nd.print(x, { summarize = 1 }) end))
    local all = printed(function() nd.arange(2000):print { summarize = -1 } end)
    assert.truthy(all:find("1.500e+03", 1, true))
    assert.falsy(all:find("...", 1, true))
    assert.truthy(printed(function() nd.arange(2000):print() end):find("...", 1, true))
  end)

  it("gives the array, and its gradient", function()
    local x = nd.array { 1, 2 }
    x:attach_grad()
    local y
    printed(function() y = autograd.record(function() return (nd.print(x) * x):sum() end) end)
    y:backward()
    assert.allclose(x.grad, { 2, 4 })
  end)

  -- What each prints, in the order of the script. Values that nobody uses are printed too.
  local scripts = {
    { "in a row", "a b a c", function(F, x)
      local y = F.print(x, "a") * 2
      F.print(y + 1, "b")
      F.print(x, "a")
      return F.print(y, "c")
    end },
    { "inside foreach", "before state state state after", function(F, x)
      F.print(x, "before")
      local y, s = F.contrib.foreach(function(item, s) s = F.print(s * item, "state") return s, s end, x, F.ones { 1 })
      F.print(s, "after")
      return y
    end },
    { "inside while_loop", "step step end", function(F, x)
      local _, s = F.contrib.while_loop(function(s) return s:sum():lesser(20) end,
                                        function(s) F.print(s, "step") return s, s * 2 end, x, { max_iterations = 9 })
      return F.print(s, "end")
    end },
    { "inside cond", "yes", function(F, x)
      return F.contrib.cond(x:sum():greater(0), function() return F.print(x, "yes") end,
        function() return F.print(-x, "no") end)
    end },
  }
  for _, case in ipairs(scripts) do
    local name, expected, fn = table.unpack(case)
    for _, kernels in ipairs { "off", "sync" } do
      it(("prints in the script's order %s, eager and compiled, once, backward nothing; kernels %s"):format(name,
        kernels), function()
        with_kernels(kernels, function()
          local x = nd.array { { 1 }, { 2 }, { 3 } }
          local compiled = hl.compile(fn)
          local eager = printed(fn, nd, x)
          assert.equal(expected, labels(fn, nd, x))
          for _ = 1, 3 do assert.equal(eager, printed(compiled, x)) end
          for _, run in ipairs { function(v) return fn(nd, v) end, compiled } do
            x:attach_grad()
            local y
            assert.equal(expected, labels(function() y = autograd.record(function() return run(x) end) end))
            assert.equal("", labels(function() autograd.backward(y) end))
            -- gradients of gradients take the call apart, and compute its values again
            y = nil
            assert.equal(expected, labels(function()
              y = autograd.record(function() return (autograd.grad(run(x) ^ 2, x, nil, true, true)):sum() end)
            end))
            assert.equal("", labels(function() y:backward() end))
          end
        end)
      end)
    end
  end

  it("prints in a block with children, and once where both ways are compared", function()
    local B = gluon.HybridBlock:subclass "B"
    function B:hybrid_forward(F, x) return F.print(x + 1, self.name) end
    local net = gluon.nn.HybridSequential()
    net:add(B { prefix = "one_" }, B { prefix = "two_" })
    local x = nd.array { 1 }
    local expected = printed(net, x)
    assert.equal("one two", labels(net, x))
    net:hybridize()
    for _ = 1, 3 do assert.equal(expected, printed(net, x)) end
    net:hybridize { check = 3 }
    for _ = 1, 3 do assert.equal(expected, printed(net, x)) end
  end)

  it("keeps its place among what print prints, on standard output", function()
    local file = command.file [[
      local hl = require "hybridlua"
      local f = hl.compile(function(F, x) F.print(x, "first") return F.print(x + 1, "second") end)
      print "begin"
      for _ = 1, 2 do f(hl.nd.array{1}) print "between" end]]
    local call = "first:\n[1.]\n<NDArray 1 float32>\nsecond:\n[2.]\n<NDArray 1 float32>\nbetween\n"
    assert.equal("begin\n" .. call .. call, (command.hybridlua { file }))
  end)

  it("is the input in a file that MXNet reads", function()
    local text = sym.print(sym.var "x" + 1, "x"):tojson()
    assert.falsy(text:find '"print"')
    assert.truthy(text:find '"_copy"')
  end)
end)

describe("F.assert_finite", function()
  local cases = {
    { { 1, 0 / 0, 3 }, "1 of 3 elements is not finite, first nan at %[1%]" },
    { { { 1, 2 }, { -1 / 0, 1 / 0 } }, "2 of 4 elements are not finite, first %-inf at %[1, 0%]" },
  }
  for _, case in ipairs(cases) do
    it("names what is not finite, in each dtype, eager and compiled: " .. case[2], function()
      local function check(F, x) return F.assert_finite(x, "the loss") end
      for _, dtype in ipairs { "float16", "float32", "float64" } do
        local x = nd.array(case[1], { dtype = dtype })
        assert.raises(function() check(nd, x) end, "seen_spec.lua:%d+: assert_finite: the loss: " .. case[2])
        local compiled = hl.compile(check)
        assert.raises(function() compiled(x) end, "assert_finite: the loss: " .. case[2],
          "%(at [^)]*seen_spec.lua:%d+%)")
        local fine = nd.ones({ 2 }, { dtype = dtype })
        assert.bits(fine, compiled(fine))
        assert.bits(fine, check(nd, fine))
      end
    end)
  end

  it("looks at all of a long array, and at the largest numbers", function()
    local x = nd.ones { 5000 } * 3.4e38
    assert.bits(x, nd.assert_finite(x))
    for _, at in ipairs { 0, 1023, 1024, 4999 } do
      local y = x:copy()
      y[at] = 0 / 0
      assert.raises(function() nd.assert_finite(y) end, ("at %%[%d%%]"):format(at))
    end
  end)

  it("takes integers and empty arrays as they are", function()
    local x = nd.array({ 1, 2 }, { dtype = "int64" })
    assert.bits(x, nd.assert_finite(x))
    assert.bits(nd.zeros { 0 }, nd.assert_finite(nd.zeros { 0 }))
  end)

  it("is kept where nobody uses it, and in a loop", function()
    local f = hl.compile(function(F, x)
      F.contrib.foreach(function(item, s) F.assert_finite(item:log(), "log") return s, s end, x, F.ones { 1 })
      return x + 1
    end)
    assert.allclose(f(nd.array { { 1 }, { 2 } }), { { 2 }, { 3 } })
    assert.raises(function() f(nd.array { { 1 }, { 0 } }) end,
      "assert_finite: log: 1 of 1 element is not finite, first %-inf at %[0%]")
  end)
end)
