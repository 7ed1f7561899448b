#!/usr/bin/env lua5.4
-- words.lua [--limit N] [--count | --places] [--root DIR] [FILE ...] - finds phrases of phrases.txt in the English of
-- the tree at DIR (default .), or of FILEs in it: comments, pages, error texts, names of specs (english.lua).
--
-- Prints file:line: "phrase" -> what to say instead | context for each hit, and the total. Fails if there are more than
-- N hits (default 0). --count prints the hits of each pattern, --places words and hits by kind of text. A hit that is
-- right as it stands becomes an exception in its pattern if others like it may come, and counts towards N otherwise.
local here = arg[0]:match "^(.*)/" or "."
package.path = here .. "/?.lua;" .. package.path
local english, phrases = require "english", require "phrases"

local function fail_usage(text)
  io.stderr:write("words.lua: ", text, "\n")
  os.exit(2)
end

local root, limit, mode, files = ".", 0, nil, {}
local i = 1
while i <= #arg do
  local word, value = arg[i], arg[i + 1]
  if word == "--root" then
    root, i = value or fail_usage "--root: expected a folder", i + 1
  elseif word == "--limit" then
    limit, i = tonumber(value) or fail_usage "--limit: expected a number", i + 1
  elseif word == "--count" or word == "--places" then
    mode = word
  elseif word:find "^%-" then
    fail_usage("unknown option " .. word)
  else
    table.insert(files, word)
  end
  i = i + 1
end
if #files == 0 then files = english.files(root) end

local list, total, words, places = phrases.read(here .. "/phrases.txt"), 0, 0, {}

-- The figures of a kind of text.
local function place_of(path, kind)
  local name = english.place(path, kind)
  places[name] = places[name] or { name = name, words = 0, hits = 0 }
  return places[name]
end

-- The passages of a file as one text, in which each begins after "\n"; and the function that gives the passage at an
-- offset of it, with the offset in the passage.
local function joined(passages)
  local parts, starts, size = {}, {}, 0
  for n, passage in ipairs(passages) do
    starts[n] = size + 1
    parts[n] = "\n" .. passage.text:lower()
    size = size + #parts[n]
  end
  return table.concat(parts), function(offset)
    local low, high = 1, #starts
    while low < high do
      local middle = (low + high + 1) // 2
      if starts[middle] <= offset then low = middle else high = middle - 1 end
    end
    return passages[low], offset - starts[low]
  end
end

local function look(path)
  local passages, hits = english.passages(path, english.read(root .. "/" .. path)), {}
  for _, passage in ipairs(passages) do
    local place, n = place_of(path, passage.kind), english.words(passage.text)
    place.words, words = place.words + n, words + n
  end
  local s, passage_at = joined(passages)
  for _, phrase in ipairs(list) do
    phrases.each_match(phrase, s, function(from, to)
      local passage, first = passage_at(from)
      local last, place = first + to - from, place_of(path, passage.kind)
      phrase.hits, place.hits, total = (phrase.hits or 0) + 1, place.hits + 1, total + 1
      table.insert(hits, { line = english.line_of(passage, first), text = ('"%s" -> %s | %s'):format(
        passage.plain:sub(first, last), phrase.say, passage.plain:sub(math.max(1, first - 45), last + 45)) })
    end)
  end
  if mode then return end
  table.sort(hits, function(a, b) return a.line < b.line or a.line == b.line and a.text < b.text end)
  for _, hit in ipairs(hits) do print(("%s:%d: %s"):format(path, hit.line, hit.text)) end
end

for _, path in ipairs(files) do look(path) end

if mode == "--count" then
  table.sort(list, function(a, b) return (a.hits or 0) > (b.hits or 0) end)
  for _, phrase in ipairs(list) do print(("%5d  %-60s %s"):format(phrase.hits or 0, phrase.source, phrase.say)) end
elseif mode == "--places" then
  local names = {}
  for name in pairs(places) do table.insert(names, name) end
  table.sort(names)
  for _, name in ipairs(names) do
    local place = places[name]
    print(("%-24s %6d words %5d hits"):format(name, place.words, place.hits))
  end
end
print(("%d hits in %d words of %d files; limit %d"):format(total, words, #files, limit))
os.exit(total <= limit)
