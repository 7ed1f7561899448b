-- test_utils_spec.lua - hl.test_utils: comparisons, random samples, checks of Symbols' gradients, data from local
-- files.
local hl = require "hybridlua"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, sym, t = hl.nd, hl.sym, hl.test_utils

describe("comparisons", function()
  it("compare arrays, numbers and tables", function()
    assert.is_true(t.same({ 1, 2 }, nd.array { 1, 2 }))
    assert.is_false(t.same({ 1, 2 }, nd.array { 1, 2.5 }))
    assert.is_false(t.same({ 1, 2 }, nd.array { { 1, 2 } }))
    assert.is_false(t.same({ 0 / 0 }, { 0 / 0 }))
    assert.is_true(t.same(nd.array({ 2 ^ 53 + 1 }, { dtype = "int64" }), nd.array({ 2 ^ 53 + 1 }, { dtype = "int64" })))
    assert.is_true(t.almost_equal({ 1, 2 }, { 1, 2 + 1e-6 }))
    assert.is_false(t.almost_equal({ 1, 2 }, { 1, 2.1 }))
    assert.is_true(t.almost_equal({ 1, 2 }, { 1, 2.1 }, 0.1))
    assert.is_true(t.almost_equal(nd.ones { 2, 3 }, 1))
    assert.raises(function() t.almost_equal(nd.ones { 2, 3 }, 1, { use_broadcast = false }) end,
      "a.shape = %(2, 3%) and b.shape = %(1,%) are not equal")
    assert.is_true(t.almost_equal({ math.huge, 1 }, { math.huge, 1 }))
    assert.is_false(t.almost_equal({ 0 / 0 }, { 0 / 0 }))
    assert.is_true(t.almost_equal({ 0 / 0 }, { 0 / 0 }, { equal_nan = true }))
    assert.raises(function() t.same("a", 1) end,
      "same: a: expected an NDArray, a number or a table of numbers, got string")
  end)

  it("raise with the worst element", function()
    t.assert_almost_equal(nd.ones { 2 }, { 1, 1.001 })             -- float32's tolerance is 1e-3 + 1e-4 |b|
    -- 1 / (1e-3 + 1e-4 * 3.5) is 370.37 times the tolerance, 0.5 half of that: as MXNet 1.9.1 says
    assert.raises(function() t.assert_almost_equal(nd.array { { 1, 2 }, { 3, 4 } },
      nd.array { { 1, 2 }, { 3.5, 4 } }) end,
      "test_utils_spec.lua:%d+: Error 370%.370370 exceeds tolerance rtol=1%.000000e%-04, atol=1%.000000e%-03 " ..
        "%(mismatch 25%.000000%%%)%.\nLocation of maximum error: %(1, 0%), a=3%.00000000, b=3%.50000000")
    assert.raises(function() t.assert_almost_equal({ 1 }, { 1 + 1e-4 }, { names = { "x", "y" } }) end,
      "x=1%.0+, y=1%.0001")
    t.assert_almost_equal({ 1 }, { 1.05 }, { rtol = { float64 = 0.1 } })
    assert.raises(function() t.assert_allclose({ 1 }, { 1 + 1e-6 }) end, "exceeds tolerance rtol=1%.000000e%-07")
    t.assert_almost_equal_ignore_nan({ 0 / 0, 1 }, { 5, 1 })
    t.assert_almost_equal_with_err({ 1, 2, 3, 4 }, { 1, 2, 3, 5 }, { etol = 0.25 })
    assert.raises(function() t.assert_almost_equal_with_err({ 1, 2, 3, 4 }, { 1, 2, 4, 5 }, { etol = 0.25 }) end,
      "mismatch")
    assert.same({ 1, 0 }, (t.find_max_violation({ { 1, 2 }, { 3, 4 } }, { { 1, 2 }, { 9, 4 } })))
    assert.is_nil(t.find_max_violation({ 1 }, { 1 }))
    t.compare_ndarray_tuple({ nd.ones { 2 }, nil }, { { 1, 1 } })
    assert.equal(1e-4, t.default_rtols().float32)
    assert.equal(1e-3, t.default_atols().float32)
  end)

  it("expect errors", function()
    t.assert_exception(function() nd.ones(-1) end, hl.MXNetError)
    t.assert_exception(error, "b+d", "bbd")
    assert.raises(function() t.assert_exception(print, hl.MXNetError) end,
      "expected error MXNetError, but the function raised")
    assert.raises(function() t.assert_exception(error, "good", "bad") end, "expected an error with 'good', got: bad")
    local calls = 0
    t.retry(3)(function()
      calls = calls + 1
      assert(calls == 2)
    end)()
    assert.equal(2, calls)
    assert.raises(function() t.retry(2)(function() error("never", 0) end)() end, "never")
  end)
end)

