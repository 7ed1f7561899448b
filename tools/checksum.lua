-- checksum.lua [oracle | graphs | trainings | draw] - prints a checksum of the bits that each subject computes, sorted
-- by name, to compare two builds:
--
--   ./hybridlua tools/checksum.lua > new; (cd OLD; ./hybridlua tools/checksum.lua) > old; diff old new
--
-- Subjects are the cases of spec/oracle (called, evaluated and bound; outputs, gradients, states), 200 random graphs
-- (eager, hybridized and fused; outputs, gradients, second gradients), and trainings on the digits (final weights).
-- If a subject fails, the error's text replaces the checksum. The graphs are stored in spec/support/graphs.lua, because
-- random graphs depend on a build's rows; `draw` prints a new version of that file.
--
-- checksum.lua rows | steps [eager | hybridized | reloaded] [small] [each]
--
-- Prints one checksum that does not depend on threads, vector width, compiler or mode (requirements for the processor:
-- src/kernels/matmul/product_order.h). rows: all rows except LAPACK's, in float32, integers and bool, with gradients.
-- steps: 300 steps of five trainings. small: sizes for a slow machine. each: one checksum per row or network, to find
-- differences.
package.path = "./spec/?.lua;" .. package.path
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nn = hl.gluon.nn
local nd, autograd = hl.nd, hl.autograd
local bit_sum = require "support.bit_sum"
local fuzz = require "support.fuzz"
local fuzz_common = require "support.fuzz_common"
local fuzz_run = require "support.fuzz_run"
local five_trainings = require "support.five_trainings"
local layer_cases = require "support.layer_cases"
local oracle = require "support.oracle"
local row_cases = require "support.row_cases"

local N_GRAPHS, MOST_GRAPH_TEXT = 200, 3000

-- ---- Checksums ------------------------------------------------------------------------------------

local lines = {}

