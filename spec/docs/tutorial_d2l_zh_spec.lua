-- tutorial_d2l_zh_spec.lua - section 8.1 of the Chinese Dive into Deep Learning, translated to Lua
-- (spec/tutorials/d2l_zh.lua), prints the book's output, and its exercises succeed or fail as described.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local shown = require "support.shown"

local NET = "\n[[0.08827581 0.00505182]]\n<NDArray 1x2 @cpu(0)>"
local OUTPUT = "\n[[0.00370749 0.00134991]]\n<NDArray 1x2 @cpu(0)>"
local EAGER =
  "F:  <module 'hybridlua.nd'>\nx:  \n[[-0.12225834  0.5429998  -0.9469352   0.59643304]]\n<NDArray 1x4 @cpu(0)>\n" ..
  "hidden:  \n[[0.11134676 0.04770704 0.05341475 0.         0.08091211 0.\n" ..
    "  0.         0.04143535 0.         0.        ]]\n" ..
  "<NDArray 1x10 @cpu(0)>\n" .. OUTPUT

describe("d2l-zh, 8.1", function()
  local folder, cells

  setup(function()
    folder = scratch.folder()
    cells = shown.run("d2l_zh", folder.path)
  end)
  teardown(function() folder:remove() end)

  it("prints the book's output", function()
    local where = "spec/tutorials/d2l_zh.lua: "
    local refused = " needs values, and a Symbol has none while a block is hybridized; write operators on the Symbol, "
    for _, name in ipairs { "asnumpy", "if" } do cells[name][1] = cells[name][1]:gsub("%.lua:%d+:", ".lua:") end
    shown.check(cells, {
      ["1"] = "10", ["2"] = "\n" .. shown.PROGRAM, ["3"] = NET, ["4"] = NET,
      ["5"] = "before hybridizing: 0.4733 sec\nafter hybridizing: 0.2195 sec",
      ["6"] = "", ["7"] = "<Symbol dense5_fwd>", ["8"] = "", ["9"] = EAGER, ["10"] = EAGER,
      ["11"] = "F:  <module 'hybridlua.sym'>\nx:  <Symbol data>\nhidden:  <Symbol hybridnet0_relu0>\n" .. OUTPUT,
      ["12"] = OUTPUT,
      asnumpy = "false " .. where .. "x:asnumpy()" .. refused .. "or return it and read it outside",
      ["if"] = "false " .. where .. "x:asscalar()" .. refused .. "such as F.where",
      ["for"] = "true true",
    })
    assert.equal(cells["3"][1], cells["4"][1])
    assert.equal(cells["9"][1], cells["10"][1])
    assert.truthy(cells["11"][1]:find(cells["12"][1], 1, true))
  end)

  it("exports a network that loads", function()
    assert.same({ "my_mlp-0000.params", "my_mlp-symbol.json" }, folder:list())
    local net = hl.gluon.SymbolBlock.imports(folder:file "my_mlp-symbol.json", { "data" },
      folder:file "my_mlp-0000.params")
    assert.same({ 5, 2 }, net(hl.nd.ones { 5, 512 }).shape)
  end)
end)
