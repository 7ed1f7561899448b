-- symbol_json_spec.lua - symbols as MXNet's JSON: the text to the byte, old files, limits. MXNet 1.9.1 wrote the texts
-- and files.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local FILES = "spec/oracle/files/"

-- Builds a graph's text from the texts of its nodes.
local function graph(nodes, arguments, heads, rest)
  return ('{"nodes": [%s], "arg_nodes": [%s], "heads": [%s]%s}'):format(table.concat(nodes, ", "), arguments, heads,
    rest or "")
end

local X = '{"op": "null", "name": "x", "inputs": []}'
local VERSION = ', "attrs": {"mxnet_version": ["int", 10901]}'

local function relu(inputs, more)
  return ('{"op": "relu", "name": "r", "inputs": %s%s}'):format(inputs or "[[0, 0, 0]]", more or "")
end

-- Returns the first operator of a text that does not exist here.
local function missing(text)
  for name in text:gmatch '"op": "([^"]+)"' do if name ~= "null" and not core.op.row(name) then return name end end
end

describe("tojson", function()
  it("writes the same text as MXNet", function()
    local x = sym.var("x", { shape = { 0, 4 }, lr_mult = 2 })
    local s = sym.Group { sym.sum(sym.relu(x, { name = "r" }), { axis = { 0, 1 }, keepdims = true, name = "sm" }), x }
    assert.equal(scratch.read(FILES .. "layout-symbol.json"), s:tojson())
  end)

  it("writes one line per item of lists of more than ten", function()
    local variables = {}
    for i = 1, 11 do variables[i] = sym.var("v" .. i) end
    local text = sym.Group(variables):tojson()
    assert.truthy(text:find('"heads": [\n    [0, 0, 0], \n    [1, 0, 0], \n', 1, true))
    assert.truthy(text:find('    [10, 0, 0]\n  ], \n  "attrs"', 1, true))
    assert.truthy(text:find('"arg_nodes": [\n    0, \n    1, \n', 1, true))
    if core.op.row "Concat" then
      local inputs = {}
      for i = 0, 11 do inputs[i + 1] = sym.var("v" .. i) end
      assert.equal(scratch.read(FILES .. "concat-symbol.json"), sym.concat(inputs, { dim = 0, name = "c" }):tojson())
    end
    table.remove(variables)
    assert.truthy(sym.Group(variables):tojson():find('"arg_nodes": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], \n' ..
      '  "node_row_ptr": [\n    0, \n', 1, true))
    table.remove(variables)
    assert.truthy(sym.Group(variables):tojson():find('"node_row_ptr": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], \n', 1, true))
  end)

  it("escapes like MXNet", function()
    local s = sym.var('q"\\\n\t\ré', { attr = { a = 'x"\\\n\r\té' } })
    assert.truthy(s:tojson():find([["name": "q\"\\\n\t\ré", ]] .. "\n" .. [[      "attrs": {"a": "x\"\\\n\r\té"}, ]], 1,
      true))
    assert.equal('q"\\\n\t\ré', sym.load_json(s:tojson()).name)
    assert.equal('x"\\\n\r\té', sym.load_json(s:tojson()):attr "a")
  end)

  it("rejects graphs that could not be loaded", function()
    assert.raises(function() sym.relu(sym.var "x", { name = "r", attr = { mood = "angry" } }):tojson() end,
      "symbol_json_spec.lua:%d+: tojson: node 'r': relu: attribute 'mood': expected a name such as __mood__")
    assert.raises(function() sym.var(("x"):rep(4097)):tojson() end, "name: expected at most 4096 bytes, got 4097")
    assert.raises(function() sym.var("x", { attr = { a = ("x"):rep(65537) } }):tojson() end,
      "attributes: a: expected at most 65536 bytes, got 65537")
  end)

  it("counts writes to auxiliary states, one more per operator", function()
    if not (core.op.row "BatchNorm" and core.op.row "LeakyReLU") then
      pending "there is no BatchNorm or LeakyReLU yet"
      return
    end
    local mean, x = sym.var "m", sym.var "x"
    local s = sym.BatchNorm(sym.BatchNorm(x, { moving_mean = mean, name = "a" }), { moving_mean = mean, name = "b" })
    s = sym.Group { sym.elemwise_add(s, mean, { name = "_plus0" }),
      sym.LeakyReLU(x, { act_type = "prelu", name = "l" }) }
    local text = scratch.read(FILES .. "states-symbol.json")
    assert.equal(text, s:tojson())
    assert.equal(text, sym.load_json(text):tojson())
  end)
end)

