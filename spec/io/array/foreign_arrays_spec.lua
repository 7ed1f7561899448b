-- foreign_arrays_spec.lua - NumPy arrays of unsupported dtypes: integers are widened, and other members of an .npz are
-- left out. NumPy wrote spec/oracle/files/mixed*.npz and texts.npz.
local hl = require "hybridlua"
local command = require "support.command"
local scratch = require "support.scratch"
local warn = require "hybridlua.language.warn"
local nd = hl.nd

local FILES = "spec/oracle/files/"

local function npy(descr, fortran, shape, data)
  local header = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"):format(descr, fortran, shape)
  return "\x93NUMPY\1\0" .. string.pack("<s2", header) .. data
end

describe("an .npy of unsupported integers", function()
  -- descr, format of string.pack, values, dtype
  local cases = {
    { "<i2", "<i2", { -32768, 32767, -1, 0, 5, 6 }, "int32" },
    { ">i2", ">i2", { -32768, 32767, -1, 0, 5, 6 }, "int32" },
    { "<u2", "<I2", { 0, 65535, 32768, 1, 2, 3 }, "int32" }, { ">u2", ">I2", { 0, 65535, 32768, 1, 2, 3 }, "int32" },
    { "<u4", "<I4", { 0, 4294967295, 2147483648, 1, 2, 3 }, "int64" },
    { ">u4", ">I4", { 0, 4294967295, 2147483648, 1, 2, 3 }, "int64" },
  }
  for _, case in ipairs(cases) do
    it("is widened: " .. case[1], function()
      local data = string.pack((case[2]):rep(6), table.unpack(case[3]))
      local x = nd.load_frombuffer(npy(case[1], "False", "(6,)", data))
      assert.equal(case[4], x.dtype)
      assert.same(case[3], x:totable())
      local v = case[3]
      assert.same({ { v[1], v[2], v[3] }, { v[4], v[5], v[6] } },
        nd.load_frombuffer(npy(case[1], "False", "(2, 3)", data)):totable())
      assert.same({ { v[1], v[3], v[5] }, { v[2], v[4], v[6] } },
        nd.load_frombuffer(npy(case[1], "True", "(2, 3)", data)):totable())
      assert.same({ { { v[1], v[4] }, { v[2], v[5] }, { v[3], v[6] } } },
        nd.load_frombuffer(npy(case[1], "True", "(1, 3, 2)", data)):totable())
      local one = nd.load_frombuffer(npy(case[1], "True", "()", string.pack(case[2], v[2])))
      assert.equal(v[2], one:asscalar())
      assert.same({ 0, 3 }, { table.unpack(nd.load_frombuffer(npy(case[1], "True", "(0, 3)", "")).shape) })
      assert.raises(function() nd.load_frombuffer(npy(case[1], "False", "(7,)", data)) end,
        "nd.load_frombuffer: buffer: offset %d+: data: expected %d+ bytes for shape %(7,%), got %d+")
      assert.raises(function() nd.load_frombuffer(npy(case[1], "False", "(5,)", data)) end,
        "data: expected %d+ bytes for shape %(5,%)")
    end)
  end

  it("is widened when it is larger than the buffer", function()
    local list, n = {}, 5000
    for i = 1, n do list[i] = string.pack("<i2", (i * 7919) % 65536 - 32768) end
    local data = table.concat(list)
    local x = nd.load_frombuffer(npy("<i2", "False", "(5000,)", data))
    local turned = nd.load_frombuffer(npy("<i2", "True", "(50, 100)", data))
    assert.bits(x:reshape { 100, 50 }.T, turned)
    for _, i in ipairs { 1, 2047, 2048, 2049, 4096, 5000 } do
      assert.equal((i * 7919) % 65536 - 32768, x[i - 1]:asscalar())
    end
  end)

  it("is rejected, with the dtypes to use, if its values might not fit", function()
    for descr, what in pairs { ["<u8"] = "'<u8'", ["<c8"] = "'<c8' %(complex numbers", ["<c16"] = "'<c16' %(complex",
                               ["<U3"] = "'<U3' %(text%)", ["|S3"] = "'|S3' %(text%)", ["|O"] = "'|O' %(objects of Py",
                               ["<M8[D]"] = "'<M8%[D%]' %(times%)", ["|V8"] = "'|V8' %(records%)",
                               ["|i2"] = "'|i2'" } do
      assert.raises(function() nd.load_frombuffer(npy(descr, "False", "(1,)", ("\0"):rep(16))) end,
        "nd.load_frombuffer: buffer: offset %d+: descr: expected bool, int8 to int64, uint8 to uint32 or " ..
          "float16 to float64, got " .. what)
    end
  end)
end)

