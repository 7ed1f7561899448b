-- attention_spec.lua - attention with and without a cache, rotary_embedding and RMSNorm. Attention is compared with
-- products of whole matrices, within rounding errors, and its gradients with finite differences in every kind of call;
-- hidden keys, bits and memory are tested too.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local examples = require "support.examples"
local fuses = require "support.fuses"
local scratch = require "support.scratch"
local nd, autograd = hl.nd, hl.autograd

local function random(dtype, ...) return nd.random.normal { shape = { ... }, dtype = dtype } end

-- A call: inputs, and options with mask, lengths and offsets.
local function call_of(o)
  local dtype = o.dtype or "float64"
  hl.random.seed(o.seed or 5)
  local c = { q = random(dtype, o.batch or 1, o.heads or 1, o.queries or 3, o.width or 2),
              k = random(dtype, o.batch or 1, o.shared or o.heads or 1, o.keys or 4, o.width or 2),
              v = random(dtype, o.batch or 1, o.shared or o.heads or 1, o.keys or 4, o.out or 3), options = {} }
  c.g = random(dtype, o.batch or 1, o.heads or 1, o.queries or 3, o.out or 3)
  c.options.causal, c.options.scale = o.causal, o.scale
  if o.mask then
    c.options.mask = nd.random.uniform { shape = o.mask }:lesser_equal(0.7):astype(o.mask_dtype or "bool")
  end
  if o.length then c.options.length = nd.array(o.length, { dtype = "int32" }) end
  if o.offset then c.options.offset = nd.array(o.offset, { dtype = "int64" }) end
  return c
end

local function attention(c) return nd.contrib.attention(c.q, c.k, c.v, c.options) end

