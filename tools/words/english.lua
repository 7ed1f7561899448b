-- english.lua - extracts the English of a source tree: comments, paragraphs of pages, strings and names of specs.
--
-- A passage is a piece of English that reads as one: {kind =, line =, plain =, text =, at = {offset, line, ...}}.
-- `plain` is its lines joined by blanks, `text` the same with the words of code in backquotes replaced by X; `at` maps
-- offsets to lines.
local c_and_lua = require "c_and_lua"

local english = {}

-- ---- Passages -------------------------------------------------------------------------------------------

local function begin(kind, line) return { kind = kind, line = line, parts = {}, at = {}, size = 0 } end

local function add(passage, part, line)
  part = part:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")
  if part == "" then return end
  if #passage.parts > 0 then passage.size = passage.size + 1 end
  table.insert(passage.at, passage.size + 1)
  table.insert(passage.at, line)
  table.insert(passage.parts, part)
  passage.size = passage.size + #part
end

local function finish(list, passage)
  if not passage or #passage.parts == 0 then return end
  passage.plain = table.concat(passage.parts, " ")
  passage.text = passage.plain:gsub("`[^`]+`", function(code) return (code:gsub("%w", "X")) end)
  table.insert(list, passage)
end

-- Adds the lines of a block of text that begins at `line`; an empty line ends a passage. Returns the last line's
-- number. strip(row) returns a line without its margin.
local function add_block(list, kind, block, line, strip)
  local passage = begin(kind, line)
  for row in (block .. "\n"):gmatch "(.-)\n" do
    row = strip(row)
    if not row:find "%S" then
      finish(list, passage)
      passage = begin(kind, line)
    end
    add(passage, row, line)
    line = line + 1
  end
  finish(list, passage)
  return line - 1
end

--- The number of words in a text.
function english.words(s)
  local _, n = s:gsub("%f[%a][%a']+", "")
  return n
end

--- The source line of the character at `offset` of a passage.
function english.line_of(passage, offset)
  local line = passage.line
  for i = 1, #passage.at, 2 do
    if passage.at[i] <= offset then line = passage.at[i + 1] end
  end
  return line
end

-- ---- Kinds of files --------------------------------------------------------------------------------------

-- Paragraphs, list items and rows of tables; in code, comments other than outputs.
local function markdown(content, kind)
  local list, passage, is_code, line = {}, nil, false, 0
  local function stop()
    finish(list, passage)
    passage = nil
  end
  for row in (content .. "\n"):gmatch "(.-)\n" do
    line = line + 1
    local is_row_of_its_own = row:find "^#" or row:find "^%s*|"
    if row:find "^%s*```" then
      stop()
      is_code = not is_code
    elseif is_code then
      local comment = row:match "%-%-%s+([^>].*)$"
      if comment then
        passage = begin(kind .. " code", line)
        add(passage, comment, line)
        stop()
      end
    elseif not row:find "%S" then
      stop()
    else
      if is_row_of_its_own or row:find "^%s*[-*] " or row:find "^%s*%d+%. " then stop() end
      passage = passage or begin(kind, line)
      add(passage, (row:gsub("^#+ ", ""):gsub("^%s*[-*] ", ""):gsub("^%s*%d+%. ", "")), line)
      if is_row_of_its_own then stop() end
    end
  end
  stop()
  return list
end

local function unescape(s) return (s:gsub("\\[nt]", " "):gsub('\\(["\\])', "%1")) end

local function newlines(s) return select(2, s:gsub("\n", "")) end

-- The kind of a string in C, from the code before it.
local function c_string_kind(before)
  before = before:gsub("%s+", " ")
  if before:find "%.doc = $" then return "help" end
  if before:find "#include $" then return "include" end
  return (before:find "fail[%w_]*%([^;]*$" or before:find "error[%w_]*%([^;]*$") and "error" or "C string"
end

-- Comments and strings; adjacent // comments, and adjacent strings, are one passage.
local function c(content)
  local list, line, i, text, comment = {}, 1, 1, nil, nil
  local function stop()
    finish(list, text)
    finish(list, comment)
    text, comment = nil, nil
  end
  for kind, from, to in c_and_lua.each(content, true) do
    local code = content:sub(i, from - 1)
    if code:find "%S" then stop() end
    line, i = line + newlines(code), to + 1
    if kind == "long comment" then
      stop()
      add_block(list, "C comment", content:sub(from + 2, to - 2), line, function(row)
        return (row:gsub("^%s*%*+ ?", ""))
      end)
    elseif kind == "comment" then
      if text then stop() end
      comment = comment or begin("C comment", line)
      add(comment, content:sub(from + 2, to), line)
      if not content:find("^\n[ \t]*//", i) then stop() end
    elseif content:sub(from, from) == '"' then
      text = text or begin(c_string_kind(content:sub(math.max(1, from - 160), from - 1)), line)
      add(text, unescape(content:sub(from + 1, to - 1)), line)
    else
      stop()
    end
    line = line + newlines(content:sub(from, to))
  end
  stop()
  return list
