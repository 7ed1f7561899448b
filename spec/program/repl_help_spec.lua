-- repl_help_spec.lua - the output of ? and of the prompt's other commands.
local command = require "support.command"
local prompt = require "support.prompt"

local at_terminal = command.at_terminal(it, pending)

describe("the REPL", function()
  local terminal = prompt.new(before_each, after_each)
  local session = terminal.session

  at_terminal("documents a short function with its arguments, without its body", function()
    local output = session [[
      > net = nn.Dense(2)
      > ?net:initialize
      function Block:initialize(...)
      ...Initialises all parameters
    ]]
    assert.falsy(output:find("self:collect_params", 1, true), output)
  end)

  at_terminal("documents classes with their purpose, arguments and methods", function()
    session [[
      > ?hl.optimizer.Adam
      class Adam, a subclass of Optimizer
      ...Kingma and Ba, 2014
      ...Adam{learning_rate=, beta1=0.9, beta2=0.999
      > ?hl.metric.Accuracy
      ...the fraction of samples whose best prediction
      ...Accuracy{axis=1
      > ?hl.lr_scheduler.CosineScheduler
      ...half a cosine wave
      ...warmup_mode='linear'
      > ?nn.HybridSequential
      ...Calls its children, all HybridBlocks, one after another
      ...methods: add
      > ?gluon.data.vision.MNIST
      ...60,000
      ...MNIST{root=, train=true
      > ?hl.init.Xavier
      ...keeps the scale
      > Mine = nn.Dense:subclass 'Mine' function Mine:polish() end
      > ?Mine
      class Mine, a subclass of Dense
      ...methods: polish
    ]]
  end)

  at_terminal("documents expressions other than paths of names", function()
    session [[
      > ?
      ...?name prints documentation: ?nd.softmax
      > x = 5
      > ?x:reshape
      Reshape
      > ?x.y.z
      ...nothing is called x.y.z
      > ?nn.Dense(3)
      ...?name prints documentation
      > :time
      ...:time code runs the code
      > :load
      ...:load file runs the file
      > 'li' .. 've'
      live
    ]]
  end)

  at_terminal("wraps its help at the width of the terminal", function()
    for _, columns in ipairs { 50, 80 } do
      local output = session(("[size %d]\n> ?net.collect_params\n> ?nn.Dense\n> ?nd.FullyConnected\n"):format(columns),
        { arguments = "-i " .. command.file "net = require 'hybridlua'.gluon.nn.Dense(3)" })
      local widest = 0
      for line in output:gmatch "[^\r\n]+" do
        if not line:find "\27" and not line:find "%(hybridlua/" and line:find "^  " then
          widest = math.max(widest, #line)
        end
      end
      assert.truthy(widest <= columns and widest > columns - 15, columns .. ": " .. widest .. output)
    end
  end)

  at_terminal("has commands for help, variables, memory, time and the shell", function()
    session [[
      > ?nd.sum
      ...keepdims: bool, default false
      ...[ 6. 15.]
      > ?autograd.record
      ...Records operators
      > ?nd.no_such
      nothing is called nd.no_such
      > local n = {5}
      > ?n
      {5}
      > :help
      ...:time code
      > y = nd.ones{2, 3}
      > :who
      ...NDArray 2x3 float32
      > :mem
      ...MiB live
      > :time 6 * 111
      666
      ... ms
      > $ echo shell-$((40 + 5))
      shell-45
      > :nonsense
      :nonsense is not a command
    ]]
  end)
end)
