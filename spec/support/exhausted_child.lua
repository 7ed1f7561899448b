-- exhausted_child.lua call|trace|pieces|backward|load|line STEP - a job whose Lua allocations fail from the n-th on,
-- for every n (or each STEP-th), for leaks_spec.lua. C must not leak, and everything must work afterwards. It is a
-- separate process, since each failure starts with a full collection, which is slow with a large heap. Prints "held: N
-- points" or the failure.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local heap = assert(package.loadlib("build/spec/heap.so", "luaopen_heap"))()
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local nn = gluon.nn

heap.fail()
core.host.debug { jit = "off" }

local Twice = autograd.Function:subclass "Twice"
function Twice:forward(v) return v * 2 end
function Twice:backward(dy) return dy * 2 end

local function network()
  local net = nn.HybridSequential()
  net:add(nn.Dense(4, { in_units = 3, activation = "relu" }), nn.BatchNorm { in_channels = 4 })
  net:add(nn.Dense(2, { in_units = 4 }))
  net:initialize(hl.init.One())
  return net
end

local x = nd.array { { 1, 2, 3 }, { 4, 5, 6 } }
local ready = network()
ready:hybridize()
ready(x)

local jobs = {}

-- Calls of a hybridized block, and of operators in each form.
function jobs.call()
  local y = ready(x)
  local parts = nd.split(y, { num_outputs = 2, axis = 1 })
  local joined = nd.concat({ parts[1], data = nil, parts[2] }, { dim = 1 })
  local s = sym.FullyConnected(sym.var "a", { num_hidden = 3, attr = { k = "v" } })
  return tostring((joined[0] * 2 + 1):sum { axis = 0, out = nd.zeros { 1 } }) .. #s:list_arguments()
end

-- A newly hybridized block, and a function with a number, a captured array and a loop.
function jobs.trace()
  local net = network()
  net:hybridize()
  local f = hl.compile(function(F, v)
    local _, last = F.contrib.foreach(function(row, state) return row * 2, { state[1] + row } end, v, { F.zeros { 3 } })
    return F.concat(v, x, { dim = 0 }):sum { axis = 0 } + last[1]
  end)
  return tostring(net(x)) .. tostring(f(x))
end

local w = nd.ones { 2, 3 }
w:attach_grad()

-- Blocks that run in segments, with one that reads values.
local function piecewise()
  local Gate = gluon.HybridBlock:subclass "Gate"
  function Gate:init() self.dense = nn.Dense(2, { in_units = 2 }) end
  function Gate:hybrid_forward(F, v)
    local h = F.tanh(self.dense(v)) + 1            -- a lazy value
    self.kept = h * 2
    return F.softmax(h - 0.5) * v:sum():asscalar()
  end
  local net = network()
  local gate = Gate()
  net:add(nn.Lambda(function(v) return v * 2 end), gate, nn.Activation "tanh")
  net:initialize(hl.init.One(), { force_reinit = true })
  net:hybridize { breaks = true }
  return net, gate
end
local broken = piecewise()
function jobs.pieces()
  local net, gate = piecewise()
  local y = autograd.record(function() return broken(w) end)
  y:backward()
  return tostring(broken(x)) .. tostring(broken(x)) .. tostring(net(x)) .. tostring(net(x)) .. tostring(gate.kept) ..
    tostring(w.grad)
end

function jobs.backward()
  local loss = autograd.record(function()
    local inner = autograd.grad((w * w):sum(), w, { create_graph = true })
    return (ready(Twice()(w)) * 2):sum() + (inner * w):sum()
  end)
  loss:backward()
  return tostring(w.grad)
end

local folder = assert(os.tmpname())
os.remove(folder)
ready:export(folder)
function jobs.load()
  local block = gluon.SymbolBlock.imports(folder .. "-symbol.json", { "data" }, folder .. "-0000.params")
  local arrays = nd.load(folder .. "-0000.params")
  local names = {}
  for name in pairs(arrays) do names[#names + 1] = name end
  return tostring(block(x)) .. #names
end

-- Two lines at the prompt, whose input and output are replaced by functions.
local function nothing() end
package.loaded["hybridlua.lineedit"] = { open = nothing, files = nothing }
local write, read, printed, at = io.write, io.read, {}, 0
local repl = require "hybridlua.repl"
function jobs.line()
  printed, at = {}, 0
  repl.step()
  repl.step()
  return table.concat(printed)
end

local job = jobs[arg[1]]
if arg[1] == "line" then
  local lines = { "local y = hl.nd.ones{2} * 2", "y:sum(), y, {shape = y.shape}" }
  _G.hl = hl
  rawset(io, "read", function() at = at % 2 + 1 return lines[at] end)
  rawset(io, "write", function(...) for i = 1, select("#", ...) do printed[#printed + 1] = select(i, ...) end end)
  repl.start()
end

local STEP = tonumber(arg[2])              -- 1: every point

local function check(fine, ...) if not fine then error(string.format(...), 0) end end

-- Bytes in use outside of Lua's heap after full collections.
local function used()
  for _ = 1, 3 do collectgarbage() end
  core.host.memory_options { trim = true }
  return heap.used()
end

-- Runs the job with the n-th and all later allocations failing; returns whether any failed.
local function failing_at(n)
  local good, message = pcall(function()
    heap.fail(n)
    return job()
  end)
  local failed = heap.fail()
  check(good or failed or tostring(message):find "memory", "allocation %d: %s", n, message)
  return failed
end

local function check_state(n, expected)
  local mode = autograd.is_recording() or autograd.is_training() or core.trace.active()
  check(not mode, "allocation %d: a mode is on", n)
  check(not core.breaks.observed(), "allocation %d: a call is still observed", n)
  check(core.autograd.mode_depth() == 0 and core.call.scope_depth() == 0, "allocation %d: a scope is open", n)
  if n // STEP % 10 > 0 then return end            -- slow
  local good, result = pcall(job)
  check(good and result == expected, "allocation %d: afterwards %s, and not %s", n, result, expected)
end

local function points(after)
  local n = 0
  repeat
    n = n + STEP
    local failed = failing_at(n)
    if after then after(n) end
  until not failed
  return n - 1
end

-- The first point that leaks, and the number of bytes.
local function first_loss()
  for n = STEP, points(), STEP do
    failing_at(n)
    local before = used()
    failing_at(n)
    local lost = used() - before
    if lost > 0 then return n, lost end
  end
  return 0, 0
end

local function run()
  for _ = 1, 3 do job() end                -- compiles everything beforehand
  local expected = job()
  local n = points(function(point) check_state(point, expected) end)
  local lost = math.huge
  for _ = 1, 5 do                          -- repeated, since malloc's overhead varies slightly
    local before = used()
    points()
    lost = math.min(lost, used() - before)
    if lost <= 0 then break end
  end
  if lost > 0 then check(false, "%d bytes are lost; where allocation %d fails, %d", lost, first_loss()) end
  return n
end

local good, result = pcall(run)
rawset(io, "write", write)
rawset(io, "read", read)
for _, name in ipairs { "-symbol.json", "-0000.params" } do os.remove(folder .. name) end
print(good and ("held: %d points"):format(result) or result)
