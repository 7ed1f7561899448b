-- docs.lua write|check - the generated pages: docs/ops.md and the editor types in docs/types. `write` writes them;
-- `check` prints the first line in which each existing page differs, and fails if there is one.
--
-- Every machine generates the same pages from the rows and sources: no list depends on the order of pairs, and
-- output is rounded (tools/docs/operators.lua).
package.path = "tools/?.lua;" .. package.path

require "hybridlua.core".host.take_printed(true)         -- captures the output of F.print in examples

local types = require "docs.types"

local pages = {
  { file = "docs/ops.md", make = require "docs.operators" },
  { file = "docs/types/operators.lua", make = types.operators },
  { file = "docs/types/hybridlua.lua", make = types.modules },
}

local function read(file)
  local handle = io.open(file, "rb")
  local text = handle and handle:read "a" or ""
  if handle then handle:close() end
  return text
end

local function write(file, text)
  local handle = assert(io.open(file, "wb"))
  assert(handle:write(text))
  assert(handle:close())
end

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n?" do lines[#lines + 1] = line end
  return lines
end

-- A message about the first line that differs; nil if none does.
local function difference(file, is, should)
  if is == should then return nil end
  local a, b = lines_of(is), lines_of(should)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      return ("%s:%d: not what the program says; run `make docs`\n  is:        %s\n  should be: %s")
        :format(file, i, a[i] or "(the end)", b[i] or "(the end)")
    end
  end
end

local task = arg[1]
if task ~= "write" and task ~= "check" then
  io.stderr:write "usage: hybridlua tools/docs.lua write|check\n"
  os.exit(2)
end
local good = true
for _, page in ipairs(pages) do
  local text = page.make()
  if task == "write" then
    write(page.file, text)
  else
    local message = difference(page.file, read(page.file), text)
    if message then print(message) end
    good = good and not message
  end
end
os.exit(good)
