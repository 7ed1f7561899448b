-- change_counters.lua - numbers that grow with what compiled calls may depend on. While they stand still, a call of a
-- hybridized block has nothing to look for in blocks.
--   blocks   what no guard looks at changed: the array of a parameter, children, a hook, a class, hybridize()
--   fields   so did that, or a field of some block: guards look at these (gluon/hybridize/trace_guards.lua)
-- A third one, modules, grows when a script replaces a function of nd or another part of a module of ours, or puts it
-- back: what was traced before may have called it, and is traced again.
local core = require "hybridlua.core"
local blocks_changed, fields_changed = core.call.blocks_changed, core.call.fields_changed

local version = { blocks = 1, fields = 1, modules = 1 }

function version.touch()
  version.blocks, version.fields = version.blocks + 1, version.fields + 1
  blocks_changed()
end

function version.touch_fields()
  version.fields = version.fields + 1
  fields_changed()
end

function version.touch_modules()
  version.modules = version.modules + 1
  blocks_changed()
end

return version
