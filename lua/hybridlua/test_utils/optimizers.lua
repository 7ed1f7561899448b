-- test_utils/optimizers.lua - compares two optimizers.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local compare = require "hybridlua.test_utils.compare"
local fail = require "hybridlua.language.fail"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd

local function check_optimizer(what, x)
  local Optimizer = require("hybridlua.optimizer").Optimizer
  if not class.is_a(x, Optimizer) then fail("compare_optimizer: %s: expected an Optimizer, got %s", what, type(x)) end
end

local function compare_states(state1, state2, rtol, atol)
  if is_array(state1) or is_plain(state1) then compare.compare_ndarray_tuple(state1, state2, rtol, atol) end
end

--- compare_optimizer(opt1, opt2, shape, dtype, {rtol = 1e-4, atol = 1e-5, compare_states = true}): both optimizers
-- update the same random weight with the same gradient; raises if weights or states differ. shape: a shape, or a list
-- of shapes for several weights.
local function compare_optimizer(opt1, opt2, shape, dtype, w_stype, g_stype, rtol, atol, with_states)
  check_optimizer("opt1", opt1)
  check_optimizer("opt2", opt2)
  if w_stype and w_stype ~= "default" or g_stype and g_stype ~= "default" then
    fail "compare_optimizer: w_stype, g_stype: expected 'default'; there are no sparse arrays"
  end
  if not is_plain(shape) then fail("compare_optimizer: shape: expected a shape, got %s", type(shape)) end
  rtol, atol = rtol or 1e-4, atol or 1e-5
  local shapes = is_plain(shape[1]) and shape or { shape }
  for i, one in ipairs(shapes) do
    local function draw() return nd.random.uniform { shape = one, dtype = dtype or "float32" } end
    local w1, g1 = draw(), draw()
    local w2, g2 = w1:copy(), g1:copy()
    local state1 = opt1:create_state_multi_precision(i - 1, w1)
    local state2 = opt2:create_state_multi_precision(i - 1, w2)
    opt1:update_multi_precision(i - 1, w1, g1, state1)
    opt2:update_multi_precision(i - 1, w2, g2, state2)
    if with_states ~= false then compare_states(state1, state2, rtol, atol) end
    compare.assert_almost_equal(w1, w2, rtol, atol)
  end
end

return { compare_optimizer = arguments.taking("test_utils.compare_optimizer",
  "opt1 opt2 shape{} dtype w_stype g_stype rtol atol compare_states ntensors", compare_optimizer) }
