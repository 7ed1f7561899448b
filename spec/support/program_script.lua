-- program_script.lua - random programs (programs.lua) as complete scripts: a head with the functions that their lines
-- call, the lines, and a tail that runs them eagerly and hybridized and prints the difference.
local program_text = require "support.program_text"

local HEAD = [[
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd, gluon, nn = hl.nd, hl.autograd, hl.gluon, hl.gluon.nn
local F, hybrid, log, kept = nd, false, {}, {}    -- F: outside of blocks

local function keep(name, x)                      -- an array or a net that is compared throughout
  kept[#kept + 1] = { name = name, x = x }
  return x
end

local function numbers(seed, shape, dtype)        -- without the random stream
  local list, n, x = {}, 1, seed * 7919 + 17
  for _, d in ipairs(shape) do n = n * d end
  for i = 1, n do
    x = x * 48271 % 2147483647
    list[i] = x / 2147483647 * 4 - 2
  end
  return n == 0 and nd.zeros(shape, { dtype = dtype }) or nd.array(list, { dtype = dtype }):reshape(shape):copy()
end

local function note(what, x, of)                  -- adds to the log; x is the gradient of array `of`
  if type(x) == "table" then
    for i, item in ipairs(x) do note(("%s[%d]"):format(what, i), item) end
  elseif core.array.is(x) then
    log[#log + 1] = { what = what, bytes = x:tobytes(), dtype = x.dtype, dims = x.shape,
      shape = table.concat(x.shape, ","), fresh = of and core.autograd.fresh_grad(of) }
  else
    log[#log + 1] = { what = what, bytes = core.symbol.is(x) and "a Symbol" or tostring(x) }
  end
end

local function note_net(what, net)
  local i = 0
  for _, param in net:collect_params():items() do
    i = i + 1
    local made, data = pcall(param.data, param)
    note(("%s: parameter %d"):format(what, i), made and data)
    if made then note(("%s: gradient of parameter %d"):format(what, i), data.grad, data) end
  end
end

local function note_all(what)
  for _, item in ipairs(kept) do
    local title = what .. ": " .. item.name
    if core.array.is(item.x) then
      note(title, item.x)
      note(title .. ": gradient", item.x.grad, item.x)
    else
      note_net(title, item.x)
    end
  end
end

local function try(what, fn)                      -- errors are compared too
  local ok, message = pcall(fn)
  if ok then return end
  log[#log + 1] = { what = what, error = tostring(message) }
  hl.random.seed(SEED + 1)                        -- how many numbers it drew is unspecified
end

local function taped(list)                        -- the arrays on the tape
  local heads = {}
  for _, x in ipairs(list) do if core.autograd.on_tape(x) then heads[#heads + 1] = x end end
  return heads
end

local function H(block, options)
  assert(block, "no block")
  options = options or {}
  options.breaks = BREAKS
  if hybrid then block:hybridize(options) end
  return block
end

local function compile(fn)
  if hybrid then return hl.compile(fn, { breaks = BREAKS }) end
  return function(...) return fn(nd, ...) end
end

]]

local PLAIN = [[
local Plain = gluon.Block:subclass "Plain"        -- counts its calls, and reads values
function Plain:forward(a)
  self.calls = (self.calls or 0) + 1
  note("plain " .. self.calls, a)
  return a * F.tanh(a:sum()):asscalar()
end

]]

local FILTERS = [[
local Filters = gluon.HybridBlock:subclass "Filters"   -- convolutions that keep the shape
function Filters:init(n, dtype)
  self.spread = nn.Conv1D(16, 1, { in_channels = 1 })
  self.conv = nn.Conv1D(n, 3, { padding = 1, in_channels = 16 })
  self:cast(dtype)
end
function Filters:hybrid_forward(F, a)
  local line = F.expand_dims(F.expand_dims(F.reshape(a, { shape = { -1 } }), { axis = 0 }), { axis = 0 })
  return F.reshape_like(F.mean(self.conv(self.spread(line)), { axis = 1 }), a)
end

]]

local TAIL = [[

local function run(is_hybrid)
  hybrid, log, kept = is_hybrid, {}, {}
  hl.random.seed(SEED)
  local ok, message = pcall(program)
  if not ok then
    log[#log + 1] = { what = "the program", error = tostring(message) }
    hl.random.seed(SEED + 1)
  end
  note("random stream", ("%d %d"):format(core.random.state()))
  return log
end

if ... == "run" then return run end
core.host.debug(SWITCHES)
core.host.debug { no_packed_weights = true }
local eager = run(false)
core.host.debug { no_packed_weights = false }
local other = run(true)
for i = 1, math.max(#eager, #other) do
  local a, b = eager[i] or {}, other[i] or {}
  local function array(e) return nd.from_bytes(e.bytes, e.dims, e.dtype) end
  local same = a.bytes == b.bytes and a.shape == b.shape
  if a.dtype and b.dtype and not same then same = core.array.same(array(a), array(b)) end
  if a.what ~= b.what or not same or not a.error ~= not b.error then
    local function text(e) return e.dtype and tostring(array(e)) or e.error or e.bytes or "nothing" end
    print(("%s\n  eager: %s\n  hybridized: %s"):format(a.what or b.what, text(a), text(b)))
  end
end
]]

--- The program as a script, with the engine's switches of a mode.
return function(program, switches)
  local words = {}
  for name, value in pairs(switches or {}) do words[#words + 1] = ("%s = %q"):format(name, value) end
  table.sort(words)
  return ("local SEED, BREAKS, SWITCHES = %d, %s, {%s}\n"):format(program.seed, program.breaks and true or false,
                                                                  table.concat(words, ", "))
    .. HEAD .. (program.breaks and PLAIN or "") .. (program.convolutions and FILTERS or "")
    .. "local function program()\n" .. program_text.write(program.nodes) .. "end\n" .. TAIL
end
