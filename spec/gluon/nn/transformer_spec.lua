-- transformer_spec.lua - the transformer layers of gluon.contrib.nn: their formulas, masks and lengths, caches for
-- generating token by token, parameter names, errors.
local hl = require "hybridlua"
local fuses = require "support.fuses"
local nd, gluon, autograd = hl.nd, hl.gluon, hl.autograd
local nn, cn = gluon.nn, gluon.contrib.nn

local function ready(block, seed)
  hl.random.seed(seed or 1)
  block:initialize(hl.init.Xavier())
  return block
end

local function random(...) return nd.random.normal { shape = { ... } } end
local function traces(block) return #block:explain { format = "table" }.traces end

-- Computes attention_cell with whole matrices.
local function attended(cell, query, memory, seen)
  local heads = cell._heads
  local function project(layer, x, n)
    local y = layer(x)
    return y:reshape { shape = { y.shape[1], y.shape[2], n, -1 } }:transpose { axes = { 0, 2, 1, 3 } }
  end
  local q = project(cell.proj_query, query, heads)
  local k, v = project(cell.proj_key, memory, cell._shared), project(cell.proj_value, memory, cell._shared)
  local each = { repeats = heads // cell._shared, axis = 1 }
  k, v = k:repeat_(each), v:repeat_(each)
  local scores = nd.linalg.gemm2(q, k, { transpose_b = true, alpha = 1 / math.sqrt(q.shape[4]) })
  if seen then scores = nd.broadcast_add(scores, (seen - 1) * 1e9) end
  local mixed = nd.linalg.gemm2(nd.softmax(scores), v):transpose { axes = { 0, 2, 1, 3 } }
  return cell.proj(mixed:reshape { shape = { 0, 0, -3 } })
end

local function lower(n)
  local i = nd.arange(n)
  return nd.broadcast_greater_equal(i:reshape { n, 1 }, i:reshape { 1, n }):reshape { 1, 1, n, n }
end

describe("MultiHeadAttention", function()
  it("projects inputs, attends and projects outputs", function()
    for _, o in ipairs { {}, { kv_heads = 2 }, { use_bias = false, kv_heads = 1 } } do
      local cell = ready(cn.MultiHeadAttention(24, 4, o))
      local x, memory = random(2, 5, 10), random(2, 7, 6)
      local self_, other = ready(cn.MultiHeadAttention(24, 4, o)), cell
      assert.allclose(self_(x), attended(self_, x, x), 1e-4, 1e-6)
      assert.allclose(other(x, memory), attended(other, x, memory), 1e-4, 1e-6)
    end
    local causal = ready(cn.MultiHeadAttention(24, 4, { causal = true }))
    local x = random(2, 5, 24)
    assert.allclose(causal(x), attended(causal, x, x, lower(5)), 1e-4, 1e-6)
  end)

  it("attends only where the mask and the lengths allow", function()
    local cell, x = ready(cn.MultiHeadAttention(8, 2)), random(2, 6, 8)
    local length = nd.array({ 4, 6 }, { dtype = "int32" })
    local mask = nd.broadcast_lesser(nd.arange(6):reshape { 1, 1, 6 }, nd.array { 4, 6 }:reshape { 2, 1, 1 })
    local whole = cell(x, nil, nil, length)
    assert.bits(whole, cell(x, nil, mask))
    assert.allclose(whole["0:1, :4"], cell(x["0:1, :4"]), 1e-5, 1e-6)
    cell:hybridize()
    assert.bits(whole, cell(x, nil, nil, length))
    assert.bits(whole, cell(x, nil, mask))
  end)

  it("depends only on distances between tokens if rotary = true", function()
    local cell, x = ready(cn.MultiHeadAttention(8, 2, { rotary = true })), random(1, 4, 8)
    local cache, at = cell:begin_cache(1, 20), nd.array({ 9 }, { dtype = "int32" })
    local moved = cell(x, nil, nd.ones { 1, 1, 20 }:slice_assign_scalar { scalar = 0, begin = { 0, 0, 0 },
      ["end"] = { 1, 1, 9 } }, nil, cache, at)
    local causal = ready(cn.MultiHeadAttention(8, 2, { rotary = true, causal = true }))
    assert.allclose(moved, causal(x), 1e-4, 1e-5)
    local plain = ready(cn.MultiHeadAttention(8, 2))
    assert.truthy((plain(x) - cell(x)):abs():max():asscalar() > 1e-3)
  end)

  it("rejects invalid arguments", function()
    assert.raises(function() cn.MultiHeadAttention(10, 4) end, "num_heads: expected a divisor of the 10 units, got 4")
    assert.raises(function() cn.MultiHeadAttention(16, 4, { kv_heads = 3 }) end,
      "kv_heads: expected a divisor of the 4 heads, got 3")
    assert.raises(function() cn.MultiHeadAttention(12, 4, { rotary = true }) end,
      "rotary: expected an even width of heads, got 3")
    local cell = ready(cn.MultiHeadAttention(8, 2))
    assert.raises(function() cell(random(1, 2, 8), nil, nil, nil, cell:begin_cache(1, 4)) end,
      "cache: expected a position with it, and no memory")
    assert.raises(function()
      cell(random(1, 2, 8), nil, nil, nil, cell:begin_cache(1, 4), nd.array({ 3 }, { dtype = "int32" }))
    end, "contrib_dynamic_update_slice: begin: expected 0 to 2, got 3")
  end)
end)

describe("the transformer's cells", function()
  local function ffn(cell, x)
    local y = cell.ffn_2(nd.relu(cell.ffn_1(x)))
    return y
  end

  it("normalize after or before the residual connection", function()
    local x = random(2, 5, 16)
    for _, norm in ipairs { "layer", "rms" } do
      local post = ready(cn.TransformerEncoderCell(16, 32, 4, { norm = norm }))
      local y = post.layer_norm(x + attended(post.attention_cell, x, x))
      assert.allclose(post(x), post.ffn.layer_norm(y + ffn(post.ffn, y)), 1e-4, 1e-5)
      local pre = ready(cn.TransformerEncoderCell(16, 32, 4, { norm = norm, pre_norm = true }))
      local z = pre.layer_norm(x)
      y = x + attended(pre.attention_cell, z, z)
      assert.allclose(pre(x), y + ffn(pre.ffn, pre.ffn.layer_norm(y)), 1e-4, 1e-5)
    end
  end)

  it("attend to the encoder's output when decoding", function()
    local cell = ready(cn.TransformerDecoderCell(16, 32, 4))
    local x, memory = random(2, 5, 16), random(2, 7, 16)
    local y = cell.layer_norm_in(x + attended(cell.attention_cell_in, x, x, lower(5)))
    y = cell.layer_norm_inter(y + attended(cell.attention_cell_inter, y, memory))
    local expected = cell.ffn.layer_norm(y + ffn(cell.ffn, y))
    assert.allclose(cell(x, memory), expected, 1e-4, 1e-5)
    local length = nd.array({ 3, 7 }, { dtype = "int32" })
    local cut = cell(x, memory, nil, nil, length)
    assert.allclose(cut["0:1"], cell(x["0:1"], memory["0:1, :3"]), 1e-4, 1e-5)
    assert.allclose(cut["1:2"], expected["1:2"], 1e-4, 1e-5)
  end)

  -- Compares bits if this build fuses multiply-adds, values otherwise.
  local function same(got, expected)
    if fuses then assert.bits(expected, got) else assert.allclose(got, expected, 1e-4, 1e-5) end
  end

  it("generate token by token or in several parts, in one trace", function()
    local x, memory = random(2, 12, 16), random(2, 4, 16)
    for _, o in ipairs { {}, { pre_norm = true, rotary = true, norm = "rms", activation = "gelu", kv_heads = 2 } } do
      o.causal = true
      for _, make in ipairs { cn.TransformerEncoderCell, cn.TransformerDecoderCell } do
        local cell, decodes = ready(make(16, 32, 4, o)), make == cn.TransformerDecoderCell
        local function step(part, cache, at)
          local position = nd.array({ at }, { dtype = "int32" })
          if decodes then return cell(part, memory, nil, nil, nil, cache, position) end
          return cell(part, nil, nil, cache, position)
        end
        local whole = decodes and cell(x, memory) or cell(x)
        local eager = {}
        for _, hybridized in ipairs { false, true } do
          cell:hybridize(hybridized)
          local cache = cell:begin_cache(2, 32)
          for t = 0, 11 do
            local at = (":, %d:%d"):format(t, t + 1)
            local out, after = step(x[at], cache, t)
            cache = after
            same(out, whole[at])
            if hybridized then assert.bits(eager[t], out) else eager[t] = out end
          end
          if hybridized then assert.equal(1, traces(cell)) end
          cache = cell:begin_cache(2, 32)
          local out, filled = step(x[":, :7"], cache, 0)
          same(out, whole[":, :7"])
          out = step(x[":, 7:"], filled, 7)
          same(out, whole[":, 7:"])
          if hybridized then assert.equal(1, traces(cell)) end
        end
      end
    end
  end)

  it("write into a cache in place, with the same bits as into a copy", function()
    local x, memory = random(2, 12, 16), random(2, 4, 16)
    local mask = nd.random.uniform { shape = { 2, 1, 19 } }:lesser(0.8)
    for _, make in ipairs { cn.TransformerEncoderCell, cn.TransformerDecoderCell } do
      local decodes = make == cn.TransformerDecoderCell
      local cell = ready(make(16, 32, 4, { causal = true, rotary = true, kv_heads = 2 }))
      local function step(part, cache, at)
        local position = nd.array({ at }, { dtype = "int32" })
        if decodes then return cell(part, memory, nil, nil, nil, cache, position) end
        return cell(part, mask, nil, cache, position)
      end
      local copied = {}
      for _, hybridized in ipairs { false, true } do
        cell:hybridize(hybridized)
        local cache, own = cell:begin_cache(2, 19), cell:begin_cache(2, 19, { in_place = true })
        for t, at in ipairs { "0:7", "7:8", "8:9", "9:12" } do
          local part, first = x[":, " .. at], tonumber(at:match "%d+")
          local out, again, after
          out, cache = step(part, cache, first)
          again, after = step(part, own, first)
          assert.bits(out, again)
          assert.bits(copied[t] or out, out)
          copied[t] = out
          assert.bits(own.keys, after.keys)
          assert.bits(own.values, after.values)
          assert.bits(cache[1], own.keys:transpose { axes = { 0, 1, 3, 2 } })
          assert.bits(cache[2], own.values)
        end
        if hybridized then assert.equal(2, traces(cell)) end
        own = cell:begin_cache(2, 19, { in_place = true, dtype = "float32" })
        local out = autograd.record(function() return (step(x[":, 0:7"], own, 0)) end)
        assert.bits(copied[1], out)
        assert.raises(function() out:backward() end, "contrib_cached_attention: expected no gradient through a cache")
      end
    end
    local cell = ready(cn.MultiHeadAttention(8, 2))
    assert.raises(function() cell:begin_cache(1, 4, { in_place = 1 }) end,
      "begin_cache: in_place: expected true or false, got 1")
    assert.raises(function() cell:begin_cache(1, 4, { inplace = true }) end, "in_place")
  end)

  it("pass gradients to every parameter, with the same bits when hybridized", function()
    local x, memory = random(2, 5, 16), random(2, 3, 16)
    local grads = {}
    for _, hybridized in ipairs { false, true } do
      local cell = ready(cn.TransformerDecoderCell(16, 32, 4, { dropout = 0.2, rotary = true }))
      if hybridized then cell:hybridize() end
      hl.random.seed(2)
      autograd.record(function() return cell(x, memory):square():sum() end):backward()
      local list = {}
      for i, param in ipairs(cell:collect_params():values()) do
        list[i] = param:grad()
        -- A number added to all scores of a query changes no weight, so this gradient is 0.
        local idle = param.name:find "attention.*dense1_bias$"
        if not idle then assert.truthy(list[i]:abs():max():asscalar() > 0, param.name) end
      end
      grads[#grads + 1] = list
    end
    for i, g in ipairs(grads[1]) do assert.bits(g, grads[2][i]) end
  end)

  it("keep their parameter names in files", function()
    local names = {}
    local cell = ready(cn.TransformerEncoderCell(8, 16, 2))
    cell(random(1, 2, 8))
    for _, pair in ipairs(cell:structural_params()) do names[pair[1]] = true end
    for _, name in ipairs { "attention_cell.proj_query.weight", "attention_cell.proj.bias", "layer_norm.gamma",
                            "ffn.ffn_1.weight", "ffn.layer_norm.beta" } do
      assert.truthy(names[name], name)
    end
  end)

  it("return the same bits after export and import", function()
    local cell, x = ready(cn.TransformerEncoderCell(16, 32, 4, { causal = true, rotary = true })), random(2, 5, 16)
    cell:hybridize()
    local expected, stem = cell(x), os.tmpname()
    cell:export(stem)
    local loaded = gluon.SymbolBlock.imports(stem .. "-symbol.json", { "data" }, stem .. "-0000.params")
    assert.bits(expected, loaded(x))
    for _, ending in ipairs { "", "-symbol.json", "-0000.params" } do os.remove(stem .. ending) end
  end)

  it("reject invalid options", function()
    assert.raises(function() cn.TransformerEncoderCell(16, 32, 4, { norm = "batch" }) end,
      "norm: expected 'layer' or 'rms', got 'batch'")
    assert.raises(function() cn.TransformerEncoderCell(16, 32, 4, { pre_norm = 1 }) end,
      "pre_norm: expected true or false, got 1")
  end)
end)

describe("PositionalEmbedding", function()
  it("alternates sines and cosines", function()
    local block = cn.PositionalEmbedding(6, 50)
    block:initialize()
    local y = block(nd.array { { 0, 3 }, { 49, 7 } })
    assert.same({ 2, 2, 6 }, y.shape)
    for i = 0, 5 do
      local angle = 49 / 10000 ^ ((i - i % 2) / 6)
      assert.near(i % 2 == 0 and math.sin(angle) or math.cos(angle), y[{ 1, 0, i }]:asscalar(), 1e-6)
    end
    assert.equal("null", block.weight.grad_req)
  end)

  it("can be learned", function()
    local net = nn.HybridSequential()
    net:add(cn.PositionalEmbedding(4, 9, { method = "learned" }))
    ready(net)
    net:hybridize()
    local block = net[0]
    assert.bits(block.weight:data()["2:4"], net(nd.array { 2, 3 }))
    autograd.record(function() return net(nd.array { 2, 2 }):sum() end):backward()
    assert.equal(8, block.weight:grad():sum():asscalar())
    assert.raises(function() cn.PositionalEmbedding(4, 9, { method = "spiral" }) end,
      "method: expected 'sinusoidal' or 'learned', got 'spiral'")
  end)
end)

describe("dynamic slices", function()
  it("read and write at positions given by an array", function()
    local x = nd.arange(24):reshape { 2, 3, 4 }
    local function at(...) return nd.array({ ... }, { dtype = "int32" }) end
    assert.bits(x[":, 1:3"], nd.contrib.dynamic_slice(x, at(1), { axis = 1, size = 2 }))
    local each = nd.contrib.dynamic_slice(x, at(0, 2), { axis = 1, size = 1 })
    assert.bits(nd.stack({ x["0, 0:1"], x["1, 2:3"] }, { axis = 0 }), each)
    local written = nd.contrib.dynamic_update_slice(x, each * 0 - 1, at(0, 2), { axis = 1 })
    assert.equal(-8, (written:lesser(0) * written):sum():asscalar())
    assert.bits(each * 0 - 1, nd.contrib.dynamic_slice(written, at(0, 2), { axis = 1, size = 1 }))
    assert.raises(function() nd.contrib.dynamic_slice(x, at(2), { axis = 1, size = 2 }) end,
      "contrib_dynamic_slice: begin: expected 0 to 1, got 2")
    assert.raises(function() nd.contrib.dynamic_slice(x, at(0), { axis = 1, size = 4 }) end,
      "size: expected at most 3")
    assert.raises(function() nd.contrib.dynamic_update_slice(x, nd.ones { 2, 4, 4 }, at(0), { axis = 1 }) end,
      "value: expected at most 3 elements along axis 1")
  end)
end)
