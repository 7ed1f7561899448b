-- c99.lua - C99 that specs print, compiled by each compiler of this machine, not optimising and optimising. Warnings
-- and extensions are errors. Objects are kept for later runs, because most runs have the same sources, and compiling
-- takes up to a minute.
local scratch = require "support.scratch"

local c99 = {}

local FLAGS = "-std=c99 -pedantic -Wall -Wextra -Werror -fPIC"

-- An object is beside what it was made from: the command, the compiler's version and the preprocessed source.
local KEPT = "build/spec/objects"

local function installed(name) return os.execute(("command -v %s >/dev/null 2>&1"):format(name)) end

-- gcc, and clang under its plain name or that of a version.
local function installed_compilers()
  local list, clang = { "gcc" }, { "clang" }
  for version = 22, 11, -1 do clang[#clang + 1] = "clang-" .. version end
  for _, name in ipairs(clang) do
    if installed(name) then
      list[2] = name
      break
    end
  end
  return list
end

--- A list of commands, each compiler at -O0 and -O3; gcc -O0 is first.
function c99.compilers()
  local list = {}
  for _, name in ipairs(installed_compilers()) do
    for _, level in ipairs { "-O0", "-O3" } do list[#list + 1] = name .. " " .. level end
  end
  return list
end

--- Does one of these commands optimise?
function c99.optimises(compiler) return compiler:find("-O3", 1, true) ~= nil end

--- The first extension of GNU C in a text, or nil. -pedantic accepts some, such as __typeof__.
function c99.extension(text)
  for _, extension in ipairs { "({", "_Generic", "__typeof__" } do
    if text:find(extension, 1, true) then return extension end
  end
end

local function run(command, on_error)
  local output, code = scratch.run(command)
  if code ~= 0 then
    if on_error then on_error() end
    error(output, 0)
  end
  return output
end

local function read(path)
  local file <close> = io.open(path)
  return file and file:read "a"
end

--- Compiles `file` by a command of c99.compilers and further flags, unless an object from the same source was kept;
-- returns the shared object's path. `name` begins its name. Fails with the compiler's output.
function c99.compile(name, file, compiler, flags)
  local command = ("%s %s %s"):format(compiler, FLAGS, flags or "")
  local from = run(("echo '%s' && %s --version && %s -E -P %s"):format(command, compiler:match "%S+", command, file))
  local kept = ("%s/%s-%s%d"):format(KEPT, name, compiler:gsub("[^%w]", ""), #from)
  if read(kept .. ".from") == from then return kept .. ".so" end
  local folder = run(("mkdir -p %s && mktemp -d %s/new.XXXXXXXX"):format(KEPT, KEPT)):gsub("\n", "")
  local function remove() os.execute(("rm -rf '%s'"):format(folder)) end
  run(("%s -shared -o %s/so %s -lm"):format(command, folder, file), remove)
  scratch.write(folder .. "/from", from)
  -- Other specs may do the same: an object is never beside another one's source.
  os.remove(kept .. ".from")
  assert(os.rename(folder .. "/so", kept .. ".so"))
  assert(os.rename(folder .. "/from", kept .. ".from"))
  remove()
  return kept .. ".so"
end

return c99
