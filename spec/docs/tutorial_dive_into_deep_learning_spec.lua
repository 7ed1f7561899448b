-- tutorial_dive_into_deep_learning_spec.lua - the chapter "Hybridize" of Dive into Deep Learning, translated to Lua
-- (spec/tutorials/dive_into_deep_learning.lua), prints the book's output, except for module paths and language.
local scratch = require "support.scratch"
local shown = require "support.shown"

local NET = "\n[[0.08827581 0.00505182]]\n<NDArray 1x2 @cpu(0)>"
local OUTPUT = "\n[[-0.0070825  -0.01219805]]\n<NDArray 1x2 @cpu(0)>"

describe("Dive into Deep Learning, Hybridize", function()
  local folder, cells

  setup(function()
    folder = scratch.folder()
    cells = shown.run("dive_into_deep_learning", folder.path)
  end)
  teardown(function() folder:remove() end)

  it("prints the book's output", function()
    local refused = "needs values, and a Symbol has none while a block is hybridized; write "
    local file = "spec/tutorials/dive_into_deep_learning.lua:"
    for _, name in ipairs { "asnumpy", "inplace", "assign" } do
      cells[name][1] = cells[name][1]:gsub("%.lua:%d+:", ".lua:")
    end
    shown.check(cells, {
      ["3"] = "", ["4"] = "10", ["5"] = "\n" .. shown.PROGRAM, ["7"] = NET, ["10"] = NET, ["15"] = "",
      ["13"] = "before hybridizing: 25.3146 sec\nafter hybridizing: 16.0770 sec",
      ["14"] = "<Symbol dense8_fwd>",
      ["16"] =
        "F:  <module 'hybridlua.nd'>\nx:  \n[[-1.8077929   0.6785336  -0.43897748  0.7891813 ]]\n" ..
          "<NDArray 1x4 @cpu(0)>\n" ..
        "hidden:  \n[[0.         0.         0.         0.         0.         0.15095195\n" ..
          "  0.10973488 0.03116961 0.00184327 0.        ]]\n" ..
        "<NDArray 1x10 @cpu(0)>\n" .. OUTPUT,
      ["19"] = "F:  <module 'hybridlua.sym'>\nx:  <Symbol data>\nhidden:  <Symbol hybridnet0_relu0>\n" .. OUTPUT,
      ["20"] = OUTPUT,
      asnumpy = "(1, 4)\n" .. file .. " x:asnumpy() " .. refused ..
        "operators on the Symbol, or return it and read it outside",
      inplace = "(1, 4)\n" .. file .. " add_ " .. refused .. "the form without the underscore, which makes a new array",
      assign = "(1, 4)\n" .. file .. " x[...] = ... " .. refused .. "F.where, or build a new array",
    })
  end)

  it("prints the same numbers before and after hybridizing", function()
    assert.equal(cells["7"][1], cells["10"][1])
    assert.truthy(cells["16"][1]:find(cells["20"][1], 1, true))
    assert.truthy(cells["19"][1]:find(cells["20"][1], 1, true))
  end)
end)
