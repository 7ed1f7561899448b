-- iterators_spec.lua - hl.image.ImageIter and ImageDetIter over record files, list files and lists.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, image, recordio = hl.nd, hl.image, hl.recordio

local folder

-- Five images of one colour each, 0, 10, ..., 40, with their number as label; image 2 has two objects.
setup(function()
  folder = scratch.folder()
  local function records(name)
    return recordio.MXIndexedRecordIO(folder:file(name .. ".idx"), folder:file(name .. ".rec"), "w")
  end
  local plain, objects, list = records "plain", records "objects", {}
  for i = 0, 4 do
    local x = (nd.ones { 6, 8, 3 } * (i * 10)):astype "uint8"
    image.imwrite(folder:file(i .. ".png"), x)
    list[#list + 1] = ("%d\t%d\t%d.png\n"):format(i, i, i)
    plain:write_idx(i, recordio.pack_img(recordio.IRHeader(0, i, i, 0), x))
    local label = { 2, 5, 1, 0.1, 0.2, 0.5, 0.6 }
    if i == 2 then for _, value in ipairs { 0, 0.3, 0.3, 0.9, 0.9 } do label[#label + 1] = value end end
    objects:write_idx(i, recordio.pack_img(recordio.IRHeader(0, label, i, 0), x))
  end
  plain:close()
  objects:close()
  scratch.write(folder:file "all.lst", table.concat(list))
end)

teardown(function() folder:remove() end)

-- The labels of a pass, those of a batch together, with the batch's pad.
local function pass(iter)
  local batches = {}
  for batch in iter do
    local labels = {}
    for i, label in ipairs(batch.label[1]:totable()) do
      labels[i] = ("%d"):format(label)
      assert.equal(10 * label, batch.data[1][i - 1]:mean():asscalar())
    end
    batches[#batches + 1] = table.concat(labels, " ") .. (batch.pad > 0 and " pad " .. batch.pad or "")
  end
  return batches
end

describe("ImageIter", function()
  local function iterator(options)
    options.batch_size, options.data_shape = options.batch_size or 2, { 3, 4, 4 }
    return image.ImageIter(options)
  end

  it("reads record files, list files and lists", function()
    local sources = {
      { path_imgrec = folder:file "plain.rec" },
      { path_imgrec = folder:file "plain.rec", path_imgidx = folder:file "plain.idx" },
      { path_imglist = folder:file "all.lst", path_root = folder.path },
      { imglist = { { 0, "0.png" }, { { 1 }, "1.png" }, { 2, "2.png" }, { 3, "3.png" }, { nd.array { 4 }, "4.png" } },
        path_root = folder.path .. "/" },
    }
    for _, source in ipairs(sources) do
      local iter = iterator(source)
      assert.equal("DataDesc[data,(2, 3, 4, 4),float32,NCHW]", tostring(iter.provide_data[1]))
      assert.equal("softmax_label", iter.provide_label[1].name)
      for _ = 1, 2 do
        assert.same({ "0 1", "2 3", "4 0 pad 1" }, pass(iter))
        assert.is_nil(iter:next())
        iter:reset()
      end
    end
    local renamed = iterator { path_imgrec = folder:file "plain.rec", path_imgidx = folder:file "plain.idx",
      path_imglist = folder:file "all.lst" }
    assert.same({ "0 1", "2 3", "4 0 pad 1" }, pass(renamed))
  end)

  it("discards the last batch, or rolls it over", function()
    local iter = iterator { path_imgrec = folder:file "plain.rec", last_batch_handle = "discard" }
    assert.same({ "0 1", "2 3" }, pass(iter))
    iter = iterator { path_imgrec = folder:file "plain.rec", last_batch_handle = "roll_over" }
    assert.same({ "0 1", "2 3" }, pass(iter))
    iter:reset()
    assert.same({ "4 0", "1 2", "3 4" }, pass(iter))
    iter:reset()
    assert.same({ "0 1", "2 3" }, pass(iter))
    iter:hard_reset()
    assert.same({ "0 1", "2 3" }, pass(iter))
    iter = iterator { path_imgrec = folder:file "plain.rec", batch_size = 7 }
    assert.same({ "0 1 2 3 4 0 1 pad 2" }, pass(iter))
  end)

  it("shuffles by the seed, and reads a part", function()
    local options = { path_imgrec = folder:file "plain.rec", path_imgidx = folder:file "plain.idx", shuffle = true,
                      batch_size = 5 }
    hl.random.seed(1)
    local iter = iterator(options)
    local first = pass(iter)
    iter:reset()
    local second = pass(iter)
    assert.is_true(first[1] ~= second[1] or first[1] ~= "0 1 2 3 4")
    hl.random.seed(1)
    assert.same(first, pass(iterator(options)))
    assert.same({ "2 3" }, pass(iterator { path_imgrec = options.path_imgrec, path_imgidx = options.path_imgidx,
      num_parts = 2, part_index = 1 }))
  end)

  it("passes options on to CreateAugmenter, or takes a list", function()
    local iter = iterator { path_imgrec = folder:file "plain.rec", mean = { 5, 5, 5 }, rand_mirror = true }
    assert.equal(0, (iter:next().data[1][1] - 5):sum():asscalar())
    iter = iterator { path_imgrec = folder:file "plain.rec",
      aug_list = { image.CastAug(), image.ForceResizeAug { 4, 4 } } }
    assert.same({ 2, 3, 4, 4 }, iter:next().data[1].shape)
    iter = iterator { path_imgrec = folder:file "plain.rec", aug_list = {} }
    assert.raises(function() iter:next() end,
      "ImageIter: record 1: expected an image %(4, 4, 3%) from the augmenters, got %(6, 8, 3%)")
  end)

  it("names wrong options and broken files", function()
    local function refused(options, pattern) assert.raises(function() iterator(options) end, pattern) end
    local rec = folder:file "plain.rec"
    refused({}, "iterators_spec.lua:%d+: ImageIter: expected one of path_imgrec, path_imglist and imglist")
    refused({ path_imgrec = rec, rand_cropp = true }, "unknown option 'rand_cropp'; did you mean 'rand_crop'%?")
    refused({ path_imgrec = rec, shuffle = true }, "path_imgidx: expected the index of")
    refused({ path_imgrec = rec .. "x" }, "MXRecordIO: .*No such file")
    refused({ path_imgrec = rec, last_batch_handle = "keep" }, "expected 'pad', 'discard' or 'roll_over', got 'keep'")
    refused({ imglist = { { 1 } } }, "imglist%[1%]: expected labels and a file's name")
    refused({ imglist = {} }, "expected at least one image, got none")
    refused({ path_imgrec = rec, num_parts = 2, part_index = 2, path_imgidx = folder:file "plain.idx" },
      "part_index: expected less than num_parts = 2, got 2")
    assert.raises(function() image.ImageIter { batch_size = 1, data_shape = { 1, 2, 2 }, path_imgrec = rec } end,
      "ImageIter: data_shape: expected 3 channels, got 1")
    scratch.write(folder:file "bad.png", "not a picture")
    local iter = iterator { imglist = { { 1, "bad.png" } }, path_root = folder.path }
    assert.raises(function() iter:next() end, "ImageIter: broken image, file 'bad.png': ")
    scratch.write(folder:file "bad.lst", "0\tx\ta.png\n")
    refused({ path_imglist = folder:file "bad.lst" }, "bad.lst:1: expected a number, labels and a file with tabs")
    iter = iterator { imglist = { { 1, 2, "0.png" } }, path_root = folder.path }
    assert.raises(function() iter:next() end, "file '0.png': expected label_width = 1, got 2 labels")
  end)

  it("reads several labels", function()
    local iter = iterator { imglist = { { 1, 2, "0.png" }, { 3, 4, "1.png" } }, path_root = folder.path,
      label_width = 2 }
    assert.allclose(iter:next().label[1], { { 1, 2 }, { 3, 4 } })
  end)
end)

describe("ImageDetIter", function()
  local function iterator(options)
    options.batch_size, options.data_shape = 2, { 3, 4, 4 }
    options.path_imgrec = folder:file "objects.rec"
    return image.ImageDetIter(options)
  end

  it("fills labels up with -1", function()
    local iter = iterator {}
    assert.equal("DataDesc[label,(2, 2, 5),float32,NCHW]", tostring(iter.provide_label[1]))
    local one = { { 1, 0.1, 0.2, 0.5, 0.6 }, { -1, -1, -1, -1, -1 } }
    assert.allclose(iter:next().label[1], { one, one })
    local batch = iter:next()
    assert.allclose(batch.label[1], { { { 1, 0.1, 0.2, 0.5, 0.6 }, { 0, 0.3, 0.3, 0.9, 0.9 } }, one })
    assert.same({ 2, 3, 4, 4 }, batch.data[1].shape)
    assert.equal(1, iter:next().pad)
    assert.is_nil(iter:next())
    iter:reset()
    assert.allclose(iter:next().label[1], { one, one })
  end)

  it("augments image and label", function()
    hl.random.seed(2)
    local iter = iterator { rand_mirror = true, rand_crop = 0.5, rand_pad = 0.5, mean = true }
    for batch in iter do
      for _, row in ipairs(batch.label[1]:reshape({ -1, 5 }):totable()) do
        assert.is_true(row[1] == -1 or row[4] > row[2] and row[5] > row[3] and row[4] <= 1)
      end
    end
  end)

  it("has other shapes on request", function()
    local iter, other = iterator {}, iterator {}
    iter:reshape(nil, { 4, 5 })
    assert.same({ 2, 4, 5 }, iter:next().label[1].shape)
    assert.equal(other, iter:sync_label_shape(other))
    assert.same({ 4, 5 }, other.label_shape)
    assert.raises(function() iter:reshape(nil, { 1, 5 }) end, "label_shape: expected 4 objects or more, got 1")
    assert.raises(function() iter:reshape(nil, { 5, 6 }) end, "expected 5 numbers per object, got 6")
    assert.raises(function() image.ImageDetIter { batch_size = 1, data_shape = { 3, 4, 4 },
      path_imgrec = folder:file "plain.rec" } end, "ImageDetIter: label: expected at least 7 numbers, got 1")
  end)
end)

describe("DummyIter", function()
  it("repeats the first batch", function()
    local dummy = hl.test_utils.DummyIter(hl.io.NDArrayIter(nd.arange(4), nil, 2))
    for _ = 1, 5 do assert.allclose(dummy:next().data[1], { 0, 1 }) end
    assert.raises(function() hl.test_utils.DummyIter(3) end,
      "DummyIter: real_iter: expected an hl.io.DataIter, got number")
  end)
end)
