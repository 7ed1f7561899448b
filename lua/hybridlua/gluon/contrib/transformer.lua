-- contrib/transformer.lua - the parts of transformers (A. Vaswani et al., 2017): MultiHeadAttention, PositionwiseFFN,
-- TransformerEncoderCell, TransformerDecoderCell, PositionalEmbedding, RMSNorm. Names are those of GluonNLP where it
-- has one. Sequences are (batch, tokens, units).
--
-- Generation token by token: begin_cache(batch, max_length) returns arrays for the keys and values of max_length
-- tokens. A call with them and a position, an array with the index of its first token, also returns them with its own
-- tokens written there. Position is an array so that one trace serves all positions. Attention has the bits of a call
-- with the whole sequence; dense layers on fewer tokens are different BLAS products, so results agree up to rounding.
-- Each call returns new arrays and leaves those it was given unchanged, at the cost of one copy. With in_place = true
-- calls write to the cache and return it.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local layers = require "hybridlua.gluon.nn"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local nd, number = core.op.nd, core.number

local nn = {}

local CACHE = "batch_size max_length in_place dtype ctx"         -- arguments of begin_cache

-- ---- RMSNorm ----------------------------------------------------------------------------------------------------

--- RMSNorm(axis = -1, {epsilon = 1e-6, gamma_initializer = "ones", in_channels = 0}): data divided by its root mean
-- square along `axis`, times gamma (B. Zhang, R. Sennrich, 2019).
nn.RMSNorm = HybridBlock:subclass "RMSNorm"

local read_rms = arguments.of_block("RMSNorm", "axis epsilon gamma_initializer in_channels",
  { axis = -1, epsilon = 1e-6, gamma_initializer = "ones", in_channels = 0 })

function nn.RMSNorm:init(...)
  local o = read_rms(...)
  self.gamma = self.params:get("gamma", { shape = { checks.whole("RMSNorm: in_channels", o.in_channels, 0) },
                                          init = o.gamma_initializer, allow_deferred_init = true })
  self._prepared = core.op.prepare("RMSNorm", { axis = o.axis, eps = o.epsilon })
end

function nn.RMSNorm:hybrid_forward(F, x, p) return F.RMSNorm(x, p.gamma, self._prepared) end

local NORMS = { layer = layers.LayerNorm, rms = nn.RMSNorm }

local function norm_of(what, kind, epsilon)
  return NORMS[checks.choice(what .. ": norm", kind, "layer", "rms")] { epsilon = epsilon }
end

-- ---- Positions ---------------------------------------------------------------------------------------------------

-- The positions of x's tokens, the first at `position`; nil without one.
local function positions_of(F, x, position)
  return position and F.broadcast_add(F.contrib.arange_like(x, { axis = 1 }), F.cast(position, { dtype = "float32" }))
end

local MOST_WAVES = 1 << 26           -- numbers, each computed by Lua

-- A table of sines and cosines, alternately, of wavelengths that grow from 2 pi to 10000 times that.
local function sinusoids(max_length, units)
  local rows = {}
  for place = 0, max_length - 1 do
    local row = {}
    for i = 0, units - 1 do
      local angle = place / number.power_of(10000, (i - i % 2) / units)
      row[i + 1] = i % 2 == 0 and number.sin_of(angle) or number.cos_of(angle)
    end
    rows[place + 1] = row
  end
  return nd.array(rows)
end

--- PositionalEmbedding(units, max_length, {method = "sinusoidal", weight_initializer}): maps an array of positions to
-- vectors of `units` elements. method "sinusoidal": element 2i is sin(position / 10000^(2i / units)), the next one its
-- cosine, not learned (A. Vaswani et al., 2017); "learned": an embedding.
nn.PositionalEmbedding = HybridBlock:subclass "PositionalEmbedding"

local read_positional = arguments.of_block("PositionalEmbedding", "units max_length method weight_initializer",
  { method = "sinusoidal" })

function nn.PositionalEmbedding:init(...)
  local o = read_positional(...)
  local units, most = checks.whole("PositionalEmbedding: units", o.units, 1),
    checks.whole("PositionalEmbedding: max_length", o.max_length, 1)
  checks.choice("PositionalEmbedding: method", o.method, "sinusoidal", "learned")
  if o.method == "learned" then
    self.weight = self.params:get("weight", { shape = { most, units }, init = o.weight_initializer })
  else
    if most > MOST_WAVES // units then
      fail("PositionalEmbedding: max_length: expected at most %d for %d units, got %d", MOST_WAVES // units, units,
        most)
    end
    self.weight = self.params:get_constant("weight", sinusoids(most, units))
  end
  self._method = o.method
  self._prepared = core.op.prepare("Embedding", { input_dim = most, output_dim = units })
