-- derivatives_spec.lua - hl.grad, hl.value_and_grad, hl.vjp, hl.jacobian, hl.hessian: compared with finite
-- differences and formulas; the same bits eager, compiled and inside blocks; composed with each other.
local hl = require "hybridlua"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local function normal(shape, dtype) return nd.random.normal(0, 1, { shape = shape, dtype = dtype or "float64" }) end

-- The derivative of fn, which returns one number, by each element of x, by central differences.
local function slopes(fn, x)
  local h, out = 1e-5, {}
  local flat = x:reshape { -1 }
  for i = 0, x.size - 1 do
    local step = nd.one_hot(nd.array { i }, { depth = x.size, dtype = "float64" }):reshape { -1 } * h
    out[i + 1] = (fn((flat + step):reshape(x.shape)):asscalar() - fn((flat - step):reshape(x.shape)):asscalar()) /
      (2 * h)
  end
  return nd.array(out, { dtype = "float64" }):reshape(x.shape)
end

-- Functions from one array to one number; the second argument is F.
local numbers = {
  squares = function(F, x) return F.sum(x * x) end,
  twice_used = function(F, x) return F.sum(F.sin(x) * x + x ^ 3) * F.mean(x) end,
  through_a_product = function(F, x) return F.sum(F.tanh(F.dot(x, x, { transpose_b = true }))) end,
  of_a_part = function(F, x) return F.sum(F.exp(F.slice_axis(x, { axis = 1, begin = 0, stop = 2 }))) end,
  softmax_entropy = function(F, x) return F.sum(F.softmax(x) * F.log_softmax(x)) end,
  no_slope = function(F, x) return F.sum(F.zeros_like(x)) end,
}

