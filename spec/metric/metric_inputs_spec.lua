-- metric_inputs_spec.lua - inputs of metrics: numbers and tables of numbers, labels with several axes, ignored labels,
-- configurations; F1 and MCC over several updates. Expected numbers are from MXNet 1.9.1 if it has them.
local hl = require "hybridlua"
local python = require "hybridlua.language.python_text"
local nd, M = hl.nd, hl.metric

local function is_nan(x) return x ~= x end

local function value(metric) return (select(2, metric:get())) end

-- Every metric of labels and predictions, with its options and a batch of four samples.
local label, scores = { 1, 0, 1, 1 }, { { .2, .8 }, { .4, .6 }, { .9, .1 }, { .3, .7 } }
local numbers, targets = { 1, 2.5, -3, 4 }, { 1, 2, -1, 5 }
local CLASSES = { Accuracy = {}, TopKAccuracy = { top_k = 2 }, F1 = {}, MCC = {}, CrossEntropy = {},
                  NegativeLogLikelihood = {}, Perplexity = {}, PCC = {}, ConfusionMatrix = {} }
local NUMBERS = { MAE = {}, MSE = {}, RMSE = {}, PearsonCorrelation = {}, Loss = {}, Torch = {}, Caffe = {},
                  CustomMetric = { feval = function(l, p) return (l - p):sum():asscalar() end } }

local function each(visit)
  for name, options in pairs(CLASSES) do visit(name, options, label, scores) end
  for name, options in pairs(NUMBERS) do visit(name, options, targets, numbers) end
end

describe("numbers instead of arrays", function()
  local function float64(x) return nd.array(x, { dtype = "float64" }) end

  each(function(name, options, labels, preds)
    it("have the same result: " .. name, function()
      local arrays, tables, list, mixed, by_name = M[name](options), M[name](options), M[name](options),
        M[name](options), M[name](options)
      arrays:update(float64(labels), float64(preds))
      tables:update(labels, preds)
      list:update({ labels }, { float64(preds) })
      mixed:update(float64(labels), preds)
      by_name:update_dict({ y = labels }, { p = preds })
      local expected = value(arrays)
      for _, metric in ipairs { tables, list, mixed, by_name } do
        if type(expected) == "number" then assert.equal(expected, value(metric))
        else assert.bits(expected, value(metric)) end
        assert.equal(arrays.num_inst, metric.num_inst)
      end
    end)
  end)

  it("can be single numbers", function()
    local acc, mse, loss, both = M.Accuracy(), M.MSE(), M.Loss(), M.create { "mae", "mse" }
    acc:update(1, 1)
    acc:update({ 1, 0 }, { 1, 1 })
    assert.equal(2 / 3, value(acc))
    mse:update(0.1, 0.3)
    assert.near(0.04, value(mse), 1e-15)                        -- in double precision
    loss:update(nil, 0.1)
    loss:update(nil, { 0.2, 0.3 })
    assert.near(0.2, value(loss), 1e-15)
    assert.equal(3, loss.num_inst)
    both:update(1, 3)
    assert.same({ 2.0, 4.0 }, value(both))
  end)

  it("can be one for each array of a list", function()
    local acc = M.Accuracy()
    acc:update({ 1, 0 }, { nd.array { { .1, .9 } }, nd.array { { .1, .9 } } })
    acc:update({ nd.array { 1, 0 }, { 1 } }, { { { .1, .9 }, { .1, .9 } }, { { .1, .9 } } })
    assert.equal(3 / 5, value(acc))
  end)
end)

