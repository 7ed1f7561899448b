-- tutorial_straight_dope_spec.lua - "Fast, portable neural networks with Gluon HybridBlocks" of The Straight Dope,
-- translated to Lua (spec/tutorials/straight_dope.lua), prints the chapter's output. The chapter's JSON is from MXNet
-- 1.0; spec/tutorials/straight_dope_symbol.json is the same graph written by MXNet 1.9.1.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local shown = require "support.shown"
local nn = hl.gluon.nn

describe("The Straight Dope, HybridBlocks", function()
  local folder, cells
  local json = scratch.read "spec/tutorials/straight_dope_symbol.json"

  setup(function()
    folder = scratch.folder()
    cells = shown.run("straight_dope", folder.path)
  end)
  teardown(function() folder:remove() end)

  it("prints the chapter's output", function()
    shown.check(cells, shown.straight_dope(1, json, {
      imperative = "\n[[4. 4.]\n [4. 4.]]\n<NDArray 2x2 @cpu(0)>",
      symbolic = "<Symbol _plus0>\n\n[[4. 4.]\n [4. 4.]]\n<NDArray 2x2 @cpu(0)>",
      memory = "imperative 320\nsymbolic 160\ngroups 1",
      block = "forward of the Block\ntype(x): Symbol, F: hybridlua.sym\nforward of the Block",
    }))
    assert.equal(cells["1"][1], cells["2"][1])
  end)

  it("saves the graph with MXNet 1.9.1's bytes, and files that load", function()
    assert.equal(json, scratch.read(folder:file "model.json"))
    local net = hl.gluon.SymbolBlock(hl.sym.load(folder:file "model.json"), hl.sym.var "data")
    local again = nn.HybridSequential { prefix = "hybridsequential1_" }
    again:name_scope(function()
      again:add(nn.Dense(256, { activation = "relu" }), nn.Dense(128, { activation = "relu" }), nn.Dense(2))
    end)
    again:load_params(folder:file "model.params")
    for name, param in pairs(again:collect_params()) do net:collect_params():get(name):load_init(param:data(), {}) end
    local x = hl.nd.random.normal { shape = { 3, 512 } }
    assert.bits(again(x), net(x))
  end)
end)
