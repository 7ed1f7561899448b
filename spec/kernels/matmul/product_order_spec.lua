-- product_order_spec.lua - float32 products have the order of kernels/matmul/product_order.h: the bits of the plain
-- loop, for random sizes and transposes, with one to three threads, by dot, batch_dot, linalg_gemm and Dense, eager and
-- compiled, by gradients and by packed weights. HYBRIDLUA_PRODUCTS in the environment sets the number of random
-- products (make random-products: 10,000).
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local fuses = require "support.fuses"
local plain = assert(package.loadlib("build/spec/products.so", "luaopen_products"))()
local nd, autograd = hl.nd, hl.autograd

local PRODUCTS = tonumber(os.getenv "HYBRIDLUA_PRODUCTS") or 1500
local below = scratch.numbers(20261128)
local function from(low, high) return low + below(high - low + 1) end
local function one_in(n) return below(n) == 0 end

-- A size: mostly small, sometimes one, or near the sizes of tiles and chains.
local function size(most)
  if one_in(6) then return 1 end
  if one_in(5) then return math.min(most, ({ 6, 7, 8, 16, 48, 64, 65, 255, 256, 257, 512, 600 })[from(1, 12)]) end
  return from(1, one_in(4) and most or 20)
end

local function draw()
  local c
  repeat
    c = { m = size(300), n = size(300), k = one_in(30) and 0 or size(one_in(10) and 6000 or 700) }
  until c.m * c.n * c.k < 3e6
  c.ta, c.tb = one_in(2), one_in(2)
  return c
end

local SPECIAL = { 0 / 0, math.huge, -math.huge, -0.0, 1e-42, 3e38 }

local function numbers(shape)
  local x = nd.random.normal(0, 1, { shape = shape })
  if one_in(4) and x.size > 0 then
    local flat = x:reshape { -1 }
    for _ = 1, 3 do flat[below(x.size)] = SPECIAL[from(1, #SPECIAL)] end
  end
  return x
end

local threads, debug = core.host.threads(), nil

-- Compares results of several threads with the plain loop's bytes, if the processor has fused multiply-adds.
local function check(c, wanted, what, compute)
  for n = 1, 3 do
    core.host.threads(n)
    if fuses and plain.canonical(compute():tobytes()) ~= wanted then
      error(("%s differs with %d threads: m %d, n %d, k %d, transposed: %s, %s"):format(what, n, c.m, c.n, c.k,
        c.ta, c.tb), 0)
    end
  end
end

local function plain_product(c, a, b, before, alpha, beta)
  return plain.canonical(plain.product(a:tobytes(), b:tobytes(), before and before:tobytes(), { c.m, c.n, c.k },
    c.ta, c.tb, alpha or 1, beta or 0))
end

-- Both gradients of a product without transposes, which are products, too.
local function check_gradients(c, a, b)
  if c.k == 0 or c.ta or c.tb then return end
  local g = numbers { c.m, c.n }
  a:attach_grad()
  b:attach_grad()
  autograd.record(function() return nd.dot(a, b) end):backward(g)
  local of_a, of_b = { m = c.m, n = c.k, k = c.n, tb = true }, { m = c.k, n = c.n, k = c.m, ta = true }
  check(of_a, plain_product(of_a, g, b), "the gradient of lhs", function() return a.grad end)
  check(of_b, plain_product(of_b, a, g), "the gradient of rhs", function() return b.grad end)
end

describe("a float32 product", function()
  before_each(function() debug = core.host.debug { share = true } end)       -- several threads even for small loops
  after_each(function()
    core.host.threads(threads)
    core.host.debug(debug)
  end)

  it("matches its definition to the bit, for random sizes", function()
    hl.random.seed(1)
    for i = 1, PRODUCTS do
      local c = draw()
      local a = numbers(c.ta and { c.k, c.m } or { c.m, c.k })
      local b = numbers(c.tb and { c.n, c.k } or { c.k, c.n })
      check(c, plain_product(c, a, b), "dot", function()
        return nd.dot(a, b, { transpose_a = c.ta, transpose_b = c.tb })
      end)
      if i % 4 == 0 then
        local before, alpha, beta = numbers { c.m, c.n }, one_in(2) and 1 or 0.7, one_in(2) and 1 or -0.3
        check(c, plain_product(c, a, b, before, alpha, beta), "linalg_gemm", function()
          return nd.linalg_gemm(a, b, before, { transpose_a = c.ta, transpose_b = c.tb, alpha = alpha, beta = beta })
        end)
        check_gradients(c, a, b)
      end
      if i % 40 == 0 then
        local options = { transpose_a = c.ta, transpose_b = c.tb }
        local dot = hl.compile(function(F, x, y) return F.dot(x, y, options) end)
        check(c, plain_product(c, a, b), "compiled dot", function() return dot(a, b) end)
      end
    end
  end)

  it("matches it with few elements and many terms", function()
    hl.random.seed(4)
    local long = { { 1, 1, 2000001 }, { 1, 1, 70000 }, { 3, 5, 100003 }, { 16, 16, 20000 }, { 40, 30, 3000 } }
    for _, sizes in ipairs(long) do
      local c = { m = sizes[1], n = sizes[2], k = sizes[3], ta = one_in(2), tb = one_in(2) }
      local a = numbers(c.ta and { c.k, c.m } or { c.m, c.k })
      local b = numbers(c.tb and { c.n, c.k } or { c.k, c.n })
      check(c, plain_product(c, a, b), "dot", function()
        return nd.dot(a, b, { transpose_a = c.ta, transpose_b = c.tb })
      end)
    end
  end)

  it("has the same rows alone, in a batch, and in a layer", function()
    hl.random.seed(2)
    for _ = 1, PRODUCTS // 6 do
      local c = draw()
      c.ta, c.tb = false, true
      local a, b = numbers { c.m, c.k }, numbers { c.n, c.k }
      if c.k > 0 then
        local all = plain_product(c, a, b)
        local one = { m = 1, n = c.n, k = c.k, tb = true, ta = false }
        local row = from(0, c.m - 1)
        local alone = a[{ { row, row + 1 } }]
        check(one, all:sub(4 * c.n * row + 1, 4 * c.n * (row + 1)), "a row alone", function()
          return nd.dot(alone, b, { transpose_b = true })
        end)
        check(c, all, "FullyConnected", function()
          return nd.FullyConnected(a, b, { num_hidden = c.n, no_bias = true })
        end)
        check(c, all .. all, "batch_dot", function()
          return nd.batch_dot(nd.stack(a, a), nd.stack(b, b), { transpose_b = true })
        end)
        check(c, all, "rows as a batch", function()
          return nd.matmul(a:reshape { c.m, 1, c.k }, b:transpose())
        end)
      end
    end
  end)
end)
