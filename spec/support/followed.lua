-- followed.lua - running a function under core.follow, with a record of the values that it read.
local core = require "hybridlua.core"
local walked = require "hybridlua.gluon.hybridize.walked_keys"

local followed = {}

local Record = {}
Record.__index = Record

--- Describes the first place whose value has changed, or nil.
function Record:broken()
  local i, now = core.guard.first_broken(self.guards)
  if not i then return nil end
  local place = self.list[i]
  return ("%s %s: %s, now %s"):format(place.kind, tostring(place.key), tostring(place.value), tostring(now))
end

--- Runs f(...); returns the record, then the results. Raises f's errors, and refusals.
function followed.run(f, ...) return followed.with({}, f, ...) end

local Ending = { __close = function() core.follow.finish() end }

--- The same with options of core.follow.begin, such as `refused`: further C functions that must not run.
function followed.with(options, f, ...)
  local results
  local list, info
  options.judge = options.judge or function() return true end
  do
    local _ <close> = setmetatable({}, Ending)
    core.follow.begin(options)
    results = table.pack(f(...))
    list, info = core.follow.finish()
  end
  if info.refusal then error(info.refusal, 0) end
  if info.starved then error("not enough memory", 0) end
  local places = {}
  for _, place in ipairs(list) do if not place.dropped then places[#places + 1] = place end end
  places = walked.merge(places)
  return setmetatable({ list = places, guards = core.guard.new(places), events = info.events }, Record),
    table.unpack(results, 1, results.n)
end

return followed
