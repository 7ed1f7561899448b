-- plain_texts.lua - plain texts (src/ir/plain.h) compiled and called: reads the declarations of their functions, prints
-- the functions that given calls need for their types, compiles them, and runs the calls.
--
-- A function's parameters are the inputs, the outputs and the workspace of a call, which are pointers, then numbers, of
-- which int64_t and bool are whole. The words real, other, third and fourth are types; a call's operands determine
-- them. A pointer before a constant one is an input that the row writes. A pointer to pointers has all inputs, or all
-- outputs; a list of numbers without a length has one or several for each of them.
local core = require "hybridlua.core"
local hl = require "hybridlua"
local c99 = require "support.c99"
local scratch = require "support.scratch"
local nd = hl.nd

local plain_texts = {}

local native = assert(package.loadlib("build/spec/plain.so", "luaopen_plain"))()
local texts = core.op.plain_texts()

local C_TYPES = {
  float32 = "float", float64 = "double", uint8 = "uint8_t", int8 = "int8_t", int32 = "int32_t", int64 = "int64_t",
  bool = "bool", float16 = "uint16_t",
}
local BYTES = { float32 = 4, float64 = 8, float16 = 2, uint8 = 1, int8 = 1, int32 = 4, int64 = 8, bool = 1 }
local REAL = { float32 = "REAL_FLOAT", float64 = "REAL_DOUBLE" }
local WORDS = { "real", "other", "third", "fourth" }
local IS_WORD = { real = true, other = true, third = true, fourth = true }

-- ---- Declarations -----------------------------------------------------------------------------------------

local function read_parameter(declared)
  local all, to = declared:match "^%s*const%s+([%w_]+)%s*%*const%s*%*([%w_]+)$", "inputs"
  if not all then all, to = declared:match "^%s*([%w_]+)%s*%*const%s*%*([%w_]+)$", "outputs" end
  if all then return { kind = to, type = all } end
  local sizes = declared:match "^%s*const%s+int64_t%s+([%w_]+)%[%]$"
  if sizes then return { kind = "sizes", name = sizes } end
  local type, star, name = declared:match "^%s*const%s+([%w_]+)%s*(%**)%s*([%w_]+)"
  local constant = type ~= nil
  if not type then type, star, name = declared:match "^%s*([%w_]+)%s*(%**)%s*([%w_]+)" end
  assert(type, "expected a declaration, got " .. declared)
  if star ~= "" then return { kind = constant and "input" or "output", type = type, name = name } end
  local count = declared:match "%[(%d+)%]"
  if count then return { kind = "list", count = tonumber(count), name = name } end
  return { kind = (type == "int64_t" or type == "bool") and "whole" or "number", type = type, name = name }
end

local IS_INPUT = { input = true, written = true }
local IS_OPERAND = { input = true, written = true, output = true, inputs = true, outputs = true }

local function mark_written(parameters)
  local later = false
  for i = #parameters, 1, -1 do
    local p = parameters[i]
    if p.kind == "input" then later = true
    elseif p.kind == "output" and later then p.kind = "written" end
  end
end

