-- print_check_spec.lua - inspection of values: F.print, F.assert_finite, detect_anomaly, monitors and the profiler, in
-- every mode and in order.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon

-- The output of operators while fn runs; its labels, "a b c".
local function printed(fn, ...)
  core.host.take_printed(true)
  fn(...)
  return core.host.take_printed(true)
end

local function labels(fn, ...)
  local list = {}
  for label in printed(fn, ...):gmatch "([%w_]+):\n" do list[#list + 1] = label end
  return table.concat(list, " ")
end

local function with_kernels(mode, fn)
  local before = core.host.debug { jit = mode }.jit
  local _ <close> = setmetatable({}, { __close = function() core.host.debug { jit = before } end })
  fn()
end

describe("F.print", function()
  it("prints an array as print does, with a label before and the dtype after it", function()
    local x = nd.array { { 1, 2 }, { 3, 4 } }
    assert.equal("\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 float32>\n", printed(function() nd.print(x) end))
    assert.equal("h:\n[[1. 2.]\n [3. 4.]]\n<NDArray 2x2 float32>\n", printed(function() nd.print(x, "h") end))
    assert.equal("h:\n[1 2]\n<NDArray 2 int32>\n",
      printed(function() nd.array({ 1, 2 }, { dtype = "int32" }):print "h" end))
    assert.equal("\n[3.]\n<NDArray 1 float32>\n", printed(function() nd.array { 3 }:print() end))
  end)

  it("shows edgeitems items at each edge", function()
    local x = nd.arange(6)
    assert.equal("\n[0. ... 5.]\n<NDArray 6 float32>\n", printed(function() nd.print(x, { summarize = 1 }) end))
    local all = printed(function() nd.arange(2000):print { summarize = -1 } end)
    assert.truthy(all:find("1.500e+03", 1, true))
    assert.falsy(all:find("...", 1, true))
    assert.truthy(printed(function() nd.arange(2000):print() end):find("...", 1, true))
  end)

  it("returns the array, with its gradient", function()
    local x = nd.array { 1, 2 }
    x:attach_grad()
    local y
    printed(function() y = autograd.record(function() return (nd.print(x) * x):sum() end) end)
    y:backward()
    assert.allclose(x.grad, { 2, 4 })
  end)

  -- The output of each, in the order of the script, unused values included.
  local scripts = {
    { "in sequence", "a b a c", function(F, x)
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
      it(("prints in the script's order %s, eager and compiled, once, and not in backward; kernels %s"):format(name,
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
            -- gradients of gradients inline the call, which recomputes its values
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

  it("prints in a block with children, and once if check compares both ways", function()
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

  it("keeps its order among calls of print on standard output", function()
    local file = command.file [[
      local hl = require "hybridlua"
      local f = hl.compile(function(F, x) F.print(x, "first") return F.print(x + 1, "second") end)
      print "begin"
      for _ = 1, 2 do f(hl.nd.array{1}) print "between" end]]
    local call = "first:\n[1.]\n<NDArray 1 float32>\nsecond:\n[2.]\n<NDArray 1 float32>\nbetween\n"
    assert.equal("begin\n" .. call .. call, (command.hybridlua { file }))
  end)

  it("is its input in a file for MXNet", function()
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
    it("reports non-finite values in each dtype, eager and compiled: " .. case[2], function()
      local function check(F, x) return F.assert_finite(x, "the loss") end
      for _, dtype in ipairs { "float16", "float32", "float64" } do
        local x = nd.array(case[1], { dtype = dtype })
        assert.raises(function() check(nd, x) end, "print_check_spec.lua:%d+: assert_finite: the loss: " .. case[2])
        local compiled = hl.compile(check)
        assert.raises(function() compiled(x) end, "assert_finite: the loss: " .. case[2],
          "%(at [^)]*print_check_spec.lua:%d+%)")
        local fine = nd.ones({ 2 }, { dtype = dtype })
        assert.bits(fine, compiled(fine))
        assert.bits(fine, check(nd, fine))
      end
    end)
  end

  it("checks all of a long array, and the largest numbers", function()
    local x = nd.ones { 5000 } * 3.4e38
    assert.bits(x, nd.assert_finite(x))
    for _, at in ipairs { 0, 1023, 1024, 4999 } do
      local y = x:copy()
      y[at] = 0 / 0
      assert.raises(function() nd.assert_finite(y) end, ("at %%[%d%%]"):format(at))
    end
  end)

  it("accepts integers and empty arrays", function()
    local x = nd.array({ 1, 2 }, { dtype = "int64" })
    assert.bits(x, nd.assert_finite(x))
    assert.bits(nd.zeros { 0 }, nd.assert_finite(nd.zeros { 0 }))
  end)

  it("runs even if its result is unused, and in a loop", function()
    local f = hl.compile(function(F, x)
      F.contrib.foreach(function(item, s) F.assert_finite(item:log(), "log") return s, s end, x, F.ones { 1 })
      return x + 1
    end)
    assert.allclose(f(nd.array { { 1 }, { 2 } }), { { 2 }, { 3 } })
    assert.raises(function() f(nd.array { { 1 }, { 0 } }) end,
      "assert_finite: log: 1 of 1 element is not finite, first %-inf at %[0%]")
  end)
end)

describe("autograd.detect_anomaly", function()
  local line = "print_check_spec.lua:" .. debug.getinfo(1, "l").currentline + 4        -- the line of log
  local function dense(F, x)
    local y = x * 2
    F.zeros { 2 }
    local z = F.log(y)
    return (F.relu(z * z) + 1):sum()
  end
  local ways = { eagerly = function(fn) return function(x) return fn(nd, x) end end, compiled = hl.compile }

  for way, make in pairs(ways) do
    it("names the first operator of forward and its line, " .. way, function()
      with_kernels("sync", function()
        local f = make(dense)
        local bad, good = nd.array { 1, 0 }, nd.array { 1, 2 }
        local expected = f(good)
        assert.bits(expected, autograd.detect_anomaly(function() return f(good) end))
        for _ = 1, 2 do
          assert.raises(function() autograd.detect_anomaly(function() return f(bad) end) end,
                        "autograd.detect_anomaly: the output of log at [^ ]*" .. line ..
                        ": 1 of 2 elements is not finite, first %-inf at %[1%]; its inputs are finite")
          assert.falsy(f(bad):asscalar() == 0)                -- no checks outside the scope
        end
        assert.raises(function()
          local _ <close> = autograd.detect_anomaly()
          f(bad)
        end, "the output of log")
        f(bad)
        assert.raises(function() autograd.detect_anomaly(function() return f(nd.array { 1, 0 / 0 }) end) end,
                      "the output of multiply at .*; its input data is not finite either")
      end)
    end)

    it("names the operator of the gradient, " .. way, function()
      local at = "print_check_spec.lua:" .. debug.getinfo(1, "l").currentline + 1
      local function root(F, x) return F.sqrt(x * x):sum() end
      local f = make(root)
      local what = "autograd.detect_anomaly: the gradient of sqrt at [^ ]*" .. at ..
        ": 1 of 2 elements is not finite, first inf at %[0%]"
      local x = nd.array { 0, 2 }
      x:attach_grad()
      assert.raises(function()
        autograd.detect_anomaly(function()
          local y = autograd.record(function() return f(x) end)
          y:backward()
        end)
      end, what)
      local y = autograd.record(function() return f(x) end)           -- forward as usual
      assert.raises(function() autograd.detect_anomaly(function() y:backward() end) end, what)
      local z = nd.array { 1, 2 }
      z:attach_grad()
      autograd.detect_anomaly(function() autograd.record(function() return f(z) end):backward() end)
      assert.allclose(z.grad, { 1, 1 })
    end)

    it("detects an anomaly in a loop, " .. way, function()
      local at = "print_check_spec.lua:" .. debug.getinfo(1, "l").currentline + 2
      local f = make(function(F, x)
        return (F.contrib.foreach(function(item, s) return F.log(item), s end, x, F.ones { 1 }))
      end)
      assert.raises(function() autograd.detect_anomaly(function() return f(nd.array { { 1 }, { -1 } }) end) end,
                    "the output of log at [^ ]*" .. at .. ": 1 of 1 element is not finite, first nan at %[0%]")
    end)
  end

  it("detects one in a constant of compiled code and in fused kernels, forward and backward", function()
    with_kernels("sync", function()
      local f = hl.compile(function(F, x) return x + F.log(F.zeros { 2 }) end)
      assert.raises(function() autograd.detect_anomaly(function() return f(nd.ones { 2 }) end) end, "the output of log")
    end)
  end)

  it("ends with its function or variable, is per coroutine, and applies to coroutines begun inside", function()
    local bad = nd.array { 0 }
    pcall(autograd.detect_anomaly, function() error "x" end)
    nd.log(bad)
    local inside = coroutine.wrap(function()
      local _ <close> = autograd.detect_anomaly()
      coroutine.yield()
      nd.log(bad)
    end)
    inside()
    nd.log(bad)
    assert.raises(inside, "the output of log")
    assert.raises(function()
      autograd.detect_anomaly(function() autograd.record(function() return nd.log(bad) end) end)
    end, "the output of log")
    assert.raises(function() autograd.detect_anomaly(3) end, "autograd.detect_anomaly: expected a function, got number")
    local f = hl.compile(function(F, x) return autograd.detect_anomaly(function() return F.log(x) end) end)
    assert.raises(function() f(bad) end, "outside of hybridized code")
  end)

  it("keeps the bits", function()
    local net = gluon.nn.HybridSequential()
    net:add(gluon.nn.Dense(5, { activation = "relu" }), gluon.nn.Dropout(0.5), gluon.nn.BatchNorm(), gluon.nn.Dense(2))
    net:initialize()
    local x = nd.random.normal { shape = { 3, 4 } }
    net(x)
    local function step(within)
      hl.random.seed(3)
      local y
      within(function()
        y = autograd.record(function() return net(x) end)
        y:backward()
      end)
      return { y, net[0].weight:grad():copy(), net[3].weight:grad():copy() }
    end
    local expected = step(function(fn) fn() end)
    local eager = step(autograd.detect_anomaly)
    net:hybridize()
    local compiled = step(autograd.detect_anomaly)
    for i = 1, 3 do
      assert.bits(expected[i], eager[i])
      assert.bits(expected[i], compiled[i])
    end
  end)
end)

describe("block:monitor", function()
  local nn = gluon.nn
  local function network()
    local net = nn.HybridSequential { prefix = "net_" }
    local inner = nn.HybridSequential { prefix = "inner_" }
    inner:add(nn.Dropout(0.5, { prefix = "drop_" }), nn.Dense(2, { prefix = "second_", flatten = false }))
    net:add(nn.Dense(3, { prefix = "first_", activation = "relu" }), inner)
    net:initialize()
    return net
  end
  local x = nd.ones { 1, 4 }

  it("reports the outputs of operators and blocks in order, equal in eager and hybridized code", function()
    local net = network()
    net(x)
    local function seen(pattern)
      local names, values = {}, {}
      local handle = net:monitor(function(name, array)
        names[#names + 1], values[name] = name, array:copy()
      end, pattern)
      local y = net(x)
      handle:detach()
      net(x)
      return table.concat(names, " "), values, y
    end
    for _, hybrid in ipairs { false, true } do
      if hybrid then net:hybridize() end
      local names, values, y = seen()
      assert.equal("first_fwd_output first_relu_fwd_output first_relu_output first_output " ..
                   "drop_fwd_output drop_output second_fwd_output second_output inner_output net_output", names)
      assert.bits(y, values.net_output)
      assert.bits(y, values.inner_output)
      assert.bits(values.first_output, values.drop_output)
      assert.bits(nd.relu(values.first_fwd_output), values.first_output)
      assert.equal("drop_fwd_output drop_output", (seen "drop_"))
      assert.equal("second_output inner_output", (seen "(second|inner)_output"))
      assert.equal("", (seen "none"))
    end
  end)

  it("draws no random numbers and writes no states", function()
    local function trained(watched)
      local net = nn.HybridSequential()
      net:add(nn.Dense(3, { in_units = 4 }), nn.BatchNorm(), nn.Dropout(0.5))
      net:initialize(hl.init.One())
      net:hybridize()
      hl.random.seed(5)
      if watched then net:monitor(function() end) end
      local y = autograd.record(function() return net(x) end)
      return y, net[1].running_mean:data(), nd.random.normal { shape = { 2 } }
    end
    local expected, got = { trained(false) }, { trained(true) }
    for i = 1, 3 do assert.bits(expected[i], got[i]) end
  end)

  it("looks inside plain Blocks", function()
    local net = nn.Sequential { prefix = "net_" }
    net:add(nn.Dense(3, { prefix = "a_" }), nn.Dense(2, { prefix = "b_" }))
    net:initialize()
    local names = {}
    net:monitor(function(name) names[#names + 1] = name end, ".*_output")
    net(x)
    assert.equal("a_fwd_output a_output b_fwd_output b_output net_output", table.concat(names, " "))
    assert.raises(function() net:monitor "x" end, "monitor: fn: expected a function, got string")
    assert.raises(function() net:monitor(print, "(") end, "regular expression")
  end)

  it("does not repeat the output of F.print", function()
    local B = gluon.HybridBlock:subclass "B"
    function B:hybrid_forward(F, v) return F.print(v, "v") end
    local net = B()
    net:monitor(function() end)
    for _ = 1, 2 do
      assert.equal("v", labels(net, x))
      net:hybridize()
    end
  end)
end)

describe("hl.profiler", function()
  local profiler = hl.profiler
  before_each(function() profiler.dumps(true) end)
  after_each(function()
    profiler.set_state "stop"
    profiler.set_config { profile_all = true, profile_memory = false, max_events = 1000000, aggregate_stats = true }
    profiler.dumps(true)
  end)

  local function by_name(rows)
    local found = {}
    for _, row in ipairs(rows) do found[row.name] = row end
    return found
  end

  it("counts calls, time, bytes and arithmetic of eager operators by script line", function()
    local a = nd.ones { 20, 30 }
    nd.relu(a)
    profiler.set_state "run"
    local line = debug.getinfo(1, "l").currentline + 1
    for _ = 1, 3 do nd.dot(a, a, { transpose_b = true }) end
    local b = a + a
    profiler.set_state "stop"
    nd.relu(b)
    local rows = by_name(profiler.table())
    assert.falsy(rows.relu)
    local dot = rows.dot
    assert.equal("eager", dot.kind)
    assert.equal(3, dot.calls)
    assert.truthy(dot.lines:find("print_check_spec.lua:" .. line .. "$"), dot.lines)
    assert.equal(3 * 2 * 20 * 20 * 30, dot.flops)
    assert.equal(3 * 4 * (600 + 600 + 400), dot.bytes)
    assert.truthy(dot.total > 0 and dot.min <= dot.mean and dot.mean <= dot.max and dot.max <= dot.total)
    assert.truthy(dot.self <= dot.total)
    local sum = rows.elemwise_add or rows._plus or rows.broadcast_add
    assert.truthy(sum.lines:find("print_check_spec.lua:" .. line + 1 .. "$"))
  end)

  it("reports compiled code: calls, operators or fused kernels, backward, with all their lines", function()
    local line = debug.getinfo(1, "l").currentline + 2
    local function net(F, x)
      local y = F.relu(x * 2)
      return F.sqrt(y + 1)
    end
    for _, kernels in ipairs { "off", "sync" } do
      with_kernels(kernels, function()
        local f = hl.compile(net)
        local x = nd.ones { 8, 16 }
        x:attach_grad()
        f(x)
        profiler.set_state "run"
        local y = autograd.record(function() return f(x) end)
        y:backward()
        profiler.set_state "stop"
        local kinds, fused = {}, 0
        for _, row in ipairs(profiler.table()) do
          kinds[row.kind] = (kinds[row.kind] or 0) + 1
          if row.fused and row.kind == "compiled" then
            fused = fused + 1
            assert.truthy(row.name:find "relu")
            assert.truthy(row.lines:find(":" .. line) and row.lines:find(":" .. line + 1), row.lines)
            assert.truthy(row.flops > 0)
          end
        end
        assert.equal(kernels == "sync" and 1 or 0, fused)
        assert.equal(1, kinds.call)
        assert.truthy(kinds.compiled >= 1 and kinds.backward >= 1)
        profiler.dumps(true)
      end)
    end
  end)

  it("excludes the operators in a loop from the loop's time, and reports a Trainer's update", function()
    local net = gluon.nn.Dense(2, { in_units = 3 })
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.1 })
    local x = nd.ones { 4, 3 }
    profiler.set_state "run"
    hl.compile(function(F, v)
      return (F.contrib.foreach(function(item, s) return item:exp(), s end, v, F.ones { 1 }))
    end)(x)
    autograd.record(function() return net(x):sum() end):backward()
    trainer:step(4)
    profiler.set_state "stop"
    local rows = by_name(profiler.table())
    assert.equal(4, rows.exp.calls)
    local loop = rows._foreach
    assert.truthy(loop.self < loop.total)
    assert.truthy(rows.sgd_update, "no update")
    assert.equal(1, rows.sgd_update.calls)
  end)

  it("pauses, resumes, resets and skips", function()
    local a = nd.ones { 2 }
    profiler.set_state "run"
    assert.equal("run", profiler.state())
    profiler.pause()
    nd.exp(a)
    profiler.resume()
    nd.sin(a)
    local rows = by_name(profiler.table())
    assert.falsy(rows.exp)
    assert.equal(1, rows.sin.calls)
    profiler.set_config { profile_imperative = false }
    assert.same({}, profiler.table())
    profiler.set_config { profile_all = true, max_events = 2 }
    for _ = 1, 3 do nd.sin(a) end
    assert.truthy(profiler.dumps(true):find "2 further calls are not in it")
    assert.same({}, profiler.table())
    profiler.set_state()
    assert.equal("stop", profiler.state())
  end)

  it("returns its table as text and as JSON, in the requested order", function()
    local a = nd.ones { 2 }
    profiler.set_state "run"
    for _ = 1, 2 do nd.sin(a) end
    nd.cos(a)
    profiler.set_state "stop"
    assert.truthy(profiler.dumps():find "^Name +Kind +Calls")
    assert.truthy(profiler.dumps { bars = true }:find "^Self +Name +Kind +Calls[^\n]*\n[█▏▎▍▌▋▊▉]+ +%a+ +eager")
    local rows = profiler.table("count")
    assert.equal("sin", rows[1].name)
    rows = profiler.table { sort_by = "count", ascending = true }
    assert.equal("cos", rows[1].name)
    local json = profiler.dumps { format = "json", sort_by = "count" }
    local row = '^%[{"name": "sin", "kind": "eager", "lines": "[^"]*print_check_spec.lua:%d+", "fused": false, '
    assert.truthy(json:find(row))
    profiler.set_config { aggregate_stats = false }
    assert.raises(function() profiler.dumps() end, "profiler.dumps: expected set_config{aggregate_stats = true}")
  end)

  it("writes files for chrome://tracing", function()
    local name = os.tmpname()
    profiler.set_config { filename = name, profile_memory = true }
    profiler.set_state "run"
    local f = hl.compile(function(F, x) return F.exp(x) end)
    f(nd.ones { 2 })
    profiler.dump()
    assert.equal("stop", profiler.state())
    local file = io.open(name)
    local text = file:read "a"
    file:close()
    local python = command.file [[
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"]
print(len(events), all(e["dur"] >= 0 and e["ts"] >= 0 for e in events), sorted(e["name"] for e in events)[0])
]]
    local out, code = command.run(("python3 %s %s"):format(python, name))
    os.remove(name)
    if code == 0 then assert.equal("3 True _ones\n", out) end                -- if python3 is installed
    assert.truthy(text:find '"name": "exp", "cat": "compiled", "ph": "X", "ts": %d+%.%d+, "dur": %d+%.%d+, "pid": 1')
    assert.truthy(text:find '"ph": "C"')
    assert.same({}, profiler.table())
  end)

  it("rejects unknown options", function()
    assert.raises(function() profiler.set_state "go" end, "set_state: state: expected 'run' or 'stop', got 'go'")
    assert.raises(function() profiler.set_config { filenam = "x" } end,
                  "unknown option 'filenam'; did you mean 'filename'")
    assert.raises(function() profiler.set_config { filename = 3 } end, "filename: expected a text, got 3")
    assert.raises(function() profiler.set_config { profile_all = 3 } end, "profile_all: expected true or false, got 3")
    assert.raises(function() profiler.dumps { format = "xml" } end, "format: expected 'table' or 'json', got 'xml'")
    assert.raises(function() profiler.dumps { format = false } end, "format: expected 'table' or 'json', got 'false'")
    assert.raises(function() profiler.dumps { sort_by = "name" } end, "sort_by: expected total")
  end)

  it("does not change the bits", function()
    local net = gluon.nn.Dense(4, { in_units = 3, activation = "tanh" })
    net:initialize()
    net:hybridize()
    local x = nd.random.normal { shape = { 5, 3 } }
    local expected = net(x)
    profiler.set_state "run"
    assert.bits(expected, net(x))
  end)
end)
