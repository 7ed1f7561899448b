-- tutorial_straight_dope_markdown_spec.lua - the markdown source of The Straight Dope's chapter on HybridBlocks, whose
-- cells keep no output: in Lua (spec/tutorials/straight_dope_markdown.lua) they print what the rendered chapter shows.
local scratch = require "support.scratch"
local shown = require "support.shown"

local NET = "=== net(x) ===\n[[ 0.16526183 -0.14005636]]\n<NDArray 1x2 @cpu(0)>"

local function text_of(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

describe("The Straight Dope, HybridBlocks, the markdown source", function()
  it("prints what the chapter shows", function()
    local folder = scratch.folder()
    local cells = shown.run("straight_dope_markdown", folder.path)
    local files = folder:list()
    folder:remove()
    local forward = "=== 1st forward ===\ntype(x): %s, F: hybridlua.%s\n=== 2nd forward ===\n"
    shown.check(cells, {
      ["1"] = "10", ["2"] = "10", ["3"] = "\n[3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]\n<NDArray 10 @cpu(0)>", ["4"] = NET, ["5"] = NET,
      ["6"] = "Before hybridizing: 0.4646 sec\nAfter hybridizing: 0.2424 sec",
      ["7"] = "=== input data holder ===\n<Symbol data>\n\n=== the symbolic program of net===\n<Symbol hybridsequential1_dense2_fwd>\n\n" ..
        "=== the according json definition===\n" .. text_of "spec/tutorials/straight_dope_symbol.json",
      ["8"] = "", ["9"] = "",
      ["10"] = forward:format("NDArray", "nd") .. "type(x): NDArray, F: hybridlua.nd",
      ["11"] = forward:format("Symbol", "sym"),
    })
    assert.equal(cells["4"][1], cells["5"][1])
    assert.truthy(cells["3"][1]:find "%[3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%. 3%.%]")
    assert.same({ "model.json", "model.params" }, files)
  end)
end)