-- The functions of a text that calls may name: { function = list of parameters }.
local declarations = {}
local function functions_of(text)
  if declarations[text] then return declarations[text] end
  local found = {}
  for name, list in assert(texts[text], "there is no text " .. text):gmatch "\nstatic void TYPED%(([%w_]+)%)(%b())" do
    local parameters = {}
    for declared in list:sub(2, -2):gmatch "[^,]+" do parameters[#parameters + 1] = read_parameter(declared) end
    mark_written(parameters)
    found[name] = parameters
  end
  declarations[text] = found
  return found
end

local function parameters_of(call)
  return assert(functions_of(call.text)[call["function"]], "no function " .. call["function"])
end

-- Is an operand a list of arrays?
local function is_list(x) return type(x) == "table" and x.dtype == nil end

local function has_kind(call, kind)
  for _, p in ipairs(parameters_of(call)) do if p.kind == kind then return true end end
  return false
end

-- The inputs of a call, and false for those that only other rows of the text have; or the list of all inputs. Omitted
-- inputs at the end need no parameter.
local function inputs_of(call, given)
  if has_kind(call, "inputs") then return { given } end
  local list = { table.unpack(given) }
  local n = 0
  for _, p in ipairs(parameters_of(call)) do if IS_INPUT[p.kind] then n = n + 1 end end
  for i = #list + 1, n do list[i] = false end
  for i = n + 1, #list do
    assert(not list[i], "no parameter for an input")
    list[i] = nil
  end
  return list
end

-- Its outputs, and false for those that only other calls have; or the list of all outputs. Hidden outputs at the end
-- need no parameter.
local function outputs_of(call)
  if has_kind(call, "outputs") then return { call.outputs } end
  local list, n = {}, call.workspace > 0 and -1 or 0
  for _, p in ipairs(parameters_of(call)) do if p.kind == "output" then n = n + 1 end end
  for i = 1, math.max(n, #call.outputs) do
    local x = call.outputs[i]
    assert(i <= n or not x.used, "no parameter for an output")
    if i <= n then list[i] = x and x.used and x or false end
  end
  return list
end

-- The dtypes of the words, by the operands of a call; a word of a missing operand is an int32.
local function types_of(call)
  local operands, found = inputs_of(call, call.inputs), {}
  for _, x in ipairs(outputs_of(call)) do operands[#operands + 1] = x end
  local at = 0
  for _, p in ipairs(parameters_of(call)) do
    if IS_OPERAND[p.kind] then
      at = at + 1
      local x = operands[at]
      for _, array in ipairs(x and (is_list(x) and x or { x }) or {}) do
        if IS_WORD[p.type] then
          assert(not found[p.type] or found[p.type] == array.dtype,
                 call["function"] .. ": operands of two types are one word")
          found[p.type] = array.dtype
        end
      end
    end
  end
  local list = {}
  for i, word in ipairs(WORDS) do list[i] = found[word] or "int32" end
  return list
end

local function ending(types) return table.concat(types, "_") end

-- ---- Printing ---------------------------------------------------------------------------------------------

local function print_types(out, types)
  local real = types[1]
  for i, word in ipairs(WORDS) do
    out[#out + 1] = ("#undef %s\n#define %s %s"):format(word, word, C_TYPES[types[i]])
  end
  out[#out + 1] = "#undef TYPED\n#define TYPED(name) name##_" .. ending(types)
  out[#out + 1] = "#undef REAL_FLOAT\n#undef REAL_DOUBLE\n#undef REAL_WHOLE"
  out[#out + 1] = "#define " .. (REAL[real] or "REAL_WHOLE")
  out[#out + 1] = texts["common/words"]
end

-- A text for some types, after the texts that it includes, each once.
local function print_text(out, text, types, printed)
  local key = text .. " " .. ending(types)
  if printed[key] then return end
  printed[key] = true
  local body = texts[text]:gsub('#include "plain/([%w_/]+)%.h"\n', function(included)
    print_text(out, included, types, printed)
    return ""
  end)
  out[#out + 1] = body
end

-- The function by which the native module calls a text's function.
local function print_caller(out, name, parameters, types)
  local arguments, arrays, whole, numbers = {}, 0, 0, 0
  for _, p in ipairs(parameters) do
    local text
    if IS_OPERAND[p.kind] then
      text, arrays = ("arrays[%d]"):format(arrays), arrays + 1
    elseif p.kind == "list" then
      text, whole = ("whole + %d"):format(whole), whole + p.count
    elseif p.kind == "sizes" then
      text = "sizes"
    elseif p.kind == "whole" then
      text, whole = ("whole[%d]%s"):format(whole, p.type == "bool" and " != 0" or ""), whole + 1
    else
      text, numbers = ("(%s)numbers[%d]"):format(p.type, numbers), numbers + 1
    end
    arguments[#arguments + 1] = text
  end
  local symbol = ("%s_%s"):format(name, ending(types))
  out[#out + 1] = ([[
void run_%s(void *const *arrays, const int64_t *whole, const double *numbers, const int64_t *sizes);
void run_%s(void *const *arrays, const int64_t *whole, const double *numbers, const int64_t *sizes) {
  (void)arrays;
  (void)whole;
  (void)numbers;
  (void)sizes;
  %s(%s);
}]]):format(symbol, symbol, symbol, table.concat(arguments, ", "))
end

--- C99 with what the calls need.
function plain_texts.source(calls)
  local out, printed, called = { '#include "base/math/typed_functions.h"' }, {}, {}
  for _, call in ipairs(calls) do
    local types = types_of(call)
    local key = call.text .. " " .. ending(types)
    if not called[key] then
      called[key] = true
      print_types(out, types)
      print_text(out, call.text, types, printed)
      local names = {}
      for name in pairs(functions_of(call.text)) do names[#names + 1] = name end
      table.sort(names)
      for _, name in ipairs(names) do print_caller(out, name, functions_of(call.text)[name], types) end
    end
  end
  return table.concat(out, "\n") .. "\n"
end

--- Does the text of a call have fused multiply-adds?
function plain_texts.fuses(call)
  local function has(text)
    if texts[text]:find "%f[%w_]FMA%(" then return true end
    for included in texts[text]:gmatch '#include "plain/([%w_/]+)%.h"' do if has(included) then return true end end
    return false
  end
  return has(call.text)
end

-- ---- Calls ------------------------------------------------------------------------------------------------

--- The compiler of texts in all types, and the others: each compiler of this machine, not optimising and optimising.
function plain_texts.compilers()
  local list = c99.compilers()
  return table.remove(list, 1), list
end

local IS_FLOAT = { float32 = true, float64 = true }

--- A function that says whether a call is in the types in which all compilers compile its text: the first floats, and
-- the first other types, of the given calls. Optimising takes long, and texts do not depend on types otherwise.
function plain_texts.few_types(calls)
  local first = {}
  local function kind(call, types) return call.text .. (IS_FLOAT[types[1]] and " floats" or " others") end
  for _, call in ipairs(calls) do
    local types = types_of(call)
    first[kind(call, types)] = first[kind(call, types)] or ending(types)
  end
  return function(call)
    local types = types_of(call)
    return first[kind(call, types)] == ending(types)
  end
end

-- The processor's multiply-adds are only faster: C99's fmaf rounds once everywhere.
local FLAGS = "-ffp-contract=off -march=native -Isrc"

--- Compiles a source; returns the shared object. Warnings are errors. The texts are in a header, as in src/plain,
-- because not every type needs all their inline functions.
function plain_texts.compile(source, compiler, folder)
  scratch.write(folder:file "texts.h", source)
  local file = scratch.write(folder:file "texts.c", '#include "texts.h"\n')
  return native.open(c99.compile("plain_texts", file, compiler, FLAGS))
end

-- f of an operand, of each array of a list, or false if it is missing.
local function each(x, f)
  if not x or not is_list(x) then return x and f(x) end
  local list = {}
  for i, array in ipairs(x) do list[i] = f(array) end
  return list
end

--- The outputs of a call, a list of arrays, each nil if unused, and the inputs that it wrote, by their places;
-- `inputs`: its arrays, false where one is omitted.
function plain_texts.run(object, call, inputs)
  local given, sizes, places = inputs_of(call, inputs), {}, {}
  local at = 0
  for _, p in ipairs(parameters_of(call)) do
    if IS_INPUT[p.kind] then
      at = at + 1
      if p.kind == "written" then places[#places + 1] = at end
    end
  end
  for i, x in ipairs(given) do given[i] = each(x, function(array) return array:tobytes() end) end
  local outputs = outputs_of(call)
  for i, x in ipairs(outputs) do sizes[i] = each(x, function(array) return array.size * BYTES[array.dtype] end) end
  if call.workspace > 0 then sizes[#sizes + 1] = call.workspace * 8 end
  local symbol = ("run_%s_%s"):format(call["function"], ending(types_of(call)))
  local bytes, results, written = native.run(object, symbol, given, sizes, call.whole, call.numbers, call.sizes,
    places), {}, {}
  if has_kind(call, "outputs") then outputs, bytes = outputs[1], bytes[1] end
  for i, x in ipairs(outputs) do results[i] = x and nd.from_bytes(bytes[i], { x.size }, x.dtype) end
  for i, place in ipairs(places) do
    written[place] = nd.from_bytes(bytes[#sizes + i], { inputs[place].size }, inputs[place].dtype)
  end
  return results, written
end

return plain_texts
