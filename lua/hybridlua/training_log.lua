-- training_log.lua - hl.log.TrainingLog: a training loop's numbers as rows of a file, one per update or epoch, and
-- hl.log.read_training, which reads them back:
--
--   local log <close> = hl.log.TrainingLog "run.csv"        -- or run.jsonl
--   log:add{epoch = 1, loss = l, accuracy = 0.9}
--
-- CSV (RFC 4180) has a header, the names of the first row; empty cells are missing values. JSON lines have one object
-- per row, whose names may differ. An existing file is continued, with its header.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local python = require "hybridlua.language.python_text"
local is_array, seconds = core.array.is, core.host.seconds

local TrainingLog = class.root("TrainingLog", class.new, "log")

local FLUSH_EVERY = 0.5          -- seconds; a row per update may be a thousand per second
local FIRST = { "epoch", "update", "step", "batch" }

local function format_of(what, path, format)
  format = format or path:lower():match "%.(%w+)$"
  if format == "json" then format = "jsonl" end
  return checks.choice(what .. ": format", format, "csv", "jsonl")
end

-- ---- CSV ----------------------------------------------------------------------------------------------------------

local function cell(value)
  if value == nil then return "" end
  if type(value) == "number" then return python.number(value) end
  local text = tostring(value)
  if text:find '[",\r\n]' or tonumber(text) or text == "" then return '"' .. text:gsub('"', '""') .. '"' end
  return text
end

local function csv_line(cells) return table.concat(cells, ",") .. "\n" end

