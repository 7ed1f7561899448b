-- python_regex.lua - Python's regular expressions, for selecting parameters by name: alternatives, groups, sets,
-- repetitions (greedy and lazy), anchors, \d \w \s \b, lookahead.
--
-- A piece of a pattern becomes a function m(text, i, k): whether it matches text from i so that the rest, k(j),
-- succeeds from the position j after it. Returning false backtracks.
local fail = require "hybridlua.language.fail"

local regex = {}

-- ---- Matchers -------------------------------------------------------------------------------

local function empty(_, i, k) return k(i) end

local function one(is)
  return function(text, i, k)
    local byte = text:byte(i)
    return byte ~= nil and is(byte) and k(i + 1)
  end
end

local function sequence(a, b)
  if a == empty then return b end
  return function(text, i, k) return a(text, i, function(j) return b(text, j, k) end) end
end

local function either(a, b) return function(text, i, k) return a(text, i, k) or b(text, i, k) end end

-- m at least `least` and at most `most` times; after an empty round it stops.
local function repeated(m, least, most, lazy)
  local function round(text, i, k, n)
    local function again()
      return n < most and m(text, i, function(j) return (j > i or n < least) and round(text, j, k, n + 1) end)
    end
    if n < least then return again() end
    if lazy then return k(i) or again() end
    return again() or k(i)
  end
  return function(text, i, k) return round(text, i, k, 0) end
end

local function yes() return true end

-- Lookahead: the text must match (or not), without being consumed.
local function ahead(m, wanted)
  return function(text, i, k) return (m(text, i, yes) and true or false) == wanted and k(i) end
end

local function at_begin(_, i, k) return i == 1 and k(i) end
local function at_end(text, i, k) return (i == #text + 1 or (i == #text and text:sub(i) == "\n")) and k(i) end

local function is_word(byte) return byte ~= nil and string.char(byte):find "[%w_]" ~= nil end

local function at_edge(wanted)
  return function(text, i, k) return (is_word(text:byte(i - 1)) ~= is_word(text:byte(i))) == wanted and k(i) end
end

-- ---- Parsing --------------------------------------------------------------------------------

local CLASSES = { d = "%d", D = "%D", w = "[%w_]", W = "[^%w_]", s = "%s", S = "%S" }
local CONTROLS = { n = "\n", t = "\t", r = "\r", f = "\f", v = "\v" }

local function class_test(letter)
  local pattern = CLASSES[letter]
  return pattern and function(byte) return string.char(byte):find(pattern) ~= nil end
end

local function equals(byte) return function(other) return other == byte end end

-- The reader: the pattern and a position in it.
local Reader = {}
Reader.__index = Reader

function Reader:wrong(what) fail("regular expression '%s': %s at character %d", self.text, what, self.at) end
function Reader:peek() return self.text:sub(self.at, self.at) end

function Reader:take()
  local c = self:peek()
  if c == "" then self:wrong "something is missing" end
  self.at = self.at + 1
  return c
end

function Reader:accept(word)
  if self.text:sub(self.at, self.at + #word - 1) ~= word then return false end
  self.at = self.at + #word
  return true
end

-- A character of a set, or of a range's end: its byte, or a class's test.
function Reader:set_item()
  local c = self:take()
  if c ~= "\\" then return c:byte() end
  c = self:take()
  return (CONTROLS[c] or c):byte(), class_test(c)
end

-- Parses a set after "[".
function Reader:set()
  local negated, tests = self:accept "^", {}
  repeat
    local first, class = self:set_item()
    local is = class or equals(first)
    if not class and self:peek() == "-" and self.text:sub(self.at + 1, self.at + 1) ~= "]" then
      self:take()
      local last = self:set_item()
      if last < first then self:wrong "a range ends before it begins" end
      is = function(byte) return first <= byte and byte <= last end
    end
    tests[#tests + 1] = is
  until self:accept "]"
  return one(function(byte)
    for _, is in ipairs(tests) do if is(byte) then return not negated end end
    return negated
  end)
end

function Reader:escape()
  local c = self:take()
  if c == "b" or c == "B" then return at_edge(c == "b") end
  if c == "A" then return at_begin end
  if c == "Z" then return at_end end
  if c:find "%d" then self:wrong "references to groups are not supported" end
  return one(class_test(c) or equals((CONTROLS[c] or c):byte()))
end

-- Parses a group after "(".
function Reader:group()
  local wanted
  if self:accept "?=" then wanted = true
  elseif self:accept "?!" then wanted = false
  elseif self:accept "?P<" then
    if not self.text:find("^[%a_][%w_]*>", self.at) then self:wrong "a group's name was expected" end
    self.at = self.text:find(">", self.at, true) + 1
  elseif not self:accept "?:" and self:peek() == "?" then
    self:wrong "this kind of group is not supported"
  end
  local m = self:alternatives()
  if not self:accept ")" then self:wrong "a ) is missing" end
  if wanted ~= nil then return ahead(m, wanted) end
  return m
end

function Reader:atom()
  local c = self:take()
  if c == "(" then return self:group() end
  if c == "[" then return self:set() end
  if c == "\\" then return self:escape() end
  if c == "." then return one(function(byte) return byte ~= 10 end) end
  if c == "^" then return at_begin end
  if c == "$" then return at_end end
  if c:find "[*+?]" then
    self.at = self.at - 1
    self:wrong "there is nothing to repeat"
  end
  return one(equals(c:byte()))
end

-- The minimum and maximum count of a repetition that begins here; nil if there is none.
function Reader:times()
  if self:accept "*" then return 0, math.huge end
  if self:accept "+" then return 1, math.huge end
  if self:accept "?" then return 0, 1 end
  local from, comma, to, rest = self.text:match("^{(%d*)(,?)(%d*)}()", self.at)
  if not from or (from == "" and to == "") then return nil end
  self.at = rest
  local least = tonumber(from) or 0
  return least, tonumber(to) or (comma == "," and math.huge or least)
end

function Reader:alternatives()
  local all
  repeat
    local branch = empty
    while self.at <= #self.text and not self:peek():find "[|)]" do
      local m = self:atom()
      local least, most = self:times()
      if least then m = repeated(m, least, most, self:accept "?") end
      branch = sequence(branch, m)
    end
    all = all and either(all, branch) or branch
  until not self:accept "|"
  return all
end

-- The matcher of a regular expression.
local function read(text)
  if type(text) ~= "string" then fail("regular expression: expected a string, got %s", type(text)) end
  local reader = setmetatable({ text = text, at = 1 }, Reader)
  local m = reader:alternatives()
  if reader.at <= #text then reader:wrong "a ( is missing" end
  return m
end

--- Returns a function for whether a name matches from its beginning, like re.match. Errors: a wrong regular expression,
-- with the position.
function regex.compile(text)
  local m = read(text)
  return function(name) return m(name, 1, yes) and true or false end
end

local function position(j) return j end

--- The parts of a text between the matches that are not empty, like re.split. Errors: a wrong regular expression.
function regex.split(pattern, text)
  local m, parts, from, i = read(pattern), {}, 1, 1
  while i <= #text do
    local after = m(text, i, position)
    if after and after > i then
      parts[#parts + 1] = text:sub(from, i - 1)
      from, i = after, after
    else
      i = i + 1
    end
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

return regex
