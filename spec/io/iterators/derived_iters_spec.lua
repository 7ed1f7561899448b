-- derived_iters_spec.lua - DataDesc, DataBatch, a script's own DataIter, and the iterators made of others.
local hl = require "hybridlua"
local nd, io_ = hl.nd, hl.io

local x, y = nd.arange(10):reshape { 5, 2 }, nd.arange(5)
local function iterator() return io_.NDArrayIter(x, y, 2) end

local function pads(iter)
  local list = {}
  for batch in iter do list[#list + 1] = batch.pad end
  return list
end

describe("DataDesc", function()
  it("makes lists of descriptions", function()
    local list = io_.DataDesc.get_list({ { "a", { 2 } }, { "b", { 3 } } }, { { "b", "int32" } })
    assert.same({ "DataDesc[a,(2,),float32,NCHW]", "DataDesc[b,(3,),int32,NCHW]" },
      { tostring(list[1]), tostring(list[2]) })
  end)

  it("is a pair of name and shape with dtype and layout", function()
    local desc = io_.DataDesc("data", { 2, 3 }, { dtype = "int32", layout = "TNC" })
    assert.equal("data", desc[1])
    assert.is_true(desc.shape == { 2, 3 } and desc[2] == desc.shape)
    assert.equal("DataDesc[data,(2, 3),int32,TNC]", tostring(desc))
    assert.same({ 1, 0, -1, 0 }, { io_.DataDesc.get_batch_axis "TNC", io_.DataDesc.get_batch_axis "NCHW",
                                   io_.DataDesc.get_batch_axis "TC", io_.DataDesc.get_batch_axis() })
    assert.raises(function() io_.DataDesc("data", 3) end,
      "DataDesc: shape: expected a shape such as {32, 10}, got number")
    assert.raises(function() io_.DataDesc { shape = { 3 } } end, "DataDesc: name: expected a string, got nothing")
  end)
end)

describe("DataBatch", function()
  it("holds lists of arrays", function()
    local batch = io_.DataBatch({ x }, { y }, { pad = 2, bucket_key = 5 })
    assert.same({ 2, 5, x, y }, { batch.pad, batch.bucket_key, batch.data[1], batch.label[1] })
    assert.equal("DataBatch: data shapes: [(5, 2)] label shapes: None", tostring(io_.DataBatch { data = { x } }))
    assert.raises(function() io_.DataBatch(x) end,
      "DataBatch: data: expected a list of NDArrays, got an NDArray; write {x}")
    assert.raises(function() io_.DataBatch({ x }, { 3 }) end,
      "DataBatch: label: expected a list of NDArrays, got number at 1")
  end)
end)

describe("a script's own DataIter", function()
  it("defines next, or the parts of a batch", function()
    local Count = io_.DataIter:subclass "Count"
    function Count:init(n)
      io_.DataIter.init(self, 1)
      self.n, self.i = n, 0
    end
    function Count:reset() self.i = 0 end
    function Count:iter_next()
      self.i = self.i + 1
      return self.i <= self.n
    end
    function Count:getdata() return { nd.full({ 1 }, self.i) } end
    function Count:getpad() return 0 end
    local count, sum = Count(3), 0
    for batch in count do sum = sum + batch.data[1]:asscalar() end
    assert.equal(6, sum)
    assert.is_nil(count:next())
    local Bare = io_.DataIter:subclass "Bare"
    assert.raises(function() Bare():next() end, "Bare: neither next nor iter_next is defined; write function Bare:next")
  end)
end)

describe("ResizeIter", function()
  it("has passes of another length", function()
    local iter = io_.ResizeIter(iterator(), 5)
    assert.same({ 0, 0, 1, 0, 0 }, pads(iter))
    iter:reset()
    assert.same({ 0, 0, 1, 0, 0 }, pads(iter))
    assert.equal("data", iter.provide_data[1].name)
    local going_on = io_.ResizeIter(iterator(), 2, { reset_internal = false })
    assert.same({ 0, 0 }, pads(going_on))
    going_on:reset()
    assert.same({ 1, 0 }, pads(going_on))
    assert.raises(function() io_.ResizeIter(x, 3) end, "ResizeIter: data_iter: expected a DataIter, got userdata")
  end)
end)

describe("PrefetchingIter", function()
  it("joins iterators and renames their inputs", function()
    local iter = io_.PrefetchingIter({ iterator(), iterator() },
      { rename_data = { { data = "left" }, { data = "right" } }, rename_label = { { softmax_label = "l1" }, {} } })
    local names = {}
    for i, desc in ipairs(iter.provide_data) do names[i] = desc.name end
    for i, desc in ipairs(iter.provide_label) do names[i + 2] = desc.name end
    assert.same({ "left", "right", "l1", "softmax_label" }, names)
    local batch = iter:next()
    assert.bits(batch.data[1], batch.data[2])
    assert.equal(2, #batch.label)
    assert.same({ 0, 1 }, pads(iter))
    iter:reset()
    assert.same({ 0, 0, 1 }, pads(iter))
    assert.same({ 0, 0, 1 }, pads(io_.PrefetchingIter(iterator())))
  end)

  it("refuses iterators of different lengths", function()
    local iter = io_.PrefetchingIter { iterator(), io_.NDArrayIter(x["0:2"], y["0:2"], 2) }
    assert.is_not_nil(iter:next())
    assert.raises(function() iter:next() end, "Number of entry mismatches between iterators")
    assert.raises(function() io_.PrefetchingIter {} end,
      "PrefetchingIter: iters: expected a DataIter or a list of them")
  end)
end)