-- fn(sum) adds the subject's results to the checksum.
local function subject(name, fn)
  local sum = bit_sum.new()
  hl.random.seed(0)
  local ok, message = pcall(fn, sum)
  local text = ok and sum:hex() or "error: " .. tostring(message):gsub("^[^\n]-:%d+: ", ""):gsub("\n.*", "")
  lines[#lines + 1] = ("%s  %s"):format(name, text)
end

-- ---- Cases, graphs, trainings ---------------------------------------------------------------------

local function oracle_case(case, way, file)
  subject(("oracle %s %s"):format(case.name, way), function(sum)
    local result = oracle[way](case, file)
    sum:list(result.outputs)
    sum:by_number(result.grads)
    sum:by_number(result.aux)
  end)
end

local function oracle_lines()
  local file = os.tmpname()
  for _, case in ipairs(oracle.cases) do
    if core.op.row(case.op) then
      for _, way in ipairs(oracle.ways(case)) do oracle_case(case, way, file) end
    end
  end
  os.remove(file)
end

-- Errors count as results of a graph, but their texts do not.
local function add_results(sum, results)
  for _, r in ipairs(results) do
    sum:text(r.what)
    if r.held then sum:array(r.held) else sum:text(r.text or "nothing") end
  end
end

local function graph_lines()
  local by_name = {}
  for _, mode in ipairs(fuzz_common.modes) do by_name[mode.name] = mode end
  for number, text in ipairs(require "support.graphs") do
    local run = assert(load(fuzz_run.whole(text), "=script", "t", fuzz.environment())) "run"
    local heads = {}
    for _, mode in ipairs { fuzz_common.eager, by_name.hybridized, by_name.fused } do
      subject(("graph %03d %s"):format(number, mode.name), function(sum)
        local ok, results = fuzz_common.run_in(mode, run, mode ~= fuzz_common.eager, heads)
        if not ok then error(results, 0) end
        add_results(sum, results)
      end)
    end
  end
end

local function digits()
  local images, labels = hl.gluon.data.DataLoader(hl.gluon.data.vision.Digits { train = true }, 32):batches()()
  return images:reshape({ 0, -1 }):astype "float32" / 255, labels
end

-- The perceptron of examples/train.lua, 30 steps on a batch.
local function training(way)
  subject("training " .. way, function(sum)
    local x, labels = digits()
    local net = nn.HybridSequential { prefix = "digits_" }
    net:name_scope(function()
      net:add(nn.Dense(64, { activation = "relu" }), nn.Dropout(0.25), nn.Dense(32, { activation = "relu" }), nn.Dropout(0.25), nn.Dense(10))
    end)
    net:initialize(hl.init.Xavier())
    local loss_of = hl.gluon.loss.SoftmaxCrossEntropyLoss()
    local trainer = hl.gluon.Trainer(net:collect_params(), "adam", { learning_rate = 0.004 })
    if way == "hybridized" then
      net:hybridize()
      loss_of:hybridize()
    end
    net(x)
    local function step(_, images, answers)
      local losses = autograd.record(function() return loss_of(net(images), answers) end)
      losses:backward()
      trainer:step(32)
      return losses
    end
    local fn = way == "compiled" and hl.compile(step) or function(...) return step(nd, ...) end
    for _ = 1, 30 do sum:array(fn(x, labels)) end
    for _, param in net:collect_params():items() do sum:array(param:data()) end
  end)
end

local function training_lines()
  for _, way in ipairs { "eager", "hybridized", "compiled" } do
    fuzz_common.run_in({ debug = { jit = "sync" } }, training, way)
  end
end

-- ---- One checksum -----------------------------------------------------------------------------------

-- The dimensions that replace those of rows' examples, and the divisor of layers' sizes.
local ROW_SIZES, LAYER_PART, STEPS = { 17, 33, 1025 }, 1, 300
local SMALL_ROW_SIZES, SMALL_LAYER_PART, SMALL_STEPS = { 17 }, 8, 30

-- A call that fails must fail everywhere.
local function add_case(sum, name, results)
  sum:text(name)
  if results then sum:list(results) else sum:text "fails" end
end

local function rows_of(add, way, small)
  core.host.take_printed(true)
  for _, op in ipairs(core.op.rows()) do
    if not (op.internal or op.lapack) then
      local sum = bit_sum.new()
      for _, case in ipairs(row_cases.of(op, small and SMALL_ROW_SIZES or ROW_SIZES)) do
        add_case(sum, case.name, (row_cases.run(case, way == "hybridized")))
      end
      add(op.name, sum)
    end
  end
  for _, case in ipairs(layer_cases.all) do
    local sum = bit_sum.new()
    add_case(sum, case.name, layer_cases.run(case, small and SMALL_LAYER_PART or LAYER_PART, way == "hybridized"))
    add(case.name, sum)
  end
end

local function steps_of(add, way, small)
  for _, name in ipairs(five_trainings.names) do
    local sum = bit_sum.new()
    sum:list(five_trainings.run(name, way, small and SMALL_STEPS or STEPS, small))
    add(name, sum)
  end
end

local WHOLE = { rows = rows_of, steps = steps_of }
local WAYS = { rows = { "eager", "hybridized" }, steps = { "eager", "hybridized", "reloaded" } }

local function whole_line(kind, way, small, each)
  local total = bit_sum.new()
  WHOLE[kind](function(name, sum)
    if each then lines[#lines + 1] = ("%s %s: %s  %s"):format(kind, way, name, sum:hex()) end
    total:word(sum.hash)
  end, way, small)
  lines[#lines + 1] = ("%s %s  %s"):format(kind, way, total:hex())
end

local function whole_lines(kind, words)
  local asked, ways = {}, {}
  for _, word in ipairs(words) do asked[word] = true end
  for _, way in ipairs(WAYS[kind]) do if asked[way] then ways[#ways + 1] = way end end
  assert(fuzz_common.run_in({ debug = { jit = "sync" } }, function()
    for _, way in ipairs(#ways > 0 and ways or WAYS[kind]) do whole_line(kind, way, asked.small, asked.each) end
    return true
  end))
end

-- ---- Drawing new graphs ------------------------------------------------------------------------

-- Short graphs that run eagerly without errors.
local function is_good(text)
  local run = assert(load(fuzz_run.whole(text), "=script", "t", fuzz.environment())) "run"
  local ok, results = pcall(run, false, {})
  if not ok or #text > MOST_GRAPH_TEXT then return false end
  for _, r in ipairs(results) do if r.message then return false end end
  return true
end

local function draw()
  print "-- graphs.lua - random graphs as text (tools/checksum.lua draw): those of fuzz.lua in whose eager run nothing fails."
  print "return {"
  local n, seed = 0, 0
  while n < N_GRAPHS do
    seed = seed + 1
    local graph = fuzz.graph(seed)
    local text = graph and fuzz_run.text(graph)
    if text and is_good(text) then
      n = n + 1
      print(("[==[\n%s]==],"):format(text))
    end
  end
  print "}"
end

-- ---- The choice -------------------------------------------------------------------------------------

local KINDS = { oracle = oracle_lines, graphs = graph_lines, trainings = training_lines }
local what = arg[1]
if what == "draw" then return draw() end
if what and not (KINDS[what] or WHOLE[what]) then
  error(("expected oracle, graphs, trainings, rows, steps or draw, got '%s'"):format(what), 0)
end
for kind, fn in pairs(KINDS) do
  if not what or what == kind then fn() end
end
if WHOLE[what] then whole_lines(what, { table.unpack(arg, 2) }) end
table.sort(lines)
print(table.concat(lines, "\n"))
