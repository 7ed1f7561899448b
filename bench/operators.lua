-- operators.lua - single operators, called eagerly from Lua. The limit of a product is OpenBLAS's own call. The limit
-- of other operators is the time of a call that creates an object, and of reading each operand and writing each result
-- once, at the machine's copying speed.
local hl = require "hybridlua"
local limits = require "limits"
local measure = require "measure"
local nd = hl.nd

local FLOAT = 4            -- bytes

local function uniform(...) return nd.random.uniform { low = 0.5, high = 1.5, shape = { ... } } end

local function count(n)
  if n >= 1000000 then return ("%gM"):format(n / 1000000) end
  return n >= 1000 and ("%gk"):format(n / 1000) or ("%d"):format(n)
end

local TRAFFIC, READ, BLAS = "a call and copying", "a call and reading", "cblas called directly"
local SIZES = { 4, 1000, 100000, 1000000, 10000000 }

-- ---- The list of works, and their limits ------------------------------------------------------------

local Works = {}
Works.__index = Works

function Works:add(group, name, prepare, limit, by, heavy)
  self[#self + 1] = { group = group, name = name, prepare = prepare, limit = limit, by = by, heavy = heavy }
end

-- A small array is not worth a second thread.
function Works:threads_for(bytes) return bytes < 1 << 19 and 1 or self.threads end

-- `bytes`: total bytes read and written; `distinct`: number of different ones (default: all).
function Works:copying(bytes, distinct)
  distinct = distinct or bytes
  return function() return measure.call() + limits.copy(math.max(distinct // 2, 1), self:threads_for(bytes)) * bytes / distinct end
end

function Works:reading(bytes)
  return function() return measure.call() + limits.read(bytes, self:threads_for(bytes)) end
end

-- One array for all benchmarks of this size.
function Works:vector(n)
  self.vectors[n] = self.vectors[n] or uniform(n)
  return self.vectors[n]
end

-- ---- Elementwise, of one and two operands ---------------------------------------------------------

local function add_function(works, name, operands, sizes)
  for _, n in ipairs(sizes) do
    works:add("elementwise", ("%s of %s floats"):format(name, count(n)), function()
      local f, a, b = nd[name], works:vector(n), operands == 2 and works:vector(n) + 1 or nil
      if operands == 2 then return function() return f(a, b) end end
      return function() return f(a) end
    end, works:copying((operands + 1) * n * FLOAT), TRAFFIC, n >= 1000000)
  end
end

local function add_elementwise(works)
  for _, n in ipairs(SIZES) do
    works:add("elementwise", ("a + b of %s floats"):format(count(n)), function()
      local a, b = works:vector(n), works:vector(n) + 1
      return function() return a + b end
    end, works:copying(3 * n * FLOAT), TRAFFIC, n >= 1000000)
  end
  works:add("elementwise", "a + 1 of 4 floats", function()
    local a = works:vector(4)
    return function() return a + 1 end
  end, works:copying(2 * 4 * FLOAT), TRAFFIC)
  add_function(works, "relu", 1, { 1000, 1000000, 10000000 })
  add_function(works, "exp", 1, { 1000, 1000000, 10000000 })
  add_function(works, "tanh", 1, { 1000, 1000000 })
  add_function(works, "broadcast_maximum", 2, { 1000000 })
  works:add("elementwise", "(1000, 1000) + (1000,)", function()
    local a, b = uniform(1000, 1000), uniform(1000)
    return function() return nd.broadcast_add(a, b) end
  end, works:copying(2 * 1000000 * FLOAT), TRAFFIC)
  works:add("elementwise", "(1000, 1000) + (1000, 1)", function()
    local a, b = uniform(1000, 1000), uniform(1000, 1)
    return function() return nd.broadcast_add(a, b) end
  end, works:copying(2 * 1000000 * FLOAT), TRAFFIC)
  works:add("elementwise", "cast of 1M floats to float64", function()
    local a = works:vector(1000000)
    return function() return a:astype "float64" end
  end, works:copying(3 * 1000000 * FLOAT), TRAFFIC)
end

-- ---- Reductions -----------------------------------------------------------------------------------

local function add_reductions(works)
  for _, n in ipairs(SIZES) do
    works:add("reductions", ("sum of %s floats"):format(count(n)), function()
      local a = works:vector(n)
      return function() return nd.sum(a) end
    end, works:reading(n * FLOAT), READ)
  end
  for _, case in ipairs { { "max", 0 }, { "max", 1 }, { "mean", 0 }, { "mean", 1 }, { "argmax", 1 } } do
    local name, axis = case[1], case[2]
    works:add("reductions", ("%s of (1000, 1000) over axis %d"):format(name, axis), function()
      local a, f, over = uniform(1000, 1000), nd[name], { axis = axis }
      return function() return f(a, over) end
    end, works:reading(1000000 * FLOAT), READ)
  end
end

-- ---- Matrix products ------------------------------------------------------------------------------

local function add_product(works, name, m, n, k, transpose, prepare)
  works:add("matrix products", name, prepare, function()
    local least = limits.product(m, n, k, false, transpose, 1)
    if works.threads > 1 then least = math.min(least, limits.product(m, n, k, false, transpose, works.threads)) end
    return measure.call() + least
  end, BLAS)
end

local function add_products(works)
  for _, n in ipairs { 16, 64, 256, 1024 } do
    add_product(works, ("dot of %d^3"):format(n), n, n, n, false, function()
      local a, b = uniform(n, n), uniform(n, n)
      return function() return nd.dot(a, b) end
    end)
  end
  for _, case in ipairs { { 1, 512, 256 }, { 64, 784, 256 }, { 64, 256, 128 } } do
    local batch, inputs, units = table.unpack(case)
    add_product(works, ("FullyConnected %d -> %d, batch %d"):format(inputs, units, batch), batch, units, inputs, true, function()
      local x, w, b, config = uniform(batch, inputs), uniform(units, inputs), uniform(units), { num_hidden = units }
      return function() return nd.FullyConnected(x, w, b, config) end
    end)
  end
  works:add("matrix products", "batch_dot of 32 x 64^3", function()
    local a, b = uniform(32, 64, 64), uniform(32, 64, 64)
    return function() return nd.batch_dot(a, b) end
  end, function() return measure.call() + 32 * limits.product(64, 64, 64) / works.threads end, BLAS)
end

-- ---- Normalisation and other kernels --------------------------------------------------------------

local function add_kernels(works)
  for _, rows in ipairs { 64, 10000 } do
    for _, name in ipairs { "softmax", "log_softmax" } do
      works:add("kernels", ("%s of (%d, 1000)"):format(name, rows), function()
        local f, x = nd[name], uniform(rows, 1000)
        return function() return f(x) end
      end, works:copying(2 * rows * 1000 * FLOAT), TRAFFIC, rows > 1000)
    end
    works:add("kernels", ("LayerNorm of (%d, 1000)"):format(rows), function()
      local x, gamma, beta = uniform(rows, 1000), uniform(1000), uniform(1000)
      return function() return nd.LayerNorm(x, gamma, beta) end
    end, works:copying(2 * rows * 1000 * FLOAT), TRAFFIC, rows > 1000)
  end
  works:add("kernels", "transpose of (1000, 1000)", function()
    local a = uniform(1000, 1000)
    return function() return a.T end
  end, works:copying(2 * 1000000 * FLOAT), TRAFFIC)
  works:add("kernels", "concat of two (1000, 500)", function()
    local a, b, along = uniform(1000, 500), uniform(1000, 500), { dim = 1 }
    return function() return nd.concat(a, b, along) end
  end, works:copying(2 * 1000000 * FLOAT), TRAFFIC)
  works:add("kernels", "take of 10k rows of 100", function()
    local table_, rows = uniform(10000, 100), nd.floor(nd.random.uniform { low = 0, high = 9999, shape = { 10000 } })
    return function() return nd.take(table_, rows) end
  end, works:copying(2 * 1000000 * FLOAT), TRAFFIC)
  works:add("kernels", "uniform random, 1M floats", function()
    local config = { low = 0, high = 1, shape = { 1000000 } }
    return function() return nd.random.uniform(config) end
  end, works:copying(1000000 * FLOAT), TRAFFIC)
end

-- ---- Updates in place: every operand read, the weight and the states written ----------------------

local function add_updates(works)
  local UPDATES = { { "sgd_update", 0, {} }, { "sgd_mom_update", 1, { momentum = 0.9 } }, { "adam_update", 2, {} } }
  for _, update in ipairs(UPDATES) do
    local name, states, extra = table.unpack(update)
    for _, n in ipairs { 1000, 1000000 } do
      works:add("updates", ("%s of %s floats"):format(name, count(n)), function()
        local f, w, g, s = nd[name], uniform(n), uniform(n) * 1e-6, {}
        for i = 1, states do s[i] = nd.zeros { n } end
        local config = { lr = 1e-6, out = w }
        for key, value in pairs(extra) do config[key] = value end
        if states == 0 then return function() return f(w, g, config) end end
        if states == 1 then return function() return f(w, g, s[1], config) end end
        return function() return f(w, g, s[1], s[2], config) end
      end, works:copying((3 + 2 * states) * n * FLOAT, (2 + states) * n * FLOAT), TRAFFIC)
    end
  end
end

return function(options)
  local works = setmetatable({ threads = options.threads, vectors = {} }, Works)
  add_elementwise(works)
  add_reductions(works)
  add_products(works)
  add_kernels(works)
  add_updates(works)
  return works
end