describe("hl.grad", function()
  for name, f in pairs(numbers) do
    it("matches the slope of " .. name, function()
      local x = normal { 3, 4 }
      assert.allclose(hl.grad(f)(x), slopes(function(v) return f(nd, v) end, x), 1e-6, 1e-7)
    end)

    it("has the same bits eager and compiled, inside and outside: " .. name, function()
      local x = normal({ 3, 4 }, "float32")
      local eager = hl.grad(f)(x)
      assert.bits(hl.compile(hl.grad(f))(x), eager)
      assert.bits(hl.grad(hl.compile(f))(x), eager)
      assert.bits(hl.compile(hl.grad(hl.compile(f)))(x), eager)
      local value, gradient = hl.value_and_grad(f)(x)
      assert.bits(gradient, eager)
      assert.bits(value, f(nd, x))
      local compiled_value, compiled_gradient = hl.compile(hl.value_and_grad(f))(x)
      assert.bits(compiled_value, value)
      assert.bits(compiled_gradient, gradient)
    end)
  end

  it("accepts numbers, and differentiates itself", function()
    local cube = function(x) return x ^ 3 end
    assert.are.equal(12, hl.grad(cube)(2):asscalar())
    assert.are.equal(12, hl.grad(hl.grad(cube))(2):asscalar())
    assert.are.equal(6, hl.grad(hl.grad(hl.grad(cube)))(2):asscalar())
    assert.are.same({}, { table.unpack(hl.grad(cube)(2).shape) })
  end)

  it("passes F to a function with a parameter of this name, from any caller", function()
    local seen
    local f = function(F, x) seen = F return F.sum(x) end
    hl.grad(f)(nd.ones { 2 })
    assert.are.equal(nd, seen)
    hl.compile(hl.grad(f))(nd.ones { 2 })
    assert.are.equal(hl.sym, seen)
    assert.bits(hl.grad(function(x) return x:sum() end)(nd, nd.ones { 2 }), nd.ones { 2 })
  end)

  it("follows nested tables, and leaves other values unchanged", function()
    local f = function(p, x) return ((nd.dot(x, p.layer[1]) + p.layer[2]) * p.scale):sum() end
    local p = { layer = { normal { 3, 2 }, normal { 2 } }, scale = 2 }
    local x = normal { 4, 3 }
    local g = hl.grad(f)(p, x)
    assert.bits(g.layer[2], nd.full({ 2 }, 8, { dtype = "float64" }))
    assert.allclose(g.layer[1],
      slopes(function(v) return f({ layer = { v, p.layer[2] }, scale = 2 }, x) end, p.layer[1]), 1e-6)
    assert.is_nil(g.scale)
    local both = hl.grad(f, { argnums = { 1, 0 } })(p, x)
    assert.are.equal(2, #both)
    assert.allclose(both[1], slopes(function(v) return f(p, v) end, x), 1e-6)
    assert.bits(both[2].layer[1], g.layer[1])
    assert.bits(hl.grad(f, { argnums = -1 })(p, x), both[1])
    local compiled = hl.compile(hl.grad(f))(p, x)
    assert.bits(compiled.layer[1], g.layer[1])
  end)

  it("returns further results, off the tape", function()
    local f = function(x) local y = x * 2 return y:sum(), { double = y }, 7 end
    local g, more, seven = hl.grad(f)(nd.ones { 2 })
    assert.bits(g, nd.full({ 2 }, 2))
    assert.bits(more.double, nd.full({ 2 }, 2))
    assert.are.equal(7, seven)
    assert.raises(function() more.double:backward() end, "not on the tape")
    local value, _, again = hl.value_and_grad(f)(nd.ones { 2 })
    assert.are.equal(4, value:asscalar())
    assert.bits(again.double, more.double)
    assert.raises(function() value:backward() end, "not on the tape")
  end)

  it("leaves arrays, their gradients and the modes as they were", function()
    local x = nd.array { 1, 2 }
    x:attach_grad()
    local seen = {}
    hl.grad(function(v)
      seen.recording, seen.training = autograd.is_recording(), autograd.is_training()
      return (v * v):sum()
    end)(x)
    assert.bits(x.grad, nd.zeros { 2 })
    assert.are.same({ recording = true, training = false }, seen)
    assert.is_false(autograd.is_recording())
    hl.grad(function(v) seen.training = autograd.is_training() return (v * v):sum() end, { train_mode = true })(x)
    assert.is_true(seen.training)
    assert.is_false(autograd.is_training())
    pcall(hl.grad(function() error "x" end), x)
    assert.is_false(autograd.is_recording())
  end)

  it("returns zeros if f does not depend on its argument, and treats captured arrays as constants", function()
    local x = nd.array { 1, 2 }
    assert.bits(hl.grad(function() return nd.ones { 1 } end)(x), nd.zeros { 2 })
    assert.bits(hl.grad(function(v) return (v * x).sum(v * x) end)(x), x)
    assert.bits(hl.compile(hl.grad(function() return nd.ones { 1 } end))(x), nd.zeros { 2 })
  end)

  it("can be recorded: gradients reach arguments and captured arrays, in all modes",
    function()
    local f = function(F, x, w)
      local g = hl.grad(function(v) return F.sum(F.tanh(v * w) * v) end)(x)
      return F.sum(g * g * w)
    end
    local results = {}
    for i, run in ipairs { function(x, w) return f(nd, x, w) end, hl.compile(f) } do
      local x, w = nd.array { 0.3, -1, 2 }, nd.array { 0.5, 1.5, -0.25 }
      x:attach_grad()
      w:attach_grad()
      autograd.record(function() return run(x, w) end):backward()
      results[i] = { x.grad, w.grad }
    end
    assert.bits(results[2][1], results[1][1])
    assert.bits(results[2][2], results[1][2])
    local x, w = nd.array({ 0.3, -1, 2 }, { dtype = "float64" }), nd.array({ 0.5, 1.5, -0.25 }, { dtype = "float64" })
    assert.allclose(results[1][2], slopes(function(v) return f(nd, x, v) end, w), 1e-4, 1e-5)
  end)

  it("does not change the tape of captured arrays", function()
    local w = nd.array { 1, 2 }
    w:attach_grad()
    local loss = autograd.record(function()
      local h = w * w
      autograd.pause(function() hl.grad(function(x) return (x * h):sum() end)(nd.ones { 2 }) end)
      return h:sum()
    end)
    loss:backward()
    assert.bits(w.grad, nd.array { 2, 4 })
  end)

  it("works inside a hybridized block, with the block's parameters", function()
    local Energy = gluon.HybridBlock:subclass "Energy"
    function Energy:init() self.fc = nn.Dense(1, { in_units = 3, activation = "tanh" }) end
    function Energy:hybrid_forward(F, x)
      return hl.grad(function(v) return F.sum(self.fc(v)) end)(x)
    end
    local results = {}
    for i = 1, 2 do
      hl.random.seed(3)
      local net = Energy()
      net:initialize(hl.init.Normal(1))
      if i == 2 then net:hybridize() end
      for _ = 1, 3 do
        local force = autograd.record(function() return net(nd.array { { 1, 2, 3 }, { -1, 0, 1 } }) end)
        force:backward()
        results[i] = { force, net.fc.weight:grad():copy() }
      end
    end
    assert.bits(results[2][1], results[1][1])
    assert.bits(results[2][2], results[1][2])
    assert.is_true(results[1][2]:abs():sum():asscalar() > 0)
  end)

  it("records nothing that leads to no gradient, in either mode", function()
    local core = require "hybridlua.core"
    local plain, x = nd.array { 1, 2 }, nd.array { 3, 4 }
    x:attach_grad()
    local f = function(F, _, w)
      return hl.grad(function(v) return F.sum(v * v * plain) end)(plain),
        hl.grad(function(v) return F.sum(v * w) end)(plain)
    end
    for _, run in ipairs { function(...) return f(nd, ...) end, hl.compile(f) } do
      local a, b = autograd.record(function() return run(x, x) end)
      assert.same({ false, true }, { core.autograd.on_tape(a), core.autograd.on_tape(b) })
      b:backward()
      assert.bits(x.grad, nd.ones { 2 })
    end
  end)

  it("works with deferred shapes, and forgets a shape that a failed trace inferred", function()
    local N = gluon.HybridBlock:subclass "N"
    function N:init() self.fc = nn.Dense(1) end
    function N:hybrid_forward(F, x)
      local g = hl.grad(function(v) return F.sum(self.fc(v)) end)(x)
      if self.broken then error "broken" end
      return g
    end
    local results = {}
    for i = 1, 2 do
      hl.random.seed(4)
      local net = N()
      net:initialize()
      if i == 2 then
        net:hybridize()
        net.broken = true
        assert.raises(function() net(nd.ones { 2, 5 }) end, "broken")
        net.broken = false
      end
      results[i] = net(nd.ones { 2, 3 })
    end
    assert.bits(results[2], results[1])
  end)

  it("accepts another shape in a compiled function", function()
    local f = hl.compile(hl.grad(function(F, x) return F.sum(F.broadcast_add(x, F.mean(x)) ^ 2) end))
    for _, shape in ipairs { { 2 }, { 5 }, { 3, 2 }, { 2 } } do
      local x = normal(shape, "float32")
      assert.bits(f(x), hl.grad(function(F, v) return F.sum(F.broadcast_add(v, F.mean(v)) ^ 2) end)(x))
    end
  end)

  it("draws the same random numbers inside and outside compiled code", function()
    local f = function(F, x) return F.sum(F.Dropout(x, { p = 0.5 }) * x) end
    local x, results = nd.ones { 64 }, {}
    for i, run in ipairs { hl.grad(f, { train_mode = true }), hl.compile(hl.grad(f, { train_mode = true })) } do
      hl.random.seed(5)
      results[i] = run(x)
    end
    assert.bits(results[2], results[1])
    assert.is_true(results[1]:min():asscalar() == 0 and results[1]:max():asscalar() == 4)
  end)

  it("explains errors", function()
    local x = nd.ones { 3 }
    assert.raises(function() hl.grad(3) end, "hl.grad: f: expected a function, got number")
    assert.raises(function() hl.grad(function(v) return v end)(x) end, "one element, got shape %(3,?%)", "hl.jacobian")
    assert.raises(function() hl.grad(function() end)(x) end, "one element, got nothing")
    assert.raises(function() hl.grad(function(v) return v:sum() end, { argnum = 1 }) end, "unknown option 'argnum'",
      "'argnums'")
    assert.raises(function() hl.grad(function(v) return v:sum() end, { argnums = 1 })(x) end, "argnums",
      "from %-1 to 0, for 1 argument, got 1")
    assert.raises(function() hl.hessian(function(v) return v:sum() end, { argnums = 1 })(x) end, "hl.hessian: argnums")
    assert.raises(function() hl.grad(function(v) return v:sum() end)(nd.ones({ 2 }, { dtype = "int32" })) end,
      "argument 0", "float dtype, got int32")
    assert.raises(function() hl.grad(function(v) return v.a:sum() end)({ a = nd.ones({ 2 }, { dtype = "int32" }) }) end,
      "argument 0.a")
    assert.raises(function() hl.grad(function(v) return v:sum() end)("x") end, "argument 0", "got string")
  end)
end)

describe("hl.vjp", function()
  it("pulls back any number of times, for each argument", function()
    local x, y = normal { 2, 3 }, normal { 3, 2 }
    local value, pull = hl.vjp(nd.dot, x, y)
    assert.bits(value, nd.dot(x, y))
    for _ = 1, 2 do
      local dv = normal { 2, 2 }
      local dx, dy = pull(dv)
      assert.allclose(dx, nd.dot(dv, y, { transpose_b = true }), 1e-12)
      assert.allclose(dy, nd.dot(x, dv, { transpose_a = true }), 1e-12)
    end
    local _, second = hl.vjp(nd.dot, { argnums = 1 })(x, y)
    assert.allclose(second(nd.ones_like(value)), nd.dot(x, nd.ones_like(value), { transpose_a = true }), 1e-12)
  end)

  it("follows nested results, parts of which may be omitted", function()
    local _, pull = hl.vjp(function(x) return { a = x * 2, b = { x * x } } end, nd.array { 1, 3 })
    assert.bits(pull { a = nd.ones { 2 } }, nd.full({ 2 }, 2))
    assert.bits(pull { a = 1, b = { nd.ones { 2 } } }, nd.array { 4, 8 })
    assert.raises(function() pull { a = nd.ones { 3 } } end, "cotangent.a", "expected shape")
    assert.raises(function() pull(3) end, "expected a table")
  end)

  it("has eager's bits inside compiled code", function()
    local f = function(F, x, dv)
      local y, pull = hl.vjp(function(v) return F.tanh(v * v) end, x)
      return y, pull(dv)
    end
    local x, dv = normal({ 5 }, "float32"), normal({ 5 }, "float32")
    local y, dx = f(nd, x, dv)
    local cy, cdx = hl.compile(f)(x, dv)
    assert.bits(cy, y)
    assert.bits(cdx, dx)
  end)
end)

describe("hl.jacobian and hl.hessian", function()
  it("have the shapes and elements of the definition", function()
    local w = normal { 3, 2 }
    local x = normal { 2 }
    local J = hl.jacobian(function(v) return nd.dot(w, v) end)(x)
    assert.bits(J, w)
    local J2 = hl.jacobian(function(v) return v:reshape { 2, 1 } * v:reshape { 1, 2 } end)(x)
    assert.are.equal("2x2x2", table.concat(J2.shape, "x"))
    local a, b = x[0]:asscalar(), x[1]:asscalar()
    assert.allclose(J2, { { { 2 * a, 0 }, { b, a } }, { { b, a }, { 0, 2 * b } } }, 1e-12)
  end)

  it("follow nested arguments and results", function()
    local p = { a = nd.array { 1, 2 }, b = nd.array { 3 } }
    local J = hl.jacobian(function(q) return { s = q.a * q.b } end)(p)
    assert.bits(J.s.a, nd.array { { 3, 0 }, { 0, 3 } })
    assert.bits(J.s.b, nd.array { { 1 }, { 2 } })
    local H = hl.hessian(function(q) return (q.a * q.b):sum() end)(p)
    assert.bits(H.a.b, nd.ones { 2, 1 })
    assert.bits(H.b.a, nd.ones { 1, 2 })
    assert.bits(H.a.a, nd.zeros { 2, 2 })
  end)

  it("match finite differences of the gradient, and have the same bits eager and compiled", function()
    local f = function(F, x) return F.sum(F.exp(-F.square(x)) * F.sum(x)) end
    local x = normal { 4 }
    local H = hl.hessian(f)(x)
    for i = 0, 3 do
      local row = slopes(function(v) return hl.grad(f)(v)["" .. i .. ":" .. i + 1] end, x)
      assert.allclose(H[i], row, 1e-6, 1e-7)
    end
    assert.bits(hl.compile(hl.hessian(f))(x), H)
    assert.bits(hl.hessian(hl.compile(f))(x), H)
  end)

  it("are empty for empty arrays", function()
    assert.are.equal("0x2", table.concat(hl.jacobian(function(x) return x["0:0"] end)(nd.ones { 2 }).shape, "x"))
    assert.raises(function() hl.jacobian(function() return 3 end)(nd.ones { 2 }) end, "hl.jacobian: f:", "got number")
  end)
end)

describe("autograd.grad in compiled code", function()
  it("has eager's bits, and records only needed nodes", function()
    local f = function(_, x)
      local g = autograd.record(function()
        local y = (x * x * x):sum()
        return autograd.grad(y, x, { create_graph = true })
      end)
      return g * 2
    end
    local x = normal({ 4 }, "float32")
    x:attach_grad()
    assert.bits(hl.compile(f)(x), f(nd, x))
  end)

  it("rejects a head that eager code would not record", function()
    local x = nd.ones { 2 }
    x:attach_grad()
    local f = function(_, v) return autograd.grad((v * v):sum(), v) end
    assert.raises(function() f(nd, x) end, "not on the tape")
    assert.raises(function() hl.compile(f)(x) end, "not on the tape")
  end)
end)

describe("hl.grad and related functions, in other contexts", function()
  local there = hl.cpu(1)
  local function at(values) return nd.array(values, { dtype = "float64", ctx = there }) end

  it("return results in the argument's context", function()
    local x = at { 1, 2, 3 }
    local here = x:as_in_context(hl.cpu(0))
    local function cubes(v) return v ^ 3 end
    local function total(v) return (v ^ 3):sum() end
    for _, pair in ipairs { { hl.grad, total }, { hl.jacobian, cubes }, { hl.hessian, total } } do
      local result = pair[1](pair[2])(x)
      assert.equal(there, result.context)
      assert.bits(result:as_in_context(hl.cpu(0)), pair[1](pair[2])(here))
    end
    local value, pull = hl.vjp(cubes, x)
    assert.equal(there, value.context)
    assert.equal(there, pull(1).context)
    assert.same({ 3, 12, 27 }, pull(at { 1, 1, 1 }):totable())
    assert.equal(there, hl.jacobian(function(v) return nd.zeros_like(v) end)(x).context)
    local none = hl.jacobian(function(v) return v["0:0"] end)(x)
    assert.equal(there, none.context)
    assert.same({ 0, 3 }, none.shape)
  end)

  it("convert numbers to the arrays' context and dtype", function()
    local slope = hl.grad(function(w, v) return (v * w):sum() end)(2, at { 1, 2, 3 })
    assert.equal(there, slope.context)
    assert.equal("float64", slope.dtype)
    assert.equal(6, slope:asscalar())
  end)
end)

describe("errors of hl.grad and related functions", function()
  local x = nd.array { 1, 2, 3 }
  local function total(v) return v:sum() end

  it("name the value given for f", function()
    for _, name in ipairs { "grad", "value_and_grad", "vjp", "jacobian", "hessian" } do
      assert.raises(function() hl[name]() end, "hl." .. name .. ": f: expected a function, got nothing")
      assert.raises(function() hl[name] "f" end, "hl." .. name .. ": f: expected a function, got string")
    end
  end)

  it("name the options", function()
    assert.raises(function() hl.grad(total, { train_mode = "yes" })(x) end,
      "hl.grad: train_mode: expected true or false, got yes")
    assert.raises(function() hl.grad(total, { argnums = { 0, -1 } })(x) end,
      "hl.grad: argnums: expected each position once, got 0 twice")
    assert.raises(function() hl.grad(total)() end, "hl.grad: expected the arguments of f, got none")
  end)

  it("name a table that contains itself", function()
    local ring = { x }
    ring[2] = { ring }
    local function first(t) return t[1]:sum() end
    assert.raises(function() hl.grad(first)(ring) end,
      "argument 0: expected a table of arrays, got one that contains itself")
    assert.raises(function() hl.jacobian(function(v) ring[1] = v return ring end)(x) end,
      "f's result: expected a table of arrays")
    local twice = { x }
    assert.equal(2, #hl.grad(function(t) return (t[1][1] * t[2][1]):sum() end)({ twice, twice }))
  end)

  it("allow table keys of any kind", function()
    local gradient = hl.grad(function(t) return (t[1.5] * 2 + t[true] + t.w):sum() end)({ [1.5] = x, [true] = x,
      w = x })
    assert.same({ 2, 2, 2 }, gradient[1.5]:totable())
  end)

  it("name the vector to be pulled back", function()
    local _, pull = hl.vjp(function(v) return v * 2 end, x)
    local doubles = nd.ones({ 3 }, { dtype = "float64" })
    assert.raises(function() pull(doubles) end,
      "hl.vjp: cotangent: expected dtype float32, as in the result, got float64")
    assert.raises(function() pull(nd.ones({ 3 }, { ctx = hl.cpu(1) })) end, "cotangent: expected an array on")
    assert.raises(function() pull(nd.ones { 2 }) end, "hl.vjp: cotangent: expected shape %(3,%), got %(2,%)")
  end)
end)
