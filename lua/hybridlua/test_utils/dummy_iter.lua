-- test_utils/dummy_iter.lua - DummyIter: an iterator that repeats one batch, to measure speed without reading data.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local DataIter = require("hybridlua").io.DataIter

--- DummyIter(real_iter): always returns the first batch of an hl.io.DataIter, and never ends.
local DummyIter = DataIter:subclass "DummyIter"

local read = arguments.new("DummyIter", "real_iter")

function DummyIter:init(...)
  local real = read(...).real_iter
  if type(real) ~= "table" or not real.next then
    fail("DummyIter: real_iter: expected an hl.io.DataIter, got %s", type(real))
  end
  DataIter.init(self, real.batch_size)
  self.real_iter, self.provide_data, self.provide_label = real, real.provide_data, real.provide_label
  self.the_batch = real:next() or fail "DummyIter: real_iter: expected an iterator with a batch left; call reset()"
end

function DummyIter:next() return self.the_batch end
function DummyIter:reset() end

arguments.as_above(DummyIter)

return DummyIter
