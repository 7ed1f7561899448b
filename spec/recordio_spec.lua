-- recordio_spec.lua - hl.recordio and its datasets: reads MXNet's files (spec/oracle/records) and writes them byte
-- for byte; damaged ones are errors.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, gluon, recordio = hl.nd, hl.gluon, hl.recordio

local FOLDER = "spec/oracle/records/"
local MARK = "\x0a\x23\xd7\xce"
local STRINGS = { "", "a", "abcd", "hello world", MARK, "1234" .. MARK .. "5678", MARK:rep(3) .. "xy",
  "12" .. MARK .. "34", "abcd" .. MARK }

local function all(record)
  local list = {}
  for text in function() return record:read() end do list[#list + 1] = text end
  return list
end

describe("hl.recordio", function()
  local folder
  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  it("reads MXNet's files, in order and by key", function()
    local record = recordio.MXRecordIO(FOLDER .. "records.rec", "r")
    assert.same(STRINGS, all(record))
    assert.is_nil(record:read())
    record:reset()
    assert.equal("", record:read())
    assert.equal("a", record:read())
    record:close()
    record:close()
    local indexed = recordio.MXIndexedRecordIO(FOLDER .. "records.idx", FOLDER .. "records.rec", "r")
    assert.same({ 0, 2, 4, 6, 8, 10, 12, 14, 16 }, indexed.keys)
    for i = #STRINGS, 1, -1 do assert.equal(STRINGS[i], indexed:read_idx(2 * i - 2)) end
    indexed:seek(6)
    assert.same({ "hello world", MARK }, { indexed:read(), indexed:read() })
    indexed:close()
  end)

  it("writes them byte for byte", function()
    local record <close> = recordio.MXIndexedRecordIO(folder:file "x.idx", folder:file "x.rec", "w")
    for i, text in ipairs(STRINGS) do
      record:write_idx(2 * i - 2, text)
      assert.equal(0, record:tell() % 4)
    end
    record:close()
    for _, ending in ipairs { "rec", "idx" } do
      assert.equal(scratch.read(FOLDER .. "records." .. ending), scratch.read(folder:file("x." .. ending)))
    end
    local plain = recordio.MXRecordIO(folder:file "y.rec", "w")
    for _, text in ipairs(STRINGS) do plain:write(text) end
    plain:close()
    assert.equal(scratch.read(FOLDER .. "records.rec"), scratch.read(folder:file "y.rec"))
  end)

  it("packs labels and pictures", function()
    local header, rest = recordio.unpack(recordio.pack(recordio.IRHeader(9, 4.5, 2574, 3), "bytes"))
    assert.same({ flag = 0, label = 4.5, id = 2574, id2 = 3 }, header)
    assert.equal("bytes", rest)
    header = recordio.unpack(recordio.pack({ 0, { 1, 2, 3 }, 7, 0 }, ""))
    assert.same({ 3, 7 }, { header.flag, header.id })
    assert.same({ 1, 2, 3 }, header.label:totable())
    local picture = nd.random.randint(0, 256, { shape = { 5, 6, 3 }, dtype = "int32" }):astype "uint8"
    local packed = recordio.pack_img({ 0, 1, 2, 0 }, picture)
    local _, back = recordio.unpack_img(packed)
    assert.bits(picture, back)
    assert.bits(picture:flip { axis = 2 }, hl.image.imdecode((select(2, recordio.unpack(packed)))))
    assert.same({ 5, 6, 1 }, (select(2, recordio.unpack_img(packed, { iscolor = 0 }))).shape)
    assert.raises(function() recordio.pack_img({ 0, 1, 2, 0 }, picture, { img_fmt = ".jpg" }) end,
      "recordio_spec.lua:%d+: recordio.pack_img: img_fmt: expected '.png', which is lossless, got .jpg")
    assert.raises(function() recordio.pack_img({ 0, 1, 2, 0 }, nd.ones { 2, 2 }) end, "data: expected dtype uint8")
    assert.raises(function() recordio.unpack "short" end, "recordio.unpack: s: expected 24 bytes or more, got 5")
    assert.raises(function() recordio.unpack(string.pack("<I4fI8I8", 9, 0, 0, 0) .. "1234") end,
      "expected 9 labels, got 4 bytes")
  end)

  it("names errors", function()
    assert.raises(function() recordio.MXRecordIO(folder:file "nix", "r") end,
      "recordio_spec.lua:%d+: MXRecordIO: .*nix: No such file")
    assert.raises(function() recordio.MXRecordIO("x", "a") end, "MXRecordIO: flag: expected 'r' or 'w', got a")
    local record = recordio.MXRecordIO(FOLDER .. "records.rec", "r")
    assert.raises(function() record:write "x" end, "MXRecordIO: '.*records.rec' is open for reading")
    record:close()
    assert.raises(function() record:read() end, "is closed")
    local indexed = recordio.MXIndexedRecordIO(FOLDER .. "records.idx", FOLDER .. "records.rec", "r")
    assert.raises(function() indexed:seek(1) end,
      "MXIndexedRecordIO: .*records.idx: there is no key 1")
    local idx = scratch.write(folder:file "x.idx", "0\t0\nx\t3\n")
    assert.raises(function() recordio.MXIndexedRecordIO(idx, FOLDER .. "records.rec", "r") end,
      "x.idx:2: expected a key and an offset, got 'x")
  end)

  it("rejects damaged files without further harm", function()
    local good, reader = scratch.read(FOLDER .. "records.rec"), nil
    local function read(text)
      reader = recordio.MXRecordIO(scratch.write(folder:file "x.rec", text), "r")
      local ok, result = pcall(all, reader)
      reader:close()
      if not ok then assert.truthy(result:find "MXRecordIO: .*x.rec: offset %d+: expected ", result) end
      return ok, result
    end
    for n = 1, #good - 1 do
      local ok, result = read(good:sub(1, n))
      if ok then assert.truthy(#result < #STRINGS, n) end
    end
    for at = 1, #good do
      for bit = 0, 7 do
        read(good:sub(1, at - 1) .. string.char(good:byte(at) ~ (1 << bit)) .. good:sub(at + 1))
      end
    end
    assert.is_false((read("\0\0\0\0" .. good)))
  end)
end)

describe("datasets of records", function()
  local data, vision = gluon.data, gluon.data.vision

  it("return the content of MXNet's files", function()
    local set = data.RecordFileDataset(FOLDER .. "records.rec")
    assert.equal(#STRINGS, #set)
    for i, text in pairs(set) do assert.equal(STRINGS[i + 1], text) end
    local pictures = vision.ImageRecordDataset(FOLDER .. "pictures.rec")
    local x, y = pictures:get(0)
    assert.bits(hl.image.imread "spec/oracle/pictures/colour.png", x)
    assert.equal(3.5, y)
    x, y = pictures:get(-1)
    assert.bits(hl.image.imread "spec/oracle/pictures/colour.jpg", x)
    assert.same({ 1, 2.25, 2 }, y:totable())
    local gray = vision.ImageRecordDataset(FOLDER .. "pictures.rec", 0, function(a, b) return a.shape[3], b end)
    assert.equal(1, (gray:get(1)))
    assert.raises(function() set:get(9) end, "index 9 is out of bounds")
    assert.raises(function() vision.ImageRecordDataset "nowhere.rec" end, "nowhere.rec: No such file")
    assert.raises(function() vision.ImageRecordDataset(FOLDER .. "pictures.rec", { flag = 3 }) end, "flag: expected 0")
  end)

  it("are read by workers, each through its own file", function()
    local folder = scratch.folder()
    local record = recordio.MXIndexedRecordIO(folder:file "x.idx", folder:file "x.rec", "w")
    for i = 0, 39 do
      record:write_idx(i, recordio.pack_img({ 0, i, i, 0 }, nd.full({ 4, 4, 1 }, i, { dtype = "uint8" })))
    end
    record:close()
    local set = vision.ImageRecordDataset(folder:file "x.rec", { flag = 0 })
    set:get(3)
    for n = 0, 3 do
      local next_value = 0
      for x, y in data.DataLoader(set, 4, { num_workers = n }):batches() do
        for k = 0, 3 do
          assert.equal(next_value, y[k]:asscalar())
          assert.equal(next_value, x[{ k, 1, 1, 0 }]:asscalar())
          next_value = next_value + 1
        end
      end
      assert.equal(40, next_value)
    end
    folder:remove()
    assert.truthy(core.worker.this_process() > 0)
  end)
end)