describe("a value that is neither an array nor a number", function()
  local WRONG = { ["a string"] = "text", ["a boolean"] = true, ["a function"] = print, ["a userdata"] = io.stdout,
                  ["a Symbol"] = hl.sym.var "x",
                  ["a table %(expected numbers in tables of equal length, got a string%)"] = { "one" },
                  ["a table %(with the key 'a'%)"] = { a = 1 },
                  ["a table %(expected"] = { { 1, 2 }, { 3 } } }
  each(function(name, options, labels, preds)
    it("is refused with the script's line: " .. name, function()
      local metric = M[name](options)
      local title = metric.name:gsub("%-", "%%-")
      for got, wrong in pairs(WRONG) do
        local function text(what)
          return "metric_inputs_spec.lua:%d+: " .. title .. ": update: " .. what ..
            ": expected an NDArray, a number or a table of these, got " .. got
        end
        local is_options = got:find "key"                  -- as the last argument it is a table of options
        assert.raises(function() metric:update(labels, wrong) end,
          is_options and "metric_inputs_spec.lua:%d+: .*unknown option 'a'; it takes labels, preds" or text "preds")
        if name ~= "Loss" and name ~= "Torch" and name ~= "Caffe" then
          assert.raises(function() metric:update(wrong, preds) end, text "labels")
          local pair = { nd.array(preds), nd.array(preds) }
          assert.raises(function() metric:update({ nd.array(labels), wrong }, pair) end, text "labels%[2%]")
        end
        assert.raises(function() metric:update_dict({ y = labels }, { p = wrong }) end, text "preds%.p")
      end
      assert.raises(function() metric:update() end,
        "metric_inputs_spec.lua:%d+: " .. title .. ": update: .*got nothing")
      assert.raises(function() metric:update_dict(nil, {}) end, title .. ": update_dict: labels: expected a table")
    end)

    it("is refused like shapes that do not fit: " .. name, function()
      if name == "Loss" or name == "Torch" or name == "Caffe" or name == "CustomMetric" then return end
      local metric = M[name](options)
      local title = metric.name:gsub("%-", "%%-")
      assert.raises(function() metric:update(nd.ones { 7 }, nd.ones { 3, 2 }) end,
        "metric_inputs_spec.lua:%d+: " .. title .. ": update: ")
      assert.raises(function() metric:update({ nd.ones { 3 } }, { nd.ones { 3 }, nd.ones { 3 } }) end,
        "metric_inputs_spec.lua:%d+: " .. title .. ": update: Shape of labels 1 does not match shape of predictions 2")
    end)
  end)

  it("is refused as an option", function()
    local cases = {
      { "Accuracy", { axis = "x" }, "Accuracy: axis: expected an integer, got the string 'x'" },
      { "TopKAccuracy", { top_k = {} }, "TopKAccuracy: top_k: expected an integer" },
      { "CrossEntropy", { eps = "x" }, "CrossEntropy: eps: expected a number, got x" },
      { "F1", { average = "mean" }, "F1: average: expected 'macro' or 'micro', got mean" },
      { "PearsonCorrelation", { average = 1 }, "PearsonCorrelation: average: expected 'macro' or 'micro', got 1" },
      { "PCC", { ignore_label = "x" }, "PCC: ignore_label: expected an integer, got the string 'x'" },
      { "MAE", { name = {} }, "MAE: name: expected a string, got table" },
    }
    for _, case in ipairs(cases) do
      assert.raises(function() local _ = M[case[1]](case[2]) end, "metric_inputs_spec.lua:%d+: " .. case[3])
    end
    assert.raises(function() M.CustomMetric(function(l) return l end):update(1, 1) end,
      "metric_inputs_spec.lua:%d+: custom: update: feval: expected a number, or a sum and a count, got an NDArray")
  end)

  it("does not change errors of the script's own metric", function()
    local Mine = M.EvalMetric:subclass "Mine"
    local given = { "an error" }
    function Mine.update_pair() error(given) end
    local ok, got = pcall(function() Mine():update(1, 1) end)
    assert.is_false(ok)
    assert.equal(given, got)
    function Mine.update_pair() error("a text", 0) end
    assert.equal("a text", select(2, pcall(function() Mine():update(1, 1) end)))
  end)
end)

describe("Accuracy for labels with several axes", function()
  local pred = nd.array { { .3, .7 }, { 0, 1 }, { .4, .6 }, { .8, .2 }, { .3, .5 }, { .6, .4 } }
  it("equals that of flat labels", function()
    local acc = M.Accuracy()
    acc:update(nd.array { { 0, 1, 1 }, { 1, 0, 1 } }, pred)
    assert.equal(1 / 3, value(acc))
    assert.equal(6, acc.num_inst)
    acc:reset()
    acc:update(nd.array { { { 0 }, { 1 }, { 1 } }, { { 1 }, { 0 }, { 1 } } }, pred)
    acc:update(nd.array { { 0 }, { 1 } }, nd.array { 0, 0 })
    assert.equal(3 / 8, value(acc))
    assert.raises(function() acc:update(pred, nd.array { 1, 0, 1, 1, 0, 1 }) end,
      "accuracy: update: labels: expected classes for predictions of shape %(6,%), got shape %(6, 2%); labels come")
  end)

  it("can be along the last axis", function()
    local acc = M.Accuracy { axis = -1 }
    acc:update(nd.array { 0, 1, 1, 0, 1, 0 }, pred)
    assert.near(5 / 6, value(acc), 1e-12)
  end)
end)

