-- phrases.lua - finds phrases in text by a small subset of regular expressions.
--
-- A pattern has letters, \b (border of a word), \w, [sets], . and * + ? after a single character; groups (a|b) and
-- (a|b)?; ^ for the beginning of a sentence; (?<!text) at its beginning and (?!a|b) at its end. Matching is in lower
-- case. Each pattern becomes one Lua pattern per choice of alternatives, so that string.find does the work.
local phrases = {}

-- ---- From regular expressions to Lua patterns ---------------------------------------------------------

local alternatives

-- The Lua pattern of the atom at i, which is not a group, and the index after it. \b begins a word in front of a letter
-- at the start of a word or group, and ends one elsewhere.
local function atom_at(source, i, is_start)
  local one, two = source:sub(i, i), source:sub(i, i + 1)
  if two == "\\b" then
    local begins = is_start and source:find("^[%w(]", i + 2)
    return begins and "%f[%w_]" or "%f[^%w_]", i + 2
  end
  if two == "\\w" then return "[%w_]", i + 2 end
  if one == "\\" then return "%" .. source:sub(i + 1, i + 1), i + 2 end
  if one == "[" then
    local stop = assert(source:find("]", i + 2, true), "no ] in " .. source)
    return source:sub(i, stop), stop + 1
  end
  if one == "." or one:find "[%w%s]" then return one, i + 1 end
  return "%" .. one, i + 1
end

-- The Lua patterns of the sequence from i up to |, ) or the end, and the index of that.
local function sequence(source, i)
  local list, is_start = { "" }, true
  while i <= #source and not source:find("^[|)]", i) do
    local one = source:sub(i, i)
    local choices
    if one == "(" then
      choices, i = alternatives(source, i + 1)
      assert(source:sub(i, i) == ")", "no ) in " .. source)
      i = i + 1
      if source:sub(i, i) == "?" then
        table.insert(choices, "")
        i = i + 1
      end
    elseif one == "^" then
      choices, i = { "\n", "[%.:;%?!] " }, i + 1
    else
      local atom
      atom, i = atom_at(source, i, is_start)
      local repeated = source:match("^[*+?]", i)
      if repeated then
        atom, i = atom .. repeated, i + 1
      end
      choices = { atom }
    end
    local longer = {}
    for _, head in ipairs(list) do
      for _, tail in ipairs(choices) do table.insert(longer, head .. tail) end
    end
    list, is_start = longer, one == " " or one == "^"
  end
  return list, i
end

function alternatives(source, i)
  local list = {}
  while true do
    local some
    some, i = sequence(source, i)
    table.move(some, 1, #some, #list + 1, list)
    if source:sub(i, i) ~= "|" then return list, i end
    i = i + 1
  end
end

-- The longest text that every match of a Lua pattern contains. Texts without it, which are most, need no search.
local function literal_of(pattern)
  local plain = pattern:gsub("%%f%[.-%]", "\0"):gsub("%[.-%][*+?]?", "\0"):gsub("%%?[^%z][*?]", "\0")
    :gsub("[^%z]%+", "\0"):gsub("%%(.)", "%1"):gsub("%.", "\0")
  local best = ""
  for piece in plain:gmatch "[^%z]+" do
    if #piece > #best then best = piece end
  end
  return best
end

--- Compiles a pattern. Raises if its brackets do not match.
function phrases.compile(source)
  local phrase, core = { source = source, before = {}, after = {}, ways = {} }, source
  while core:find "^%(%?<!" do
    local word
    word, core = core:match "^%(%?<!([^)]*)%)(.*)$"
    table.insert(phrase.before, word)
  end
  local head, words = core:match "^(.*)%(%?!([^)]*)%)$"
  if head then
    core = head
    for word in words:gmatch "[^|]+" do table.insert(phrase.after, word) end
  end
  local list, stop = alternatives(core, 1)
  assert(stop > #core, "unbalanced ) in " .. source)
  for _, pattern in ipairs(list) do
    table.insert(phrase.ways, { pattern = pattern, literal = literal_of(pattern) })
  end
  return phrase
end

--- Reads phrases.txt: a list of compiled patterns, each with `say` and `example`.
function phrases.read(path)
  local list, number = {}, 0
  for row in io.lines(path) do
    number = number + 1
    if row ~= "" and not row:find "^#" then
      local source, say, example = row:match "^([^\t]+)\t([^\t]+)\t([^\t]+)$"
      if not source then
        error(("%s:%d: expected pattern, wording and example, with tabs between them"):format(path, number), 0)
      end
      local phrase = phrases.compile(source)
      phrase.say, phrase.example = say, example
      table.insert(list, phrase)
    end
  end
  return list
end

-- ---- Searching ------------------------------------------------------------------------------------------

local function is_excepted(phrase, s, from, to)
  for _, word in ipairs(phrase.before) do
    if s:sub(from - #word, from - 1) == word then return true end
  end
  for _, word in ipairs(phrase.after) do
    if s:sub(to + 1, to + #word) == word then return true end
  end
  return false
end

--- Calls found(from, to) for each match of a phrase in s, a text in lower case in which every passage begins after
--- "\n".
function phrases.each_match(phrase, s, found)
  local seen = {}
  for _, way in ipairs(phrase.ways) do
    local init = s:find(way.literal, 1, true) and 1
    while init do
      local from, to = s:find(way.pattern, init)
      if not from then break end
      local first = from + #s:match("^[\n%.:;%?!]* ?", from)
      if not seen[first] and not is_excepted(phrase, s, from, to) then
        seen[first] = true
        found(first, to)
      end
      init = math.max(to, from + 1)
    end
  end
end

return phrases
