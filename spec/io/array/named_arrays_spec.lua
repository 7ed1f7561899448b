-- named_arrays_spec.lua - arrays in files: MXNet's .params, NumPy's .npy and .npz; idx and csv.
-- The files in spec/oracle/legacy were written by MXNet 1.9.1 and NumPy.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd = hl.nd

local LEGACY = "spec/oracle/legacy/"
local DTYPES = { "float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool" }

-- Returns an array of a shape with distinct elements, of both signs if the dtype has them.
local function array(shape, dtype)
  local n = 1
  for _, d in ipairs(shape) do n = n * d end
  if n == 0 then return nd.zeros(shape, { dtype = dtype }) end
  local bytes = {}
  local size = ({ float32 = 4, float64 = 8, float16 = 2, int32 = 4, int64 = 8 })[dtype] or 1
  for i = 1, n * size do bytes[i] = string.char(dtype == "bool" and i % 2 or (i * 37) % 120) end
  return nd.from_bytes(table.concat(bytes), shape, dtype)
end

local function with_hash_cleared(bytes) return bytes:sub(1, 8) .. ("\0"):rep(8) .. bytes:sub(17) end

describe("files of arrays", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  for _, extension in ipairs { "params", "npz" } do
    it("keep every dtype and shape by name: ." .. extension, function()
      local all = {}
      for _, dtype in ipairs(DTYPES) do
        for k, shape in ipairs { { 3 }, { 2, 3 }, { 1, 2, 1, 2, 1, 2, 1, 3 }, {}, { 0 }, { 2, 0, 3 } } do
          all[dtype .. ":" .. k .. " é"] = array(shape, dtype)
        end
      end
      local file = folder:file("all." .. extension)
      nd.save(file, all)
      local loaded, count = nd.load(file), 0
      for name, x in pairs(loaded) do
        count = count + 1
        assert.bits(x, all[name])
      end
      assert.equal(#DTYPES * 6, count)
    end)
  end

  it("keep every dtype and shape: .npy, loaded as the array itself", function()
    for _, dtype in ipairs(DTYPES) do
      for _, shape in ipairs { { 3 }, { 2, 3 }, {}, { 0, 4 } } do
        local x = array(shape, dtype)
        nd.save(folder:file "x.npy", x)
        assert.bits(nd.load(folder:file "x.npy"), x)
      end
    end
  end)

  it("return a list for a list and a single array, in .npz under NumPy's names", function()
    local a, b = array({ 2, 2 }, "float32"), array({ 3 }, "int64")
    nd.save(folder:file "list", { a, b })
    local list = nd.load(folder:file "list")
    assert.equal(2, #list)
    assert.bits(list[1], a)
    assert.bits(list[2], b)
    nd.save(folder:file "single", a)
    assert.equal(1, #nd.load(folder:file "single"))
    nd.save(folder:file "list.npz", { a, b })
    assert.bits(nd.load(folder:file "list.npz").arr_1, b)
    nd.save(folder:file "empty", {})
    assert.same({}, nd.load(folder:file "empty"))
    nd.save(folder:file "empty.npz", {})
    assert.same({}, nd.load(folder:file "empty.npz"))
  end)

  it("are recognized by content, not by name", function()
    local x = array({ 3 }, "float32")
    nd.save(folder:file "a.npy", x)
    os.rename(folder:file "a.npy", folder:file "a.params")
    assert.bits(nd.load(folder:file "a.params"), x)
    nd.save(folder:file "b.npz", { w = x })
    os.rename(folder:file "b.npz", folder:file "b.json")
    assert.bits(nd.load(folder:file "b.json").w, x)
    assert.bits(hl.load(folder:file "b.json").w, x)
  end)

  it("can be loaded from a string", function()
    local x = array({ 2, 3 }, "float64")
    for _, name in ipairs { "x.params", "x.npz" } do
      nd.save(folder:file(name), { w = x })
      assert.bits(nd.load_frombuffer(scratch.read(folder:file(name))).w, x)
    end
  end)

  it("may have more than the 4,096 bytes of a buffer between two arrays", function()
    local x, y = array({ 100, 100 }, "float32"), array({ 5000 }, "uint8")
    for _, name in ipairs { "x.params", "x.npz" } do
      nd.save(folder:file(name), { x = x, y = y, z = array({ 3 }, "float32") })
      local loaded = nd.load(folder:file(name))
      assert.bits(loaded.x, x)
      assert.bits(loaded.y, y)
    end
  end)

  it("need no more memory than the arrays themselves", function()
    local x = nd.zeros { 1 << 22 }
    nd.save(folder:file "large.params", x)
    x:free()
    collectgarbage()
    core.host.memory_options { reset_peak = true }
    local before = hl.memory().live
    local loaded = nd.load(folder:file "large.params")
    assert.equal(1 << 22, loaded[1].size)
    assert.truthy(hl.memory().peak - before <= 2 * (1 << 24) + (1 << 20))
  end)

  describe("written in MXNet's layout", function()
    it("have the bytes of the format, with a checksum in the reserved word", function()
      nd.save(folder:file "w",
        { ["aux:m"] = nd.array({ 7 }, { dtype = "int64" }), ["arg:w"] = nd.array { { 1, 2, 3 } } })
      local bytes = scratch.read(folder:file "w")
      local expected = string.pack("<I8I8I8", 0x112, 0, 2) ..
        string.pack("<I4i4i4i8i8i4i4i4fff", 0xF993FAC9, 0, 2, 1, 3, 1, 0, 0, 1, 2, 3) ..
        string.pack("<I4i4i4i8i4i4i4i8", 0xF993FAC9, 0, 1, 1, 1, 0, 6, 7) ..
        string.pack("<I8s8s8", 2, "arg:w", "aux:m")
      assert.equal(expected, with_hash_cleared(bytes))
      assert.is_not.equal(("\0"):rep(8), bytes:sub(9, 16))
    end)

    for _, name in ipairs { "list-no-keys", "single" } do
      it("equal MXNet's to the byte: " .. name, function()
        nd.save(folder:file(name), nd.load(LEGACY .. name .. ".params"))
        assert.equal(scratch.read(LEGACY .. name .. ".params"), with_hash_cleared(scratch.read(folder:file(name))))
      end)
    end

    it("have newer records if a 0-d or empty array is among them", function()
      nd.save(folder:file "v3", { nd.zeros {} + 5, nd.zeros { 0, 3 } })
      local expected = string.pack("<I8I8I8", 0x112, 0, 2) ..
        string.pack("<I4i4i4i4i4i4f", 0xF993FACA, 0, 0, 1, 0, 0, 5) ..
        string.pack("<I4i4i4i8i8i4i4i4", 0xF993FACA, 0, 2, 0, 3, 1, 0, 0) .. string.pack("<I8", 0)
      assert.equal(expected, with_hash_cleared(scratch.read(folder:file "v3")))
    end)

    it("equal NumPy's to the byte: f4.npy", function()
      nd.save(folder:file "f4.npy", nd.load(LEGACY .. "f4.npy"))
      assert.equal(scratch.read(LEGACY .. "f4.npy"), scratch.read(folder:file "f4.npy"))
    end)
  end)

  describe("written by MXNet load", function()
    it("from versions before V2", function()
      for _, version in ipairs { "v0", "v1" } do
        local loaded = nd.load(LEGACY .. "handmade-" .. version .. ".params")
        assert.same({ 2, 3 }, loaded["arg:fc_weight"].shape)
        assert.same({ 2 }, loaded["arg:fc_bias"].shape)
        assert.equal("int32", loaded["aux:n"].dtype)
      end
    end)

    it("in every dtype", function()
      local seen = {}
      for _, x in pairs(nd.load(LEGACY .. "dtypes.params")) do seen[x.dtype] = true end
      for _, dtype in ipairs(DTYPES) do if dtype ~= "bool" then assert.truthy(seen[dtype], dtype) end end
    end)

    it("with a scalar and an empty array", function()
      local loaded = nd.load(LEGACY .. "npshape-v3.params")
      assert.same({}, loaded.scalar.shape)
      assert.equal(0, loaded.empty.size)
      assert.equal(1, loaded.a.ndim)
    end)

    it("with bfloat16 widened", function()
      local record = string.pack("<I8I8I8I4i4i4i8i4i4i4", 0x112, 0, 1, 0xF993FAC9, 0, 1, 3, 1, 0, 12)
      local loaded = nd.load_frombuffer(record .. string.pack("<I2I2I2", 0x3F80, 0xC000, 0x7F80) ..
        string.pack("<I8", 0))
      assert.equal("float32", loaded[1].dtype)
      assert.same({ 1, -2, math.huge }, loaded[1]:totable())
    end)

    it("unless they have sparse arrays or arrays without a value", function()
      assert.raises(function() nd.load(LEGACY .. "csr-v2.params") end,
        "csr%-v2.params: offset 28: array 0: storage type: expected 0 %(dense%), got %d %(%w+%)")
      local head = string.pack("<I8I8I8", 0x112, 0, 1)
      assert.raises(function() nd.load_frombuffer(head .. string.pack("<I4i4i4I8", 0xF993FAC9, 0, 0, 0)) end,
        "offset 32: array 0: ndim: expected an array with a value")
      assert.raises(function() nd.load_frombuffer(head .. string.pack("<I4i4i4I8", 0xF993FACA, 0, -1, 0)) end,
        "expected an array with a value")
      assert.raises(function() nd.load_frombuffer(head .. string.pack("<I4I8", 0, 0)) end,
        "expected an array with a value")
    end)
  end)

  describe("written by NumPy load from .npy", function()
    local function npy(version, header, data)
      local length = version == 1 and string.pack("<s2", header) or string.pack("<s4", header)
      return "\x93NUMPY" .. string.char(version, 0) .. length .. data
    end
    local function header(descr, fortran, shape)
      return ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n"):format(descr, fortran, shape)
    end

    it("in versions 1 to 3 and both byte orders", function()
      for version = 1, 3 do
        local x = nd.load_frombuffer(npy(version, header("<f4", "False", "(2,)"), string.pack("<ff", 1.5, -2)))
        assert.same({ 1.5, -2 }, x:totable())
        x = nd.load_frombuffer(npy(version, header(">f8", "False", "(2,)"), string.pack(">dd", 1.5, -2)))
        assert.same({ 1.5, -2 }, x:totable())
        x = nd.load_frombuffer(npy(version, header(">i4", "False", "()"), string.pack(">i4", -7)))
        assert.same({}, x.shape)
        assert.equal(-7, x:asscalar())
        x = nd.load_frombuffer(npy(version, header(">f2", "False", "(1,)"), "\x3C\x00"))
        assert.same({ 1 }, x:totable())
      end
    end)

    it("in Fortran order", function()
      local x = nd.load_frombuffer(npy(1, header("<i8", "True", "(2, 3)"),
        string.pack("<i8i8i8i8i8i8", 1, 4, 2, 5, 3, 6)))
      assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, x:totable())
      x = nd.load_frombuffer(npy(1, header("|u1", "True", "(2, 1, 2)"), "\1\3\2\4"))
      assert.same({ { { 1, 2 } }, { { 3, 4 } } }, x:totable())
    end)

    it("with booleans normalized to 0 and 1", function()
      assert.equal("\1\0\1", nd.load_frombuffer(npy(1, header("|b1", "False", "(3,)"), "\7\0\1")):tobytes())
    end)

    it("under strict checks of the header", function()
      local data = string.pack("<ff", 1, 2)
      for text, pattern in pairs {
        [header("|O", "False", "(2,)")] = "descr: expected bool.*got '|O'",
        [header("<i3", "False", "(2,)")] = "got '<i3'",
        [header("=f4", "False", "(2,)")] = "got '=f4'",
        [header("<f4", "Maybe", "(2,)")] = "expected True or False",
        [header("<f4", "False", "(2)")] = "expected a tuple",
        [header("<f4", "False", "(3,)")] = "data: expected 12 bytes for shape %(3,%), got 8",
        [header("<f4", "False", "(1,)")] = "expected 4 bytes",
        [header("<f4", "False", "(-2,)")] = "expected a dimension",
        [header("<f4", "False", "(4194305, 4194305, 211106198978564)")] = "shape: expected at most 2^48 elements",
        [header("<f4", "False", "(1, 1, 1, 1, 1, 1, 1, 1, 2)")] = "expected at most 8 dimensions",
        ["{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}"] = "got 'x'",
        ["{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"] = "expected it once",
        ["{'descr': '<f4', 'fortran_order': False}"] = "got no shape",
        ["{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x"] = "expected the end of the header",
        [("x"):rep(10001)] = "header length: expected at most 10000 bytes, got 10001",
      } do
        assert.raises(function() nd.load_frombuffer(npy(1, text, data)) end, "nd.load_frombuffer: buffer: offset %d+: ",
          pattern)
      end
    end)
  end)

  describe("written by NumPy load from .npz", function()
    it("stored and deflated", function()
      local loaded = nd.load(LEGACY .. "ab.npz")
      local names = {}
      for name in pairs(loaded) do names[#names + 1] = name end
      table.sort(names)
      assert.same({ "a", "b" }, names)
      -- {w = arange(2000), float32}, deflated; made by numpy.savez_compressed
      loaded = nd.load "spec/oracle/files/deflated.npz"
      assert.bits(loaded.w, nd.arange(0, 2000))
    end)

    it("with 64-bit fields, as in archives of more than 4 GiB", function()
      nd.save(folder:file "x.npz", { x = array({ 4 }, "float32") })
      local good = scratch.read(folder:file "x.npz")
      local at = good:find "PK\1\2" - 1
      local size, member = string.unpack("<I4", good, at + 25), good:sub(1, at)
      local function archive(extra, tail)
        local entry = good:sub(at + 1, at + 20) .. string.pack("<I4I4I2I2", 0xFFFFFFFF, 0xFFFFFFFF, 5, #extra) ..
          ("\0"):rep(10) ..
          string.pack("<I4", 0xFFFFFFFF) .. "x.npy" .. extra
        local end64 = string.pack("<I4I8I2I2I4I4I8I8I8I8", 0x06064b50, 44, 45, 45, 0, 0, 1, 1, #entry, at)
        local locator = string.pack("<I4I4I8I4", 0x07064b50, 0, at + #entry, 1)
        return member .. entry .. end64 .. (tail or locator) ..
          string.pack("<I4I2I2I2I2I4I4I2", 0x06054b50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
      end
      local sizes = string.pack("<I2I2I8I8I8", 1, 24, size, size, 0)
      assert.bits(nd.load_frombuffer(archive(sizes)).x, array({ 4 }, "float32"))
      assert.bits(nd.load_frombuffer(archive(string.pack("<I2s2", 9, "other") .. sizes)).x, array({ 4 }, "float32"))
      for text, pattern in pairs {
        [archive "" ] = "sizes: expected 64%-bit ones in the extra field",
        [archive(string.pack("<I2I2", 9, 100))] = "sizes: expected 64%-bit ones",
        [archive(sizes, ("x"):rep(20))] = "64%-bit locator: expected 0x07064b50",
        [archive(sizes, string.pack("<I4I4I8I4", 0x07064b50, 0, 1 << 60,
          1))] = "64%-bit end of the archive: expected an offset of at most",
        [archive(string.pack("<I2I2I8I8I8", 1, 24, 1 << 62, 1 << 62, 0))] = "bytes, got",
        [archive(string.pack("<I2I2I8I8I8", 1, 24, size, size, 1 << 62))] = "members may not overlap",
      } do
        assert.raises(function() nd.load_frombuffer(text) end, pattern)
      end
    end)

    it("with more members than 16 bits can count", function()
      local all, x = {}, nd.array { 1 }
      for i = 1, 65536 do all[i] = x end
      nd.save(folder:file "many.npz", all)
      local loaded, n = nd.load(folder:file "many.npz"), 0
      for _ in pairs(loaded) do n = n + 1 end
      assert.equal(65536, n)
      assert.bits(loaded.arr_65535, x)
      os.remove(folder:file "many.npz")
    end)

    it("unless members contradict the directory", function()
      nd.save(folder:file "x.npz", { x = array({ 4 }, "float32") })
      local good = scratch.read(folder:file "x.npz")
      local function changed(at, bytes) return good:sub(1, at) .. bytes .. good:sub(at + #bytes + 1) end
      local directory = good:find "PK\1\2" - 1
      for text, pattern in pairs {
        [changed(directory + 24, string.pack("<I4", 1 << 30))] = "expected a size that",
        [changed(directory + 16, string.pack("<I4", 1))] = "a different checksum",
        [changed(directory + 10, string.pack("<I2", 12))] = "got method 12",
        [changed(directory + 8, string.pack("<I2", 1))] = "expected a member without a password",
        [changed(directory + 42, string.pack("<I4", 7))] = "local header: expected",
        [changed(30, "y")] = "expected the name in the directory",
        [good .. "x"] = "end of the archive",
      } do
        assert.raises(function() nd.load_frombuffer(text) end, pattern)
      end
    end)
  end)

  it("that are damaged cause errors with file, offset, field, expected and actual value", function()
    nd.save(folder:file "x.params", { w = array({ 2, 3 }, "float32") })
    local good = scratch.read(folder:file "x.params")
    local function damaged(at, bytes)
      return scratch.write(folder:file "bad.params", good:sub(1, at) .. bytes .. good:sub(at + #bytes + 1))
    end
    local function message(file) return select(2, pcall(nd.load, file)) end
    assert.truthy(message(damaged(16,
      string.pack("<I8",
        1 << 60))):find("bad.params: offset 16: number of arrays: expected at most 10 in a file of this size, got " ..
          "1152921504606846976", 1, true))
    assert.truthy(message(damaged(24,
      "x")):find("offset 24: array 0: magic: expected 0xf993fac8, 0xf993fac9 or 0xf993faca, got 0xf993fa78", 1,
      true))
    assert.truthy(message(damaged(32,
      string.pack("<i4", 9))):find("offset 32: array 0: ndim: expected at most 8 dimensions, got 9", 1, true))
    assert.truthy(message(damaged(36,
      string.pack("<i8", -1))):find("array 0: shape: expected dimensions of 0 or more, got", 1, true))
    assert.truthy(message(damaged(36,
      string.pack("<i8",
        1 << 40))):find("array 0: data: expected 13194139533312 bytes for shape (1099511627776, 3), got", 1, true))
    assert.truthy(message(damaged(36, string.pack("<i8i8", 1 << 62, 1 << 62))):find("expected at most 2^48 elements", 1,
      true))
    assert.truthy(message(damaged(60,
      string.pack("<i4", 9))):find("offset 60: array 0: dtype: expected 0 to 7 or 12 (bfloat16), got 9 (uint16)",
      1, true))
    assert.truthy(message(damaged(70, "?")):find("offset 8: checksum: expected 0x", 1, true))
    assert.truthy(message(scratch.write(folder:file "bad.params",
      good .. "x")):find("expected the end of the file, got 1 bytes more", 1, true))
    assert.truthy(message(scratch.write(folder:file "bad.params",
      good:sub(1, 80))):find("data: expected 24 bytes for shape (2, 3), got 16", 1,
      true))
    assert.truthy(message(folder:file "none"):find("none: open: No such file or directory", 1, true))
    assert.truthy(message(folder.path):find("expected a file, got a folder", 1, true))
    assert.truthy(message "/dev/null":find("expected a file, got a device", 1, true))
    assert.truthy(message(scratch.write(folder:file "bad.params",
      "")):find("expected arrays (.params, .npy or .npz), got another kind of file",
      1, true))
  end)

  it("with a checksum of 0, as MXNet writes, are not verified", function()
    nd.save(folder:file "x", array({ 2 }, "float32"))
    assert.equal(1, #nd.load_frombuffer(with_hash_cleared(scratch.read(folder:file "x"))))
  end)

  it("cannot have duplicate or too long names", function()
    local function named(...)
      local names, n = "", select("#", ...)
      for i = 1, n do names = names .. string.pack("<s8", (select(i, ...))) end
      return string.pack("<I8I8I8", 0x112, 0, n) ..
        string.pack("<I4i4i4i8i4i4i4f", 0xF993FAC9, 0, 1, 1, 1, 0, 0, 1):rep(n) ..
        string.pack("<I8", n) .. names
    end
    assert.truthy(nd.load_frombuffer(named("a", "b")).b)
    assert.raises(function() nd.load_frombuffer(named("a", "b", "a")) end, "expected different names, got 'a' twice")
    assert.raises(function() nd.load_frombuffer(named(("a"):rep(4097))) end,
      "name 0: length: expected at most 4096 bytes, got 4097")
    assert.raises(function() nd.load_frombuffer(named "a\0b") end, "expected no zero byte")
    assert.raises(function() nd.save(folder:file "x", { [("a"):rep(4097)] = nd.ones { 1 } }) end,
      "expected at most 4096 bytes")
    assert.raises(function() nd.save(folder:file "x", { ["a\0b"] = nd.ones { 1 } }) end, "expected no zero byte")
  end)

  it("accept arrays only", function()
    local x = nd.ones { 2 }
    assert.raises(function() nd.save(folder:file "x", 3) end,
      "named_arrays_spec.lua:%d+: nd.save: data: expected an NDArray.*got an integer")
    assert.raises(function() nd.save(folder:file "x", { a = 1 }) end, "got an integer as 'a'")
    assert.raises(function() nd.save(folder:file "x", { x, a = x }) end, "expected a list or a table by name")
    assert.raises(function() nd.save(folder:file "x", { [2.5] = x }) end, "expected a list or a table by name")
    os.remove(folder:file "x.npy")
    assert.raises(function() nd.save(folder:file "x.npy", { x, x }) end,
      "expected one NDArray for an .npy file, got a list of 2")
    assert.raises(function() nd.save(7, x) end, "nd.save: file: expected a name, got an integer")
    assert.raises(function() nd.save("a\0b", x) end, "without zero bytes")
    assert.raises(function() nd.load "" end, "got an empty string")
    local freed = nd.ones { 2 }
    freed:free()
    assert.raises(function() nd.save(folder:file "x", { freed }) end, "was freed")
    assert.raises(function() nd.load(folder:file "x.npy") end, "No such file")
  end)
end)

describe("idx files", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local function idx(code, dims, format, ...)
    local head = string.pack(">BBBB", 0, 0, code, #dims)
    for _, d in ipairs(dims) do head = head .. string.pack(">I4", d) end
    return scratch.write(folder:file "x.idx", head .. string.pack(format, ...))
  end

  it("may have every element type, most significant byte first", function()
    local function check(dtype, file, values)
      local x = core.file.read_idx(file)
      assert.equal(dtype, x.dtype)
      assert.same(values, x:totable())
    end
    check("uint8", idx(8, { 3 }, "BBB", 1, 2, 255), { 1, 2, 255 })
    check("int8", idx(9, { 2 }, "bb", -1, 2), { -1, 2 })
    check("int32", idx(11, { 2 }, ">i2i2", -300, 2), { -300, 2 })
    check("int32", idx(12, { 2, 1 }, ">i4i4", -70000, 2), { { -70000 }, { 2 } })
    check("float32", idx(13, { 1 }, ">f", 1.5), { 1.5 })
    check("float64", idx(14, { 1 }, ">d", -0.1), { -0.1 })
  end)

  it("may be packed by gzip", function()
    local file = idx(8, { 200, 100 }, "z", "")
    local values = {}
    for i = 1, 20000 do values[i] = string.char((i * i) % 251) end
    scratch.write(file, scratch.read(file):sub(1, 12) .. table.concat(values))
    local plain = core.file.read_idx(file)
    assert.same({ 200, 100 }, plain.shape)
    scratch.run(("gzip -c '%s' > '%s.gz'"):format(file, file))
    assert.bits(core.file.read_idx(file .. ".gz"), plain)
    local packed = scratch.read(file .. ".gz")
    assert.raises(function() core.file.read_idx(scratch.write(folder:file "cut.gz", packed:sub(1, -100))) end,
      "cut.gz: offset %d+: gzip data: .*cut off")
    assert.raises(function()
      core.file.read_idx(scratch.write(folder:file "bad.gz", packed:sub(1, 100) .. "xyz" .. packed:sub(104)))
    end,
      "gzip data: expected data packed by gzip, got damaged data")
    assert.raises(function() core.file.read_idx(scratch.write(folder:file "bad.gz", packed .. "xyz")) end, "gzip data")
  end)

  it("with wrong sizes are rejected", function()
    assert.raises(function() core.file.read_idx(idx(10, { 1 }, "B", 1)) end,
      "read_idx: .*x.idx: offset 0: magic: expected 0 0 and 8, 9, 11, 12, 13 or 14, got 0 0 10")
    assert.raises(function() core.file.read_idx(idx(8, { 2 }, "B", 1)) end,
      "data: expected 2 bytes for shape %(2,%), got 1")
    assert.raises(function() core.file.read_idx(idx(8, { 1 }, "BB", 1, 2)) end, "data: expected 1 bytes")
    assert.raises(function() core.file.read_idx(idx(14, { 0xFFFFFFFF, 0xFFFFFFFF }, "B", 1)) end,
      "expected at most 2^48 elements")
    assert.raises(function() core.file.read_idx(idx(8, { 1, 1, 1, 1, 1, 1, 1, 1, 1 }, "B", 1)) end,
      "number of dimensions: expected at most 8, got 9")
    assert.raises(function() core.file.read_idx(scratch.write(folder:file "x.idx", "\0\0")) end,
      "expected 4 bytes, got 2")
    assert.raises(function() core.file.read_idx(scratch.write(folder:file "x.idx", "")) end, "expected 4 bytes, got 0")
  end)
end)

describe("csv files", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local function csv(text) return scratch.write(folder:file "x.csv", text) end

  it("have one row of numbers per line", function()
    local x = core.file.read_csv(csv "1,2.5,-3e2\n\n 4 ,\t5,6\r\n   \n7,8,nan")
    assert.equal("float32", x.dtype)
    assert.same({ 3, 3 }, x.shape)
    assert.same({ { 1, 2.5, -300 }, { 4, 5, 6 } }, x["0:2"]:totable())
    assert.equal(8, x[2][1]:asscalar())
    assert.equal("nan", tostring(x[2][2]:asscalar()):match "nan")
    x = core.file.read_csv(csv "0.1\n", { dtype = "float64" })
    assert.same({ { 0.1 } }, x:totable())
    assert.same({ { 1, 2 } }, core.file.read_csv(csv "\n\na,b,c\n1,2", { header = true }):totable())
  end)

  it("may be packed by gzip", function()
    local file = csv(("1,2,3\n"):rep(1000))
    scratch.run(("gzip -f -k '%s'"):format(file))
    assert.bits(core.file.read_csv(file .. ".gz"), core.file.read_csv(file))
  end)

  it("with rows of different lengths, or other text, cause errors with line and column", function()
    for text, pattern in pairs {
      ["1,2\n3\n"] = "x.csv: line 2, column 2: expected 2 columns, got 1",
      ["1,2\n\n3,4,5\n"] = "line 3, column 3: expected 2 columns, got 3",
      ["1,x\n"] = "line 1, column 2: expected a number, got 'x'",
      ["1,\n"] = "line 1, column 2: expected a number, got ''",
      ["1,2 3\n"] = "line 1, column 2: expected a number, got '2 3'",
      ["a,b\n1,2\n"] = "line 1, column 1: expected a number, got 'a'",
      ["\n \n"] = "line 3: expected a row of numbers, got the end of the file",
      [""] = "expected a row of numbers",
      ["1\0,2"] = "column 1: expected a number",
    } do
      assert.raises(function() core.file.read_csv(csv(text)) end, "named_arrays_spec.lua:%d+: read_csv: ", pattern)
    end
    assert.raises(function() core.file.read_csv(csv "1", { dtype = "int8" }) end,
      "dtype: expected float32 or float64, got int8")
  end)
end)
