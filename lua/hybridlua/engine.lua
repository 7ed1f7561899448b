-- engine.lua - hl.engine: MXNet joins operators into bulks that its threads run. Operators run at once here, so the
-- size is kept and changes nothing.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"

local engine = {}

local bulk_size = 15                                -- MXNet's default

--- set_bulk_size(size): keeps the size of bulks, which has no effect; returns the one before.
function engine.set_bulk_size(size)
  local before = bulk_size
  bulk_size = checks.whole("engine.set_bulk_size: size", size, 0)
  return before
end

--- bulk(size, fn): calls fn with that size of bulks, and returns its results; without fn a scope, local _ <close> =
-- engine.bulk(15).
function engine.bulk(size, fn)
  local before = engine.set_bulk_size(size)
  local scope = setmetatable({}, { __close = function() bulk_size = before end })
  if fn == nil then return scope end
  local _ <close> = scope
  return checks.callable("engine.bulk: fn", fn, "no arguments")()
end

arguments.functions(engine, "engine.", { set_bulk_size = "size", bulk = "size fn" })

return require "hybridlua.language.module"(engine, "hybridlua.engine")
