-- shown.lua - runs a tutorial's program and compares what it prints with what the tutorial shows.
--
-- Equal are: every word and whole number, the shape and number of elements of every array, empty lines. Values
-- are random or timings, so a number with a point stands as #; a line break inside an array, and the tab
-- that Lua's print puts between values, count as one space.
local assert = require "luassert"
local command = require "support.command"
local shown = {}

--- What a tutorial shows of its program that is a text, and of what that prints.
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

--- What The Straight Dope shows, from its network on: cell `first` and those that follow, into `expected`.
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

--- Runs spec/tutorials/NAME.lua by the program, with `folder` for what it saves. Programs print "-- In [NAME]" before
-- each cell. Returns what each cell printed, a list by name: one text for each time that the cell ran.
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

--- Asserts that each cell printed what is shown, each time that it ran. expected: by the cell's name.
function shown.check(cells, expected)
  for name, text in pairs(expected) do
    assert.truthy(cells[name], "no cell " .. name)
    for _, printed in ipairs(cells[name]) do
      assert.equal(shown.normal(text), shown.normal(printed), "cell " .. name)
    end
  end
  for name in pairs(cells) do assert.truthy(expected[name], "nothing is expected of cell " .. name) end
end

return shown