describe("random samples", function()
  it("have the shapes asked for", function()
    assert.same({ 2, 3 }, t.random_arrays({ 2, 3 }).shape)
    local list = t.random_arrays({ 2 }, { 3, 1 })
    assert.same({ { 2 }, { 3, 1 } }, { { list[1].shape[1] }, { list[2].shape[1], list[2].shape[2] } })
    local uniform = t.random_uniform_arrays({ 100 }, { low = 2, high = 3, dtype = "float64" })[1]
    assert.equal("float64", uniform.dtype)
    assert.is_true(uniform:min():asscalar() >= 2 and uniform:max():asscalar() <= 3)
    assert.same({ 4, 5 }, t.rand_ndarray({ 4, 5 }).shape)
    assert.equal("float64", t.rand_ndarray({ 4 }, "default", { dtype = "float64" }).dtype)
    assert.raises(function() t.rand_ndarray({ 4 }, "csr") end,
      "stype: expected 'default', got 'csr'; there are no sparse")
    assert.raises(function() t.random_uniform_arrays({ 2 }, { lo = 1 }) end, "unknown option 'lo'")
  end)

  it("have random shapes within the limits", function()
    for _ = 1, 20 do
      local two, three, four = t.rand_shape_2d(2, 3), t.rand_shape_3d(1, 2, 3), t.rand_shape_nd(4, 2)
      assert.is_true(two[1] >= 1 and two[1] <= 2 and two[2] >= 1 and two[2] <= 3)
      assert.is_true(three[1] == 1 and three[2] <= 2 and three[3] <= 3)
      assert.equal(4, #four)
      local x, y = t.rand_coord_2d(0, 2, 5, 6)
      assert.is_true(x >= 0 and x < 2 and y == 5)
    end
    local sample = t.random_sample({ "a", "b", "c" }, 3)
    table.sort(sample)
    assert.same({ "a", "b", "c" }, sample)
    assert.raises(function() t.random_sample({ 1 }, 2) end, "k: expected 1 or less, got 2")
  end)
end)

describe("checks of Symbols", function()
  local a, b = sym.var "a", sym.var "b"
  local product = sym.dot(a, b)
  local location = { { { 1, 2 }, { 3, 4 } }, { { 5, 6 }, { 7, 8 } } }

  it("compare outputs", function()
    local outputs = t.check_symbolic_forward(product, location, { { { 19, 22 }, { 43, 50 } } })
    assert.allclose(outputs[1], { { 19, 22 }, { 43, 50 } })
    assert.raises(function() t.check_symbolic_forward(product, location, { { { 19, 22 }, { 43, 51 } } }) end,
      "Location of maximum error: %(1, 1%), EXPECTED_dot%d+_output=51%.0+, FORWARD_dot%d+_output=50")
    assert.raises(function() t.check_symbolic_forward(product, { a = location[1] }, { { { 1 } } }) end,
      "location: 'b' is missing; the names are a, b")
    assert.allclose(t.simple_forward(sym.tanh(a), { a = { 0, 1 } }), { 0, 0.7615942 })
    assert.raises(function() t.simple_forward(3) end, "simple_forward: sym: expected a Symbol, got number")
  end)

  it("compare gradients", function()
    local heads = { nd.ones { 2, 2 } }
    local expected = { a = { { 11, 15 }, { 11, 15 } }, b = { { 4, 4 }, { 6, 6 } } }
    local grads = t.check_symbolic_backward(product, location, heads, expected)
    assert.allclose(grads.b, expected.b)
    t.check_symbolic_backward(product, location, heads, { expected.a, expected.b }, { grad_req = "add" })
    t.check_symbolic_backward(product, location, heads, expected, { grad_req = { a = "null", b = "write" } })
    expected.a[1][1] = 12
    assert.raises(function() t.check_symbolic_backward(product, location, heads, expected) end,
      "%(0, 0%), EXPECTED_a=12%.0+, BACKWARD_a=11")
  end)

  it("compare gradients with differences", function()
    local x, y = t.rand_ndarray { 2, 3 }, t.rand_ndarray { 2, 3 }
    t.check_numeric_gradient(sym.tanh(a) * b, { a = x, b = y })
    t.check_numeric_gradient(sym.tanh(a) * b, { x, y },
      { dtype = "float64", rtol = 1e-5, atol = 1e-6, grad_nodes = { a = "add", b = "null" } })
    assert.raises(function() t.check_numeric_gradient(sym.BlockGrad(sym.tanh(a)) * b, { a = x, b = y }) end,
      "NUMERICAL_a=.*BACKWARD_a=0%.0000")
    t.check_numeric_gradient(sym.BatchNorm(sym.var "data", { name = "bn", fix_gamma = false }),
      { t.rand_ndarray { 6, 2 }, nd.array { 1, 2 }, nd.zeros { 2 } },
      { aux_states = { nd.zeros { 2 }, nd.ones { 2 } }, dtype = "float64", rtol = 1e-3, atol = 1e-4 })
    local executor = sym.square(a):simple_bind { a = { 2 } }
    assert.allclose(t.numeric_grad(executor, { a = nd.array { 1, 3 } }).a, { 2, 6 }, 1e-2)
    assert.allclose(executor.arg_dict.a, { 1, 3 })
  end)

  it("compare dtypes", function()
    local net = sym.FullyConnected(sym.var "data", { num_hidden = 3, name = "fc" })
    local entries = { { ctx = hl.cpu(), data = { 2, 4 }, type_dict = { data = "float64" } },
                      { ctx = hl.cpu(1), data = { 2, 4 }, type_dict = { data = "float32" } } }
    local truth = t.check_consistency(net, entries, { scale = 0.5 })
    assert.equal("float64", truth.fc_output.dtype)
    assert.same({ 3, 4 }, truth.fc_weight.shape)
    assert.raises(function() t.check_consistency(net, entries, { rtol = 0, atol = 0 }) end, "_?of entry 2")
    assert.raises(function() t.check_consistency(net, { entries[1] }) end, "expected a list of two entries or more")
  end)

  it("compare optimizers", function()
    t.compare_optimizer(hl.optimizer.Adam(), hl.optimizer.Adam(), { 3, 4 }, "float32")
    t.compare_optimizer(hl.optimizer.SGD(), hl.optimizer.SGD(), { { 3, 4 }, { 2 } }, "float32")
    assert.raises(function() t.compare_optimizer(hl.optimizer.SGD(), hl.optimizer.Adam(), { 3 }, "float32") end,
      "exceeds tolerance")
    assert.raises(function() t.compare_optimizer(3) end, "opt1: expected an Optimizer, got number")
  end)
end)

describe("data from local files", function()
  -- Runs a script in a folder of its own; returns its output and exit code.
  local function run_in(folder, code)
    scratch.write(folder:file "script.lua", 'local hl = require "hybridlua" local t = hl.test_utils ' .. code)
    local program = scratch.absolute(command.program)
    return scratch.run(("cd %s && HOME=%s MXNET_HOME= HYBRIDLUA_DATA=%s %s script.lua"):format(folder.path, folder.path,
      folder.path .. "/else", program))
  end

  local IDX = { ["train-images-idx3-ubyte"] = string.pack(">I4I4I4I4", 2051, 2, 28, 28) .. ("\51"):rep(2 * 784),
                ["train-labels-idx1-ubyte"] = string.pack(">I4I4BB", 2049, 2, 3, 4),
                ["t10k-images-idx3-ubyte"] = string.pack(">I4I4I4I4", 2051, 1, 28, 28) .. ("\255"):rep(784),
                ["t10k-labels-idx1-ubyte"] = string.pack(">I4I4B", 2049, 1, 7) }

  it("reads MNIST", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    os.execute("mkdir " .. folder:file "data")
    for name, bytes in pairs(IDX) do scratch.write(folder:file("data/" .. name), bytes) end
    local output, code = run_in(folder, [[
      t.get_mnist_ubyte()
      local m = t.get_mnist()
      print(m.train_data.shape, m.train_data[0][0][0][0]:asscalar(), m.train_label, m.test_data.dtype,
        m.test_label.dtype)
    ]])
    assert.equal(0, code, output)
    assert.truthy(output:find("%(2, 1, 28, 28%)\t0.2%d*\t\n%[3 4%]\n<NDArray 2 @cpu%(0%)>\tfloat32\tint8"), output)
  end)

  it("says which files are missing", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local output = run_in(folder, "t.get_mnist()")
    assert.truthy(output:find("script.lua:1: download: 'train-images-idx3-ubyte.gz' is not here", 1, true), output)
    output = run_in(folder, "t.get_cifar10()")
    assert.truthy(output:find("Get it from http://data.mxnet.io/mxnet/data/cifar10.zip", 1, true), output)
    output = run_in(folder, "print(t.download('https://example.org/a.txt', 'b.txt', 'c'))")
    assert.truthy(output:find("'c/b.txt' is not here", 1, true), output)
    os.execute("mkdir " .. folder:file "else")
    scratch.write(folder:file "else/b.txt", "x")
    output = run_in(folder, "print(t.download('https://example.org/a.txt', 'b.txt', 'c'))")
    assert.equal("c/b.txt\n", output)
    assert.equal("x", scratch.read(folder:file "c/b.txt"))
  end)
end)

describe("tolerances", function()
  it("depend on the dtypes", function()
    local rtol, atol = t.get_tols(nd.ones { 1 }, nd.ones({ 1 }, { dtype = "float64" }))
    assert.same({ 1e-4, 1e-3 }, { rtol, atol })
    assert.same({ 0.5, 1e-3 }, { t.get_tols(nd.ones { 1 }, 1, 0.5) })
    assert.equal(1e-5, t.get_rtol())
    assert.equal(1e-3, t.get_atol(nil, "float32"))
    assert.equal(0, t.get_etol())
    assert.equal(2 ^ -9, t.default_numeric_eps().float32)
    assert.equal("int32", t.effective_dtype(nd.ones({ 1 }, { dtype = "int32" })))
    assert.equal(0.25, t.get_tolerance(nd.ones { 1 }, { float32 = 0.25 }, {}))
  end)
end)

describe("checks of random generators", function()
  local function uniform(n) return nd.random.uniform { shape = { n } } end
  local buckets, probs = t.gen_buckets_probs_with_ppf(function(p) return p end, 5)

  it("accept the right distribution", function()
    hl.random.seed(3)
    assert.is_true(t.mean_check(uniform, 0.5, math.sqrt(1 / 12), 10000))
    assert.is_true(t.var_check(uniform, math.sqrt(1 / 12), 10000))
    assert.equal(3, #t.verify_generator(uniform, buckets, probs, 10000, 3))
    local p = t.chi_square_check(function(n) return nd.random.randint(0, 2, { shape = { n } }) end, { 0, 1 },
      { 0.5, 0.5 }, 1000)
    assert.truthy(p > 0 and p <= 1)
  end)

  it("reject others", function()
    assert.is_false(t.mean_check(uniform, 0.6, math.sqrt(1 / 12), 10000))
    assert.is_false(t.var_check(uniform, 1, 10000))
    local function squares(n) return uniform(n) ^ 2 end
    assert.error_matches(function() t.verify_generator(squares, buckets, probs, 10000) end, "Generator test fails")
    assert.error_matches(function() t.mean_check(function() return nd.ones { 2 } end, 0, 1, 10) end,
      "generator: expected 10 samples, got 2")
  end)

  it("compute the p value of the chi-square test", function()      -- exact tails: e^(-x/2) with 2 degrees of freedom
    local function counts(a, b, c)
      return t.chi_square_check(function()
        local values = {}
        for value, n in ipairs { a, b, c } do
          for _ = 1, n do values[#values + 1] = value end
        end
        return values
      end, { 1, 2, 3 }, { 1 / 3, 1 / 3, 1 / 3 }, a + b + c)
    end
    for _, case in ipairs { { 100, 100, 100, 0 }, { 110, 100, 90, 2 }, { 150, 100, 50, 50 } } do
      local p, observed, expected = counts(case[1], case[2], case[3])
      assert.near(math.exp(-case[4] / 2), p, 1e-12)
      assert.same({ { case[1], case[2], case[3] }, { 100, 100, 100 } }, { observed, expected })
    end
  end)
end)

describe("checks of graphs", function()
  it("compare structures", function()
    local x = sym.var "x"
    assert.is_true(t.same_symbol_structure(sym.tanh(x) * 2, sym.tanh(sym.var "y") * 3))
    assert.is_false(t.same_symbol_structure(sym.tanh(x), sym.exp(x)))
  end)

  it("measure runs", function()
    local s = sym.FullyConnected { data = sym.var "data", num_hidden = 2, name = "fc" }
    assert.truthy(t.check_speed(s, { N = 2, data = { 2, 3 } }) > 0)
    assert.truthy(t.check_speed(sym.tanh(sym.var "x"), { x = nd.ones { 2 } }, nil, 1, { typ = "forward" }) > 0)
  end)

  it("compare eager and hybridized networks", function()
    local function dense(o) return hl.gluon.nn.Dense(2, { in_units = 3, prefix = o.prefix }) end
    local data = { nd.random.normal { shape = { 2, 3 } } }
    t.check_gluon_hybridize_consistency(dense, data)
    assert.error_matches(function()
      t.check_gluon_hybridize_consistency(dense, data, { numpy_func = function(x) return x[{ {}, { 0, 2 } }] + 9 end })
    end, "exceeds tolerance")
  end)
end)

describe("computed arrays", function()
  it("are there for large tests", function()
    assert.same({ { 0, 0 }, { 1, 1 } }, t.create_2d_tensor(2, 2):totable())
    assert.equal("int64", t.create_vector(3).dtype)
    assert.same({ { 2, 4 } }, t.assign_each(nd.array { { 1, 2 } }, function(v) return v * 2 end):totable())
    local function sum(a, b) return a + b end
    assert.same({ 4, 6 }, t.assign_each2(nd.array { 1, 2 }, nd.array { 3, 4 }, sum):totable())
    assert.same({ { 6, 6 } }, t.collapse_sum_like(nd.ones { 2, 3, 2 }, { 1, 2 }):totable())
    assert.error_matches(function() t.collapse_sum_like(nd.ones { 2, 3 }, { 2 }) end, "broadcasts to %(2, 3%)")
    local x = nd.array { 1, 2 }
    assert.is_true(t.same_array(x, x))
    assert.is_false(t.same_array(x, x:copy()))
    assert.same({ 1, 2 }, x:totable())
  end)
end)

describe("contexts", function()
  it("are set for a scope", function()
    assert.equal(hl.cpu(), t.default_context())
    t.set_default_context(hl.cpu())
    assert.raises(function() t.set_default_context(hl.cpu(1)) end,
      "contexts are set for a scope: write local _ <close>")
    assert.equal("float32", t.default_dtype())
  end)
end)
