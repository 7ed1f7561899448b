-- workspace_spec.lua - the workspaces of calls: plans made once per executable, and per-thread workspaces.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

-- Calls f with each of these numbers of threads.
local function with_threads(list, f)
  local before = core.host.threads()
  local ok, message = pcall(function()
    for _, n in ipairs(list) do core.host.threads(n); f(n) end
  end)
  core.host.threads(before)
  assert(ok, message)
end

describe("a call", function()
  local rows = assert(package.loadlib("build/spec/rows.so", "luaopen_rows"))()

  it("has a plan that all runs share", function()
    local planned, _, result = rows.scaled(1, 1, 1)
    assert.equal(2, planned)                -- one per call in the graph
    assert.equal((2 + 1) * 3 + (2 + 1) * 2, result)
  end)

  it("has a workspace for each thread, however many run", function()
    local _, wrong, result = rows.scaled(1, 4, 2, 8, 1, 3)
    assert.equal(0, wrong)
    assert.equal(15, result)
  end)
end)

describe("kernels with per-thread buffers", function()
  local x = nd.random.normal { shape = { 40, 300 } }
  local kernels = {
    sort = function(F, a) return F.sort(a, { axis = 1 }) end,
    ["sort of columns"] = function(F, a) return F.sort(a, { axis = 0 }) end,
    argsort = function(F, a) return F.argsort(a) end,
    topk = function(F, a) return F.topk(a, { k = 7, ret_typ = "value" }) end,
    median = function(F, a) return F.median(a, { axis = 1 }) end,
  }
  for name, f in pairs(kernels) do
    it("have the same bits for every number of threads, even if it changes between calls: " .. name, function()
      local expected, compiled
      with_threads({ 1, 4, 2, 7, 1 }, function()
        compiled = compiled or hl.compile(f)
        expected = expected or f(nd, x)
        assert.bits(expected, f(nd, x))
        assert.bits(expected, compiled(x))
      end)
    end)
  end
end)

describe("unused outputs", function()
  local MIB = 1024 * 1024
  local square, rows = nd.random.normal { shape = { 1024, 1024 } }, nd.random.normal { shape = { MIB // 3, 3 } }
  local images, groups = nd.random.normal { shape = { 16, 64, 32, 32 } }, nd.random.normal { shape = { 512, 680, 3 } }
  local three, many = nd.array { 1, 2, 3 }, nd.ones { 680 }
  local window = { kernel = { 3, 3 }, stride = { 1, 1 }, pad = { 1, 1 } }
  -- By name: a call with a visible output of 4 MiB, given data.
  local calls = {
    Dropout = { square, function(F, a) return F.Dropout(a) end },
    ["Dropout in training"] = { square,
      function(F, a) return autograd.train_mode(function() return F.Dropout(a, { p = 0.25 }) end) end },
    ["maximum of windows"] = { images, function(F, a) return F.Pooling(a, window) end },
    LayerNorm = { rows, function(F, a, w) return F.LayerNorm(a, w, w) end, three },
    GroupNorm = { groups, function(F, a, w) return F.GroupNorm(a, w, w, { num_groups = 680 }) end, many },
    InstanceNorm = { groups, function(F, a, w) return F.InstanceNorm(a, w, w) end, many },
    ["the largest of each row"] = { square, function(F, a) return F.topk(a, { k = 1024, ret_typ = "value" }) end },
  }

  -- The peak of bytes while f runs, and its result.
  local function most(f)
    f()
    collectgarbage()
    core.host.memory_options { reset_peak = true, trim = true }
    local before = hl.memory().live
    local result = f()
    return hl.memory().peak - before, result
  end

  local function seeded(f, ...)
    hl.random.seed(7)
    return f(...)
  end

  -- Result and gradient, recorded in prediction mode.
  local function recorded(f, a, w)
    local leaf = a:copy()
    leaf:attach_grad()
    local y = autograd.record(function() return seeded(f, leaf, w) end, { train_mode = false })
    y:backward(y)
    return y, leaf.grad
  end

  for name, case in pairs(calls) do
    local a, f, w = case[1], case[2], case[3]
    local function eager(...) return f(nd, ...) end
    it("need no memory, eager or compiled: " .. name, function()
      local compiled = hl.compile(f)
      for _, call in ipairs { eager, compiled } do
        local taken = most(function() return call(a, w) end)
        assert.is_true(taken < 5.5 * MIB, ("%.1f MiB"):format(taken / MIB))
      end
    end)

    it("exist for a gradient, with the same result: " .. name, function()
      local plain = seeded(eager, a, w)
      local y, grad = recorded(eager, a, w)
      local z, compiled_grad = recorded(hl.compile(f), a, w)
      assert.bits(plain, y)
      assert.bits(plain, z)
      assert.bits(grad, compiled_grad)
      assert.is_true(grad:abs():sum():asscalar() > 0)
    end)
  end
end)
