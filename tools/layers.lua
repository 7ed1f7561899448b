-- layers.lua - the lint of the tree's structure, run by `make lint` in plain Lua. It prints each breach and fails.
--
-- A room (a folder of src/) includes only itself and rooms of earlier lines in ROOMS; rooms of one line do not include
-- each other. No folder has more than 30 files, and no two files have the same name. `bind` computes no elements and
-- declares no operator's parameters. Only src/ops, src/kernels and src/plain contain operators' names, only main.c ends the
-- process, and externs begin with their header's name. Files of lua/ and spec/ have at most 600 lines of at most 120
-- columns. Each folder has a README.md, and pages name existing files (tools/folder_pages.lua). Each file opens with
-- its name, and comments in src/ name existing files.
local ROOMS = {
  "base/settings",
  "base",
  "base/threads base/math",
  "tensor",
  "state",
  "ir/expression",
  "ir",
  "ir/graph",
  "ops/common",
  "ops",
  "ops/elementwise ops/shape ops/index ops/reduce ops/sort ops/nn ops/sequence ops/vision ops/linalg ops/random " ..
    "ops/train ops/control pass",
  "kernels",
  "kernels/loops",
  "kernels/matmul",
  "kernels/conv kernels/nn kernels/sequence kernels/elementwise kernels/shape kernels/index kernels/reduce " ..
    "kernels/sort kernels/vision kernels/linalg kernels/random kernels/train kernels/control",
  "plain",
  "plain/common",
  "plain/nn plain/linalg plain/index plain/shape plain/reduce plain/sort plain/sequence plain/vision",
  "exec/jit",
  "exec",
  "exec/program",
  "exec/eager",
  "exec/tape",
  "exec/control exec/lazy",
  "exec/train",
  "io/file",
  "io/array io/symbol io/picture",
  "bind/core",
  "bind/follow",
  "bind/trace",
  "bind/value",
  "bind/call",
  "bind/autograd bind/data",
  "bind/host",
  "",                                      -- main.c
}
-- Earlier rooms that a room must not include either.
local NEVER = { pass = "^kernels", bind = "^ops", io = "^exec" }

local rank = {}
for i, line in ipairs(ROOMS) do
  if line == "" then rank[""] = i end
  for room in line:gmatch "%S+" do rank[room] = i end
end
local breaches, files = 0, 0

local function complain(...)
  breaches = breaches + 1
  print(string.format(...))
end

-- Functions of tensor/ read and write single elements, and operators compute them. tobytes returns an array's memory as
-- a string.
local function check_binding(file, n, line)
  if line:match "%f[%w]List%s+[%w_]+[,;]" then
    complain("%s:%d: bind/ declares no struct of an operator's parameters", file, n)
  end
  local data = line:match "[%w%]]%.t%.data" or line:match "[%w%]]%->t%.data"
  if data and not (file == "src/bind/value/array_value.c" and line:match "lua_pushlstring") then
    complain("%s:%d: bind/ touches no array's memory: see tensor/tensor.h, array_freed", file, n)
  end
end

-- Names of rows, except words of C, of Lua and of our own texts.
local row_names = dofile "tools/row_names.lua"()
for _, word in ipairs { "add", "cast", "log", "repeat", "stack" } do row_names[word] = nil end

-- Scalar functions have the names of the operators that call them.
local NAMES_FUNCTIONS = "src/ir/expression/scalar_words.c"

local function check_code(file, n, line, folder)
  local code = line:match "^%*%*" and "" or line:gsub("/%*.*", "")
  if folder and folder ~= "ops" and folder ~= "kernels" and folder ~= "plain" and file ~= NAMES_FUNCTIONS then
    for text in code:gmatch '"([^"]*)"' do
      if row_names[text] then complain("%s:%d: '%s' is an operator's name: ask for a role or a column of its row", file, n, text) end
    end
  end
  if file ~= "src/main.c" and code:match "%f[%w_]exit%(" then complain("%s:%d: only main.c ends the process", file, n) end
  if code:match "%f[%w_]assert%(" or code:match "%f[%w_]abort%(" then
    complain("%s:%d: nothing asserts or aborts; see base/assert.h", file, n)
  end
end

-- Only kernels read the data of a call.
local function check_call(file, n, line, folder)
  if folder == "kernels" or file:match "_kernels%.c$" then return end
  if line:match "[%.>]in%[[^%]]*%][%.%-]>?data%f[^%w_]" or line:match "[%.>]out%[[^%]]*%][%.%-]>?data%f[^%w_]" then
    complain("%s:%d: only kernels read the data of a call: see ir/kernel.h", file, n)
  end
end

-- Declarations in these folders' headers begin with the header's name, or the name of a type in it.
local NAMED = { pass = true, exec = true, io = true }

local function check_names(file, folder)
  if not NAMED[folder] or not file:match "%.h$" then return end
  local of = { [file:match "(%w+)[%w_]*%.h$"] = true }
  for line in io.lines(file) do
    local kind = line:match "^typedef %l+ (%u%w+) {" or line:match "^} (%u%w+);" or line:match "^typedef .-(%u%w+);"
    if kind then of[kind:gsub("(%l)(%u)", "%1_%2"):lower()] = true end
  end
  local n = 0
  for line in io.lines(file) do
    n = n + 1
    local name = line:match "^%u?%l[%w_ ]-[ %*]([%l][%w_]*)%(" or line:match "^extern .-([%l][%w_]*);"
    local known = not name or line:match "^typedef" or line:match "^static"
    for prefix in pairs(of) do known = known or name == prefix or name:find(prefix .. "_", 1, true) == 1 end
    if not known then complain("%s:%d: %s: externs begin with their header's name, or a type's in it", file, n, name) end
  end
