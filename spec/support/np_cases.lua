-- np_cases.lua - calls of np's functions and what MXNet 1.9.1 gave: spec/oracle/np_cases.txt, written by np_cases.py.
local hl = require "hybridlua"
local cases = require "support.call_cases"

local names, by_name = cases.open "spec/oracle/np_cases.txt"

--- The function and the arguments of a case, and its result.
local function case(line)
  local name = line:match "^[^|]+"
  local args, result = cases.read(line)
  return cases.find(name:find "^npx%." and name or "np." .. name), args, result
end

--- Is there a function of this name? Those of np are named without "np.".
local function exists(name) return hl.has(name:find "^npx%." and name or "np." .. name) end

return { exists = exists, by_name = by_name, names = names, case = case }
