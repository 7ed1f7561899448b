-- file_iters_spec.lua - iterators of files: CSVIter, MNISTIter, ImageRecordIter. Orders of batches are MXNet's 1.9.1.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, io_, recordio = hl.nd, hl.io, hl.recordio

local folder
before_each(function() folder = scratch.folder() end)
after_each(function() folder:remove() end)

local function write(name, bytes)
  local file <close> = io.open(folder:file(name), "wb")
  file:write(bytes)
  return folder:file(name)
end

local function text(array) return table.concat(array:reshape({ -1 }):totable(), " ") end

-- Labels, pad and the samples' numbers of each batch of a pass.
local function pass(iter)
  local lines = {}
  for batch in iter do
    lines[#lines + 1] = ("%s | %d | %s"):format(text(batch.label[1]), batch.pad, table.concat(batch.index, " "))
  end
  return lines
end

local ROUND = { { "0.0 1.0 | 0 | 0 1", "2.0 3.0 | 0 | 2 3", "4.0 0.0 | 1 | 4 0" },
                { "1.0 2.0 | 0 | 1 2", "3.0 4.0 | 0 | 3 4" } }

-- With round_batch the second pass leaves out the sample that filled the first; without it every pass is like the
-- first.
local function check_rounds(make)
  local iter = make(true)
  for i = 1, 4 do
    assert.same(ROUND[(i - 1) % 2 + 1], pass(iter))
    iter:reset()
  end
  iter = make(false)
  for _ = 1, 2 do
    assert.same(ROUND[1], pass(iter))
    iter:reset()
  end
end

describe("CSVIter", function()
  local function files() return write("x.csv", "0,1\n2,3\n4,5\n6,7\n8,9\n"), write("y.csv", "0\n1\n2\n3\n4\n") end

  it("has MXNet's batches", function()
    local data, label = files()
    check_rounds(function(round)
      return io_.CSVIter { data_csv = data, data_shape = { 2 }, label_csv = label, batch_size = 2, round_batch = round }
    end)
    local iter = io_.CSVIter { data_csv = data, data_shape = { 1, 2 }, batch_size = 3, data_name = "x" }
    assert.equal("DataDesc[x,(3, 1, 2),float32,NCHW]", tostring(iter.provide_data[1]))
    local batch = iter:next()
    assert.same({ { { 0, 1 } }, { { 2, 3 } }, { { 4, 5 } } }, batch.data[1]:totable())
    assert.same({ 0, 0, 0 }, batch.label[1]:totable())
    assert.equal("int32", io_.CSVIter { data_csv = data, data_shape = 2, batch_size = 1,
                                        dtype = "int32" }:next().data[1].dtype)
  end)

  it("refuses files that do not fit", function()
    local data, label = files()
    assert.raises(function() io_.CSVIter { data_csv = data, data_shape = { 3 }, batch_size = 2 } end,
      "CSVIter: data_shape: expected 3 values in a line, for shape %(3,%), got 2 in '.*x.csv'")
    assert.raises(function() io_.CSVIter { data_csv = data, data_shape = { 2 }, label_csv = write("z.csv", "1\n"),
                                           batch_size = 2 } end,
                                             "CSVIter: label_csv: expected 5 lines, as in data_csv, got 1")
    assert.raises(function() io_.CSVIter { data_csv = label .. "x", data_shape = { 1 }, batch_size = 1 } end, "y.csvx")
    assert.raises(function() io_.CSVIter { data_csv = data, data_shape = { 2 } } end, "CSVIter: batch_size: expected")
    assert.raises(function() io_.LibSVMIter { data_libsvm = data } end, "LibSVMIter: sparse arrays are not supported")
  end)
end)

describe("MNISTIter", function()
  local function files()
    return write("images", string.pack(">I4I4I4I4", 2051, 5, 1, 2) .. "\0\1\2\3\4\5\6\7\8\255"),
      write("labels", string.pack(">I4I4", 2049, 5) .. "\0\1\2\3\4")
  end

  it("reads images and labels, without an incomplete batch", function()
    local image, label = files()
    local iter = io_.MNISTIter { image = image, label = label, batch_size = 2, shuffle = false }
    assert.same({ ROUND[1][1], ROUND[1][2] }, pass(iter))
    iter:reset()
    assert.same({ { { { 0, 1 / 256 } } }, { { { 2 / 256, 3 / 256 } } } }, iter:next().data[1]:totable())
    local flat = io_.MNISTIter { image = image, label = label, batch_size = 5, shuffle = false, flat = true }
    assert.same({ 8 / 256, 255 / 256 }, flat:next().data[1][4]:totable())
    local second = io_.MNISTIter { image = image, label = label, batch_size = 1, shuffle = false, num_parts = 2,
                                   part_index = 1 }
    assert.same({ 2 }, second:next().label[1]:totable())
  end)

  it("shuffles, and refuses other files", function()
    local image, label = files()
    local batch = io_.MNISTIter { image = image, label = label, batch_size = 5 }:next()
    local last = { 1, 3, 5, 7, 255 }
    for i, value in ipairs(batch.label[1]:totable()) do
      assert.equal(last[value + 1] / 256, batch.data[1][i - 1][{ 0, 0, 1 }]:asscalar())
    end
    assert.raises(function() io_.MNISTIter { image = label, label = label } end,
      "MNISTIter: expected images and the same number of labels, got shapes")
    assert.raises(function() io_.MNISTIter { image = image .. "x", label = label } end, "imagesx")
    assert.raises(function() io_.MNISTIter { image = image, label = label, num_parts = 2, part_index = 2 } end,
      "MNISTIter: part_index: expected less than num_parts = 2, got 2")
  end)
end)

describe("ImageRecordIter", function()
  -- Five images, 8 + i rows of 10 - i pixels, with labels i, or i and -i.
  local function record(width)
    local rec = recordio.MXIndexedRecordIO(folder:file "r.idx", folder:file "r.rec", "w")
    for i = 0, 4 do
      local image = nd.arange((8 + i) * (10 - i) * 3):reshape({ 8 + i, 10 - i, 3 }) % 251
      rec:write_idx(i, recordio.pack_img(recordio.IRHeader(0, width == 2 and nd.array { i, -i } or i, i, 0),
        image:astype "uint8"))
    end
    rec:close()
    return folder:file "r.rec", folder:file "r.idx"
  end

  it("has MXNet's batches, with an index and without", function()
    local rec, idx = record(1)
    for _, index in ipairs { idx, nd.NULL } do
      check_rounds(function(round)
        return io_.ImageRecordIter { path_imgrec = rec, path_imgidx = index, data_shape = { 3, 4, 4 }, batch_size = 2,
                                     round_batch = round }
      end)
    end
  end)

  it("gives bytes by another name", function()
    local rec = record(1)
    local options = { path_imgrec = rec, data_shape = { 3, 4, 4 }, batch_size = 5 }
    local bytes, numbers = io_.ImageRecordUInt8Iter(options), io_.ImageRecordIter(options)
    assert.equal("uint8", bytes.provide_data[1].dtype)
    local x = bytes:next().data[1]
    assert.equal("uint8", x.dtype)
    assert.bits(numbers:next().data[1], x:astype "float32")
    options.mean_r = 3
    assert.raises(function() io_.ImageRecordUInt8Iter(options) end,
      "ImageRecordUInt8Iter: mean_r: its images are not normalized")
  end)

  it("crops, mirrors and normalizes", function()
    local rec = record(1)
    local function first(options)
      options.path_imgrec, options.data_shape, options.batch_size = rec, options.data_shape or { 3, 4, 4 }, 5
      return io_.ImageRecordIter(options):next().data[1]
    end
    local plain = first {}
    local whole = nd.arange(240):reshape { 8, 10, 3 } % 251              -- blue first in pack_img
    assert.bits(whole["2:6, 3:7"]:flip({ axis = 2 }):transpose { 2, 0, 1 }, plain[0])
    assert.bits(plain:flip { axis = 3 }, first { mirror = true })
    local means = nd.array({ 10, 20, 30 }):reshape { 1, 3, 1, 1 }
    assert.allclose(first { mean_r = 10, mean_g = 20, mean_b = 30, std_r = 2, std_g = 2, std_b = 2, scale = 0.5 },
      (plain - means) / 4)
    assert.is_true(first { resize = 4 }.shape == { 5, 3, 4, 4 })
    assert.is_true(first { data_shape = { 1, 4, 4 } }.shape == { 5, 1, 4, 4 })
    assert.equal("float64", first { dtype = "float64" }.dtype)
  end)

  it("gives the same images with processes", function()
    local rec = record(2)
    local function all(processes)
      hl.random.seed(4)
      local iter, list = io_.ImageRecordIter { path_imgrec = rec, data_shape = { 3, 6, 6 }, batch_size = 2,
        label_width = 2, shuffle = true, rand_crop = true, rand_mirror = true, preprocess_threads = processes }, {}
      assert.is_true(iter.provide_label[1].shape == { 2, 2 })
      for _ = 1, 2 do
        for batch in iter do list[#list + 1] = batch.data[1]:tobytes() .. batch.label[1]:tobytes() end
        iter:reset()
      end
      return list
    end
    local here = all(0)
    assert.equal(5, #here)
    assert.same(here, all(2))
  end)

  it("refuses what it cannot do", function()
    local rec = record(2)
    local function with(options)
      return function()
        local all = { path_imgrec = rec, data_shape = { 3, 4, 4 }, batch_size = 2, label_width = 2 }
        for key, value in pairs(options) do all[key] = value end
        io_.ImageRecordIter(all):next()
      end
    end
    assert.raises(with { label_width = 1 },
      "ImageRecordIter: label_width: expected 2, the number of labels of image 0, got 1")
    assert.raises(with { data_shape = { 3, 9, 4 } },
      "ImageRecordIter: image 0: expected at least 9 x 4 pixels, the size in data_shape, got 8 x 10; with resize = 9")
    assert.raises(with { rotate = 90 }, "ImageRecordIter: rotate is not supported; .*transforms")
    assert.raises(with { data_shape = { 2, 4, 4 } }, "ImageRecordIter: data_shape: expected {channels, height, width}")
    assert.raises(with { path_imgrec = rec .. "x" }, "r.recx")
    assert.raises(with { rand_miror = true },
      "ImageRecordIter: unknown option 'rand_miror'; did you mean 'rand_mirror'%?")
    local file <close> = io.open(rec, "ab")
    file:write "junk, not a record"
    file:close()
    assert.raises(with {}, "r.rec: offset %d+: expected the mark of a record, got other bytes")
  end)
end)
