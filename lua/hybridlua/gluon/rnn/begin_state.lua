-- begin_state.lua - the states that a sequence begins with, as begin_state makes them.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local script = require "hybridlua.language.script_line"
local is_plain, nd, sym = core.script.is_plain, core.op.nd, core.op.sym

local begin = {}

--- The arguments of begin_state: options that it does not know are func's, {ctx = hl.cpu(1)}.
begin.ARGUMENTS = "batch_size func options{*}"

--- A state of block, as its state_info describes it: func of the shape and the options. A function of ours gets the
-- name too, which Symbols have; sym.var also gets the layout.
function begin.state(block, info, name, func, options)
  func, options = func or nd.zeros, options or {}
  if type(func) ~= "function" and not (getmetatable(func) or {}).__call then
    fail("%s: begin_state: func: expected a function, got %s", block.name, type(func))
  end
  if not is_plain(options) then
    fail("%s: begin_state: options: expected a table, got %s", block.name, type(options))
  end
  if not (type(func) == "function" and script.is_own(func)) then return func(info.shape, options) end
  local given = { shape = info.shape, name = name }
  if func == sym.var or func == sym.Variable then given.__layout__ = info.__layout__ end
  for key, value in pairs(options) do given[key] = value end
  return func(given)
end

--- Refuses a cell that another one has inside. modifier: such a cell, for the message.
function begin.refuse_modified(cell, modifier)
  if modifier_state.is_modified(cell) then
    fail("After applying modifier cells (e.g. %s) the base cell cannot be called directly. Call the modifier cell " ..
      "instead.", modifier)
  end
end

return begin