end

function nn.PositionalEmbedding:hybrid_forward(F, positions, p)
  return F.Embedding(positions, p.weight, self._prepared)
end

function nn.PositionalEmbedding.__tostring(self)
  local shape = self.weight.shape
  return ("PositionalEmbedding(%d, max_length=%d, method=%s)"):format(shape[2], shape[1], self._method)
end

-- ---- Attention ---------------------------------------------------------------------------------------------------

--- MultiHeadAttention(units, num_heads, {kv_heads = num_heads, use_bias = true, causal = false, rotary = false,
-- in_units = 0, weight_initializer, bias_initializer = "zeros"}): attn(query, memory, mask, length) projects query to
-- queries, and memory (nil: query) to keys and values, of num_heads heads; lets each query attend to the keys, and
-- projects the results to `units`. kv_heads: with fewer of these, neighbouring heads share them. mask: nonzero where a
-- token may attend to a key, (batch, tokens, keys) or an array that broadcasts to it. length: (batch), the number of
-- valid keys of each sequence. causal: tokens attend only to themselves and earlier ones. rotary: true, or the base of
-- the angles, rotates queries and keys by their positions (J. Su et al., 2021). With a cache, attn(query, nil, mask,
-- length, cache, position) returns the result and the new cache.
nn.MultiHeadAttention = HybridBlock:subclass "MultiHeadAttention"
local MultiHeadAttention = nn.MultiHeadAttention

local read_attention = arguments.of_block("MultiHeadAttention",
  "units num_heads kv_heads use_bias causal rotary in_units weight_initializer bias_initializer",
  { use_bias = true, causal = false, rotary = false, in_units = 0, bias_initializer = "zeros" })

function MultiHeadAttention:init(...)
  local o = read_attention(...)
  local units, heads = checks.whole("MultiHeadAttention: units", o.units, 1),
    checks.whole("MultiHeadAttention: num_heads", o.num_heads, 1)
  local shared = checks.whole("MultiHeadAttention: kv_heads", o.kv_heads or heads, 1)
  if units % heads ~= 0 then
    fail("MultiHeadAttention: num_heads: expected a divisor of the %d units, got %d", units, heads)
  end
  if heads % shared ~= 0 then
    fail("MultiHeadAttention: kv_heads: expected a divisor of the %d heads, got %d", heads, shared)
  end
  local width = units // heads
  if o.rotary and width % 2 ~= 0 then
    fail("MultiHeadAttention: rotary: expected an even width of heads, got %d", width)
  end
  self._heads, self._shared, self._width = heads, shared, width
  self._causal = checks.boolean("MultiHeadAttention: causal", o.causal)
  self._base = o.rotary and (type(o.rotary) == "number" and o.rotary or 10000)
  checks.boolean("MultiHeadAttention: use_bias", o.use_bias)
  local function projection(size)
    return layers.Dense(size, { flatten = false, use_bias = o.use_bias, in_units = o.in_units,
                                weight_initializer = o.weight_initializer, bias_initializer = o.bias_initializer })
  end
  self.proj_query, self.proj_key = projection(units), projection(shared * width)
  self.proj_value, self.proj = projection(shared * width), projection(units)
end

--- begin_cache(batch_size, max_length, {in_place = false, dtype, ctx}): an empty cache for the keys and values of
-- max_length tokens: a list of two arrays (batch, kv_heads, tokens, width). in_place: calls write into the arrays and
-- return them, without a copy and without a gradient; the cache is then {keys =, values =}, with keys (batch, kv_heads,
-- width, tokens).
function MultiHeadAttention:begin_cache(batch_size, max_length, in_place, dtype, ctx)
  local batch = checks.whole("begin_cache: batch_size", batch_size, 1)
  local tokens, options = checks.whole("begin_cache: max_length", max_length, 1), { dtype = dtype, ctx = ctx }
  local values = nd.zeros({ batch, self._shared, tokens, self._width }, options)
  if not checks.boolean("begin_cache: in_place", in_place or false) then return { values:zeros_like(), values } end
  return { keys = nd.zeros({ batch, self._shared, self._width, tokens }, options), values = values }
