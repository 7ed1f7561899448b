-- ndarray_iter_spec.lua - hl.io.NDArrayIter: batches of arrays. The batches are those of MXNet 1.9.1 for the same
-- arguments.
local hl = require "hybridlua"
local nd, io_ = hl.nd, hl.io

local x, y = nd.arange(10):reshape { 5, 2 }, nd.arange(5)

local function text(array) return table.concat(array:totable(), " ") end

-- The first column of each batch's data, its labels and pad, as a line.
local function pass(iter)
  local lines = {}
  for batch in iter do
    lines[#lines + 1] = ("%s | %s | %d"):format(text(batch.data[1][":, 0"]), text(batch.label[1]), batch.pad)
  end
  return lines
end

describe("NDArrayIter", function()
  it("fills the last batch from the beginning", function()
    local iter = io_.NDArrayIter(x, y, 4)
    local lines = { "0.0 2.0 4.0 6.0 | 0.0 1.0 2.0 3.0 | 0", "8.0 0.0 2.0 4.0 | 4.0 0.0 1.0 2.0 | 3" }
    assert.same(lines, pass(iter))
    assert.same({}, pass(iter))                       -- until reset
    iter:reset()
    assert.same(lines, pass(iter))
    local twelve = io_.NDArrayIter(x, y, 12):next()
    assert.same({ 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1 }, twelve.label[1]:totable())
    assert.equal(7, twelve.pad)
  end)

  it("leaves it out with discard", function()
    local iter = io_.NDArrayIter(x, y, 4, { last_batch_handle = "discard" })
    for _ = 1, 2 do
      assert.same({ "0.0 2.0 4.0 6.0 | 0.0 1.0 2.0 3.0 | 0" }, pass(iter))
      iter:reset()
    end
  end)

  it("completes it in the next pass with roll_over", function()
    local iter = io_.NDArrayIter(x, y, 4, { last_batch_handle = "roll_over" })
    assert.same({ "0.0 2.0 4.0 6.0 | 0.0 1.0 2.0 3.0 | 0" }, pass(iter))
    iter:reset()
    assert.same({ "8.0 0.0 2.0 4.0 | 4.0 0.0 1.0 2.0 | 1" }, pass(iter))
    iter:reset()
    assert.same({ "6.0 8.0 0.0 2.0 | 3.0 4.0 0.0 1.0 | 2" }, pass(iter))
    iter:hard_reset()
    assert.same({ "0.0 2.0 4.0 6.0 | 0.0 1.0 2.0 3.0 | 0" }, pass(iter))
  end)

  it("shuffles each pass, data and labels alike", function()
    hl.random.seed(2)
    local n = 50
    local iter = io_.NDArrayIter(nd.arange(n):reshape { n, 1 }, nd.arange(n) * 2, 10, { shuffle = true })
    local orders = {}
    for epoch = 1, 2 do
      local seen = {}
      for batch in iter do
        assert.bits(batch.data[1]:reshape { -1 } * 2, batch.label[1])
        for _, value in ipairs(batch.data[1]:reshape({ -1 }):totable()) do seen[#seen + 1] = value end
      end
      orders[epoch] = table.concat(seen, " ")
      table.sort(seen)
      assert.same(nd.arange(n):totable(), seen)
      iter:reset()
    end
    assert.are_not.equal(orders[1], orders[2])
  end)

  it("names several arrays, and sorts tables by name", function()
    local iter = io_.NDArrayIter({ x, x }, { b = y, a = y }, 2)
    assert.equal("DataDesc[_0_data,(2, 2),float32,NCHW]", tostring(iter.provide_data[1]))
    assert.equal("_1_data", iter.provide_data[2].name)
    assert.equal("a", iter.provide_label[1][1])
    assert.is_true(iter.provide_label[2].shape == { 2 })
    assert.equal("data", io_.NDArrayIter({ x }).provide_data[1].name)
    assert.same({}, io_.NDArrayIter(x, { batch_size = 2 }).provide_label)
    assert.equal("int32", io_.NDArrayIter(x:astype "int32").provide_data[1].dtype)
    local named = io_.NDArrayIter { data = { { 1, 2 }, { 3, 4 } }, label = { 5, 6 }, batch_size = 2, data_name = "in" }
    assert.equal("in", named.provide_data[1].name)
    assert.same({ { 1, 2 }, { 3, 4 } }, named:next().data[1]:totable())
  end)

  it("batches along the axis of the layout", function()
    local iter = io_.NDArrayIter(nd.arange(12):reshape { 2, 6 }, nil, 3, { layout = "TN" })
    assert.is_true(iter.provide_data[1].shape == { 2, 3 })
    assert.same({ { 0, 1, 2 }, { 6, 7, 8 } }, iter:next().data[1]:totable())
  end)

  it("works by next, iter_next and numbered loops", function()
    local iter = io_.NDArrayIter(x, y, 2)
    assert.equal("DataBatch: data shapes: [(2, 2)] label shapes: [(2,)]", tostring(iter:next()))
    assert.is_true(iter:iter_next())
    assert.same({ 2, 3 }, iter:getlabel()[1]:totable())
    assert.same({ { 4, 5 }, { 6, 7 } }, iter:getdata()[1]:totable())
    assert.equal(0, iter:getpad())
    assert.is_nil(iter:getindex())
    iter:reset()
    local numbers = {}
    for i, batch in pairs(iter) do numbers[#numbers + 1] = i + batch.pad end
    assert.same({ 0, 1, 3 }, numbers)
    assert.is_nil(iter:next())
    assert.raises(function() iter:getdata() end, "NDArrayIter: there is no current batch; call iter:reset%(%)")
  end)

  it("refuses what it cannot iterate over", function()
    assert.raises(function() io_.NDArrayIter() end, "NDArrayIter: data: expected an NDArray, a list of them or a table")
    assert.raises(function() io_.NDArrayIter {} end, "NDArrayIter: data: expected an NDArray")
    assert.raises(function() io_.NDArrayIter "a" end, "NDArrayIter: data: expected .*, got string")
    assert.raises(function() io_.NDArrayIter(x, nd.ones { 3 }) end,
      "NDArrayIter: softmax_label: expected 5 samples, as in data, got 3")
    assert.raises(function() io_.NDArrayIter(x, y, 0) end, "NDArrayIter: batch_size: expected an integer of 1 or more")
    assert.raises(function() io_.NDArrayIter(x, y, 2, { last_batch_handle = "keep" }) end,
      "NDArrayIter: last_batch_handle: expected 'pad', 'discard' or 'roll_over', got 'keep'")
    assert.raises(function() io_.NDArrayIter(x, y, 2, { shufle = true }) end,
      "NDArrayIter: unknown option 'shufle'; did you mean 'shuffle'%?")
    assert.raises(function() io_.NDArrayIter(x, y, 2, { layout = "TC" }) end,
      "NDArrayIter: layout: expected .* letter N")
    assert.raises(function() io_.NDArrayIter(nd.zeros { 0, 2 }) end, "NDArrayIter: data: expected at least one sample")
  end)
end)
