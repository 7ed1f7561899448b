-- room_spec.lua - the room that calls ask for: what they prepare once a plan, and scratch memory of each thread.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd = hl.nd

-- f() with each of these numbers of threads.
local function with_threads(list, f)
  local before = core.threads()
  local ok, message = pcall(function()
    for _, n in ipairs(list) do core.threads(n); f(n) end
  end)
  core.threads(before)
  assert(ok, message)
end

describe("a call", function()
  if not scratch.is_own_program then return end              -- the module needs the engine in the program
  local rows = assert(package.loadlib("build/spec/rows.so", "luaopen_rows"))()

  it("is prepared once a plan, when the graph's constants are known and nothing else is", function()
    local prepared, known, _, result = rows.scaled(1, 1, 1)
    assert.equal(2, prepared)                -- two calls, one workspace
    assert.equal(1, known)
    assert.equal((2 + 1) * 3 + (2 + 1) * 2, result)
  end)

  it("has room for each thread, however many there are when it runs", function()
    local _, _, wrong, result = rows.scaled(1, 4, 2, 8, 1, 3)
    assert.equal(0, wrong)
    assert.equal(15, result)
  end)
end)

describe("kernels with buffers of each thread", function()
  local x = nd.random.normal { shape = { 40, 300 } }
  local kernels = {
    sort = function(F, a) return F.sort(a, { axis = 1 }) end,
    ["sort of columns"] = function(F, a) return F.sort(a, { axis = 0 }) end,
    argsort = function(F, a) return F.argsort(a) end,
    topk = function(F, a) return F.topk(a, { k = 7, ret_typ = "value" }) end,
    median = function(F, a) return F.median(a, { axis = 1 }) end,
  }
  for name, f in pairs(kernels) do
    it("give the same bits at every number of threads, also when it changes between calls: " .. name, function()
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
