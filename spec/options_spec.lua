-- Options: what a call does not know it refuses, naming the nearest; arguments by name.
local hl = require "hybridlua"
local arguments = require "hybridlua.arguments"
local gluon = hl.gluon
local nn = gluon.nn

describe("The reader of arguments", function()
  it("of a class or function is found", function()
    assert.same({ "units", "activation", "use_bias" }, table.move(arguments.reader_of(nn.Dense).names, 1, 3, 1, {}))
    assert.equal("SGD", arguments.reader_of(hl.optimizer.SGD).what)
    assert.equal(0.07, arguments.reader_of(hl.initializer.Uniform).defaults.scale)
    assert.equal("label_format", arguments.reader_of(gluon.loss.LogisticLoss).names[3])
    assert.equal("top_k", arguments.reader_of(hl.metric.TopKAccuracy).names[1])
    assert.equal("filename", arguments.reader_of(gluon.Block.save_parameters).names[1])
    local Mine = nn.Dense:subclass "Mine"
    assert.equal("Dense", arguments.reader_of(Mine).what)
    function Mine:init() nn.Dense.init(self, 2) end
    assert.is_nil(arguments.reader_of(Mine))
    assert.is_nil(arguments.reader_of(3))
  end)

  it("puts the arguments of a function in order", function()
    local taken = arguments.taking("f", "first second third{}", function(...) return table.pack(...) end)
    assert.same({ n = 0 }, taken())
    assert.same({ 1, 2, n = 2 }, taken(1, 2))
    assert.same({ 1, nil, 3, n = 3 }, taken { first = 1, third = 3 })
    assert.same({ 1, nil, 3, n = 3 }, taken(1, { third = 3 }))
    assert.same({ 1, 2, { own = 1 }, n = 3 }, taken(1, 2, { own = 1 }))
    assert.same({ nil, 2, nil, n = 3 }, taken(hl.nd.NULL, 2))
    assert.error_matches(function() taken { frist = 1 } end, "f: unknown option 'frist'; did you mean 'first'%?")
    assert.error_matches(function() taken(1, 2, 3, 4) end, "f: expected at most 3 arguments, got 4")
    local list = arguments.taking("f", "items[] other", function(items, other) return items, other end)
    local given = { 1, 2 }
    assert.equal(given, (list(given)))
    assert.same({ 1, 2 }, (list { 1, 2, other = 5 }))
    assert.same({}, (list {}))
    assert.equal(5, select(2, list { 1, other = 5 }))
  end)
end)
