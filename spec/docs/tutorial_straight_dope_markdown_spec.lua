-- tutorial_straight_dope_markdown_spec.lua - the markdown source of The Straight Dope's chapter on HybridBlocks,
-- translated to Lua (spec/tutorials/straight_dope_markdown.lua), prints the output of the rendered chapter.
local scratch = require "support.scratch"
local shown = require "support.shown"

describe("The Straight Dope, HybridBlocks, the markdown source", function()
  it("prints the chapter's output", function()
    local folder = scratch.folder()
    local cells = shown.run("straight_dope_markdown", folder.path)
    local files = folder:list()
    folder:remove()
    shown.check(cells, shown.straight_dope(4, scratch.read "spec/tutorials/straight_dope_symbol.json", {
      ["1"] = "10", ["2"] = "10", ["3"] = "\n[3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]\n<NDArray 10 @cpu(0)>",
    }))
    assert.equal(cells["4"][1], cells["5"][1])
    assert.truthy(cells["3"][1]:find "%[3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%.%]")
    assert.same({ "model.json", "model.params" }, files)
  end)
end)