-- 1 for each key that a query sees, else 0, in float64.
local function seen_of(c)
  local batch, heads, queries, keys = c.q.shape[1], c.q.shape[2], c.q.shape[3], c.k.shape[3]
  local o, seen = c.options, nd.ones({ batch, heads, queries, keys }, { dtype = "float64" })
  local key = nd.arange(keys, { dtype = "float64" }):reshape { 1, 1, 1, keys }
  if o.length then
    local length = o.length:astype "float64":reshape { batch, 1, 1, 1 }
    seen = nd.broadcast_mul(seen, nd.broadcast_lesser(key, length))
  end
  if o.causal then
    local offset = o.offset and o.offset:astype "float64":reshape { -1, 1, 1, 1 }
      or nd.full({ 1, 1, 1, 1 }, keys - queries, { dtype = "float64" })
    local last = nd.broadcast_add(nd.arange(queries, { dtype = "float64" }):reshape { 1, 1, queries, 1 }, offset)
    seen = nd.broadcast_mul(seen, nd.broadcast_lesser_equal(key, last))
  end
  if o.mask then
    local shape = { 1, 1, 1, 1 }
    table.move(o.mask.shape, 1, #o.mask.shape, 5 - #o.mask.shape, shape)
    seen = nd.broadcast_mul(seen, o.mask:astype "float64":reshape(shape))
  end
  return seen
end

-- Attention by whole matrices, in float64, and the weights.
local function plain(c, q, k, v)
  local heads, shared = q.shape[2], k.shape[2]
  local scale = c.options.scale or 1 / math.sqrt(q.shape[4])
  if shared < heads then
    k, v = k:repeat_ { repeats = heads // shared, axis = 1 }, v:repeat_ { repeats = heads // shared, axis = 1 }
  end
  local seen = seen_of(c)
  local scores = nd.linalg.gemm2(q, k, { transpose_b = true, alpha = scale })
  local weights = nd.softmax(scores * seen + (seen - 1) * 1e30) * seen
  return nd.linalg.gemm2(weights, v), weights, scores
end

local function gradients(inputs, g, fn)
  for _, x in ipairs(inputs) do x:attach_grad() end
  local y = autograd.record(fn)
  y:backward(g)
  local results = { y }
  for i, x in ipairs(inputs) do results[i + 1] = x.grad:copy() end
  return results
end

local function most(x) return x:abs():max():asscalar() end
local function longest(x) return math.sqrt((x * x):sum { axis = -1 }:max():asscalar()) end

-- Bounds of the rounding errors of a call; u is half an ulp of 1. Scores are chains of `width` terms, weights are
-- exponentials of their differences, and sums have at most one term per key, or per query.
local function bounds(c, wide, u)
  local q, k, v, g = wide.q, wide.k, wide.v, wide.g
  local scale = math.abs(c.options.scale or 1 / math.sqrt(q.shape[4]))
  local width, out, keys, queries = q.shape[4], v.shape[4], k.shape[3], q.shape[3]
  local _, weights = plain(c, q, k, v)
  local column = weights:sum { axis = 2 }:max():asscalar() * q.shape[2] / k.shape[2]
  local score = (width + 2) * u * scale * longest(q) * longest(k)
  local weight = 2 * score + (keys + 16) * u
  local product = longest(g) * longest(v)
  local output = weight * most(v) + keys * u * most(v)
  local error = weight * 2 * product + (2 * out + 8) * u * product + longest(g) * math.sqrt(out) * output
  return { output, scale * (error + keys * u * 2 * product) * most(k),
           column * scale * (error + queries * u * 2 * product) * most(q), column * (weight + queries * u) * most(g) }
end

local KINDS = {
  { batch = 2, heads = 3 },
  { batch = 2, heads = 3, causal = true, queries = 5, keys = 5 },
  { heads = 2, causal = true, queries = 3, keys = 7 },
  { heads = 2, causal = true, queries = 7, keys = 3 },                        -- the first four queries see no key
  { batch = 2, heads = 4, shared = 2, mask = { 3, 4 } },
  { batch = 2, heads = 2, mask = { 2, 1, 3, 4 }, mask_dtype = "float32", scale = -0.4 },
  { batch = 2, heads = 2, mask = { 1, 4 }, mask_dtype = "float16", causal = true },
  { batch = 3, heads = 2, length = { 2, 4, 0 } },
  { batch = 3, heads = 2, shared = 1, length = { 2, 6, 3 }, causal = true, offset = { 0, 3, 1 }, keys = 6 },
  { batch = 2, causal = true, offset = { 2 }, keys = 8, mask = { 2, 1, 1, 8 } },
}

-- Sizes below, at and above blocks of 64 keys, tiles of 48 queries, chunks of 64 elements and vectors of 16.
local SIZES = {
  { queries = 1, keys = 200, width = 64, out = 64, causal = true },
  { queries = 48, keys = 64, width = 16, out = 16, heads = 2 },
  { queries = 49, keys = 65, width = 17, out = 31, heads = 2, causal = true },
  { queries = 130, keys = 130, width = 64, out = 64, causal = true, batch = 2 },
  { queries = 100, keys = 300, width = 80, out = 130, heads = 4, shared = 2, length = { 250, 129 }, batch = 2 },
  { queries = 97, keys = 150, width = 130, out = 65, mask = { 97, 150 } },
}

local function check_bounds(o, dtype)
  o.dtype = dtype
  local c, wide = call_of(o), {}
  for _, name in ipairs { "q", "k", "v", "g" } do wide[name] = c[name]:astype "float64" end
  local own = gradients({ c.q, c.k, c.v }, c.g, function() return attention(c) end)
  local exact = gradients({ wide.q, wide.k, wide.v }, wide.g,
    function() return (plain(c, wide.q, wide.k, wide.v)) end)
  local u = dtype == "float32" and 2.0 ^ -24 or 2.0 ^ -52                      -- in float64 `exact` is rounded, too
  for i, bound in ipairs(bounds(c, wide, u)) do
    local error = most(own[i]:astype "float64" - exact[i])
    assert.truthy(error <= bound, ("result %d: off by %g, rounding explains %g"):format(i, error, bound))
  end
end

describe("attention", function()
  for _, dtype in ipairs { "float32", "float64" } do
    it("matches products of whole matrices, within rounding errors, in " .. dtype, function()
      for _, o in ipairs(KINDS) do check_bounds(o, dtype) end
      for _, o in ipairs(SIZES) do check_bounds(o, dtype) end
    end)
  end

  it("has gradients of both orders that match finite differences", function()
    for i, o in ipairs(KINDS) do
      o.dtype = "float64"
      local c = call_of(o)
      local inputs = { c.q, c.k, c.v }
      local own = gradients(inputs, c.g, function() return attention(c) end)
      local function loss() return (attention(c) * c.g):sum() end
      for k, x in ipairs(inputs) do
        examples.compare_differences({ name = "attention " .. i }, k, x, own[k + 1]:totable(), loss, 1e-6)
      end
      local heads = { random("float64", table.unpack(c.q.shape)), random("float64", table.unpack(c.k.shape)),
                      random("float64", table.unpack(c.v.shape)) }
      c.g:attach_grad()
      inputs[4] = c.g
      local function of_gradients()
        local given = autograd.grad({ attention(c) }, { c.q, c.k, c.v },
          { head_grads = { c.g }, create_graph = true })
        return (given[1] * heads[1]):sum() + (given[2] * heads[2]):sum() + (given[3] * heads[3]):sum()
      end
      local function value() return autograd.record(of_gradients) end
      value():backward()
      for k, x in ipairs(inputs) do
        examples.compare_differences({ name = "attention's gradient " .. i }, k, x, x.grad:totable(), value, 1e-6)
      end
    end
  end)

  it("ignores hidden keys", function()
    for _, o in ipairs { { keys = 70, queries = 5, length = { 66 } },
                         { keys = 130, queries = 3, causal = true, offset = { 62 } } } do
      o.dtype = "float32"
      local c = call_of(o)
      local n = o.length and 66 or 65
      local function run() return gradients({ c.q, c.k, c.v }, c.g, function() return attention(c) end) end
      local before = run()
      c.k["0, 0, " .. n .. ":"], c.v["0, 0, " .. n .. ":"] = 1e3, -1e3
      for i, y in ipairs(run()) do assert.bits(before[i], y) end
      assert.equal(0, most(before[3]["0, 0, " .. n .. ":"]))
      assert.equal(0, most(before[4]["0, 0, " .. n .. ":"]))
    end
  end)

  it("is 0, with gradients 0, for a query without visible keys", function()
    local c = call_of { batch = 2, queries = 3, length = { 0, 4 } }
    local all = gradients({ c.q, c.k, c.v }, c.g, function() return attention(c) end)
    for i = 1, 4 do
      assert.equal(0, most(all[i][0]))
      assert.truthy(most(all[i][1]) > 0)
    end
  end)

  it("has the bits of repeated keys if heads share keys", function()
    local c = call_of { batch = 2, heads = 6, shared = 2, queries = 50, keys = 70, width = 16, out = 8,
                        dtype = "float32" }
    local k, v = c.k:repeat_ { repeats = 3, axis = 1 }, c.v:repeat_ { repeats = 3, axis = 1 }
    assert.bits(nd.contrib.attention(c.q, k, v), attention(c))
  end)

  it("has the same bits token by token, with keys written one at a time", function()
    local tokens, most_tokens = 70, 96
    local c = call_of { heads = 2, queries = tokens, keys = tokens, width = 24, out = 40, causal = true,
                        dtype = "float32" }
    local whole = attention(c)
    local keys, values = nd.zeros { 1, 2, most_tokens, 24 }, nd.zeros { 1, 2, most_tokens, 40 }
    for t = 0, tokens - 1 do
      local at = (":, :, %d:%d"):format(t, t + 1)
      keys[at], values[at] = c.k[at], c.v[at]
      local offset = nd.array({ t }, { dtype = "int64" })
      local one = nd.contrib.attention(c.q[at], keys, values, { causal = true, offset = offset })
      assert.bits(whole[at], one)
    end
  end)

  it("gives the same bits with and without recording, eager and compiled, with one thread and several", function()
    local before <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(before)
    for _, o in ipairs(SIZES) do
      o.dtype = "float32"
      local c = call_of(o)
      local inputs = { c.q, c.k, c.v }
      local function run() return gradients(inputs, c.g, function() return attention(c) end) end
      core.host.threads(1)
      local alone = run()
      assert.bits(alone[1], attention(c))
      core.host.threads(2)
      for i, y in ipairs(run()) do assert.bits(alone[i], y) end
      local compiled = hl.compile(function(F, q, k, v) return F.contrib.attention(q, k, v, c.options) end)
      for i, y in ipairs(gradients(inputs, c.g, function() return compiled(c.q, c.k, c.v) end)) do
        assert.bits(alone[i], y)
      end
    end
  end)

  -- The logarithms of a query's sums, by blocks of 64 keys with 16 totals (kernels/sequence/attention_loops.h).
  local function logarithms(scores)
    local queries, keys = scores.shape[1], scores.shape[2]
    local top, total = nd.full({ queries, 1 }, -math.huge), nd.zeros { queries, 16 }
    for key = 0, keys - 1, 64 do
      local block = scores[(":, %d:%d"):format(key, math.min(keys, key + 64))]
      local higher = nd.broadcast_maximum(top, block:max { axis = 1, keepdims = true })
      total = nd.broadcast_mul(total, nd.exp(top - higher))
      local weights = nd.zeros { queries, 64 }
      weights[(":, :%d"):format(block.shape[2])] = nd.exp(nd.broadcast_sub(block, higher))
      for lane = 0, 48, 16 do total = total + weights[(":, %d:%d"):format(lane, lane + 16)] end
      top = higher
    end
    for _, half in ipairs { 8, 4, 2, 1 } do
      total = total[(":, :%d"):format(half)] + total[(":, %d:%d"):format(half, 2 * half)]
    end
    return top + nd.log(total)
  end

  if fuses then
    it("has the gradients of products of whole matrices, to the bit", function()
      local scale = 0.125
      local c = call_of { heads = 2, shared = 1, queries = 300, keys = 600, width = 290, out = 270, scale = scale,
                          dtype = "float32" }
      local got = gradients({ c.q, c.k, c.v }, c.g, function() return attention(c) end)
      local k, v, dk, dv = c.k[0][0], c.v[0][0], nil, nil
      for head = 0, 1 do
        local q, g, out = c.q[0][head], c.g[0][head], got[1][0][head]
        local scores = nd.dot(q, k, { transpose_b = true }) * scale
        local weights = nd.exp(nd.broadcast_sub(scores, logarithms(scores)))
        local dot = (g * out):sum { axis = 1, keepdims = true }
        local of_scores = weights * nd.broadcast_sub(nd.dot(g, v, { transpose_b = true }), dot) * scale
        assert.bits(nd.dot(of_scores, k), got[2][0][head])
        for first = 0, 299, 256 do                                      -- chains of queries, added head by head
          local at = ("%d:%d"):format(first, math.min(300, first + 256))
          local of_keys = nd.dot(of_scores[at], q[at], { transpose_a = true })
          local of_values = nd.dot(weights[at], g[at], { transpose_a = true })
          dk, dv = dk and dk + of_keys or of_keys, dv and dv + of_values or of_values
        end
      end
      assert.bits(dk, got[3][0][0])
      assert.bits(dv, got[4][0][0])
    end)
  end

  it("needs memory linear in the number of tokens", function()
    local function peak(tokens)
      local c = call_of { heads = 2, queries = tokens, keys = tokens, width = 32, out = 32, dtype = "float32" }
      local inputs = { c.q, c.k, c.v }
      local function run() gradients(inputs, c.g, function() return attention(c) end) end
      run()
      collectgarbage()
      collectgarbage()
      core.host.memory_options { reset_peak = true, trim = true }
      local before = hl.memory().live
      run()
      return hl.memory().peak - before
    end
    local few, many = peak(512), peak(2048)
    assert.truthy(many <= 4.5 * few, ("%d bytes for 512 tokens, %d for 2048"):format(few, many))
    assert.truthy(many < 2048 * 2048 * 4)                       -- one head's scores
  end)

  it("rejects invalid arguments", function()
    local c = call_of { heads = 4, batch = 2 }
    local function with(options, q, k, v)
      return function() nd.contrib.attention(q or c.q, k or c.k, v or c.v, options) end
    end
    assert.raises(with({}, c.q[0]), "attention: query: expected 4 dimensions %(batch, heads, tokens, width%)")
    local fitting = "a shape that broadcasts to %(batch, heads, queries, keys%), %(2, 4, 3, 4%), got %(5,%)"
    assert.raises(with({}, nil, c.k[":, :3"], c.v[":, :3"]),
      "attention: key: expected a divisor of the query's 4 heads")
    assert.raises(with({}, nil, c.k[":, :, :2"]), "attention: .*: expected shape")
    assert.raises(with { mask = nd.ones { 5 } }, "attention: mask: expected " .. fitting)
    assert.raises(with { length = nd.array { 1, 5 } },
      "attention: length: expected 0 to 4, the tokens of key, got 5 for sequence 1")
    assert.raises(with { length = nd.array { 1 } }, "attention: length: expected shape")
    assert.raises(with { causal = true, offset = nd.array { -1 } }, "attention: offset: expected 0 or more, got %-1")
    assert.raises(with { offset = nd.array { 1 } }, "attention: offset: expected causal = true")
    assert.raises(with { causal = true, offset = nd.array { 1, 2, 3 } }, "attention: offset: expected shape %(1,%), or")
    assert.raises(with { scale = math.huge }, "attention: scale: expected a finite number")
    assert.raises(with { use_mask = true }, "attention: mask: expected an NDArray, got nothing")
  end)
end)

describe("cached_attention", function()
  -- Sizes below, at and above the blocks and vectors of the kernel, and caches that are not multiples of a vector.
  local CASES = {
    { heads = 2, places = 200, width = 24, out = 40 },
    { batch = 2, heads = 4, shared = 2, places = 64, width = 16, out = 16 },
    { batch = 2, heads = 3, places = 70, width = 5, out = 7, mask = { 2, 1, 1, 70 } },
    { batch = 3, heads = 2, shared = 1, places = 131, width = 66, out = 130, length = { 131, 50, 0 } },
  }

  -- Attention over keys and values in attention's layout, written by assignment.
  local function reference(o, keys, values, q, k, v, positions)
    local tokens = q.shape[3]
    for i = 0, q.shape[1] - 1 do
      local at = ("%d, :, %d:%d"):format(i, positions[i + 1], positions[i + 1] + tokens)
      keys[at], values[at] = k[i], v[i]
    end
    return nd.contrib.attention(q, keys, values, { causal = true, offset = nd.array(positions, { dtype = "int64" }),
                                                   mask = o.mask_array, length = o.length_array })
  end

  it("has attention's bits, and writes new tokens at `position`, in every kind of call", function()
    local threads <close> = setmetatable({ core.host.threads() }, { __close = function(t) core.host.threads(t[1]) end })
    assert.truthy(threads)
    for n, o in ipairs(CASES) do
      for _, dtype in ipairs { "float32", "float64" } do
        hl.random.seed(n)
        local batch, shared = o.batch or 1, o.shared or o.heads
        o.mask_array = o.mask and nd.random.uniform { shape = o.mask }:lesser(0.7)
        o.length_array = o.length and nd.array(o.length, { dtype = "int32" })
        local keys, values = random(dtype, batch, shared, o.places, o.width),
          random(dtype, batch, shared, o.places, o.out)
        local options = { mask = o.mask_array, length = o.length_array }
        local compiled = hl.compile(function(F, q, k, v, key_cache, value_cache, at)
          return F.contrib.cached_attention(q, k, v, key_cache, value_cache, at, options)
        end)
        local function eager(...)
          local arguments = { ... }
          arguments[#arguments + 1] = options
          return nd.contrib.cached_attention(table.unpack(arguments))
        end
        local ways = {}
        for i, call in ipairs { eager, eager, compiled } do
          ways[i] = { call = call, threads = i, keys = keys:transpose { axes = { 0, 1, 3, 2 } },
                      values = values:copy() }
        end
        local at = {}
        for i = 1, batch do at[i] = i - 1 end
        for _, tokens in ipairs { 3, 1, 50, 1, 1 } do
          local q, k, v = random(dtype, batch, o.heads, tokens, o.width), random(dtype, batch, shared, tokens, o.width),
            random(dtype, batch, shared, tokens, o.out)
          local expected = reference(o, keys, values, q, k, v, at)
          for _, way in ipairs(ways) do
            core.host.threads(way.threads % 2 + 1)
            assert.bits(expected, way.call(q, k, v, way.keys, way.values, nd.array(at, { dtype = "int32" })))
            assert.bits(keys, way.keys:transpose { axes = { 0, 1, 3, 2 } })
            assert.bits(values, way.values)
          end
          for i = 1, batch do at[i] = at[i] + tokens end
        end
      end
    end
  end)

  it("has caches that are auxiliary states in graphs", function()
    local sym = hl.sym
    local out = sym.contrib.cached_attention(sym.var "q", sym.var "k", sym.var "v", { name = "a" })
    assert.same({ "a_key_cache", "a_value_cache" }, out:list_auxiliary_states())
    assert.same({ "q", "k", "v", "a_position" }, out:list_arguments())
  end)

  it("rejects invalid arguments without writing", function()
    local q, v = nd.ones { 2, 4, 3, 2 }, nd.ones { 2, 2, 3, 5 }
    local k = q[":, :2"]
    local keys, values = nd.zeros { 2, 2, 2, 7 }, nd.zeros { 2, 2, 7, 5 }
    local function with(position, options, kc, vc)
      return function() nd.contrib.cached_attention(q, k, v, kc or keys, vc or values, nd.array(position), options) end
    end
    assert.raises(with { 5 }, "cached_attention: position: expected 0 to 4, got 5")
    assert.raises(with { 0, -1 }, "cached_attention: position: expected 0 to 4, got %-1")
    assert.raises(with { 0, 1, 2 }, "cached_attention: position: expected shape %(1,%), or %(batch,%)")
    assert.raises(with({ 0 }, { length = nd.array { 1, 8 } }), "cached_attention: length: expected 0 to 7")
    assert.raises(with({ 0 }, { mask = nd.ones { 6 } }), "cached_attention: mask: expected a shape that broadcasts")
    assert.raises(with({ 0 }, { scale = math.huge }), "cached_attention: scale: expected a finite number")
    assert.raises(with({ 0 }, {}, values), "cached_attention: key_cache: expected shape")
    assert.raises(with({ 0 }, {}, keys, keys), "cached_attention: value_cache: expected shape")
    assert.raises(with({ 0 }, {}, nd.zeros { 2, 2, 2, 2 }, nd.zeros { 2, 2, 2, 5 }),
      "cached_attention: key: expected at most 2 tokens, the capacity of the cache")
    assert.equal(0, most(keys))
    assert.equal(0, most(values))
  end)
end)

describe("a named input", function()
  it("is used even if its use_ parameter is not given", function()
    local x, length = nd.array { { 1, 2, 3 }, { 0.5, -1, 2 } }, nd.array({ 2, 1 }, { dtype = "int32" })
    assert.bits(nd.softmax(x, length, { use_length = true }), nd.softmax(x, { length = length }))
    assert.raises(function() nd.softmax(x, { length = length, use_length = false }) end, "softmax: expected 1 input")
  end)
end)

describe("rotary_embedding", function()
  it("rotates by the formula", function()
    for _, interleaved in ipairs { false, true } do
      local x = random("float64", 2, 3, 5, 6)
      local y = nd.contrib.rotary_embedding(x, { interleaved = interleaved, dims = 4, base = 50, scale = 0.5 })
      for token = 0, 4 do
        for i = 0, 1 do
          local angle = token * 0.5 * 50 ^ (-i / 2)
          local a, b = i, i + 2
          if interleaved then a, b = 2 * i, 2 * i + 1 end
          local xa, xb = x[{ 1, 2, token, a }]:asscalar(), x[{ 1, 2, token, b }]:asscalar()
          assert.near(xa * math.cos(angle) - xb * math.sin(angle), y[{ 1, 2, token, a }]:asscalar(), 1e-12)
          assert.near(xb * math.cos(angle) + xa * math.sin(angle), y[{ 1, 2, token, b }]:asscalar(), 1e-12)
        end
      end
      assert.bits(x[":, :, :, 4:"], y[":, :, :, 4:"])
    end
  end)

  it("makes products depend only on distance", function()
    local q, k = random("float64", 1, 8), random("float64", 1, 8)
    local function product(m, n)
      local function at(x, position) return nd.contrib.rotary_embedding(x, { positions = nd.array { position } }) end
      return (at(q, m) * at(k, n)):sum():asscalar()
    end
    assert.near(product(3, 7), product(103, 107), 1e-12)
  end)

  it("accepts positions per batch or for all, by default 0, 1, 2, ...", function()
    local x = random("float32", 2, 3, 4, 8)
    local whole = nd.contrib.rotary_embedding(x)
    assert.bits(whole, nd.contrib.rotary_embedding(x, { positions = nd.arange(4) }))
    local positions = nd.array({ { 0, 1, 2, 3 }, { 3, 2, 1, 0 } }, { dtype = "int32" })
    local each = nd.contrib.rotary_embedding(x, { positions = positions })
    assert.bits(whole[0], each[0])
    local turned = nd.contrib.rotary_embedding(x[1]:flip { axis = 1 }):flip { axis = 1 }
    assert.bits(turned, each[1])
    assert.allclose(nd.contrib.rotary_embedding(whole, { inverse = true }), x, 1e-5, 1e-6)
    assert.bits(whole, hl.compile(function(F, a) return F.contrib.rotary_embedding(a) end)(x))
  end)

  it("rejects invalid arguments", function()
    local function with(shape, options) return function() nd.contrib.rotary_embedding(nd.ones(shape), options) end end
    assert.raises(with({ 2, 3 }, {}), "rotary_embedding: data: expected an even width, got shape %(2, 3%)")
    assert.raises(with({ 2, 4 }, { dims = 6 }), "rotary_embedding: dims: expected an even number of at most the width")
    assert.raises(with({ 2, 4 }, { base = 0 }), "rotary_embedding: base: expected more than 0, got 0")
    assert.raises(with({ 2, 4 }, { positions = nd.ones { 3 } }), "rotary_embedding: positions: expected shape")
  end)
end)

describe("RMSNorm", function()
  it("divides data by its root mean square", function()
    for _, axis in ipairs { 0, 1, -1 } do
      local x = random("float64", 3, 70, 5)
      local n = x.shape[axis < 0 and 3 or axis + 1]
      local shape = { 1, 1, 1 }
      shape[axis < 0 and 3 or axis + 1] = n
      local gamma, squares = random("float64", n), (x * x):mean { axis = axis, keepdims = true }
      local expected = nd.broadcast_mul(nd.broadcast_div(x, (squares + 0.01):sqrt()), gamma:reshape(shape))
      assert.allclose(nd.RMSNorm(x, gamma, { axis = axis, eps = 0.01 }), expected, 1e-12)
    end
  end)

  it("rejects invalid arguments", function()
    assert.raises(function() nd.RMSNorm(nd.ones { 2, 3 }, nd.ones { 2 }) end, "RMSNorm: gamma: expected shape")
    assert.raises(function() nd.RMSNorm(nd.ones { 2, 3 }, nd.ones { 3 }, { eps = -1 }) end, "RMSNorm: eps: expected")
    assert.raises(function() nd.RMSNorm(nd.ones { 2, 3 }, nd.ones { 3 }, { axis = 2 }) end, "RMSNorm: axis")
  end)
end)

if scratch.is_first_pass then
  describe("attention with many keys #once", function()
    it("stays within rounding errors", function()
      check_bounds({ queries = 60, keys = 5000, width = 64, out = 64 }, "float32")
    end)
  end)
end