-- The records of a CSV text: lists of { text =, quoted = }.
local function records(what, text)
  local list, record, at = {}, {}, 1
  while at <= #text do
    local field, close, behind
    if text:sub(at, at) == '"' then
      local parts, from = {}, at + 1
      repeat
        close = text:find('"', from, true)
        if not close then fail("%s: line %d: expected a closing quote", what, #list + 1) end
        parts[#parts + 1] = text:sub(from, close - 1)
        from = close + 2
      until text:sub(close + 1, close + 1) ~= '"'
      field, behind = { text = table.concat(parts, '"'), quoted = true }, close + 1
    else
      local plain
      plain, behind = text:match("^([^,\r\n]*)()", at)
      field = { text = plain }
    end
    record[#record + 1] = field
    local mark, after = text:match("^(\r?[,\n]?)()", behind)
    if not mark:find "[,\n]" and behind <= #text then
      fail("%s: line %d: expected ',' or the line's end", what, #list + 1)
    end
    at = after
    if mark ~= "," then list[#list + 1], record = record, {} end
  end
  if #record > 0 then list[#list + 1] = record end
  return list
end

local NOT_FINITE = { nan = 0 / 0, inf = math.huge, ["-inf"] = -math.huge }

local function value_of(field)
  if field.quoted then return field.text end
  if field.text == "" then return nil end
  if NOT_FINITE[field.text] then return NOT_FINITE[field.text] end
  local number = field.text:find "^[-+.%d]" and tonumber(field.text)
  if number then return number end
  if field.text == "true" or field.text == "false" then return field.text == "true" end
  return field.text
end

local function names_in(record)
  local names = {}
  for i, field in ipairs(record) do names[i] = field.text end
  return names
end

-- ---- Writing ------------------------------------------------------------------------------------------------------

local read = arguments.new("log.TrainingLog", "path format columns[] append", { append = true })

-- The header of an existing file, and whether its last line has an end.
local function header_of(self)
  local file <close> = io.open(self.path, "rb")
  local first = file and file:read "L"
  if not first then return nil, true end
  file:seek("end", -1)
  local what = ("log.TrainingLog: '%s'"):format(self.path)
  return self.format == "csv" and names_in(records(what, first)[1]), file:read(1) == "\n"
end

--- TrainingLog(path, {format = nil, columns = nil, append = true}): format: "csv" or "jsonl", by default by the name's
-- end. columns: the names of a CSV's columns, by default those of the first row, with epoch and update first.
-- append = false: an existing file is replaced. Errors: a file that cannot be written, an unknown end.
function TrainingLog:init(...)
  local o, what = read(...), "log.TrainingLog"
  self.path = checks.string(what .. ": path", o.path)
  self.format = format_of(what, self.path, o.format)
  local ended = true
  if o.append then self.columns, ended = header_of(self) end
  self.columns = self.columns or nil
  if o.columns and not self.columns then
    self.columns = {}
    for i, name in ipairs(o.columns) do self.columns[i] = checks.string(what .. ": columns", name) end
    self.headless = true
  end
  local problem
  self.file, problem = io.open(self.path, o.append and "a" or "w")
  if not self.file then fail("%s: path: %s", what, problem) end
  if not ended then self.file:write "\n" end
  self.rows, self.flushed = 0, seconds()
end

local function plain(name, value)
  if is_array(value) and value.size == 1 then return value:asscalar() end
  if type(value) == "number" or type(value) == "string" or type(value) == "boolean" then return value end
  fail("log.TrainingLog: add: %s: expected a number, a string, a boolean or an array of one element, got %s", name,
    is_array(value) and ("an array of %d"):format(value.size) or type(value))
end

-- The row's names in their order.
local function names_of(row)
  local names, rank = {}, {}
  for i, name in ipairs(FIRST) do rank[name] = i end
  for name in next, row do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local i, j = rank[a] or math.huge, rank[b] or math.huge
    return i < j or i == j and a < b
  end)
  return names
end

local function raise_unknown(self, row)
  local known = {}
  for _, name in ipairs(self.columns) do known[name] = true end
  for name in next, row do
    if not known[name] then
      fail("log.TrainingLog: add: unknown column '%s'; '%s' has %s; give all names as columns, or write JSON lines",
        name, self.path, table.concat(self.columns, ", "))
    end
  end
end

local function csv_row(self, row, size)
  if not self.columns then self.columns, self.headless = names_of(row), true end
  local cells, found = {}, 0
  for i, name in ipairs(self.columns) do
    local value = row[name]
    if value ~= nil then found = found + 1 end
    cells[i] = cell(value)
  end
  if found < size then raise_unknown(self, row) end
  if not self.headless then return csv_line(cells) end
  local names = {}
  for i, name in ipairs(self.columns) do names[i] = cell(name) end
  self.headless = nil
  return csv_line(names) .. csv_line(cells)
end

local function json_row(row)
  local parts = {}
  for i, name in ipairs(names_of(row)) do parts[i] = ("%s: %s"):format(python.json(name), python.json(row[name])) end
  return "{" .. table.concat(parts, ", ") .. "}\n"
end

local read_add = arguments.new("log.TrainingLog: add", "values{}")

--- add{epoch = 1, loss = 0.5, ...}: writes a row: numbers, strings, booleans, arrays of one element.
function TrainingLog:add(values, ...)
  if select("#", ...) > 0 then read_add(values, ...) end              -- raises; a row needs no reader
  if type(values) ~= "table" or getmetatable(values) then
    fail("log.TrainingLog: add: expected a table such as {loss = 0.5}, got %s",
      is_array(values) and "an array" or type(values))
  end
  if not self.file then fail("log.TrainingLog: add: '%s' is closed", self.path) end
  local row, size = {}, 0
  for name, value in next, values do
    size = size + 1
    if type(name) ~= "string" then
      fail("log.TrainingLog: add: expected names of values, such as {loss = 0.5}, got the key %s", tostring(name))
    end
    row[name] = plain(name, value)
  end
  local good, problem = self.file:write(self.format == "csv" and csv_row(self, row, size) or json_row(row))
  if not good then fail("log.TrainingLog: add: %s: %s", self.path, problem) end
  self.rows = self.rows + 1
  local now = seconds()
  if now - self.flushed >= FLUSH_EVERY then
    self.file:flush()
    self.flushed = now
  end
  return self
end

--- Closes the file; does nothing if it is closed.
function TrainingLog:close()
  if self.file then self.file:close() end
  self.file = nil
end

TrainingLog.__close = TrainingLog.close
arguments.methods(TrainingLog, "log.TrainingLog.", { close = "" })

-- ---- Reading ------------------------------------------------------------------------------------------------------

--- read_training(path, {format = nil}): the rows of a training log, as a list of tables. Errors: a file that cannot be
-- read, a line that is not a row.
function TrainingLog._read(path, format)
  local what = "log.read_training"
  format = format_of(what, checks.string(what .. ": path", path), format)
  local file <close>, problem = io.open(path, "rb")
  if not file then fail("%s: path: %s", what, problem) end
  local text, rows = file:read "a", {}
  what = ("%s: '%s'"):format(what, path)
  if format == "csv" then
    local list = records(what, text)
    local names = names_in(list[1] or {})
    for r = 2, #list do
      if #list[r] > #names then fail("%s: row %d: expected %d values, got %d", what, r - 1, #names, #list[r]) end
      local row = {}
      for i, field in ipairs(list[r]) do row[names[i]] = value_of(field) end
      rows[r - 1] = row
    end
    return rows
  end
  local number = 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    if line:find "%S" then
      local row, wrong = python.from_json(line)
      if type(row) ~= "table" then fail("%s: line %d: %s", what, number, wrong or "expected an object") end
      rows[#rows + 1] = row
    end
  end
  return rows
end

return TrainingLog
