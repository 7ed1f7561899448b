-- entry_spec.lua - test builds end the process if a function that Lua calls reads the engine state before it enters it
-- (src/bind/core/entry_check.h).
local command = require "support.command"

local PROGRAM = "build/verify/unentered"

local function run(text)
  local file = io.open(PROGRAM, "rb")
  if not file then return end
  file:close()
  return command.run(PROGRAM .. " " .. command.quote([[
    local hl = require "hybridlua"
    local function array() return hl.nd.ones { 2 } end
    local function record() return hl.autograd.record(array) end
    ]] .. text))
end

local function check_passes(text, expected)
  local output, code = run(text)
  if not output then pending "it needs `make faults`" return end
  assert.equal(expected, output)
  assert.equal(0, code)
end

local function check_stops(text, flag)
  local output, code = run(text)
  if not output then pending "it needs `make faults`" return end
  assert.matches("^hybridlua: spec/native/unentered%.c:%d+: " .. flag .. " does not hold\n", output)
  assert.not_equal(0, code)
end

describe("a function that Lua calls in a test build", function()
  it("may read the coroutine's mode after entering", function()
    check_passes("print(functions.enter_and_read())", "false\n")
    check_passes("print(hl.autograd.record(functions.enter_and_read))", "true\n")
  end)

  it("stops if it reads the mode without entering", function()
    check_stops("print(functions.read_mode())", "engine_entered")
    check_stops("array() functions.enter_and_read() print(functions.read_mode())", "engine_entered")
  end)

  it("stops if it reads the state of its Lua state without entering", function()
    check_passes("print(math.type(functions.enter_state_and_read()))", "integer\n")
    check_stops("functions.enter_state_and_read() functions.read_state()", "state_entered")
  end)

  it("stops if it reads the mode after entering only its Lua state", function()
    check_stops("functions.enter_state_and_read_mode()", "engine_entered")
  end)

  it("may read again after a call in the same coroutine", function()
    check_passes("print(functions.call_and_read(record))", "false\n")
  end)

  it("stops if another coroutine entered during its call", function()
    check_stops("functions.call_and_read(coroutine.wrap(record))", "engine_entered")
    check_passes("print(functions.call_enter_and_read(coroutine.wrap(record)))", "false\n")
  end)

  it("stops if a finalizer entered during its call", function()
    local finalizer = [[
      local function collect()
        setmetatable({}, { __gc = array })
        collectgarbage()
      end
    ]]
    check_stops(finalizer .. "hl.autograd.record(function() functions.call_and_read(collect) end)", "engine_entered")
    check_passes(finalizer .. [[
      local function read() return functions.call_enter_and_read(collect) end
      print(hl.autograd.record(read))
    ]], "true\n")
  end)

  it("stops if a function that it called raised before entering", function()
    check_stops("functions.call_and_read(function() pcall(functions.fail_unentered) end)", "engine_entered")
  end)
end)
