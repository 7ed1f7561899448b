-- scratch.lua - a folder for the files of a spec, and what specs do with files.
local scratch = {}

--- The program that runs the specs, to start children of it.
scratch.program = os.getenv "HYBRIDLUA" or (function()
  local i = 0
  while arg[i - 1] do i = i - 1 end
  return arg[i]
end)()

--- A path that holds in any folder.
function scratch.absolute(path) return (scratch.run(("realpath '%s'"):format(path)):gsub("\n", "")) end

--- Is it hybridlua, or plain Lua with the module?
scratch.is_own_program = scratch.program:match "hybridlua$" ~= nil

--- The specs run many times (tools/test.sh). In the first pass, and in a run by hand, is all tried that takes long;
-- with another collector, by another build and in plain Lua a part of it.
scratch.is_first_pass = scratch.is_own_program and not os.getenv "HYBRIDLUA" and
  os.getenv "HYBRIDLUA_GC" ~= "aggressive"

--- Runs a shell command; what it printed, both outputs, and its exit code.
function scratch.run(command)
  local pipe = io.popen("{ " .. command .. "\n} 2>&1; echo \":$?\"")
  local text = pipe:read "a"
  pipe:close()
  local output, code = text:match "^(.*):(%d+)\n$"
  return output, tonumber(code)
end

local Folder = {}
Folder.__index = Folder

--- A new folder that :remove() takes away again.
function scratch.folder()
  local path = scratch.run("mktemp -d"):gsub("\n", "")
  return setmetatable({ path = path }, Folder)
end

function Folder:remove() os.execute("rm -rf '" .. self.path .. "'") end

--- The path of a file in it.
function Folder:file(name) return self.path .. "/" .. name end

--- The names of all files in it, in order.
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

--- Numbers without luck: the same in every run. below(n) gives 0 to n - 1.
function scratch.numbers(seed)
  local state = seed
  return function(n)
    state = (state * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (state >> 20) % n
  end
end

--- Functions that draw with such numbers: numbers(seed)'s; one from low to high; whether one in n is drawn.
function scratch.draws(seed)
  local below = scratch.numbers(seed)
  return below, function(low, high) return low + below(high - low + 1) end, function(n) return below(n) == 0 end
end

--- A text with a random damage: bits flipped, bytes changed, pieces cut out, doubled or moved.
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
