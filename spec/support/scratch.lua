-- scratch.lua - temporary folders, files, processes and reproducible random numbers for specs.
local scratch = {}

--- The program that runs the specs, for starting child processes.
scratch.program = os.getenv "HYBRIDLUA" or (function()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  return arg[i]
end)()

function scratch.absolute(path) return (scratch.run(("realpath '%s'"):format(path)):gsub("\n", "")) end

--- Is the program hybridlua, not plain Lua with the module?
scratch.is_own_program = scratch.program:match "hybridlua$" ~= nil

--- Should slow tests run in full? The specs run several times (tools/test.sh): in full in the first pass and in manual
-- runs, in part with another collector, another build or plain Lua.
scratch.is_first_pass = scratch.is_own_program and not os.getenv "HYBRIDLUA" and
  os.getenv "HYBRIDLUA_GC" ~= "aggressive"

--- Runs a shell command; returns its output (stdout and stderr) and exit code.
function scratch.run(command)
  local pipe = io.popen("{ " .. command .. "\n} 2>&1; echo \":$?\"")
  local text = pipe:read "a"
  pipe:close()
  local output, code = text:match "^(.*):(%d+)\n$"
  return output, tonumber(code)
end

local Folder = {}
Folder.__index = Folder

--- A new folder; call :remove() to delete it.
function scratch.folder()
  local path = scratch.run("mktemp -d"):gsub("\n", "")
  return setmetatable({ path = path }, Folder)
end

function Folder:remove() os.execute("rm -rf '" .. self.path .. "'") end

function Folder:file(name) return self.path .. "/" .. name end

function Folder:list()
  local names = {}
  for name in scratch.run("ls -A '" .. self.path .. "'"):gmatch "[^\n]+" do names[#names + 1] = name end
  return names
end

function scratch.read(path)
  local f = assert(io.open(path, "rb"))
  local text = f:read "a"
  f:close()
  return text
end

function scratch.write(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  return path
end

--- A reproducible generator: below(n) returns 0 to n - 1.
function scratch.numbers(seed)
  local state = seed
  return function(n)
    state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (state >> 20) % n
  end
end

--- Three functions with one generator: below(n), a number from low to high, and true once in n.
function scratch.draws(seed)
  local below = scratch.numbers(seed)
  return below, function(low, high) return low + below(high - low + 1) end, function(n) return below(n) == 0 end
end

--- A text with random damage: flipped bits, changed bytes, or pieces removed, repeated or overwritten.
function scratch.damage(text, below)
  local n, at = #text, below(#text) + 1
  local kind = below(6)
  if kind == 0 then return text:sub(1, at - 1) .. string.char(text:byte(at) ~ (1 << below(8))) .. text:sub(at + 1) end
  if kind == 1 then return text:sub(1, at - 1) .. string.char(below(256)) .. text:sub(at + 1) end
  if kind == 2 then return text:sub(1, at - 1) end
  if kind == 3 then return text:sub(1, at - 1) .. text:sub(at + 1 + below(16)) end
  if kind == 4 then return text:sub(1, at) .. text:sub(math.max(1, at - below(32))) end
  local width = math.min(8, n - at + 1)
  local extreme = ({ "\0", "\255", "\127" })[below(3) + 1]
  return text:sub(1, at - 1) .. extreme:rep(width) .. text:sub(at + width)
end

return scratch