describe("F1 and MCC", function()
  local first = { { nd.array { 1, 0 }, nd.array { 1, 0 } },
                  { nd.array { { .1, .9 }, { .5, .5 } }, nd.array { { .85, .15 }, { 1, 0 } } } }
  local second = { { nd.array { 0 }, nd.array { 1 } }, { nd.array { { .6, .4 } }, nd.array { { .2, .8 } } } }
  -- after the first update, the second after reset_local, the first again: value, global value, their counts
  local expected = {
    f1 = { macro = { { 2 / 3, 2 / 3, 1, 1 }, { 1, 5 / 6, 1, 2 }, { 5 / 6, 0.7777777777777777, 2, 3 } },
           micro = { { 2 / 3, 2 / 3, 4, 4 }, { 1, 0.8000000000000002, 2, 6 },
                     { 0.8000000000000002, 0.7499999999999999, 6, 10 } } },
    mcc = { macro = { { 0.5773502691896258, 0.5773502691896258, 1, 1 }, { 1, 0.7886751345948129, 1, 2 },
                      { 0.7886751345948129, 0.7182335127930838, 2, 3 } },
            micro = { { 0.5773502691896258, 0.5773502691896258, 4, 4 }, { 1, 0.7071067811865476, 2, 6 },
                      { 0.7071067811865476, 0.6546536707079772, 6, 10 } } },
  }
  for name, of in pairs(expected) do
    for average, figures in pairs(of) do
      it(("count updates as in MXNet: %s, %s"):format(name, average), function()
        local metric = M.create(name, { average = average })
        local function check(i)
          local figure = figures[i]
          assert.near(figure[1], value(metric), 1e-15)
          assert.near(figure[2], (select(2, metric:get_global())), 1e-15)
          assert.equal(figure[3], metric.num_inst)
          assert.equal(figure[4], metric.global_num_inst)
        end
        metric:update(first[1], first[2])
        check(1)
        metric:reset_local()
        assert.is_true(is_nan(value(metric)))
        assert.near(figures[1][2], (select(2, metric:get_global())), 1e-15)
        metric:update(second[1], second[2])
        check(2)
        metric:update(first[1], first[2])
        check(3)
        metric:reset()
        assert.is_true(is_nan((select(2, metric:get_global()))))
        metric:update(first[1], first[2])
        check(1)
      end)
    end
  end

  it("ignore an update that failed", function()
    for _, name in ipairs { "F1", "MCC" } do
      local metric = M[name]()
      metric:update(first[1], first[2])
      local before = value(metric)
      local guess = { nd.array { 0 }, nd.array { 0 } }
      assert.raises(function() metric:update({ nd.array { 1 }, nd.array { 5 } }, guess) end,
        "only supports binary classification")
      metric:update(first[1], first[2])
      assert.equal(before, value(metric))
    end
  end)

  it("accept the name first, as in MXNet", function()
    assert.equal("mine", M.F1("mine").name)
    assert.equal("macro", M.MCC("mine").average)
    assert.equal("mine", M.PearsonCorrelation("mine").name)
  end)
end)

describe("PearsonCorrelation", function()
  it("distinguishes local from global over all samples", function()
    local metric = M.PearsonCorrelation { average = "micro" }
    metric:update({ 1, 2, 3 }, { 1, 3, 2 })
    metric:reset_local()
    assert.is_true(is_nan(value(metric)))
    assert.near(0.5, (select(2, metric:get_global())), 1e-12)
    metric:update({ 1, 2 }, { 2, 4 })
    assert.near(1, value(metric), 1e-12)
  end)
end)

