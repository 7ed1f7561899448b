-- operator_spec.lua - operators written in Lua: hl.operator, nd.Custom, sym.Custom.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local operator = hl.operator

-- Softmax with the gradient of cross entropy, the example of MXNet's documentation.
local Softmax = operator.CustomOp:subclass "Softmax"
function Softmax:forward(_, req, in_data, out_data)
  local y = nd.exp(in_data[1] - in_data[1]:max { axis = 1, keepdims = true })
  self:assign(out_data[1], req[1], y / y:sum { axis = 1, keepdims = true })
end
function Softmax:backward(req, _, in_data, out_data, in_grad)
  local y = out_data[1]
  self:assign(in_grad[1], req[1], y - nd.one_hot(in_data[2], y.shape[2]))
end
local SoftmaxProp = operator.CustomOpProp:subclass "SoftmaxProp"
function SoftmaxProp:init() operator.CustomOpProp.init(self, { need_top_grad = false }) end
function SoftmaxProp:list_arguments() return { "data", "label" } end
function SoftmaxProp:infer_shape(in_shape) return { in_shape[1], { in_shape[1][1] } }, { in_shape[1] }, {} end
function SoftmaxProp:create_operator() return Softmax() end
operator.register "spec_softmax" (SoftmaxProp)

-- x * k, x + y, and a count of the forwards.
local Two = operator.CustomOp:subclass "Two"
function Two:init(k) self.k = k end
function Two:forward(is_train, req, in_data, out_data, aux)
  self:assign(aux[1], "add", is_train and 100 or 1)
  self:assign(out_data[1], req[1], in_data[1] * self.k)
  self:assign(out_data[2], req[2], in_data[1] + in_data[2])
end
function Two:backward(req, out_grad, _, _, in_grad)
  self:assign(in_grad[1], req[1], out_grad[1] * self.k + out_grad[2])
  self:assign(in_grad[2], "add", out_grad[2])
end
local TwoProp = operator.CustomOpProp:subclass "TwoProp"
function TwoProp:init(options)
  self.options = options or {}
  self.k = tonumber(self.options.k or 1)
end
function TwoProp:list_arguments() return { "x", "y" } end
function TwoProp:list_outputs() return { "product", "sum" } end
function TwoProp:list_auxiliary_states() return { "count" } end
function TwoProp:infer_shape(in_shape) return in_shape, { in_shape[1], in_shape[1] }, { { 1 } } end
function TwoProp:create_operator() return Two(self.k) end
operator.register "spec_two" (TwoProp)

-- x ^ 2, with x kept by forward for backward.
local Square = operator.CustomOp:subclass "Square"
function Square:forward(_, req, in_data, out_data)
  self.x = in_data[1]
  self:assign(out_data[1], req[1], self.x ^ 2)
end
function Square:backward(req, out_grad, _, _, in_grad) self:assign(in_grad[1], req[1], out_grad[1] * self.x * 2) end
local SquareProp = operator.CustomOpProp:subclass "SquareProp"
function SquareProp:create_operator() return Square() end
operator.register "spec_square" (SquareProp)

local function square(F, x) return F.Custom(x, { op_type = "spec_square" }) end

-- Registers an operator with these methods of its CustomOpProp and its CustomOp; returns its name.
local made = 0
local function register(prop_methods, op_methods)
  made = made + 1
  local Op, Prop = operator.CustomOp:subclass "Op", operator.CustomOpProp:subclass "Prop"
  for name, fn in pairs(op_methods or {}) do Op[name] = fn end
  function Prop:create_operator() return Op() end
  for name, fn in pairs(prop_methods) do Prop[name] = fn end
  operator.register("spec_made" .. made)(Prop)
  return "spec_made" .. made
end

local function data() return nd.array { { 1, 2, 3 }, { 3, 2, 1 } }, nd.array { 0, 1 } end

local function same(a, b) assert.same(a:totable(), b:totable()) end

