-- contrib/text/count_tokens.lua - counts of words.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local regex = require "hybridlua.language.python_regex"

local utils = {}

--- count_tokens_from_str(source_str, token_delim = " ", seq_delim = "\n", to_lower = false, counter_to_update = nil):
-- how many times each word occurs, a table of numbers by word: a new one, or counter_to_update. Words are what is
-- between matches of the two regular expressions.
function utils.count_tokens_from_str(source_str, token_delim, seq_delim, to_lower, counter_to_update)
  local what = "text.utils.count_tokens_from_str"
  checks.string(what .. ": source_str", source_str)
  local pattern = checks.string(what .. ": token_delim", token_delim or " ") .. "|" ..
    checks.string(what .. ": seq_delim", seq_delim or "\n")
  local counter = counter_to_update or {}
  if not core.script.is_plain(counter) then
    fail("%s: counter_to_update: expected a table of counts by word, got %s", what, type(counter))
  end
  for _, token in ipairs(regex.split(pattern, source_str)) do
    if token ~= "" then
      if to_lower then token = token:lower() end
      counter[token] = (counter[token] or 0) + 1
    end
  end
  return counter
end

arguments.functions(utils, "text.utils.",
  { count_tokens_from_str = "source_str token_delim seq_delim to_lower counter_to_update" })

return require "hybridlua.language.module"(utils, "hybridlua.contrib.text.utils")
