-- text_files.lua - nd.loadtxt, nd.genfromtxt and nd.savetxt: tables of numbers as text, by NumPy's names and options.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, is_plain, tracing = core.array.is, core.script.is_plain, core.trace.active
local nd = core.op.nd

local text_files = {}

local function lines_of(what, file)
  if tracing() then
    fail("%s: in a hybridized block or compiled function it would read only once; call it outside", what)
  end
  checks.string(what .. ": fname", file)
  local handle, problem = io.open(file, "r")
  if not handle then fail("%s: fname: %s", what, problem) end
  local text = handle:read "a"
  handle:close()
  if not text then fail("%s: fname: '%s' cannot be read", what, file) end
  local lines = {}
  for line in (text:gsub("\r\n?", "\n") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  if lines[#lines] == "" then lines[#lines] = nil end
  return lines
end

-- The text of a line before a comment.
local function without_comment(line, comments)
  for _, mark in ipairs(comments) do
    local at = line:find(mark, 1, true)
    if at then line = line:sub(1, at - 1) end
  end
  return line
end

local function fields_of(line, delimiter)
  local fields = {}
  if not delimiter then
    for field in line:gmatch "%S+" do fields[#fields + 1] = field end
    return fields
  end
  local at = 1
  while true do
    local first, last = line:find(delimiter, at, true)
    fields[#fields + 1] = line:sub(at, first and first - 1):match "^%s*(.-)%s*$"
    if not first then return fields end
    at = last + 1
  end
end

local NAMED = { nan = 0 / 0, ["+nan"] = 0 / 0, ["-nan"] = 0 / 0, inf = math.huge, ["+inf"] = math.huge,
  ["-inf"] = -math.huge, infinity = math.huge, ["-infinity"] = -math.huge }

local function number_of(field) return NAMED[field:lower()] or tonumber((field:gsub("^%+", ""))) end

-- Columns to keep, counted from 0 (negative: from the end), of n; nil for all.
local function columns_of(what, usecols, n, file, at)
  if usecols == nil then return nil end
  local list = {}
  for i, c in ipairs(type(usecols) == "table" and usecols or { usecols }) do
    c = checks.whole(what .. ": usecols", c)
    if c < -n or c >= n then
      fail("%s: usecols: expected columns from %d to %d, got %d (%s:%d)", what, -n, n - 1, c, file, at)
    end
    list[i] = c % n + 1
  end
  return list
end

local function comments_of(what, comments)
  if comments == nil or comments == false then return {} end
  if type(comments) == "string" then comments = { comments } end
  for _, mark in ipairs(comments) do
    if checks.string(what .. ": comments", mark) == "" then fail("%s: comments: expected a text, got ''", what) end
  end
  return comments
end

-- Raises for a whole number that float32 rounds.
local function check_whole(what, number, where)
  if math.type(number) ~= "integer" or ("f"):unpack(("f"):pack(number)) == number then return end
  fail("%s: %s: %d would become %.0f in float32; write dtype = \"int64\" or \"float64\"", what, where, number,
    (("f"):unpack(("f"):pack(number))))
end

-- Reads rows; value(field, column, where) converts a field.
local function table_of(what, o, first, last, value)
  local comments, rows, width = comments_of(what, o.comments), {}, nil
  if o.delimiter ~= nil and checks.string(what .. ": delimiter", o.delimiter) == "" then
    fail("%s: delimiter: expected a text, got ''", what)
  end
  local dtype = o.dtype or core.array.default_dtype()
  local exact = o.dtype == nil and dtype == "float32"
  local delimiter = o.delimiter ~= " " and o.delimiter or nil
  for at = first, last do
    local line = without_comment(o.lines[at], comments)
    if line:find "%S" and #rows < o.max_rows then
      local fields, row = fields_of(line, delimiter), {}
      if width and #fields ~= width then
        fail("%s: %s:%d: expected %d columns, as the first row has, got %d", what, o.fname, at, width, #fields)
      end
      width = #fields
      local columns = columns_of(what, o.usecols, width, o.fname, at)
      for i = 1, columns and #columns or width do
        local column = columns and columns[i] or i
        local where = ("%s:%d"):format(o.fname, at)
        row[i] = value(fields[column], column, where)
        if exact then check_whole(what, row[i], where) end
      end
      rows[#rows + 1] = row
    end
  end
  local x = #rows > 0 and nd.array(rows, { dtype = dtype }) or nd.zeros({ 0 }, { dtype = dtype })
  -- One column or one row is a vector, one number has shape (1,), as all numbers here.
  if o.ndmin < 2 and x.ndim == 2 and (x.shape[1] == 1 or x.shape[2] == 1) then x = x:reshape { -1 } end
  if o.unpack and x.ndim == 2 then
    local parts = {}
    for i = 1, x.shape[2] do parts[i] = x[{ {}, i - 1 }] end
    return parts
  end
  return x
end

local LOAD = { "fname", "dtype", "comments", "delimiter", "skiprows", "usecols", "unpack", "ndmin", "max_rows" }
local read_load = arguments.new("nd.loadtxt", LOAD, { comments = "#", skiprows = 0, unpack = false,
  ndmin = 0, max_rows = math.huge })

--- Reads a table of numbers from a text file, with the same number of columns in each line: a matrix, or a vector if
-- there is one row or column. Options: dtype (of set_default_dtype), comments ("#": a text, or a table of them, that
-- begins a comment), delimiter (default: blanks), skiprows (0), usecols (columns to keep, from 0), unpack (false; true:
-- a table of the columns), ndmin (0; 2: always a matrix), max_rows. Errors name the file and the line.
function text_files.loadtxt(...)
  local o = read_load(...)
  o.lines = lines_of("nd.loadtxt", o.fname)
  local first = checks.whole("nd.loadtxt: skiprows", o.skiprows, 0) + 1
  return table_of("nd.loadtxt", o, first, #o.lines, function(field, column, where)
    return number_of(field) or fail("nd.loadtxt: %s: column %d: expected a number, got '%s'; nd.genfromtxt reads " ..
      "missing values", where, column - 1, field)
  end)
end

local GEN = { "fname", "dtype", "comments", "delimiter", "skip_header", "skip_footer", "missing_values",
  "filling_values", "usecols", "unpack", "ndmin", "max_rows" }
local read_gen = arguments.new("nd.genfromtxt", GEN, { comments = "#", skip_header = 0,
  skip_footer = 0, filling_values = 0 / 0, unpack = false, ndmin = 0, max_rows = math.huge })

--- loadtxt for tables with missing values: fields that are empty or no numbers become filling_values (NaN). Options:
-- those of loadtxt, with skip_header and skip_footer instead of skiprows, filling_values, and missing_values (accepted:
-- what does not read as a number is missing).
function text_files.genfromtxt(...)
  local o = read_gen(...)
  o.lines = lines_of("nd.genfromtxt", o.fname)
  local filling = checks.number("nd.genfromtxt: filling_values", o.filling_values)
  local first = checks.whole("nd.genfromtxt: skip_header", o.skip_header, 0) + 1
  local last = #o.lines - checks.whole("nd.genfromtxt: skip_footer", o.skip_footer, 0)
  return table_of("nd.genfromtxt", o, first, last, function(field)
    return field ~= o.missing_values and number_of(field) or filling
  end)
end

local SAVE = { "fname", "X", "fmt", "delimiter", "newline", "header", "footer", "comments" }
local read_save = arguments.new("nd.savetxt", SAVE, { fmt = "%.18e", delimiter = " ", newline = "\n", header = "",
  footer = "", comments = "# " })

--- Writes a vector (one number per line) or a matrix as text: savetxt(file, x). Options: fmt ("%.18e": a format of
-- string.format for all numbers, or a table with one for each column), delimiter (" "), newline, header and footer
-- (lines before and after, which begin with `comments`, "# "). The file is saved completely or not at all.
function text_files.savetxt(...)
  local o = read_save(...)
  checks.string("nd.savetxt: fname", o.fname)
  local x = o.X
  if is_plain(x) then x = nd.array(x, { dtype = "float64" }) end
  if not is_array(x) or x.ndim > 2 then
    fail("nd.savetxt: X: expected a vector or a matrix, got %s", is_array(x) and ("%d dimensions"):format(x.ndim) or
      x == nil and "nothing" or type(x))
  end
  if x.ndim < 2 then x = x:reshape { -1, 1 } end
  local lines, whole = {}, x.dtype:find "int" ~= nil
  local function add(text, mark)
    for line in (text .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = mark .. line end
  end
  if o.header ~= "" then add(o.header, o.comments) end
  for i, row in ipairs(x:totable()) do
    for k, value in ipairs(row) do
      local fmt = type(o.fmt) == "table" and o.fmt[k] or o.fmt
      if type(value) == "boolean" then value = value and 1 or 0 end
      local ok, text = pcall(string.format, fmt, whole and value or value + 0.0)
      if not ok then fail("nd.savetxt: fmt: expected a format for numbers, got '%s'", tostring(fmt)) end
      row[k] = text
    end
    lines[#lines + 1] = table.concat(row, o.delimiter)
    if i % 1024 == 0 then lines = { table.concat(lines, o.newline) } end
  end
  if o.footer ~= "" then add(o.footer, o.comments) end
  core.file.save_text(o.fname, #lines > 0 and table.concat(lines, o.newline) .. o.newline or "")
end

return text_files