end

-- The room of a file, relative to src/.
local function room_of(file) return file:match "^(.*)/[^/]*$" or "" end

local includes = {}                        -- by room: the set of rooms that it includes

local function check_include(path, n, header)
  local from, to = room_of(path), room_of(header)
  if from == to then return end
  includes[from][to] = true
  if not rank[from] or not rank[to] then
    return complain("src/%s:%d: the room of %s is not in ROOMS", path, n, rank[from] and header or path)
  end
  local never = NEVER[from:match "^%w+"]
  if never and to:match(never) then complain("src/%s:%d: %s/ may not include %s/", path, n, from, to) end
  if rank[to] < rank[from] then return end
  complain("src/%s:%d: %s/ may not include %s/", path, n, from, to)
end

-- The first line of a file is a comment that begins with its name, or with the end of its path.
local function check_opening(file, line)
  local name = file:match "[^/]*$"
  local opened = line:match "^/%* (%S+) " or line:match "^%-%- (%S+) " or ""
  if name ~= "init.lua" and ("/" .. file):sub(-#opened - 1) ~= "/" .. opened then
    complain("%s: expected to open with '%s - ', got '%s'", file, name, line)
  end
end

-- Names of files in comments: by path, or by name alone. Not ours: Lua's, the system's, and a temporary one.
local named = {}
local all = io.popen "find Makefile src lua spec tools bench examples -name '*.[ch]' -o -name '*.lua'"
for file in all:lines() do
  local rest = file
  while rest do
    named[rest] = true
    rest = rest:match "/(.*)"
  end
end
all:close()
for _, name in ipairs { "lbaselib.c", "lcorolib.c", "lopcodes.h", "lua.c", "dirent.h", "XXXXXX.c" } do named[name] = true end

local function check_mentions(file, n, line)
  local comment = line:match "^%s*%*%*(.*)" or line:match "/%*(.*)" or ""
  for name in comment:gmatch "[%w_/-]+%.[chlua]+%f[^%w_]" do
    if (name:match "%.[ch]$" or name:match "%.lua$") and not named[name] then
      complain("%s:%d: there is no %s", file, n, name)
    end
  end
end

local stems, sizes = {}, {}
local list = io.popen "find src -name '*.[ch]' | sort"
for file in list:lines() do
  files = files + 1
  local folder, path = file:match "^src/(%w+)/", file:sub(5)
  local stem = path:match "([^/]*)%.%l$"
  local is_text = folder == "plain" and path:match "/.*%.h$"      -- named like the operators
  if not is_text and stems[stem] and stems[stem] ~= room_of(path) then complain("%s: %s has a file of this name, too", file, stems[stem]) end
  if not is_text then stems[stem] = room_of(path) end
  sizes[room_of(path)] = (sizes[room_of(path)] or 0) + 1
  includes[room_of(path)] = includes[room_of(path)] or {}
  local n = 0
  check_names(file, folder)
  for line in io.lines(file) do
    n = n + 1
    local header = line:match '^#%s*include%s+"([^"]+)"'
    if header then check_include(path, n, header) end
    if line:match "#%s*include%s+<la?u[ax]" and folder and folder ~= "bind" then
      complain("%s:%d: only bind/ and main.c use Lua", file, n)
    end
    if folder == "bind" then check_binding(file, n, line) end
    if n == 1 then check_opening(file, line) end
    check_mentions(file, n, line)
    if line:match "cjson/cJSON" and file ~= "src/io/symbol/symbol_json.c" and not file:match "^src/io/symbol/json" then
      complain("%s:%d: only src/io/symbol uses cJSON, in one place", file, n)
    end
    check_code(file, n, line, folder)
    check_call(file, n, line, folder)
  end
  if n > 600 then complain("%s: %d lines; files have at most 600", file, n) end
end
list:close()
for room, n in pairs(sizes) do if n > 30 then complain("src/%s: %d files; a room has at most 30", room, n) end end

local pages = dofile "tools/folder_pages.lua"
pages.check("src", rank, includes, complain)
for _, page in ipairs { "docs/architecture.md", "docs/glossary.md", "spec/README.md" } do
  pages.names(page, { "", "src/", "lua/hybridlua/" }, complain)
end

-- Lua files and their lines, except two generated files.
local FROZEN = { ["spec/oracle/cases.lua"] = true, ["spec/support/graphs.lua"] = true }
local OTHERS = { ["spec/support/tutorial.lua"] = true }       -- a script as a user writes it
local scripts, modules = io.popen "find lua spec -name '*.lua' | sort", {}
for file in scripts:lines() do
  local n, name = 0, file:match "[^/]*$"
  if file:match "^lua/" and name ~= "init.lua" then
    if modules[name] then complain("%s: %s has this name, too", file, modules[name]) end
    modules[name] = file
  end
  for line in io.lines(file) do
    n = n + 1
    if n == 1 and not FROZEN[file] and not OTHERS[file] and not file:match "^spec/tutorials/" then
      check_opening(file, line)
    end
    local width = utf8.len(line) or #line
    if width > 120 and not FROZEN[file] then complain("%s:%d: %d columns; lines have at most 120", file, n, width) end
  end
  if n > 600 and not FROZEN[file] then complain("%s: %d lines; Lua files have at most 600", file, n) end
end
scripts:close()
if files == 0 then complain "no sources found" end
local n_rooms = 0
for _ in pairs(sizes) do n_rooms = n_rooms + 1 end
print(("%d files, %d rooms"):format(files, n_rooms))
os.exit(breaches == 0)
