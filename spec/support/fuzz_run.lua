-- fuzz_run.lua - runs random graphs (fuzz.lua) eagerly and compiled, compares all results, and reduces the script of a
-- failing one. The script that runs is the one shown. NaNs at the same index are equal; everything else is compared by
-- bits, including the sign of zero.
local core = require "hybridlua.core"
local common = require "support.fuzz_common"
local fuzz = require "support.fuzz"

local fuzz_run = {}

-- ---- The script --------------------------------------------------------------------------------

local HEAD = [[
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

]] .. fuzz.preamble .. [[

local Graph = hl.gluon.HybridBlock:subclass "Graph"
function Graph:init(fn) self.fn = fn end
function Graph:hybrid_forward(F, ...) return self.fn(F, ...) end
local function block(fn) return Graph(fn) end

]]

-- One forward in predict mode, forward and backward twice (backward twice the second time), a gradient of the gradient,
-- and forward and backward again after a write into the inputs. Returns each result: the array, and its content at that
-- time. The heads are the outputs that eager execution has on the tape, passed on in `heads`.
local RUN = [[

local writes = {
  function(a, b) a[{}] = b end,
  function(a, b) if #a.shape > 0 and a.shape[1] > 0 then a[0] = 0.75 else a[{}] = b end end,
  function(a) a:mul_(-0.5) end,
  function(a) a:reshape { -1 }:add_(0.25) end,
  function(a, b) nd.broadcast_maximum(a, b, { out = a }) end,
  function(a, b) nd.sgd_update(a, b, { lr = 0.5, out = a }) end,
  function(a, b) b:copyto(a) end,
}

local function run(hybridize, heads)
  local results, x, net = {}, inputs(), block(graph)
  local function note(what, array)
    local held = array and nd.from_bytes(array:tobytes(), array.shape, array.dtype)
    results[#results + 1] = { what = what, array = array, held = held }
  end
  local function forward(what)
    hl.random.seed(SEED)
    local y = table.pack(net(table.unpack(x)))
    for i = 1, y.n do note(("%s: result %d"):format(what, i), y[i]) end
    results[#results + 1] = { what = what .. ": random stream", text = ("%d %d"):format(core.random.state()) }
    return y
  end
  local function heads_of(y)
    local list, grads = {}, {}
    for i = 1, y.n do
      if not hybridize then heads[i] = core.autograd.on_tape(y[i]) and y[i].dtype:find "^float" ~= nil end
      if heads[i] and #list < MOST_HEADS then
        list[#list + 1] = y[i]
        grads[#list] = input(i, y[i].shape, y[i].dtype)
      end
    end
    return list, grads
  end
  local function note_gradients(what)
    for i in pairs(REQS) do note(("%s: gradient of input %d"):format(what, i), x[i].grad) end
  end
  local function backward(what)
    local list, grads = heads_of(autograd.record(function() return forward(what) end, { train_mode = TRAIN }))
    if #list == 0 then return end
    if what == "again" then
      autograd.backward(list, grads, { retain_graph = true })
      note_gradients "again, first backward"
    end
    autograd.backward(list, grads)
    note_gradients(what)
  end
  local function gradient_of_gradient(what)
    local total = autograd.record(function()
      local list, grads = heads_of(forward(what))
      local variables, sum = {}, nil
      for i in pairs(REQS) do variables[#variables + 1] = x[i] end
      if #list == 0 or #variables == 0 then return nil end
      for i, g in ipairs(autograd.grad(list, variables, { head_grads = grads, create_graph = true })) do
        note(("%s: gradient %d"):format(what, i), g)
        local part = (g * variables[i]):sum():astype "float64"
        sum = sum and sum + part or part
      end
      return sum
    end, { train_mode = TRAIN })
    if not total then return end
    total:backward()
    note_gradients(what)
  end
  local function after_a_write(what)
    for i, array in ipairs(x) do
      if array.dtype:find "^float" then writes[(SEED + i) % #writes + 1](array, input(i, array.shape, array.dtype)) end
    end
    backward(what)
  end
  for i, req in pairs(REQS) do x[i]:attach_grad(req) end
  if hybridize then net:hybridize() end
  for _, stage in ipairs { { forward, "predicting" }, { backward, "recording" }, { backward, "again" },
    { gradient_of_gradient, "twice" }, { after_a_write, "written" } } do
    local ok, message = pcall(stage[1], stage[2])
    if not ok then results[#results + 1] = { what = stage[2], text = "an error", message = message } end
  end
  for i, array in ipairs(x) do note(("input %d afterwards"):format(i), array) end
  return results
end

if ... == "run" then return run end
local heads = {}
core.host.debug { no_packed_weights = true }
local eager = run(false, heads)
core.host.debug { no_packed_weights = false }
local hybrid = run(true, heads)
for i = 1, math.max(#eager, #hybrid) do
  local a, b = eager[i] or {}, hybrid[i] or {}
  local same = a.text == b.text and not a.held == not b.held
  if a.held and b.held then same = core.array.same(a.held, b.held) end
  if a.what ~= b.what or not same then
    print(("%s\n  eager: %s\n  hybridized: %s"):format(a.what or b.what, a.message or a.held, b.message or b.held))
  end
end
]]

--- The text of a graph: its functions, its inputs, and how it is run.
function fuzz_run.text(graph)
  local arrays, reqs = {}, {}
  for i, x in ipairs(graph.inputs) do
    arrays[i] = x.text
    if x.req and x.req ~= "null" then reqs[#reqs + 1] = ("[%d] = %q"):format(i, x.req) end
  end
  return fuzz.text(graph)
    .. ("\nlocal function inputs() return { %s } end\n"):format(table.concat(arrays, ", "))
    .. ("local REQS, SEED, TRAIN, MOST_HEADS = { %s }, %d, %s, %d\n"):format(
      table.concat(reqs, ", "), graph.seed, graph.train, graph.seed % 4 == 0 and 1 or 100)
end

--- The text of a graph as a complete script that prints the difference. Called with "run" it returns the function
-- run(hybridize, heads), whose results are a list of { what, array, held } or { what, text, message }.
function fuzz_run.whole(text) return HEAD .. text .. RUN end

function fuzz_run.script(graph) return fuzz_run.whole(fuzz_run.text(graph)) end

-- ---- Comparing -------------------------------------------------------------------------------------

local function run_in(mode, run, heads)
  local ok, results = common.run_in(mode, run, common.is_compiled(mode), heads)
  return ok and results or { { what = "the run", text = "an error", message = results } }
end

-- A result must not have changed since it was made, unless it is an input that the graph writes to, which also changes
-- in eager code.
local function changed_since(results, eager)
  local function changed(r) return r.array and r.what:find "result" and not core.array.same(r.array, r.held) end
  for i, r in ipairs(results) do
    if changed(r) and not changed(eager[i]) then return r.what .. " changed after the call" end
  end
end

local function same_result(a, b)
  if not a.held or not b.held then return not a.held and not b.held and a.text == b.text end
  return core.array.same(a.held, b.held)
end

-- Compares results up to the first failure of the eager run: compiled, a failing operator does not run if its result is
-- unused.
local function first_difference(eager, other)
  for i = 1, math.max(#eager, #other) do
    local a, b = eager[i], other[i]
    if a and a.message then return nil end
    if not a or not b then return (a or b).what .. ": in one of the runs only: " .. tostring((a or b).message) end
    if a.what ~= b.what then return ("%s, but eagerly %s: %s"):format(b.what, a.what, a.message or b.message or "") end
    if not same_result(a, b) then return ("%s differs: %s"):format(a.what, a.message or b.message or "") end
  end
end

-- One graph in this many runs eagerly twice.
local AGAIN_EACH = 4

local function modes_for(seed)
  local list = table.move(common.modes, 1, #common.modes, 1, {})
  if seed % AGAIN_EACH == 0 then table.insert(list, 1, common.eager_again) end
  return list
end

--- Runs a graph in every mode; returns nil, or the difference. Graphs whose eager run fails before backward do not
-- count.
function fuzz_run.check(graph)
  local chunk = load(fuzz_run.script(graph), "=script", "t", fuzz.environment())
  if not chunk then return nil end
  local run, heads = chunk "run", {}
  local eager = run_in(common.eager, run, heads)
  if eager[1].message then return nil, "no graph: " .. tostring(eager[1].message) end
  for _, mode in ipairs(modes_for(graph.seed)) do
    local other = run_in(mode, run, heads)
    local difference = first_difference(eager, other) or changed_since(other, eager)
    if difference then return ("%s: %s"):format(mode.name, difference) end
  end
end

-- ---- Reduction ---------------------------------------------------------------------------------------

local function copy_list(list) return table.move(list, 1, #list, 1, {}) end

local function copy(graph)
  local g = { seed = graph.seed, dtype = graph.dtype, train = graph.train, inputs = {}, functions = {} }
  for i, x in ipairs(graph.inputs) do
    g.inputs[i] = { name = x.name, text = x.text, req = x.req, shape = x.shape, dtype = x.dtype }
  end
  for i, fn in ipairs(graph.functions) do
    g.functions[i] = { name = fn.name, params = fn.params, steps = copy_list(fn.steps),
      results = copy_list(fn.results) }
  end
  return g
end

-- Drops unused statements and inputs.
local function sweep(g)
  local main = g.functions[#g.functions]
  local text = fuzz.text(g)
  for i = #g.inputs, 1, -1 do
    local _, uses = text:gsub("%f[%w_]" .. g.inputs[i].name .. "%f[^%w_]", "")
    if uses <= 1 and #g.inputs > 1 then table.remove(g.inputs, i) end
  end
  for i = #g.functions - 1, 1, -1 do
    local used = false
    for _, step in ipairs(main.steps) do used = used or step.text:find(g.functions[i].name .. "(", 1, true) ~= nil end
    if not used then table.remove(g.functions, i) end
  end
  return g
end

-- Smaller graphs to try, each a copy with one thing removed.
local function each_reduction(graph, try)
  for f, fn in ipairs(graph.functions) do
    for i = #fn.results, 1, -1 do
      local g = copy(graph)
      table.remove(g.functions[f].results, i)
      if #fn.results > 1 and try(g) then return true end
    end
    for i = #fn.steps, 1, -1 do                    -- without the statement
      local g = copy(graph)
      table.remove(g.functions[f].steps, i)
      if try(g) then return true end
    end
    for i = #fn.steps, 1, -1 do                    -- an input instead of the value that it computes
      local v = fn.steps[i].values[1]
      if fn.name == "graph" and #fn.steps[i].values == 1 and v.dtype:find "^float" and v.expr:find "^%w+$" then
        local g = copy(graph)
        table.remove(g.functions[f].steps, i)
        g.inputs[#g.inputs + 1] = { name = v.expr,
          text = ("input(%d, {%s}, %q)"):format(i, table.concat(v.shape, ", "), v.dtype), req = "write" }
        if try(g) then return true end
      end
    end
    for i = #fn.steps, 1, -1 do                    -- that value as the result
      local g = copy(graph)
      g.functions[f].results = { fn.steps[i].values[1] }
      if (#fn.results > 1 or fn.results[1] ~= fn.steps[i].values[1]) and i < #fn.steps and try(g) then return true end
    end
  end
  for i, x in ipairs(graph.inputs) do
    local g = copy(graph)
    g.inputs[i].req = nil
    if x.req and try(g) then return true end
  end
end

--- A smaller graph that still differs, and the difference.
function fuzz_run.reduce(graph, difference)
  local candidate
  local function check() return (fuzz_run.check(sweep(candidate))) end
  local found = common.reduce(check, function(try)
    return each_reduction(graph, function(g)
      candidate = g
      if not try() then return false end
      graph = g
      return true
    end)
  end, 400)
  return graph, found or difference
end

--- Checks graph number `seed`; returns the text of a failure, reduced unless options.whole, or nil. Second: was there a
-- graph?
function fuzz_run.one(seed, options)
  local graph = fuzz.graph(seed)
  if not graph then return nil, false end
  local difference, none = fuzz_run.check(graph)
  if not difference then return nil, not none end
  if not (options and options.whole) then graph, difference = fuzz_run.reduce(graph, difference) end
  return ("graph %d: %s\n%s"):format(seed, difference, fuzz_run.script(graph)), true
end

return fuzz_run
