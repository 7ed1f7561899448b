-- files.lua - saving and loading arrays and symbols.
--
-- Files are saved whole or not at all; what kind of file is loaded is told by its content.
local core = require "hybridlua.core"
local nd, sym = core.nd, core.sym

local files = {}

--- Saves an NDArray, a list of NDArrays, or a table of them by name (written in the order
-- of the names: Lua's tables have none of their own).
-- The name of the file says how: .npy (one NDArray), .npz, and anything else MXNet's format.
function nd.save(file, data)
  core.save_arrays(file, data, type(file) == "string" and file:match "%.(np[yz])$" or "params")
end

--- What nd.save or MXNet or NumPy saved: a table by name, or a list; of an .npy file the
-- NDArray itself. Errors name the file, the offset and what was expected there.
nd.load = core.load_arrays

--- The same from a string with a file's content.
nd.load_frombuffer = core.load_buffer

--- The Symbol in a file that s:save or MXNet wrote.
sym.load = core.symbol_load

--- The Symbol in a JSON text, as s:tojson gives it.
sym.load_json = core.symbol_parse

--- Saves a Symbol, or whatever nd.save does.
function files.save(file, data)
  if core.is_symbol(data) then data:save(file) else nd.save(file, data) end
end

--- Loads a Symbol or arrays, whichever the file holds.
function files.load(file)
  if core.file_kind(file) == "symbol" then return sym.load(file) end
  return nd.load(file)
end

return files
