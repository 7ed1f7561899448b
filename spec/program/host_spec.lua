-- host_spec.lua - the module does not change its host: plain lua5.4 with the module, in separate processes.
local command = require "support.command"

local WORK = [[
local hl = require "hybridlua"
local nd = hl.nd
local text = hl.sym.FullyConnected(hl.sym.var "a", { num_hidden = 3 }):tojson()
local function work()
  local x = nd.ones { 64, 64 }
  x:attach_grad()
  for _ = 1, 300 do
    hl.autograd.record(function() return (nd.dot(x, x) * 2):sum() end):backward()
    hl.sym.load_json(text)
  end
  assert(not pcall(hl.sym.load_json, "{ \"nodes\": [") and not pcall(nd.ones, { 2 ^ 50 }))
end
]]

local HOST = 'local host = assert(package.loadlib("build/spec/host.so", "luaopen_host"))()\n'

-- Runs a script by plain lua5.4 with the module in its path; returns its output.
local function run(text, environment)
  local script = command.file(text)
  local path = ("LUA_CPATH=%s/?.so HYBRIDLUA_CACHE=build/kernels"):format(command.build)
  local output, code = command.run(("env -u OPENBLAS_CORETYPE -u HYBRIDLUA_GC %s %s lua5.4 %s"):format(path,
    environment or "", script))
  assert.equal(0, code or 0, output)
  return output
end

describe("a host that loads the module", function()
  it("keeps its collector's mode and pace", function()
    assert.equal("incremental\t152\t300\ttrue\n", run([[
      collectgarbage("incremental", 152, 300)
      ]] .. WORK .. [[
      work()
      local mode = collectgarbage "incremental"
      print(mode, collectgarbage("setpause", 0), collectgarbage("setstepmul", 0), collectgarbage "isrunning")]]))
    assert.equal("generational\n", run([[collectgarbage "generational"]] .. "\n" .. WORK .. [[
      work()
      print(collectgarbage "incremental")]]))
  end)

  it("keeps its collector stopped", function()
    assert.equal("false\tfalse\n", run(WORK .. [[
      local collected = false
      collectgarbage "stop"
      setmetatable({}, { __gc = function() collected = true end })
      work()
      print(collected, collectgarbage "isrunning")
      collectgarbage "restart"]]))
  end)

  it("keeps its own memory functions for cJSON", function()
    assert.equal("true\ttrue\n", run(HOST .. "host.use_cjson()\nlocal first = host.is_asked()\n" .. WORK .. [[
      work()
      print(first, host.is_asked())]]))
  end)

  it("is not ended by failures", function()
    assert.equal("false\tfalse\n", run(WORK .. [[
      local x = nd.ones({ 64, 64 }, { dtype = "float64" })               -- OpenBLAS computes its products
      print(pcall(nd.dot, x, x) and true, (pcall(nd.load, "/nowhere")))]],
      "HYBRIDLUA_BLAS=/nowhere/blas.so 2>/dev/null"))
  end)

  it("keeps its signals, working directory and locale", function()
    assert.equal("true\n", run([[
      local function state()
        local parts = { os.setlocale() }
        for line in io.lines "/proc/self/status" do
          if line:find "^Sig[BIC]" or line:find "^Umask" then parts[#parts + 1] = line end
        end
        local pipe = io.popen "pwd"
        parts[#parts + 1] = pipe:read "a"
        pipe:close()
        return table.concat(parts, "|")
      end
      local before = state()
      ]] .. WORK .. [[
      work()
      print(state() == before)]]))
  end)

  it("keeps Lua's own functions and the metatables of all types", function()
    assert.matches("^false\t[^:]+:12: attempt to index a number value %(upvalue 'label'%)\n$", run [[
      local plain = { rawset, debug.setmetatable, debug.sethook, getmetatable "".__index }
      local hl = require "hybridlua"
      local label = hl.gluon.data.ArrayDataset(hl.nd.array { 3 })[0]
      hl.compile(function(F, x) return F.tanh(x) end)(hl.nd.ones { 1 })
      for i, value in ipairs { rawset, debug.setmetatable, debug.sethook, getmetatable "".__index } do
        assert(plain[i] == value)
      end
      for _, value in ipairs { 1, true, print, coroutine.running() } do
        assert(debug.getmetatable(value) == nil)
      end
      assert(debug.getmetatable(nil) == nil)
      print(pcall(function() return label:astype "float32" end))]])
  end)
end)

-- The environment without OpenBLAS's choice of kernels, which hybridlua sets.
local ENVIRONMENT = [[
local function environment()
  local pipe = io.popen "env | grep -v '^_=' | grep -v ^OPENBLAS_CORETYPE | sort"
  local text = pipe:read "a"
  pipe:close()
  return text
end
]]

describe("the environment", function()
  it("gets OpenBLAS's choice of kernels when the module is loaded, and nothing later", function()
    assert.equal("true\ttrue\n", run(ENVIRONMENT .. "local before = environment()\n" .. WORK .. [[
      local at_once = os.getenv "OPENBLAS_CORETYPE"
      work()
      print(at_once == os.getenv "OPENBLAS_CORETYPE", before == environment())]]))
  end)

  it("is unchanged if the process has a second thread", function()
    assert.equal("nil\tnil\n", run(HOST .. "host.start_thread()\n" .. WORK .. [[
      local at_once = os.getenv "OPENBLAS_CORETYPE"
      work()
      print(at_once, os.getenv "OPENBLAS_CORETYPE")]]))
  end)

  it("keeps the user's choice", function()
    assert.equal("Haswell\n", run(WORK .. 'work() print(os.getenv "OPENBLAS_CORETYPE")', "OPENBLAS_CORETYPE=Haswell"))
  end)
end)
