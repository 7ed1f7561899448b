-- tutorial_hybridize_post_spec.lua - the blog post "Hybridize: Imperative & Symbolic", translated to Lua
-- (spec/tutorials/hybridize_post.lua), prints the post's output.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local shown = require "support.shown"

local EAGER =
  "<module 'hybridlua.nd'>\n\n[[-0.86531955 -0.58072501 -0.033391    0.46204349]]\n<NDArray 1x4 @cpu(0)>\n\n" ..
  "[[ 0.          0.09821007  0.          0.          0.05462556  0.\n" ..
    "   0.03768773  0.05834861  0.07981843  0.        ]]\n" ..
  "<NDArray 1x10 @cpu(0)>"

describe("the post on hybridize", function()
  local folder, cells

  setup(function()
    folder = scratch.folder()
    cells = shown.run("hybridize_post", folder.path)
  end)
  teardown(function() folder:remove() end)

  it("prints the post's output", function()
    local output = "\n[[ 0.03969435 -0.10410519]]\n<NDArray 1x2 @cpu(0)>\n"
    shown.check(cells, {
      imperative = "10", program = shown.PROGRAM, hybrid = "before:  " .. output .. "\nafter:  " .. output,
      symbol =
        "<Symbol data>\n\n<Symbol hybridsequential2_dense2_fwd>\n\n[[-0.1135736  -0.05925979]]\n<NDArray 1x2 @cpu(0)>",
      save = "", export = "", class = "", first = EAGER, second = EAGER,
      hybridized = "<module 'hybridlua.sym'>\n<Symbol data>\n<Symbol hybridnet0_relu0>",
      silent = "", Net = "<module 'hybridlua.sym'>\n<Symbol data>\n<Symbol net0_relu0>\n(1, 128)",
    })
    for _, printed in ipairs(cells.hybrid) do
      local before, after = printed:match "^before: \t(.-)\nafter: \t(.*)$"
      assert.equal(before, after)
    end
    assert.equal(cells.first[1], cells.second[1])
  end)

  it("saves files that load", function()
    assert.same({ "model-0000.params", "model-symbol.json", "model.json", "model.params" }, folder:list())
    local net = hl.gluon.SymbolBlock.imports(folder:file "model-symbol.json", { "data" },
      folder:file "model-0000.params")
    assert.same({ 5, 2 }, net(hl.nd.ones { 5, 512 }).shape)
    assert.same(hl.sym.load(folder:file "model.json"):list_arguments(),
      hl.sym.load(folder:file "model-symbol.json"):list_arguments())
  end)
end)
