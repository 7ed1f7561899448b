-- odd_arguments.lua NAME - calls one internal function with arguments that no caller passes, and prints the number
-- of errors; without a name, lists the functions. core_spec.lua checks that it does not crash.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local CALLS = 150           -- for each number of arguments
local FEW = 3               -- the same, if the function accepted every single argument: it ignores them

local leaf = nd.ones { 2, 2 }
leaf:attach_grad()
local taped = autograd.record(function() return leaf * 2 end)
local freed = nd.ones { 1 }
freed:free()
local v = sym.var "v"
local pair = sym.Group { v, v * 2 }
local compiled = core.graph.compile("c", { v }, { v * 2 })
local prepared = core.op.prepare("sum", { axis = 0 })

local values = {
  false, true, -1, 0, 2, 1 << 62, math.mininteger, 1.5, 0 / 0, 1e300, "", "/no/such/file", "sum", "sgd_update", {},
  { 1, "x" }, { {} },
  print, coroutine.create(print), io.stdin, nd, nd.NULL, leaf, taped, freed, { leaf }, { leaf, freed }, v, { v },
  { v, 1 }, pair, { pair }, v * 2, { v * 2 }, compiled, prepared, { lr = 1 }, { [true] = 1 }, { lr = { 1 }, wd = "x" },
  core.context.new("cpu", 0),
  setmetatable({}, { __index = function() error "x" end, __len = function() return 1 << 40 end }) }

-- The functions of hybridlua.core and of its objects, by name, except operators.
local functions = {}
local function add(name, f) if type(f) == "function" then functions[name] = f end end
for room, inside in pairs(core) do
  for name, f in pairs(inside) do add(room .. "." .. name, f) end
end
for _, of in ipairs { "array", "symbol" } do
  for _, kind in ipairs { "methods", "metatable" } do
    for name, f in pairs(core[of][kind]) do
      local operator = hl.has("nd." .. name) or hl.has("nd." .. name:match "^(.-)_*$")
      if not operator then add(("%s.%s.%s"):format(of, kind, name), f) end
    end
  end
end
for name, object in pairs { compiled = compiled, prepared = prepared, context = core.context.new("cpu", 0) } do
  for key, f in pairs(getmetatable(object) or {}) do add(name .. "." .. key, f) end
end

if not arg[1] then
  for name in pairs(functions) do print(name) end
  return
end

local seed = 12345
local function below(n)
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return (seed >> 8) % n
end

local f, raised = assert(functions[arg[1]], arg[1]), 0
if arg[1]:find "save" then                  -- else files named after operators would be written
  for i, value in ipairs(values) do
    if value == "sum" or value == "sgd_update" then values[i] = "/no/such/" .. value end
  end
end
for n = 0, 5 do
  local calls = n == 0 and 1 or n == 1 and #values or raised == 0 and FEW or CALLS
  for i = 1, calls do
    local arguments = {}
    for k = 1, n do
      local at = n == 1 and i or below(#values + 1)                   -- 0 means nil
      arguments[k] = values[at]
    end
    local ok, message = pcall(f, table.unpack(arguments, 1, n))
    core.host.fail_allocations(0)      -- this function is among those called
    if not ok then raised = raised + 1 end
    assert(ok or message ~= nil or f == error)
  end
end
io.write("\ncame back, ", raised, " errors\n")
