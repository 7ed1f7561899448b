-- test_utils/graphs.lua - checks of Symbols and networks: structure, speed, eager against hybridized.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local checks = require "hybridlua.language.argument_checks"
local compare = require "hybridlua.test_utils.compare"
local fail = require "hybridlua.language.fail"
local initializer = require "hybridlua.initializer"
local python = require "hybridlua.language.python_text"
local is_array, is_symbol, is_plain, seconds_now = core.array.is, core.symbol.is, core.script.is_plain,
  core.host.seconds

local nd = core.op.nd
local graphs = {}

local function check_symbol(what, x)
  if not is_symbol(x) then fail("%s: expected a Symbol, got %s", what, type(x)) end
  return x
end

--- same_symbol_structure(sym1, sym2): whether the nodes of both have the same operators in the same order.
function graphs.same_symbol_structure(sym1, sym2)
  local function operators(what, symbol)
    local list = {}
    for i, node in ipairs(python.from_json(check_symbol("same_symbol_structure: " .. what, symbol):tojson()).nodes) do
      list[i] = node.op
    end
    return table.concat(list, " ")
  end
  return operators("sym1", sym1) == operators("sym2", sym2)
end

--- check_speed(sym, location, ctx, {N = 20, grad_req = "write", typ = "whole", ...}): seconds for each of N runs of an
-- Executor, forward and backward ("whole") or forward only ("forward"). location: arrays by name; nil: random ones of
-- the further options' shapes.
local read_speed = arguments.new("check_speed", "sym location{} ctx N grad_req typ shapes{*}",
  { N = 20, grad_req = "write", typ = "whole" })

function graphs.check_speed(...)
  local o = read_speed(...)
  check_symbol("check_speed: sym", o.sym)
  checks.choice("check_speed: typ", o.typ, "whole", "forward")
  local shapes = { ctx = o.ctx, grad_req = o.grad_req }
  for name, shape in pairs(o.shapes or {}) do shapes[name] = shape end
  for name, x in pairs(o.location or {}) do shapes[name] = is_array(x) and x.shape or nd.array(x).shape end
  local executor = o.sym:simple_bind(shapes)
  for name, array in pairs(executor.arg_dict) do
    local x = o.location and o.location[name]
    if x == nil then nd.random.normal { shape = array.shape, out = array } else array[{}] = x end
  end
  local function run()
    executor:forward(o.typ == "whole")
    if o.typ == "whole" then executor:backward(executor.outputs) end
  end
  run()
  local begun = seconds_now()
  for _ = 1, checks.whole("check_speed: N", o.N, 1) do run() end
  return (seconds_now() - begun) / o.N
end

-- An initializer that repeats values, by name.
local Repeated = initializer.Initializer:subclass "Repeated"
function Repeated:init(values) self.values = values end
function Repeated:apply(name, array) array:set(self.values[type(name) == "table" and name.name or name]) end

local function outputs_of(net_builder, data, values, hybridize, with_gradients)
  local net, inputs = net_builder { prefix = "net_" }, {}
  net:initialize(values and Repeated(values))
  if hybridize then net:hybridize() end
  for i, x in ipairs(data) do inputs[i] = x:copy() end
  if not with_gradients then return net(table.unpack(inputs)), nil, net end
  for _, x in ipairs(inputs) do x:attach_grad() end
  local out = autograd.record(function() return net(table.unpack(inputs)) end)
  out:backward(out)
  local gradients = {}
  for i, x in ipairs(inputs) do gradients[i] = x.grad end
  return out, gradients, net
end

--- check_gluon_hybridize_consistency(net_builder, data_l, {numpy_func = nil, test_grad = true, rtol = 1e-4, atol =
-- 1e-4}): raises unless a network gives the same outputs and gradients eagerly and hybridized, with and without
-- recording. net_builder{prefix =} makes the network, data_l are its inputs. numpy_func: a function of the same inputs
-- that gives the right outputs.
function graphs.check_gluon_hybridize_consistency(net_builder, data_l, numpy_func, test_grad, rtol, atol)
  local what = "check_gluon_hybridize_consistency"
  checks.callable(what .. ": net_builder", net_builder, "a prefix")
  if not is_plain(data_l) then fail("%s: data_l: expected a list of NDArrays, got %s", what, type(data_l)) end
  rtol, atol = rtol or 1e-4, atol or 1e-4
  local values, first, first_gradients
  for _, hybridize in ipairs { false, true } do
    for _, with_gradients in ipairs { false, test_grad ~= false or nil } do
      local out, gradients, net = outputs_of(net_builder, data_l, values, hybridize, with_gradients)
      if not values then
        values = {}
        for name, parameter in pairs(net:collect_params()) do values[name] = parameter:data():copy() end
      end
      first, first_gradients = first or out, first_gradients or gradients
      compare.assert_almost_equal(out, first, rtol, atol)
      for i, gradient in ipairs(gradients or {}) do
        compare.assert_almost_equal(gradient, first_gradients[i], rtol, atol)
      end
    end
  end
  if numpy_func then compare.assert_almost_equal(first, numpy_func(table.unpack(data_l)), rtol, atol) end
end

arguments.functions(graphs, "test_utils.", {
  same_symbol_structure = "sym1 sym2",
  check_gluon_hybridize_consistency = "net_builder data_l[] numpy_func test_grad rtol atol",
})

return graphs