describe("nd.Custom", function()
  it("computes forward and backward", function()
    local x, label = data()
    x:attach_grad()
    local y = autograd.record(function() return nd.Custom(x, label, { op_type = "spec_softmax" }) end)
    y:backward()
    assert.allclose(y, nd.softmax(x))
    assert.allclose(x.grad, nd.softmax(x) - nd.one_hot(label, 3))
  end)

  it("takes inputs by name", function()
    local x, label = data()
    same(nd.Custom { label = label, data = x, op_type = "spec_softmax" },
      nd.Custom(x, label, { op_type = "spec_softmax" }))
  end)

  it("returns a list of several outputs, and writes auxiliary states", function()
    local x, y, count = nd.array { 1, 2 }, nd.array { 10, 20 }, nd.zeros { 1 }
    x:attach_grad()
    y:attach_grad()
    local out = autograd.record(function() return nd.Custom(x, y, count, { op_type = "spec_two", k = 3 }) end)
    autograd.backward { out[1], out[2] }
    assert.equal(2, #out)
    assert.same({ 3, 6 }, out[1]:totable())
    assert.same({ 11, 22 }, out[2]:totable())
    assert.same({ 4, 4 }, x.grad:totable())
    assert.same({ 1, 1 }, y.grad:totable())
    nd.Custom(x, y, count, { op_type = "spec_two" })
    assert.same({ 101 }, count:totable())
  end)

  it("passes further options as strings, as MXNet does", function()
    local got
    local name = register({ init = function(_, options) got = options end },
      { forward = function(self, _, req, i, o) self:assign(o[1], req[1], i[1]) end })
    nd.Custom(nd.ones { 2 }, { op_type = name, rate = 0.5, kernel = { 3, 3 }, flag = true, word = "a", name = "n" })
    assert.same({ rate = "0.5", kernel = "(3, 3)", flag = "True", word = "a" }, got)
  end)

  it("keeps values in self from forward for the backward of the same call", function()
    local a, b = nd.array { 1, 2 }, nd.array { 3, 4 }
    a:attach_grad()
    b:attach_grad()
    local compiled = hl.compile(function(F, x) return square(F, F.relu(x)) * 2 end)
    for _, fn in ipairs { compiled, compiled, function(x) return square(nd, nd.relu(x)) * 2 end } do
      local y = autograd.record(function() return fn(a) + fn(b) end)
      y:backward()
      assert.same({ 4, 8 }, a.grad:totable())
      assert.same({ 12, 16 }, b.grad:totable())
    end
  end)

  it("is made once in a call without backward", function()
    local count, Op = 0, operator.CustomOp:subclass "Counted"
    function Op:forward(_, req, in_data, out_data) self:assign(out_data[1], req[1], in_data[1]) end
    local name = register { create_operator = function()
      count = count + 1
      return Op()
    end }
    same(nd.ones { 2 }, nd.Custom(nd.ones { 2 }, { op_type = name }))
    assert.equal(1, count)
    local f = hl.compile(function(F, x) return F.Custom(x, { op_type = name }) end)
    for _, n in ipairs { 2, 2, 3, 3 } do same(nd.ones { n }, f(nd.ones { n })) end
    assert.equal(3, count)
  end)

  it("gets copies, so that writes into an input change nothing else", function()
    local name = register({}, { forward = function(self, _, req, i, o)
      i[1][{}] = 7
      self:assign(o[1], req[1], i[1])
    end })
    local x = nd.array { 1, 2 }
    local out = nd.Custom(x, { op_type = name })
    assert.same({ 7, 7 }, out:totable())
    assert.same({ 1, 2 }, x:totable())
  end)

  it("leaves nothing behind", function()
    local x = nd.ones { 4 }
    local function some() for _ = 1, 200 do square(nd, x) end end
    local function used()
      collectgarbage()
      collectgarbage()
      return collectgarbage "count"
    end
    some()
    local before = used()
    for _ = 1, 5 do some() end
    assert.truthy(used() - before < 20)
  end)
end)

describe("sym.Custom", function()
  it("makes variables for missing inputs and runs in an Executor", function()
    local x, label = data()
    local s = sym.Custom { data = sym.var "data", op_type = "spec_softmax", name = "softmax" }
    assert.same({ "data", "softmax_label" }, s:list_arguments())
    assert.same({ "softmax_output" }, s:list_outputs())
    local ex = s:simple_bind { data = { 2, 3 } }
    assert.same({ 2 }, { table.unpack(ex.arg_dict.softmax_label.shape) })
    assert.allclose(ex:forward { is_train = true, data = x, softmax_label = label }[1], nd.softmax(x))
    ex:backward()
    assert.allclose(ex.grad_dict.data, nd.softmax(x) - nd.one_hot(label, 3))
  end)

  it("has auxiliary states and several outputs", function()
    local g = sym.Group(sym.Custom { x = sym.var "x", y = sym.var "y", op_type = "spec_two", k = 2, name = "t" })
    assert.same({ "x", "y" }, g:list_arguments())
    assert.same({ "t_count" }, g:list_auxiliary_states())
    local ex = g:simple_bind { x = { 2 }, y = { 2 } }
    ex:forward { is_train = true, x = nd.array { 1, 2 }, y = nd.array { 3, 4 } }
    assert.same({ 4, 6 }, ex.outputs[2]:totable())
    assert.same({ 100 }, ex.aux_dict.t_count:totable())
    ex:backward { nd.ones { 2 }, nd.ones { 2 } }
    assert.same({ 3, 3 }, ex.grad_dict.x:totable())
  end)

  it("infers types by infer_type", function()
    local name = register({ infer_type = function(_, t) return t, { "int32" }, {} end },
      { forward = function(self, _, req, i, o) self:assign(o[1], req[1], i[1]:astype "int32") end })
    assert.equal("int32", nd.Custom(nd.array { 1.5 }, { op_type = name }).dtype)
  end)

  it("is not in files", function()
    local s = sym.Custom { data = sym.var "data", op_type = "spec_square", name = "sq" }
    assert.error_matches(function() s:tojson() end,
      "operator Custom %(op_type 'spec_square'%) is written in Lua and cannot be exported")
  end)
end)

describe("F.Custom in a hybridized block", function()
  local Net = gluon.HybridBlock:subclass "Net"
  function Net:init() self.dense = gluon.nn.Dense(3, { in_units = 3 }) end
  function Net:hybrid_forward(F, x, label)
    return F.Custom(self.dense(x) * 2, label, { op_type = "spec_softmax" }) + 1
  end

  it("has the bits of eager code, forward and backward", function()
    local x, label = data()
    local net = Net()
    net:initialize()
    local function step()
      local y = autograd.record(function() return net(x, label) end)
      y:backward()
      return y, net.dense.weight:grad():copy()
    end
    local y, grad = step()
    net:hybridize()
    for _ = 1, 3 do
      local y2, grad2 = step()
      same(y, y2)
      same(grad, grad2)
    end
    same(net(x, label), y)
    assert.equal(2, #net:explain { format = "table" }.traces)           -- recording, and not
  end)

  it("runs in the script's order, once per call", function()
    local log = {}
    local name = register({}, { forward = function(self, _, req, i, o)
      log[#log + 1] = i[1]:asscalar()
      self:assign(o[1], req[1], i[1])
    end })
    local f = hl.compile(function(F, x)
      for k = 1, 3 do F.Custom(x * k, { op_type = name }) end
      return x + 1
    end)
    f(nd.array { 2 })
    f(nd.array { 3 })
    assert.same({ 2, 4, 6, 3, 6, 9 }, log)
  end)

  it("works in the body of a loop", function()
    local x = nd.array { { 1 }, { 2 }, { 3 } }
    x:attach_grad()
    local function loop(F, a)
      return (F.contrib.foreach(function(item, s)
        local y = square(F, item + s)
        return y, y
      end, a, a[0]))
    end
    local function run(fn)
      local y = autograd.record(function() return fn(x) end)
      y:backward()
      return y, x.grad:copy()
    end
    local y, grad = run(function(a) return loop(nd, a) end)
    local y2, grad2 = run(hl.compile(loop))
    same(y, y2)
    same(grad, grad2)
    assert.same({ { 7592 }, { 948 }, { 78 } }, grad:totable())
  end)

  it("may call hybridized blocks and draw random numbers", function()
    local inner = gluon.nn.Dense(2, { in_units = 2 })
    inner:initialize()
    inner:hybridize()
    local name = register({}, { forward = function(self, _, req, i, o)
      self:assign(o[1], req[1], inner(i[1]) + nd.random.uniform { shape = { 1, 2 } })
    end })
    local function f(F, x) return F.Dropout(F.Custom(x, { op_type = name }), { p = 0.5, mode = "always" }) end
    local x = nd.ones { 1, 2 }
    hl.random.seed(5)
    local eager = f(nd, x)
    local compiled = hl.compile(f)
    for _ = 1, 2 do
      hl.random.seed(5)
      same(eager, compiled(x))
    end
  end)

  it("cannot be exported", function()
    local net = Net()
    net:initialize()
    net:hybridize()
    net(data())
    local folder = scratch.folder()
    assert.raises(function() net:export(folder:file "net") end,
      "operator_spec.lua:294: tojson: node '[%w_]+': operator Custom %(op_type 'spec_softmax'%) is written in Lua " ..
        "and cannot be exported")
    assert.same({}, folder:list())
    folder:remove()
  end)
end)

describe("an operator written in Lua", function()
  local function fails(prop_methods, op_methods, pattern)
    local name = register(prop_methods, op_methods)
    assert.error_matches(function() nd.Custom(nd.ones { 2 }, { op_type = name }) end, pattern)
    local f = hl.compile(function(F, x) return F.Custom(x, { op_type = name }) + 1 end)
    assert.error_matches(function() f(nd.ones { 2 }) end, pattern)
  end

  it("reports errors of its code with their lines", function()
    fails({}, { forward = function() error "no luck" end }, "no luck")
    fails({ infer_shape = function() error "no shape" end }, {}, "no shape")
    local function broken(x) return x.missing.field end
    local name0 = register({}, { forward = broken })
    local _, message = pcall(nd.Custom, nd.ones { 2 }, { op_type = name0 })
    assert.truthy(message:find(("operator_spec.lua:%d:"):format(debug.getinfo(broken, "S").linedefined), 1, true))
    local name = register({}, { forward = function(self, _, req, i, o) self:assign(o[1], req[1], i[1]) end })
    local x = nd.ones { 2 }
    x:attach_grad()
    local y = autograd.record(function() return nd.Custom(x, { op_type = name }) end)
    assert.error_matches(function() y:backward() end, "Op:backward: the operator has no backward")
  end)

  it("rejects wrong results of its methods", function()
    fails({ infer_shape = function(_, s) return s, {} end }, {}, "infer_shape: expected 1 outputs, got 0")
    fails({ infer_shape = function(_, s) return s, { { "a" } } end }, {}, "infer_shape: shape: expected integers")
    fails({ infer_type = function(_, t) return t, {} end }, {}, "infer_type: expected 1 outputs, got 0")
    fails({ list_arguments = function() return {} end }, {}, "list_arguments: expected at least one name")
    fails({ list_outputs = function() return "output" end }, {}, "list_outputs: expected a list of names, got string")
    fails({ create_operator = function() return {} end }, {}, "create_operator: expected an instance of operator.Cust")
    fails({}, { forward = function(_, _, _, _, o) o[1] = nd.ones { 3 } end }, "output 1: expected float32 %(2,%)")
    fails({}, { forward = function(_, _, _, _, o) o[1] = nil end }, "output 1 is no longer an array")
  end)

  it("rejects wrong calls", function()
    local x = nd.ones { 2 }
    local function rejects(pattern, ...)
      local args = table.pack(...)
      assert.error_matches(function() nd.Custom(table.unpack(args, 1, args.n)) end, pattern)
    end
    rejects("op_type: expected the name of a registered operator, got nothing", x)
    rejects("op_type: expected a name that hl.operator.register registered.*'nope'", x, { op_type = "nope" })
    rejects("expected 2 inputs %(data, label%), got none for 'label'", x, { op_type = "spec_softmax" })
    rejects("expected 2 inputs %(data, label%), got 3", x, x, x, { op_type = "spec_softmax" })
    rejects("input 1: expected an NDArray or a Symbol, got number", 3, { op_type = "spec_softmax" })
    rejects("input 'data' was given twice", x, { op_type = "spec_softmax", data = x })
    rejects("unknown input 'z'", x, x, { op_type = "spec_softmax", z = x })
    assert.error_matches(function() operator.register "a" (Softmax) end, "expected a subclass of operator.Custom")
    assert.error_matches(function() operator.register(3) end, "expected a name")
    assert.error_matches(function() Softmax():assign(x, "wrote", x) end, "req: expected 'null', 'write', 'inplace' or")
  end)

  it("has no gradient of the gradient", function()
    local x = nd.ones { 2 }
    x:attach_grad()
    assert.error_matches(function()
      autograd.record(function()
        local grad = autograd.grad(square(nd, x), x, nil, true, true)
        grad:sum():backward()
      end)
    end, "Custom: its gradient cannot be differentiated again")
  end)

  it("gets zeros as gradients before it writes", function()
    local seen
    local name = register({ list_arguments = function() return { "a", "b" } end }, {
      forward = function(self, _, req, i, o) self:assign(o[1], req[1], i[1]) end,
      backward = function(_, _, _, _, _, in_grad) seen = in_grad[2]:totable() end })
    local a = nd.ones { 2 }
    a:attach_grad()
    autograd.record(function() return nd.Custom(a, nd.ones { 2 }, { op_type = name }) end):backward()
    assert.same({ 0, 0 }, seen)
    assert.same({ 0, 0 }, a.grad:totable())
  end)
end)

describe("NumpyOp and NDArrayOp", function()
  for _, kind in ipairs { "NumpyOp", "NDArrayOp" } do
    it(kind .. " makes nodes by its call", function()
      local Exp = operator[kind]:subclass "Exp"
      function Exp:init() operator[kind].init(self, false) end
      function Exp:forward(in_data, out_data) out_data[1][{}] = in_data[1]:exp() end
      function Exp:backward(_, _, out_data, in_grad) in_grad[1][{}] = out_data[1] end
      local s = Exp()(sym.var "data", { name = "e" })
      assert.same({ "e_output" }, s:list_outputs())
      local ex, x = s:simple_bind { data = { 2 } }, nd.array { 1, 2 }
      assert.allclose(ex:forward { is_train = true, data = x }[1], nd.exp(x))
      ex:backward()
      assert.allclose(ex.grad_dict.data, nd.exp(x))
      assert.is_false(Exp():need_top_grad())
    end)
  end
end)
