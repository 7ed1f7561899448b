-- exports_spec.lua - exported symbols: the module exports only its opening function; the program also exports Lua's
-- functions, for C modules.
local command = require "support.command"
local scratch = require "support.scratch"

-- Returns the exported functions and data of a file, except those of the linker and the C library.
local function exported(file)
  local names = {}
  for line in command.run("nm -D --defined-only " .. file):gmatch "[^\n]+" do
    local kind, name = line:match "^%x+ (%a) (.+)$"
    if not name then error("nm: " .. line) end
    local linkers = name:find "^_" or name:find "@" or name == "data_start"
    if not linkers then names[#names + 1] = kind .. " " .. name end
  end
  return names
end

describe("#once the exports", function()
  if not scratch.is_first_pass then return end

  it("of the module are one function", function()
    assert.same({ "T luaopen_hybridlua" }, exported "build/hybridlua.so")
  end)

  it("of the program are that function and Lua's", function()
    local lua, ours = 0, {}
    for _, name in ipairs(exported "hybridlua") do
      if name:find "^%a luaL?_" or name:find "^T luaopen_%l+%d?$" and name ~= "T luaopen_hybridlua" then lua = lua + 1
      else ours[#ours + 1] = name end
    end
    assert.same({ "T luaopen_hybridlua" }, ours)
    assert.truthy(lua > 100, lua .. " functions of Lua")
  end)
end)
