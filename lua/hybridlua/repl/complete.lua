-- complete.lua - what TAB offers, from the text before the cursor and the values that live.
--
--   "da            names of files, inside a string
--   nd.Conv{ker    options of the operator, inside the braces of its call
--   nd.Con, x:re   what the value before the dot or colon has: its keys, its metatable's
--   lo             locals, globals, keywords
-- Nothing is called but the metamethod __index. What cannot be known without running it, as
-- in f(x):re, is taken for an array after a colon.
local core = require "hybridlua.core"
local scanner = require "hybridlua.repl.scan"

local fields = { "shape", "dtype", "ndim", "size", "grad", "T", "context" }     -- of arrays; symbols have them in traces

-- Adds the string keys of a table, and of the tables that its metatable looks in.
local function add_keys(value, add)
  for _ = 1, 16 do
    if type(value) == "table" then
      for key in next, value do if type(key) == "string" then add(key, rawget(value, key)) end end
    end
    local meta = debug.getmetatable(value)
    if meta == core.array_metatable or meta == core.symbol_metatable then
      for key, method in next, meta == core.array_metatable and core.array_methods or core.symbol_methods do add(key, method) end
      for _, field in ipairs(fields) do add(field) end
      return
    end
    if type(meta) == "table" and type(value) == "table" then
      for key in next, rawget(meta, "modules") or {} do add(key) end          -- of module.lua
    end
    value = type(meta) == "table" and rawget(meta, "__index")
    if type(value) ~= "table" then return end
  end
end

-- Where the chain of names that ends at token `last` begins: a.b.c -> the token a.
local function chain_start(tokens, last)
  local first = last
  while first > 2 and tokens[first].kind == "name" and tokens[first - 1].text:match "^[.:]$" and tokens[first - 2].kind == "name" do
    first = first - 2
  end
  return tokens[first].kind == "name" and first
end

-- The value of a.b.c or ("text"), nil if there is none; and whether it could be looked up at all.
local function value_of(tokens, first, last, locals)
  if last > 1 and tokens[last].text == ")" and tokens[last - 1].kind == "string" then return "", true end
  if not first or (tokens[first - 1] and tokens[first - 1].text:match "^[.:]$") then return nil, false end
  local found, value = locals:get(tokens[first].text)
  if not found then value = _G[tokens[first].text] end
  for i = first + 2, last, 2 do
    local ok, inner = pcall(function() return value[tokens[i].text] end)
    if not ok then return nil, true end
    value = inner
  end
  return value, true
end

-- The operator whose call's braces the end of the tokens is in, if a key is to come there.
local function operator_around(tokens, last)
  local before = tokens[last] and tokens[last].text
  if not before or not before:match "^[{,;]$" then return end
  local depth = 0
  for i = last, 2, -1 do
    local text = tokens[i].text
    if text == "}" or text == ")" or text == "]" then depth = depth + 1
    elseif text == "{" or text == "(" or text == "[" then
      depth = depth - 1
      if depth == -1 and text ~= "{" then return end
      if depth == -1 and tokens[i - 1].kind == "name" then return core.op(tokens[i - 1].text) end
      if depth == -2 then return text == "(" and tokens[i - 1].kind == "name" and core.op(tokens[i - 1].text) end
    end
  end
end

local function add_options(op, add)
  for _, input in ipairs(op.inputs) do add(input .. "=") end
  for _, param in ipairs(op.params) do add(param.name .. "=") end
end

-- Candidates for the word that is being typed, each the word in full.
local function candidates(tokens, locals)
  local found, last = {}, #tokens
  local word = tokens[last] and (tokens[last].kind == "name" or tokens[last].kind == "keyword") and tokens[last]
  if word then last = last - 1 end
  local function add(name, value)
    if value ~= nil or name:match "=$" or name:match "^[%a_][%w_]*$" then found[name] = true end
  end
  local separator = tokens[last] and tokens[last].text
  if separator == "." or separator == ":" then
    local value, known = value_of(tokens, last > 1 and chain_start(tokens, last - 1), last - 1, locals)
    if known then
      add_keys(value, function(name, member)
        if separator == "." or type(member) == "function" then add(name, member) end
      end)
    elseif separator == ":" then
      for name in next, core.array_methods do add(name) end
    end
    return found
  end
  local op = operator_around(tokens, last)
  if op then add_options(op, add) end
  for _, name in ipairs(locals:names()) do add(name) end
  add_keys(_G, add)
  if not op then for name in next, scanner.keywords do add(name) end end
  return found
end

-- The candidates that begin with `word`, sorted; names with underscores in front only if asked for.
local function matching(found, word)
  local list = {}
  for name in pairs(found) do
    if name:sub(1, #word) == word and (name:sub(1, 1) ~= "_" or word:sub(1, 1) == "_") then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

local function common_beginning(list)
  local first, last = list[1], list[#list]
  local n = 0
  while n < #first and first:byte(n + 1) == last:byte(n + 1) do n = n + 1 end
  return first:sub(1, n)
end

-- The list in columns of a terminal 80 wide.
local function columns(list)
  local width, most, lines = 0, 120, {}
  for i = 1, math.min(#list, most) do width = math.max(width, #list[i] + 2) end
  local across = math.max(1, 80 // width)
  local down = (math.min(#list, most) + across - 1) // across
  for row = 1, down do
    local cells = {}
    for i = row, math.min(#list, most), down do cells[#cells + 1] = list[i] .. (" "):rep(width - #list[i]) end
    lines[row] = table.concat(cells):gsub("%s+$", "")
  end
  if #list > most then lines[#lines + 1] = ("... %d more"):format(#list - most) end
  return table.concat(lines, "\n")
end

-- The files that a string which is being typed may mean, with the quote after a whole name.
local function file_names(token, files)
  local quote = token.text:match "^['\"]"
  local word = token.text:gsub("^['\"]", ""):gsub("^%[=*%[", "")
  local list = files(word)
  if quote and #list == 1 and list[1]:sub(-1) ~= "/" then list[1] = list[1] .. quote end
  return list, word
end

local function names(text, tokens, locals)
  local last, word = tokens[#tokens], ""
  if last.kind == "name" or last.kind == "keyword" then
    if last.last == #text then word = last.text else tokens[#tokens + 1] = { kind = "symbol", text = " " } end
  end
  return matching(candidates(tokens, locals), word), word
end

--- What to insert at the cursor, and a list to show where there are several ways to go on.
-- text: what is before the cursor; files(beginning): the files that begin so.
return function(text, locals, files)
  if not text:find "%S" then return "  " end
  local tokens = scanner.scan(text)
  local last = tokens[#tokens]
  if last.kind == "open comment" or last.kind == "number" then return "" end
  local list, word
  if last.kind == "open string" then list, word = file_names(last, files)
  else list, word = names(text, tokens, locals) end
  if #list == 0 then return "" end
  local insert = common_beginning(list):sub(#word + 1)
  return insert, #list > 1 and insert == "" and columns(list) or nil
end
