-- contrib/older_autograd.lua - hl.contrib.autograd: the older interface of autograd, in terms of hl.autograd. Numbers
-- of arguments begin at 0, as in MXNet.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local autograd = require "hybridlua.autograd"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local older = { mark_variables = autograd.mark_variables }

--- set_is_training(is_train): sets both recording and training mode; returns whether training mode was set.
function older.set_is_training(is_train)
  checks.boolean("contrib.autograd.set_is_training: is_train", is_train)
  autograd.set_recording(is_train)
  return autograd.set_training(is_train)
end

--- train_section(fn): autograd.record; without fn a scope, local _ <close> = train_section().
function older.train_section(fn) return autograd.record(fn) end

--- test_section(fn): autograd.pause; without fn a scope.
function older.test_section(fn) return autograd.pause(fn) end

--- backward(outputs, out_grads, retain_graph = false): gradients of all marked arrays.
function older.backward(outputs, out_grads, retain_graph) autograd.backward(outputs, out_grads, retain_graph) end

--- compute_gradient(outputs): the same with gradients of ones.
function older.compute_gradient(outputs) autograd.backward(outputs) end

-- The arguments to differentiate by: all, or those of the numbers in argnum.
local function chosen(what, args, argnum)
  local list = {}
  if argnum == nil then
    for i = 1, args.n do list[i] = args[i] end
  else
    for i, n in ipairs(is_plain(argnum) and argnum or { argnum }) do
      n = checks.whole(what .. ": argnum", n, 0)
      if n >= args.n then
        fail("%s: argnum: expected less than %d, the number of arguments, got %d", what, args.n, n)
      end
      list[i] = args[n + 1]
    end
  end
  for i, x in ipairs(list) do
    if not is_array(x) then fail("%s: type of autograd input should be NDArray, got %s as number %d", what, type(x),
      i - 1) end
  end
  return list
end

--- grad_and_loss(func, argnum = nil): a function that calls func and returns the list of gradients with respect to its
-- arguments, and func's result. argnum: the number of one argument, or a list of numbers; nil: all.
function older.grad_and_loss(func, argnum)
  checks.callable("grad_and_loss: func", func, "arrays")
  return function(...)
    local variables, gradients = chosen("grad_and_loss", table.pack(...), argnum), {}
    for i, x in ipairs(variables) do gradients[i] = nd.zeros_like(x) end
    autograd.mark_variables(variables, gradients)
    local args = table.pack(...)
    local outputs = autograd.record(function() return func(table.unpack(args, 1, args.n)) end)
    autograd.backward(outputs)
    return gradients, outputs
  end
end

--- grad(func, argnum = nil): the same without func's result.
function older.grad(func, argnum)
  local both = older.grad_and_loss(func, argnum)
  return function(...) return (both(...)) end
end

arguments.functions(older, "contrib.autograd.", {
  set_is_training = "is_train", train_section = "fn", test_section = "fn",
  backward = "outputs[] out_grads[] retain_graph", compute_gradient = "outputs[]", grad_and_loss = "func argnum[]",
  grad = "func argnum[]",
})

return require "hybridlua.language.module"(older, "hybridlua.contrib.autograd")
