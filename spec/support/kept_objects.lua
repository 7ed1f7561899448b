-- kept_objects.lua - C sources of specs compiled to shared objects, which are kept for later runs: most runs have the
-- same sources, and compiling takes up to a minute.
local scratch = require "support.scratch"

local kept_objects = {}

-- An object is beside what it was made from: the command, the compiler's version and the preprocessed source.
local KEPT = "build/spec/objects"

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

--- Compiles `file` by a compiler and flags, unless an object from the same source is there; returns the object's path.
-- `name` begins the object's name. Fails with the compiler's output.
function kept_objects.compile(name, file, compiler, flags)
  local command = ("%s %s -fPIC"):format(compiler, flags)
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

return kept_objects
