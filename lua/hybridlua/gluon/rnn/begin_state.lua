-- begin_state.lua - initial states of a sequence.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local modifier_state = require "hybridlua.gluon.rnn.modifier_state"
local of_mode = require "hybridlua.np_mode"
local script = require "hybridlua.language.script_line"
local is_plain, nd, sym = core.script.is_plain, core.op.nd, core.op.sym

local begin = {}

--- The arguments of begin_state. Options that it does not read are passed on to func, such as {ctx = hl.cpu(1)}.
begin.ARGUMENTS = "batch_size func options{*}"

--- One initial state of `block`: func(shape, options). A function of hybridlua also receives the name, for Symbols;
-- sym.var receives the layout too.
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
  return of_mode(func(given))
end

--- Raises if the cell is inside another one; modifier: the other's class, for the error.
function begin.refuse_modified(cell, modifier)
  if modifier_state.is_modified(cell) then
    fail("After applying modifier cells (e.g. %s) the base cell cannot be called directly. Call the modifier cell " ..
      "instead.", modifier)
  end
end

return begin
