-- leaks_spec.lua - memory owned by C is always freed: after errors, when Lua runs out of memory at any point, and at
-- the program's end. spec/native/heap.c counts malloc's blocks.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local heap = assert(package.loadlib("build/spec/heap.so", "luaopen_heap"))()
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd
heap.fail()                  -- counts Lua's allocations from here on

-- Bytes in use outside Lua's heap, after everything that can be freed is.
local function used()
  for _ = 1, 3 do collectgarbage() end
  core.host.memory_options { trim = true }
  return heap.used()
end

-- The smallest loss possible, of a node or of parameters, is five times this.
local LEAST = 16

-- Bytes that each call of fn loses. malloc keeps a few blocks of each size, which looks like a loss in the first calls
-- only.
local function lost(fn, times)
  local least = math.huge
  for _ = 1, 16 do
    local before = used()
    for _ = 1, times do fn() end
    least = math.min(least, (used() - before) / times)
    if least < LEAST then break end
  end
  return least
end

local Twice = autograd.Function:subclass "Twice"
function Twice:forward(v) return v * 2 end
function Twice:backward(dy) return dy * 2 end

local x = nd.ones { 2, 3 }
x:attach_grad()
local a, b = sym.var "a", sym.var "b"
local freed = nd.ones { 1 }
freed:free()

describe("an error leaks no memory:", function()
  local rows = nd.array({ 0 }, { dtype = "int32" })
  local mistakes = {
    ["an array among Symbols"] = function() return sym.concat(a, nd.ones { 1 }, { dim = 0 }) end,
    ["a Symbol among arrays"] = function() return nd.concat({ nd.ones { 1 }, a }, { dim = 0 }) end,
    ["a Symbol and an array added"] = function() return a + x end,
    ["an array times a Symbol"] = function() return x * a end,
    ["an array as a Symbol's weight"] = function() return sym.FullyConnected(a, x, { num_hidden = 3 }) end,
    ["a Symbol's rows by an array"] = function() return a[rows] end,
    ["several outputs for one"] = function() return sym.concat(sym.Group { a, b }, b, { dim = 0 }) end,
    ["an attribute that is a number"] = function()
      return sym.FullyConnected(a, { num_hidden = 3, attr = { k = 1 } })
    end,
    ["a variable's attribute that is a number"] = function() return sym.var("v", { attr = { __k__ = 1 } }) end,
    ["a freed array in a compiled function"] = function()
      return hl.compile(function(F, v) return F.concat(v, freed, { dim = 0 }) end)(x)
    end,
    ["a freed array"] = function() return nd.concat(x, freed, { dim = 0 }) end,
    ["an axis that does not exist"] = function() return nd.sum(x, { axis = 7 }) end,
    ["a value of the wrong kind"] = function() return nd.sum(x, { axis = 0, keepdims = {} }) end,
    ["an output that is not an array"] = function() return nd.sum(x, { axis = 0, out = 3 }) end,
    ["outputs that are not arrays"] = function() return nd.split(x, { num_outputs = 3, out = { x, 3, x } }) end,
    ["a Function called with a number"] = function() return autograd.record(function() return Twice()(x, 3) end) end,
    ["an update with an unknown option"] = function()
      return core.autograd.update_weights("sgd_update", { x }, { x }, {}, { lr = 1, lt = 1 })
    end,
    ["a graph bound with an unknown name"] = function() return (a + b):infer_shape { c = { 1 } } end,
  }
  for name, mistake in pairs(mistakes) do
    it(name, function()
      assert.is_false(pcall(mistake))
      local bytes = lost(function() pcall(mistake) end, 100)
      assert.is_true(bytes < LEAST, ("%.1f bytes each time"):format(bytes))
    end)
  end
end)

describe("running out of Lua's memory leaks no C memory:", function()
  local f = hl.compile(function(F, v) return F.sum(v * 2, { axis = 1 }) end)
  local dense = sym.FullyConnected(a, { num_hidden = 3, name = "fc" })
  local text = dense:tojson()
  local function twice(v) return autograd.record(function() return Twice()(v) end) end
  local jobs = {
    ["an operator"] = function() return x + x end,
    ["a row"] = function() return x[0] end,
    ["a row, recorded"] = function() return autograd.record(function() return x[1] end) end,
    ["a Symbol's row"] = function() return a[0] end,
    ["a Symbol's sum with another"] = function() return a + b end,
    ["a variable"] = function() return sym.var("v", { shape = { 1, 2 }, attr = { k = "w" } }) end,
    ["a graph's names"] = function() return dense:list_arguments(), dense:list_attr(), dense:attr_dict() end,
    ["a graph's internals"] = function() return dense:get_internals(), dense:debug_str() end,
    ["a graph's shapes"] = function() return dense:infer_shape { a = { 2, 3 } } end,
    ["a graph composed"] = function() return dense { a = b } end,
    ["a graph read"] = function() return sym.load_json(text) end,
    ["an array's text"] = function() return tostring(x), "x" .. x end,
    ["a Function"] = function() return twice(x) end,
    ["a Function's backward"] = function() twice(x):backward() end,
    ["gradients that are recorded"] = function()
      return autograd.record(function() return autograd.grad(Twice()(x) * x, x, { create_graph = true }) end)
    end,
    ["a compiled call"] = function() return autograd.record(function() return f(Twice()(x)) end) end,
    ["an operator with parameters"] = function() return nd.sum(x, { axis = 1 }) end,
    ["an operator with several outputs"] = function() return nd.split(x, { num_outputs = 3 }) end,
    ["an operator called with Symbols"] = function() return sym.concat(a, b, { dim = 0, attr = { k = "v" } }) end,
    ["an explanation"] = function() return f:explain { format = "table" } end,
  }
  for name, job in pairs(jobs) do
    it(name, function()
      local n, failed = 0, true
      for _ = 1, 3 do job() end             -- compiles kernels
      local function try()
        heap.fail(n)
        job()
      end
      while failed do                       -- until the n-th allocation is past the end of the job
        n = n + 1
        local bytes = lost(function()
          pcall(try)
          failed = heap.fail()
        end, 10)
        if failed then assert.is_true(bytes < LEAST, ("allocation %d: %.1f bytes each time"):format(n, bytes)) end
      end
      assert.is_true(n > 1)
      job()                                 -- works as before
    end)
  end
end)

-- A line is typed at the prompt.
describe("running out of Lua's memory at any point leaves everything unchanged:", function()
  local exact = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0 "         -- malloc's spare blocks are not a loss
  local child = ("%s '%s' spec/support/exhausted_child.lua %%s %%d"):format(exact, scratch.program)
  -- Long jobs are tested at every n-th point.
  for job, step in pairs { call = 1, trace = 7, pieces = 7, backward = 1, load = 3, line = 1 } do
    if not scratch.is_first_pass then step = 29 end
    it("job " .. job, function()
      local output = scratch.run(child:format(job, step))
      local n = tonumber(output:match "^held: (%d+) points\n$")
      assert.is_true(n and n > 20 // step, output)
    end)
  end
end)

describe("the program's end", function()
  it("leaves nothing, according to LeakSanitizer", function()
    if not (os.getenv "HYBRIDLUA" or ""):find "asan" then return pending "built without it" end
    local output, code =
      scratch.run(("ASAN_OPTIONS=detect_leaks=1 '%s' -e 'print(nd.ones{2} + 1)'"):format(scratch.program))
    assert.equal(0, code, output)
  end)
end)
