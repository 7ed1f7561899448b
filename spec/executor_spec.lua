-- executor_spec.lua - bind, simple_bind and sym.compile: the third step of symbolic programming.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local function variables() return sym.var "a", sym.var "b" end

describe("an Executor", function()
  it("runs forward and backward", function()
    local a, b = variables()
    local product = a * b
    local ex = product:bind(hl.cpu(), { a = nd.array { 2 }, b = nd.array { 3 } },
      { args_grad = { a = nd.zeros { 1 } }, grad_req = "write" })
    assert.allclose(ex:forward { is_train = true }[1], { 6 })
    ex:backward(nd.ones { 1 })
    assert.allclose(ex.grad_dict.a, { 3 })
    assert.is_nil(ex.grad_dict.b)
    assert.allclose(ex.outputs[1], { 6 })
    assert.allclose(ex.output_dict[product:list_outputs()[1]], { 6 })
    assert.allclose(ex.arg_dict.a, { 2 })
    assert.equal("b", ex.arg_names[2])
    assert.allclose(ex.arg_arrays[2], { 3 })
    assert.is_false(ex.grad_arrays[2])
    assert.truthy(tostring(ex):find "^<Executor of <Symbol _mul")
  end)

  it("accepts arrays in order or by name, optionally after a context or nil", function()
    local a, b = variables()
    local args = { a = nd.array { 5 }, b = nd.array { 2 } }
    for _, ex in ipairs { (a - b):bind(args), (a - b):bind(hl.cpu(), args), (a - b):bind(nil, args),
        (a - b):bind { args.a, args.b } } do
      assert.allclose(ex:forward()[1], { 3 })
    end
  end)

  it("has the bits of eager calls, forward and backward, in both modes", function()
    local x, w, bias = nd.random.normal { shape = { 3, 4 } }, nd.random.normal { shape = { 5, 4 } },
      nd.random.normal { shape = { 5 } }
    local function net(F, data, weight, b0)
      return F.tanh(F.FullyConnected(data, weight, b0, { num_hidden = 5 })) * data:sum()
    end
    local s = net(sym, sym.var "x", sym.var "w", sym.var "b")
    local grads = { x = nd.zeros { 3, 4 }, w = nd.zeros { 5, 4 }, b = nd.zeros { 5 } }
    local ex = s:bind({ x = x, w = w, b = bias }, { args_grad = grads })
    for _, array in ipairs { x, w, bias } do array:attach_grad() end
    local y = autograd.record(function() return net(nd, x, w, bias) end)
    y:backward()
    assert.bits(ex:forward { is_train = true }[1], y)
    ex:backward()
    assert.bits(grads.x, x.grad)
    assert.bits(grads.w, w.grad)
    assert.bits(grads.b, bias.grad)
    assert.bits(ex:forward { is_train = false }[1], y)
  end)

  it("writes, adds or skips each gradient", function()
    local a, b = variables()
    local ga, gb = nd.zeros { 1 }, nd.zeros { 1 }
    local ex = (a * b):bind({ a = nd.array { 2 }, b = nd.array { 3 } },
      { args_grad = { a = ga, b = gb }, grad_req = { a = "add", b = "write" } })
    for _ = 1, 3 do ex:forward { is_train = true } ex:backward() end
    assert.allclose(ga, { 9 })
    assert.allclose(gb, { 2 })
    local null = (a * b):bind({ a = nd.array { 2 }, b = nd.array { 3 } }, { args_grad = { a = ga }, grad_req = "null" })
    null:forward { is_train = true }
    assert.allclose(ga, { 9 })
  end)

  it("accepts new values in forward, and heads in backward", function()
    local a, b = variables()
    local ex = sym.Group { a * b, a + b }:bind({ nd.zeros { 2 }, nd.zeros { 2 } },
      { args_grad = { a = nd.zeros { 2 }, b = nd.zeros { 2 } } })
    local out = ex:forward { is_train = true, a = nd.array { 1, 2 }, b = nd.array { 3, 4 } }
    assert.allclose(out[1], { 3, 8 })
    assert.allclose(out[2], { 4, 6 })
    ex:backward { nd.array { 1, 10 }, nd.array { 100, 1000 } }
    assert.allclose(ex.grad_dict.a, { 103, 1040 })
    assert.allclose(ex.arg_dict.a, { 1, 2 })
    ex.arg_dict.a:set(7)
    assert.allclose(ex:forward()[1], { 21, 28 })
  end)

  it("keeps outputs of earlier runs", function()
    local a = sym.var "a"
    local ex = (a + 1):bind { nd.array { 0 } }
    local kept = {}
    for i = 1, 3 do kept[i] = ex:forward { a = nd.array { i } }[1] end
    for i = 1, 3 do assert.allclose(kept[i], { i + 1 }) end
  end)

  it("is made from shapes by simple_bind, and shares its parameters when reshaped", function()
    local s = sym.FullyConnected { data = sym.var "a", num_hidden = 3, name = "fc" }
    for _, ex in ipairs { s:simple_bind { a = { 1, 2 } },
        s:simple_bind(hl.cpu(), { a = { 1, 2 }, grad_req = "write" }) } do
      assert.same({ 3, 2 }, ex.arg_dict.fc_weight.shape)
      ex.arg_dict.fc_weight:set(1)
      ex.arg_dict.fc_bias:set(0.5)
      assert.allclose(ex:forward { a = nd.array { { 2, 3 } } }[1], { { 5.5, 5.5, 5.5 } })
      local wide = ex:reshape { a = { 4, 2 } }
      assert.same({ 4, 2 }, wide.arg_dict.a.shape)
      assert.allclose(wide:forward { is_train = true, a = nd.ones { 4, 2 } }[1], nd.full({ 4, 3 }, 2.5))
      wide:backward()
      assert.allclose(ex.grad_dict.fc_bias, { 4, 4, 4 })
    end
    assert.equal("float64", s:simple_bind { a = { 1, 2 }, type_dict = { a = "float64" } }.arg_dict.a.dtype)
    assert.is_nil(s:simple_bind { a = { 1, 2 }, grad_req = "null" }.grad_dict.a)
  end)

  it("casts the gradients of outputs, like MXNet 1.9.1", function()
    local a, b = variables()
    local doubles = { dtype = "float64" }
    local ex = (a * b):bind({ a = nd.array({ 2, 3 }, doubles), b = nd.array({ 5, 7 }, doubles) },
      { args_grad = { a = nd.zeros({ 2 }, doubles) } })
    for _, head in ipairs { nd.array { 1, 2 }, nd.array({ 1, 2 }, { dtype = "int32" }) } do
      ex:forward(true)
      ex:backward(head)
      assert.allclose(ex.grad_dict.a, { 5, 14 }, 0, 0)
    end
    local places = sym.shape_array(a):bind({ a = nd.ones { 2 } }, { args_grad = { a = nd.ones { 2 } } })
    places:forward(true)
    places:backward(nd.ones { 1 })
    assert.allclose(places.grad_dict.a, { 0, 0 }, 0, 0)
  end)

  it("runs backward after a forward in any mode, in that mode, repeatedly", function()
    local a = sym.var "a"
    local function dropout(mode, gradient)
      return sym.Dropout(a, { p = 0.5, mode = mode }):bind({ a = nd.ones { 64 } }, { args_grad = { a = gradient } })
    end
    local gradient = nd.zeros { 64 }
    local always, training = dropout("always", gradient), dropout("training", gradient)
    for _, train in ipairs { false, true } do
      hl.random.seed(3)
      always:forward(train)
      always:backward(nil, train)
      assert.bits(gradient, always.outputs[1])
      gradient[{}] = 7
      always:backward()
      assert.bits(gradient, always.outputs[1])
    end
    training:forward()
    training:backward()
    assert.allclose(gradient, nd.ones { 64 }, 0, 0)
    training:forward(true)
    training:backward()
    assert.bits(gradient, training.outputs[1])
    training:backward(nil, false)
    assert.allclose(gradient, nd.ones { 64 }, 0, 0)
  end)

  it("draws no random number in backward, and keeps auxiliary states", function()
    local data = sym.var "data"
    local graph = sym.Dropout(sym.BatchNorm { data = data, fix_gamma = false, name = "bn" }, { p = 0.5 })
    local function run(backwards)
      hl.random.seed(5)
      local ex = graph:simple_bind { data = { 8, 3 } }
      ex.arg_dict.data:set(nd.random.normal { shape = { 8, 3 } })
      ex.arg_dict.bn_gamma:set(1)
      ex:forward(true)
      for _ = 1, backwards do ex:backward() end
      return ex, nd.random.uniform { shape = { 4 } }
    end
    local once, next_once = run(1)
    local thrice, next_thrice = run(3)
    assert.bits(next_thrice, next_once)
    assert.bits(thrice.aux_dict.bn_moving_mean, once.aux_dict.bn_moving_mean)
    assert.bits(thrice.grad_dict.data, once.grad_dict.data)
  end)

  it("does nothing in backward if no input gets a gradient", function()
    local a, b = variables()
    local gradient = nd.array { 3 }
    local ex = (a * b):bind({ nd.ones { 1 }, nd.ones { 1 } }, { args_grad = { gradient }, grad_req = "null" })
    ex:forward(true)
    ex:backward()
    ex:backward(nd.ones { 1 })
    assert.allclose(gradient, { 3 }, 0, 0)
  end)

  it("accepts outputs that depend on no argument", function()
    local a = sym.var "a"
    local ex = sym.Group { sym.ones { 2 }, a * 2 }:bind({ nd.ones { 2 } }, { args_grad = { nd.zeros { 2 } } })
    ex:forward(true)
    ex:backward { nd.ones { 2 }, nd.array { 3, 4 } }
    assert.allclose(ex.grad_dict.a, { 6, 8 }, 0, 0)
  end)

  it("infers dtypes from variables and type_dict", function()
    local cast = sym.Cast(sym.var("x", { dtype = "int32" }), { dtype = "float32" }):simple_bind { x = { 2 } }
    assert.equal("int32", cast.arg_dict.x.dtype)
    assert.equal("int32", cast.grad_dict.x.dtype)
    cast:forward { is_train = true, x = nd.array { 1, 2 } }
    cast:backward()
    assert.same({ 0, 0 }, cast.grad_dict.x:totable())
    local attribute = sym.var("x", { attr = { __dtype__ = "6" } }) + 1
    assert.equal("int64", attribute:simple_bind { x = { 2 } }.arg_dict.x.dtype)
    local norm = sym.BatchNorm { data = sym.var "data", name = "bn" }
    local ex = norm:simple_bind { data = { 2, 3 }, type_dict = { data = "float64", other = "int8" } }
    for _, arrays in ipairs { ex.arg_dict, ex.grad_dict, ex.aux_dict } do
      for _, array in pairs(arrays) do assert.equal("float64", array.dtype) end
    end
    assert.equal("float32", norm:simple_bind { data = { 2, 3 } }.arg_dict.data.dtype)
  end)

  it("ignores unknown names in simple_bind", function()
    local ex = (sym.var "a" * 2):simple_bind { a = { 2 }, softmax_label = { 3 }, shared_exec = 1 }
    assert.same({ "a" }, ex.arg_names)
  end)

  it("is reshaped to larger and smaller shapes, with MXNet's options", function()
    local dense = sym.FullyConnected { data = sym.var "x", num_hidden = 4 }
    local ex = dense:simple_bind { x = { 5, 4 }, grad_req = "null" }
    ex.arg_arrays[1]:set(1)
    ex.arg_arrays[2]:set(1)
    local less = ex:reshape { x = { 3, 4 } }                     -- on the same memory
    assert.allclose(less:forward()[1], nd.full({ 3, 4 }, 4), 0, 0)
    local more = ex:reshape { x = { 6, 4 }, allow_up_sizing = true, partial_shaping = true }
    more.arg_arrays[1]:set(0)
    assert.allclose(ex:forward()[1], nd.full({ 5, 4 }, 4), 0, 0)
    assert.allclose(more.arg_arrays[2], nd.ones { 4, 4 }, 0, 0)
  end)

  it("copies parameters into place", function()
    local s = sym.FullyConnected { data = sym.var "a", num_hidden = 1, name = "fc" }
    local ex = s:simple_bind { a = { 1, 2 } }
    ex:copy_params_from { fc_weight = nd.array { { 3, 4 } }, fc_bias = nd.array { 1 } }
    assert.allclose(ex:forward { a = nd.ones { 1, 2 } }[1], { { 8 } })
  end)

  it("names errors, at the user's line", function()
    local a, b = variables()
    local one = nd.ones { 1 }
    local s = sym.FullyConnected { data = a, num_hidden = 3, name = "fc" }
    local ex, ran = s:simple_bind { a = { 1, 2 } }, s:simple_bind { a = { 1, 2 } }
    ran:forward()
    local cases = {
      { "key `b` is missing in `args`", function() local _ = (a + b):bind { a = one } end },
      { "'c', which is not an argument; the arguments are a, b",
        function() local _ = (a + b):bind { a = one, b = one, c = one } end },
      { "args: a: expected an NDArray, got number", function() local _ = (a + b):bind { a = 3, b = one } end },
      { "expected 'write', 'add' or 'null', got 'wrong'", function()
        local _ = (a + b):bind({ a = one, b = one }, { grad_req = "wrong", args_grad = { a = one } }) end },
      { "gradient: expected float32 %(1,%), got float32 %(2,%)", function()
        local _ = (a + b):bind({ one, one }, { args_grad = { a = nd.ones { 2 } } }) end },
      { "broadcast_add: rhs", function() local _ = (a + b):bind { nd.ones { 3 }, nd.ones { 2 } }:forward() end },
      { "simple_bind: the shapes given", function() local _ = s:simple_bind {} end },
      { "simple_bind: the shapes given", function() local _ = s:simple_bind() end },
      { "determine those of all arguments.* The graph has no nope",
        function() local _ = s:simple_bind { nope = { 1 } } end },
      { "simple_bind: shapes: expected a table of shapes by name, got number", function() s:simple_bind(3) end },
      { "simple_bind: shapes: expected a table of shapes by name, got an NDArray", function() s:simple_bind(one) end },
      { "simple_bind: a: expected a shape, got number", function() s:simple_bind { a = 3 } end },
      { "simple_bind: ctx: expected a context, such as hl.cpu%(%), got an integer",
        function() s:simple_bind { a = { 1, 2 }, ctx = 3 } end },
      { "simple_bind: grad_req: expected a string or a table, got number",
        function() s:simple_bind { a = { 1, 2 }, grad_req = 3 } end },
      { "simple_bind: type_dict: expected a table of dtypes by name, got number",
        function() s:simple_bind { a = { 1, 2 }, type_dict = 3 } end },
      { "simple_bind: type_dict: a: expected a dtype such as 'float32', got number",
        function() s:simple_bind { a = { 1, 2 }, type_dict = { a = 4 } } end },
      { "forward: unknown argument 'xx'; the arguments are a, fc_weight, fc_bias",
        function() local _ = ex:forward { xx = one } end },
      { "expected a value of shape %(1, 2%)", function() local _ = ex:forward { a = nd.ones { 3, 2 } } end },
      { "backward: call forward first", function() ex:backward() end },
      { "backward: out_grads: expected 1, one for each output, got one at 2",
        function() ran:backward { one, one } end },
      { "backward: out_grads: output 1: expected an NDArray, got number", function() ran:backward { 3 } end },
      { "backward: out_grads: expected an NDArray or a table of NDArrays, got number", function() ran:backward(3) end },
      { "backward: head_grads: expected float32 %(1, 3%), got float32 %(1,%)", function() ran:backward(one) end },
      { "reshape: unknown argument 'xx'", function() local _ = ex:reshape { xx = { 1 } } end },
      { "reshape: shapes: expected a table of shapes by name, got number", function() local _ = ex:reshape(3) end },
    }
    for _, case in ipairs(cases) do assert.raises(case[2], case[1], "executor_spec.lua:%d+") end
  end)
end)

