-- progress.lua - a progress bar for loops:
--
--   local bar = hl.progress(loader:batches(), {desc = "epoch 1"})
--   for data, label in bar do
--     ...
--     bar:postfix{loss = l:mean():asscalar()}
--   end
--
-- On a terminal the bar is redrawn at most ten times a second; otherwise (a log file) one line is written at the end.
-- Both go to standard error. Output of print and io.write on the terminal appears above the bar, and so does the
-- curve of hl.plot.live.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local block = require "hybridlua.language.terminal_block"
local is_array, seconds_now = core.array.is, core.host.seconds

-- `for x in hl.progress(loop) do` also passes the bar to the loop as its closing value.
local Progress = class.root("Progress", function(cls, ...)
  local bar = class.new(cls, ...)
  return bar, nil, nil, bar
end, "bar")

local EVERY = 0.1         -- seconds between redraws

-- ---- Loops ----------------------------------------------------------------------------------------------

local function from_number(n)
  local i = 0
  return function()
    i = i + 1
    if i <= n then return i end
  end, n
end

local function from_list(list)
  local i = 0
  return function()
    i = i + 1
    return list[i]
  end, #list
end

-- A loop's next function, its length if known, its unit, and a DataLoader's pass, which must be closed.
local function source_of(x)
  if type(x) == "number" then return from_number(x) end
  if type(x) == "function" then return x, nil end
  local meta = type(x) == "table" and getmetatable(x)
  if class.of(x) and x._pass then
    local length = #x
    x = x:_pass()
    if type(x) == "function" then return x, length end
    meta = getmetatable(x)
  end
  local unit = meta and meta.__name == "DataLoader pass" and "batches" or nil
  local inner = unit and x or nil
  if type(x) == "table" and not meta then return from_list(x) end
  if meta and meta.__call then return function() return x() end, meta.__len and #x or nil, unit, inner end
  fail("progress: expected a DataLoader, an iterator, a list or a number, got %s", type(x))
end

-- ---- The text -------------------------------------------------------------------------------------------

