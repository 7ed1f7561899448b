-- index_files_spec.lua - bracket indexing in files: MXNet has no operator for a whole key, so several of its operators
-- are written.
local hl = require "hybridlua"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

-- The operators of a saved graph in order, with their parameters: "slice_axis(axis=0 begin=0 end=1)".
local function operators(json)
  local out, names = {}, {}
  for op, name, attributes in json:gmatch '"op": "([^"]*)",%s*"name": "([^"]*)"(.-)"inputs"' do
    local parameters = {}
    for k, v in attributes:gmatch '"([^"]*)": "([^"]*)"' do parameters[#parameters + 1] = k .. "=" .. v end
    if op ~= "null" then out[#out + 1] = ("%s(%s)"):format(op, table.concat(parameters, " ")) end
    names[#names + 1] = name
  end
  return table.concat(out, " "), names
end

local function x() return sym.var("x", { shape = { 4, 3, 5 } }) end
local function indices(name) return sym.var(name, { shape = { 2 } }) end

describe("bracket indexing in a file", function()
  local squeezed = "slice_axis(axis=0 begin=%d end=%s) squeeze(axis=(0,))"
  local cases = {
    { "0", 0, squeezed:format(0, "1") },
    { "-1", -1, squeezed:format(-1, "None") },
    { "1:3", { { 1, 3 } }, "slice(begin=(1,) end=(3,) step=(None,))" },
    { "1:3, ::2", "1:3, ::2", "slice(begin=(1, None) end=(3, None) step=(None, 2))" },
    { "0, 1", { 0, 1 }, "slice_axis(axis=0 begin=0 end=1) slice_axis(axis=1 begin=1 end=2) squeeze(axis=(0, 1))" },
    { "..., 0", "..., 0", "slice_axis(axis=2 begin=0 end=1) squeeze(axis=(2,))" },
    { "1:, 0, ::-2", "1:, 0, ::-2", "slice(begin=(1,) end=(None,) step=(None,)) slice_axis(axis=1 begin=0 end=1) " ..
      "slice(begin=(None, None, None) end=(None, None, None) step=(None, None, -2)) squeeze(axis=(1,))" },
    { "None", nd.NULL, "expand_dims(axis=0)" },
    { ":, None, 1", ":, None, 1", "slice_axis(axis=1 begin=1 end=2) squeeze(axis=(1,)) expand_dims(axis=1)" },
    { ":", ":", "" },
    { "array", indices "i", "take(axis=0 mode=raise)" },
    { ":, array", { {}, indices "i" }, "take(axis=1 mode=raise)" },
    { "array, :, 0", { indices "i", {}, 0 },
      "slice_axis(axis=2 begin=0 end=1) squeeze(axis=(2,)) take(axis=0 mode=raise)" },
    { "0, :, array", { 0, {}, indices "i" },
      "slice_axis(axis=0 begin=0 end=1) squeeze(axis=(0,)) take(axis=1 mode=raise) transpose(axes=(1, 0))" },
    { "array, array", { indices "i", indices "j" },
      "Cast(dtype=int64) Cast(dtype=int64) stack(axis=0 num_args=2) gather_nd()" },
    { "array, column", { indices "i", sym.var("k", { shape = { 3, 1 } }) },
      "Cast(dtype=int64) Reshape(shape=(1, 2)) broadcast_to(shape=(3, 2)) " ..
      "Cast(dtype=int64) Reshape(shape=(3, 1)) broadcast_to(shape=(3, 2)) stack(axis=0 num_args=2) gather_nd()" },
    { "array, :, array", { indices "i", {}, indices "j" },
      "transpose(axes=(0, 2, 1)) Cast(dtype=int64) Cast(dtype=int64) stack(axis=0 num_args=2) gather_nd()" },
  }
  for _, case in ipairs(cases) do
    it("uses MXNet's operators: " .. case[1], function()
      local text = operators(x()[case[2]]:tojson())
      assert.equal(case[3], text)
    end)
  end

  it("needs no shapes if axes are counted from the front", function()
    local v, i, j = sym.var "x", sym.var "i", sym.var "j"
    for _, s in ipairs { v[0], v["1:3, ::2, 0"], v[i], v[{ {}, i }], v[{ i, j }], v[{ 0, nd.NULL }], v["1:, ..."] } do
      assert.is_nil(s:tojson():find('"_index', 1, true))
    end
  end)

  it("is saved as one operator if MXNet would need the number of axes", function()
    local s = sym.var "x"["..., 0"]
    assert.equal("_index(key=..., 0)", (operators(s:tojson())))
    assert.bits(nd.array { 1, 3 }, sym.load_json(s:tojson()):eval { x = nd.array { { 1, 2 }, { 3, 4 } } }[1])
  end)

  it("has the right shape for integers and new axes when dimensions are unknown", function()
    local given = nd.arange(6):reshape { 2, 3 }
    for _, key in ipairs { "0, None", "None, 0", "0, 1, None", "None, 0, None, 1", "0, 1" } do
      assert.bits(given[key], sym.load_json(sym.var "x"[key]:tojson()):eval { x = given }[1])
    end
  end)

  it("gets new names, distinct from existing ones", function()
    local v = sym.var "slice_axis7"
    local _, names = operators((v[0] + v[1] + sym.squeeze(v, { axis = 0, name = "squeeze0" })):tojson())
    local seen = {}
    for _, name in ipairs(names) do
      assert.is_true(name ~= "" and not seen[name], name)
      seen[name] = true
    end
    assert.is_true(seen.slice_axis8 and seen.slice_axis9 and seen.squeeze1 and seen.squeeze2)
  end)

  it("keeps a name and attributes", function()
    local s = sym.index(sym.var "x", { key = "0", name = "first", attr = { __mine__ = "yes" } })
    local again = sym.load_json(s:tojson())
    assert.same({ "first_output" }, again:list_outputs())
    assert.equal("yes", again:attr "__mine__")
    local whole = sym.load_json(sym.index(sym.var "x", { key = "...", name = "all" }):tojson())
    assert.same({ "all_output" }, whole:list_outputs())
  end)

  it("is saved once if used twice, and leaves the symbol unchanged", function()
    local s = x()[0]
    local product = s * s
    local json = product:tojson()
    local _, times = json:gsub('"op": "squeeze"', "")
    assert.equal(1, times)
    assert.equal(json, product:tojson())
  end)

  it("uses MXNet's operators in the body of a loop, too", function()
    local function last(F, rows) return F.contrib.foreach(function(row, sum) return row[1], sum + row["::-1"] end, rows,
      F.zeros { shape = { 3 } }) end
    local given = nd.arange(6):reshape { 2, 3 }
    local firsts, sum = last(sym, sym.var("x", { shape = { 2, 3 } }))
    local json = sym.Group { firsts, sum }:tojson()
    assert.is_nil(json:find('"_index', 1, true))
    local expected, outputs = table.pack(last(nd, given)), sym.load_json(json):eval { x = given }
    assert.bits(expected[1], outputs[1])
    assert.bits(expected[2], outputs[2])
  end)

  it("is exported from a hybridized block in MXNet's operators", function()
    local Net = gluon.HybridBlock:subclass "Net"
    function Net:hybrid_forward(_, v) return v[{ {}, 0, 3 }] + v["..., 1:, None, 2"]:sum { axis = { 1, 2 } } end
    local net = Net()
    net:hybridize()
    local v = nd.arange(24):reshape { 2, 3, 4 }
    local expected = net(v)
    local path = os.tmpname()
    net:export(path)
    local file <close> = assert(io.open(path .. "-symbol.json"))
    local json = file:read "a"
    assert.is_nil(json:find('"_index', 1, true))
    assert.bits(expected, sym.load_json(json):eval { data = v }[1])
    os.remove(path)
    os.remove(path .. "-symbol.json")
    os.remove(path .. "-0000.params")
  end)
end)