describe("sym.compile", function()
  it("makes a function of several inputs and outputs", function()
    local a, b = variables()
    local f = sym.compile { inputs = { a, b }, outputs = { a + b, a * b } }
    local sum, product = f(nd.array { 2 }, nd.array { 3 })
    assert.allclose(sum, { 5 })
    assert.allclose(product, { 6 })
    assert.allclose((f(nd.ones { 2, 2 }, nd.ones { 2 })), nd.full({ 2, 2 }, 2))
    assert.truthy(f:explain():find "_plus" or f:explain():find "broadcast_add")
  end)

  it("is differentiated like its graph", function()
    local a, b = variables()
    local f = sym.compile { inputs = { a, b }, outputs = { sym.exp(a) * b } }
    local x, y = nd.array { 0.5, 1 }, nd.array { 2, 3 }
    x:attach_grad()
    y:attach_grad()
    autograd.record(function() return f(x, y) end):backward()
    local gx, gy = x.grad:copy(), y.grad:copy()
    autograd.record(function() return nd.exp(x) * y end):backward()
    assert.bits(gx, x.grad)
    assert.bits(gy, y.grad)
  end)

  it("names errors", function()
    local a, b = variables()
    local f = sym.compile { inputs = { a, b }, outputs = { a + b } }
    assert.raises(function() local _ = f(nd.ones { 2 }) end, "expected 2 arrays, got 1", "executor_spec.lua")
    assert.raises(function() local _ = sym.compile { inputs = { a }, outputs = { a + b } } end,
      "variable 'b' is missing")
    assert.raises(function() local _ = sym.compile { inputs = { a * 2 }, outputs = { a } } end, "expected variables")
    assert.raises(function() local _ = sym.compile { a, b } end, "inputs = {variables}")
  end)
end)
