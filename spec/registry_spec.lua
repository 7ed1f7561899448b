-- registry_spec.lua - hl.registry: classes of a script by name.
local hl = require "hybridlua"
local registry = hl.registry

local function factory()
  local Base = hl.operator.CustomOpProp:subclass "Base"
  local Round = Base:subclass "Round"
  function Round:init(options) self.options = options end
  return Base, Round, registry.get_register_func(Base, "shape"), registry.get_create_func(Base, "shape")
end

describe("hl.registry", function()
  it("registers classes by name and makes instances", function()
    local Base, Round, register, create = factory()
    assert.equal(Round, register(Round))
    registry.get_alias_func(Base, "shape")("circle", "Disc")(Round)
    assert.same({ round = Round, circle = Round, disc = Round }, registry.get_registry(Base))
    assert.equal(2, create("ROUND", { r = 2 }).options.r)
    assert.equal(3, create { shape = "disc", r = 3 }.options.r)
    assert.equal(4, create '["circle", {"r": 4}]'.options.r)
    assert.equal(5, create '{"shape": "circle", "r": 5}'.options.r)
    local one = create "round"
    assert.equal(one, create(one))
  end)

  it("keeps the registers of different base classes apart", function()
    local _, Round, register = factory()
    register(Round)
    assert.same({}, registry.get_registry((factory())))
  end)

  it("rejects wrong classes and unknown names", function()
    local _, Round, register, create = factory()
    register(Round)
    assert.error_matches(function() create "square" end, "square is not registered. Please register with")
    assert.error_matches(function() create(3) end, "shape must be of string type, got number")
    assert.error_matches(function() create(create "round", 1) end, "shape is already an instance")
    assert.error_matches(function() create {} end, "expected a name under 'shape'")
    assert.error_matches(function() create "[oops" end, "expected a name, or JSON .* got .%[oops.: expected a value")
    assert.error_matches(function() register(hl.optimizer.Optimizer) end, "Can only register subclass of Base")
    assert.error_matches(function() registry.get_registry(3) end, "base_class: expected a class, got number")
  end)
end)
