-- help.lua - documentation at the terminal: operators from their rows, Lua functions from the
-- comment above them, and what this build and machine are.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local class = require "hybridlua.class"

local help = {}

local WIDTH = 90

-- Adds text to lines, broken at spaces and indented.
local function add_wrapped(lines, text, indent)
  local line = indent
  for word in text:gmatch "%S+" do
    if #line + #word > WIDTH and line ~= indent then lines[#lines + 1], line = line, indent end
    line = line .. (line == indent and "" or " ") .. word
  end
  if line ~= indent then lines[#lines + 1] = line end
end

--- A default as it is written in Lua.
function help.literal(text)
  local words = { None = "nil", True = "true", False = "false", [""] = "''" }
  return words[text] or text:gsub("^[%(%[](.*)[%)%]]$", "{%1}")
end

--- "Convolution(data, weight, bias, {kernel=, stride={}, no_bias=false})"
function help.signature(op)
  local parts, options = {}, {}
  for i, input in ipairs(op.inputs) do parts[i] = op.variadic and i == #op.inputs and input .. ", ..." or input end
  for i, p in ipairs(op.params) do options[i] = p.name .. "=" .. (p.default and help.literal(p.default) or "") end
  if #options > 0 then parts[#parts + 1] = "{" .. table.concat(options, ", ") .. "}" end
  return ("%s(%s)"):format(op.name, table.concat(parts, ", "))
end

local function add_params(lines, op)
  for _, p in ipairs(op.params) do
    local kind = p.choices and "'" .. table.concat(p.choices, "', '") .. "'" or p.type
    local default = p.required and "required" or "default " .. help.literal(p.default)
    lines[#lines + 1] = ("  %s: %s, %s"):format(p.name, kind, default)
    add_wrapped(lines, p.doc, "      ")
  end
end

-- Each line of an example, and what it prints.
local function add_examples(lines, op)
  for text in (op.example or ""):gmatch "[^\n]+" do
    lines[#lines + 1] = "  " .. text
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
  local lines = { op.name }
  add_wrapped(lines, op.doc, "  ")
  lines[#lines + 1] = ""
  add_wrapped(lines, "nd." .. help.signature(op), "  ")
  if #op.outputs > 1 then lines[#lines + 1] = "  outputs: " .. table.concat(op.outputs, ", ") end
  if op.expr then lines[#lines + 1] = "  each element: " .. op.expr end
  if #op.aliases > 0 then add_wrapped(lines, "also called: " .. table.concat(op.aliases, ", "), "  ") end
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

-- The lines of the file that a function was written in.
local function source_lines(info)
  local own, file = info.source:match "^=(hybridlua/.*)", info.source:match "^@(.*)"
  local text = own and core.source(own)
  local handle = not own and file and core.is_file(file) and io.open(file)
  if handle then
    text = handle:read "a"
    handle:close()
  end
  local lines = {}
  for line in (text or ""):gmatch "([^\n]*)\n?" do lines[#lines + 1] = line end
  return lines
end

-- The comment that ends above a line, without its dashes.
local function comment_above(lines, at)
  local comment = {}
  for i = at - 1, 1, -1 do
    local text = lines[i]:match "^%s*%-%-%-?%s?(.*)$"
    if not text then break end
    table.insert(comment, 1, text)
  end
  return comment
end

--- The line that a function begins with, and the lines of the comment above it; nil for
-- one whose source is not at hand.
function help.source_of(fn)
  local builtin = require("hybridlua.builtins")[fn]
  if builtin then
    return ("function %s(%s)"):format(builtin.name, table.concat(builtin.parameters, ", ")), { builtin.doc }
  end
  local info = debug.getinfo(class.as_written(fn), "S")
  local lines = source_lines(info)
  local at = info.linedefined
  if not lines[at] then return nil end
  return lines[at]:match "^%s*(.-)%s*$", comment_above(lines, at)
end

--- The documentation of a class: the comment above the line that makes it, else above its init.
function help.of_class(cls)
  local out = { tostring(cls) }
  local init = rawget(class.members(cls), "init")
  local lines, comment = init and source_lines(debug.getinfo(class.as_written(init), "S")) or {}, {}
  for i, line in ipairs(lines) do
    if line:find('subclass "' .. cls.__name__ .. '"', 1, true) or line:find('root("' .. cls.__name__ .. '"', 1, true) then
      comment = comment_above(lines, i)
    end
  end
  if #comment == 0 and init then comment = select(2, help.source_of(init)) or comment end
  for _, line in ipairs(comment) do out[#out + 1] = "  " .. line end
  return table.concat(out, "\n")
end

--- The documentation of a function: its first line and the comment above it.
function help.of_function(fn)
  local info = debug.getinfo(class.as_written(fn), "S")
  local first, comment = help.source_of(fn)
  if not first then return info.what == "C" and "a function in C" or "a function, " .. info.short_src .. ":" .. info.linedefined end
  local out = { first }
  for _, line in ipairs(comment) do out[#out + 1] = "  " .. line end
  if info.what ~= "C" then out[#out + 1] = ("  (%s:%d)"):format(info.short_src, info.linedefined) end
  return table.concat(out, "\n")
end

--- The operator that a name such as "nd.softmax", "x:softmax" or "softmax" means, or nil.
function help.find_operator(name)
  return core.op(name) or core.op(name:match "^%a+[.:](.*)$" or name)
end

--- Prints an operator's documentation; an error with the nearest name for an unknown one.
function help.print_operator(name)
  local op = help.find_operator(name)
  if not op then
    local _, nearest = core.op(name)
    error(("there is no operator '%s'%s"):format(name, nearest and "; did you mean '" .. nearest .. "'?" or ""), 0)
  end
  print(help.of_operator(op))
end

--- Prints what this build and this machine are, for bug reports.
function help.print_info()
  local info = core.info()
  local rows = {
    { "hybridlua", ("%s, built by gcc %s with -march=%s"):format(info.version, info.compiler, info.march) },
    { "Lua", info.lua },
    { "BLAS", info.blas },
    { "LAPACK", info.lapack },
    { "processor", info.cpu },
    { "threads", ("%d, on %d cores"):format(info.threads, info.cores) },
    { "memory", ("%.1f GiB, of which arrays may take %.1f"):format(info.memory / 2 ^ 30, core.memory().budget / 2 ^ 30) },
    { "operators", tostring(#core.ops()) },
  }
  for i, path in ipairs(info.libraries) do rows[#rows + 1] = { i == 1 and "libraries" or "", path } end
  for _, row in ipairs(rows) do print(("%-11s %s"):format(row[1], row[2])) end
end

return help