end

-- (batch, tokens, heads x width) to (batch, heads, tokens, width), and the inverse.
local function split_heads(F, x, heads)
  return F.transpose(F.reshape(x, { shape = { 0, 0, -4, heads, -1 } }), { axes = { 0, 2, 1, 3 } })
end

local function join_heads(F, x)
  return F.reshape(F.transpose(x, { axes = { 0, 2, 1, 3 } }), { shape = { 0, 0, -3 } })
end

function MultiHeadAttention:hybrid_forward(F, query, memory, mask, length, cache, position)
  if cache and (memory or not position) then
    fail("%s: cache: expected a position with it, and no memory", self.name)
  end
  local from = memory or query
  local q, k = split_heads(F, self.proj_query(query), self._heads), split_heads(F, self.proj_key(from), self._shared)
  local v = split_heads(F, self.proj_value(from), self._shared)
  if self._base then
    local function turned(x)
      return F.contrib.rotary_embedding(x, { base = self._base, positions = positions_of(F, query, position) })
    end
    q, k = turned(q), turned(k)
  end
  mask = mask and F.expand_dims(mask, { axis = 1 })
  if cache and cache.keys then
    local out = F.contrib.cached_attention(q, k, v, cache.keys, cache.values, position,
      { mask = mask, length = length })
    return self.proj(join_heads(F, out)), cache
  end
  if cache then
    k = F.contrib.dynamic_update_slice(cache[1], k, position, { axis = 2 })
    v = F.contrib.dynamic_update_slice(cache[2], v, position, { axis = 2 })
  end
  local out = F.contrib.attention(q, k, v, { causal = self._causal or cache ~= nil, mask = mask, length = length,
                                             offset = cache and position })
  out = self.proj(join_heads(F, out))
  if cache then return out, { k, v } end
  return out
end

function MultiHeadAttention.__tostring(self)
  return ("MultiHeadAttention(%d, num_heads=%d, kv_heads=%d)"):format(self._heads * self._width, self._heads,
    self._shared)
end

arguments.methods(MultiHeadAttention, "", { begin_cache = CACHE })

-- ---- The cells ---------------------------------------------------------------------------------------------------

--- PositionwiseFFN(units, hidden_size, {dropout = 0, activation = "relu", pre_norm = false, norm = "layer",
-- layer_norm_eps = 1e-5, use_bias = true, weight_initializer, bias_initializer = "zeros"}): two dense layers for each
-- token, with a residual connection and normalization after it or, with pre_norm, before the layers. activation: "gelu"
-- or one of Activation's.
nn.PositionwiseFFN = HybridBlock:subclass "PositionwiseFFN"

local COMMON = { dropout = 0.0, activation = "relu", pre_norm = false, norm = "layer", layer_norm_eps = 1e-5,
                 use_bias = true, bias_initializer = "zeros" }

local read_ffn = arguments.of_block("PositionwiseFFN",
  "units hidden_size dropout activation pre_norm norm layer_norm_eps use_bias weight_initializer bias_initializer",
  COMMON)

function nn.PositionwiseFFN:init(...)
  local o = read_ffn(...)
  local function dense(size)
    return layers.Dense(size, { flatten = false, use_bias = o.use_bias, weight_initializer = o.weight_initializer,
                                bias_initializer = o.bias_initializer })
  end
  self._pre_norm, self._activation = checks.boolean("PositionwiseFFN: pre_norm", o.pre_norm), o.activation
  self.ffn_1 = dense(checks.whole("PositionwiseFFN: hidden_size", o.hidden_size, 1))
  self.ffn_2 = dense(checks.whole("PositionwiseFFN: units", o.units, 1))
  self.dropout_layer = layers.Dropout(o.dropout)
  self.layer_norm = norm_of("PositionwiseFFN", o.norm, o.layer_norm_eps)
end

local function activate(F, x, kind)
  if kind == "gelu" then return F.LeakyReLU(x, { act_type = "gelu" }) end
  return F.Activation(x, { act_type = kind })
end

-- A residual connection around `part` with dropout, normalized before or after.
local function residual(self, norm, x, part)
  if self._pre_norm then return x + self.dropout_layer(part(norm(x))) end
  return norm(x + self.dropout_layer(part(x)))
end

function nn.PositionwiseFFN:hybrid_forward(F, x)
  return residual(self, self.layer_norm, x, function(y)
    return self.ffn_2(activate(F, self.ffn_1(y), self._activation))
  end)
