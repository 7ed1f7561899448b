-- model_zoo_spec.lua - networks of gluon.model_zoo.vision: digests of parameters and graphs match MXNet 1.9.1
-- (spec/oracle/zoo.py); every family has the same bits eager, hybridized and reloaded.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, autograd, gluon = hl.nd, hl.sym, hl.autograd, hl.gluon
local vision, model_store = gluon.model_zoo.vision, gluon.model_zoo.model_store
local oracle = dofile "spec/oracle/zoo.lua"

-- ---- Digests ------------------------------------------------------------------------------------------------

-- 64-bit FNV-1a of lines.
local function digest(lines)
  local h = 0xcbf29ce484222325
  local text = table.concat(lines, "\n")
  for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(h)
end

local function shape_text(shape) return ("(%s%s)"):format(table.concat(shape, ", "), #shape == 1 and "," or "") end

-- The shapes of a graph's variables, by name, for a batch of two images; and of its output.
local function shapes_of(graph, size)
  local args, outputs, states = graph:infer_shape { data = { 2, 3, size, size } }
  local shape = {}
  for i, name in ipairs(graph:list_arguments()) do shape[name] = args[i] end
  for i, name in ipairs(graph:list_auxiliary_states()) do shape[name] = states[i] end
  return shape, outputs[1]
end

-- "op attributes inputs" of each node. A sum of Symbols with unknown shapes is broadcast_add here, but elemwise_add in
-- MXNet.
local function node_lines(graph)
  local lines = {}
  for op, name, attrs, inputs in graph:tojson():gmatch '"op": "([^"]+)",%s*"name": "([^"]+)"(.-)"inputs": (%b[])' do
    if op == "null" then
      lines[#lines + 1] = "null " .. name
    else
      local pairs_, from = {}, {}
      for key, value in attrs:gsub('^.-"attrs":', ""):gmatch '"([%w_]+)": "(.-)"' do
        pairs_[#pairs_ + 1] = key .. "=" .. value
      end
      table.sort(pairs_)
      for node in inputs:gmatch "%[(%d+)," do from[#from + 1] = node end
      lines[#lines + 1] = ("%s %s %s"):format(op == "broadcast_add" and "elemwise_add" or op, table.concat(pairs_, " "),
        table.concat(from, " "))
    end
  end
  return lines
end

describe("gluon.model_zoo.vision", function()
  it("has MXNet's models, with all parameter names, shapes and nodes", function()
    local count = 0
    for name, wanted in pairs(oracle) do
      local net = vision.get_model(name, { prefix = "net_", classes = 10 })
      local graph = net(sym.var "data")
      local shape, output = shapes_of(graph, name == "inceptionv3" and 299 or 224)
      local full, structural, elements = {}, {}, 0
      for i, key in ipairs(net:collect_params():keys()) do
        local n = 1
        for _, d in ipairs(shape[key]) do n = n * d end
        elements = elements + n
        full[i] = ("%s:%s"):format(key, shape_text(shape[key]))
      end
      for i, entry in ipairs(net:structural_params()) do
        structural[i] = ("%s:%s"):format(entry[1], shape_text(shape[entry[2].name]))
      end
      table.sort(structural)
      assert.equal(wanted.elements, elements, name)
      assert.same({ 2, 10 }, output, name)
      assert.equal(wanted.structural, digest(structural), name)
      assert.equal(wanted.full, digest(full), name)
      assert.equal(wanted.graph, digest(node_lines(graph)), name)
      count = count + 1
    end
    assert.equal(34, count)
  end)

  it("has a function for each model, and classes for custom ones", function()
    for name in pairs(oracle) do
      local called = name:gsub("%.", "_"):gsub("^mobilenetv2", "mobilenet_v2"):gsub("^inceptionv3", "inception_v3")
      assert.equal("function", type(vision[called]), called)
    end
    assert.equal(vision.get_model("MobileNet0.25", { prefix = "m_" }).prefix, "m_")
    assert.equal(1000, vision.get_mobilenet(0.3).output._units)
    assert.truthy(tostring(vision.get_vgg(11, { batch_norm = true })):find "BatchNorm")
    local thumbnail = vision.get_resnet(2, 18, { thumbnail = true })
    assert.truthy(tostring(thumbnail):find "Conv2D%(None %-> 64, kernel_size=%(3, 3%)")
    assert.truthy(tostring(vision.densenet121 { dropout = 0.1 }):find "Dropout%(p = 0.1")
  end)

  it("rejects invalid arguments", function()
    assert.raises(function() vision.get_model "resnet19_v1" end,
      "Model resnet19_v1 is not supported; did you mean 'resnet18_v1'%? Available options are\n\talexnet\n")
    assert.raises(function() vision.get_model "x" end, "Model x is not supported. Available options are\n\talexnet\n")
    assert.raises(function() vision.get_model("alexnet", { clases = 10 }) end,
      "alexnet: unknown option 'clases'; did you mean 'classes'%?")
    assert.raises(function() vision.vgg11 { classes = 0 } end, "VGG: classes: expected an integer of 1 or more, got 0")
    assert.raises(function() vision.get_resnet(3, 18) end, "get_resnet: version: expected one of 1, 2, got 3")
    assert.raises(function() vision.get_resnet(1, 20) end,
      "get_resnet: num_layers: expected one of 18, 34, 50, 101, 152, got 20")
    assert.raises(function() vision.SqueezeNet "1.2" end, "SqueezeNet: version: expected one of 1.0, 1.1, got 1.2")
    assert.raises(function() vision.MobileNet(0) end, "MobileNet: multiplier: expected a number above 0, got 0")
    assert.raises(function() vision.ResNetV1("x", { 1 }, { 1, 1 }) end, "ResNetV1: block: expected a class of blocks")
    assert.raises(function() vision.ResNetV1(vision.BasicBlockV1, { 1 }, { 1 }) end,
      "ResNetV1: layers, channels: expected two lists, channels with one number more")
  end)
end)

-- ---- Pretrained models --------------------------------------------------------------------------------------

describe("pretrained = true", function()
  it("reads MXNet's file, and names it if missing", function()
    assert.equal("a0666292", model_store.short_hash "resnet18_v1")
    for name in pairs(oracle) do assert.equal(8, #model_store.short_hash(name)) end
    assert.raises(function() model_store.short_hash "resnet" end, "Pretrained model for resnet is not available")
    assert.raises(function() vision.mobilenet_v2_0_25 { pretrained = true, root = "/nowhere/" } end,
      "'mobilenetv2_0.25%-ae8f9392.params' is not in '/nowhere'. Put MXNet's file of that name there, or set root " ..
      "to another folder; nothing is downloaded")
    assert.raises(function() vision.get_model("squeezenet1.1", { pretrained = 1 }) end,
      "squeezenet1_1: pretrained: expected true or false, got 1")
  end)

  it("takes hashes of a program's own models, and removes files", function()
    local folder = scratch.folder()
    finally(function()
      folder:remove()
      model_store._model_sha1.mine = nil
    end)
    model_store._model_sha1.update { mine = "0123456789abcdef" }
    assert.equal("01234567", model_store.short_hash "mine")
    scratch.write(folder:file "mine-01234567.params", "x")
    scratch.write(folder:file "notes.txt", "x")
    assert.equal(folder:file "mine-01234567.params", model_store.get_model_file("mine", { root = folder.path }))
    model_store.purge(folder.path)
    assert.same({ "notes.txt" }, folder:list())
  end)

  it("loads the file into the model", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local net = vision.get_model("mobilenet0.25", { classes = 10 })
    net:initialize(hl.init.Xavier())
    local x = nd.random.normal { shape = { 1, 3, 32, 32 } }
    local y = net(x)
    net:save_parameters(folder:file "mobilenet0.25-9f83e440.params")
    assert.equal(folder:file "mobilenet0.25-9f83e440.params",
      model_store.get_model_file("mobilenet0.25", { root = folder.path }))
    local again = vision.mobilenet0_25 { pretrained = true, root = folder.path, classes = 10, ctx = hl.cpu(0) }
    assert.bits(again(x), y)
    assert.raises(function() vision.mobilenet0_25 { pretrained = true, root = folder.path } end,
      "output.weight %(expected %(1000, 0%), got %(10, 256%)%)")
  end)
end)

-- ---- Equal bits -----------------------------------------------------------------------------------------------

-- For each family: a net as narrow as possible, its image size, and the number of training steps.
local FAMILIES = {
  { "AlexNet", 63, function() return vision.alexnet { classes = 10 } end },
  { "VGG", 8, function() return vision.VGG({ 1, 2 }, { 4, 6 }, { classes = 10 }) end },
  { "VGG with BatchNorm", 8, function()
    return vision.VGG({ 1, 1 }, { 4, 6 }, { classes = 10, batch_norm = true })
  end },
  { "ResNet v1", 32, function()
    return vision.ResNetV1(vision.BasicBlockV1, { 2, 1 }, { 8, 8, 12 }, { classes = 10 })
  end },
  { "ResNet v1 of bottlenecks", 16, function()
    return vision.ResNetV1(vision.BottleneckV1, { 1, 2 }, { 8, 16, 24 }, { classes = 10, thumbnail = true })
  end },
  { "ResNet v2", 32, function()
    return vision.ResNetV2(vision.BasicBlockV2, { 2, 1 }, { 8, 8, 12 }, { classes = 10 })
  end },
  { "ResNet v2 of bottlenecks", 16, function()
    return vision.ResNetV2(vision.BottleneckV2, { 1, 2 }, { 8, 16, 24 }, { classes = 10, thumbnail = true })
  end },
  { "SqueezeNet 1.0", 224, function() return vision.squeezenet1_0 { classes = 10 } end },
  { "SqueezeNet 1.1", 209, function() return vision.squeezenet1_1 { classes = 10 } end },
  { "DenseNet", 56, function() return vision.DenseNet(8, 4, { 2, 3 }, { classes = 10, dropout = 0.2 }) end },
  { "MobileNet", 32, function() return vision.mobilenet0_25 { classes = 10 } end },
  { "MobileNet v2", 64, function() return vision.mobilenet_v2_0_25 { classes = 10 } end },
  { "Inception v3", 299, function() return vision.inception_v3 { classes = 10 } end, 2 },
}

describe("a net of the zoo", function()
  local folder
  before_each(function() folder = scratch.folder() end)
  after_each(function() folder:remove() end)

  -- Asserts that predictions are equal eager, hybridized, and exported and loaded.
  local function predicts_alike(net, x)
    local y = net(x)
    assert.same({ #x, 10 }, y.shape)
    assert.is_true(y:max():asscalar() > y:min():asscalar())
    net:hybridize()
    assert.bits(net(x), y, "hybridized")
    net:export(folder:file "net")
    local again = gluon.SymbolBlock.imports(folder:file "net-symbol.json", { "data" }, folder:file "net-0000.params")
    assert.bits(again(x), y, "exported and loaded")
  end

  for _, family in ipairs(FAMILIES) do
    local title, size, make, steps = table.unpack(family, 1, 4)
    steps = steps or 5
    it(("%s: predicts, and trains %d steps, with the same bits in every mode"):format(title, steps), function()
      local x, labels = nil, nd.array { 3, 7 }
      local nets, loss_of = {}, gluon.loss.SoftmaxCrossEntropyLoss()
      for i, hybridized in ipairs { false, true } do
        hl.random.seed(11)
        x = nd.random.normal { shape = { 2, 3, size, size } }
        local net = make()
        net:initialize(hl.init.Xavier { magnitude = 2 })
        net:hybridize(hybridized)
        local trainer = gluon.Trainer(net:collect_params(), "sgd", { learning_rate = 0.01, momentum = 0.9 })
        for _ = 1, steps do
          local loss = autograd.record(function() return loss_of(net(x), labels) end)
          loss:backward()
          trainer:step(2)
        end
        nets[i] = net
      end
      local trained = nets[1]:collect_params():values()
      for i, param in ipairs(nets[2]:collect_params():values()) do
        assert.bits(param:data(), trained[i]:data(), param.name)
        if param.name:find "weight$" then assert.is_true(param:grad():abs():max():asscalar() > 0, param.name) end
      end
      predicts_alike(nets[1], x)
    end)
  end
end)
