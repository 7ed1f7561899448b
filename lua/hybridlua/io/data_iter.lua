-- io/data_iter.lua - DataIter: the base of all iterators of batches.
--
--   iter:reset()
--   for batch in iter do ... batch.data[1], batch.label[1], batch.pad ... end        -- until the pass ends
--   for i, batch in pairs(iter) do ... end                                           -- i from 0
--
-- A loop continues where the iterator is: only reset begins a new pass, as in MXNet. Where Python raises StopIteration,
-- next returns nil.
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local DataBatch = require "hybridlua.io.batches".DataBatch

local DataIter = class.root("DataIter", class.new, "iter")

local read = arguments.new("DataIter", "batch_size", { batch_size = 0 })

--- DataIter(batch_size = 0): the base class. Your own iterator, DataIter:subclass "Mine", has the fields batch_size,
-- provide_data and provide_label (lists of DataDescs) and defines reset, and next or iter_next, getdata and getlabel.
function DataIter:init(...) self.batch_size = read(...).batch_size end

--- Begins a new pass.
function DataIter:reset() end

--- Moves to the next batch; returns whether there is one.
function DataIter:iter_next()
  local name = class.of(self).__name__
  fail("%s: neither next nor iter_next is defined; write function %s:next() ... end", name, name)
end

--- The data of the current batch, a list of arrays.
function DataIter:getdata() return nil end
--- The labels of the current batch, a list of arrays.
function DataIter:getlabel() return nil end
--- The numbers of the current batch's samples, or nil.
function DataIter:getindex() return nil end
--- The number of samples that only fill the current batch.
function DataIter:getpad() return nil end

--- The next DataBatch; nil after the last one.
function DataIter:next()
  if not self:iter_next() then return nil end
  return DataBatch { data = self:getdata(), label = self:getlabel(), pad = self:getpad(), index = self:getindex() }
end

function DataIter:__call() return self:next() end

-- What progress bars and loops with a number go over.
function DataIter:_pass() return function() return self:next() end end

function DataIter:__pairs()
  local i = -1
  return function()
    local batch = self:next()
    if batch == nil then return nil end
    i = i + 1
    return i, batch
  end
end

arguments.methods(DataIter, "DataIter.",
  { reset = "", iter_next = "", getdata = "", getlabel = "", getindex = "", getpad = "", next = "" })

return { DataIter = DataIter }
