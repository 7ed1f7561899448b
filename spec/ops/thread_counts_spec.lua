-- thread_counts_spec.lua - results have the same bits with any number of threads, from call to call: every row in
-- float32, integers and bool with gradients, large calls, operators on stacks of matrices, products of all sizes,
-- recurrent layers.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local layer_cases = require "support.layer_cases"
local row_cases = require "support.row_cases"
local scratch = require "support.scratch"
local nd, autograd = hl.nd, hl.autograd

local before
local function keep() before = core.host.threads() end
local function put_back() core.host.threads(before) end

local function normal(dtype, ...)
  return nd.random.normal { shape = { ... }, dtype = dtype }
end

-- Calls make() with each number of threads; it returns a list of texts, which must all agree.
local function same_bits(name, make, calls)
  local first
  for threads = 1, 3 do
    core.host.threads(threads)
    for call = 1, calls do
      local found = make()
      first = first or found
      assert.equal(#first, #found)
      for i, text in ipairs(found) do
        if text ~= first[i] then
          error(("%s: result %d: other bits in call %d with %d threads"):format(name, i, call, threads), 0)
        end
      end
    end
  end
end

local function bits(arrays)
  local texts = {}
  for i, x in ipairs(arrays) do texts[i] = x:tobytes() end
  return texts
end

local function list(y) return type(y) == "table" and y or { y } end

-- ---- Every row -------------------------------------------------------------------------------------------------

-- The new dimensions of rows' examples; with `share` all threads share even the shortest loop. Later runs of the specs
-- use fewer.
local SIZES = scratch.is_first_pass and { 33, 1025 } or { 33 }

-- Numbers of threads, from 1 to more than this machine may have cores.
local COUNTS = { 1, 2, 3, 5 }

-- Compares lists of arrays from make() with each number of threads; make() returns nil every time if the call fails.
local function same_arrays(name, make)
  local first
  for n, threads in ipairs(COUNTS) do
    core.host.threads(threads)
    local found = make() or {}
    if n == 1 then first = found end
    if #found ~= #first then error(("%s: fails with some of the numbers of threads"):format(name), 0) end
    for i, x in ipairs(found) do
      local same, message = pcall(assert.bits, x, first[i])
      if not same then error(("%s: result %d with %d threads: %s"):format(name, i, threads, tostring(message)), 0) end
    end
  end
  return #first
end

describe("equal bits with 1, 2, 3 and 5 threads, and in gradients: #once", function()
  local debug
  before_each(function()
    keep()
    debug = core.host.debug { share = true }
  end)
  after_each(function()
    put_back()
    core.host.debug(debug)
  end)

  for _, op in ipairs(core.op.rows()) do
    if not op.internal then
      it(op.name, function()
        local compared = 0
        for _, case in ipairs(row_cases.of(op, SIZES)) do
          local message
          local n = same_arrays(case.name, function()
            local results
            results, message = row_cases.run(case)
            return results
          end)
          if case.is_example and n == 0 then error(("%s: %s"):format(case.name, message), 0) end
          compared = compared + n
        end
        assert.truthy(compared > 0, "no call of it")
      end)
    end
  end

  for _, case in ipairs(layer_cases.all) do
    it(case.name, function()
      assert.truthy(same_arrays(case.name, function() return layer_cases.run(case) end) > 0)
    end)
  end
end)

describe("the same bits without forced sharing, #once:", function()
  before_each(keep)
  after_each(put_back)

  for _, case in ipairs(layer_cases.all) do
    it(case.name, function() same_arrays(case.name, function() return layer_cases.run(case) end) end)
  end
end)

-- ---- Operators of matrices ----------------------------------------------------------------------------------

local FAMILIES = { dot_gemm = true, triangular_diagonal = true, cholesky_inverse = true, qr_eigen_svd = true,
                   least_squares = true, lu_eig_expm = true }

-- Operators on matrices that accept stacks of symmetric positive definite ones.
local operators = {}
for _, op in ipairs(core.op.rows()) do
  if FAMILIES[op.family] and op.name:find "^_linalg_" and op.name ~= "_linalg_maketrian" then
    operators[#operators + 1] = op
  end
end

local function stacks(op, count, n, dtype)
  local inputs = {}
  for i = 1, #op.inputs do
    local a = normal(dtype, count, n, n)
    inputs[i] = nd.batch_dot(a, a, { transpose_b = true }) / n + nd.eye(n, { dtype = dtype })
    inputs[i] = (inputs[i] + inputs[i]:swapaxes { dim1 = 1, dim2 = 2 }) * 0.5
  end
  return inputs
end

describe("an operator on stacks of matrices #once", function()
  before_each(keep)
  after_each(put_back)

  it("is one of more than 20", function() assert.truthy(#operators > 20, #operators) end)

  for _, op in ipairs(operators) do
    it("has the same bits with 1, 2 and 3 threads: " .. op.name, function()
      hl.random.seed(1)
      for _, n in ipairs { 8, 33, 60, 100 } do
        for _, dtype in ipairs { "float32", "float64" } do
          local inputs = stacks(op, 5, n, dtype)
          local f = nd[op.name]
          same_bits(("%s of %d, %s"):format(op.name, n, dtype), function()
            return bits(list(f(table.unpack(inputs))))
          end, 20)
        end
      end
    end)
  end

  it("has gradients that do not depend on the number of threads", function()
    hl.random.seed(2)
    for _, op in ipairs(operators) do
      local differentiable
      for _, yes in ipairs(op.differentiable) do differentiable = differentiable or yes end
      if differentiable then
        local inputs = stacks(op, 5, 60, "float64")
        for _, x in ipairs(inputs) do x:attach_grad() end
        same_bits(op.name, function()
          local heads = autograd.record(function() return list(nd[op.name](table.unpack(inputs))) end)
          autograd.backward(heads)
          local grads = {}
          for i, x in ipairs(inputs) do grads[i] = x.grad end
          return bits(grads)
        end, 4)
      end
    end
  end)

  it("gives each matrix the same bits as alone", function()
    hl.random.seed(3)
    for _, name in ipairs { "potrf", "inverse", "eigh", "svd", "qr", "solve", "pinv" } do
      local inputs = stacks(core.op.row("_linalg_" .. name), 5, 200, "float64")
      core.host.threads(3)
      local all = list(nd.linalg[name](table.unpack(inputs)))
      for k = 0, 4 do
        local one = {}
        for i, x in ipairs(inputs) do one[i] = x[k] end
        for i, y in ipairs(list(nd.linalg[name](table.unpack(one)))) do assert.bits(all[i][k], y) end
      end
    end
  end)
end)

-- ---- Products ----------------------------------------------------------------------------------------------

local PRODUCTS = {
  { 170, 170, 170 }, { 200, 700, 300 }, { 257, 1025, 97 }, { 520, 560, 300 }, { 700, 600, 620 }, { 96, 96, 3001 },
  { 16, 2000, 700 }, { 1, 1500, 900 }, { 1500, 1, 900 }, { 2, 900, 4000 }, { 1, 5, 300000 }, { 1, 1, 300001 },
}

describe("a matrix product", function()
  before_each(keep)
  after_each(put_back)

  it("has the same bits with 1, 2 and 3 threads, for any size and transposed", function()
    hl.random.seed(4)
    for _, size in ipairs(PRODUCTS) do
      local m, n, k = table.unpack(size)
      for _, dtype in ipairs { "float32", "float64" } do
        for _, turned in ipairs { {}, { transpose_a = true }, { transpose_b = true },
                                  { transpose_a = true, transpose_b = true } } do
          local a = turned.transpose_a and normal(dtype, k, m) or normal(dtype, m, k)
          local b = turned.transpose_b and normal(dtype, n, k) or normal(dtype, k, n)
          same_bits(("(%d, %d) by (%d, %d), %s"):format(m, k, k, n, dtype), function()
            return bits { nd.dot(a, b, turned) }
          end, 2)
        end
      end
    end
  end)

  it("is correct in each of its pieces", function()
    hl.random.seed(5)
    for _, size in ipairs(PRODUCTS) do
      local m, n, k = table.unpack(size)
      local a = nd.random.randint { low = -8, high = 9, shape = { m, k } }
      local b = nd.random.randint { low = -8, high = 9, shape = { k, n } }
      a, b = a:astype "float64", b:astype "float64"
      local y = nd.dot(a, b)
      -- sums of integers are exact, over rows and columns of the result
      assert.bits(nd.dot(a:sum { axis = 0, keepdims = true }, b), y:sum { axis = 0, keepdims = true })
      assert.bits(nd.dot(a, b:sum { axis = 1, keepdims = true }), y:sum { axis = 1, keepdims = true })
      local turned = nd.dot(b, a, { transpose_a = true, transpose_b = true })
      assert.bits(y, turned:transpose())
    end
  end)

  it("has the same bits in batches", function()
    hl.random.seed(6)
    for _, size in ipairs { { 5, 100, 100, 100 }, { 64, 60, 60, 60 }, { 3, 300, 200, 250 }, { 9, 200, 200, 200 } } do
      local count, m, n, k = table.unpack(size)
      for _, dtype in ipairs { "float32", "float64" } do
        local a, b = normal(dtype, count, m, k), normal(dtype, count, k, n)
        same_bits(("%d (%d, %d) by (%d, %d), %s"):format(count, m, k, k, n, dtype), function()
          return bits { nd.batch_dot(a, b), nd.linalg.gemm2(a, b), nd.dot(a[0], b[0]) }
        end, 5)
      end
    end
  end)
end)

-- ---- Recurrent layers ----------------------------------------------------------------------------------------

describe("a recurrent layer", function()
  before_each(keep)
  after_each(put_back)

  for _, kind in ipairs { "RNN", "LSTM", "GRU" } do
    it("gives the same bits with 1, 2 and 3 threads, with gradients: " .. kind, function()
      for _, dtype in ipairs { "float32", "float64" } do
        for _, size in ipairs { { 35, 20, 200, 200 }, { 20, 32, 100, 128 }, { 12, 16, 300, 520 }, { 7, 3, 33, 57 } } do
          local steps, batch, features, hidden = table.unpack(size)
          hl.random.seed(7)
          local layer = hl.gluon.rnn[kind](hidden, { num_layers = 2, input_size = features })
          layer:cast(dtype)
          layer:initialize()
          local x = normal(dtype, steps, batch, features)
          x:attach_grad()
          same_bits(("%s(%d) of (%d, %d, %d), %s"):format(kind, hidden, steps, batch, features, dtype), function()
            local y = autograd.record(function() return layer(x) end)
            y:backward()
            local results = { y, x.grad }
            for _, p in pairs(layer:collect_params()) do results[#results + 1] = p:grad() end
            return bits(results)
          end, 1)
        end
      end
    end)
  end
end)
