-- scan.lua - splits Lua text into tokens, for the prompt.
--
-- A token is { kind, text, first, last }, with kind "name", "keyword", "string", "number" or "symbol". Comments are
-- left out. An unfinished string or comment extends to the end of the text and is the last token, of kind "open string"
-- or "open comment".

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true " ..
  "until while")
  :gmatch "%a+" do keywords[word] = true end

-- The end of a long bracket that begins at `at`: nil if there is none, false if it is unfinished.
local function long_bracket(text, at)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, last = text:find("]" .. level .. "]", at, true)
  return last or false
end

-- The end of a quoted string; false if it is unfinished.
local function quoted(text, at)
  local quote, i = text:sub(at, at), at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote then return i end
    if c == "\n" then return false end
    i = i + (c == "\\" and 2 or 1)
  end
  return false
end

local function comment(text, at)
  local last = long_bracket(text, at + 2)
  if last == nil then return (text:find("\n", at, true) or #text + 1) - 1, text:find("\n", at, true) == nil end
  return last or #text, last == false
end

local function token_at(text, at)
  local c = text:sub(at, at)
  local word = text:match("^[%a_][%w_]*", at)
  if word then return keywords[word] and "keyword" or "name", at + #word - 1 end
  local number = text:match("^%.?%d[%w.]*", at)
  if number then
    local exponent = text:match("^%.?%d[%w.]*[eEpP][+-]%d+", at)
    return "number", at + #(exponent or number) - 1
  end
  local last
  if c == "'" or c == '"' then last = quoted(text, at) elseif c == "[" then last = long_bracket(text, at) end
  if last == false then return "open string", #text end
  if last then return "string", last end
  return "symbol", at + #(text:match("^%.%.?%.?", at) or text:match("^::", at) or c) - 1
end

--- The tokens of a text, in order.
local function scan(text)
  local tokens, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then return tokens end
    if text:sub(at, at + 1) == "--" then
      local last, open = comment(text, at)
      if open then tokens[#tokens + 1] = { kind = "open comment", text = text:sub(at), first = at, last = #text } end
      at = last + 1
    else
      local kind, last = token_at(text, at)
      tokens[#tokens + 1] = { kind = kind, text = text:sub(at, last), first = at, last = last }
      at = last + 1
    end
  end
end

--- The same without a comment at the end.
local function scan_code(text)
  local tokens = scan(text)
  if #tokens > 0 and tokens[#tokens].kind == "open comment" then tokens[#tokens] = nil end
  return tokens
end

return { scan = scan, scan_code = scan_code, keywords = keywords }
