-- initializer.lua - sets the initial values of parameters.
--
-- An initializer fills a parameter by its name: for names that end in weight it uses the rule's values (_init_weight),
-- for bias and beta zeros, for gamma ones, and so on. A parameter's own initializer applies whatever the name. To write
-- your own rule:
--
--   local Mine = init.Initializer:subclass "Mine"
--   function Mine:_init_weight(name, array) array:set(0.1) end
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local python = require "hybridlua.language.python_text"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local init = {}

local Initializer = class.root("Initializer", class.new)
init.Initializer = Initializer

Initializer.arguments = arguments.new("Initializer", {})

--- Keeps the arguments, listed in the class's `arguments`, as fields.
function Initializer:init(...)
  for name, value in pairs(self.arguments(...)) do self[name] = value end
end

-- ---- By name --------------------------------------------------------------------------------

-- The first matching ending selects the method that fills the array.
local ENDINGS = {
  { "weight", "_init_weight" }, { "bias", "_init_bias" }, { "gamma", "_init_gamma" }, { "beta", "_init_beta" },
  { "running_mean", "_init_zero" }, { "moving_mean", "_init_zero" }, { "running_var", "_init_one" },
  { "moving_var", "_init_one" }, { "moving_inv_var", "_init_zero" }, { "moving_avg", "_init_zero" },
  { "min", "_init_zero" }, { "max", "_init_one" },
}

function Initializer:_init_zero(_, array) array:set(0) end
function Initializer:_init_one(_, array) array:set(1) end
Initializer._init_bias = Initializer._init_zero
Initializer._init_gamma = Initializer._init_one
Initializer._init_beta = Initializer._init_zero

function Initializer:_init_weight()
  local name = class.of(self).__name__
  fail("%s: _init_weight is not defined; write function %s:_init_weight(name, array) ... end", name, name)
end

function Initializer:_init_default(name)
  fail('Unknown initialization pattern for %s. Default initialization is now limited to "weight", "bias", "gamma" ' ..
    '(1.0), and ' ..
       '"beta" (0.0).Give the variable an initializer: sym.var(name, {init = ...})', name)
end

local function report(self, method, name, array)
  local text = self._print_func and self._print_func(array) or ("%g"):format(array:norm():asscalar())
  require("hybridlua.log").getLogger():info("Initialized %s as %s: %s", name,
    method == "_init_weight" and class.of(self).__name__ or method:match "_init_(.*)", tostring(text))
end

-- A user's class may name the method init_weight instead of _init_weight.
local function fill(self, method, name, array, default)
  local own = self[method:sub(2)] or self[method]
  own(self, name, array, default)
  if self._verbose then report(self, method, name, array) end
end

