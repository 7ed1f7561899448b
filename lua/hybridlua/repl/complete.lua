-- complete.lua - completions for TAB, from the text before the cursor and the values that exist.
--
--   "da             names of files, inside a string; names of optimizers and the like for calls that expect one
--   nd.Conv{ker     options, inside the braces of a call to an operator, function or class
--   nd.Con, x:re    members of the value before the dot or colon: its keys, its metatable's, its class's
--   lo              locals, globals, keywords
--   :lo             the prompt's own commands, at the beginning of a line
-- Nothing is called except the metamethod __index. A value unknown without running code, as in f(x):re, counts as an
-- array after a colon; the call of a class counts as an instance of it.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local script = require "hybridlua.language.script_line"
local scanner = require "hybridlua.repl.scan"
local is_lua_function = core.script.is_lua_function

-- methods of arrays; Symbols have them in traces
local fields = { "shape", "dtype", "ndim", "size", "grad", "T", "context" }
local COLUMNS, MOST = 80, 120        -- the width without a terminal; the most names shown

-- ---- Members --------------------------------------------------------------------------------

local documented = {}                -- by function

-- Whether a member is for users: functions of hybridlua are if they have a doc comment.
local function is_public(member)
  if type(member) ~= "function" then return true end
  if documented[member] == nil then
    local written, _, comment = class.as_written(member), nil, {}
    if is_lua_function(written) and script.is_own(written) then
      _, comment = require("hybridlua.help").source_of(member)
    end
    documented[member] = comment == nil or comment.documents ~= false
  end
  return documented[member]
end

local NO_METHODS = { init = true, subclass = true }

local function add_methods(cls, add)
  while cls do
    for name, member in next, class.members(cls) do
      if type(name) == "string" and not NO_METHODS[name] then add(name, member) end
    end
    cls = rawget(cls, "__base")
  end
end

-- Adds the string keys of a table, and of the tables behind its metatable.
local function add_keys(value, add)
  for _ = 1, 16 do
    if type(value) == "table" then
      for key in next, value do if type(key) == "string" then add(key, rawget(value, key)) end end
    end
    local meta = debug.getmetatable(value)
    if meta == core.array.metatable or meta == core.symbol.metatable then
      for key, method in next, meta == core.array.metatable and core.array.methods or core.symbol.methods do
        add(key, method)
      end
      for _, field in ipairs(fields) do add(field) end
      return
    end
    if type(meta) == "table" and type(value) == "table" then
      local names = rawget(meta, "names")                                      -- of module.lua
      for key in next, names and names() or {} do if rawget(meta.ours, key) == nil then add(key) end end
      if class.of(value) then add_methods(class.of(value), add) end
    end
    value = type(meta) == "table" and rawget(meta, "__index")
    if type(value) ~= "table" then return end
  end
end

-- ---- Values of tokens -----------------------------------------------------------------------

local CLOSES = { [")"] = "(", ["}"] = "{", ["]"] = "[" }
local OPENS = { ["("] = true, ["{"] = true, ["["] = true }

-- The index of the bracket that token `last` closes.
local function opened_at(tokens, last)
  local depth = 0
  for i = last, 1, -1 do
    if CLOSES[tokens[i].text] then depth = depth + 1
    elseif OPENS[tokens[i].text] then depth = depth - 1 end
    if depth == 0 then return tokens[i].text == CLOSES[tokens[last].text] and i or nil end
  end
end

local is_class = class.is_class

local value_ending

local function index(value, key)
  local ok, inner = pcall(function() return value[key] end)
  return true, ok and inner or nil
end

-- The value of f(...), f{...} or ("text"), if it is an instance: a table with the class's members.
local function result_ending(tokens, last, locals)
  local open = opened_at(tokens, last)
  local before = open and tokens[open - 1]
  if tokens[last].text == ")" and tokens[last - 1].kind == "string" and open == last - 2 and
      not (before and before.kind == "name") then
    return true, ""
  end
  local known, callee
  if before and (before.kind == "name" or CLOSES[before.text]) then
    known, callee = value_ending(tokens, open - 1, locals)
  end
  if known and is_class(callee) then
    return true, setmetatable({}, { __class = callee, __index = class.members(callee) })
  end
  return false
end

local function variable(name, locals)
  local found, value = locals:get(name)
  if not found then value = _G[name] end
  return true, value
end

-- The value of the expression that ends at token `last`, such as a.b[0].c: true, value; false if looking it up would
-- run code.
function value_ending(tokens, last, locals)
  local token, before = tokens[last], tokens[last - 1]
  if not token then return false end
  if token.kind == "name" then
    if not (before and before.text:match "^[.:]$") then return variable(token.text, locals) end
    local known, value = value_ending(tokens, last - 2, locals)
    if not known then return false end
    return index(value, token.text)
  end
  if token.text == "]" and before and (before.kind == "number" or before.kind == "string") and
      opened_at(tokens, last) == last - 2 then
    local known, value = value_ending(tokens, last - 3, locals)
    local key = load("return " .. before.text, "=key", "t")
    if not known or not key then return false end
    return index(value, key())
  end
  if token.text == ")" or token.text == "}" then return result_ending(tokens, last, locals) end
  return false
end

-- ---- Calls ----------------------------------------------------------------------------------

-- The open brackets at the end of the tokens, innermost first, as indices of tokens.
local function open_brackets(tokens, last)
  local list, depth = {}, 0
  for i = last, 1, -1 do
    if CLOSES[tokens[i].text] then depth = depth + 1
    elseif OPENS[tokens[i].text] then
      if depth == 0 then list[#list + 1] = i else depth = depth - 1 end
    end
  end
  return list
end

local function ends_callee(token) return token and (token.kind == "name" or token.text == "]") end

-- The call whose table of options contains token `last`: the indices of its brace and bracket, and of the last token of
-- the function.
local function call_with_options(tokens, last)
  local open = open_brackets(tokens, last)
  local brace, around = open[1], open[2]
  if not brace or tokens[brace].text ~= "{" then return nil end
  if ends_callee(tokens[brace - 1]) then return brace, brace, brace - 1 end
  if around and tokens[around].text == "(" and ends_callee(tokens[around - 1]) then return brace, around, around - 1 end
end

-- The called function that ends at token `last`: an operator's row, or the value.
local function callee_at(tokens, last, locals)
  local known, value = value_ending(tokens, last, locals)
  local op = core.op.row(tokens[last].text)
  local is_operator = op and
    (not known or value == nil or type(value) == "function" and debug.getinfo(value, "S").what == "C")
  return is_operator and op or nil, known and value or nil
end

-- Functions and classes with a parameter for the name of a class, by the module of these classes.
local function makes_of(callee)
  if callee == nil then return nil end
  local function loaded(name) return package.loaded["hybridlua." .. name] end
  local optimizers, metrics, initializers = loaded "optimizer", loaded "metric", loaded "initializer"
  if rawequal(callee, loaded "gluon.trainer") or optimizers and rawequal(callee, optimizers.create) then
    return optimizers, optimizers.Optimizer
  end
  if metrics and rawequal(callee, metrics.create) then return metrics, metrics.EvalMetric end
  if initializers and rawequal(callee, initializers.create) then return initializers, initializers.Initializer end
end

-- The subclasses of `base` in a module, by lower-case name.
local function classes_of(module, base)
  local list = {}
  for name, value in next, class.entries(module) do
    if is_class(value) and value ~= base and class.is_below(value, base) then list[name:lower()] = value end
  end
  return list
end

-- The reader of a call's options: for Trainer(params, "adam", {...}) that of the optimizer.
local function reader_for(callee, tokens, brace, around)
  local module, base = makes_of(callee)
  if module and brace ~= around then
    for i = around + 1, brace - 1 do
      local name = tokens[i].kind == "string" and tokens[i].text:match "^['\"](.*)['\"]$"
      local cls = name and classes_of(module, base)[name:lower()]
      if cls then return arguments.reader_of(cls) end
    end
  end
  return arguments.reader_of(callee)
end

-- Adds "name=" for each option possible at the end of the tokens; returns true if a key is expected there.
local function add_options(tokens, last, locals, add)
  local before = tokens[last] and tokens[last].text
  if not before or not before:match "^[{,;]$" then return false end
  local brace, around, callee = call_with_options(tokens, last)
  if not brace then return false end
  local op, value = callee_at(tokens, callee, locals)
  local given, names = {}, {}
  for i = brace + 1, last - 1 do if tokens[i + 1].text == "=" then given[tokens[i].text] = true end end
  if op then
    for _, input in ipairs(op.inputs) do names[#names + 1] = input end
    for _, param in ipairs(op.params) do names[#names + 1] = not param.counted and param.name or nil end
  else
    local reader = reader_for(value, tokens, brace, around)
    names = reader and reader.names or names
  end
  for _, name in ipairs(names) do if not given[name] then add(name .. "=") end end
  return #names > 0
end

-- Possible values of an unfinished string, other than files: { name = true }; nil if unknown.
local function strings_for(tokens, locals)
  local last = #tokens - 1
  local before = tokens[last] and tokens[last].text
  if before == "=" then
    local _, _, callee = call_with_options(tokens, last)
    local op = callee and callee_at(tokens, callee, locals)
    for _, param in ipairs(op and op.params or {}) do
      if param.choices and param.name == tokens[last - 1].text then
        local found = {}
        for _, choice in ipairs(param.choices) do found[choice] = true end
        return found
      end
    end
  end
  local open = (before == "," or before == "(") and open_brackets(tokens, last)[1]
  if not open or tokens[open].text ~= "(" or not ends_callee(tokens[open - 1]) then return nil end
  local module, base = makes_of(select(2, callee_at(tokens, open - 1, locals)))
  return module and classes_of(module, base)
end

-- ---- Candidates -----------------------------------------------------------------------------

-- Completions of the current word, as full words: true, or false for names that are not for users.
local function candidates(tokens, locals)
  local found, last = {}, #tokens
  local word = tokens[last] and (tokens[last].kind == "name" or tokens[last].kind == "keyword") and tokens[last]
  if word then last = last - 1 end
  local function add(name, value)
    if value ~= nil or name:match "=$" or name:match "^[%a_][%w_]*$" then
      found[name] = found[name] or is_public(value)
    end
  end
  local separator = tokens[last] and tokens[last].text
  if separator == "." or separator == ":" then
    local known, value = value_ending(tokens, last - 1, locals)
    if known then
      add_keys(value, function(name, member)
        if separator == "." or type(member) == "function" then add(name, member) end
      end)
    elseif separator == ":" then
      for name in next, core.array.methods do add(name) end
    end
    return found
  end
  local in_options = add_options(tokens, last, locals, add)
  if in_options and not word then return found end
  for _, name in ipairs(locals:names()) do add(name) end
  add_keys(_G, add)
  if not in_options then for name in next, scanner.keywords do add(name) end end
  return found
end

-- The completions that begin with `word`, sorted. Names with a leading underscore appear only if the word has one, and
-- those that are not for users only if there is nothing else.
local function matching(found, word)
  local list, inner = {}, {}
  for name, public in pairs(found) do
    if name:sub(1, #word) == word and (name:sub(1, 1) ~= "_" or word:sub(1, 1) == "_") then
      local into = public and list or inner
      into[#into + 1] = name
    end
  end
  if #list == 0 then list = inner end
  table.sort(list)
  return list
end

local function common_beginning(list)
  local first, last = list[1], list[#list]
  local n = 0
  while n < #first and first:byte(n + 1) == last:byte(n + 1) do n = n + 1 end
  return first:sub(1, n)
end

local function columns(list)
  local width, most, lines = 0, MOST, {}
  for i = 1, math.min(#list, most) do width = math.max(width, #list[i] + 2) end
  local across = math.max(1, (core.host.output_columns() or COLUMNS) // width)
  local down = (math.min(#list, most) + across - 1) // across
  for row = 1, down do
    local cells = {}
    for i = row, math.min(#list, most), down do cells[#cells + 1] = list[i] .. (" "):rep(width - #list[i]) end
    lines[row] = table.concat(cells):gsub("%s+$", "")
  end
  if #list > most then lines[#lines + 1] = ("... %d more"):format(#list - most) end
  return table.concat(lines, "\n")
end

-- The files that begin with a word, with a quote after a complete name.
local function file_names(word, files, quote)
  local list = files(word)
  if quote and #list == 1 and list[1]:sub(-1) ~= "/" then list[1] = list[1] .. quote end
  return list, word
end

local function strings(tokens, locals, files)
  local text = tokens[#tokens].text
  local quote = text:match "^['\"]"
  local word = text:gsub("^['\"]", ""):gsub("^%[=*%[", "")
  local known = strings_for(tokens, locals)
  if not known then return file_names(word, files, quote) end
  local list = {}
  for name in pairs(known) do if name:sub(1, #word) == word then list[#list + 1] = name end end
  table.sort(list)
  if quote and #list == 1 then list[1] = list[1] .. quote end
  return list, word
end

local function names(text, tokens, locals)
  local last, word = tokens[#tokens], ""
  if last.kind == "name" or last.kind == "keyword" then
    if last.last == #text then word = last.text else tokens[#tokens + 1] = { kind = "symbol", text = " " } end
  end
  return matching(candidates(tokens, locals), word), word
end

-- Completions of a line for the prompt itself: ":lo", ":load da"; nil for other lines.
local function of_prompt(text, commands, files)
  local word, file = text:match "^%s*:(%a*)$", text:match "^%s*:load%s+(%S*)$"
  if word then return matching(commands, word), word end
  if file then return file_names(file, files) end
end

--- The text to insert at the cursor, and a list to show if several are possible. text: the text before the cursor;
-- files(beginning): the files that begin with it; commands: those of the prompt, by name.
return function(text, locals, files, commands)
  if not text:find "%S" then return "  " end
  local list, word = of_prompt(text, commands, files)
  if not list then
    local tokens = scanner.scan(text)
    local last = tokens[#tokens]
    if not last or last.kind == "open comment" or last.kind == "number" then return "" end
    if last.kind == "open string" then list, word = strings(tokens, locals, files)
    else list, word = names(text, tokens, locals) end
  end
  if #list == 0 then return "" end
  local insert = common_beginning(list):sub(#word + 1)
  return insert, #list > 1 and insert == "" and columns(list) or nil
end
