-- attribute_spec.lua - attributes of variables and operators: MXNet 1.9.1's and the script's.
local hl = require "hybridlua"
require "spec.support.helper"
local nd, sym = hl.nd, hl.sym

-- Checks for these attributes, all strings.
local function has(wanted, attributes)
  for key, value in pairs(wanted) do assert.equal(value, attributes[key], key) end
end

describe("attributes among the options of an operator", function()
  local layer = sym.FullyConnected(sym.var "x", { num_hidden = 3, name = "fc", lr_mult = 2, wd_mult = 0.5,
    ctx_group = "dev1", force_mirroring = true, __layout__ = "NC" })
  local given = { num_hidden = "3", lr_mult = "2", __lr_mult__ = "2", wd_mult = "0.5", __wd_mult__ = "0.5",
    ctx_group = "dev1", __ctx_group__ = "dev1", force_mirroring = "True", __force_mirroring__ = "True",
    __layout__ = "NC" }

  it("apply to the operator and to its variables", function()
    assert.same(given, layer:list_attr())
    assert.same({ fc = given, fc_weight = given, fc_bias = given }, layer:attr_dict())
    assert.equal("2 2", layer:attr "lr_mult" .. " " .. layer:attr "__lr_mult__")
  end)

  it("are saved and loaded under MXNet's names", function()
    local text = layer:tojson()
    assert.truthy(text:find('"attrs": {\n        "__ctx_group__": "dev1", \n        "__force_mirroring__": ' ..
      '"True", \n        "__layout__": "NC", \n        "__lr_mult__": "2", \n        "__wd_mult__": "0.5", \n' ..
      '        "num_hidden": "3"\n      }', 1, true))
    assert.same(layer:attr_dict(), sym.load_json(text):attr_dict())
  end)

  it("work with any operator, however it is called, and with attr", function()
    local x = sym.var "x"
    for _, s in ipairs { x:sum { axis = 0, lr_mult = 4, __z__ = "1" }, sym.sum(x, 0, { lr_mult = 4, __z__ = 1 }),
      sym.sum { data = x, axis = 0, lr_mult = "4", attr = { __z__ = "1" } },
      sym.sum(x, { axis = 0, attr = { lr_mult = "4" }, __z__ = "1" }) } do
      assert.same({ axis = "0", lr_mult = "4", __lr_mult__ = "4", __z__ = "1" }, s:list_attr())
    end
    has({ __mood__ = "so so", wd_mult = "x", __wd_mult__ = "x" }, sym.Convolution(x,
      { kernel = { 1, 1 }, num_filter = 1, attr = { __mood__ = "so so", wd_mult = "x" } }):list_attr())
  end)

  it("change no value, in eager and compiled code", function()
    local function f(F, x) return F.relu(x, { lr_mult = 2, __mine__ = "a" }) end
    local x = nd.array { -1, 2 }
    assert.same({ 0, 2 }, f(nd, x):totable())
    assert.same({ 0, 2 }, hl.compile(f)(x):totable())
  end)

  it("must be strings, numbers or booleans with valid names", function()
    local x = sym.var "x"
    assert.raises(function() sym.relu(x, { lr_mult = {} }) end, "relu: lr_mult: expected a string, a number or a bool")
    assert.raises(function() sym.relu(x, { mood = 1 }) end, "relu: unknown option 'mood'")
    assert.raises(function() sym.relu(x, { __mood = 1 }) end, "relu: unknown option '__mood'")
    assert.raises(function() sym.FullyConnected(x, { num_hidden = 3, weight_lr_mult = 3 }) end,
      "unknown option 'weight_lr_mult'")
    assert.raises(function() x:attr() end, "attribute_spec.lua:%d+: attr: key: expected a string, got nothing")
    assert.raises(function() x:attr(3) end, "attr: key: expected a string, got an integer")
  end)
end)

describe("attributes of variables", function()
  it("may have any name; MXNet's are stored under two", function()
    local d = sym.var("d", { attr = { mood = "angry", dtype = "data", group = "1", force_mirroring = "True" },
      lr_mult = 1, __mine__ = true })
    assert.same({ mood = "angry", dtype = "data", group = "1", force_mirroring = "True", __force_mirroring__ = "True",
      lr_mult = "1", __lr_mult__ = "1", __mine__ = "True" }, d:list_attr())
    d:_set_attr { lr_mult = "7" }
    assert.equal("7 7", d:attr "lr_mult" .. " " .. d:attr "__lr_mult__")
  end)

  it("come from the scope unless the variable has them", function()
    local d, other = hl.AttrScope({ group = "4", data = "great", ctx_group = "g" }, function()
      return sym.var("data", { attr = { group = "1" }, lr_mult = 1 }), sym.var "data2"
    end)
    assert.same({ group = "1", data = "great", ctx_group = "g", __ctx_group__ = "g", lr_mult = "1", __lr_mult__ = "1" },
      d:list_attr())
    assert.equal("4", other:attr "group")
    local inner = hl.AttrScope({ lr_mult = "3" }, function()
      return hl.AttrScope({ __lr_mult__ = "4" }, function() return sym.relu(sym.var "x") end)
    end)
    assert.equal("4", inner:attr "lr_mult")
  end)
end)
