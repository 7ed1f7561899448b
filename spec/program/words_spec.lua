-- words_spec.lua - tools/words: finds each phrase of its list in a sentence, and reads the English of every kind of
-- file.
local scratch = require "support.scratch"

package.path = "./tools/words/?.lua;" .. package.path
local english, phrases = require "english", require "phrases"

-- What a phrase matches in one passage.
local function matches(phrase, text)
  local list = {}
  phrases.each_match(phrase, "\n" .. text:lower(), function(from, to) list[#list + 1] = text:sub(from - 1, to - 1) end)
  return list
end

describe("the list of phrases", function()
  local list = phrases.read "tools/words/phrases.txt"

  it("has 60 phrases or more", function() assert.truthy(#list >= 60) end)

  for _, phrase in ipairs(list) do
    it("finds " .. phrase.source, function()
      assert.equal(1, #matches(phrase, phrase.example), phrase.example)
      assert.same({}, matches(phrase, "Returns the sum of the rows, or fails if n is negative."))
    end)
  end
end)

describe("a phrase", function()
  local function found(pattern, text) return matches(phrases.compile(pattern), text) end

  it("matches whole words", function()
    assert.same({ "told" }, found([[\btold\b]], "It told us."))
    assert.same({}, found([[\btold\b]], "The toldness of untold tales."))
  end)

  it("has alternatives, optional groups and repeated characters", function()
    assert.same({ "Let it go" }, found([[\b(let|lets) (it )?go\b]], "Let it go."))
    assert.same({ "lets go" }, found([[\b(let|lets) (it )?go\b]], "It lets go."))
    assert.same({ "birth", "births" }, found([[\bbirths?\b]], "One birth of two births."))
    assert.same({ "a big one" }, found([[\ba \w+ one\b]], "It is a big one."))
  end)

  it("matches at the beginning of a sentence", function()
    assert.same({ "What is" }, found("^what is", "It waits. What is left?"))
    assert.same({ "What is" }, found("^what is", "What is left?"))
    assert.same({}, found("^what is", "Ask what is left."))
  end)

  it("has exceptions before and after it", function()
    assert.same({}, found([[(?<!there )\bis no\b(?! longer)]], "There is no row, and it is no longer red."))
    assert.same({ "is no" }, found([[(?<!there )\bis no\b(?! longer)]], "It is no row."))
  end)

  it("is refused if its brackets do not match", function()
    assert.error_matches(function() phrases.compile "(a|b" end, "no %) in")
    assert.error_matches(function() phrases.compile "a)b" end, "unbalanced %) in")
    assert.error_matches(function() phrases.compile "[ab" end, "no %] in")
  end)
end)

describe("the English of a file", function()
  -- kind, line and text of each passage.
  local function passages(path, content)
    local list = {}
    for i, passage in ipairs(english.passages(path, content)) do
      list[i] = ("%s %d: %s"):format(passage.kind, passage.line, passage.plain)
    end
    return list
  end

  it("is comments and strings in C", function()
    assert.same({ "C comment 1: a.c - sums. It adds two numbers.", "C comment 4: the larger one, or zero",
      "error 6: expected two of them, got one", "help 8: Adds all the numbers.", "C comment 9: a quote" },
      passages("a.c", [[/* a.c - sums.
** It adds two numbers. */
#include "in a file.h"
int n;   // the larger one,
         // or zero
fail("expected two of "
     "them, got one");
const Op op = { .doc = "Adds all the numbers." };
char c = '"';  // a quote
puts("int a; {}");
]]))
  end)

  it("is comments, strings and names of specs in Lua", function()
    assert.same({ "Lua comment 1: a.lua - sums. It adds two numbers.", "Lua comment 3: the larger one",
      "spec name 5: adds all the numbers", "error 5: expected two of them, got one", "Lua comment 6: A long comment.",
      "Lua string 8: a text of three lines" },
      passages("a.lua", [==[
-- a.lua - sums.
-- It adds two numbers.
local n = 1   -- the larger one
--> 2
it("adds all the numbers", function() error("expected two of " .. "them, got one") end)
--[[A long
comment.]]
local s = [[a text of
three lines]]
local t = 'a b'
]==]))
  end)

  it("has its line after a string of several lines", function()
    assert.same({ "Lua comment 3: the next line" }, passages("a.lua", 'local s = "a\\z\n"\n-- the next line\n'))
    assert.same({ "C comment 3: the next line" }, passages("a.c", 'puts("a\\\nb");\n// the next line\n'))
  end)

  it("is paragraphs, items, rows and comments of examples on a page", function()
    assert.same({ "docs 1: A title", "docs 3: A paragraph of two lines.", "docs 6: one item", "docs 7: two items",
      "docs code 10: a call", "docs 13: | a | row |" },
      passages("a.md", "# A title\n\nA paragraph of\ntwo lines.\n\n- one item\n- two items\n\n```lua\n" ..
        "f()   -- a call\n--> 2\n```\n| a | row |\n"))
  end)

  it("is comments in a shell script", function()
    assert.same({ "comment 2: sums adds", "comment 4: the rest" },
      passages("a.sh", "#!/bin/sh\n# sums\n# adds\necho 1  # the rest\n"))
  end)

  it("has code in backquotes left out of the search, but not out of the text", function()
    local passage = english.passages("a.md", "Call `told` now.")[1]
    assert.equal("Call `XXXX` now.", passage.text)
    assert.equal("Call `told` now.", passage.plain)
  end)

  it("has the line of each of its words", function()
    local passage = english.passages("a.md", "\none\ntwo\nthree")[1]
    assert.equal(3, english.line_of(passage, passage.plain:find "two"))
  end)
end)

describe("words.lua", function()
  local folder
  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  -- Its output and exit code for a page with this text.
  local function run(text, options)
    scratch.write(folder:file "page.md", text)
    return scratch.run(("lua5.4 tools/words/words.lua --root '%s' %s page.md"):format(folder.path, options or ""))
  end

  it("prints place, phrase, wording and context, and fails above its limit", function()
    local text, code = run("It reads\nso many rows.")
    assert.equal(1, code)
    assert.matches('page.md:2: "so many" %-> n; that many; as many as given | It reads so many rows', text)
    assert.matches("1 hits in 5 words of 1 files; limit 0", text)
    text, code = run("It reads\nso many rows.", "--limit 1")
    assert.equal(0, code, text)
  end)

  it("fails for wrong usage", function()
    local text, code = run("A page.", "--limits 3")
    assert.equal(2, code)
    assert.matches("unknown option %-%-limits", text)
  end)
end)
