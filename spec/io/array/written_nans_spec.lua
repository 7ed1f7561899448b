-- written_nans_spec.lua - the bits of NaNs in files and in tobytes, as src/tensor/written_bytes.h defines them.
local hl = require "hybridlua"
local nd = hl.nd

-- Per dtype: a NaN made by arithmetic on x86, its written form, and NaNs with a payload, which are kept.
local forms = {
  float16 = { "<I2", 0xFE00, 0x7E00, { 0xFE01, 0x7C01, 0xFC01 } },
  float32 = { "<I4", 0xFFC00000, 0x7FC00000, { 0xFFC00001, 0x7F800001, 0xFF800001 } },
  float64 = { "<I8", -0x8000000000000, 0x7FF8000000000000, { -0x7FFFFFFFFFFFF, 0x7FF0000000000001 } },
}

describe("a written NaN", function()
  for dtype, form in pairs(forms) do
    local pattern, made, written, kept = table.unpack(form)
    local pack = function(x) return string.pack(pattern:gsub("I8", "i8"), x) end
    -- 5000 repetitions, more than one piece of a file holds, with infinities and zeros between NaNs
    local parts = { pack(made), pack(written) }
    for _, x in ipairs(kept) do parts[#parts + 1] = pack(x) end
    parts[#parts + 1] = nd.array({ 1 / 0, -1 / 0, -0.0, 1.5 }, { dtype = dtype }):tobytes()
    local bytes = table.concat(parts):rep(5000)
    parts[1] = pack(written)
    local wanted = table.concat(parts):rep(5000)
    local count = #bytes // #pack(made)
    local x = nd.from_bytes(bytes, { count }, dtype)

    it(("has no sign in the bytes of %s, but keeps its payload"):format(dtype), function()
      assert.is_true(x:tobytes() == wanted)
      assert.is_true(nd.from_bytes(wanted, { count }, dtype):tobytes() == wanted)
    end)

    for _, ending in ipairs { "params", "npy", "npz" } do
      it(("has no sign in a .%s file of %s"):format(ending, dtype), function()
        local path = os.tmpname()
        local name = path .. "." .. ending
        nd.save(name, ending == "npy" and x or { x = x })
        local file <close> = assert(io.open(name, "rb"))
        local text = file:read "a"
        assert.is_truthy(text:find(wanted, 1, true))
        local back = nd.load(name)
        if ending ~= "npy" then back = back.x end
        assert.bits(x, back)
        os.remove(name)
        os.remove(path)
      end)
    end
  end

  it("is the same wherever it came from", function()
    local zero, inf = nd.zeros { 20 }, nd.full({ 20 }, 1 / 0)
    local wanted = string.pack("<I4", 0x7FC00000):rep(20)
    for _, y in ipairs { zero / zero, -(zero / zero), inf - inf, nd.sqrt(zero - 1), nd.log(zero - 1), inf * zero,
      nd.gammaln(zero / zero), nd.full({ 20 }, 0 / 0), nd.full({ 20 }, -(0 / 0)) } do
      assert.equal(wanted, y:tobytes())
    end
  end)

  it("prints without a sign", function()
    assert.equal("nan", tostring((nd.zeros { 1 } / nd.zeros { 1 }):asscalar()))
    assert.equal("nan", tostring((-(nd.zeros { 1 } / nd.zeros { 1 })):totable()[1]))
  end)
end)
