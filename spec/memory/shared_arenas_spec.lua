-- shared_arenas_spec.lua - programs share arenas (src/exec/program/arena.h): a hybridized net takes as much memory as
-- the eager one, whatever the number of its sizes and blocks, and its results are the same.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd

local CASES = { "sizes", "chain", "trained_chain", "turns" }

local function line(case, way, setting, more)
  return ("%s '%s' spec/support/memory_child.lua %s %s %s"):format(setting, scratch.program, case, way, more or "")
end

describe("the memory of programs of several sizes", function()
  -- The sanitizer's allocator keeps what is freed.
  if not scratch.program:find "asan" then
    it("is at most 1.2 of eager's, at its peak and two seconds after the last call #once", function()
      local pipes, lines = {}, {}
      for _, case in ipairs(CASES) do
        for _, way in ipairs { "eager", "hybridized" } do
          pipes[#pipes + 1] = { case, way, io.popen(line(case, way, "HYBRIDLUA_JIT=sync", "2")) }
        end
      end
      for _, p in ipairs(pipes) do lines[p[1] .. p[2]] = { p[3]:read("a"):match "^(%S+)\t%d+\t(%d+)\t(%d+)\n$" } end
      for _, case in ipairs(CASES) do
        local eager, compiled = lines[case .. "eager"], lines[case .. "hybridized"]
        assert.truthy(eager[1] and tonumber(eager[1]) ~= 0, case)
        assert.equal(eager[1], compiled[1])
        for i = 2, 3 do
          local most, taken = 1.2 * eager[i], tonumber(compiled[i])
          assert.is_true(taken <= most, ("%s: %d of %.0f KiB"):format(case, taken, most))
        end
      end
    end)
  end

  local function run(case, way, limit)
    local said = command.run(line(case, way, limit and ("HYBRIDLUA_MEM_LIMIT=%dK"):format(limit) or ""))
    local sum, peak = said:match "^(%S+)\t(%d+)\t%d+\t%d+\n$"
    return sum, tonumber(peak), said
  end

  -- The smallest budget, in KiB, under which the eager program runs, to a fortieth, and its result. It lies between a
  -- half of its peak and the peak.
  local function least(case)
    local result, high = run(case, "eager")
    local low = high // 2
    assert.is_nil((run(case, "eager", low)))
    while high - low > high // 40 do
      local middle = (low + high) // 2
      if run(case, "eager", middle) then high = middle else low = middle end
    end
    return high, result
  end

  for _, case in ipairs(CASES) do
    it("fits into 1.1 of the smallest limit under which eager code runs: " .. case .. " #once", function()
      local limit, expected = least(case)
      local sum, _, said = run(case, "hybridized", limit * 11 // 10)
      assert.equal(expected, sum, said)
    end)
  end
end)

local function bytes_of(what)
  local bytes = 0
  for _, held in ipairs(hl.memory().held) do
    if held.what:find(what) then bytes = bytes + held.bytes end
  end
  return bytes
end

local function net_of(units)
  local net = gluon.nn.HybridSequential()
  net:add(gluon.nn.Dense(units, { activation = "tanh" }), gluon.nn.Dense(units, { activation = "sigmoid" }))
  net:initialize()
  return net
end

describe("arenas", function()
  it("are named by hl.memory and explain while calls have them, and afterwards", function()
    local net, x = net_of(64), nd.random.normal { shape = { 32, 64 } }
    net:hybridize()
    core.host.memory_options { trim = true }
    local y = autograd.record(function() return net(x):sum() end)
    local saved = net:explain { format = "table" }.traces[1].compiled.plans[1].saved_bytes
    assert.is_true(saved >= 32 * 64 * 4)
    assert.equal(saved, bytes_of "^values of .*, 1 call$")
    assert.truthy(net:explain():find("saved values; 1 call has them", 1, true))
    y:backward()
    assert.equal(0, bytes_of "^values of ")
    assert.truthy(net:explain():find("saved values; no call has them", 1, true))
    assert.is_true(bytes_of "^arenas" > saved)
    core.host.memory_options { trim = true }
    assert.equal(0, bytes_of "^arenas")
    assert.equal(0, hl.memory().idle)
  end)

  it("are one for all sizes, as large as the largest needs", function()
    local f = hl.compile(function(F, a) return F.dot(F.exp(F.dot(a, a) / 1000), a) end)
    local function plan(i) return f:explain { format = "table" }.traces[1].compiled.plans[i].arena_bytes end
    core.host.memory_options { trim = true }
    for n = 20, 120, 10 do f(nd.ones { n, n }) end
    assert.is_true(plan(1) > plan(11))
    assert.is_true(bytes_of "^arenas" <= plan(1) + 64)
  end)

  it("that are idle are freed after a while", function()
    hl.compile(function(F, a) return F.dot(F.exp(F.dot(a, a) / 1000), a) end)(nd.ones { 50, 50 })
    assert.is_true(bytes_of "^arenas" > 0)
    local start = hl.time()
    while bytes_of "^arenas" > 0 and hl.time() - start < 5 do os.execute "sleep 0.1" end
    assert.equal(0, bytes_of "^arenas")
  end)
end)

describe("memory that is kept for later calls", function()
  it("is freed before an allocation fails, packed weights too, and made again", function()
    local x, w = nd.random.normal { shape = { 2, 1024 } }, nd.random.normal { shape = { 1024, 1024 } }
    local f = hl.compile(function(F, a)
      return F.tanh(F.FullyConnected(F.tanh(a), w, { num_hidden = 1024, no_bias = true }))
    end)
    local expected = f(x)
    for _ = 1, 3 do assert.bits(expected, f(x)) end
    local budget, kept = hl.memory().budget, bytes_of "^packed weights"
    if kept == 0 then return pending "products of BLAS's have no packed weights" end
    collectgarbage()
    collectgarbage()
    assert.is_true(kept >= 4 << 20)
    core.host.memory_options { budget = hl.memory().live + kept - (1 << 18) }
    local ok, taken = pcall(nd.zeros, { (kept - (5 << 17)) // 4 })           -- a little more room: sizes are rounded up
    core.host.memory_options { budget = budget }
    assert(ok, taken)
    assert.equal(0, bytes_of "^packed weights")
    for _ = 1, 3 do assert.bits(expected, f(x)) end
    assert.equal(kept, bytes_of "^packed weights")
  end)
end)

describe("programs that run in turn, inside each other, and before others' backward", function()
  local function poisoned(f)
    local before = core.host.debug { poison = true }
    local ok, message = pcall(f)
    core.host.debug(before)
    assert(ok, message)
  end

  -- Results and gradients of calls whose backwards come in another order, some of them twice.
  local function train(nets, order)
    local x, all = {}, {}
    hl.random.seed(3)
    for i, net in ipairs(nets) do
      x[i] = nd.random.normal { shape = { 5 * i, 24 } }
      x[i]:attach_grad()
    end
    local y = {}
    autograd.record(function()
      for i, net in ipairs(nets) do y[i] = net(x[i]) end
    end)
    for _, i in ipairs(order) do
      y[i]:backward(nil, true)
      nets[1](nd.ones { 40, 24 })
      all[#all + 1] = x[i].grad:copy()
    end
    for _, of in ipairs(y) do all[#all + 1] = of end
    return all
  end

  it("give the bits of eager code", function()
    local nets = { net_of(24), net_of(40), net_of(8) }
    for _, net in ipairs(nets) do net(nd.ones { 1, 24 }) end
    local order = { 2, 1, 3, 2, 3, 1, 1 }
    local expected = train(nets, order)
    for _, net in ipairs(nets) do net:hybridize() end
    poisoned(function()
      for _ = 1, 3 do
        for i, result in ipairs(train(nets, order)) do assert.bits(result, expected[i]) end
      end
    end)
  end)

  it("give the bits of eager code in loops and in other compiled functions", function()
    local function body(F, a, b) return F.tanh(F.dot(a, b)) * 0.5 + F.sigmoid(a) end
    local function all(F, inner)
      return function(a, b)
        local rows, last = F.contrib.foreach(function(row, state)
          local new = inner(state, b) + row
          return F.exp(-new), new
        end, a, F.zeros_like(a[1]))
        return rows:sum() + last:sum(), rows, inner(inner(a[2], b), b)
      end
    end
    hl.random.seed(5)
    local a, b = nd.random.normal { shape = { 6, 9, 9 } }, nd.random.normal { shape = { 9, 9 } }
    local function run(f)
      a:attach_grad()
      b:attach_grad()
      local results
      autograd.record(function()
        results = { f(a, b) }
        return results[1] + results[3]:sum()
      end):backward()
      table.insert(results, a.grad)
      table.insert(results, b.grad)
      return results
    end
    local function eager_inner(x, w) return body(nd, x, w) end
    local expected = run(all(nd, eager_inner))
    local compiled_inner = hl.compile(body)
    local compiled = hl.compile(function(F, x, w) return all(F, compiled_inner)(x, w) end)
    poisoned(function()
      for _ = 1, 3 do
        for i, result in ipairs(run(all(nd, compiled_inner))) do assert.bits(result, expected[i]) end
        for i, result in ipairs(run(compiled)) do assert.bits(result, expected[i]) end
      end
    end)
  end)
end)
