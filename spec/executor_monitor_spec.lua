-- executor_monitor_spec.lua - hl.mon.Monitor on Executors.
local hl = require "hybridlua"
local nd, sym = hl.nd, hl.sym

local function bound()
  local net = sym.Activation(sym.FullyConnected { data = sym.var "data", num_hidden = 2, name = "fc" },
    { act_type = "relu", name = "act" })
  local ex = net:simple_bind { data = { 2, 3 } }
  ex.arg_dict.fc_weight:set(1)
  ex.arg_dict.data:set(2)
  return ex
end

local function names_of(results)
  local names = {}
  for i, result in ipairs(results) do names[i] = result[2] end
  return names
end

describe("a Monitor", function()
  it("reports outputs and arguments every interval batches", function()
    local ex, monitor = bound(), hl.mon.Monitor(2)
    monitor:install(ex)
    local counts = {}
    for i = 1, 4 do
      monitor:tic()
      ex:forward()
      local results = monitor:toc()
      counts[i] = #results
      if i == 1 then
        assert.same({ "fc_output", "act_output", "data", "fc_weight", "fc_bias" }, names_of(results))
        assert.same({ 1, "fc_output", "6.0\t" }, results[1])         -- the norm over the square root of the size
        assert.same({ 1, "data", "2.0\t" }, results[3])
      end
    end
    assert.same({ 5, 0, 5, 0 }, counts)
  end)

  it("selects names by a regular expression, sorts them, and takes inputs too", function()
    local ex = bound()
    local monitor = hl.monitor.Monitor(1, nd.max, ".*output|.*weight", { sort = true })
    monitor:install(ex)
    monitor:tic()
    ex:forward()
    assert.same({ "act_output", "fc_output", "fc_weight" }, names_of(monitor:toc()))
    local all = hl.monitor.Monitor { 1, pattern = "act_.*", monitor_all = true }
    all:install(ex)
    all:tic()
    ex:forward()
    assert.same({ "act_input0", "act_output" }, names_of(all:toc()))
  end)

  it("prints arrays and lists of arrays", function()
    local ex = bound()
    local monitor = hl.monitor.Monitor(1, function(x) return { x:min(), x:sum { axis = 0 } } end, "fc_output")
    monitor:install(ex)
    monitor:tic()
    ex:forward()
    assert.equal("6.0\t[12. 12.]\t", monitor:toc()[1][3])
  end)

  it("rejects wrong arguments", function()
    assert.error_matches(function() hl.monitor.Monitor(0) end, "interval: expected an integer of 1 or more")
    assert.error_matches(function() hl.monitor.Monitor(1, 3) end, "stat_func: expected a function of an array")
    assert.error_matches(function() hl.monitor.Monitor(1, nil, "(") end, "regular expression")
    assert.error_matches(function() hl.monitor.Monitor(1):install(3) end, "exe: expected an Executor, got number")
    local ex, monitor = bound(), hl.monitor.Monitor(1, function() return "x" end)
    monitor:install(ex)
    monitor:tic()
    ex:forward()
    assert.error_matches(function() monitor:toc() end, "stat_func: expected an NDArray or a list of NDArrays")
  end)
end)