describe("an .npz with unsupported members", function()
  local folder
  local here, told = warn.here, nil
  before_each(function()
    folder, told = scratch.folder(), {}
    warn.here = function(format, ...) told[#told + 1] = format:format(...) end
  end)
  after_each(function()
    folder:remove()
    warn.here = here
  end)

  local function check(loaded)
    local names = {}
    for name in pairs(loaded) do names[#names + 1] = name end
    table.sort(names)
    assert.equal("depth ids sound turned w", table.concat(names, " "))
    assert.bits(nd.arange(6):reshape { 2, 3 }, loaded.w)
    assert.same({ { -32768, 32767, 1 }, { 2, -3, 4 } }, loaded.sound:totable())
    assert.same({ { 1, 2, 3 }, { -4, 5, -6 } }, loaded.turned:totable())
    assert.same({ 0, 65535, 7 }, loaded.depth:totable())
    assert.same({ 4294967295, 1 }, loaded.ids:totable())
    assert.same({ "int32", "int32", "int32", "int64" },
      { loaded.sound.dtype, loaded.turned.dtype, loaded.depth.dtype, loaded.ids.dtype })
  end

  it("returns the others, stored and deflated", function()
    for _, name in ipairs { "mixed.npz", "mixed_deflated.npz" } do
      check(nd.load(FILES .. name))
      check(hl.load(FILES .. name))
      check(nd.load_frombuffer(scratch.read(FILES .. name)))
    end
    assert.equal(6, #told)
    assert.matches("^nd.load: spec/oracle/files/mixed.npz: left out, for no array can be it: labels.npy: ", told[1])
    assert.matches("^nd.load_frombuffer: buffer: left out, .*; z.npy: .*; day.npy: ", told[6])
  end)

  it("reports them with the reason and the script's line", function()
    scratch.write(folder:file "mine.lua", [[local hl = require "hybridlua"
      local x = hl.nd.load "spec/oracle/files/mixed.npz"
      print(x.w:sum():asscalar())
    ]])
    local output = command.hybridlua { folder:file "mine.lua" }
    assert.truthy(output:find("15.0", 1, true), output)
    local _, warnings = output:gsub("UserWarning", "")
    assert.equal(1, warnings)
    assert.truthy(output:find "mine.lua:2: UserWarning: nd.load: spec/oracle/files/mixed.npz: left out, ", output)
    for _, what in ipairs { "for no array can be it: labels.npy: offset %d+: descr: expected .*, got '<U3' %(text%); ",
                            "z.npy: offset %d+: descr: .* got '<c16' %(complex numbers", "day.npy: .*%(times%)",
                            "README.txt: expected a member whose name ends in .npy" } do
      assert.truthy(output:find(what), what .. " in " .. output)
    end
  end)

  it("is an error if there are no others", function()
    assert.raises(function() nd.load(FILES .. "texts.npz") end,
      "foreign_arrays_spec.lua:%d+: nd.load: .*texts.npz: a.npy: offset %d+: descr: expected .* got '<U1' %(text%)")
  end)

  it("is an error if one of them is damaged", function()
    for _, name in ipairs { "mixed.npz", "mixed_deflated.npz" } do
      local good = scratch.read(FILES .. name)
      -- the last bytes of the data of labels, before the next member's header
      local at = good:find("PK\3\4", good:find "labels.npy" + 1, true) - 3
      local bad = good:sub(1, at - 1) .. string.char(good:byte(at) ~ 1) .. good:sub(at + 1)
      assert.raises(function() nd.load_frombuffer(bad) end, "labels.npy: expected undamaged data, got ")
    end
  end)
end)
