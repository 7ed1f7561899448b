-- layers.lua - who may include whom: a folder of src/ only those before it in the order,
-- and `ops` and `pass` not each other; what headers may call what they declare; and `bind` computes no elements and
-- knows no operator's parameters. Operators' names stand in src/ops alone, and nothing but main.c ends the process.
-- Lines of lua/ and spec/ have at most 120 columns.
-- Run by `make lint`, in plain Lua; prints each breach and fails.
local order = { base = 1, tensor = 2, ir = 3, ops = 4, pass = 4, exec = 5, io = 6, bind = 7 }
local breaches, files = 0, 0

local function complain(...)
  breaches = breaches + 1
  print(string.format(...))
end

-- Elements are read and written by functions of tensor/, one by one, and computed by operators. tobytes hands out
-- an array's memory as a string.
local function check_binding(file, n, line)
  if line:match "include%s+\"ops/" then complain("%s:%d: bind/ knows operators by their rows alone", file, n) end
  if line:match "%f[%w]List%s+[%w_]+[,;]" then
    complain("%s:%d: bind/ declares no struct of an operator's parameters", file, n)
  end
  local data = line:match "[%w%]]%.t%.data" or line:match "[%w%]]%->t%.data"
  if data and not (file == "src/bind/array.c" and line:match "lua_pushlstring") then
    complain("%s:%d: bind/ touches no array's memory: see tensor/tensor.h, array_freed", file, n)
  end
end

-- Names of rows, but those that are words of C's or Lua's and of our own texts.
local row_names = dofile "tools/row_names.lua"()
for _, word in ipairs { "add", "cast", "log", "repeat", "stack" } do row_names[word] = nil end

local function check_code(file, n, line, folder)
  local code = line:match "^%*%*" and "" or line:gsub("/%*.*", "")
  if folder and folder ~= "ops" then
    for text in code:gmatch '"([^"]*)"' do
      if row_names[text] then complain("%s:%d: '%s' is an operator's name: ask for a role or a column of its row", file, n, text) end
    end
  end
  if file ~= "src/main.c" and code:match "%f[%w_]exit%(" then complain("%s:%d: only main.c ends the process", file, n) end
  if code:match "%f[%w_]assert%(" or code:match "%f[%w_]abort%(" then
    complain("%s:%d: nothing asserts or aborts; see base/assert.h", file, n)
  end
end

-- What a header of these folders declares begins with the header's name, or that of a type it declares.
local NAMED = { pass = true, exec = true, io = true }

local function check_names(file, folder)
  if not NAMED[folder] or not file:match "%.h$" then return end
  local of = { [file:match "(%w+)[%w_]*%.h$"] = true }
  local n = 0
  for line in io.lines(file) do
    local kind = line:match "^typedef %l+ (%u%w+) {" or line:match "^} (%u%w+);" or line:match "^typedef .-(%u%w+);"
    if kind then of[kind:gsub("(%l)(%u)", "%1_%2"):lower()] = true end
  end
  for line in io.lines(file) do
    n = n + 1
    local name = line:match "^%u?%l[%w_ ]-[ %*]([%l][%w_]*)%(" or line:match "^extern .-([%l][%w_]*);"
    local known = not name or line:match "^typedef" or line:match "^static"
    for prefix in pairs(of) do known = known or name == prefix or name:find(prefix .. "_", 1, true) == 1 end
    if not known then complain("%s:%d: %s: externs begin with their header's name, or a type's in it", file, n, name) end
  end
end

local list = io.popen "find src -name '*.[ch]' | sort"
for file in list:lines() do
  files = files + 1
  local folder = file:match "^src/(%w+)/"
  local n = 0
  check_names(file, folder)
  for line in io.lines(file) do
    n = n + 1
    local from = line:match '^#%s*include%s+"(%w+)/'
    if from and folder and order[from] and order[folder] then
      local up = order[from] > order[folder]
      local across = order[from] == order[folder] and from ~= folder
      if up or across then complain("%s:%d: %s/ may not include %s/", file, n, folder, from) end
    end
    if line:match "#%s*include%s+<la?u[ax]" and folder and folder ~= "bind" then
      complain("%s:%d: only bind/ and main.c use Lua", file, n)
    end
    if folder == "bind" then check_binding(file, n, line) end
    if line:match "cjson/cJSON" and file ~= "src/io/symbol_json.c" and not file:match "^src/io/json" then
      complain("%s:%d: only src/io uses cJSON, in one place", file, n)
    end
    check_code(file, n, line, folder)
  end
  if n > 800 then complain("%s: %d lines; files stay under 800", file, n) end
end
list:close()

-- Lua's lines; what stands in these two was written by programs.
local FROZEN = { ["spec/oracle/cases.lua"] = true, ["spec/support/graphs.lua"] = true }
local scripts = io.popen "find lua spec -name '*.lua' | sort"
for file in scripts:lines() do
  local n = 0
  for line in io.lines(file) do
    n = n + 1
    local width = utf8.len(line) or #line
    if width > 120 and not FROZEN[file] then complain("%s:%d: %d columns; lines have at most 120", file, n, width) end
  end
end
scripts:close()
if files == 0 then complain "no sources found" end
os.exit(breaches == 0)
