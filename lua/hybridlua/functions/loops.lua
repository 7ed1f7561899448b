-- functions/loops.lua - F.foreach, F.while_loop, F.cond: see hybridlua/control.lua.
local arguments = require "hybridlua.language.arguments"
local control = require "hybridlua.control"

local functions = {}

local read_foreach = arguments.new("foreach", "body data states{} name")

--- foreach(body, data, states): calls body(item, states) for each row of data along its first axis; body returns
-- outputs and new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data,
-- states and outputs are arrays or lists of them, and keep their form. Other arrays that body reads are captured, with
-- their gradients; each call counts as one block call. In a graph, body runs once and the loop is one node. Options:
-- name.
function functions.foreach(...)
  local o = read_foreach(...)
  return control.foreach(o.body, o.data, o.states, o.name)
end

local read_while = arguments.new("while_loop", "cond func loop_vars{} max_iterations name")

--- while_loop(cond, func, loop_vars, {max_iterations = n}): calls func(vars...), which returns outputs and new
-- variables, while cond(vars...) is true, at most n times. Returns the outputs, stacked along a new first axis of n
-- rows (zeros for steps not taken), and the last variables. In a graph cond and func run once. Options: max_iterations
-- (required), name.
function functions.while_loop(...)
  local o = read_while(...)
  return control.while_loop(o.cond, o.func, o.loop_vars, o.max_iterations, o.name)
end

local read_cond = arguments.new("cond", "pred then_func else_func name")

--- cond(pred, then_func, else_func): returns the results of then_func() if pred is true, else those of else_func().
-- pred is an array of one element, a number or a boolean. In a graph both run once and must return the same form and
-- type; only the branch taken is computed. Options: name.
function functions.cond(...)
  local o = read_cond(...)
  return control.cond(o.pred, o.then_func, o.else_func, o.name)
end

return { functions = functions, no_method = { foreach = true, while_loop = true, cond = true } }