local function clock(seconds)
  seconds = math.floor(seconds + 0.5)
  if seconds >= 3600 then return ("%d:%02d:%02d"):format(seconds // 3600, seconds // 60 % 60, seconds % 60) end
  return ("%02d:%02d"):format(seconds // 60, seconds % 60)
end

local function value_text(x)
  if is_array(x) and x.size == 1 then x = x:asscalar() end
  if math.type(x) == "float" then return ("%.4g"):format(x) end
  return tostring(x)
end

-- { loss = 0.25 } or { {"loss", 0.25}, ... } as "loss 0.25, ..."; a string is returned as it is.
local function postfix_text(values)
  if type(values) ~= "table" then return tostring(values) end
  local parts, keys = {}, {}
  for _, entry in ipairs(values) do parts[#parts + 1] = ("%s %s"):format(entry[1], value_text(entry[2])) end
  for key in pairs(values) do if type(key) == "string" then keys[#keys + 1] = key end end
  table.sort(keys)
  for _, key in ipairs(keys) do parts[#parts + 1] = ("%s %s"):format(key, value_text(values[key])) end
  return table.concat(parts, ", ")
end

local function rate_text(rate, unit)
  local form = rate >= 100 and "%.0f %s/s" or "%.3g %s/s"
  return form:format(rate, unit)
end

-- "epoch 1:  40% |####      | 8/20 [00:02<00:03, 4.1 batches/s, loss 0.25]"
local function line_of(self, now)
  local elapsed = now - self.began
  local rate = elapsed > 0 and self.done / elapsed or 0
  local left = self.total and rate > 0 and not self.finished and "<" .. clock((self.total - self.done) / rate) or ""
  local tail = ("[%s%s, %s%s]"):format(clock(elapsed), left, rate_text(rate, self.unit),
    self.after ~= "" and ", " .. self.after or "")
  local head = self.desc ~= "" and self.desc .. ": " or ""
  if not self.total then return ("%s%d %s"):format(head, self.done, tail) end
  local part = self.total > 0 and math.min(self.done / self.total, 1) or 1
  head = ("%s%3.0f%% "):format(head, 100 * part)
  local counts = ("%d/%d "):format(self.done, self.total)
  local room = self.columns and math.min(30, self.columns - #head - #counts - #tail - 4) or 0
  local bar = ""
  if room >= 5 then
    local filled = math.floor(part * room)
    bar = "|" .. ("#"):rep(filled) .. (" "):rep(room - filled) .. "| "
  end
  return head .. bar .. counts .. tail
end

-- ---- Drawing --------------------------------------------------------------------------------------------

--- The bar's text, cut to the terminal's width.
function Progress:_line()
  local line = line_of(self, seconds_now())
  if self.columns and #line >= self.columns then line = line:sub(1, self.columns - 1) end
  return line
end

local function is_shown(self) return self.file == io.stderr and block.on.bar == self end

local function draw(self, now)
  self.drawn = now
  if self.file ~= io.stderr then
    self.file:write("\r", self:_line(), "\27[K")
    self.file:flush()
    return
  end
  block.on.bar = self
  block.hook()
  block.draw_bar()
end

-- The last line of a bar on the terminal; a panel moves below it.
local function end_line(self)
  local shown = is_shown(self)
  if shown and block.open then
    self.file:write "\n"
    block.open = false
  end
  if shown and block.on.panel then block.erase() end
  self.file:write("\r", self:_line(), "\27[K\n")
  self.file:flush()
  if not shown then return end
  block.on.bar = nil
  if block.on.panel then block.draw() end
end

-- ---- The loop -------------------------------------------------------------------------------------------

local read = arguments.new("progress", "loop[] total desc unit every leave disable file columns")

--- hl.progress(loop, {total =, desc =, unit = "it", every = 0.1, leave = true, disable = false}): loop is a DataLoader
-- or its batches(), any other iterator function, a list, or a number n for 1 to n. total: the number of iterations, if
-- the loop's length is unknown. unit: the unit counted, "batches" for a DataLoader. leave = false: remove the bar at
-- the end.
function Progress:init(first, ...)
  -- batches() also passes the pass to the loop as its closing value: here the bar closes it
  local pass = select("#", ...) == 3 and rawequal(first, (select(3, ...)))
  local options = pass and read(first) or read(first, ...)
  local next_value, total, unit, inner = source_of(options.loop)
  self.inner = inner
  self.next_value, self.total = next_value, options.total or total
  self.desc, self.unit, self.every = options.desc or "", options.unit or unit or "it", options.every or EVERY
  self.disabled, self.leave = options.disable or false, options.leave ~= false
  self.file = options.file or io.stderr
  self.columns = options.columns or core.host.error_columns()
  self.done, self.after, self.began, self.drawn = 0, "", seconds_now(), -math.huge
end

--- Shows values after the bar: bar:postfix{loss = 0.25}, or a string.
function Progress:postfix(values) self.after = postfix_text(values) end

--- Ends the line, or removes it. This happens at the loop's end and at a break out of `for x in hl.progress(loop)`; for
-- a bar in a <close> variable, at the end of its scope.
function Progress:close()
  if self.finished then return end
  self.finished = true
  if self.inner then getmetatable(self.inner).__close(self.inner) end
  if self.disabled then return end
  if not self.leave then
    local shown = is_shown(self)
    if shown and block.on.panel then block.erase()
    elseif self.columns and not (shown and block.open) then self.file:write "\r\27[K" end
    if shown then block.on.bar = nil end
    if shown and block.on.panel then block.draw() end
  elseif self.columns then
    end_line(self)
  else
    self.file:write(line_of(self, seconds_now()), "\n")
  end
end

Progress.__close = Progress.close
arguments.methods(Progress, "progress.", { close = "" })

local function pass_on(self, ...)
  if (...) == nil then self:close() end
  return ...
end

function Progress:__call()
  if self.started then
    self.done = self.done + 1
    if self.columns and not self.disabled then
      local now = seconds_now()
      if now - self.drawn >= self.every then draw(self, now) end
    end
  else
    self.started, self.began = true, seconds_now()
    if self.columns and not self.disabled then draw(self, self.began) end
  end
  return pass_on(self, self.next_value())
end

return Progress