end

local CELL = "units hidden_size num_heads dropout activation pre_norm norm layer_norm_eps use_bias " ..
  "weight_initializer bias_initializer causal rotary kv_heads"

-- A class of cells: self-attention and PositionwiseFFN, in a decoder with attention to the encoder's result between
-- them; and dropout and normalization. A decoder is causal by default.
local function define_cell(name, is_decoder)
  local own = is_decoder and "_in" or ""         -- the end of names of fields for self-attention
  local defaults = { units = 128, hidden_size = 512, num_heads = 4, causal = is_decoder, rotary = false }
  for key, value in pairs(COMMON) do defaults[key] = value end
  local cell, read = HybridBlock:subclass(name), arguments.of_block(name, CELL, defaults)
  local function attention(o, causal, rotary)
    return MultiHeadAttention(o.units, o.num_heads, {
      kv_heads = o.kv_heads, use_bias = o.use_bias, causal = causal, rotary = rotary,
      weight_initializer = o.weight_initializer, bias_initializer = o.bias_initializer })
  end
  function cell:init(...)
    local o = read(...)
    self._pre_norm = checks.boolean(name .. ": pre_norm", o.pre_norm)
    self.dropout_layer = layers.Dropout(o.dropout)
    self["attention_cell" .. own] = attention(o, o.causal, o.rotary)
    self["layer_norm" .. own] = norm_of(name, o.norm, o.layer_norm_eps)
    if is_decoder then
      self.attention_cell_inter = attention(o, false, false)
      self.layer_norm_inter = norm_of(name, o.norm, o.layer_norm_eps)
    end
    self.ffn = nn.PositionwiseFFN(o.units, o.hidden_size, {
      dropout = o.dropout, activation = o.activation, pre_norm = o.pre_norm, norm = o.norm, use_bias = o.use_bias,
      layer_norm_eps = o.layer_norm_eps, weight_initializer = o.weight_initializer,
      bias_initializer = o.bias_initializer })
  end
  --- Keys and values of no token yet, with room for max_length: see MultiHeadAttention.begin_cache.
  function cell:begin_cache(batch_size, max_length, in_place, dtype, ctx)
    return self["attention_cell" .. own]:begin_cache(batch_size, max_length, in_place, dtype, ctx)
  end
  arguments.methods(cell, "", { begin_cache = CACHE })
  nn[name] = cell
  return cell
end

--- TransformerEncoderCell(units = 128, hidden_size = 512, num_heads = 4, {dropout = 0, activation = "relu", pre_norm =
-- false, norm = "layer" or "rms", layer_norm_eps = 1e-5, use_bias = true, causal = false, rotary = false, kv_heads,
-- initializers}): cell(x, mask, length): self-attention and PositionwiseFFN, each with a residual connection and
-- normalization. With causal = true it is the cell of language models: cell(x, mask, length, cache, position) returns
-- the result and the new cache.
local EncoderCell = define_cell("TransformerEncoderCell", false)

function EncoderCell:hybrid_forward(_, x, mask, length, cache, position)
  local after
  x = residual(self, self.layer_norm, x, function(y)
    local out, new = self.attention_cell(y, nil, mask, length, cache, position)
    after = new
    return out
  end)
  x = self.ffn(x)
  if cache then return x, after end
  return x
end

--- TransformerDecoderCell(units = 128, hidden_size = 512, num_heads = 4, {as TransformerEncoderCell, causal = true}):
-- cell(x, memory, mask, memory_mask, memory_length): causal self-attention, attention to memory, which is an encoder's
-- output, and PositionwiseFFN, each with a residual connection and normalization. With a cache,
-- cell(x, memory, mask, memory_mask, memory_length, cache, position) returns the result and the new cache.
local DecoderCell = define_cell("TransformerDecoderCell", true)

function DecoderCell:hybrid_forward(_, x, memory, mask, memory_mask, memory_length, cache, position)
  local after
  x = residual(self, self.layer_norm_in, x, function(y)
    local out, new = self.attention_cell_in(y, nil, mask, nil, cache, position)
    after = new
    return out
  end)
  x = residual(self, self.layer_norm_inter, x, function(y)
    return self.attention_cell_inter(y, memory, memory_mask, memory_length)
  end)
  x = self.ffn(x)
  if cache then return x, after end
  return x
end

return nn
