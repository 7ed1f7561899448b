-- symbol_block.lua - SymbolBlock: a graph with its parameters as a block, from a file or from given Symbols.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local counted = require "hybridlua.language.plural"
local fail = require "hybridlua.language.fail"
local HybridBlock = require "hybridlua.gluon.hybridize.hybrid_block"
local ParameterDict = require "hybridlua.gluon.parameter_dict"
local is_array, is_symbol, tracing = core.array.is, core.symbol.is, core.trace.active

local nd, sym = core.op.nd, core.op.sym
local SymbolBlock = HybridBlock:subclass "SymbolBlock"

local function as_list(x) return type(x) == "table" and x or { x } end

local function graph_of(outputs)
  local list = as_list(outputs)
  if #list == 0 then
    fail("SymbolBlock: outputs: expected a Symbol or a list of them, got %s",
      outputs == nil and "nil" or "an empty table")
  end
  for i, output in ipairs(list) do
    if not is_symbol(output) then
      local place = list == outputs and ("[%d]"):format(i) or ""
      fail("SymbolBlock: outputs%s: expected a Symbol%s, got %s%s", place, place == "" and " or a list of them" or "",
        type(output) == "string" and ("'%s'"):format(output) or is_array(output) and "an NDArray" or type(output),
        type(output) == "string" and "; SymbolBlock.imports reads files" or "")
    end
  end
  return #list == 1 and list[1] or sym.Group(list)
end

-- The names of inputs given as variables or as names.
local function names_of(inputs)
  local list = {}
  for i, x in ipairs(as_list(inputs)) do
    list[i] = type(x) == "string" and x or is_symbol(x) and x.name or
      fail("SymbolBlock: inputs: expected variables or their names, got %s",
        is_array(x) and "an NDArray" or is_symbol(x) and "a Symbol of several outputs" or type(x))
  end
  return list
end

