-- help.lua - documentation at the terminal: operators from their rows, Lua functions from the comments above them, and
-- a description of this build and machine.
local hl = require "hybridlua"
local arguments = require "hybridlua.language.arguments"
local core = require "hybridlua.core"
local class = require "hybridlua.language.class"
local script = require "hybridlua.language.script_line"

local help = {}

local WIDEST = 100          -- longer lines are hard to read even on a wide terminal

local function width() return math.min(core.host.output_columns() or 80, WIDEST) end

-- Adds text to lines, broken at spaces to fit the terminal, and indented.
local function add_wrapped(lines, text, indent)
  local line, most = indent, width()
  for word in text:gmatch "%S+" do
    if #line + #word + 1 > most and line ~= indent then lines[#lines + 1], line = line, indent end
    line = line .. (line == indent and "" or " ") .. word
  end
  if line ~= indent then lines[#lines + 1] = line end
end

-- Adds the lines of a comment: a paragraph is wrapped again if a line is too long; indented lines are code and stay
-- unchanged.
local function add_comment(lines, comment)
  local paragraph, most, too_long = {}, width(), false
  local function finish()
    if too_long then add_wrapped(lines, table.concat(paragraph, " "), "  ")
    else for _, line in ipairs(paragraph) do lines[#lines + 1] = "  " .. line end end
    paragraph, too_long = {}, false
  end
  for _, line in ipairs(comment) do
    if line:find "^%s%s" or not line:find "%S" then
      finish()
      lines[#lines + 1] = "  " .. line
    else
      paragraph[#paragraph + 1] = line
      too_long = too_long or #line + 2 > most
    end
  end
  finish()
end

--- A default in Lua's notation.
function help.literal(text)
  local words = { None = "nil", True = "true", False = "false", [""] = "''" }
  return words[text] or text:gsub("^[%(%[](.*)[%)%]]$", "{%1}")
end

--- "Convolution(data, weight, bias, {kernel=, stride={}, no_bias=false})", with another name than the row's if given.
function help.signature(op, name)
  local parts, options = {}, {}
  for i, input in ipairs(op.inputs) do parts[i] = op.variadic and i == #op.inputs and input .. ", ..." or input end
  for _, p in ipairs(op.params) do
    if not p.counted then options[#options + 1] = p.name .. "=" .. (p.default and help.literal(p.default) or "") end
  end
  if #options > 0 then parts[#parts + 1] = "{" .. table.concat(options, ", ") .. "}" end
  return ("%s(%s)"):format(name or op.name, table.concat(parts, ", "))
end

-- The name to write in scripts for an operator ("linalg.svd" for _linalg_svd), and its other names.
local function names_of(op)
  local name, others = op.name, {}
  for _, alias in ipairs(op.aliases) do
    if name:find "^_" and (alias:find("%.") or alias == op.title) then name = alias end
  end
  for _, alias in ipairs(op.aliases) do
    if alias ~= name and not alias:find "^_" then others[#others + 1] = alias end
  end
  return name, others
end

local function add_params(lines, op)
  for _, p in ipairs(op.params) do
    local kind = p.choices and "'" .. table.concat(p.choices, "', '") .. "'" or p.type
    local default = p.required and "required" or p.counted and "filled in" or "default " .. help.literal(p.default)
    add_wrapped(lines, ("%s: %s, %s"):format(p.name, kind, default), "  ")
    add_wrapped(lines, p.doc, "      ")
  end
end

local function add_examples(lines, op)
  for text in (op.example or ""):gmatch "[^\n]+" do
    add_wrapped(lines, text, "  ")
    local fn = load("local F = ... return " .. text, "=example", "t")
    local results = table.pack(pcall(fn, hl.nd))
    if results[1] and type(results[2]) == "table" then results = table.pack(true, table.unpack(results[2])) end
    for i = results[1] and 2 or results.n, results.n do
      for line in tostring(results[i]):gmatch "[^\n]+" do lines[#lines + 1] = "    " .. line end
    end
  end
end

--- The documentation of an operator, from its row.
function help.of_operator(op)
  local name, others = names_of(op)
  local lines = { name }
  add_wrapped(lines, op.doc, "  ")
  lines[#lines + 1] = ""
  add_wrapped(lines, "nd." .. help.signature(op, name), "  ")
  if #op.outputs > 1 then lines[#lines + 1] = "  outputs: " .. table.concat(op.outputs, ", ") end
  if op.expr then lines[#lines + 1] = "  each element: " .. op.expr end
  if #others > 0 then add_wrapped(lines, "also called: " .. table.concat(others, ", "), "  ") end
  if #op.params > 0 then
    lines[#lines + 1] = ""
    add_params(lines, op)
  end
  if op.example then
    lines[#lines + 1] = ""
    add_examples(lines, op)
  end
  return table.concat(lines, "\n")
end

-- The lines of a file by debug.getinfo's source: hybridlua's own files are in the program.
local function lines_of(source)
  local own, file = source:match "^=(hybridlua/.*)", source:match "^@(.*)"
  local text = own and core.host.source_text(own)
  local handle = not own and file and core.file.exists(file) and io.open(file)
  if handle then
    text = handle:read "a"
    handle:close()
  end
  local lines = {}
  for line in (text or ""):gmatch "([^\n]*)\n?" do lines[#lines + 1] = line end
  return lines
end

-- The comment that ends above a line, without dashes; and whether it is a doc comment (its first line has three
-- dashes).
local function comment_above(lines, at)
  local comment = { documents = false }
  for i = at - 1, 1, -1 do
    local text = lines[i]:match "^%s*%-%-%-?%s?(.*)$"
    if not text then break end
    table.insert(comment, 1, text)
    comment.documents = lines[i]:find "^%s*%-%-%-" ~= nil
  end
  return comment
end

--- The line of a function's beginning, and the lines of the comment above it; nil if its source is not available.
function help.source_of(fn)
  local builtin = require("hybridlua.language.builtin_docs")[class.as_written(fn)]
  if builtin then
    return ("function %s(%s)"):format(builtin.name, table.concat(builtin.parameters, ", ")), { builtin.doc }
  end
  local info = debug.getinfo(class.as_written(fn), "S")
  local lines = lines_of(info.source)
  local at = info.linedefined
  if not lines[at] then return nil end
  return lines[at]:match "^%s*(.-)%s*$", comment_above(lines, at)
end

-- The sources that a class may be defined in: modules of hybridlua that contain it, and their submodules; for a class
-- of the script, the source of its first function.
local function sources_of_class(cls)
  local list = {}
  for name, module in pairs(package.loaded) do
    local holds = module == cls
    if not holds and type(module) == "table" and name:find "^hybridlua%." then
      for _, value in next, class.entries(module) do holds = holds or rawequal(value, cls) end
    end
    if holds then list[#list + 1] = name end
  end
  table.sort(list)
  local sources, seen = {}, {}
  local function add(source)
    if not seen[source] then sources[#sources + 1] = source end
    seen[source] = true
  end
  for _, name in ipairs(list) do
    for other in pairs(package.loaded) do
      if other == name or other:sub(1, #name + 1) == name .. "." then
        add("=" .. other:gsub("%.", "/") .. ".lua")
        add("=" .. other:gsub("%.", "/") .. "/init.lua")
      end
    end
  end
  table.sort(sources)
  for _, method in next, class.members(cls) do
    if type(method) == "function" then add(debug.getinfo(class.as_written(method), "S").source) end
  end
  return sources
end

-- The comment above the line that makes a class, which contains its quoted name.
local function comment_where_made(source, name)
  local comment, lines = nil, lines_of(source)
  for i, line in ipairs(lines) do
    if line:find('"' .. name .. '"', 1, true) and (lines[i - 1] or ""):find "^%s*%-%-" then
      local above = comment_above(lines, i)
      if above.documents then comment = above end
    end
  end
  return comment
end

--- The lines of the comment of a class: above the line that makes it, or else above its init.
function help.comment_of_class(cls)
  for _, source in ipairs(sources_of_class(cls)) do
    local comment = comment_where_made(source, cls.__name__)
    if comment then return comment end
  end
  local init = rawget(class.members(cls), "init")
  return init and select(2, help.source_of(init)) or {}
end

-- A value in Lua's notation; nil if it has none.
local function written(value)
  if type(value) == "string" then return ("'%s'"):format(value) end
  if math.type(value) == "float" and value == math.floor(value) and math.abs(value) < 1e15 then
    return ("%.1f"):format(value)
  end
  if type(value) == "number" then return ("%.14g"):format(value) end
  if type(value) == "boolean" then return tostring(value) end
  if type(value) ~= "table" or getmetatable(value) then return nil end
  local parts = {}
  for i, item in ipairs(value) do parts[i] = written(item) or "..." end
  return "{" .. table.concat(parts, ", ") .. "}"
end
help.written = written

--- The arguments of a reader of arguments.lua: "units=, activation=, use_bias=true"
function help.arguments(read)
  local parts = {}
  for i, name in ipairs(read.names) do parts[i] = name .. "=" .. (written(read.defaults[name]) or "") end
  return table.concat(parts, ", ")
end

-- The methods for users that a class adds to those of its base: hybridlua's are those with a doc comment.
local function own_methods(cls)
  local names = {}
  for name, member in next, class.members(cls) do
    if type(member) == "function" and not name:find "^_" and name ~= "init" and name ~= "subclass" then
      local _, comment = help.source_of(member)
      if comment and (comment.documents or not script.is_own(class.as_written(member))) then
        names[#names + 1] = name
      end
    end
  end
  table.sort(names)
  return names
end

--- The documentation of a class: its comment, the arguments of its constructor, its own methods.
function help.of_class(cls)
  local base, read, methods = rawget(cls, "__base"), arguments.reader_of(cls), own_methods(cls)
  local out = { tostring(cls) .. (base and ", a subclass of " .. base.__name__ or "") }
  add_comment(out, help.comment_of_class(cls))
  if read then
    out[#out + 1] = ""
    add_wrapped(out, ("%s{%s}"):format(cls.__name__, help.arguments(read)), "  ")
  end
  if #methods > 0 then add_wrapped(out, "methods: " .. table.concat(methods, ", "), "  ") end
  return table.concat(out, "\n")
end

--- The documentation of a function: its first line and the comment above it.
function help.of_function(fn)
  local info = debug.getinfo(class.as_written(fn), "S")
  local first, comment = help.source_of(fn)
  if not first then
    return info.what == "C" and "a function in C" or "a function, " .. info.short_src .. ":" .. info.linedefined
  end
  local out = {}
  add_wrapped(out, first:match "^[%w_%s]*function%s+[%w_.:]+%b()" or first, "")      -- without the body of a short one
  add_comment(out, comment)
  if info.what ~= "C" then out[#out + 1] = ("  (%s:%d)"):format(info.short_src, info.linedefined) end
  return table.concat(out, "\n")
end

--- The operator for a name such as "nd.softmax", "x:softmax" or "softmax", or nil.
function help.find_operator(name) return core.op.row(name) or core.op.row(name:match "^%a+[.:](.*)$" or name) end

--- Prints an operator's documentation; an unknown name is an error with the most similar name.
function help.print_operator(name)
  local op = help.find_operator(name)
  if not op then
    local _, nearest = core.op.row(name)
    error(("there is no operator '%s'%s"):format(name, nearest and "; did you mean '" .. nearest .. "'?" or ""), 0)
  end
  print(help.of_operator(op))
end

local JIT = { background = "in the background", sync = "while a call waits (sync)", off = "never (off)" }

--- Prints a description of this build and this machine, for bug reports.
function help.print_info()
  local info, jit = core.host.info(), core.host.compile_places()
  local rows = {
    { "hybridlua", ("%s, built by gcc %s with -march=%s"):format(info.version, info.compiler, info.march) },
    { "Lua", info.lua },
    { "BLAS", info.blas },
    { "LAPACK", info.lapack },
    { "processor", info.cpu },
    { "threads", ("%d, on %d cores"):format(info.threads, info.cores) },
    { "memory",
      ("%.1f GiB, of which arrays may take %.1f"):format(info.memory / 2 ^ 30, core.host.memory().budget / 2 ^ 30) },
    { "operators", tostring(#core.op.rows()) },
    { "kernels", "compiled: " .. JIT[jit.mode] },
    { "compiler", jit.compiler or "none: " .. jit.no_compiler },
    { "cache", jit.cache or "none: " .. jit.no_cache },
  }
  for i, path in ipairs(info.libraries) do rows[#rows + 1] = { i == 1 and "libraries" or "", path } end
  for _, row in ipairs(rows) do print(("%-11s %s"):format(row[1], row[2])) end
end

return help
