-- files.lua - saving and loading arrays and symbols.
--
-- Files are saved completely or not at all; a file's content determines the format to load.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local warn = require "hybridlua.language.warn"
local function foreign_files() return require "hybridlua.language.foreign_files" end
local is_symbol = core.symbol.is
local nd, sym = core.op.nd, core.op.sym

local files = {}

-- Rejects a name with the ending of another format. expected: the accepted endings.
local function check_ending(who, file, allowed, expected)
  if foreign_files().is_foreign(file, allowed) then
    fail("%s: file: '%s' is the name of a format that is not written here; expected %s%s", who, file, expected,
      foreign_files().writing(file))
  end
end

--- Saves an NDArray, a list of NDArrays, or a table of them by name (sorted, since Lua's tables have no order). The
-- ending determines the format: .npy (one NDArray), .npz, or MXNet's for others. Errors: the ending of another known
-- format, such as .safetensors, .pt or .csv.
function nd.save(file, data)
  check_ending("nd.save", file, nil,
    "an ending .params or one of your own (MXNet's format), .npy (one array) or .npz (NumPy's)")
  core.file.save_arrays(file, data, type(file) == "string" and file:match "%.(np[yz])$" or "params")
end

-- The result of a load; head: the first bytes of a file that could not be loaded.
local function loaded(who, file, head, arrays, more)
  if not arrays then foreign_files().refuse(who, file, head or select(2, core.file.kind(file)), "arrays", more) end
  if more then warn.here("%s: %s: left out, for no array can be it: %s", who, file, more) end
  return arrays
end

--- Loads a file of nd.save, MXNet or NumPy: a table by name or a list; for an .npy file the NDArray itself. NumPy's
-- int16 and uint16 become int32, uint32 becomes int64. Members of an .npz that cannot become arrays (text, complex
-- numbers) are skipped, with a warning. Errors name the file, the offset and what was expected there; for another
-- format (PyTorch, safetensors, ONNX, HDF5, CSV and others) they name the format and how to convert it.
function nd.load(file) return loaded("nd.load", file, nil, core.file.load_arrays(file)) end

--- The same from a string with a file's content.
function nd.load_frombuffer(bytes)
  local head = type(bytes) == "string" and bytes:sub(1, 512)
  return loaded("nd.load_frombuffer", "buffer", head, core.file.parse_arrays(bytes))
end

-- A Symbol of np's kind if the text's end says that it was made under npx.set_np.
local function of_kind(symbol, text)
  if not text:find '"is_np_shape": *%["int", *1%]' then return symbol end
  local _ = require "hybridlua.np"
  return core.np.as_kind(symbol, true)
end

local ATTRIBUTES = 4096          -- bytes at the end of a file that hold the graph's attributes

local function end_of(name)
  local file <close> = io.open(name, "rb")
  if not file then return "" end
  local size = file:seek "end"
  file:seek("set", math.max(size - ATTRIBUTES, 0))
  return file:read "a" or ""
end

--- Loads a Symbol from a file of s:save or MXNet. Errors: like nd.load.
function sym.load(file)
  local symbol, problem = core.symbol.load(file)
  if not symbol then foreign_files().refuse("sym.load", file, select(2, core.file.kind(file)), "json", problem) end
  return of_kind(symbol, end_of(file))
end

--- The Symbol in a JSON text from s:tojson.
function sym.load_json(text) return of_kind(core.symbol.parse(text), text) end

--- Saves a Symbol, or anything that nd.save does.
function files.save(file, data)
  if is_symbol(data) then data:save(file) else nd.save(file, data) end
end

--- Loads a Symbol or arrays, depending on the file. Errors: another kind of file.
function files.load(file)
  local kind, head = core.file.kind(file)
  if kind == "symbol" then return sym.load(file) end
  if not kind then foreign_files().refuse("hl.load", file, head, "either") end
  return nd.load(file)
end

local save_symbol = core.symbol.methods.save

--- Writes a JSON file in MXNet's format, completely or not at all. Errors: an ending of another format.
function core.symbol.methods.save(symbol, file)
  check_ending("Symbol.save", file, "json", "an ending .json or one of your own")
  save_symbol(symbol, file)
end

arguments.functions(nd, "nd.", { save = "fname data{}", load = "fname", load_frombuffer = "buf" })
arguments.functions(sym, "sym.", { load = "fname", load_json = "json_str" })
arguments.functions(files, "hl.", { save = "fname data{}", load = "fname" })
arguments.methods(core.symbol.methods, "Symbol.", { save = "fname remove_amp_cast" })

return files
