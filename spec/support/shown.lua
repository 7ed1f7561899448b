-- shown.lua - runs a tutorial's program and compares its output with the tutorial's.
--
-- Words, integers, array shapes and empty lines must be equal. Values are random or timings, so numbers with a point
-- become #. A line break inside an array and the tab between printed values count as one space.
local assert = require "luassert"
local command = require "support.command"
local shown = {}

--- A program in a tutorial's text, and its output.
shown.PROGRAM = [[
local function add(a, b)
  return a + b
end

local function fancy_func(a, b, c, d)
  local e = add(a, b)
  local f = add(c, d)
  local g = add(e, f)
  return g
end

print(fancy_func(1, 2, 3, 4))

10
]]

--- Adds to `expected` the outputs of The Straight Dope's cells after its network, numbered from `first`.
function shown.straight_dope(first, json, expected)
  local net = "=== net(x) ===\n[[ 0.16526183 -0.14005636]]\n<NDArray 1x2 @cpu(0)>"
  local forward = "=== 1st forward ===\ntype(x): %s, F: hybridlua.%s\n=== 2nd forward ===\n"
  for i, text in ipairs {
    net, net, "Before hybridizing: 0.4646 sec\nAfter hybridizing: 0.2424 sec",
    "=== input data holder ===\n<Symbol data>\n\n=== the symbolic program of net===\n" ..
      "<Symbol hybridsequential1_dense2_fwd>\n\n=== the according json definition===\n" .. json,
    "", "", forward:format("NDArray", "nd") .. "type(x): NDArray, F: hybridlua.nd", forward:format("Symbol", "sym"),
  } do expected[tostring(first + i - 1)] = text end
  return expected
end

function shown.normal(text)
  text = text:gsub("%f[%w_.]%d+%.%d*e?[-+]?%d*", "#"):gsub("%-#", "#")
  text = text:gsub("%b[]", function(array) return array:gsub("%s+", " "):gsub("%[ ", "["):gsub(" %]", "]") end)
  return (text:gsub("[ \t]+", " "):gsub(" \n", "\n"):gsub("%s+$", ""))
end

--- Runs spec/tutorials/PROGRAM.lua; `folder` is for files that it saves. It prints "-- In [NAME]" before each cell.
-- Returns a list of outputs by cell name, one for each run of the cell.
function shown.run(program, folder)
  local output, code = command.hybridlua { "spec/tutorials/" .. program .. ".lua", folder }
  assert.equal(0, code, output)
  local cells, name = {}, nil
  for line in output:gmatch "([^\n]*)\n" do
    local cell = line:match "^%-%- In %[(%w+)%]$"
    name = cell or name
    local runs = cells[name] or {}
    cells[name] = runs
    if cell then runs[#runs + 1] = "" else runs[#runs] = runs[#runs] .. line .. "\n" end
  end
  return cells
end

--- Asserts that each run of each cell printed the expected text; `expected` is keyed by cell name.
function shown.check(cells, expected)
  for name, text in pairs(expected) do
    assert.truthy(cells[name], "no cell " .. name)
    for _, printed in ipairs(cells[name]) do
      assert.equal(shown.normal(text), shown.normal(printed), "cell " .. name)
    end
  end
  for name in pairs(cells) do assert.truthy(expected[name], "no expected text for cell " .. name) end
end

return shown
