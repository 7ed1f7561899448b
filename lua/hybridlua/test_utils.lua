-- test_utils.lua - hl.test_utils: what programs use of MXNet's test_utils. The files in test_utils/ are loaded on first
-- use.
local arguments = require "hybridlua.language.arguments"
local context = require "hybridlua.context"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local test_utils = {}

--- The contexts of all GPUs: none in this build.
test_utils.list_gpus = arguments.taking("test_utils.list_gpus", "", function() return context.list_gpus() end)

--- The current context.
test_utils.default_context = arguments.taking("test_utils.default_context", "",
  function() return context.current_context() end)

--- default_dtype(): that of hl.set_default_dtype, "float32" at first.
test_utils.default_dtype = arguments.taking("test_utils.default_dtype", "",
  function() return (core.array.default_dtype()) end)

--- set_default_context(ctx): does nothing for the current context. Errors: any other; contexts are set for a scope
-- here.
test_utils.set_default_context = arguments.taking("test_utils.set_default_context", "ctx", function(ctx)
  if core.context.check("test_utils.set_default_context: ctx", ctx) == context.current_context() then return end
  fail("test_utils.set_default_context: contexts are set for a scope: write local _ <close> = ctx:with()")
end)

local PARTS = {
  compare = "same almost_equal assert_almost_equal assert_allclose assert_almost_equal_ignore_nan " ..
    "assert_almost_equal_with_err assert_exception compare_ndarray_tuple default_rtols default_atols " ..
    "find_max_violation retry default_numeric_eps effective_dtype get_tolerance get_tols get_rtol get_atol get_etol " ..
    "same_array",
  samples = "random_arrays random_uniform_arrays random_sample rand_ndarray rand_shape_2d rand_shape_3d " ..
    "rand_shape_nd rand_coord_2d create_2d_tensor create_vector assign_each assign_each2 collapse_sum_like",
  generators = "mean_check var_check chi_square_check verify_generator gen_buckets_probs_with_ppf",
  graphs = "same_symbol_structure check_speed check_gluon_hybridize_consistency",
  data_files = "download download_model get_mnist get_mnist_ubyte get_cifar10 get_zip_data get_mnist_iterator",
  gradients = "simple_forward numeric_grad check_numeric_gradient check_symbolic_forward check_symbolic_backward " ..
    "check_consistency",
  optimizers = "compare_optimizer",
}

return require "hybridlua.language.module"(test_utils, "hybridlua.test_utils",
  require "hybridlua.language.members"("hybridlua.test_utils", PARTS,
    { DummyIter = "hybridlua.test_utils.dummy_iter" }))