end

-- The kind of a string in Lua, from the code before it.
local function lua_string_kind(before)
  before = before:gsub("%s+", " ")
  if before:find "[^%w_]it[ (]*$" or before:find "describe[ (]*$" then return "spec name" end
  local is_error = before:find "fail[%w_]*[ (][^;]*$" or before:find "error[ (][^;]*$" or before:find "assert%([^;]*$"
  return is_error and "error" or "Lua string"
end

-- Comments and strings; comments on adjacent lines, and strings joined by .., are one passage.
local function lua(content)
  local list, line, i, text, comment, comment_line = {}, 1, 1, nil, nil, 0
  local function stop()
    finish(list, text)
    finish(list, comment)
    text, comment = nil, nil
  end
  for kind, from, to in c_and_lua.each(content, false) do
    local code = content:sub(i, from - 1)
    if code:find "%S" and not code:find "^%s*%.%.%s*$" then stop() end
    line, i = line + newlines(code), to + 1
    if kind == "long comment" or kind == "long string" then
      stop()
      local inside = content:sub(from, to):match "^%-*%[=*%[(.*)%]=*%]$"
      add_block(list, kind == "long comment" and "Lua comment" or "Lua string", inside, line,
        function(row) return row end)
    elseif kind == "comment" then
      local row = content:sub(from, to)
      local is_alone = not content:sub(math.max(1, from - 200), from - 1):match("[^\n]*$"):find "%S"
      if text or comment and (line ~= comment_line + 1 or not is_alone or row:find "^%-%-+%s*$") then stop() end
      if not row:find "^%-%->" then           -- the output of an example
        comment = comment or begin("Lua comment", line)
        add(comment, (row:gsub("^%-+ ?", "")), line)
        comment_line = is_alone and line or -1
      end
    else
      if comment then stop() end
      text = text or begin(lua_string_kind(content:sub(math.max(1, from - 120), from - 1)), line)
      add(text, unescape(content:sub(from + 1, to - 1)), line)
    end
    line = line + newlines(content:sub(from, to))
  end
  stop()
  return list
end

-- Shell, Python, make: comments.
local function hashes(content)
  local list, passage, line = {}, nil, 0
  for row in (content .. "\n"):gmatch "(.-)\n" do
    line = line + 1
    local comment = row:match "^%s*#+ (.*)$" or row:match "%s#+ (.*)$"
    if not row:find "^%s*#+ " then
      finish(list, passage)
      passage = nil
    end
    if comment then
      passage = passage or begin("comment", line)
      add(passage, comment, line)
    end
  end
  finish(list, passage)
  return list
end

-- ---- Trees -----------------------------------------------------------------------------------------------

local STRINGS = { ["C string"] = true, ["Lua string"] = true, error = true, help = true, ["spec name"] = true }

-- A string is English if it has three words and does not look like a program.
local function is_english(s)
  for _, code in ipairs { ";%s*}", "#include", "static ", "%(int", "return %w+;", "%f[%w]local %w+ =", "%f[%w]end$" } do
    if s:find(code) then return false end
  end
  return english.words(s) >= 3
end

--- The passages of a file, in order; an empty list for kinds of files without English.
function english.passages(path, content)
  local list = path:find "%.md$" and markdown(content, path == "README.md" and "README" or "docs") or
    path:find "%.[ch]$" and c(content) or path:find "%.lua$" and lua(content) or
    (path:find "%.sh$" or path:find "%.py$" or path:find "Makefile$") and hashes(content) or {}
  local kept = {}
  for _, passage in ipairs(list) do
    if passage.kind ~= "include" and (not STRINGS[passage.kind] or is_english(passage.plain)) then
      table.insert(kept, passage)
    end
  end
  return kept
end

--- Where a reader meets a passage: "README", "docs", "error texts", "help and other texts", "C comments", "Lua
--- comments", "names of specs", or "other".
function english.place(path, kind)
  if kind:find "^README" then return "README" end
  if kind:find "^docs" then return "docs" end
  if kind == "C comment" or kind == "Lua comment" then return kind .. "s" end
  if kind == "spec name" then return "names of specs" end
  if not STRINGS[kind] or not (path:find "^src/" or path:find "^lua/") then return "other" end
  return kind == "error" and "error texts" or "help and other texts"
end

--- The files that hold the tree's own English: without generated pages, and without texts of others.
function english.files(root)
  local list = {}
  local pipe = assert(io.popen(("git -C '%s' ls-files README.md CONTRIBUTING.md SECURITY.md Makefile src lua docs " ..
    "examples tools bench spec"):format(root)))
  for path in pipe:lines() do
    local is_generated = path == "docs/ops.md" or path == "docs/conformance.md" or path:find "^docs/types/"
    local is_of_others = path:find "^spec/oracle/" or path:find "^spec/tutorials/"
    if not is_generated and not is_of_others then table.insert(list, path) end
  end
  pipe:close()
  return list
end

function english.read(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read "a"
  file:close()
  return content
end

return english
