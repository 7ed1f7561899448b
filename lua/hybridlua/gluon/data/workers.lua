-- data/workers.lua - worker processes that make batches ahead.
--
-- A worker is a copy of the process, forked when a pass begins, so it has the dataset and the transforms in their
-- current state, with everything that they refer to. Threads cannot share a Lua state, and functions copied into
-- another state would lose the variables they share, so workers are processes. Worker i % n makes batch i, whose
-- contents depend on i alone (dataloader.lua), never on n. A worker sends values as text and arrays, through shared
-- memory.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local is_array, is_symbol, is_plain, send = core.array.is, core.symbol.is, core.script.is_plain, core.worker.send
local receive = core.worker.receive

local workers = {}

-- ---- Values as text and arrays ------------------------------------------------------------------------------------

local write

local function write_table(x, parts, arrays)
  local n = 0
  for _ in next, x do n = n + 1 end
  parts[#parts + 1] = ("t%d;"):format(n)
  for key, value in next, x do
    write(key, parts, arrays)
    write(value, parts, arrays)
  end
end

local WRITERS = {
  ["nil"] = function() return "n" end,
  boolean = function(x) return x and "y" or "f" end,
  number = function(x)
    return math.type(x) == "integer" and string.pack("<c1i8", "i", x) or string.pack("<c1d", "d", x)
  end,
  string = function(x) return string.pack("<c1s8", "s", x) end,
}

function write(x, parts, arrays)
  local writer = WRITERS[type(x)]
  if writer then
    parts[#parts + 1] = writer(x)
  elseif is_array(x) then
    arrays[#arrays + 1] = x
    parts[#parts + 1] = "a"
  elseif is_plain(x) then
    write_table(x, parts, arrays)
  else
    fail("DataLoader: a worker cannot send a %s: expected NDArrays, numbers, strings, booleans and plain tables of " ..
      "these; without num_workers a batch may hold anything", is_symbol(x) and "Symbol" or type(x))
  end
end

-- Encodes any number of values as a text and a list of arrays.
local function packed(...)
  local parts, arrays, n = {}, {}, select("#", ...)
  for i = 1, n do write((select(i, ...)), parts, arrays) end
  return ("%d;"):format(n) .. table.concat(parts), arrays
end

-- Decodes the value at a position of the text; returns it and the position after it.
local function value_at(text, at, state)
  local tag = text:sub(at, at)
  at = at + 1
  if tag == "n" then return nil, at end
  if tag == "y" or tag == "f" then return tag == "y", at end
  if tag == "i" then return string.unpack("<i8", text, at) end
  if tag == "d" then return string.unpack("<d", text, at) end
  if tag == "s" then return string.unpack("<s8", text, at) end
  if tag == "a" then
    state.taken = state.taken + 1
    return state.arrays[state.taken], at
  end
  local count, behind = text:match("^(%d+);()", at)
  local t = {}
  for _ = 1, math.tointeger(count) do
    local key, after_key = value_at(text, behind, state)
    t[key], behind = value_at(text, after_key, state)
  end
  return t, behind
end

local function unpacked(text, arrays)
  local count, at = text:match "^(%d+);()"
  local values, n, state = {}, math.tointeger(count), { arrays = arrays, taken = 0 }
  for i = 1, n do values[i], at = value_at(text, at, state) end
  return values, n
end

-- ---- In a worker --------------------------------------------------------------------------------------------------

-- Answers with true and the results of make(i, places), or with false and its error.
local function answer(worker, slot, make, ...)
  local ok, text, arrays = pcall(packed, pcall(make, ...))
  if not ok then text, arrays = packed(false, tostring(text)) end
  io.stdout:flush()
  send(worker, slot, text, arrays)
end

local function serve(worker, make)
  while true do
    local slot, text, arrays = receive(worker, -1)
    if not slot then return end
    local values = unpacked(text, arrays)
    answer(worker, slot, make, values[1], values[2])
  end
end

-- ---- In the parent ------------------------------------------------------------------------------------------------

local Team = {}
Team.__index = Team

--- Starts the workers of one pass. options: n, the number of workers; prefetch, the number of batches made ahead;
-- timeout, in seconds per batch; places(), which returns the indices of the next batch; make(i, places), which returns
-- the values of batch i.
function workers.team(options)
  local self = setmetatable({ places = options.places, timeout = options.timeout, prefetch = options.prefetch,
                              asked = 0, taken = 0, all_asked = false }, Team)
  self.slots = (options.prefetch + options.n) // options.n
  for i = 1, options.n do self[i] = core.worker.begin(self.slots, function(worker) serve(worker, options.make) end) end
  self:ask(self.prefetch)
  return self
end

--- Stops all workers, even busy ones.
function Team:close()
  for i = #self, 1, -1 do
    core.worker.stop(self[i])
    self[i] = nil
  end
  self.all_asked, self.asked = true, self.taken
end

-- Requests batches until `most` of them are pending.
function Team:ask(most)
  local n = #self
  while not self.all_asked and self.asked - self.taken < most do
    local places = self.places()
    if places == nil then
      self.all_asked = true
    else
      local i = self.asked
      send(self[i % n + 1], i // n % self.slots, packed(i, places))
      self.asked = i + 1
    end
  end
end

-- Waits for the next batch; returns its values.
function Team:await()
  local which = self.taken % #self + 1
  local slot, text, arrays = receive(self[which], self.timeout)
  self.taken = self.taken + 1
  if slot then return unpacked(text, arrays) end
  if text == "late" then
    fail("DataLoader: worker %d timed out after %s seconds; if its transforms are slow, set a larger timeout, or 0 " ..
      "workers", which, tostring(self.timeout))
  end
  fail("DataLoader: worker %d %s, at batch %d", which, text, self.taken - 1)
end

local Guard = { __close = function(self) if self.team then self.team:close() end end }

--- The values of the next batch; nothing after the last one. After an error, even Ctrl-C, all workers are stopped.
function Team:next()
  local guard <close> = setmetatable({ team = self }, Guard)
  self:ask(self.prefetch + 1)
  if self.taken == self.asked then return nil end          -- the guard closes the team
  local values, n = self:await()
  if not values[1] then error(values[2], 0) end
  guard.team = nil
  return table.unpack(values, 2, n)
end

return workers
