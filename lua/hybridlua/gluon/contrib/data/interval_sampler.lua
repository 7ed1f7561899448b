-- contrib/data/interval_sampler.lua - IntervalSampler: every n-th index.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local Sampler = require("hybridlua.gluon.data.sampler").Sampler

local nd = core.op.nd

local IntervalSampler = Sampler:subclass "IntervalSampler"

local read = arguments.new("IntervalSampler", "length interval rollover", { rollover = true })

--- IntervalSampler(length, interval, {rollover = true}): 0, interval, 2 interval, ... below length; with rollover then
-- 1, 1 + interval, ... until all indices are used. Errors: an interval above length.
function IntervalSampler:init(...)
  local options = read(...)
  self.length = checks.whole("IntervalSampler: length", options.length, 1)
  self.interval = checks.whole("IntervalSampler: interval", options.interval, 1)
  self.rollover = checks.boolean("IntervalSampler: rollover", options.rollover)
  if self.interval > self.length then
    fail("Interval %d must be smaller than or equal to length %d", self.interval, self.length)
  end
end

function IntervalSampler:order()
  local places = {}
  for first = 0, self.rollover and self.interval - 1 or 0 do
    for at = first, self.length - 1, self.interval do places[#places + 1] = at end
  end
  return nd.array(places, { dtype = "int64" })
end

-- MXNet's length counts all samples even without rollover; here it is what a pass gives.
function IntervalSampler:__len()
  return self.rollover and self.length or (self.length + self.interval - 1) // self.interval
end

arguments.as_above(IntervalSampler)

return IntervalSampler
