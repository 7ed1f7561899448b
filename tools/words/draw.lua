#!/usr/bin/env lua5.4
-- draw.lua [ROOT [SEED]] - draws 200 sentences of four words or more from the tree at ROOT, a fixed number of each kind
-- of text, to be read and judged. SEED is a number, or 0x and a commit's hash. Prints number, kind, file:line and
-- sentence. draw.lua --count [ROOT] prints the number of sentences of each kind.
package.path = (arg[0]:match "^(.*)/" or ".") .. "/?.lua;" .. package.path
local english = require "english"

local WANTED = {
  { "docs", 45 }, { "README", 15 }, { "C comments", 55 }, { "Lua comments", 35 }, { "error texts", 30 },
  { "names of specs", 20 },
}

-- Adds the sentences of a passage to a list.
local function add_sentences(list, path, passage)
  local from, s = 1, passage.plain
  local function add(to)
    local sentence = s:sub(from, to):gsub("^[%s%-]+", ""):gsub("[%s%-]+$", "")
    if english.words(sentence) >= 4 then
      table.insert(list, { path = path, line = english.line_of(passage, from), text = sentence })
    end
    from = to + 1
  end
  for stop in s:gmatch '[.?!]() [%u`*"(]' do add(stop - 1) end
  add(#s)
end

local is_count = arg[1] == "--count"
if is_count then table.remove(arg, 1) end
local root = arg[1] or "."
math.randomseed(tonumber(arg[2]) or 1)

local by_place = {}
for _, path in ipairs(english.files(root)) do
  for _, passage in ipairs(english.passages(path, english.read(root .. "/" .. path))) do
    local place = english.place(path, passage.kind)
    by_place[place] = by_place[place] or {}
    add_sentences(by_place[place], path, passage)
  end
end

local number = 0
for _, row in ipairs(WANTED) do
  local place, n = row[1], row[2]
  local list = by_place[place] or {}
  if is_count then
    print(place, #list)
    n = 0
  end
  for i = 1, math.min(n, #list) do                -- the first n of a shuffle
    local j = math.random(i, #list)
    list[i], list[j] = list[j], list[i]
    number = number + 1
    print(("%d\t%s\t%s:%d\t%s"):format(number, place, list[i].path, list[i].line, list[i].text))
  end
end
