-- files_spec.lua - np's arrays and graphs in files: those of MXNet under npx.set_np, and ours.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local np, npx, gluon, nd = hl.np, hl.npx, hl.gluon, hl.nd

local function read(file)
  local handle <close> = assert(io.open(file, "rb"))
  return handle:read "a"
end

describe("A network that MXNet exported under npx.set_np", function()
  it("is read with np's operators, and gives np's arrays", function()
    local values = npx.load "spec/oracle/np/values.params"
    local net = gluon.SymbolBlock.imports("spec/oracle/np/net-symbol.json", { "data" },
      "spec/oracle/np/net-0000.params")
    local outs = net(values.x)
    assert.equal(10, #outs)
    for i, x in ipairs(outs) do
      local want = values["out" .. i - 1]
      assert.is_true(x.shape == want.shape)
      assert.equal(want.dtype, x.dtype)
      assert.is_true(hl.isinstance(x, np.ndarray))
      assert.is_true(x:almost_equal(want, 1e-5, 1e-6))
    end
  end)
end)

describe("A network of np's arrays", function()
  local Net = gluon.HybridBlock:subclass "NpFileNet"
  function Net:init() self.dense = gluon.nn.Dense(3) end
  function Net:hybrid_forward(F, x)
    local y = F.npx.relu(self.dense(x)) * 2 + 1
    return F.np.sum(y), y[0], y[{ 1, 2 }], F.np.less(y, 2), F.np.argmax(y, { axis = 1 }), F.np.squeeze(y[{ { 0, 1 } }])
  end

  it("is exported with MXNet's names of np's operators, and read again", function()
    local folder = scratch.folder()
    local net = Net()
    net:initialize()
    net:hybridize()
    local x = np.array { { 1, -2 }, { 3, 0.5 } }
    local want = { net(x) }
    local symbol_file, params_file = net:export(folder.path .. "/net")
    local text = read(symbol_file)
    for _, name in ipairs { "_np_sum", "_np_squeeze", "_npi_argmax", "is_np_shape" } do
      assert.truthy(text:find('"' .. name .. '"', 1, true), name)
    end
    assert.is_nil(text:find "_np\"")
    assert.equal("\xCA\xFA\x93\xF9", read(params_file):sub(25, 28))            -- V3, as np's arrays have
    local again = gluon.SymbolBlock.imports(symbol_file, { "data" }, params_file)
    for i, y in ipairs(again(x)) do
      assert.is_true(want[i].shape == y.shape)
      assert.equal(want[i].dtype, y.dtype)
      assert.equal(want[i]:tobytes(), y:tobytes())
      assert.is_true(hl.isinstance(y, np.ndarray))
    end
    folder:remove()
  end)

  it("has unknown dimensions as -1 in the file", function()
    local x = hl.sym.var("x", { shape = { 0, 3 } }):as_np_ndarray()
    assert.truthy(x:sum():tojson():find('"__shape__": "(-1, 3)"', 1, true))
    assert.truthy(hl.sym.sum(hl.sym.var("x", { shape = { 0, 3 } })):tojson():find('"(0, 3)"', 1, true))
  end)
end)

describe("Arrays of np", function()
  it("are saved and loaded by npx, with their shapes", function()
    local folder = scratch.folder()
    for _, ending in ipairs { "params", "npz" } do
      local file = folder.path .. "/a." .. ending
      npx.save(file, { a = np.array(1.5), b = np.zeros { 0, 3 }, c = np.array { 1, 2 } })
      local t = npx.load(file)
      assert.is_true(t.a.shape == {})
      assert.equal(1.5, t.a:item())
      assert.is_true(t.b.shape == { 0, 3 })
      assert.is_true(hl.isinstance(t.c, np.ndarray))
      assert.is_false(hl.isinstance(nd.load(file).c, np.ndarray))
    end
    folder:remove()
  end)

  it("keep the operators of npx.reshape in graphs", function()
    local x = hl.sym.var "x"
    local y = hl.sym._npx_reshape(x, { newshape = { -2, -5, -6, -1, 2, -3, -4 } })
    local shapes = select(2, y:infer_shape { x = { 2, 3, 4, 6, 1, 5, 7 } })
    assert.is_true(shapes[1] == { 2, 12, 3, 2, 5, 7 })
    assert.is_true(npx.reshape(np.ones { 2, 3, 4, 6, 1, 5 }, { -2, -5, -6, -1, 2, -3, -4 }).shape == { 2, 12, 3, 2, 5 })
    assert.raises(function() hl.nd._npx_reshape(nd.ones { 2 }, { newshape = { -3 } }) end,
      "newshape: expected a dimension of 1 for the code %-3, got 2")
  end)
end)
