-- symbol_spec.lua - Symbols as seen by users: names, composition, inference, attributes,
-- files, evaluation (like MXNet 1.9.1, but arithmetic broadcasts).
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local a, b, d                      -- d: a dense layer "fc" of a + b

before_each(function()
  a, b = sym.var "a", sym.Variable "b"
  d = sym.FullyConnected { data = a + b, num_hidden = 3, name = "fc" }
end)

describe("a Symbol", function()
  it("prints its name", function()
    assert.equal("<Symbol a>", tostring(a))
    assert.equal("<Symbol fc>", tostring(d))
    assert.equal("<Symbol group [fc, a]>", tostring(sym.Group { d, a }))
  end)

  it("gets an automatic name, numbered by operator", function()
    local function stem(s) return (s.name:gsub("%d+$", "")) end
    assert.equal("_plus", stem(a + b))
    assert.equal("_plusscalar", stem(a + 1))
    assert.equal("_plusscalar", stem(1 + a))
    assert.equal("_minusscalar", stem(a - 1))
    assert.equal("_rminusscalar", stem(1 - a))
    assert.equal("_mul", stem(a * b))
    assert.equal("_divscalar", stem(a / 2))
    assert.equal("_rdivscalar", stem(2 / a))
    assert.equal("_powerscalar", stem(a ^ 2))
    assert.equal("_modscalar", stem(a % 2))
    assert.equal("concat", stem(sym.concat(a, b)))
    local first, second = sym.relu(a).name, sym.relu(a).name
    assert.equal(tonumber(first:match "%d+") + 1, tonumber(second:match "%d+"))
    assert.equal("mine", sym.relu(a, { name = "mine" }).name)
  end)

  it("lists arguments, outputs, auxiliary states and inputs", function()
    assert.same({ "a", "b", "fc_weight", "fc_bias" }, d:list_arguments())
    assert.same({ "fc_output" }, d:list_outputs())
    assert.same({}, d:list_auxiliary_states())
    assert.same(d:list_arguments(), d:list_inputs())
    assert.same({ "a", "b", "fc_weight" },
      sym.FullyConnected(a + b, { num_hidden = 3, no_bias = true, name = "fc" }):list_arguments())
  end)

  it("shows its internals and children", function()
    local internals = d:get_internals()
    local names = internals:list_outputs()
    assert.same({ "a", "b", names[3], "fc_weight", "fc_bias", "fc_output" }, names)
    assert.equal("<Symbol fc>", tostring(internals:output "fc_output"))
    assert.equal("<Symbol fc>", tostring(internals["fc_output"]))
    assert.same({ names[3], "fc_weight", "fc_bias" }, d:get_children():list_outputs())
    assert.is_nil(a:get_children())
    local hidden = internals:output(2)
    assert.allclose(hidden:eval { a = nd.ones { 2 }, b = nd.ones { 2 } }[1], { 2, 2 })
  end)

  it("selects outputs by index and name", function()
    local both = sym.Group { a + b, a * b }
    assert.equal(2, #both:list_outputs())
    assert.same(both:list_outputs()[2], both:output(1):list_outputs()[1])
    assert.equal(both:output(1).name, both:output(both:list_outputs()[2]).name)
    assert.raises(function() local _ = both:output(2) end, "expected 0 to 1, got 2")
    assert.raises(function() local _ = both:output "nope" end, "nope")
    assert.raises(function() return sym.relu(both) .. "" end, "one output", "s:output")
    local parts = sym.split(a, { num_outputs = 3, axis = 0 })
    assert.equal(3, #parts)
    assert.allclose(parts[2]:eval { a = nd.array { 1, 2, 3 } }[1], { 2 })
  end)
end)

describe("composition", function()
  it("replaces variables by name and by order", function()
    local net = sym.relu(sym.var "x")
    assert.same({ "y" }, net { x = sym.var "y" * 2 }:list_arguments())
    assert.same({ "y" }, net(sym.var "y" * 2):list_arguments())
    assert.same({ "x" }, net:list_arguments())
    local minus = a - b
    assert.allclose(minus { a = b, b = a }:eval { a = nd.array { 5 }, b = nd.array { 1 } }[1], { -4 })
    assert.allclose(minus(sym.var "p", sym.var "q"):eval { p = nd.array { 5 }, q = nd.array { 1 } }[1], { 4 })
  end)

  it("keeps one variable per name", function()
    local twice = (a - b) { a = b * 2 }
    assert.same({ "b" }, twice:list_arguments())
    assert.allclose(twice:eval { b = nd.array { 3 } }[1], { 3 })
  end)

  it("infers types again", function()
    local known = sym.relu(sym.var("x", { shape = { 2, 3 } }))
    local composed = known(sym.var("z", { shape = { 4, 3 } }))
    assert.same({ 4, 3 }, composed.shape)
    assert.same({ 2, 3 }, known.shape)
    assert.raises(function()
      return tostring((sym.var("p", { shape = { 2 } }) + a) { a = sym.var("q", { shape = { 3 } }) })
    end, "broadcast")
  end)

  it("names the result's operator, and leaves its parts unchanged", function()
    local inner = sym.FullyConnected { name = "fc3", num_hidden = 10 }
    local net = sym.FullyConnected(sym.Activation(inner, { act_type = "relu" }), { name = "fc4", num_hidden = 20 })
    local z = sym.var "z"
    local composed = net { fc3_data = z, name = "composed" }
    assert.same({ "z", "fc3_weight", "fc3_bias", "fc4_weight", "fc4_bias" }, composed:list_arguments())
    assert.same({ "composed_output" }, composed:list_outputs())
    assert.same({ "q_output" }, net(z, { name = "q" }):list_outputs())
    assert.same({ "fc4_output" }, net:list_outputs())
    assert.same({ "g_output", "fc3_output" }, sym.Group { net, inner } { fc3_data = z, name = "g" }:list_outputs())
    assert.same({ "w" }, (sym.var "name" + 1) { name = sym.var "w" }:list_arguments())    -- a variable of that name
    assert.same({ 2, 20 }, select(2, composed:infer_shape { z = { 2, 5 } })[1])
    assert.raises(function() return sym.var "v" { v = z, name = "x" } end, "compose: name: expected an operator")
    assert.raises(function() return net(z, { nme = "x" }) end, "compose: argument 2: expected a Symbol, got a table")
  end)

  it("makes graphs that compile, bind, save and load, whenever their parts were made", function()
    local y, net = sym.var "y", sym.relu(sym.var "x") - 3
    local composed = net(y * 2)
    for _, result in ipairs { sym.compile { inputs = { y }, outputs = { composed } }(nd.array { 4 }),
                              composed:bind({ nd.array { 4 } }):forward()[1],
                              sym.load_json(composed:tojson()):eval { y = nd.array { 4 } }[1] } do
      assert.allclose(result, { 5 })
    end
  end)

  it("names unknown arguments and values that are not Symbols", function()
    assert.raises(function() return tostring(d { nope = a }) end, "no argument is named 'nope'", "fc_weight")
    assert.raises(function() return tostring(d { a = 3 }) end, "expected {name = Symbol")
    assert.raises(function() return tostring(sym.relu(a)(a, b)) end, "at most 1")
    assert.raises(function() return tostring(sym.relu(a)(a, {})) end, "argument 2: expected a Symbol")
  end)
end)

describe("inference", function()
  it("infers the shapes of arguments, outputs and states", function()
    local args, outs, aux = d:infer_shape { a = { 2, 4 }, b = { 2, 4 } }
    assert.same({ { 2, 4 }, { 2, 4 }, { 3, 4 }, { 3 } }, args)
    assert.same({ { 2, 3 } }, outs)
    assert.same({}, aux)
    assert.same({ { 2, 3 } }, (select(2, sym.broadcast_add(a, b):infer_shape { a = { 2, 1 }, b = { 1, 3 } })))
  end)

  it("returns nil for incomplete shapes, or partial shapes on request", function()
    assert.equal(3, select("#", d:infer_shape {}))
    assert.is_nil((d:infer_shape {}))
    assert.is_nil((d:infer_shape()))
    local args = sym.FullyConnected(sym.elemwise_add(a, sym.relu(b)), sym.var "w", sym.var "bias", { num_hidden = 3 })
      :infer_shape_partial { w = { 3, 4 } }
    assert.same({ {}, {}, { 3, 4 }, {} }, args)
  end)

  it("infers dtypes", function()
    for _, dtype in ipairs { "float32", "float64" } do
      local args, outs = d:infer_type { a = dtype }
      assert.same({ dtype, dtype, dtype, dtype }, args)
      assert.same({ dtype }, outs)
    end
  end)

  it("names operator, parameter and line of a contradiction", function()
    assert.raises(function() return d:infer_shape { a = { 2, 4 }, b = { 2, 4 }, fc_weight = { 7, 7 } } end,
      "FullyConnected: weight", "%(7, 7%)", "node fc", "symbol_spec.lua:%d+")
    assert.raises(function() return d:infer_shape { nope = { 1 } } end, "'nope'", "fc_weight")
    assert.raises(function() return (a + b):infer_shape { a = { 2, 3 }, b = { 4 } } end, "broadcast_add: rhs",
      "%(2, 3%)", "%(4,%)")
  end)
end)

describe("attributes", function()
  it("belong to variables and operators", function()
    local v = sym.var("v", { shape = { 2, 3 }, lr_mult = 2, wd_mult = 0, dtype = "float32", init = hl.init.Xavier(),
      attr = { mood = "angry" } })
    assert.equal("angry", v:attr "mood")
    assert.equal("(2, 3)", v:attr "__shape__")
    assert.equal("0", v:attr "__dtype__")
    assert.equal("2", v:attr "__lr_mult__")
    assert.equal('["xavier", {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 3}]', v:attr "__init__")
    assert.is_nil(v:attr "nope")
    local s = sym.slice_axis(v, { axis = 1, begin = 0, stop = 2, name = "cut", attr = { __group__ = "x" } })
    assert.same({ axis = "1", begin = "0", ["end"] = "2", __group__ = "x" }, s:list_attr())
    assert.equal("1", s:attr "axis")
    local all = s:attr_dict()
    assert.same(s:list_attr(), all.cut)
    assert.equal("angry", all.v.mood)
    assert.raises(function() return tostring(sym.var("q", { foo = "1" })) end, "foo", "__foo__")
    assert.raises(function() return tostring(sym.var(3)) end, "name: expected a string")
  end)

  it("pass from a layer to its variables, as in MXNet", function()
    assert.same({ num_hidden = "3" }, d:attr_dict().fc_weight)
  end)
end)

describe("a Symbol's files", function()
  it("hold the graph, as text and as a file", function()
    local again = sym.load_json(d:tojson())
    assert.same(d:list_arguments(), again:list_arguments())
    assert.equal(d:tojson(), again:tojson())
    local folder <close> = setmetatable({}, { __close = function(self) self.folder:remove() end })
    folder.folder = scratch.folder()
    local path = folder.folder:file "net.json"
    d:save(path)
    assert.equal(d:tojson(), sym.load(path):tojson())
    assert.equal(d:tojson(), (scratch.read(path):gsub("\n$", "")))
  end)

  it("have MXNet's layout", function()
    local text = (sym.var "p" + 1):tojson()
    assert.truthy(text:find('"nodes": [\n    {\n      "op": "null", \n      "name": "p", \n      "inputs": []\n    }, ',
      1, true))
    assert.truthy(text:find('"op": "_plus_scalar"', 1, true))
    assert.truthy(text:find('"attrs": {"scalar": "1"}', 1, true))
    assert.truthy(text:find('"arg_nodes": [0], \n  "node_row_ptr": [0, 1, 2], \n  "heads": [[1, 0, 0]], \n', 1, true))
    assert.truthy(text:find('"mxnet_version": ["int", 10901]', 1, true))
  end)

  it("may carry MXNet's attributes that have no effect", function()
    local function graph(op, attributes, inputs)
      return sym.load_json(
        ('{"nodes":[{"op":"null","name":"x","inputs":[]},{"op":"%s","name":"y","attrs":%s,"inputs":%s}],' ..
        '"arg_nodes":[0],"node_row_ptr":[0,1,2],"heads":[[1,0,0]],"attrs":{"mxnet_version":["int",10901]}}'):format(op,
          attributes, inputs))
    end
    assert.allclose(graph("_plus_scalar", '{"scalar":"2","is_int":"1"}', "[[0,0,0]]"):eval { x = nd.ones { 2 } }[1],
      { 3, 3 })
    assert.allclose(graph("_plus_scalar", '{"scalar":"2","is_int":"False"}', "[[0,0,0]]"):eval { x = nd.ones { 2 } }[1],
      { 3, 3 })
    assert.allclose(graph("norm", '{"ord":"2","out_dtype":"float32"}', "[[0,0,0]]"):eval { x = nd.array { 3, 4 } }[1],
      { 5 })
    local zeros = '{"nodes":[{"op":"_zeros","name":"z","attrs":{"shape":"(2,)","ctx":"cpu(0)"},"inputs":[]}],' ..
      '"arg_nodes":[],"node_row_ptr":[0,1],"heads":[[0,0,0]],"attrs":{"mxnet_version":["int",10901]}}'
    assert.allclose(sym.load_json(zeros):eval()[1], { 0, 0 })
  end)

  it("describe errors", function()
    assert.raises(function() return sym.load_json "{}" .. "" end, "nodes")
    assert.raises(function()
      return sym.load_json '{"nodes":[{"op":"NoSuch","name":"x","inputs":[]}],"arg_nodes":[],"heads":[[0,0,0]]}' .. ""
    end, "NoSuch")
    assert.raises(function() return sym.load "/nonexistent.json" .. "" end, "/nonexistent.json", "No such file")
  end)
end)

describe("evaluation", function()
  it("accepts arrays by name, optionally after a context", function()
    assert.allclose((a + b):eval { a = nd.ones { 2 }, b = nd.ones { 2 } }[1], { 2, 2 })
    assert.allclose((a + b):eval(hl.cpu(), { a = nd.ones { 2 }, b = nd.ones { 2 } })[1], { 2, 2 })
    assert.allclose((a + b):eval { ctx = hl.cpu(), a = nd.ones { 2 }, b = nd.ones { 2 } }[1], { 2, 2 })
    assert.allclose(sym.zeros { 2 }:eval()[1], { 0, 0 })
  end)

  it("names missing and unknown arguments", function()
    assert.raises(function() return (a + b):eval { a = nd.ones { 2 } } end, "'b' is missing")
    assert.raises(function() return (a + b):eval { a = nd.ones { 2 }, b = nd.ones { 2 }, c = nd.ones { 2 } } end, "'c'")
  end)

  it("indexes the tensor, not the outputs", function()
    local x = nd.array { { 1, 2 }, { 3, 4 } }
    assert.bits(a[0]:eval { a = x }[1], x[0])
    assert.bits(a["0:1"]:eval { a = x }[1], x["0:1"])
    assert.bits(a[{ {}, 1 }]:eval { a = x }[1], x[{ {}, 1 }])
    assert.bits(a.T:eval { a = x }[1], x.T)
  end)

  it("rejects what a Symbol cannot do, with advice", function()
    assert.raises(function() return a:totable() end, "totable", "needs values")
    assert.raises(function() return a:asscalar() end, "asscalar", "needs values")
    assert.raises(function() a[0] = 1 end, "F.where")
    assert.raises(function() return a.shape end, "infer_shape")
    assert.raises(function() return #a end, "not known")
    assert.raises(function() return a < 1 end, "a:lesser")
    assert.raises(function() return d["nope"] end, "nope")
    assert.raises(function() return sym.relu(a, b, d) .. "" end, "relu: expected 1 input")
    assert.raises(function() return sym.relu(3) .. "" end, "relu: data: expected an NDArray or a Symbol")
    assert.raises(function() return sym.FullyConnected(a) .. "" end, "FullyConnected: num_hidden")
  end)
end)

describe("debug_str", function()
  it("lists variables and operators as MXNet does", function()
    local text = d:debug_str()
    for _, piece in ipairs { "Symbol Outputs:\n\toutput[0]=fc(0)\n", "Variable:a\n",
                             "Op:FullyConnected, Name=fc\nInputs:\n",
                             "\targ[1]=fc_weight(0) version=0\n", "Attrs:\n\tnum_hidden=3\n" } do
      assert.truthy(text:find(piece, 1, true), text)
    end
  end)
end)

describe("names with a zero byte", function()
  -- The engine and files would cut them short.
  it("are rejected in names, attributes and choices", function()
    local s, x = sym.var "a", nd.ones { 1 }
    for what, fn in pairs {
      ["sym.var: name"] = function() return sym.var "a\0b" end,
      ["attr: key"] = function() return sym.var("a", { attr = { ["__k\0__"] = "v" } }) end,
      ["attr: value"] = function() return sym.var("a", { __k__ = "v\0" }) end,
      ["relu: name"] = function() return sym.relu(s, { name = "n\0" }) end,
      ["relu: options"] = function() return sym.relu(s, { ["name\0"] = "n" }) end,
      ["exp: name"] = function() return nd.exp(x, { name = "n\0" }) end,
      ["Activation: act_type"] = function() return nd.Activation(x, { act_type = "relu\0" }) end,
      ["set_attr: value"] = function() s:_set_attr { __k__ = "v\0" } end,
      ["output: name"] = function() return sym.Group { s, sym.var "b" }:output "a\0" end,
      ["infer_shape"] = function() return s:infer_shape { ["a\0"] = { 1 } } end,
      ["compose"] = function() return (s + 1) { ["a\0"] = sym.var "b" } end,
      ["eval"] = function() return s:eval { ["a\0"] = x } end,
      ["name.Prefix: prefix"] = function() hl.name.Prefix("p\0", function() end) end,
      ["Dense: prefix"] = function() return hl.gluon.nn.Dense(2, { prefix = "p\0_" }) end,
      ["Parameter: name"] = function() return hl.gluon.Parameter("w\0", { shape = { 1 } }) end,
    } do
      assert.raises(fn, "%d: " .. what .. ": expected text without zero bytes, got one after '")
    end
    assert.raises(function() return hl.gluon.ParameterDict("p\0"):get("w", { shape = { 1 } }) end,
      "Parameter: name: expected text without zero")
    assert.raises(function() return hl.gluon.Parameter(5) end, "Parameter: name: expected a string, got number")
    assert.raises(function() return hl.gluon.nn.Dense(2, { prefix = 5 }) end,
      "Dense: prefix: expected a string, got number")
    for _, save in ipairs { function() s:save "f\0" end, function() hl.gluon.ParameterDict "":save "f\0" end,
                            function() sym.load "f\0" end, function() nd.load "f\0" end,
                            function() hl.viz.graph(s + 1, { a = { 1 } }, { path = "f\0.dot" }) end } do
      assert.raises(save, "expected a name without zero bytes")
    end
    assert.is_nil(s:attr "k\0")
  end)
end)

describe("sym.var's attr", function()
  it("is a table", function()
    assert.raises(function() sym.var("x", 1) end, "sym.var: attr: expected a table of attributes, got number")
    assert.raises(function() sym.var("x", "y") end, "sym.var: attr: expected a table of attributes, got string")
  end)
end)