describe("ignore_label", function()
  local padded = { 1, -1, 0, 1, 7, 1, -1 }
  local function without(x)
    local list = {}
    for i, l in ipairs(padded) do if l ~= -1 and l ~= 7 then list[#list + 1] = x[i] end end
    return list
  end
  local guesses = { { .2, .8 }, { .4, .6 }, { .9, .1 }, { .7, .3 }, { .5, .5 }, { .3, .7 }, { 1, 0 } }

  for name, options in pairs(CLASSES) do
    it("ignores samples: " .. name, function()
      local o = { ignore_label = -1 }
      for key, x in pairs(options) do o[key] = x end
      local metric, plain = M[name](o), M[name](options)
      local labels = {}
      for i, l in ipairs(padded) do labels[i] = l == 7 and -1 or l end
      metric:update(labels, guesses)
      plain:update(without(padded), without(guesses))
      if name == "ConfusionMatrix" then assert.bits(value(plain), value(metric))
      else assert.equal(value(plain), value(metric)) end
      assert.equal(plain.num_inst, metric.num_inst)
      -- several axes, integers, and a batch in which all labels are ignored
      metric:update(nd.array({ { -1, 1 } }, { dtype = "int32" }), { { .2, .8 }, { .4, .6 } })
      plain:update({ 1 }, { { .4, .6 } })
      if name ~= "PCC" then
        metric:update({ -1, -1 }, { { .2, .8 }, { .4, .6 } })
      end
      if name == "ConfusionMatrix" then assert.bits(value(plain), value(metric))
      else assert.near(value(plain), value(metric), 1e-12) end
      assert.equal(plain.num_inst, metric.num_inst)
      assert.equal(-1, metric:get_config().ignore_label)
    end)
  end

  it("works along any axis in Perplexity", function()
    local metric = M.Perplexity(0, { axis = 1 })
    metric:update({ { 0, 1 }, { 1, 0 } }, { { { .3, .7 }, { .7, .3 } }, { { .4, .6 }, { .6, .4 } } })
    assert.near(math.exp(-(math.log(.3) + math.log(.6)) / 2), value(metric), 1e-9)
  end)
end)

describe("get_config", function()
  -- A table of options as in JSON.
  local function json(x)
    if type(x) ~= "table" then return python.json(x) end
    local parts = {}
    if #x > 0 then
      for i, item in ipairs(x) do parts[i] = json(item) end
      return "[" .. table.concat(parts, ", ") .. "]"
    end
    for key, item in pairs(x) do parts[#parts + 1] = ('"%s": %s'):format(key, json(item)) end
    return "{" .. table.concat(parts, ", ") .. "}"
  end

  local made = {
    M.create("acc", { axis = 0 }), M.create("perplexity", -1), M.create "f1", M.create "mcc", M.create "pearsonr",
    M.create "pcc", M.create "nll_loss", M.create "ce", M.create "loss", M.create "mae", M.create "mse",
    M.create "rmse", M.create "torch", M.create "caffe", M.TopKAccuracy(3), M.TopKAccuracy(3, "best"),
    M.F1 { average = "micro", ignore_label = 2, name = "of one" }, M.ConfusionMatrix(3, { normalize = "all" }),
    M.Accuracy { output_names = { "a", "b" }, label_names = { "c" } }, M.create { "acc", "f1" },
    M.CompositeEvalMetric { metrics = { "acc", M.create { "mse" } }, name = "all" },
  }
  for _, metric in ipairs(made) do
    it("rebuilds the metric, from a table or JSON: " .. tostring(metric.name), function()
      local config = metric:get_config()
      for _, again in ipairs { M.create(config), M.create(config.metric, config), M.create(json(config)),
                               M.create(('["%s", %s]'):format(config.metric, json(config))) } do
        assert.same(config, again:get_config())
        assert.equal(tostring(metric), tostring(again))
      end
    end)
  end

  it("is refused for a function", function()
    assert.raises(function() M.CustomMetric(print):get_config() end, "CustomMetric: get_config: .*cannot be serialized")
  end)

  it("rejects damaged text", function()
    for _, text in ipairs { "{", "[", '{"metric": 3}', '{"axis": 1}', '["acc", {"axes": 1}]',
                            '{"metric": "nosuch"}' } do
      assert.raises(function() M.create(text) end, "metric_inputs_spec.lua:%d+: ")
    end
    assert.raises(function() M.create '{"metric": "acc" "axis": 1}' end, "expected ',' or '}' at byte 18")
  end)

  it("includes positional and named arguments", function()
    assert.equal(-1, M.create("perplexity", -1).ignore_label)
    assert.equal("top_k_accuracy_3", M.create("top_k_acc", 3).name)
  end)
end)
