-- compilers.lua - the C compilers of this machine: gcc, and clang under its plain name or that of a version.
local compilers = {}

local function installed(name) return os.execute(("command -v %s >/dev/null 2>&1"):format(name)) end

--- A list of commands, gcc first.
function compilers.list()
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

return compilers
