-- shown.lua - runs a tutorial's program and compares what it prints with what the tutorial shows.
--
-- Equal are: every word and whole number, the shape and number of elements of every array, empty lines. Values
-- are random or timings, so a number with a point stands as #; a line break inside an array, and the tab
-- that Lua's print puts between values, count as one space.
local assert = require "luassert"
local command = require "support.command"
local shown = {}

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
    for _, printed in ipairs(cells[name]) do assert.equal(shown.normal(text), shown.normal(printed), "cell " .. name) end
  end
  for name in pairs(cells) do assert.truthy(expected[name], "nothing is expected of cell " .. name) end
end

return shown
