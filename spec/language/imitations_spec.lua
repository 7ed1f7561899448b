-- imitations_spec.lua - hints for objects made with setmetatable instead of a call of the class, and for methods with
-- Python's names.
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local hints = require "hybridlua.language.error_hints"
local warn = require "hybridlua.language.warn"
local nd, gluon = hl.nd, hl.gluon
local nn = gluon.nn

local function message(fn, ...)
  local ok, text = pcall(fn, ...)
  assert.is_false(ok)
  assert.matches("imitations_spec.lua:%d+: ", text)
  return text
end

-- The text that the program prints for an uncaught error.
local function hinted(fn)
  local ok, text = xpcall(fn, hints)
  assert.is_false(ok)
  return text or message(fn)
end

local function says(text, fn)
  local got = hinted(fn)
  assert.truthy(got:find(text, 1, true), got)
end

-- Objects made in three common ways of writing classes in Lua.
local function imitations(base)
  local Old = setmetatable({}, { __index = base })
  Old.__index = Old
  return { setmetatable({}, Old), setmetatable({}, { __index = base }), setmetatable({}, base) }
end

local TEXT = "this table was made with setmetatable, so it is not an instance of "

describe("a table with a class's methods", function()
  it("is reported when methods are called with a colon", function()
    for _, base in ipairs { gluon.Block, gluon.HybridBlock, nn.Dense } do
      local text = TEXT .. base.__name__ .. ("; write Net = %s:subclass"):format(base.__name__)
      for _, net in ipairs(imitations(base)) do
        says(text, function() net:initialize() end)
        says(text, function() net:collect_params() end)
        says(text, function() net:save_parameters "x" end)
        says(text, function() local y = net(nd.ones { 2 }) return y end)
        says(text, function() nn.Sequential():add(net) end)
        says(text, function() nn.Sequential():register_child(net) end)
      end
    end
    for _, data in ipairs(imitations(gluon.data.Dataset)) do
      says(TEXT .. "Dataset", function() return data:transform(print), 1 end)
    end
  end)

  it("gets the hint to call the class if the class is the script's", function()
    local Net = gluon.Block:subclass "Net"
    function Net:forward(x) return x end           -- luacheck: ignore 212
    for _, net in ipairs(imitations(Net)) do
      says(TEXT .. "Net; make instances by Net(...)", function() net:initialize() end)
      says(TEXT .. "Net; make instances by Net(...)", function() local y = net(1) return y end)
    end
  end)

  it("is not confused with instances, classes and other tables", function()
    local Net = gluon.Block:subclass "Net"
    local ring = {}
    setmetatable(ring, { __index = ring })
    local other = setmetatable({}, { __index = ring })
    local loop = {}
    setmetatable(loop, loop)
    loop.__index = loop
    for _, x in ipairs { Net(), Net, nn.Dense(2), ring, other, loop, {}, gluon, nn, hl.cpu(), nd.ones { 1 }, 3,
                         setmetatable({}, { __metatable = false }), setmetatable({}, { __index = print }) } do
      assert.is_nil(class.imitated(x))
    end
    local text = message(function() Net().x() end)
    assert.is_nil(text:find(TEXT, 1, true), text)
    assert.matches("call it with a colon", message(function() nn.Dense(2).initialize() end))
    assert.matches("call it with a colon", message(function() nn.Dense(2).initialize {} end))
  end)
end)

describe("a method with Python's name", function()
  local here, told = warn.here, nil
  before_each(function()
    told = {}
    warn.here = function(format, ...) told[#told + 1] = format:format(...) end
  end)
  after_each(function() warn.here = here end)

  it("causes a warning with the name to use here", function()
    local Net, Hybrid = gluon.Block:subclass "Net", gluon.HybridBlock:subclass "Hybrid"
    local Data = gluon.data.Dataset:subclass "Data"
    local function method() end
    Net.__init__, Net.__call__, Net.__repr__, Hybrid.__call__ = method, method, method, method
    Data.__init__, Data.__getitem__, Data.__len__ = method, method, method
    table.sort(told)
    local function text(cls, python, name)
      return ("%s.%s: nothing calls a method of this name; write function %s:%s(...)"):format(cls, python, cls, name)
    end
    assert.same({ text("Data", "__getitem__", "get"), text("Data", "__init__", "init"),
                  text("Data", "__len__", "__len"),
                  text("Hybrid", "__call__", "hybrid_forward"), text("Net", "__call__", "forward"),
                  text("Net", "__init__", "init"), text("Net", "__repr__", "__tostring") }, told)
  end)

  it("causes no warning where the name has no meaning", function()
    local Net, Metric = gluon.Block:subclass "Net", hl.metric.EvalMetric:subclass "Metric"
    function Net:init() self.__init__ = 3 end
    function Net:forward(x) return x end           -- luacheck: ignore 212
    Net.__getitem__, Metric.__getitem__ = print, print
    local _ = Net()
    assert.same({}, told)
  end)
end)
