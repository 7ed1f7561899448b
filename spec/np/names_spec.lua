-- names_spec.lua - every public name of MXNet 1.9.1's np, npx and np.ndarray (spec/oracle/np_names.txt, which
-- np_names.py writes from MXNet itself): it is there with all its parameters,
-- or refused by name, with the reason, in the guide.
local hl = require "hybridlua"
local definitions = require "hybridlua.np.definitions"
local np, nd = hl.np, hl.nd

local names = {}
for line in io.lines "spec/oracle/np_names.txt" do
  local words = {}
  for word in line:gmatch "%S+" do words[#words + 1] = word end
  local entry = { path = words[1], kind = words[2], parameters = table.move(words, 3, #words, 1, {}) }
  entry.owner, entry.name = entry.path:match "^(.*)%.([^.]+)$"
  names[#names + 1] = entry
end

local guide
do
  local handle <close> = assert(io.open "docs/guide/np.md")
  guide = handle:read "a"
end

local function value_at(path)
  local t = hl
  for part in path:gmatch "[^.]+" do t = t[part] end
  return t
end

-- Whether a call complains of an option, which is given nothing.
local function takes(fn, parameter, ...)
  local args = table.pack(...)
  args[args.n + 1] = { [parameter] = nd.NULL }
  local ok, message = pcall(fn, table.unpack(args, 1, args.n + 1))
  return ok or not tostring(message):find "unknown option", message
end

describe("np, np.random, np.linalg, npx and npx.random", function()
  local refused = {}
  for _, entry in ipairs(names) do
    if entry.owner ~= "ndarray" and not hl.has(entry.path) then refused[#refused + 1] = entry end
  end

  it("have at least 374 names, of which at most 12 are refused, each with a reason and in the guide", function()
    local n = 0
    for _, entry in ipairs(names) do if entry.owner ~= "ndarray" then n = n + 1 end end
    assert.is_true(n >= 374, n .. " names")
    assert.is_true(#refused <= 12, #refused .. " are refused")
    for _, entry in ipairs(refused) do
      local ok, message = pcall(value_at, entry.path)
      assert.is_false(ok)
      local reason = message:match("has no '" .. entry.name .. "'; (.+)$")
      assert.is_true(reason ~= nil and #reason > 15 and not reason:find "did you mean", entry.path .. ": " .. message)
      assert.truthy(guide:find("`" .. entry.path .. "`", 1, true), entry.path .. " is not in the guide")
    end
  end)

  it("take every parameter of MXNet's signatures by name", function()
    local n = 0
    for _, entry in ipairs(names) do
      if entry.owner ~= "ndarray" and entry.kind == "function" and hl.has(entry.path) then
        for _, parameter in ipairs(entry.parameters) do
          local taken, message = takes(value_at(entry.path), parameter)
          assert.is_true(taken, entry.path .. ": " .. tostring(message))
          n = n + 1
        end
      end
    end
    assert.is_true(n > 700, n .. " parameters")
  end)

  -- ctx and out are given by name in practice; np.random has a dtype before them where MXNet has none.
  it("take parameters in MXNet's order", function()
    local by_path = {}
    for _, item in ipairs(definitions.list) do
      local space = item.namespace
      by_path[(space == "npx" and "npx.random." or space and "np." .. space .. "." or "np.") .. item.name] = item
    end
    local n = 0
    for _, entry in ipairs(names) do
      local item, values, expected = by_path[entry.path], {}, {}
      for i, parameter in ipairs(item and entry.kind == "function" and entry.parameters or {}) do
        if parameter == "ctx" or parameter == "out" then values[i] = nd.NULL
        else values[i], expected[parameter] = "value of " .. parameter, "value of " .. parameter end
      end
      if #values > 0 then
        local o = item.read(table.unpack(values))
        for parameter, value in pairs(expected) do
          assert.equal(value, o[parameter], entry.path .. ": " .. parameter)
        end
        n = n + 1
      end
    end
    assert.is_true(n > 150, n .. " functions")
  end)

  it("have the functions for Symbols, too", function()
    for _, entry in ipairs(names) do
      if entry.owner:find "^np" and not entry.owner:find "^npx" and entry.kind == "function" and hl.has(entry.path) then
        assert.is_true(hl.has("sym." .. entry.path), entry.path)
      end
    end
  end)

  it("have dtypes as names, and constants as numbers", function()
    for _, entry in ipairs(names) do
      local value = hl.has(entry.path) and value_at(entry.path)
      if entry.kind == "dtype" then assert.equal(entry.name:gsub("_$", ""), value)
      elseif entry.kind == "constant" and entry.name ~= "newaxis" then assert.is_number(value, entry.path) end
    end
    assert.is_true(np.newaxis == nd.NULL and math.abs(np.pi - math.pi) == 0 and 1 / np.NZERO == -math.huge)
  end)
end)

describe("np's arrays", function()
  -- attributes of MXNet's C library and of Python's exchange of memory
  local NONE = { handle = "no handle", to_dlpack_for_read = "no DLPack", to_dlpack_for_write = "no DLPack",
    writable = "can be written" }

  it("have the methods and properties of MXNet's", function()
    local x = np.ones { 2, 2 }
    x:attach_grad()
    for _, entry in ipairs(names) do
      if entry.owner == "ndarray" then
        local ok, value = pcall(function() return x[entry.name] end)
        if NONE[entry.name] then assert.truthy(not ok and value:find(NONE[entry.name], 1, true), entry.name)
        else
          assert.is_true(ok and value ~= nil, entry.name)
          for _, parameter in ipairs(entry.kind == "method" and entry.parameters or {}) do
            local taken, message = takes(value, parameter, x)
            assert.is_true(taken, entry.path .. ": " .. tostring(message))
          end
        end
      end
    end
  end)
end)
