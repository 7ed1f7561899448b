-- predictions_spec.lua - every operator that a prediction can contain is defined in a form that programs can read: by
-- an expression, a fold, a view, a lowering, other operators, or a plain text (src/ir/plain.h). The list of operators
-- is derived from networks, layers and the graphs of the oracle.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local variants = require "support.variants"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

local met = {}                             -- by name: the first graph with the operator

-- Notes the operators of a graph, as JSON or as text with JSON in it.
local function read(json, source)
  for name in json:gmatch '"op"%s*:%s*"([^"]+)"' do
    local row = name ~= "null" and core.op.row(name)
    if row then met[row.name] = met[row.name] or source end
  end
end

local function read_output(out, source)
  if type(out) == "table" then out = sym.Group(out) end
  read(out:tojson(), source)
end

local NETWORKS = {
  "alexnet", "vgg11", "vgg11_bn", "resnet18_v1", "resnet50_v1", "resnet18_v2", "resnet50_v2", "densenet121",
  "squeezenet1.0", "squeezenet1.1", "inceptionv3", "mobilenet1.0", "mobilenetv2_1.0",
}

local function read_networks()
  for _, name in ipairs(NETWORKS) do
    read_output(gluon.model_zoo.vision.get_model(name)(sym.var "data"), name)
  end
end

local function read_recurrent()
  for _, kind in ipairs { "RNN", "LSTM", "GRU" } do
    read_output(gluon.rnn[kind](8, { num_layers = 2, bidirectional = true })(sym.var "data"), kind)
    local cell = gluon.rnn[kind .. "Cell"](8)
    local out = cell:unroll(3, sym.var("data", { shape = { 2, 3, 4 } }), { layout = "NTC", merge_outputs = true })
    read_output(out, kind .. "Cell")
  end
  read_output(gluon.nn.Embedding(10, 4)(sym.var "data"), "Embedding")
end

-- The graphs of the oracle, and rows of attention, boxes and images, by family.
local function read_oracle()
  local file = assert(io.open "spec/oracle/cases.lua")
  read((file:read "a":gsub('\\"', '"')), "the oracle")
  file:close()
end

local FAMILIES = { attention = true, cached_attention = true, interleaved_attention = true, rotary_embedding = true,
                   bounding_boxes = true, ssd_multibox = true, roi_pooling = true, grid_sampler = true,
                   image_resize = true, image_transform = true, upsampling = true }

local function read_families()
  for _, row in ipairs(core.op.rows()) do
    if FAMILIES[row.family] and not row.internal then met[row.name] = met[row.name] or row.family end
  end
end

local function is_defined(row)
  return row.plain or row.fusible or row.reduction or row.view or row.lowers or row.expands
end

local TRAINING = { optimizer_rows = true, gradient_checks = true }

-- LAPACK computes it; its shapes depend on values; it draws, even in a prediction; it is internal; its outputs depend
-- on types alone, so that graphs are exported with constants; or only training has it.
local function is_apart(row)
  return row.lapack or row.dynamic or row.random and not row.train or row.internal or #row.inputs == 0 or
    row.by_types or TRAINING[row.family]
end

describe("an operator of a prediction", function()
  it("is defined in a form that programs can read", function()
    read_networks()
    read_recurrent()
    read_oracle()
    read_families()
    local undefined, count = {}, 0
    for name, source in pairs(met) do
      local row = core.op.row(name)
      if not (is_defined(row) or is_apart(row)) then undefined[#undefined + 1] = name .. " (" .. source .. ")" end
      count = count + 1
    end
    table.sort(undefined)
    assert.same({}, undefined)
    assert.truthy(count > 150, "too few operators were found")
  end)
end)

local function list(x) return type(x) == "table" and x or { x } end

-- Do the outputs of a row's examples stay the same if its inputs get other values? Compares `count` calls.
local function ignores_values(row)
  local count = 0
  for _, example in ipairs(variants.examples(row, true)) do
    for _, case in ipairs(variants.sizes(example, { 1, 7 })) do
      local zeros, specials = {}, {}
      for i, x in ipairs(case.arrays) do
        zeros[i] = nd.zeros(x.shape, { dtype = x.dtype })
        specials[i] = x.dtype == "float32" and nd.full(x.shape, 0 / 0) or nd.ones(x.shape, { dtype = x.dtype })
      end
      local f = variants.caller(case)
      local ok, expected = pcall(f, table.unpack(zeros))
      if ok then
        count = count + 1
        for i, got in ipairs(list(f(table.unpack(specials)))) do
          if not core.array.same(got, list(expected)[i]) then return false, count end
        end
      end
    end
  end
  return true, count
end

describe("an operator whose outputs depend on types alone", function()
  for _, row in ipairs(core.op.rows()) do
    if row.by_types then
      it("ignores values: " .. row.name, function()
        local ignores, count = ignores_values(row)
        assert.truthy(count > 0, "no example is one call")
        assert.truthy(ignores)
      end)
    end
  end
end)

