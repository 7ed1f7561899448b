-- io/derived_iters.lua - iterators made of other iterators: ResizeIter and PrefetchingIter.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local batches = require "hybridlua.io.batches"
local DataIter = require "hybridlua.io.data_iter".DataIter
local is_plain = core.script.is_plain
local DataBatch, DataDesc = batches.DataBatch, batches.DataDesc

-- Both keep the DataBatch that iter_next reached in current_batch.
local Derived = DataIter:subclass "Derived"

function Derived:getdata() return self.current_batch.data end
function Derived:getlabel() return self.current_batch.label end
function Derived:getindex() return self.current_batch.index end
function Derived:getpad() return self.current_batch.pad end
arguments.as_above(Derived)

-- ---- ResizeIter ---------------------------------------------------------------------------------------------------

local ResizeIter = Derived:subclass "ResizeIter"

local read_resize = arguments.new("ResizeIter", "data_iter size reset_internal", { reset_internal = true })

--- ResizeIter(data_iter, size, {reset_internal = true}): passes of `size` batches over another iterator, which is reset
-- whenever it ends; reset_internal: and by reset.
function ResizeIter:init(...)
  local options = read_resize(...)
  self.data_iter = checks.instance("ResizeIter: data_iter", options.data_iter, DataIter, "a DataIter")
  self.size = checks.whole("ResizeIter: size", options.size, 0)
  self.reset_internal = checks.boolean("ResizeIter: reset_internal", options.reset_internal)
  self.cur = 0
  for _, name in ipairs { "provide_data", "provide_label", "batch_size", "default_bucket_key" } do
    self[name] = self.data_iter[name]
  end
end

function ResizeIter:reset()
  self.cur = 0
  if self.reset_internal then self.data_iter:reset() end
end

function ResizeIter:iter_next()
  if self.cur >= self.size then return false end
  local batch = self.data_iter:next()
  if batch == nil then
    self.data_iter:reset()
    batch = self.data_iter:next() or fail "ResizeIter: data_iter: expected an iterator with batches, got an empty one"
  end
  self.current_batch, self.cur = batch, self.cur + 1
  return true
end

arguments.as_above(ResizeIter)

-- ---- PrefetchingIter ----------------------------------------------------------------------------------------------

local PrefetchingIter = Derived:subclass "PrefetchingIter"

local read_prefetching = arguments.new("PrefetchingIter", "iters[] rename_data[] rename_label[]")

-- The descriptions of all iterators in one list; renamed: a table {name = new name} for each iterator.
local function joined(iters, field, renamed)
  local all = {}
  for i, iter in ipairs(iters) do
    for _, desc in ipairs(batches.descriptions("PrefetchingIter: " .. field, iter[field])) do
      local name = renamed and renamed[i] and renamed[i][desc.name] or desc.name
      all[#all + 1] = DataDesc(name, desc.shape, { dtype = desc.dtype, layout = desc.layout })
    end
  end
  return all
end

--- PrefetchingIter(iters, {rename_data = nil, rename_label = nil}): an iterator, or several as one, whose batches have
-- the arrays of all. rename_data: for each iterator a table of new names by the old ones. Batches are made on request,
-- not ahead by a thread as in MXNet: a gluon.data.DataLoader with num_workers makes them ahead. Errors: iterators with
-- different numbers of batches.
function PrefetchingIter:init(...)
  local options = read_prefetching(...)
  self.iters = class.is_a(options.iters, DataIter) and { options.iters } or options.iters
  if not is_plain(self.iters) or #self.iters == 0 then
    fail("PrefetchingIter: iters: expected a DataIter or a list of them, got %s",
      is_plain(self.iters) and "an empty table" or type(self.iters))
  end
  for i, iter in ipairs(self.iters) do
    checks.instance(("PrefetchingIter: iters[%d]"):format(i), iter, DataIter, "a DataIter")
  end
  self.n_iter = #self.iters
  self.rename_data, self.rename_label = options.rename_data, options.rename_label
  self.provide_data = joined(self.iters, "provide_data", self.rename_data)
  self.provide_label = joined(self.iters, "provide_label", self.rename_label)
  self.batch_size = self.iters[1].batch_size
end

function PrefetchingIter:reset()
  for _, iter in ipairs(self.iters) do iter:reset() end
end

function PrefetchingIter:iter_next()
  local first = self.iters[1]:next()
  local data, label = {}, {}
  for i, iter in ipairs(self.iters) do
    local batch = first
    if i > 1 then batch = iter:next() end
    if (batch == nil) ~= (first == nil) or batch and batch.pad ~= first.pad then
      fail "Number of entry mismatches between iterators"
    end
    if batch then
      table.move(batch.data, 1, #batch.data, #data + 1, data)
      table.move(batch.label or {}, 1, #(batch.label or {}), #label + 1, label)
    end
  end
  self.current_batch = first and DataBatch { data = data, label = label, pad = first.pad, index = first.index,
    provide_data = self.provide_data, provide_label = self.provide_label }
  return first ~= nil
end

function PrefetchingIter:next() return self:iter_next() and self.current_batch or nil end

arguments.as_above(PrefetchingIter)

return { ResizeIter = ResizeIter, PrefetchingIter = PrefetchingIter }
