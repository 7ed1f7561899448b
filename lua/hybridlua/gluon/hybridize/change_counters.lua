-- change_counters.lua - counters of changes that compiled calls may depend on. While they stay the same, a call of a
-- hybridized block need not check blocks.
--   blocks   changes that no guard checks: a parameter's array, children, a hook, a class, hybridize()
--   fields   those and changes of any block's field, which guards check (gluon/hybridize/trace_guards.lua)
--   modules  functions of nd and other parts of our modules that were replaced or restored: existing traces may have
--            called them, and are made again
-- And `made`, the number of blocks so far.
local core = require "hybridlua.core"
local blocks_changed, fields_changed = core.call.blocks_changed, core.call.fields_changed

local counters = { blocks = 1, fields = 1, modules = 1, made = 0 }

function counters.touch()
  counters.blocks, counters.fields = counters.blocks + 1, counters.fields + 1
  blocks_changed()
end

function counters.touch_fields()
  counters.fields = counters.fields + 1
  fields_changed()
end

function counters.touch_modules()
  counters.modules = counters.modules + 1
  blocks_changed()
end

return counters
