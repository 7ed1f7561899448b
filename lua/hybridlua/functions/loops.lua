-- functions/loops.lua - F.foreach, F.while_loop, F.cond: see hybridlua/control.lua.
local arguments = require "hybridlua.language.arguments"
local control = require "hybridlua.control"

local functions = {}

local read_foreach = arguments.new("foreach", "body data states{} name")

--- foreach(body, data, states): body(item, states) for each row of data along its first axis; it returns outputs and
-- new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data, states and
-- outputs are arrays, or lists of them, and come back as they were given. Other arrays that body reads are captured,
-- with their gradients; each call counts as one block call. In a graph body runs once, and the loop is one node.
-- Options: name.
function functions.foreach(...)
  local o = read_foreach(...)
  return control.foreach(o.body, o.data, o.states, o.name)
end

local read_while = arguments.new("while_loop", "cond func loop_vars{} max_iterations name")

--- while_loop(cond, func, loop_vars, {max_iterations = n}): as long as cond(vars...) is true, and n times at most,
-- func(vars...), which returns outputs and new variables. Returns the outputs, stacked along a new first axis of n
-- rows, those of steps that were not made being zeros, and the last variables. In a graph cond and func run once.
-- Options: max_iterations (required), name.
function functions.while_loop(...)
  local o = read_while(...)
  return control.while_loop(o.cond, o.func, o.loop_vars, o.max_iterations, o.name)
end

local read_cond = arguments.new("cond", "pred then_func else_func name")

--- cond(pred, then_func, else_func): what then_func() returns if pred is true, else what else_func() does. pred is an
-- array of one element, or a number or boolean. In a graph both run once, and what they return must be of one form and
-- type; only the branch that is taken is computed. Options: name.
function functions.cond(...)
  local o = read_cond(...)
  return control.cond(o.pred, o.then_func, o.else_func, o.name)
end

return { functions = functions, no_method = { foreach = true, while_loop = true, cond = true } }