-- A Parameter's options, from the attributes of a variable.
local function parameter_options(variable, is_aux)
  local attributes = variable:list_attr()
  local options = { allow_deferred_init = true, grad_req = is_aux and "null" or "write" }
  if attributes.__shape__ then
    options.shape = {}
    for d in attributes.__shape__:gmatch "-?%d+" do options.shape[#options.shape + 1] = math.tointeger(d) end
  end
  options.lr_mult = tonumber(attributes.__lr_mult__)
  options.wd_mult = tonumber(attributes.__wd_mult__)
  return options
end

-- The common prefix of all names; "" if it is one of the names.
local function common_prefix(names)
  local prefix = names[1] or ""
  for _, name in ipairs(names) do
    while name:sub(1, #prefix) ~= prefix do prefix = prefix:sub(1, -2) end
  end
  for _, name in ipairs(names) do if name == prefix then return "" end end
  return prefix
end

local read = arguments.of_block("SymbolBlock", "outputs[] inputs[]")

--- SymbolBlock(outputs, inputs, {params = dict}): inputs are variables (or their names); all other variables of the
-- graph become parameters of the same names, shared with params if it has them.
function SymbolBlock:init(...)
  local options = read(...)
  local graph, inputs = graph_of(options.outputs), names_of(options.inputs)
  if options.params ~= nil and not class.is_a(options.params, ParameterDict) then
    fail("SymbolBlock: params: expected a ParameterDict, such as block.params, got %s", type(options.params))
  end
  local is_input, is_aux, variables = {}, {}, {}
  for _, name in ipairs(inputs) do is_input[name] = true end
  for _, name in ipairs(graph:list_auxiliary_states()) do is_aux[name] = true end
  for _, variable in ipairs(core.symbol.variables(graph)) do variables[variable.name] = variable end
  local store = getmetatable(self).store
  store.prefix, store._params = options.prefix or "", ParameterDict(options.prefix or "", options.params)
  store.params = store._params
  self._graph, self._input_names = graph, {}
  for i, name in ipairs(inputs) do
    if not variables[name] then
      fail("SymbolBlock: inputs: the graph has no variable '%s'; it has %s", name,
        table.concat(graph:list_inputs(), ", "))
    end
    self._input_names[i] = name
  end
  local names = {}
  for _, name in ipairs(graph:list_inputs()) do
    if not is_input[name] then
      local param = self.params:get(name, parameter_options(variables[name], is_aux[name]))
      names[#names + 1] = name
      store._reg_params[#names] = { name = name, value = param }
    end
  end
  self._common = #common_prefix(names)
end

-- Names in files omit the common prefix, which differs in another block of the class.
function SymbolBlock:_structural_name(name) return name:sub(self._common + 1) end

-- The parameters keep the graph's own names.
function SymbolBlock.alias() return "symbolblock" end

local read_imports = arguments.new("SymbolBlock.imports",
                                  "symbol_file input_names[] param_file ctx[] allow_missing ignore_extra " ..
                                    "cast_dtype dtype_source")

--- Loads path-symbol.json and, if given, parameters (with arg: and aux: names, or plain ones):
-- imports("net-symbol.json", {"data"}, "net-0000.params"). Options: allow_missing, ignore_extra.
function SymbolBlock.imports(...)
  local options = read_imports(...)
  local block = SymbolBlock(sym.load(options.symbol_file), as_list(options.input_names), { prefix = "" })
  if options.ignore_extra == nil then
    options.ignore_extra = not options.allow_missing and not options.cast_dtype and not options.dtype_source
  end
  if options.param_file then
    block:collect_params():load_dict(nd.load(options.param_file), options, options.param_file)
  end
  return block
end

-- The graph with this call's arguments and parameters in place of its variables.
local function compose(self, p, ...)
  local with = {}
  for i, name in ipairs(self._input_names) do with[name] = (select(i, ...)) end
  for name, param in pairs(p or {}) do with[name] = param end
  return self._graph(with)
end

local function results_of(graph)
  local n = #graph:list_outputs()
  if n == 1 then return graph end
  local outputs = {}
  for i = 1, n do outputs[i] = graph:output(i - 1) end
  return outputs
end

function SymbolBlock:hybrid_forward(F, ...)
  local n, given = #self._input_names, select("#", ...)
  local p = #self._reg_params > 0 and select(given, ...) or nil
  if p then given = given - 1 end
  if given ~= n then
    fail("%s: expected %s (%s), got %d", self.name, counted(n, "input"), table.concat(self._input_names, ", "), given)
  end
  if F == sym then return results_of(compose(self, p, ...)) end
  return self:call_compiled(...)
end

--- The number of arithmetic operations of one call with these inputs (an array or a list of arrays).
function SymbolBlock:flops(inputs)
  local given, variables = is_array(inputs) and { inputs } or inputs, {}
  local with = {}
  for i, name in ipairs(self._input_names) do
    variables[i] = sym.var(name, { shape = given[i].shape, dtype = given[i].dtype, exact = true })
    with[name] = variables[i]
  end
  for _, entry in ipairs(self._reg_params) do
    variables[#variables + 1] = entry.value:var()
    with[entry.name] = entry.value:var()
  end
  local graph, outputs = self._graph(with), {}
  for i = 1, #graph:list_outputs() do outputs[i] = graph:output(i - 1) end
  return core.graph.flops(variables, outputs)
end

-- A loaded graph is always compiled, because it has no Lua code.
function SymbolBlock.call(self, ...)
  if tracing() or is_symbol((...)) then return HybridBlock.call(self, ...) end
  if self:has_hooks() then return self:with_hooks(self.call_compiled, ...) end
  return self:call_compiled(...)
end

function SymbolBlock.__tostring(self)
  return ("SymbolBlock(\n%s : %d -> %d\n)"):format(tostring(self._graph), #self._input_names,
    #self._graph:list_outputs())
end

return SymbolBlock