--- Fills `array` for the parameter `name` (or an InitDesc). forced: as a weight, whatever the name. default: the
-- initializer of the whole network, for an initializer that falls back to it.
function Initializer:apply(name, array, forced, default)
  if type(name) == "table" then
    local own = name.attrs.__init__
    if own then return init.create(own):apply(name.name, array, true, default or name.global_init) end
    name = name.name
  end
  if forced then return fill(self, "_init_weight", name, array, default) end
  for _, ending in ipairs(ENDINGS) do
    if name:sub(-#ending[1]) == ending[1] then return fill(self, ending[2], name, array) end
  end
  fill(self, "_init_default", name, array)
end

--- set_verbosity(verbose = false, print_func = nil): as in MXNet, whether each filled array is reported, by
-- print_func(array) or as its norm: "Initialized fc_weight as Uniform: ...". Returns the initializer.
function Initializer:set_verbosity(verbose, print_func)
  self._verbose = checks.boolean("Initializer.set_verbosity: verbose", verbose or false)
  self._print_func = print_func and checks.callable("Initializer.set_verbosity: print_func", print_func, "an array")
  return self
end

--- initializer(name, array) is initializer:apply(name, array).
function Initializer:__call(name, array) self:apply(name, array) end

--- A name with its variable's attributes; __init__ among them overrides the initializer. global_init: that of the
-- whole network.
function init.InitDesc(name, attrs, global_init)
  return { name = name, attrs = type(attrs) == "table" and (attrs.attrs or attrs) or {}, global_init = global_init }
end

-- ---- Serialization --------------------------------------------------------------------------

local function written(self, write, between)
  local parts = {}
  for _, name in ipairs(self.arguments.names) do
    local value = self[name]
    if is_array(value) then value = value:totable() end
    parts[#parts + 1] = between:format(name, write(value))
  end
  return table.concat(parts, ", ")
end

--- The initializer as MXNet's text: ["xavier", {"rnd_type": "uniform", ...}].
function Initializer:dumps()
  return ('["%s", {%s}]'):format(class.of(self).__name__:lower(), written(self, python.json, '"%s": %s'))
end

function Initializer:__tostring()
  return ("%s(%s)"):format(class.of(self).__name__, written(self, python.repr, "%s=%s"))
end

-- ---- The registry ---------------------------------------------------------------------------

local registry = {}

--- Lets create() find a class by its lower-case name, and by a second one.
function init.register(cls, alias)
  if not class.is_class(cls) then fail("init.register: expected a class of Initializer's, got %s", type(cls)) end
  registry[cls.__name__:lower()] = cls
  if alias then registry[alias:lower()] = cls end
  return cls
end

--- alias("mine", "my")(Mine): lets create() find the class by these names too.
function init.alias(...)
  local names = { ... }
  for _, name in ipairs(names) do
    if type(name) ~= "string" then
      local key = type(name) == "table" and next(name)
      fail("initializer.alias: expected names, got %s",
        key and ("a table with '%s'"):format(tostring(key)) or type(name))
    end
  end
  return function(cls)
    for _, name in ipairs(names) do registry[name:lower()] = cls end
    return cls
  end
end

-- Defines a class with its arguments: define("Uniform", { "scale" }, { scale = 0.07 }).
local function define(name, names, defaults, alias, base)
  local cls = (base or Initializer):subclass(name)
  cls.arguments = arguments.new(name, names, defaults)
  init[name] = cls
  return init.register(cls, alias)
end

local function find(name)
  local cls = registry[name:lower()]
  if not cls then
    fail("%s is not registered. Please register with initializer.register first%s", name,
      nearest.hint(name:lower(), registry))
  end
  return cls
end

local function from_text(text)
  local said, why = python.from_json(text)
  if type(said) ~= "table" or type(said[1]) ~= "string" or type(said[2]) ~= "table" then
    fail("initializer: expected a name or a text from dumps(), got '%s'%s", text, why and ": " .. why or "")
  end
  return find(said[1])(said[2])
end

--- Creates an initializer from a name ("xavier"), a name with options (create("xavier", {magnitude = 2}),
-- create{"xavier", magnitude = 2}) or a text from dumps(). An initializer or nil is returned as it is. Errors: an
-- unknown name.
function init.create(x, options)
  if x == nil then return nil end
  if class.is_a(x, Initializer) then
    if options ~= nil and next(options) ~= nil then
      fail "initializer: options: expected none with an existing Initializer, got some"
    end
    return x
  end
  if type(x) == "string" then
    if x:find "^%s*%[" then return from_text(x) end
    return find(x)(options or {})
  end
  if type(x) == "table" and type(x[1]) == "string" then
    local given = type(x[2]) == "table" and x[2] or {}
    for key, value in pairs(x) do if type(key) == "string" then given[key] = value end end
    return find(x[1])(given)
  end
  if type(x) == "table" and rawget(x, "__name__") then
    fail("initializer: expected an Initializer, got the %s; call it: %s()", tostring(x), x.__name__)
  end
  if type(x) == "table" and not class.of(x) and type(x.apply) == "function" then return x end
  fail("initializer: expected an Initializer or a name, got %s", type(x))
end

--- The text for a variable's __init__: a name as it is, or dumps().
function init._attribute(x)
  if type(x) == "string" then return x end
  return init.create(x):dumps()
end

-- ---- Rules ----------------------------------------------------------------------------------

local Zero = define("Zero", {}, {}, "zeros")
Zero._init_weight = Initializer._init_zero

local One = define("One", {}, {}, "ones")
One._init_weight = Initializer._init_one

--- Constant(value): a number, or an array of the parameter's shape.
local Constant = define("Constant", "value[]", {})

function Constant:init(...)
  local value = self.arguments(...).value
  if is_plain(value) then value = nd.array(value) end
  if type(value) ~= "number" and not is_array(value) then
    fail("Constant: value: expected a number or an NDArray, got %s", type(value))
  end
  self.value = value
end

function Constant:_init_weight(_, array) array:set(self.value) end

local function uniform(array, bound)
  nd.random.uniform(-bound, bound, { shape = array.shape, dtype = array.dtype, out = array })
end

local function normal(array, deviation)
  nd.random.normal(0, deviation, { shape = array.shape, dtype = array.dtype, out = array })
end

--- Uniform(scale = 0.07): uniform between -scale and scale.
local Uniform = define("Uniform", { "scale" }, { scale = 0.07 })
function Uniform:_init_weight(_, array) uniform(array, self.scale) end

--- Normal(sigma = 0.01): normal, with mean 0 and this standard deviation.
local Normal = define("Normal", { "sigma" }, { sigma = 0.01 })
function Normal:_init_weight(_, array) normal(array, self.sigma) end

--- Xavier(rnd_type = "uniform", factor_type = "avg", magnitude = 3): keeps the scale of values and gradients through a
-- layer. rnd_type: "uniform", "gaussian"; factor_type: "avg", "in", "out".
local Xavier = define("Xavier", { "rnd_type", "factor_type", "magnitude" },
                      { rnd_type = "uniform", factor_type = "avg", magnitude = 3 })

-- The number of inputs and outputs for a weight (out, in, ...); the other axes are a kernel's.
local function fans(name, shape)
  if #shape < 2 then fail("Xavier initializer cannot be applied to vector %s. It requires at least 2D.", name) end
  local area = 1
  for i = 3, #shape do area = area * shape[i] end
  return shape[2] * area, shape[1] * area
end

local function scaled(self, name, array, rnd_type, magnitude)
  local fan_in, fan_out = fans(name, array.shape)
  local factors = { avg = (fan_in + fan_out) / 2, ["in"] = fan_in, out = fan_out }
  local factor = factors[self.factor_type]
  if not factor then fail("Incorrect factor type '%s': expected 'avg', 'in' or 'out'", tostring(self.factor_type)) end
  local scale = math.sqrt(magnitude / factor)
  if rnd_type == "uniform" then uniform(array, scale)
  elseif rnd_type == "gaussian" then normal(array, scale)
  else fail("Unknown random type '%s': expected 'uniform' or 'gaussian'", tostring(rnd_type)) end
end

function Xavier:_init_weight(name, array) scaled(self, name, array, self.rnd_type, self.magnitude) end

--- MSRAPrelu(factor_type = "avg", slope = 0.25): for layers before a (leaky) ReLU. He et al.,
-- "Delving deep into rectifiers", 2015.
local MSRAPrelu = define("MSRAPrelu", { "factor_type", "slope" }, { factor_type = "avg", slope = 0.25 })

function MSRAPrelu:_init_weight(name, array) scaled(self, name, array, "gaussian", 2 / (1 + self.slope ^ 2)) end

--- Orthogonal(scale = 1.414, rand_type = "uniform"): orthogonal rows, or columns if there are more rows than columns,
-- each of length scale. Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural
-- networks", 2013.
local Orthogonal = define("Orthogonal", { "scale", "rand_type" }, { scale = 1.414, rand_type = "uniform" })

-- Makes random rows orthonormal one after another (Gram and Schmidt). A row's projection on the previous rows is
-- subtracted twice, since rounding leaves a part the first time.
local function orthonormal_rows(rows, columns, draw)
  local q = draw { shape = { rows, columns }, dtype = "float64" }
  for i = 0, rows - 1 do
    local row, before = q[i], i > 0 and q[("0:%d"):format(i)]
    for _ = 1, before and 2 or 0 do row = row - nd.dot(nd.dot(before, row), before) end
    q[i] = row / math.sqrt((row * row):sum():asscalar())
  end
  return q
end

function Orthogonal:_init_weight(_, array)
  local shape = array.shape
  local rows = shape[1] or 1
  local columns = rows > 0 and array.size // rows or 0
  local draws = {
    uniform = function(options) return nd.random.uniform(-1, 1, options) end,
    normal = function(options) return nd.random.normal(0, 1, options) end,
  }
  local draw = draws[self.rand_type]
  if not draw then fail("Orthogonal: rand_type: expected 'uniform' or 'normal', got '%s'", tostring(self.rand_type)) end
  if array.size == 0 then return end
  local q = rows <= columns and orthonormal_rows(rows, columns, draw) or orthonormal_rows(columns, rows, draw).T
  array:set((q * self.scale):reshape(shape):astype(array.dtype))
end

--- Bilinear(): bilinear weights (.., .., height, width) of an upsampling deconvolution.
local Bilinear = define("Bilinear", {}, {})

-- The weights along one axis of the kernel; both axes use its width, as in MXNet.
local function triangle(length, width)
  local half = math.ceil(width / 2)
  local centre = (2 * half - 1 - half % 2) / (2 * half)
  local values = {}
  for i = 0, length - 1 do values[i + 1] = 1 - math.abs(i / half - centre) end
  return values
end

function Bilinear:_init_weight(name, array)
  local shape = array.shape
  if #shape ~= 4 then fail("Bilinear: %s: expected 4 dimensions, got %d", name, #shape) end
  local down, across = nd.array(triangle(shape[3], shape[4])), nd.array(triangle(shape[4], shape[4]))
  local kernel = down:reshape { 1, 1, shape[3], 1 } * across:reshape { 1, 1, 1, shape[4] }
  array:set(kernel:broadcast_to(shape):astype(array.dtype))
end

--- LSTMBias(forget_bias = 1.0): zeros, and forget_bias for the forget gate, the second of four.
local LSTMBias = define("LSTMBias", { "forget_bias" }, { forget_bias = 1.0 })

function LSTMBias:_init_weight(_, array)
  local hidden = array.shape[1] // 4
  array:set(0)
  array[("%d:%d"):format(hidden, 2 * hidden)] = self.forget_bias
end

--- FusedRNN(init, num_hidden, num_layers, mode, bidirectional = false, forget_bias = 1): fills the vector of all
-- weights of the operator RNN. Each matrix and bias is filled by `init` (nil: by the initializer of the whole network)
-- under its name, such as "l0_i2h_i_weight"; in mode "lstm" the biases of the forget gates are forget_bias. mode:
-- "rnn_relu", "rnn_tanh", "lstm", "gru".
local FusedRNN = define("FusedRNN", { "init", "num_hidden", "num_layers", "mode", "bidirectional", "forget_bias" },
                        { bidirectional = false, forget_bias = 1.0 })

local GATE_NAMES = { rnn_relu = { "" }, rnn_tanh = { "" }, lstm = { "_i", "_f", "_c", "_o" },
                     gru = { "_r", "_z", "_o" } }

function FusedRNN:init(...)
  local o = self.arguments(...)
  for _, name in ipairs { "num_hidden", "num_layers" } do o[name] = checks.whole("FusedRNN: " .. name, o[name], 1) end
  checks.choice("FusedRNN: mode", o.mode, "rnn_relu", "rnn_tanh", "lstm", "gru")
  for name, value in pairs(o) do self[name] = value end
  self._inner = init.create(o.init)
  self.init = self._inner and self._inner:dumps()
end

-- Calls visit(name, rows, columns) for each part of the vector in order; a bias has no columns.
local function each_part(self, features, visit)
  local ways, hidden = self.bidirectional and { "l", "r" } or { "l" }, self.num_hidden
  for _, kind in ipairs { "weight", "bias" } do
    for layer = 0, self.num_layers - 1 do
      for _, way in ipairs(ways) do
        for _, from in ipairs { "i2h", "h2h" } do
          local columns = from == "h2h" and hidden or layer == 0 and features or #ways * hidden
          for _, gate in ipairs(GATE_NAMES[self.mode]) do
            visit(("%s%d_%s%s_%s"):format(way, layer, from, gate, kind), hidden, kind == "weight" and columns or nil)
          end
        end
      end
    end
  end
end

function FusedRNN:_init_weight(name, array, default)
  local gates, hidden, ways = #GATE_NAMES[self.mode], self.num_hidden, self.bidirectional and 2 or 1
  local above = (self.num_layers - 1) * (hidden + ways * hidden + 2)
  local features = array.size // (ways * hidden * gates) - above - hidden - 2
  local rule, size = self._inner or init.create(default), 0
  each_part(self, features, function(_, rows, columns) size = size + rows * (columns or 1) end)
  if features < 1 or size ~= array.size then
    fail("FusedRNN: %s: expected the weights of such a network, got an array of shape %s", name,
      python.tuple(array.shape))
  end
  if not rule then fail("FusedRNN: init: expected an initializer, since %s has no other", name) end
  local flat, at = array:reshape { shape = { -1 } }, 0
  each_part(self, features, function(part, rows, columns)
    local piece = nd.zeros(columns and { rows, columns } or { rows }, { dtype = array.dtype })
    if self.mode == "lstm" and part:sub(-7) == "_f_bias" then piece:set(self.forget_bias)
    else rule:apply(part, piece) end
    flat[("%d:%d"):format(at, at + piece.size)] = piece:reshape { shape = { -1 } }
    at = at + piece.size
  end)
end

--- Mixed(patterns, initializers): the first pattern that matches the name (a regular expression, from the beginning)
-- selects the initializer.
local Mixed = define("Mixed", "patterns[] initializers[]", {})

function Mixed:init(...)
  local options = self.arguments(...)
  local patterns, initializers = options.patterns, options.initializers
  if type(patterns) ~= "table" or type(initializers) ~= "table" or #patterns ~= #initializers then
    fail "Mixed: expected a list of patterns and a list of as many initializers"
  end
  self.rules = {}
  for i, pattern in ipairs(patterns) do
    local regex = require "hybridlua.language.python_regex"
    self.rules[i] = { match = regex.compile(pattern), init = init.create(initializers[i]) }
  end
end

function Mixed:apply(name, array, forced)
  for _, rule in ipairs(self.rules) do
    if rule.match(type(name) == "table" and name.name or name) then return rule.init:apply(name, array, forced) end
  end
  fail("Parameter name %s did not match any pattern. Consider adding a \".*\" pattern at the end with a default " ..
    "Initializer.", tostring(name))
end

--- Load(file or table of arrays by name, default_init): values from arrays, by name. (verbose is ignored; MXNet logs.)
local Load = define("Load", "param{} default_init verbose", {})

function Load:init(...)
  local options = self.arguments(...)
  local param, default_init = options.param, options.default_init
  if type(param) ~= "string" and type(param) ~= "table" then
    fail("Load: param: expected a file or a table of arrays by name, got %s", type(param))
  end
  local arrays = type(param) == "string" and nd.load(param) or param
  self.arrays = {}
  for name, array in pairs(arrays) do self.arrays[(tostring(name):gsub("^a[ru][gx]:", ""))] = array end
  self.default_init = init.create(default_init)
end

function Load:apply(name, array, forced)
  local given = self.arrays[type(name) == "table" and name.name or name]
  if given then
    if python.tuple(given.shape) ~= python.tuple(array.shape) then
      fail("Parameter %s cannot be initialized from loading. Shape mismatch, target %s vs loaded %s", tostring(name),
           python.tuple(array.shape), python.tuple(given.shape))
    end
    array:set(given)
  elseif self.default_init then
    self.default_init:apply(name, array, forced)
  else
    fail("Cannot Initialize %s. Not found in loaded param and no default Initializer is provided.", tostring(name))
  end
end

arguments.methods(Initializer, "Initializer.", { apply = "name array forced default", dumps = "",
  set_verbosity = "verbose print_func" })
for _, cls in pairs(init) do if type(cls) == "table" then arguments.as_above(cls) end end
arguments.functions(init, "initializer.", { InitDesc = "name attrs{} global_init", register = "cls alias" })

return require "hybridlua.language.module"(init, "hybridlua.initializer")
