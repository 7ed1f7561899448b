-- repl_complete_spec.lua - completion by TAB at the prompt.
local command = require "support.command"
local prompt = require "support.prompt"

local at_terminal = command.at_terminal(it, pending)

describe("the REPL", function()
  local terminal = prompt.new(before_each, after_each)
  local session = terminal.session

  at_terminal("completes names, methods, options and files", function()
    session [[
      > nd.broadcast_lesser_e<Tab>(1)
      ...broadcast_lesser_equal: lhs: expected
      > x = nd.ones{2}
      > x:tot<Tab>()
      {1.0, 1.0}
      > x:exp():tot<Tab>()[1] // 1
      2.0
      > ('x'):by<Tab>() - 56
      64
      > local elephant = {trunk = {long = 6}}
      > eleph<Tab>.tr<Tab>.lo<Tab> * 7
      42
      > nd.sum{data=x, keepd<Tab>true}.shape[1] + 60
      61
      > nd.sum(x, {ax<Tab>0}).shape[1] + 61
      62
      > (function() ret<Tab> 63 end)()
      63
      > nd.log<Tab><Tab>10(nd.ones{1}):asscalar() + 65
      ...log1p
      ...logical_and
      65.0
      > hl.autog<Tab> == autograd, hl.glu<Tab> == gluon
      true	true
      > glu<Tab> == gluon, gluon.n<Tab> == nn
      true	true
      > #io.open('spec/program/repl_sp<Tab>):read(4) + 62
      66
    ]]
  end)

  at_terminal("completes methods of blocks, trainers and datasets, through indices and calls of classes too", function()
    session [[
      > net = nn.HybridSequential() net:add(nn.Dense(3, {in_units = 2}), nn.Dropout(0.5))
      > net:init<Tab>()
      > #net:coll<Tab>():keys() + 60
      62
      > net[0].wei<Tab>:data().shape[2] + 61
      63
      > net[1].expo<Tab> == net.export
      true
      > local tr = gluon.Trainer(net:collect_params(), 'sgd')
      > tr:set_l<Tab>(0.25)
      > tr.learning_rate * 4 + 60
      61.0
      > #gluon.data.SimpleDataset{1, 2, 3}:tak<Tab>(1) + 66
      67
      > ds = gluon.data.SimpleDataset{1, 2, 3}
      > #ds:tr<Tab><Tab>_f<Tab>(print) + 60
      ...transform_first
      63
      > #ds + 70, hl.metric.Accu<Tab>():res<Tab>()
      73
      > hl.init.<Tab><Tab>Xavier == hl.init.Xavier
      ...MSRAPrelu
      true
    ]]
  end)

  at_terminal("offers only public methods and members", function()
    local output = session [[
      > hl.init.<Tab><Tab>Zero == hl.init.Zero
      ...MSRAPrelu
      true
    ]]
    for _, name in ipairs { "python_number", "attribute", "_init" } do
      assert.falsy(output:find(name, 1, true), name)
    end
    output = session [[
      > net = nn.HybridSequential()
      > net:<Tab><Tab>collect_params() ~= nil
      ...infer_shape
      true
    ]]
    for _, name in ipairs { "call_compiled", "check_child", "has_hooks", "missing_field", "set_field", "trace_for",
        "with_hooks" } do
      assert.falsy(output:find(name, 1, true), name)
    end
  end)

  at_terminal("completes options of layers, losses, trainers and optimizers, and names of optimizers", function()
    session [[
      > nn.Dense(3, {act<Tab>'relu', in_un<Tab>2, use<Tab>false})
      Dense(2 -> 3, Activation(relu))
      > gluon.loss.L2Loss{wei<Tab>2}._weight + 60
      62
      > local p = nn.Dense(1):collect_params()
      > gluon.Trainer(p, "ada<Tab>m", {learn<Tab>0.25, beta1=0.5, bet<Tab>0.75}).optimizer.beta2 * 4 + 60
      63.0
      > gluon.Trainer(p, "rms<Tab>).optimizer
      ...RMSProp(learning_rate=0.001
      > hl.optimizer.NAG{mom<Tab>0.25}.momentum * 4 + 60
      61.0
      > nd.Activation(nd.array{-1, 65}, {act_type = "re<Tab>}):sum():asscalar()
      65.0
      > hl.init.Xavier{mag<Tab>4}.magnitude + 60
      64
      > nd.sum{<Tab><Tab>data = nd.ones{2}}:asscalar() + 64
      ...keepdims=
      66.0
    ]]
  end)

  at_terminal("completes its own commands at the beginning of a line", function()
    local file = command.file "return 'from the file'"
    session([[
      > :l<Tab> ]] .. file:sub(1, -2) .. [[<Tab>
      from the file
      > :ti<Tab> 6 * 7
      42
      ... ms
    ]])
  end)
end)
