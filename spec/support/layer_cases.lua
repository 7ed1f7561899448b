-- layer_cases.lua - calls that are large enough to run on several threads, unlike most examples of rows: convolutions
-- by every algorithm, recurrent layers, attention, scattered sums, sorting, drawing, optimizers, loops. No case may use
-- Lua's math library, whose results differ between processors.
local hl = require "hybridlua"
local row_cases = require "support.row_cases"
local nd, gluon = hl.nd, hl.gluon
local nn, rnn, contrib = gluon.nn, gluon.rnn, gluon.contrib.nn

local layer_cases = {}

local function normal(...) return nd.random.normal { shape = { ... } } end
local function whole(high, ...) return nd.random.randint { low = 0, high = high, shape = { ... }, dtype = "int32" } end

local function list(x) return type(x) == "table" and x or { x } end

-- A block's outputs in training, gradients of its inputs and parameters, and the parameters after the call.
local function block_results(block, inputs, hybridized)
  block:initialize(hl.init.Uniform(0.2))
  if hybridized then block:hybridize() end
  local arrays = {}
  for i, x in ipairs(inputs) do arrays[i] = x:copy() end
  local results = row_cases.results(function(...) return block(...) end, arrays, true)
  for _, parameter in block:collect_params():items() do
    results[#results + 1] = parameter:data()
    if parameter.grad_req ~= "null" then results[#results + 1] = parameter:grad() end
  end
  return results
end

-- ---- The cases: make(s, hybridized) returns a list of arrays. Sizes that do not matter are divided by s. -----------

local cases = {}
local function case(name, make) cases[#cases + 1] = { name = name, make = make } end

-- Adds a call of fn with the arrays that arrays_of(s) returns.
local function call(name, arrays_of, fn)
  case(name, function(s, hybridized)
    return row_cases.results(hybridized and row_cases.compiled(fn) or fn, arrays_of(s), true)
  end)
end

local function block(name, new, inputs_of)
  case(name, function(s, hybridized) return block_results(new(s), inputs_of(s), hybridized) end)
end

-- images, channels, filters, groups, window, stride, dilation, padding, sizes of the image
local CONVOLUTIONS = {
  { 8, 3, 16, 1, { 3, 3 }, 1, 1, 1, { 32, 32 } }, { 1, 16, 16, 1, { 3, 3 }, 1, 1, 1, { 56, 56 } },
  { 64, 32, 32, 1, { 3, 3 }, 1, 1, 1, { 4, 4 } }, { 4, 32, 32, 32, { 3, 3 }, 1, 1, 1, { 28, 28 } },
  { 3, 24, 24, 24, { 5, 5 }, 2, 1, 2, { 28, 28 } }, { 1, 64, 128, 1, { 1, 1 }, 1, 1, 0, { 7, 7 } },
  { 2, 64, 64, 1, { 3, 3 }, 1, 1, 1, { 28, 28 } }, { 2, 32, 48, 1, { 5, 5 }, 1, 1, 2, { 14, 14 } },
  { 2, 70, 66, 1, { 3, 3 }, 2, 1, 1, { 19, 18 } }, { 2, 20, 34, 1, { 3, 3 }, 1, 2, 2, { 20, 30 } },
  { 2, 48, 40, 4, { 3, 3 }, 1, 1, 1, { 17, 15 } }, { 1, 2049, 3, 1, { 1, 1 }, 1, 1, 0, { 5, 4 } },
  { 3, 20, 30, 1, { 5 }, 2, 1, 2, { 400 } }, { 2, 6, 8, 1, { 3, 3, 3 }, 1, 1, 1, { 9, 12, 12 } },
  { 70, 130, 20, 1, { 3, 3 }, 1, 1, 1, { 3, 2 } }, { 1, 1, 20, 1, { 3, 3 }, 1, 1, 1, { 50, 45 } },
  { 1, 300, 260, 1, { 1, 1 }, 1, 1, 0, { 40, 41 } }, { 40, 16, 16, 1, { 3, 3 }, 1, 1, 1, { 16, 16 } },
}

local function filled(value, n)
  local t = {}
  for i = 1, n do t[i] = value end
  return t
end

for number, c in ipairs(CONVOLUTIONS) do
  local images, channels, filters, groups, window, stride, dilation, padding, places = table.unpack(c)
  local axes = #window
  local options = { kernel = window, stride = filled(stride, axes), dilate = filled(dilation, axes),
                    pad = filled(padding, axes), num_filter = filters, num_group = groups }
  call("convolution " .. number, function()
    return { normal(images, channels, table.unpack(places)), normal(filters, channels // groups, table.unpack(window)),
             normal(filters) }
  end, function(x, w, b) return nd.Convolution(x, w, b, options) end)
end

call("deconvolution", function() return { normal(3, 20, 11, 12), normal(20, 15, 4, 4) } end, function(x, w)
  return nd.Deconvolution(x, w, { kernel = { 4, 4 }, stride = { 2, 2 }, pad = { 1, 1 }, num_filter = 15,
                                  no_bias = true })
end)

for _, kind in ipairs { "max", "avg", "sum", "lp" } do
  for _, p in ipairs { { 2, 2, 0 }, { 3, 2, 1 }, { 3, 1, 1 } } do
    local options = { kernel = { p[1], p[1] }, stride = { p[2], p[2] }, pad = { p[3], p[3] }, pool_type = kind,
                      p_value = 2 }
    call(("pooling %s %d %d"):format(kind, p[1], p[2]), function() return { normal(4, 12, 29, 31) } end,
      function(x) return nd.Pooling(x, options) end)
  end
  call("global pooling " .. kind, function() return { normal(4, 12, 29, 31) } end,
    function(x) return nd.Pooling(x, { kernel = { 1, 1 }, global_pool = true, pool_type = kind, p_value = 2 }) end)
end

local function picture(s) return { normal(16, 24, 32 // s, 33) } end
local function long_rows(s) return { normal(3000 // s, 300) } end
block("BatchNorm", function() return nn.BatchNorm { in_channels = 24 } end, picture)
block("BatchNormReLU", function() return nn.BatchNormReLU { in_channels = 24 } end, picture)
block("GroupNorm", function() return nn.GroupNorm { num_groups = 4 } end, picture)
block("InstanceNorm", function() return nn.InstanceNorm { in_channels = 24 } end, picture)
block("LayerNorm", function() return nn.LayerNorm { in_channels = 300 } end, long_rows)
block("RMSNorm", function() return contrib.RMSNorm { in_channels = 300 } end, long_rows)
block("PReLU", function() return nn.PReLU() end, picture)

local RECURRENT = { { 7, 3, 33, 57 }, { 35, 20, 100, 120 }, { 12, 16, 60, 260 }, { 5, 1, 40, 40 } }
for _, kind in ipairs { "RNN", "LSTM", "GRU" } do
  for number, size in ipairs(RECURRENT) do
    local steps, batch, features, hidden = table.unpack(size)
    block(("%s %d"):format(kind, number), function(s)
      return rnn[kind](hidden // s, { num_layers = 2, input_size = features, bidirectional = number == 1,
                                      dropout = 0.25 })
    end, function() return { normal(steps, batch, features) } end)
  end
end
block("LSTM with a projection", function()
  return rnn.LSTM(70, { num_layers = 2, input_size = 33, projection_size = 20 })
end, function() return { normal(12, 9, 33) } end)

for _, size in ipairs { { 2, 4, 130, 32 }, { 8, 3, 33, 17 }, { 1, 1, 700, 64 } } do
  local batch, heads, tokens, width = table.unpack(size)
  for _, causal in ipairs { false, true } do
    call(("attention %d %s"):format(tokens, causal), function()
      local function draw() return normal(batch, heads, tokens, width) end
      return { draw(), draw(), draw() }
    end, function(q, k, v) return nd.contrib.attention(q, k, v, { causal = causal }) end)
  end
end
block("a transformer's cell", function()
  return contrib.TransformerEncoderCell { units = 48, hidden_size = 96, num_heads = 4 }
end, function() return { normal(6, 50, 48) } end)

-- Scattered sums: many indices of few rows.
block("Embedding", function() return nn.Embedding(50, 64) end, function(s) return { whole(50, 6000 // s) } end)
call("take", function(s) return { normal(40, 70), whole(40, 5000 // s) } end, function(x, i) return nd.take(x, i) end)
call("take along axis 1", function(s) return { normal(70, 40), whole(40, 2000 // s) } end,
  function(x, i) return nd.take(x, i, { axis = 1 }) end)
call("gather_nd", function(s) return { normal(30, 20, 9), whole(20, 2, 5000 // s) } end,
  function(x, i) return nd.gather_nd(x, i) end)
call("scatter_nd", function(s) return { normal(5000 // s, 9), whole(20, 1, 5000 // s) } end,
  function(x, i) return nd.scatter_nd(x, i, { shape = { 20, 9 } }) end)
call("pick", function(s) return { normal(3000 // s, 30), whole(30, 3000 // s) } end,
  function(x, i) return nd.pick(x, i) end)
call("bilinear sampling", function() return { normal(2, 3, 30, 40), normal(2, 2, 50, 60) } end,
  function(x, grid) return nd.BilinearSampler(x, grid) end)
call("regions", function()
  local rois = nd.concat(whole(2, 40, 1), whole(20, 40, 2), whole(9, 40, 2) + 20, { dim = 1 })
  return { normal(2, 8, 30, 30), rois:astype "float32" }
end, function(x, rois)
  return nd.contrib.ROIAlign(x, rois, { pooled_size = { 5, 5 }, spatial_scale = 1 })
end)
call("resizing", function() return { normal(3, 5, 20, 23) } end,
  function(x) return nd.contrib.BilinearResize2D(x, { height = 41, width = 35 }) end)

-- Long arrays: sums in three levels, of columns, and split across threads.
for name, shape in pairs { all = { 2100003 }, wide = { 9, 150001 }, tall = { 40001, 30 }, middle = { 31, 1200, 33 } } do
  for _, fn in ipairs { "sum", "mean", "norm", "prod", "max", "logsumexp" } do
    if nd[fn] then
      local axis = #shape > 1 and ((name == "wide" or name == "middle") and 1 or 0) or nil
      call(("%s of %s"):format(fn, name), function(s)
        local sizes = { table.unpack(shape) }
        if #shape == 1 then sizes[1] = sizes[1] // s end
        return { normal(table.unpack(sizes)) * (fn == "prod" and 1e-3 or 1) + (fn == "prod" and 1 or 0) }
      end, function(x) return nd[fn](x, { axis = axis }) end)
    end
  end
end
call("moments", function(s) return { normal(300001 // s) } end, function(x) return nd.moments(x, { axes = { 0 } }) end)
call("cumsum", function(s) return { normal(300001 // s) } end, function(x) return nd.cumsum(x) end)
call("softmax", function() return { normal(90, 9001) } end, function(x) return nd.softmax(x) end)
call("log_softmax of columns", function() return { normal(700, 90) } end,
  function(x) return nd.log_softmax(x, { axis = 0 }) end)
call("SoftmaxOutput", function() return { normal(900, 90), whole(90, 900) } end,
  function(x, y) return nd.SoftmaxOutput(x, y) end)
call("broadcasting", function() return { normal(300, 1, 50), normal(1, 70, 50), normal(50) } end,
  function(a, b, c) return a * b + c end)
call("CTC", function() return { normal(50, 20, 30), whole(29, 20, 8) + 1 } end,
  function(x, y) return nd.CTCLoss(x, y) end)

call("sorting", function(s) return { normal(100003 // s), (normal(40, 3001) * 9):rint() } end, function(x, ties)
  local top = nd.topk(ties, { k = 50, ret_typ = "both" })
  return { nd.sort(x), nd.argsort(x), nd.argsort(ties), top[1], top[2], nd.sort(ties, { axis = 0 }) }
end)
-- A case instead of a call, since shapes that depend on values cannot be compiled.
case("counting", function(s)
  local i, x = whole(50, 50001 // s), normal(50001 // s)
  return { nd.bincount(i, x), nd.bincount(i), nd.histogram(x, 20)[1], (nd.unique(i)) }
end)

case("drawing", function(s)
  hl.random.seed(9)
  local shape = { 100003 // s }
  return { nd.random.uniform { shape = shape }, nd.random.normal { shape = shape },
    nd.random.randint { low = -5, high = 1000, shape = shape }, nd.random.exponential { shape = shape },
    nd.random.gamma(2.5, 1, { shape = shape }), nd.random.gamma(0.5, 1, { shape = shape }),
    nd.random.poisson(3, { shape = shape }), nd.random.poisson(50, { shape = shape }),
    nd.random.negative_binomial(4, 0.4, { shape = shape }), nd.random.shuffle(nd.arange(shape[1])),
    nd.random.multinomial(nd.array { 0.1, 0.2, 0.3, 0.4 }, { shape = shape }) }
end)
call("Dropout", function(s) return { normal(100003 // s) } end, function(x) return nd.Dropout(x, { p = 0.3 }) end)

-- ---- Optimizers and loops --------------------------------------------------------------------------------------

local rules = {}
for _, class in pairs(hl.optimizer) do
  local name = type(class) == "table" and rawget(class, "__name__")
  if name and name ~= "Optimizer" and pcall(hl.optimizer.create, name) then rules[name] = true end
end
for name in pairs(rules) do
  case("optimizer " .. name, function(s)
    hl.random.seed(11)
    local wd = name ~= "GroupAdaGrad" and 0.01 or nil         -- which has no weight decay
    local rule, w = hl.optimizer.create(name, { learning_rate = 0.01, wd = wd }), normal(70001 // s)
    local state = rule:create_state(0, w)
    for _ = 1, 3 do rule:update(0, w, normal(70001 // s), state) end
    local results = { w }
    local function add(x)
      if type(x) ~= "table" then results[#results + 1] = x
      else for _, y in ipairs(x) do add(y) end end
    end
    add(state)
    return results
  end)
end

call("foreach", function() return { normal(20, 30, 40), normal(30, 40), normal(40, 40) } end, function(x, h, w)
  local outputs, last = nd.contrib.foreach(function(step, state)
    state = nd.tanh(nd.dot(state, w) * 0.1 + step)
    return state, state
  end, x, h)
  return { outputs, last }
end)
call("while_loop", function() return { normal(30, 400), normal(1, 400) } end, function(x, w)
  local outputs, last = nd.contrib.while_loop(function(i) return i:lesser(5) end, function(i, y)
    return { y }, { i + 1, y * w }
  end, { nd.zeros { 1 }, x }, 6)
  return { list(outputs)[1], list(last)[2] }
end)

table.sort(cases, function(a, b) return a.name < b.name end)

layer_cases.all = cases

--- The results of a case, from the same random state each time, eager or hybridized. `s` divides the sizes that do not
-- matter.
function layer_cases.run(one, s, hybridized)
  hl.random.seed(3)
  return one.make(s or 1, hybridized)
end

return layer_cases
