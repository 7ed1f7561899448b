-- dtype_names_spec.lua - dtypes under the names of other libraries: the error suggests the equivalent here.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

local LIST = "float32, float64, float16, int8, int32, int64, uint8 or bool"

local function message(fn)
  local ok, text = pcall(fn)
  assert.is_false(ok)
  assert.matches("dtype_names_spec.lua:%d+: ", text)
  assert.truthy(text:find(LIST, 1, true), text)
  return text
end

describe("another library's dtype name", function()
  it("leads to the equivalent", function()
    for ours, names in pairs {
      float32 = "float Float32 FLOAT32 float_ single f4 <f4 f32 bfloat16 torch.float32 np.float32 np.float flaot32",
      float64 = "double Double number f8 >f8 d torch.double numpy.float64 longdouble floaf64",
      float16 = "half f2 fp16 torch.half", bool = "bool_ boolean Bool b1 torch.bool bol",
      int32 = "int Int integer int_ intc short int16 uint16 i4 <i4 int_32 torch.int",
      int64 = "long longlong uint32 uint64 uint i8 torch.long np.int64", int8 = "char i1", uint8 = "byte ubyte u1",
    } do
      for name in names:gmatch "%S+" do
        local text = message(function() return nd.ones { 1 }:astype(name) end)
        assert.truthy(text:find(("got '%s'; did you mean '%s'?"):format(name, ours), 1, true), text)
      end
    end
  end)

  it("without an equivalent gets the reason or no suggestion", function()
    for name, ending in pairs { complex64 = "'complex64'; there are no complex numbers",
                                complex = "'complex'; there are no complex numbers",
                                string = "'string'; arrays hold numbers only", str = "'str'; arrays hold numbers only",
                                object = "'object'; arrays hold numbers only", xyz = "'xyz'", [""] = "''",
                                ["."] = "'.'", [("q"):rep(100)] = ("'%s'"):format(("q"):rep(100)) } do
      local text = message(function() return nd.ones { 1 }:astype(name) end)
      assert.equal("got " .. ending, text:sub(-#ending - 4))
    end
  end)

  it("gets the suggestion in every function with a dtype", function()
    local x, transforms = nd.ones { 2 }, gluon.data.vision.transforms
    for what, fn in pairs {
      array = function() return nd.array({ 1 }, { dtype = "double" }) end,
      sole_table = function() return nd.array { 1, dtype = "double" } end,
      zeros = function() return nd.zeros({ 2 }, { dtype = "double" }) end,
      full = function() return nd.full({ 2 }, 1, { dtype = "double" }) end,
      arange = function() return nd.arange(3, { dtype = "double" }) end,
      cast = function() return nd.cast(x, { dtype = "double" }) end,
      uniform = function() return nd.random.uniform { shape = { 2 }, dtype = "double" } end,
      one_hot = function() return nd.one_hot(x, 2, { dtype = "double" }) end,
      from_bytes = function() return nd.from_bytes("", { 0 }, "double") end,
      symbol = function() return (sym.var "x"):astype "double" end,
      var = function() return sym.var("x", { dtype = "double" }) end,
      infer_type = function() return (sym.var "x" * 2):infer_type { x = "double" } end,
      block = function() gluon.nn.Dense(2):cast "double" end,
      dense = function() return gluon.nn.Dense(2, { dtype = "double" }) end,
      embedding = function() return gluon.nn.Embedding(2, 3, { dtype = "double" }) end,
      parameter = function() return gluon.Parameter("p", { shape = { 2 }, dtype = "double" }) end,
      cast_parameter = function() gluon.Parameter("p", { shape = { 2 } }):cast "double" end,
      dictionary = function() return gluon.ParameterDict("d"):get("w", { shape = { 2 }, dtype = "double" }) end,
      transform = function() return transforms.Cast "double"(x) end,
    } do
      local text = message(fn)
      assert.truthy(text:find("got 'double'; did you mean 'float64'?", 1, true), what .. ": " .. text)
    end
  end)
end)