describe("symbol files", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  it("keep structure, names, attributes and values", function()
    local x, y = sym.var("x", { attr = { __mood__ = "good" } }), sym.var "y"
    local s = sym.Group { sym.broadcast_add(x, y, { name = "sum" }),
      sym.clip(x, { a_min = -1, a_max = 1.5, name = "clip", attr = { __k__ = "v" } }) }
    s:save(folder:file "s.json")
    assert.equal(s:tojson(), scratch.read(folder:file "s.json"))
    for _, loaded in ipairs { sym.load(folder:file "s.json"), hl.load(folder:file "s.json"),
        sym.load_json(s:tojson()) } do
      assert.equal(s:tojson(), loaded:tojson())
      assert.same(s:list_arguments(), loaded:list_arguments())
      assert.same(s:list_outputs(), loaded:list_outputs())
      assert.equal("good", loaded:attr_dict().x.__mood__)
      assert.equal("v", loaded:output(1):attr "__k__")
      local values = { x = nd.array { -3, 2 }, y = nd.array { 10, 20 } }
      local eager, again = s:eval(values), loaded:eval(values)
      for i = 1, 2 do assert.bits(again[i], eager[i]) end
    end
    hl.save(folder:file "t.json", s)
    assert.equal(s:tojson(), scratch.read(folder:file "t.json"))
  end)

  it("keep the texts of parameters", function()
    local text = sym.load_json(graph({ X,
      '{"op": "sum", "name": "s", "attrs": {"axis": " [0,1L] ", "keepdims": "1"}, "inputs": [[0, 0, 0]]}' },
      "0", "[1, 0, 0]", VERSION)):tojson()
    assert.truthy(text:find('"axis": " [0,1L] "', 1, true))
    assert.truthy(text:find('"keepdims": "1"', 1, true))
  end)

  it("may have unknown dimensions and dtypes, in MXNet's codes", function()
    local function variable(attributes)
      local x = ('{"op": "null", "name": "x", "attrs": %s, "inputs": []}'):format(attributes)
      return sym.load_json(graph({ x, relu() }, "0", "[1, 0, 0]", VERSION))
    end
    assert.same({ 256, 0 }, variable('{"__shape__": "(256, 0)"}'):infer_shape_partial()[1])
    assert.same({ 256, 3 }, variable('{"__shape__": "(256, 0)"}'):infer_shape { x = { 256, 3 } }[1])
    assert.same({ 5 }, variable('{"__shape__": "(5,)"}'):infer_shape()[1])
    assert.same({ 255, 3 }, variable('{"__shape__": "(256, 0)"}'):infer_shape { x = { 255, 3 } }[1])   -- as in MXNet
    assert.equal("float64", variable('{"__dtype__": "1"}'):infer_type()[1])
    for attributes, pattern in pairs {
      ['{"__shape__": "(1, x)"}'] = "node 0 'x': __shape__: expected a tuple of at most 8 integers, got '%(1, x%)'",
      ['{"__shape__": "(1,1,1,1,1,1,1,1,1)"}'] = "__shape__: expected a tuple",
      ['{"__shape__": "(-2,)"}'] = "__shape__: expected dimensions of 0 or more",
      ['{"__dtype__": "float32"}'] = "__dtype__: expected a code from 0 to 7, or %-1, got 'float32'",
      ['{"__dtype__": "8"}'] = "__dtype__: expected a code",
    } do
      assert.raises(function() variable(attributes) end, pattern)
    end
  end)

  it("may be of older versions: attr and param, entries of two numbers, no rows, no version", function()
    for _, text in ipairs {
      graph({ X, relu() }, "0", "[1, 0, 0]", VERSION),
      graph({ X, relu "[[0, 0]]" }, "0", "[1, 0]"),
      graph({ X, relu(nil, ', "attr": {}') }, "0", "[1, 0, 0]"),
      graph({ X, relu(nil, ', "param": {}, "backward_source_id": -1') }, "0", "[1, 0]"),
      graph({ X, relu(nil, ', "control_deps": [], "subgraphs": []') }, "0", "[1, 0]", ', "node_row_ptr": [0, 1, 2]'),
      graph({ X, relu() }, "", "[1, 0, 0]", ', "attrs": {"mxnet_version": ["int", 20000], "other": ["str", "x"]}'),
      " \n" .. graph({ X, relu() }, "0", "[1, 0, 0]") .. "\n ",
    } do
      local s = sym.load_json(text)
      assert.same({ "x" }, s:list_arguments())
      assert.equal("r", s.name)
    end
  end)

  it("from before 1.9.1 get hidden keys renamed, and moved to their variable", function()
    local nodes = {
      '{"op": "null", "name": "x", "attr": {"lr_mult": "2", "mood": "good"}, "inputs": []}',
      '{"op": "null", "name": "y", "inputs": []}',
      '{"op": "broadcast_add", "name": "s", "attr": {"ctx_group": "dev1", "rhs_wd_mult": "0.5", ' ..
        '"force_mirroring": "1"}, ' ..
        '"inputs": [[0, 0], [1, 0]]}' }
    for _, version in ipairs { "", ', "attrs": {"mxnet_version": ["int", 10900]}' } do
      local all = sym.load_json(graph(nodes, "0, 1", "[2, 0]", version)):attr_dict()
      assert.same({ __lr_mult__ = "2", lr_mult = "2", mood = "good" }, all.x)
      assert.same({ __wd_mult__ = "0.5", wd_mult = "0.5" }, all.y)
      assert.same({ __ctx_group__ = "dev1", ctx_group = "dev1", __force_mirroring__ = "1", force_mirroring = "1" },
        all.s)
    end
    assert.raises(function() sym.load_json(graph(nodes, "0, 1", "[2, 0]", VERSION)) end,
      "node 2 's': broadcast_add: unknown attribute 'ctx_group'")
  end)

  for _, name in ipairs { "mlp-v0.11", "conv-v0.8" } do
    it("from before MXNet 1.0 load as in MXNet: " .. name, function()
      local upgraded = scratch.read("spec/oracle/legacy/" .. name .. ".upgraded.json")
      if missing(upgraded) then pending("there is no " .. missing(upgraded) .. " yet") return end
      assert.equal(upgraded, sym.load("spec/oracle/legacy/" .. name .. "-symbol.json"):tojson())
      assert.equal(upgraded, sym.load_json(upgraded):tojson())
    end)
  end

  for _, name in ipairs { "mlp", "lenet", "resnet_thin" } do
    it("from MXNet 1.9.1 are saved again to the byte: " .. name, function()
      local file = ("spec/oracle/models/%s-symbol.json"):format(name)
      local text = scratch.read(file)
      if missing(text) then pending("there is no " .. missing(text) .. " yet") return end
      assert.equal(text, sym.load(file):tojson())
    end)
  end

  it("report all unknown operators together", function()
    local function node(op, from) return ('{"op": "%s", "name": "n", "inputs": [[%d, 0, 0]]}'):format(op, from) end
    assert.raises(function() sym.load_json(graph({ X, node("NoSuch", 0), node("relu", 1), node("rellu", 2),
      node("NoSuch", 3) }, "0",
      "[4, 0, 0]")) end,
      "symbol_json_spec.lua:%d+: sym.load_json: text: unknown operators: NoSuch, rellu %(did you mean " ..
        "relu%?%)$")
    assert.raises(function() sym.load_json(graph({ X, node("_backward_relu", 0) }, "0", "[1, 0, 0]")) end,
      "unknown operators: _backward_relu")
  end)

  it("report file, offset and node of a defect", function()
    local bad = {
      -- the graph
      ["{}"] = "text: offset 0: expected nodes, arg_nodes and heads, got no nodes",
      ['{"nodes": [], "arg_nodes": []}'] = "got no heads",
      [graph({}, "", "")] = "heads: expected at least one, got none",
      [graph({ X }, "0", "[0, 0, 0]", ', "foo": 1')] = "unknown key 'foo'",
      [graph({ X }, "0", "[0, 0, 0]", ', "Nodes": []')] = "unknown key 'Nodes'",
      [graph({ X }, "0", "[0, 0, 0]", ', "nodes": []')] = "key 'nodes': expected it once, got it twice",
      [graph({ X }, "1", "[0, 0, 0]")] = "arg_nodes: expected integers from 0 to 0",
      [graph({ X, relu() }, "1", "[0, 0, 0]")] = "arg_nodes: expected variables, got node 1",
      [graph({ X }, "0", "[1, 0, 0]")] = "heads: expected a node before 1, got 1",
      [graph({ X }, "0", "[0, 1, 0]")] = "heads: expected an output of node 0 %('x'%) from 0 to 0, got 1",
      [graph({ X }, "0", "0")] = "heads: expected %[node, output, version%]",
      [graph({ X }, "0", "[0, 0, 0]",
        ', "attrs": {"mxnet_version": 7}')] = "attrs: expected an object with \"mxnet_version\"",
      [graph({ X }, "0", "[0, 0, 0]", ', "node_row_ptr": [-1]')] = "node_row_ptr: expected integers of 0 or more",
      [graph({ X }, "0", "[0, 0, 0]", ', "node_row_ptr": {}')] = "node_row_ptr: expected an array, got '{}",
      -- nodes
      [graph({ "7" }, "", "[0, 0, 0]")] = "offset 11: node 0: expected an object",
      [graph({ X, relu "[[1, 0, 0]]" }, "0",
        "[1, 0, 0]")] = "node 1 'r': relu: inputs: data: expected a node before 1, got 1",
      [graph({ X, relu "[[0, 1, 0]]" }, "0",
        "[1, 0, 0]")] = "inputs: data: expected an output of node 0 %('x'%) from 0 to 0, got 1",
      [graph({ X, relu "[[0, 4294967296, 0]]" }, "0", "[1, 0, 0]")] =
        "inputs: 0: expected %[node, output%] or %[node, output, version%], integers",
      [graph({ X, relu "[]" }, "0", "[1, 0, 0]", VERSION)] = "relu: inputs: expected 1 with these parameters, got 0",
      [graph({ X, relu "[[0, 0], [0, 0]]" }, "0",
        "[1, 0, 0]")] = "relu: inputs: expected 1 with these parameters, got 2",
      [graph({ X, relu "[[0]]" }, "0", "[1, 0, 0]")] = "inputs: 0: expected",
      [graph({ X, relu "[[0, 0, 0, 0]]" }, "0", "[1, 0, 0]")] = "inputs: 0: expected",
      [graph({ X, relu(nil, ', "foo": 1') }, "0", "[1, 0, 0]")] = "node 1 'r': unknown key 'foo'",
      [graph({ X, relu(nil, ', "name": "q"') }, "0", "[1, 0, 0]")] = "key 'name': expected it once",
      [graph({ X, relu(nil, ', "attrs": {"zzz": "1"}') }, "0", "[1, 0, 0]")] = "relu: unknown attribute 'zzz'",
      [graph({ X, relu(nil, ', "attrs": {"__z__": 1}') }, "0", "[1, 0, 0]")] = "attrs: __z__: expected a string",
      [graph({ X, relu(nil, ', "attrs": {"__z__": "1"}, "attr": {"__z__": "2"}') }, "0", "[1, 0, 0]")] =
        "expected different names, got '__z__' twice",
      [graph({ X, relu(nil, ', "subgraphs": [{}]') }, "0",
        "[1, 0, 0]")] = "node 1 'r': subgraphs: 0: heads: expected an array",
      [graph({ X, relu(nil, ', "subgraphs": [' .. graph({ X }, "0", "[0, 0, 0]") .. ']') }, "0", "[1, 0, 0]")] =
        "relu: subgraphs: expected 0, got 1",
      [graph({ X, relu(nil, ', "control_deps": [0]') }, "0", "[1, 0, 0]")] = "control_deps: expected none",
      [graph({ X, relu(nil, ', "backward_source_id": 0') }, "0", "[1, 0, 0]")] = "backward_source_id: expected %-1",
      [graph({ '{"op": "null", "name": "x", "inputs": [[0, 0, 0]]}' }, "0",
        "[0, 0, 0]")] = "inputs: expected none for a variable, got 1",
      [graph({ '{"op": "null", "inputs": []}' }, "0", "[0, 0, 0]")] = "expected op, name and inputs, got no name",
      [graph({ '{"op": "null", "name": 7, "inputs": []}' }, "0", "[0, 0, 0]")] = "name: expected a string",
      [graph({ ('{"op": "null", "name": "%s", "inputs": []}'):format(("x"):rep(4097)) }, "0", "[0, 0, 0]")] =
        "name: expected at most 4096 bytes, got 4097",
      [graph({ ('{"op": "null", "name": "x", "attrs": {"a": "%s"}, "inputs": []}'):format(("x"):rep(65537)) }, "0",
        "[0, 0, 0]")] =
        "attributes: a: expected at most 65536",
      [graph({ X, '{"op": "sum", "name": "s", "attrs": {"axis": "x"}, "inputs": [[0, 0, 0]]}' }, "0", "[1, 0, 0]")] =
        "node 1 's': sum: axis: expected .-, got 'x'",
      [graph({ X, '{"op": "sum", "name": "s", "attrs": {"axs": "1"}, "inputs": [[0, 0, 0]]}' }, "0", "[1, 0, 0]")] =
        "sum: unknown attribute 'axs'; did you mean 'axis'%?",
      [graph({ X, '{"op": "clip", "name": "s", "attrs": {"a_min": "1"}, "inputs": [[0, 0, 0]]}' }, "0", "[1, 0, 0]")] =
        "clip: a_max: expected .- got nothing",
    }
    for text, pattern in pairs(bad) do
      local ok, message = pcall(sym.load_json, text)
      assert.falsy(ok, text)
      assert.truthy(message:find(pattern), message .. "\nwanted: " .. pattern)
      assert.truthy(message:find "^spec/io/symbol/symbol_json_spec.lua:%d+: sym.load_json: text: ", message)
    end
  end)

  it("with odd names are rejected, or work", function()
    local long = ("n"):rep(4096)
    local odd = { "", " ", ",", "a, b", "null", "null ", "Null", "x", "\\u0001", "\\u00e4", "\\n", '\\"', "\\\\",
      "%s%n", "__shape__", "0", "{}",
      long }
    local function use(s)
      local uses = { tostring(s), s:list_outputs(), s:list_arguments(), s:list_attr(), s:attr_dict(), s:debug_str(),
        s:get_internals(), s + 1 }
      assert.equal(8, #uses)
      s:get_children()
      s:infer_type_partial()
      local ok, saved = pcall(s.tojson, s)         -- rejects attributes that MXNet would not read
      if ok then
        assert.equal(saved, sym.load_json(saved):tojson())
      else
        assert.truthy(saved:find "tojson: .*: expected a name such as __")
      end
    end
    local texts = {}
    for _, name in ipairs(odd) do
      texts[#texts + 1] = graph({ ('{"op": "%s", "name": "c", "inputs": []}'):format(name) }, "", "[0, 0, 0]")
      texts[#texts + 1] =
        graph({ ('{"op": "NoSuch", "name": "c", "inputs": []}, {"op": "%s", "name": "d", "inputs": []}'):format(name) },
        "",
        "[1, 0, 0]")
      texts[#texts + 1] = graph({ ('{"op": "null", "name": "%s", "inputs": []}'):format(name), relu() }, "0",
        "[1, 0, 0]")
      texts[#texts + 1] = graph({ X, ('{"op": "relu", "name": "%s", "inputs": [[0, 0, 0]]}'):format(name) }, "0",
        "[1, 0, 0]")
      texts[#texts + 1] = graph({ X, relu(nil, (', "attrs": {"%s": "1"}'):format(name)) }, "0", "[1, 0, 0]")
      texts[#texts + 1] = graph({ X, relu(nil, (', "attr": {"__%s__": "1", "%s_lr_mult": "2"}'):format(name, name)) },
        "0", "[1, 0, 0]")
      texts[#texts + 1] = graph({ X, relu(nil, (', "attrs": {"__k__": "%s"}'):format(name)) }, "0", "[1, 0, 0]")
      for _, key in ipairs { "__shape__", "__dtype__", "__init__" } do
        texts[#texts + 1] = graph({ ('{"op": "null", "name": "x", "attrs": {"%s": "%s"}, "inputs": []}'):format(key,
          name) }, "0", "[0, 0, 0]")
      end
    end
    local loaded = 0
    for _, text in ipairs(texts) do
      local ok, s = pcall(sym.load_json, text)
      if ok then
        loaded = loaded + 1
        use(s)
      else
        assert.truthy(s:find("sym.load_json: text: ", 1, true), text .. ": " .. s)
      end
    end
    assert.is_true(loaded > 3 * #odd)
    assert.raises(function() sym.load_json(graph({ '{"op": "", "name": "c", "inputs": []}' }, "", "[0, 0, 0]")) end,
      "node 0: op: expected an operator's name, or null for a variable, got an empty text$")
  end)

  it("are parsed more strictly than by cJSON", function()
    local good = graph({ X, relu() }, "0", "[1, 0, 0]")
    assert.truthy(sym.load_json(good))
    for text, pattern in pairs {
      [good .. "garbage"] = "expected the end of the text, got 'garbage'",
      [good .. "{}"] = "expected the end of the text",
      ["[1]garbage"] = "expected a JSON object",
      [""] = "expected a JSON object",
      ["   "] = "expected a JSON object",
      [good:gsub('"x"', '"x\\u0000y"')] = "expected text, got a zero byte %(\\u0000%)",
      [good:gsub('"x"', '"x\0y"')] = "expected text, got a zero byte",
      [graph({ X, relu "[[0, 1e999, 0]]" }, "0", "[1, 0, 0]")] = "integers from 0",
      [graph({ X, relu "[[0.5, 0, 0]]" }, "0", "[1, 0, 0]")] = "integers from 0",
      [graph({ X, relu "[[-1, 0, 0]]" }, "0", "[1, 0, 0]")] = "integers from 0",
      [graph({ X, relu "[[9007199254740993, 0, 0]]" }, "0", "[1, 0, 0]")] = "integers from 0",
      [graph({ X, relu "[[true, 0, 0]]" }, "0", "[1, 0, 0]")] = "integers from 0",
      [graph({ X, relu "[[0, 0, 0]] " }, "0", "[1, 0, 0] [1, 0, 0]")] = "expected ','",
      [graph({ X, relu() }, "0,", "[1, 0, 0]")] = "expected a value after ','",
      [good:gsub(', "heads"', '; "heads"')] = "expected ','",
      [good:gsub('"heads":', '"heads"')] = "expected ':'",
      [good:sub(1, -2)] = "expected '}', got the end of the text",
      [good:sub(1, -3)] = "expected '%]', got the end of the text",
      [good:gsub('"x", "inputs"', '"x, "inputs"')] = "expected",
      [good:gsub("%[%[0, 0, 0%]%]", "[[0, 0, 0}]")] = "expected '%]', got '}'",
      [graph({ '{"op": "null", "OP": "null", "name": "x", "inputs": []}' }, "0", "[0, 0, 0]")] = "unknown key 'OP'",
      [graph({ '{"Op": "null", "name": "x", "inputs": []}' }, "0", "[0, 0, 0]")] = "unknown key 'Op'",
      ['{"a": ' .. ("["):rep(128) .. ("]"):rep(128) .. "}"] = "expected at most 128 levels of brackets",
      [("{"):rep(100000)] = "expected at most 128 levels",
      [graph({ X }, "0", "[0, 0, 0]", ', "attrs": ' .. ("["):rep(100) .. ("]"):rep(100))] = "attrs: expected an object",
    } do
      assert.raises(function() sym.load_json(text) end, pattern)
    end
  end)

  it("have size limits", function()
    local file = folder:file "huge.json"
    scratch.run(("truncate -s 268435457 '%s'"):format(file))
    assert.raises(function() sym.load(file) end, "huge.json: expected a file of at most 268435456 bytes, got 268435457")
    os.remove(file)
    assert.raises(function() sym.load(folder:file "none.json") end,
      "sym.load: .*none.json: open: No such file or directory")
    local attributes = {}
    for i = 1, 129 do attributes[i] = ('"__%d__": "1"'):format(i) end
    assert.raises(function() sym.load_json(graph({ X,
      relu(nil, (', "attrs": {%s}'):format(table.concat(attributes, ","))) }, "0",
      "[1, 0, 0]")) end,
      "attributes: expected at most 128, got more")
    assert.raises(function() sym.load_json(7) end, "sym.load_json: text: expected a string, got an integer")
  end)

  it("of a million nodes are saved and loaded with a small stack #once", function()
    if not scratch.is_own_program then return end
    local output,
      code = scratch.run(("ulimit -s 256; '%s' spec/support/long_chain.lua 1000000 '%s'"):format(scratch.program,
        folder:file "chain.json"))
    assert.equal(0, code, output)
    assert.truthy(output:find "same text, 1 argument", output)
  end)
end)
