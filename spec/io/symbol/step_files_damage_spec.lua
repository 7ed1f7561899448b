-- step_files_damage_spec.lua - hostile files of training steps: exported steps with nodes of our own form whose JSON is
-- damaged in its structure (attributes, inputs, operators, heads) or cut. Each gives an error or loads; what loads runs
-- on arrays of the original shapes, or is an error. Nothing crashes or hangs.
local hl = require "hybridlua"
local json_tree = require "support.json_tree"
local scratch = require "support.scratch"
local nd, autograd, gluon = hl.nd, hl.autograd, hl.gluon
local nn = gluon.nn

local DAMAGES = tonumber(os.getenv "HYBRIDLUA_DAMAGES" or 60)      -- per file
local SLOWEST = 5                                                   -- CPU seconds allowed for a damaged file

-- Choices that depend on the seed alone.
local function choices(seed)
  local state = seed * 2654435761 + 99991 & 0xFFFFFFFF
  local g = {}
  function g.below(n)
    state = state * 1664525 + 1013904223 & 0xFFFFFFFF
    return (state >> 16) % n
  end
  function g.one(list) return list[1 + g.below(#list)] end
  return g
end

local VALUES = { "", " ", "0", "1", "2", "-1", "3", "7", "1e308", "-1e308", "nan", "inf", "None", "True", "False",
  "99999999999999999999", "-9223372036854775808", "9223372036854775807", "2147483648", "(1, 2", "()", "(0, 0)",
  "(-1, 2)", "(2, 2)", "(3,)", "(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)", "(9223372036854775807, 9223372036854775807)",
  "(1e9, 2)", "[1, 2]", "float16", "float64", "int32", "sgd_update", "lamb_step", "adam_update", "relu", "x", "\\u0000",
  ("9"):rep(400), ("("):rep(200) }
local RAWS = { "0", "1", "-1", "2", "5", "2147483647", "2147483648", "-2147483649", "1e18", "1e308", "0.5", "null",
  "true", '{"a": 1}', "[]", "[[[]]]", '"1"', '""' }
local KEYS = { "num_weights", "states", "rule", "num_arrays", "max_norm", "_in_place", "axis", "shape", "kernel",
  "num_filter", "p", "eps", "num_args", "dtype", "__shape__", "__dtype__", "__lr_mult__", "_line", "zz" }

local function raw(text) return { raw = text } end

local function lists_of(tree)
  local nodes, calls = json_tree.field(tree, "nodes").array, {}
  for _, node in ipairs(nodes) do if json_tree.field(node, "op") ~= "null" then calls[#calls + 1] = node end end
  return nodes, calls
end

local function set(node, key, new)
  for _, pair in ipairs(node.object) do if pair[1] == key then pair[2] = new end end
end

-- Each changes the tree in one place. g chooses; rows: names of operators.
local damages = {
  function(g, _, calls)                                     -- an attribute's value
    local attrs = json_tree.field(g.one(calls), "attrs")
    if not attrs or #attrs.object == 0 then return end
    g.one(attrs.object)[2] = g.below(4) == 0 and raw(g.one(RAWS)) or g.one(VALUES)
  end,
  function(g, _, calls)                                     -- one less
    local attrs = json_tree.field(g.one(calls), "attrs")
    if attrs and #attrs.object > 0 then table.remove(attrs.object, 1 + g.below(#attrs.object)) end
  end,
  function(g, nodes)                                        -- one more
    local node = g.one(nodes)
    if not json_tree.field(node, "attrs") then node.object[#node.object + 1] = { "attrs", { object = {} } } end
    local attrs = json_tree.field(node, "attrs")
    attrs.object[#attrs.object + 1] = { g.one(KEYS), g.one(VALUES) }
  end,
  function(g, nodes, calls)                                 -- an input: another node, a cycle, another output
    local inputs = json_tree.field(g.one(calls), "inputs")
    if inputs and #inputs.array > 0 then
      local input = g.one(inputs.array)
      local at = 1 + g.below(2)
      if input.array then
        input.array[at] = g.below(3) == 0 and raw(g.one(RAWS)) or raw(tostring(g.below(at == 1 and #nodes or 3)))
      end
    end
  end,
  function(g, _, calls)                                     -- one input less, or more
    local inputs = json_tree.field(g.one(calls), "inputs")
    if not inputs or #inputs.array == 0 then return end
    if g.below(2) == 0 then return table.remove(inputs.array, 1 + g.below(#inputs.array)) end
    table.insert(inputs.array, 1 + g.below(#inputs.array), g.one(inputs.array))
  end,
  function(g, _, calls, rows) set(g.one(calls), "op", g.one(rows)) end,
  function(g, _, calls) set(g.one(calls), "op", raw(g.one(RAWS))) end,
  function(g, nodes)                                        -- two nodes swapped, one dropped or repeated
    local a, b = 1 + g.below(#nodes), 1 + g.below(#nodes)
    local way = g.below(3)
    if way == 0 then nodes[a], nodes[b] = nodes[b], nodes[a]
    elseif way == 1 then table.remove(nodes, a)
    else table.insert(nodes, a, nodes[b]) end
  end,
  function(g, nodes, _, _, tree)                            -- a head
    local heads = json_tree.field(tree, "heads").array
    local head = g.one(heads)
    local new = raw(g.below(2) == 0 and g.one(RAWS) or tostring(g.below(#nodes)))
    if head.array then head.array[1 + g.below(2)] = new end
  end,
  function(g, _, _, _, tree)                                -- a field of the file or of a node
    local nodes = json_tree.field(tree, "nodes").array
    local where = g.below(2) == 0 and tree or g.one(nodes)
    local pair = g.one(where.object)
    local way = g.below(3)
    if way == 0 then pair[2] = raw(g.one(RAWS)) elseif way == 1 then pair[1] = pair[1] .. "x"
    else where.object[#where.object + 1] = { pair[1], raw(g.one(RAWS)) } end
  end,
}

-- A copy of the text with one to three damages.
local function damaged(text, seed, rows)
  local g = choices(seed)
  local tree = json_tree.read(text)
  for _ = 1, 1 + g.below(3) do
    local nodes, calls = lists_of(tree)
    if #calls > 0 then pcall(g.one(damages), g, nodes, calls, rows, tree) end
    if type(json_tree.field(tree, "nodes")) ~= "table" or not json_tree.field(tree, "nodes").array then break end
  end
  local new = json_tree.write(tree)
  if g.below(12) == 0 then new = new:sub(1, g.below(#new)) end
  return new
end

local function steps_to_damage()
  local x, y = nd.random.normal { shape = { 2, 2, 6, 6 } }, nd.array { 0, 3 }
  local function step(optimizer, options, layers, data)
    local net, loss_of = nn.HybridSequential(), gluon.loss.SoftmaxCrossEntropyLoss()
    for _, layer in ipairs(layers) do net:add(layer) end
    net:initialize()
    local trainer = gluon.Trainer(net:collect_params(), optimizer, options)
    return hl.compile(function(_, a, b)
      local loss = autograd.record(function() return loss_of(net(a), b) end)
      loss:backward()
      trainer:clip_gradients(1)
      trainer:step(2)
      return loss
    end), data, y
  end
  return {
    convolutions = { step("adam", {},
      { nn.Conv2D(3, 3), nn.BatchNorm(), nn.Activation "relu", nn.Dropout(0.5), nn.Dense(4) }, x) },
    layers = { step("lamb", {}, { nn.Dense(5), nn.LayerNorm(), nn.Dense(4) }, x) },
    rows = { step("groupadagrad", {}, { nn.Dense(4) }, x) },
    momentum = { step("lars", { momentum = 0.9 }, { nn.Conv2DTranspose(2, 3), nn.PReLU(), nn.Dense(4) }, x) },
  }
end

describe("damaged files of training steps", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  -- Loads and runs the step; false if that is an error, with a message.
  local function try(text, params, x, y, numbers, what)
    local start = os.clock()
    local file = scratch.write(folder:file "damaged-symbol.json", text)
    local ok, why = pcall(function()
      local block = gluon.SymbolBlock.imports(file, { "data0", "data1", "numbers" }, params, { allow_missing = true,
        ignore_extra = true })
      block(x, y, numbers)
      block:hybridize()
      local out = block(x, y, numbers)
      for _, one in ipairs(type(out) == "table" and out or { out }) do one:wait_to_read() end
    end)
    assert.truthy(os.clock() - start < SLOWEST, what)
    if ok then return true end
    assert.equal("string", type(why), what)
    assert.truthy(why:find ": " and #why < 20000, what)
    assert.falsy(why:find "internal error", what)
    return false
  end

  local all = 0
  for name, make in pairs { convolutions = 1, layers = 2, rows = 3, momentum = 4 } do
    it(("are errors, or run: %s"):format(name), function()
      hl.random.seed(4)
      local step, x, y = table.unpack(steps_to_damage()[name])
      step(x, y)
      local symbol, params = step:export(folder:file "step")
      local text, numbers = scratch.read(symbol), nd.load(params)["arg:numbers"]
      assert.truthy(name ~= "convolutions" or text:find("hybridlua1:", 1, true))
      assert.truthy(try(text, params, x, y, numbers, "undamaged"))
      local rows, loaded = { "null", "relu", "broadcast_add", "hybridlua1:train:relu", "hybridlua1:", "hybridlua2:x" },
        0
      for op in text:gmatch '"op": "([^"]+)"' do rows[#rows + 1] = op end
      for _, row in ipairs { "_backward_batch_norm", "_backward_convolution_weight", "train:Dropout",
        "train:BatchNorm" } do
        rows[#rows + 1] = "hybridlua1:" .. row
      end
      for i = 1, DAMAGES do
        local new = damaged(text, make * 1000000 + i, rows)
        if try(new, params, x, y, numbers, ("%s: damage %d"):format(name, i)) then loaded = loaded + 1 end
      end
      assert.truthy(loaded < DAMAGES, loaded)
      all = all + loaded
      for _, number in ipairs { 0 / 0, math.huge, -1e308, 1e308, -1, 0 } do            -- of the optimizer
        assert.truthy(try(text, params, x, y, nd.full(numbers.shape, number, { dtype = "float64" }), number))
      end
    end)
  end

  it("run in part, so that kernels meet what loads", function() assert.truthy(all > DAMAGES // 10, all) end)
end)
