-- tutorial_spec.lua - the tutorial (spec/support/tutorial.lua) prints the expected output, run as a file and typed line
-- by line at the prompt.
local command = require "support.command"
local scratch = require "support.scratch"
local hl = require "hybridlua"

local TUTORIAL = "spec/support/tutorial.lua"
local SOON = 10000       -- ms: long enough for a slow machine

local at_terminal = command.at_terminal(it, pending)

describe("the tutorial", function()
  local folder

  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  it("runs as a file", function()
    local output, code = command.hybridlua { TUTORIAL, folder.path }
    assert.equal(0, code, output)
    local matrix = "^\n(%[%[ ?%-?%d+%.%d+e?%-?%d* +%-?%d+%.%d+e?%-?%d*%]%]\n<NDArray 1x2 @cpu%(0%)>)\n"
    local first = output:match(matrix)
    assert.truthy(first, output:sub(1, 200))
    assert.equal("\n" .. first .. "\n\n" .. first .. "\n", output:sub(1, 2 * #first + 4))
    assert.truthy(output:find("\n<Symbol data>\n<Symbol dense2_fwd>\n{\n  \"nodes\": [", 1, true))
    local net = output:match "\n(F:\thybridlua.nd.*)$"
    local eager = net:match("^(F:\thybridlua.nd\nx:\t\n%[%[1. 1. 1. 1.%]%]\n<NDArray 1x4 @cpu%(0%)>\n" ..
      "hidden:\t\n%[%[.-%]%]\n<NDArray 1x10 @cpu%(0%)>\n)")
    assert.truthy(eager, net)
    local traced = "F:\thybridlua.sym\nx:\t<Symbol data>\nhidden:\t<Symbol hybridnet0_relu0>\n"
    assert.equal(eager .. eager .. traced .. "another signature\n" .. traced ..
      "\n[10.]\n<NDArray 1 @cpu(0)>\n\n[2.]\n<NDArray 1 @cpu(0)>\n\n[2.]\n<NDArray 1 @cpu(0)>\n", net)
  end)

  it("writes files that load", function()
    local output, code = command.hybridlua { TUTORIAL, folder.path }
    assert.equal(0, code, output)
    assert.same({ "model.json", "model.params", "my_mlp-0000.params", "my_mlp-symbol.json" }, folder:list())
    local x = hl.nd.random.normal { shape = { 1, 512 } }
    local net = hl.gluon.SymbolBlock.imports(folder:file "my_mlp-symbol.json", { "data" },
      folder:file "my_mlp-0000.params")
    local params = hl.nd.load(folder:file "model.params")
    local again = hl.gluon.nn.HybridSequential()
    again:add(hl.gluon.nn.Dense(256, { activation = "relu" }), hl.gluon.nn.Dense(128, { activation = "relu" }),
      hl.gluon.nn.Dense(2))
    again:load_parameters(folder:file "model.params")
    assert.bits(net(x), again(x))
    assert.same({ 256, 512 }, params["0.weight"].shape)
    assert.same(hl.sym.load(folder:file "model.json"):list_arguments(),
      hl.sym.load(folder:file "my_mlp-symbol.json"):list_arguments())
  end)

  at_terminal("runs line by line at the prompt", function()
    local shows = {         -- text printed after a line
      ["print(net(x))"] = "<NDArray 1x2 @cpu(0)>", ['print(sym.var "data")'] = "<Symbol data>",
      ["print(y)"] = "<Symbol dense2_fwd>", ["net(nd.ones{1, 4})"] = "<NDArray 1x2 @cpu(0)>",
      ["net(nd.ones{3, 4})"] = "<NDArray 3x2 @cpu(0)>",
      ["print(f(nd.array{1}, nd.array{2}, nd.array{3}, nd.array{4}))"] = "[10.]",
      ["print(g(nd, nd.array{3}, nd.array{1}))"] = "[2.]",
    }
    local script, chunk = {}, ""
    for line in io.lines(TUTORIAL) do
      if line == "local folder = ..." then line = ("local folder = %q"):format(folder.path) end
      local open = chunk ~= ""
      script[#script + 1] = ("expect %d %s "):format(SOON, open and ">>" or ">")
      script[#script + 1] = "send " .. line:gsub("\\", "\\\\") .. "\\r"
      if shows[line] then script[#script + 1] = ("expect %d %s"):format(SOON, shows[line]) end
      chunk = chunk .. line .. "\n"
      local complete, message = load(chunk)
      if complete or load("return " .. chunk) then chunk = ""
      else assert.truthy(message:find "<eof>", message) end
    end
    script[#script + 1] = ("expect %d > "):format(SOON)
    script[#script + 1] = "send \\x04"
    local output, code = command.terminal(table.concat(script, "\n") .. "\n", folder:file "state")
    assert.equal(0, code, output)
    assert.truthy(output:find("\nexit 0\n", 1, true), output)
    assert.truthy(output:find("hidden:\t<Symbol hybridnet0_relu0>", 1, true) or
      output:find("hidden:%s+<Symbol hybridnet0_relu0>"), output)
    assert.equal(2, select(2, output:gsub("F:%s+hybridlua%.sym", "")))
    assert.falsy(output:find "attempt to", output)
  end)
end)
