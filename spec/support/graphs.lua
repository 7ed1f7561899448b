-- graphs.lua - random graphs as text (tools/checksum.lua draw): those of fuzz.lua in whose eager run nothing fails.
return {
[==[
local graph = function(F, x0, x1, x6)
  local v2 = F["cos"](x0)
  local v3 = F["_plus_scalar"](x1)
  local v4 = F["logical_not"](x1)
  local v5 = F["_not_equal"](v3, v3)
  local v7 = F.random.uniform_like(x6, -1, 1)
  return v7, v5, v3
end

local function inputs() return { input(291965, {0, 3, 4}, "float64"), input(857749, {4, 4}, "float64"), nd.array{1, 2, 3}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 1, true, 100
]==],
[==[
local graph = function(F, x0)
  local v2 = F["_equal_scalar"](x0, {["scalar"] = -0.519})
  local v3 = F["amp_cast"](x0, {["dtype"] = "float32"})
  local v4 = F["Concat"](v3)
  return v4, v3
end

local function inputs() return { input(807863, {1, 5}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 2, true, 100
]==],
[==[
local graph = function(F, x0, x4, x5)
  local v1 = F["cbrt"](x0)
  local v2 = F["SoftmaxOutput"](x0, x0, {["grad_scale"] = 1.37, ["multi_output"] = true, ["smooth_alpha"] = -1.91})
  local v3 = F["LinearRegressionOutput"](v2, v2, {["grad_scale"] = 1.98})
  local v6 = F._searchsorted(x4, x5, "right")
  return v6, v3, v2
end

local function inputs() return { input(323760, {8, 3}, "float64"), nd.array{1, 2, 2, 5}:astype("float64"), nd.array{2, 5}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 3, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["elemwise_div"](x0, x0)
  local v3 = F["SoftmaxOutput"](v2, v2, {["grad_scale"] = 1.37, ["ignore_label"] = 0.161, ["use_ignore"] = false, ["preserve_shape"] = false, ["smooth_alpha"] = 0.331})
  local v4 = F["_plus_scalar"](x1)
  local v5 = F["tan"](v4)
  return v5
end

local function inputs() return { input(839657, {2, 1}, "float32"), input(23708, {1, 2, 2}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 4, true, 1
]==],
[==[
local graph = function(F, x0, x9)
  local v1 = F["_as_float"](x0)
  local v2 = F["_equal"](x0, x0)
  local v3 = F["isfinite"](v2)
  local v4 = F["elemwise_sub"](x0, v1)
  local v6 = F["_mod"](x0, v2)
  local v7 = F["_logical_and_scalar"](v3)
  local v8 = F["sigmoid"](v6)
  local v10 = F.random.normal_like(x9, 5, 0.1)
  return v10, v4, v3
end

local function inputs() return { input(871452, {4}, "float32"), nd.array{1, 2, 3} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 6, true, 100
]==],
[==[
local block9 = block(function(F, a10, x15)
  local v11 = F["_mul_scalar"](a10)
  local v12 = F["degrees"](a10)
  local v13 = F["_rmod_scalar"](a10, {["scalar"] = -1.3})
  local v14 = F["_sample_multinomial"](v12, {["get_prob"] = false})
  local v16 = F.where(x15, x15, x15)
  return v16
end)
local graph = function(F, x0, x1, x2, x3, x4, x15, x18)
  local v5 = F.signum_update(x2, x3, x4, {lr = 0.1, momentum = 0.9})
  local v7 = F["broadcast_div"](x1, x1)
  local v8 = F["clip"](v5, {["a_min"] = -1.93, ["a_max"] = 0.491})
  local v17 = block9(v5, x15)
  local v19 = F.Activation(x18, {act_type = "relu"})
  local v20 = F["BlockGrad"](v17)
  return v20, v5
end

local function inputs() return { (input(246590, {}, "float32") * 2):astype("bool"), input(432337, {2, 2}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{{1, 0}, {0, 1}}:astype("float64"), nd.array{-2, 0.5, 1.5}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [6] = "write" }, 7, true, 100
]==],
[==[
local graph = function(F, x0, x1, x5)
  local v3 = F["_sample_normal"](x0, x0, {["dtype"] = "float16"})
  local v4 = F["_logical_xor"](x0, x0)
  local v6 = F.transpose(x5)
  return v6, v3
end

local function inputs() return { input(881038, {2}, "float64"), (input(464693, {}, "float32") * 2):astype("int64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 8, false, 1
]==],
[==[
local block11 = block(function(F, a12, x15, x18, x19)
  local v13 = F["gammaln"](a12)
  local v14 = F["_greater_equal_scalar"](v13, {["scalar"] = -0.449})
  local v16 = F.any(x15, {axis = 1, keepdims = true})
  local v17 = F["mean"](v14, {["exclude"] = false})
  local v20 = F.batch_dot(x18, x19)
  return v20, v16, v13
end)
local block25 = block(function(F, a26, x27)
  local v28 = F.sum(x27, {axis = {0, 2}, keepdims = true})
  local v29 = F["_lesser"](x27, x27)
  return v29
end)
local graph = function(F, x0, x1, x2, x5, x7, x8, x9, x15, x18, x19, x27)
  local v3 = F["broadcast_logical_or"](x2, x2)
  local v4 = F["Flatten"](x2)
  local v6 = F._maximum_scalar(x5)
  local v10 = F.signum_update(x7, x8, x9, {lr = 0.1, momentum = 0.9, wd = 0.01, wd_lh = 0.1})
  local v21, v22, v23 = block11(v10, x15, x18, x19)
  local v24 = F["Concat"](v21, x19, {["dim"] = 1})
  local v30 = block25(v21, x27)
  return v30, v21, v22, v23
end

local function inputs() return { input(396935, {}, "float64"), input(852301, {5}, "float64"), input(756374, {5, 1, 4, 4}, "float64"), nd.array{-1.855, -0.84, 0.755}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{{0, 2, 0}, {3, 5, 6}}:astype("float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}:astype("float64"), nd.array{{{1, -1, 2}, {2, 0, 1}}, {{1, 3, 1}, {0, 2, 2}}}:astype("float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write", [8] = "add", [9] = "write", [10] = "add", [11] = "add" }, 9, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["_power_scalar"](x1)
  local v4 = F["_greater"](x1, v3)
  local v5 = F["arctan"](v3)
  local v6 = F["trunc"](v5)
  return v6, v4, v3
end

local function inputs() return { input(912832, {2, 2, 2}, "float32"), input(320380, {8, 2, 2, 2}, "float32"), input(493344, {2, 8}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 10, true, 100
]==],
[==[
local block8 = block(function(F, a9)
  local v11 = F["broadcast_logical_xor"](a9, a9)
  local v12 = F["exp"](v11)
  return v12
end)
local graph = function(F, x0, x1, x14, x16)
  local v2 = F["_lesser_equal_scalar"](x0)
  local v3 = F["_logical_and"](x1, x1)
  local v4 = F["_hypot_scalar"](v3, {["scalar"] = 1.25})
  local v5 = F["Activation"](x0, {["act_type"] = "tanh"})
  local v6 = F["_linalg_qr"](v3, {["mode"] = "reduced"})
  local v7 = F["abs"](v6[1])
  local v13 = block8(v6[1])
  local v15 = F.argsort(x14)
  local v17 = F.square(x16)
  return v17, v7, v3, v2
end

local function inputs() return { input(428730, {4, 9}, "float32"), input(681555, {1, 4, 1, 3}, "float32"), nd.array{{3, 1, 2}, {5, 6, 4}}, nd.array{-1.8, -0.4, 1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write" }, 11, false, 100
]==],
[==[
local graph = function(F, x0, x4)
  local v1 = F["_not_equal"](x0, x0)
  local v2 = F["_equal"](x0, v1)
  local v3 = F["expm1"](v1)
  local v5 = F.sample_multinomial(x4, {get_prob = true})
  local v6 = F["broadcast_div"](v5[2], v5[2])
  local v7 = F["tan"](x0)
  local v8 = F["_floor_divide_scalar"](v6, {["scalar"] = -1.35})
  local v9 = F["broadcast_mul"](v7, v3)
  return v9, v6, v5[1], v5[2]
end

local function inputs() return { input(944627, {1, 3}, "float32"), nd.array{{0.1, 0.9}, {0.5, 0.5}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write" }, 12, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["softsign"](x0)
  local v4 = F["_isin"](x1, x1, {["invert"] = false})
  local v5 = F["_equal_scalar"](x2)
  local v8 = F["_lesser_equal"](v5, v5)
  local v9 = F["_logical_xor_scalar"](v4, {["scalar"] = 0.061})
  return v9, v3
end

local function inputs() return { input(413056, {1, 6}, "float32"), input(333624, {6, 6, 1, 3}, "float64"), input(982105, {6, 6}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 13, false, 100
]==],
[==[
local block7 = block(function(F, a8)
  local v10 = F["elemwise_add"](a8, a8)
  local v11 = F["broadcast_equal"](v10, v10)
  local v12 = F["nan_to_num"](a8, {["nan"] = 1.24, ["neginf"] = -0.729})
  local v13 = F["where"](v10, v12, v12)
  return v13, v11
end)
local graph = function(F, x0, x1, x3)
  local v2 = F["size_array"](x0)
  local v4 = F.clip(x3, {a_min = -0.5, a_max = 0.75})
  local v5 = F["broadcast_logical_and"](v2, v2)
  local v6 = F.tril(v4, {k = -1})
  local v14, v15 = block7(x3)
  return v14, v15, v2
end

local function inputs() return { input(954213, {4, 4}, "float64"), input(597465, {4, 4, 1}, "float64"), nd.array{-0.81, -0.18, 0.81}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add" }, 14, true, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["one_hot"](x0, {["depth"] = 3, ["on_value"] = 0.911, ["dtype"] = "float16"})
  local v2 = F["_isin"](v1, v1, {["invert"] = true})
  local v3 = F["reciprocal"](x0)
  return v3
end

local function inputs() return { input(470110, {1}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 15, false, 100
]==],
[==[
local block12 = block(function(F, a13, a14)
  local v15 = F["_power_scalar"](a13)
  local v16 = F["broadcast_mod"](a14, a14)
  local v17 = F["_equal"](v15, v15)
  return v17
end)
local graph = function(F, x0, x1, x2, x4, x5, x6, x7, x10)
  local v3 = F["_lesser_equal"](x2, x2)
  local v8 = F.lamb_update_phase1(x4, x5, x6, x7, {t = 2, wd = 0.01, bias_correction = false, clip_gradient = 1})
  local v11 = F.softmin(x10)
  local v18 = block12(x7, v11)
  local v19 = F["_maximum_scalar"](v18)
  return v19
end

local function inputs() return { input(986008, {4}, "float32"), (input(368869, {3, 3}, "float32") * 2):astype("bool"), input(447285, {3}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{{1, 2, 3}, {0.5, -1, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add", [8] = "add" }, 16, true, 1
]==],
[==[
local graph = function(F, x0, x1, x4, x5, x6, x10, x12)
  local v2 = F["add_n"](x0, x0, x0)
  local v3 = F["log_sigmoid"](v2)
  local v7 = F.adagrad_update(x4, x5, x6, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v8 = F["isfinite"](x5)
  local v9 = F["reciprocal"](x5)
  local v11 = F.linalg_maketrian(x10, {lower = false})
  local v13 = F.Activation(x12, {act_type = "sigmoid"})
  local v15 = F["cbrt"](v11)
  return v15, v8
end

local function inputs() return { input(501905, {}, "float32"), input(554365, {2, 2}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{{1, 2, 3}}, nd.array{-2, 0.5, 1.5} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 17, true, 100
]==],
[==[
local block8 = block(function(F, a9, a10, x11, x12)
  local v13 = F.linalg_trsm(x11, x12, {transpose = true, lower = false})
  local v14 = F["hard_sigmoid"](v13, {["alpha"] = 0.481})
  local v15 = F["max"](v13, {["keepdims"] = false, ["exclude"] = true})
  local v16 = F["_lesser_scalar"](v14)
  local v17 = F["trunc"](a9)
  return v17, v13
end)
local graph = function(F, x0, x5, x11, x12)
  local v1 = F["_floor_divide_scalar"](x0, {["scalar"] = 0.721})
  local v2 = F["cos"](x0)
  local v3 = F["reciprocal"](v2)
  local v4 = F["fix"](v2)
  local v6 = F.sample_poisson(x5, {shape = {3}})
  local v7 = F["full_like"](v4, {["fill_value"] = -0.139, ["dtype"] = "float64"})
  local v18, v19 = block8(v6, v7, x11, x12)
  local v20 = F["elemwise_sub"](v18, v19)
  local v21 = F.slice_axis(v20, {axis = -1, begin = -3, stop = -1})
  local v22 = F["broadcast_not_equal"](v20, v19)
  local v23 = F["sqrt"](v22)
  return v23, v18, v19, v6
end

local function inputs() return { input(17802, {}, "float32"), nd.array{1, 100}, nd.array{{2, 9}, {1, 3}}, nd.array{{1, 2, 3}, {4, 5, 6}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add", [4] = "write" }, 18, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F._minimum(x1, x2)
  local v4 = F["expm1"](x2)
  return v4, v3
end

local function inputs() return { input(533699, {4, 3, 1, 4}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 19, true, 100
]==],
[==[
local block4 = block(function(F, a5, a6, x7)
  local v8 = F.max(x7, {axis = {0, 2}, keepdims = true})
  local v9 = F["broadcast_logical_xor"](a6, a6)
  local v10 = F["isposinf"](v8)
  return v10
end)
local graph = function(F, x0, x1, x2, x7, x12, x13)
  local v3 = F.sort(x2)
  local v11 = block4(v3, v3, x7)
  local v14 = F.khatri_rao(x12, x13)
  return v14, v3
end

local function inputs() return { input(27389, {1, 6, 6}, "float64"), input(380224, {2}, "float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{5, 6}, {7, 8}, {9, 10}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "write", [5] = "write" }, 20, false, 1
]==],
[==[
local graph = function(F, x0)
  local v1 = F["_unravel_index"](x0, {["shape"] = 1})
  local v2 = F["Cast"](v1, {["dtype"] = "float64"})
  local v3 = F["square"](v1)
  local v4 = F["expm1"](v3)
  local v5 = F["_hypot_scalar"](v3, {["scalar"] = -1.75})
  local v6 = F["_mod_scalar"](v4)
  local v7 = F["broadcast_lesser"](v5, x0)
  local v8 = F["_not_equal_scalar"](v6, {["scalar"] = -0.419})
  local v9 = F["arccos"](v7)
  local v10 = F["broadcast_logical_and"](v4, v4)
  return v10, v7, v6, v2
end

local function inputs() return { input(543286, {9, 4, 0}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 21, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4)
  local v3 = F["trigamma"](x1)
  local v5 = F._greater_scalar(x4)
  local v6 = F["elemwise_mul"](x4, x4)
  local v7 = F["_maximum"](v6, v5)
  local v8 = F["_power_scalar"](v7)
  return v8, v6, v3
end

local function inputs() return { input(59183, {4, 2}, "float32"), input(402837, {}, "float32"), input(578058, {4}, "float32"), nd.array{-1.8, -0.4, 1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write", [4] = "write" }, 22, true, 100
]==],
[==[
local block2 = block(function(F, a3, x5, x6, x8)
  local v4 = F["_floor_divide_scalar"](a3)
  local v7 = F.take_along_axis(x5, x6, 1)
  local v9 = F.matmul(v7, x8)
  local v10 = F["_rpower_scalar"](a3, {["scalar"] = 1.61})
  local v11 = F["round"](v9)
  return v11, v10
end)
local block16 = block(function(F, a17)
  local v18 = F["zeros_like"](a17)
  local v19 = F["clip"](v18, {["a_min"] = -0.699, ["a_max"] = -0.789})
  local v20 = F["broadcast_add"](a17, v18)
  return v20
end)
local graph = function(F, x0, x1, x5, x6, x8)
  local v12, v13 = block2(x0, x5, x6, x8)
  local v14 = F["_rminus_scalar"](x5)
  local v15 = F["abs"](v14)
  local v21 = block16(v13)
  return v21
end

local function inputs() return { input(575080, {3, 3}, "float32"), input(389613, {3}, "float32"), nd.array{{3, 1, 2}, {5, 6, 4}}, nd.array({{1, 2, 0}, {2, 0, 1}}, {dtype = "int64"}), nd.array{{1, -2}, {3, 4}, {0.5, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [5] = "write" }, 23, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v3 = F["make_loss"](x1)
  local v4 = F["nan_to_num"](x1)
  local v5 = F["slice_like"](v4, x1)
  return v5, x1
end

local function inputs() return { input(90977, {1, 1}, "float32"), input(273046, {1, 6, 6, 1}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 24, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x5)
  local v3 = F["negative"](x0)
  local v4 = F["elemwise_mul"](v3, x0)
  local v6 = F.triu(x5, {k = -1})
  local v7 = F["rcbrt"](x5)
  return v7, v6, v4, v3
end

local function inputs() return { input(606875, {1, 2}, "float64"), input(138844, {}, "float64"), input(498828, {9}, "float64"), nd.array{1, 2, 3}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [4] = "write" }, 25, true, 100
]==],
[==[
local block15 = block(function(F, a16, x19, x20, x21, x22, x23)
  local v17 = F["logical_not"](a16)
  local v18 = F["logical_not"](v17)
  local v24 = F.ftml_update(x19, x20, x21, x22, x23, {lr = 0.1, t = 1})
  local v25 = F["elemwise_div"](v24, x21)
  return v25, v24, v17
end)
local graph = function(F, x0, x1, x2, x3, x13, x19, x20, x21, x22, x23)
  local v4 = F.var(x3)
  local v5 = F["broadcast_sub"](v4, x2)
  local v6 = F["broadcast_div"](v4, x1)
  local v7 = F["_hypot"](x3, x3)
  local v9 = F.std(x3)
  local v10 = F["broadcast_equal"](v7, v7)
  local v11 = F["where"](v6, v6, v9)
  local v12 = F["broadcast_minimum"](x3, v4)
  local v14 = F.max(x13, {axis = 1})
  local v26, v27, v28 = block15(v10, x19, x20, x21, x22, x23)
  return v26, v14, v12, v6
end

local function inputs() return { input(988514, {3, 4}, "float32"), input(179089, {1}, "float64"), input(388377, {4}, "float64"), nd.array{{1, 2}, {3, 7}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{0.1, 0.4}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write", [4] = "write", [5] = "write" }, 26, true, 100
]==],
[==[
local block3 = block(function(F, a4)
  local v5 = F["broadcast_greater"](a4, a4)
  local v6 = F["logical_not"](v5)
  local v7 = F["_logical_xor_scalar"](a4, {["scalar"] = 1})
  local v8 = F["broadcast_add"](v5, a4)
  return v8, v7
end)
local graph = function(F, x0, x1, x17, x20)
  local v2 = F["mish"](x0)
  local v9, v10 = block3(v2)
  local v11 = F["transpose"](v9)
  local v12 = F["_gelu_tanh"](v2)
  local v13 = F["log10"](v12)
  local v14 = F["_minus_scalar"](v11, {["scalar"] = 0.951})
  local v15 = F["gamma"](v13)
  local v16 = F["broadcast_like"](v12, v12)
  local v18 = F.softmax(x17)
  local v19 = F["smooth_l1"](x17, {["scalar"] = 1.77})
  local v21 = F.zeros_like(x20)
  local v22 = F["broadcast_power"](v19, v18)
  local v23 = F["_mul_scalar"](x20, {["scalar"] = -0.519})
  return v23, v19, v13, v12
end

local function inputs() return { input(616461, {4}, "float64"), input(876548, {2, 4, 4, 4}, "float64"), nd.array{{1, 2, 3}, {0.5, -1, 2}}:astype("float64"), nd.array{1, 2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "add" }, 27, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x10, x13, x17)
  local v3 = F["logaddexp"](x0, x0)
  local v4 = F["elemwise_mul"](v3, v3)
  local v5 = F["ones_like"](v4)
  local v6 = F["nan_to_num"](v4, {["nan"] = 0.791})
  local v7 = F["_not_equal"](v3, v5)
  local v8 = F["softsign"](x2)
  local v9 = F["MAERegressionOutput"](v8, x2, {["grad_scale"] = 0.481})
  local v11 = F.LeakyReLU(x10, {act_type = "elu", slope = 0.5})
  local v14 = F.linalg.cholesky(x13)
  local v15 = F["clip"](v11, {["a_min"] = 1.33, ["a_max"] = 1.59})
  local v16 = F["clip"](x10, {["a_min"] = -1.62, ["a_max"] = 0.151})
  local v18 = F.MakeLoss(x17, {normalization = "valid", valid_thresh = 1})
  return v18, v14, v9, v7
end

local function inputs() return { input(132358, {1}, "float32"), input(230396, {3, 7, 3, 3}, "float32"), input(707969, {3, 3}, "float32"), nd.array{-2, 0.5, 1.5}, nd.array{{4, 1}, {1, 3}}, nd.array{1, 2} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "write", [6] = "add" }, 28, false, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x3)
  local v4 = F.rcbrt(x3)
  local v5 = F["_contrib_quadratic"](x3, {["b"] = 0.221, ["c"] = -0.429})
  local v6 = F["_rfloor_divide_scalar"](v4, {["scalar"] = 0.761})
  local v8 = F["mish"](x0)
  local v9 = F["broadcast_logical_or"](x0, v8)
  local v10 = F["broadcast_add"](v8, x0)
  return v10, v8, v6, v4
end

local function inputs() return { input(648256, {}, "float32"), input(118564, {4, 4}, "float32"), input(525549, {1, 1}, "float32"), nd.array{0.675, 1.9, 3.825} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add", [3] = "write", [4] = "add" }, 29, true, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["broadcast_sub"](x0, x0)
  local v2 = F["_equal_scalar"](v1)
  local v3 = F["broadcast_mod"](v1, x0)
  local v4 = F["_npi_where"](x0, v1, v2)
  local v5 = F["_np_cumsum"](v4)
  local v6 = F["relu"](v2)
  local v8 = F["cbrt"](v6)
  return v8, v3, v2
end

local function inputs() return { input(164153, {3, 3, 3, 3}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 30, false, 100
]==],
[==[
local block12 = block(function(F, a13, a14)
  local v15 = F["_logical_and_scalar"](a14)
  local v16 = F["_equal"](a13, a13)
  return v16, v15
end)
local graph = function(F, x0, x4, x9)
  local v1 = F["ceil"](x0)
  local v2 = F["tan"](v1)
  local v3 = F["broadcast_maximum"](x0, v1)
  local v5 = F.slice_axis(x4, {axis = -1, begin = -3, stop = -1})
  local v6 = F["tan"](v5)
  local v7 = F["nan_to_num"](v6)
  local v8 = F["_rminus_scalar"](v6)
  local v10 = F.linalg.matrix_rank(x9)
  local v11 = F["size_array"](v7)
  local v17, v18 = block12(v7, x9)
  local v19 = F["count_nonzero"](x4, {["axis"] = {0, 1}})
  return v19, v6, v1
end

local function inputs() return { input(680050, {6, 3, 6}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{1, 2}, {2, 4}, {3, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 31, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v4 = F["tanh"](x2)
  local v5 = F["_rfloor_divide_scalar"](v4, {["scalar"] = -1.1})
  return v5
end

local function inputs() return { (input(177187, {1}, "float32") * 2):astype("bool"), input(578184, {7, 2}, "float64"), input(165627, {4, 4, 0, 2}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write" }, 32, true, 1
]==],
[==[
local block4 = block(function(F, a5)
  local v6 = F["_logical_xor_scalar"](a5, {["scalar"] = 0.661})
  local v7 = F["_minimum"](a5, a5)
  local v9 = F["_random_exponential_like"](v6, {["lam"] = 0.161})
  local v10 = F["round"](v9)
  return v10, v6
end)
local graph = function(F, x0, x1, x2)
  local v3 = F.max(x2, {axis = 1, exclude = true})
  local v11, v12 = block4(x1)
  local v13 = F["_contrib_allclose"](v11, v11, {["atol"] = 0.061})
  return v13
end

local function inputs() return { input(689636, {1, 3, 3}, "float64"), input(951835, {1, 1, 1}, "float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add", [3] = "write" }, 33, false, 100
]==],
[==[
local graph = function(F, x0, x1, x5)
  local v2 = F.linalg_makediag(x1, {offset = 1})
  local v6 = F.sample_exponential(x5, {shape = {3}})
  return v6, v2
end

local function inputs() return { input(205534, {1, 1}, "float32"), nd.array{{1, 2}, {3, 4}}, nd.array{1, 10} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 34, false, 100
]==],
[==[
local block11 = block(function(F, a12, a13, x14, x17, x19)
  local v15 = F.ceil(x14)
  local v18 = F.Activation(x17, {act_type = "tanh"})
  local v20 = F.softmax(x19)
  return v20, v18
end)
local graph = function(F, x0, x1, x2, x4, x8, x14, x17, x19)
  local v3 = F["_lesser"](x2, x2)
  local v5 = F.contrib.index_array(x4, {axes = {1}})
  local v6 = F["broadcast_logical_or"](v5, v5)
  local v7 = F["rcbrt"](x0)
  local v9 = F.concat(x4, x8, {dim = 1})
  local v10 = F["_logical_and_scalar"](v7, {["scalar"] = -1.07})
  local v21, v22 = block11(v7, x8, x14, x17, x19)
  local v23 = F["sinh"](v22)
  return v23, v22, v9, v7
end

local function inputs() return { input(721431, {7, 2}, "float32"), input(75462, {2, 7}, "float32"), input(442545, {1}, "float32"), nd.array{{1, 2}, {3, 4}}, nd.array{{5}, {6}}, nd.array{-1.8, -0.4, 1.8}, nd.array{-2, 0.5, 1.5}, nd.array{{1, 2, 3}, {0.5, -1, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [4] = "write", [5] = "write", [6] = "write", [7] = "add" }, 35, true, 100
]==],
[==[
local block10 = block(function(F, a11, x12, x13)
  local v14 = F.where(x12, x13, -1)
  local v15 = F["degrees"](v14)
  local v16 = F["_logical_or"](x13, x13)
  return v16
end)
local graph = function(F, x0, x1, x2, x12, x13)
  local v3 = F.mean(x2)
  local v4 = F["reciprocal"](x0)
  local v5 = F["radians"](v3)
  local v6 = F["all"](x1, {["keepdims"] = true})
  local v7 = F["floor"](v5)
  local v8 = F["broadcast_equal"](v7, v5)
  local v9 = F["floor"](v7)
  local v17 = block10(v6, x12, x13)
  local v18 = F["broadcast_mod"](x12, v17)
  local v19 = F["broadcast_greater"](x13, x13)
  return v19, v4
end

local function inputs() return { input(237328, {1, 1}, "float64"), input(640415, {1, 1}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{1, 0}:astype("float64"), nd.array{3, 4}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write", [4] = "write", [5] = "write" }, 36, true, 1
]==],
[==[
local graph = function(F, x0, x2, x7)
  local v3 = F.slice_like(x2, F.zeros{7, 2}, {axes = {-1}})
  local v4 = F["_rmod_scalar"](v3, {["scalar"] = 1.83})
  local v6 = F["_rminus_scalar"](v3, {["scalar"] = 0.881})
  local v8 = F.topk(x7, {k = 1, axis = 0, ret_typ = "both", is_ascend = true})
  local v9 = F["cbrt"](v6)
  local v10 = F["rcbrt"](x7)
  local v11 = F["cos"](v6)
  local v12 = F["_logical_or_scalar"](x2, {["scalar"] = 1.51})
  local v13 = F["_softrelu"](v10)
  local v14 = F["arccosh"](v13)
  local v15 = F["_lesser_equal_scalar"](v13)
  local v16 = F["ceil"](x0)
  return v16, v15, v13, v10
end

local function inputs() return { input(753225, {4}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 37, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["broadcast_lesser_equal"](x2, x2)
  local v4 = F["broadcast_mul"](x1, x1)
  local v5 = F["_lesser_scalar"](x1, {["scalar"] = 1.23})
  return v5, v3
end

local function inputs() return { input(269122, {4}, "float64"), input(707433, {4}, "float64"), input(204050, {3}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 38, true, 100
]==],
[==[
local block10 = block(function(F, a11, a12, x13, x17, x19)
  local v14 = F.silu(x13)
  local v15 = F["gammaln"](a12)
  local v16 = F["negative"](x13)
  local v18 = F._split_v2(x17, {indices = {}, axis = 0, sections = 2})
  local v20 = F.rcbrt(x19)
  return v20, v16
end)
local graph = function(F, x0, x1, x5, x13, x17, x19, x26)
  local v2 = F["_logical_xor_scalar"](x0, {["scalar"] = -0.469})
  local v3 = F["_logical_xor"](v2, v2)
  local v4 = F["clip"](x1, {["a_min"] = -1.64, ["a_max"] = 0.771})
  local v6 = F.space_to_depth(x5, {block_size = 2})
  local v8 = F["floor"](x5)
  local v9 = F["sinh"](x5)
  local v21, v22 = block10(v6, v8, x13, x17, x19)
  local v23 = F["clip"](x19, {["a_min"] = 1.63, ["a_max"] = -1.23})
  local v24 = F["_lesser"](v21, v23)
  local v25 = F["rint"](v22)
  local v27 = F.stack(x26, x26)
  return v27, v25, v23, v21
end

local function inputs() return { input(563973, {4, 4}, "float32"), input(750700, {1, 1}, "float32"), nd.array{{{{1, 2}, {3, 4}}}}, nd.array{-2.7, -0.6, 2.7}, nd.array{{1, 2}, {3, 4}, {5, 6}}, nd.array{0.675, 1.9, 3.825}, nd.array{1, 2} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "write", [5] = "write", [6] = "add" }, 39, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F.stack(x2, x2, x2, {axis = -1})
  local v4 = F["degrees"](x0)
  local v5 = F["reciprocal"](v4)
  local v6 = F["_hypot"](v4, v5)
  local v7 = F["log1p"](v3)
  local v8 = F["_floor_divide_scalar"](v6)
  local v9 = F["diag"](v6)
  return v9, v6
end

local function inputs() return { input(278709, {1, 2, 1}, "float32"), input(16869, {3}, "float32"), nd.array{{1, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 40, false, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x5)
  local v3 = F["_rpower_scalar"](x2)
  local v6 = F.SoftmaxOutput(x4, x5)
  return v6
end

local function inputs() return { input(794606, {1, 3, 4}, "float32"), input(676252, {3, 4, 4, 4}, "float32"), input(464267, {4, 3}, "float32"), nd.array{{1, 2, 3}, {0.5, -1, 2}}, nd.array{2, 0} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [5] = "write" }, 41, true, 100
]==],
[==[
local block14 = block(function(F, a15, a16)
  local v17 = F["SwapAxis"](a15, {["dim1"] = -1, ["dim2"] = 0})
  local v18 = F["amp_cast"](a15, {["dtype"] = "float32"})
  local v19 = F["signsgd_update"](a16, a16, {["lr"] = 1.53, ["wd"] = 1.14, ["rescale_grad"] = 0.581, ["clip_gradient"] = -1.77})
  return v19
end)
local graph = function(F, x0, x1, x3, x7, x8, x9)
  local v2 = F["elemwise_mul"](x1, x1)
  local v4 = F.sin(x3)
  local v5 = F["repeat"](v4, {["repeats"] = 1})
  local v6 = F["round"](x3)
  local v10 = F.multi_lars(x7, x7, x8, x9, {eta = 0.001, eps = 0.0001})
  local v12 = F["silu"](x8)
  local v13 = F["reverse"](v5, {["axis"] = {0}})
  local v20 = block14(x9, x8)
  local v21 = F["expand_dims"](x7, {["axis"] = 1})
  local v22 = F["norm"](v20)
  local v23 = F["_lesser"](v21, v21)
  local v24 = F["degrees"](v21)
  local v25 = F["Cast"](v23, {["dtype"] = "float16"})
  return v25, v23, v10, v5
end

local function inputs() return { input(310503, {4, 2, 0}, "float64"), input(464954, {}, "float64"), nd.array{-2.7, -0.6, 2.7}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{1, 4}:astype("float64"), nd.array{0.01, 0}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write", [4] = "add", [6] = "add" }, 42, true, 100
]==],
[==[
local block2 = block(function(F, a3, a4, x5, x8)
  local v6 = F.nansum(x5, {axis = 1, exclude = true})
  local v7 = F["_hypot_scalar"](v6)
  local v9 = F._split_v2(x8, {indices = {0, 1, 3}})
  return v9[1], v6
end)
local graph = function(F, x0, x5, x8)
  local v1 = F["_minus_scalar"](x0)
  local v10, v11 = block2(x0, x0, x5, x8)
  return v10, v1
end

local function inputs() return { input(826401, {4, 1}, "float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64"), nd.array{{1, 2, 3, 4}, {5, 6, 7, 8}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 43, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x9, x15)
  local v3 = F["elemwise_mul"](x1, x1)
  local v4 = F["isinf"](x1)
  local v5 = F["relu"](v3)
  local v6 = F["fill_element_0index"](x0, x0, x0)
  local v7 = F["broadcast_greater_equal"](v6, x0)
  local v8 = F["broadcast_logical_or"](v3, x1)
  local v10 = F.broadcast_like(x9, F.zeros{2, 3})
  local v11 = F["floor"](v8)
  local v13 = F["erf"](v3)
  local v14 = F["_plus_scalar"](v10, {["scalar"] = -1.46})
  local v16 = F.linalg.svd(x15)
  return v16[1], v16[2], v16[3], v13
end

local function inputs() return { input(342298, {1, 1}, "float64"), input(845401, {}, "float64"), input(308245, {1, 4}, "float64"), nd.array{{1}, {2}}:astype("float64"), nd.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [4] = "write" }, 44, false, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x4, x5, x11, x15)
  local v6 = F.InstanceNorm(x3, x4, x5, {eps = 0.1})
  local v8 = F["tril"](x3, {["k"] = 0})
  local v9 = F["broadcast_not_equal"](v8, v6)
  local v10 = F["_hypot_scalar"](v9)
  local v12 = F.topk(x11, {k = 2, ret_typ = "value"})
  local v13 = F["topk"](x3, {["axis"] = 0, ["k"] = 1, ["is_ascend"] = false})
  local v14 = F["broadcast_logical_xor"](v13, v6)
  local v16 = F.expand_dims(x15, {axis = -1})
  local v17 = F["_hypot"](v14, v13)
  local v18 = F["_contrib_quadratic"](v16, {["a"] = 1.42})
  return v18, v17, v9, v6
end

local function inputs() return { (input(730438, {4}, "float32") * 2):astype("bool"), input(331124, {3, 2, 2}, "float32"), input(875912, {2}, "float32"), nd.array{{{1, 2, 4}, {0.5, -1, 2}}}, nd.array{1, 2}, nd.array{0, 1}, nd.array{{3, 1, 2}, {5, 6, 4}}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write", [4] = "write", [6] = "write", [7] = "write", [8] = "write" }, 45, true, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["broadcast_add"](x0, x0)
  local v2 = F["smooth_l1"](x0)
  local v3 = F["_sample_generalized_negative_binomial"](v2, x0, {["shape"] = 0})
  return v3
end

local function inputs() return { input(351884, {3}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 46, true, 100
]==],
[==[
local block12 = block(function(F, a13, x15, x16, x17)
  local v14 = F["trunc"](a13)
  local v18 = F.rmsprop_update(x15, x16, x17, {lr = 0.1, gamma1 = 0.9, wd = 0.01, clip_weights = 0.9})
  local v19 = F["cbrt"](v18)
  local v20 = F["BlockGrad"](x17)
  return v20, v19, v14
end)
local block25 = block(function(F, a26, a27, x29)
  local v28 = F["_not_equal"](a26, a26)
  local v30 = F._logical_or(x29, x29)
  local v31 = F["_gelu_tanh"](v30)
  local v32 = F["cbrt"](x29)
  return v32, v31
end)
local graph = function(F, x0, x4, x5, x8, x10, x15, x16, x17, x29)
  local v1 = F["_mod"](x0, x0)
  local v2 = F["elemwise_mul"](x0, x0)
  local v3 = F["expm1"](v2)
  local v6 = F.batch_dot(x4, x5)
  local v7 = F["sqrt"](x4)
  local v9 = F.trunc(x8)
  local v11 = F.diag(x10)
  local v21, v22, v23 = block12(x8, x15, x16, x17)
  local v24 = F["_logical_xor_scalar"](v22, {["scalar"] = 0.861})
  local v33, v34 = block25(v22, x17, x29)
  return v33, v11, v9, v6
end

local function inputs() return { input(867781, {4}, "float32"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, nd.array{{{1, -1, 2}, {2, 0, 1}}, {{1, 3, 1}, {0, 2, 2}}}, nd.array{-1.8, -0.4, 1.8}, nd.array{{1, 2, 3}, {4, 5, 6}}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.3, 0.1}, nd.array{-1.8, -0.4, 1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [4] = "write", [5] = "add", [9] = "write" }, 47, true, 100
]==],
[==[
local block3 = block(function(F, a4, a5)
  local v6 = F["gammaln"](a5)
  local v7 = F["sigmoid"](a5)
  local v8 = F["radians"](v7)
  local v9 = F["trigamma"](v6)
  local v10 = F.linalg_sumlogdiag(v6)
  return v10, v8, v7
end)
local graph = function(F, x0, x1, x2, x14, x23, x24, x27)
  local v11, v12, v13 = block3(x1, x1)
  local v15 = F.diag(x14, {k = -1})
  local v16 = F["_random_normal_like"](x1)
  local v17 = F["_power_scalar"](x14)
  local v20 = F["_minimum"](v16, v12)
  local v21 = F["_mul_scalar"](v16)
  local v22 = F["_minimum"](v21, v21)
  local v25 = F.khatri_rao(x23, x24, x23)
  local v26 = F["gamma"](v25)
  local v28 = F.relu(x27)
  return v28, v25, v15
end

local function inputs() return { input(383679, {2}, "float64"), input(747623, {2, 2}, "float64"), input(219705, {4, 1}, "float64"), nd.array{1, 2}:astype("float64"), nd.array{{1, 2}}:astype("float64"), nd.array{{3, 4}, {5, 6}}:astype("float64"), nd.array{0.195, 0.86, 1.905}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [4] = "write", [5] = "write", [6] = "write" }, 48, true, 1
]==],
[==[
local graph = function(F, x0)
  local v1 = F["_logical_or_scalar"](x0, {["scalar"] = 0.701})
  local v2 = F["one_hot"](v1, {["depth"] = 3, ["on_value"] = 1.75, ["off_value"] = -0.069, ["dtype"] = "int32"})
  return v2
end

local function inputs() return { input(899576, {}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 49, true, 100
]==],
[==[
local block3 = block(function(F, a4, x6, x7)
  local v5 = F["_minus_scalar"](a4, {["scalar"] = 0.781})
  local v8 = F.elemwise_sub(x6, x7)
  local v9 = F["_maximum"](x6, x6)
  local v11 = F["isinf"](v9)
  return v11, v9
end)
local graph = function(F, x0, x6, x7)
  local v1 = F["pick"](x0, x0, {["keepdims"] = true, ["mode"] = "wrap"})
  local v2 = F["_logical_xor_scalar"](v1, {["scalar"] = 1.83})
  local v12, v13 = block3(x0, x6, x7)
  local v14 = F["_logical_and"](v12, v12)
  local v15 = F["_minimum_scalar"](v13)
  local v16 = F["_rminus_scalar"](v15)
  local v17 = F.rcbrt(v15)
  local v18 = F["_not_equal"](x0, x0)
  local v19 = F["isfinite"](x0)
  return v19, v18, v16, v1
end

local function inputs() return { input(415473, {2, 8, 2, 1}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 50, false, 100
]==],
[==[
local graph = function(F, x0, x1, x7, x11, x16, x17, x18, x19)
  local v2 = F["expand_dims"](x0, {["axis"] = -1})
  local v3 = F["elemwise_mul"](v2, v2)
  local v4 = F["round"](v3)
  local v5 = F["_greater_equal_scalar"](v3)
  local v6 = F["_logical_xor_scalar"](v3, {["scalar"] = -0.309})
  local v8 = F.tanh(x7)
  local v9 = F["_logical_xor_scalar"](v5)
  local v10 = F["_linalg_lstsq"](v6, v9)
  local v12 = F.arctanh(x11)
  local v13 = F["log_sigmoid"](x11)
  local v14 = F["hard_sigmoid"](v6, {["alpha"] = 0.321})
  local v15 = F["_softrelu"](v13)
  local v20 = F.lamb_update_phase1(x16, x17, x18, x19, {t = 1, wd = 0})
  return v20, v12, v10[2], v3
end

local function inputs() return { input(931370, {1, 2, 1}, "float32"), input(326222, {1, 2}, "float32"), nd.array{-1.8, -0.4, 1.8}, nd.array{-0.72, -0.16, 0.72}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add" }, 51, false, 100
]==],
[==[
local block2 = block(function(F, a3, a4, x9)
  local v6 = F["broadcast_logical_xor"](a4, a4)
  local v8 = F["digamma"](a3)
  local v10 = F.linalg.matrix_rank(x9, {hermitian = true})
  return v10
end)
local graph = function(F, x0, x1, x9)
  local v11 = block2(x0, x1, x9)
  local v12 = F["elemwise_mul"](v11, v11)
  local v14 = F["_lesser"](v11, v12)
  local v15 = F["_not_equal"](v14, v12)
  return v15, v14
end

local function inputs() return { input(425059, {4, 1, 2}, "float32"), input(300102, {2}, "float32"), nd.array{{{1, 2}, {2, 4}}, {{1, 0}, {0, 1}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write" }, 52, true, 1
]==],
[==[
local block6 = block(function(F, a7, a8)
  local v9 = F["rcbrt"](a7)
  local v10 = F["_minimum_scalar"](a7, {["scalar"] = -0.669})
  local v11 = F["pick"](a7, v10)
  return v11
end)
local graph = function(F, x0, x15)
  local v1 = F["radians"](x0)
  local v2 = F["broadcast_sub"](x0, x0)
  local v3 = F["multi_all_finite"](x0, {["init_output"] = false})
  local v5 = F["arcsin"](v1)
  local v12 = block6(v3, v5)
  local v13 = F["round"](v12)
  local v14 = F["tan"](v5)
  local v16 = F.isneginf(x15)
  local v17 = F["take"](v14, x15, {["axis"] = 0})
  return v17, v14, v1
end

local function inputs() return { input(940957, {5, 4, 3}, "float32"), nd.array{1, 1 / 0, -1 / 0, 0 / 0} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write" }, 53, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x5, x6, x13)
  local v3 = F["_greater_equal_scalar"](x2)
  local v7 = F.nag_mom_update(x4, x5, x6, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1})
  local v8 = F["_equal"](v7, v7)
  local v9 = F["_logical_and"](v7, x6)
  local v10 = F["log2"](v9)
  local v11 = F["Reshape"](x5, {["shape"] = {0}, ["target_shape"] = {1, 4, 4, 4}})
  local v12 = F["_greater"](v10, v9)
  local v14 = F.log(x13)
  local v16 = F["_minus_scalar"](x2, {["scalar"] = -1.04})
  local v18 = F["cbrt"](x13)
  local v19 = F["_contrib_index_copy"](v14, v18, x13)
  local v20 = F.signsgd_update(x6, v7, {lr = 0.1, wd = 0.01})
  return v20, v19, v18, v3
end

local function inputs() return { input(456854, {4, 1}, "float64"), input(180365, {1, 8}, "float64"), input(641077, {1}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.39, 1.72, 3.81}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [7] = "write" }, 54, true, 100
]==],
[==[
local block10 = block(function(F, a11, x16)
  local v12 = F["isinf"](a11)
  local v13 = F["Cast"](v12, {["dtype"] = "float64"})
  local v14 = F["_linalg_eigvalsh"](a11)
  local v15 = F["arccos"](v14)
  local v17 = F._greater_equal_scalar(x16)
  return v17
end)
local graph = function(F, x0, x1, x6, x16, x23)
  local v2 = F["broadcast_lesser_equal"](x0, x0)
  local v3 = F["broadcast_equal"](x0, x0)
  local v5 = F["trigamma"](v2)
  local v7 = F.linalg.pinv(x6)
  local v8 = F["_lesser_scalar"](x6, {["scalar"] = -1.1})
  local v9 = F["broadcast_mod"](v2, v3)
  local v18 = block10(v9, x16)
  local v19 = F["sort"](v18)
  local v20 = F.one_hot(v18, {depth = 3})
  local v21 = F["sigmoid"](v20)
  local v22 = F["arccos"](v18)
  local v24 = F.identity(x23)
  return v24, v18, v2
end

local function inputs() return { input(972751, {2, 2}, "float64"), input(566683, {}, "float64"), nd.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = "float64"}), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1, 2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [4] = "write", [5] = "write" }, 55, true, 100
]==],
[==[
local block2 = block(function(F, a3, a4)
  local v5 = F["elemwise_add"](a4, a3)
  local v6 = F["abs"](a4)
  local v7 = F["_logical_xor"](v6, a4)
  local v8 = F["_unravel_index"](v7, {["shape"] = 1})
  return v8
end)
local graph = function(F, x0, x10, x11, x12, x14, x15, x17, x21, x22)
  local v1 = F["radians"](x0)
  local v9 = block2(v1, v1)
  local v13 = F.InstanceNorm(x10, x11, x12, {eps = 0.1})
  local v16 = F.elemwise_mul(x14, x15)
  local v18 = F.argmin(x17, {axis = 1})
  local v20 = F["_lesser_equal_scalar"](v18, {["scalar"] = 0.181})
  local v23 = F.GroupNorm(x21, v20, x22, {num_groups = 2, eps = 0.1})
  local v24 = F["_lesser_equal"](x22, v18)
  return v24, v20, v16
end

local function inputs() return { input(488648, {1, 5}, "float64"), nd.array{{{1, 2, 4}, {0.5, -1, 2}}}:astype("float64"), nd.array{1, 2}:astype("float64"), nd.array{0, 1}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64"), nd.array{{1, 5, 2}, {7, 3, 4}}:astype("float64"), nd.array{{{1, 2}, {4, 0.5}, {-1, 2}, {3, 0}}}:astype("float64"), nd.array{0, 1}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [6] = "write", [8] = "write", [9] = "write" }, 56, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x7, x11, x12, x15, x16)
  local v3 = F["_rfloor_divide_scalar"](x1)
  local v5 = F.degrees(x4)
  local v6 = F["broadcast_floor_divide"](v3, x1)
  local v8 = F.mean(x7, {axis = 1, exclude = true})
  local v9 = F["cos"](v8)
  local v10 = F["broadcast_lesser_equal"](v9, v9)
  local v13 = F.take_along_axis(x11, x12, {axis = 0})
  local v14 = F["Activation"](x0, {["act_type"] = "softsign"})
  local v17 = F.Embedding(x16, x15, {input_dim = 2, output_dim = 2})
  local v19 = F["_rfloor_divide_scalar"](x15)
  local v20 = F["sin"](v5)
  local v22 = F["sign"](v6)
  local v23 = F["broadcast_floor_divide"](v22, x1)
  return v23, v13, v3
end

local function inputs() return { input(4546, {8, 2}, "float32"), input(518026, {1, 8}, "float32"), input(543805, {2, 2, 8}, "float32"), nd.array{-2.7, -0.6, 2.7}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, nd.array{{3, 1, 2}, {5, 6, 4}}, nd.array({{1, 0, 1}}, {dtype = "int64"}), nd.array{{1, 2}, {4, 5}}, nd.array({1, 0, 1}, {dtype = "int32"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [4] = "write", [5] = "add", [6] = "write", [8] = "write" }, 57, true, 100
]==],
[==[
local block2 = block(function(F, a3, x4, x8)
  local v5 = F.flatten(x4)
  local v6 = F["_not_equal_scalar"](x4, {["scalar"] = -1.7})
  local v7 = F["zeros_like"](x4)
  local v9 = F.diag(x8, {k = -1})
  return v9, v7
end)
local graph = function(F, x0, x1, x4, x8, x13, x16)
  local v10, v11 = block2(x0, x4, x8)
  local v12 = F["_lesser_equal"](x0, x0)
  local v14 = F.sample_generalized_negative_binomial(x13, x13, {shape = {3}})
  local v15 = F["size_array"](v10)
  local v17 = F.relu(x16)
  local v18 = F["_random_normal_like"](x13)
  return v18, v17, v11
end

local function inputs() return { (input(305897, {3}, "float32") * 2):astype("bool"), input(787814, {9, 1}, "float32"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, nd.array{1, 2}, nd.array{1, 10}, nd.array{0.195, 0.86, 1.905} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write", [4] = "write", [5] = "write", [6] = "add" }, 58, true, 100
]==],
[==[
local graph = function(F, x0, x2, x3, x4, x5)
  local v1 = F["arctan"](x0)
  local v6 = F.lamb_update_phase1(x2, x3, x4, x5, {t = 2, wd = 0.01, bias_correction = false, clip_gradient = 1})
  return v6, v1
end

local function inputs() return { input(14132, {4}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 59, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4)
  local v3 = F["_logical_xor"](x1, x1)
  local v5 = F.argmax_channel(x4)
  local v6 = F["_minimum"](v5, v5)
  return v6, v3
end

local function inputs() return { input(530029, {}, "float64"), input(727941, {5, 3, 3}, "float64"), input(759363, {2}, "float64"), nd.array{{1, 5, 2}, {7, 3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [4] = "write" }, 60, true, 1
]==],
[==[
local block4 = block(function(F, a5, x6, x7)
  local v8 = F.pick(x6, x7)
  local v9 = F["_softrelu"](v8)
  return v9
end)
local graph = function(F, x0, x1, x2, x6, x7, x13)
  local v3 = F["elemwise_mul"](x2, x2)
  local v10 = block4(v3, x6, x7)
  local v11 = F["_softrelu"](x0)
  local v12 = F["_logical_or_scalar"](v11, {["scalar"] = 0.711})
  local v14 = F.linalg.svd(x13)
  local v15 = F["_hypot_scalar"](v14[3])
  local v16 = F["logical_not"](v15)
  return v16, v14[3], v12
end

local function inputs() return { input(45926, {1, 1, 8, 1}, "float64"), input(777533, {3}, "float64"), input(279131, {3}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array({2, 0}, {dtype = "int32"}), nd.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write", [4] = "write", [6] = "write" }, 61, true, 100
]==],
[==[
local block6 = block(function(F, a7, x8, x9, x10, x14, x15)
  local v11 = F.adagrad_update(x8, x9, x10, {lr = 0.1})
  local v12 = F["_contrib_quadratic"](v11, {["c"] = 1.07})
  local v13 = F["log1p"](v11)
  local v16 = F.take(x14, x15)
  return v16, v13
end)
local graph = function(F, x0, x4, x8, x9, x10, x14, x15, x21)
  local v1 = F["abs"](x0)
  local v2 = F["_minimum_scalar"](x0)
  local v3 = F["arccosh"](v2)
  local v5 = F.all(x4, {axis = 0})
  local v17, v18 = block6(v1, x8, x9, x10, x14, x15)
  local v19 = F["_rpower_scalar"](x15)
  local v20 = F["cbrt"](v17)
  local v22 = F.linalg_gemm2(v17, x21, {transpose_a = true, transpose_b = true, axis = 0})
  local v23 = F["erf"](v22)
  local v24 = F["make_loss"](v22)
  local v25 = F["_plus_scalar"](v23)
  local v26 = F["rint"](v24)
  local v27 = F["trigamma"](v24)
  return v27, v23, v22, v17
end

local function inputs() return { input(561824, {2, 1, 4, 0}, "float64"), nd.array{{0, 2, 0}, {0, 5, 6}}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{{1, 2}, {3, 4}, {5, 6}}:astype("float64"), nd.array({{0, 2}, {2, 9}}, {dtype = "int32"}), nd.array{{{1, 0.5}, {2, -1}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [6] = "write", [8] = "write" }, 62, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["_greater"](x1, x1)
  local v4 = F["Concat"](x1, {["dim"] = 2})
  local v5 = F["broadcast_mul"](v4, v3)
  local v6 = F["broadcast_equal"](v5, v4)
  return v6, v3
end

local function inputs() return { input(77721, {5, 3, 4}, "float32"), input(681957, {3, 4, 1}, "float32"), input(414547, {5, 5, 4}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add" }, 63, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["_minus_scalar"](x1, {["scalar"] = 0.251})
  local v4 = F["_linalg_trsm"](x1, v3, {["rightside"] = false, ["lower"] = false})
  local v6 = F["broadcast_not_equal"](v4, v4)
  return v6, v4, v3, x0
end

local function inputs() return { input(494570, {6, 2, 6}, "float16"), input(329631, {6, 6}, "float32"), input(484049, {}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write" }, 64, true, 1
]==],
[==[
local block8 = block(function(F, a9, x12)
  local v10 = F["_logical_or_scalar"](a9, {["scalar"] = 1.16})
  local v13 = F.split(x12, {num_outputs = 2})
  local v14 = F["log1p"](v13[1])
  return v14, v13[1]
end)
local block20 = block(function(F, a21)
  local v22 = F["_logical_and"](a21, a21)
  local v23 = F["erfinv"](v22)
  local v24 = F["repeat"](v22, {repeats = 2})
  local v25 = F["floor"](v22)
  return v25, v24, v23
end)
local graph = function(F, x0, x6, x12, x17)
  local v1 = F["_contrib_quadratic"](x0, {["a"] = 0.581})
  local v2 = F["cbrt"](x0)
  local v3 = F["clip"](v1, {["a_min"] = 1.27, ["a_max"] = -0.039})
  local v4 = F["prod"](v1, {["keepdims"] = true, ["exclude"] = false})
  local v7 = F.cbrt(x6)
  local v15, v16 = block8(v3, x12)
  local v18 = F.log_softmax(x17)
  local v19 = F["broadcast_mul"](x17, x17)
  local v26, v27, v28 = block20(v16)
  local v29 = F["broadcast_mod"](v26, v26)
  local v30 = F["amp_cast"](v28, {["dtype"] = "int32"})
  local v32 = F["sign"](v19)
  return v32, v30, v26, v19
end

local function inputs() return { input(87307, {3, 9}, "float32"), nd.array{0.675, 1.9, 3.825}, nd.array{{1, 2, 3, 4}, {5, 6, 7, 8}}, nd.array{{1, 2, 3}, {0.5, -1, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "add", [4] = "add" }, 65, true, 100
]==],
[==[
local block4 = block(function(F, a5, a6)
  local v7 = F["fix"](a5)
  local v8 = F["negative"](a5)
  local v9 = F["_lesser_equal"](a5, a6)
  local v10 = F["gammaln"](v9)
  return v10
end)
local block12 = block(function(F, a13, a14, x16, x18, x19, x20, x21)
  local v15 = F["square"](a13)
  local v17 = F.topk(x16, {k = 2})
  local v22 = F.adadelta_update(x18, x19, x20, x21, {rho = 0.9})
  local v23 = F["_random_exponential_like"](x20, {["lam"] = 0.641})
  return v23
end)
local block25 = block(function(F, a26)
  local v27 = F["_logical_and"](a26, a26)
  local v28 = F["nanprod"](a26, {["axis"] = 0, ["exclude"] = false})
  local v29 = F["broadcast_hypot"](v27, a26)
  return v29
end)
local block32 = block(function(F, a33, a34)
  local v35 = F["hard_sigmoid"](a34, {["alpha"] = -1.51, ["beta"] = -1.76})
  local v36 = F["make_loss"](v35)
  local v37 = F["_lesser_equal_scalar"](a34)
  return v37
end)
local block39 = block(function(F, a40, x42)
  local v41 = F["_lesser_equal_scalar"](a40, {["scalar"] = 1.44})
  local v43 = F.sample_multinomial(x42, {get_prob = true})
  return v43[1]
end)
local graph = function(F, x0, x2, x16, x18, x19, x20, x21, x42, x47, x51)
  local v1 = F["nan_to_num"](x0, {["nan"] = 1.92, ["posinf"] = -0.249})
  local v3 = F.softmin(x2, {axis = 1, temperature = 2})
  local v11 = block4(v3, v3)
  local v24 = block12(v1, x2, x16, x18, x19, x20, x21)
  local v30 = block25(x20)
  local v31 = F["_power_scalar"](v24, {["scalar"] = -0.619})
  local v38 = block32(v24, v30)
  local v44 = block39(v24, x42)
  local v45 = F["elemwise_div"](x42, x42)
  local v46 = F["SoftmaxOutput"](v45, v45, {["grad_scale"] = 1.43, ["ignore_label"] = 1.55, ["normalization"] = "batch", ["smooth_alpha"] = 0.971})
  local v48 = F.cumsum(x47)
  local v49 = F["_logical_or_scalar"](x47, {["scalar"] = -1.8})
  local v52 = F.contrib.arange_like(x51)
  return v52, v49, v38, v30
end

local function inputs() return { input(603205, {1, 3}, "float64"), nd.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}:astype("float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{{0.1, 0.9}, {0.5, 0.5}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [8] = "write", [9] = "write" }, 66, true, 100
]==],
[==[
local block2 = block(function(F, a3, x6, x7)
  local v4 = F["degrees"](a3)
  local v5 = F["tile"](v4, {["reps"] = {4, 4, 4}})
  local v8 = F._lesser(x6, x7)
  local v9 = F["broadcast_greater_equal"](x7, x6)
  return v9, v8
end)
local graph = function(F, x0, x1, x6, x7)
  local v10, v11 = block2(x0, x6, x7)
  local v12 = F["broadcast_mul"](x7, v11)
  local v13 = F["ceil"](v11)
  local v14 = F["_logical_xor_scalar"](v12, {["scalar"] = 1.57})
  local v15 = F["_lesser_scalar"](x7, {["scalar"] = 0.121})
  return v15, v14
end

local function inputs() return { input(119102, {5, 4}, "float64"), input(252533, {5, 5}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [4] = "add" }, 67, true, 100
]==],
[==[
local block2 = block(function(F, a3, x4)
  local v5 = F.LeakyReLU(x4, {act_type = "rrelu"})[1]
  local v6 = F["silu"](a3)
  return v6
end)
local block17 = block(function(F, a18, x20)
  local v19 = F["elemwise_div"](a18, a18)
  local v21 = F.Dropout(x20, {p = 0.3})
  return v21, v19
end)
local graph = function(F, x0, x1, x4, x14, x20)
  local v7 = block2(x1, x4)
  local v8 = F["degrees"](v7)
  local v9 = F["floor"](x0)
  local v10 = F["_logical_and"](v8, v9)
  local v11 = F["round"](x0)
  local v12 = F["degrees"](v8)
  local v15 = F.broadcast_lesser_equal(x14, x4)
  local v16 = F["_linalg_gelqf"](x0)
  local v22, v23 = block17(v16[1], x20)
  return v22, v23, v16[1], v16[2]
end

local function inputs() return { input(634999, {3, 8}, "float64"), input(239308, {3, 8}, "float64"), nd.array{-2, 0.5, 1.5}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [5] = "write" }, 68, true, 1
]==],
[==[
local graph = function(F, x0, x2, x5, x8)
  local v1 = F["all_finite"](x0)
  local v3 = F._softrelu(x2)
  local v4 = F["_lesser_equal_scalar"](x2)
  local v6 = F._logical_and_scalar(x5)
  local v7 = F["slice"](x5, {["begin"] = {0}, ["end"] = 0})
  local v9 = F.broadcast_not_equal(x5, x8)
  local v10 = F["log_sigmoid"](v9)
  local v11 = F["transpose"](v9, {["axes"] = {0}})
  return v11, v6, v4
end

local function inputs() return { input(150896, {4}, "float32"), nd.array{-2.7, -0.6, 2.7}, nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "add" }, 69, true, 100
]==],
[==[
local block2 = block(function(F, a3, a4, x6, x9)
  local v5 = F["broadcast_hypot"](a4, a3)
  local v7 = F.slice_assign_scalar(x6, {scalar = 9, begin = {0, 1}, stop = {1, 3}})
  local v8 = F["multi_all_finite"](x6, {["init_output"] = false})
  local v10 = F._hypot_scalar(x9)
  local v11 = F["exp"](x9)
  return v11, v7
end)
local graph = function(F, x0, x1, x6, x9, x19, x21, x25)
  local v12, v13 = block2(x0, x0, x6, x9)
  local v14 = F["_floor_divide_scalar"](v13, {["scalar"] = -0.059})
  local v15 = F["log1p"](v12)
  local v16 = F["broadcast_minimum"](x1, x1)
  local v17 = F["_npi_where"](x6, v13, v14)
  local v18 = F["gammaln"](v13)
  local v20 = F.nansum(x19, {axis = {0, 2}, keepdims = true})
  local v22 = F.reshape(x21, {0, -3})
  local v23 = F["_plus_scalar"](v22)
  local v24 = F["sqrt"](x19)
  local v26 = F.mean(x25)
  return v26, v23, v17, v16
end

local function inputs() return { input(666793, {3, 3, 1, 3}, "float32"), input(433826, {3, 3, 1}, "float32"), nd.array{{1, 2, 3}, {4, 5, 6}}, nd.array{-1.8, -0.4, 1.8}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [4] = "write", [5] = "write", [7] = "write" }, 70, true, 100
]==],
[==[
local block3 = block(function(F, a4, a5, x8, x9, x10)
  local v6 = F["_equal"](a5, a5)
  local v7 = F["broadcast_logical_xor"](a4, a4)
  local v11 = F.sgd_mom_update(x8, x9, x10, {lr = 0.1, momentum = 0.9})
  return v11
end)
local graph = function(F, x0, x1, x8, x9, x10, x13, x17, x18, x19, x21, x22)
  local v2 = F["_lesser_equal"](x0, x0)
  local v12 = block3(v2, x0, x8, x9, x10)
  local v14 = F.mean(x13, {axis = 1})
  local v16 = F["broadcast_logical_and"](x9, x10)
  local v20 = F.rmsprop_update(x17, x18, x19, {lr = 0.1})
  local v23 = F.matmul(x21, x22)
  return v23, v20, v12
end

local function inputs() return { (input(859147, {1, 1}, "float32") * 2):astype("bool"), (input(648370, {3, 3}, "float32") * 2):astype("bool"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{{1, 2, 3}, {4, 5, 6}}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.3, 0.1}, nd.array{{1, 2}, {3, 4}}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [6] = "write", [11] = "write" }, 71, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x10, x11, x12, x13)
  local v3 = F["trigamma"](x1)
  local v4 = F["_greater_equal_scalar"](v3)
  local v5 = F["sinh"](x2)
  local v7 = F["_mul_scalar"](v4, {["scalar"] = -0.729})
  local v8 = F["_hypot_scalar"](v5)
  local v9 = F["repeat"](x0, {["repeats"] = 2})
  local v14 = F.adamw_step(x10, x11, x12, x13, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v15 = F["rsqrt"](x13)
  return v15, v9, v5
end

local function inputs() return { input(676380, {9, 4, 2}, "float64"), input(284241, {1, 9, 0, 2}, "float64"), input(679437, {9, 1, 1}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add" }, 72, false, 1
]==],
[==[
local block12 = block(function(F, a13, a14)
  local v15 = F["_hypot"](a13, a14)
  local v16 = F["multi_all_finite"](a13)
  return v16
end)
local block18 = block(function(F, a19, a20)
  local v21 = F["cosh"](a19)
  local v22 = F["arctan"](a20)
  local v23 = F["cbrt"](a20)
  return v23, v22, v21
end)
local graph = function(F, x0, x1, x2, x3, x4, x5)
  local v6 = F.nag_mom_update(x3, x4, x5, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1})
  local v7 = F["_greater_equal_scalar"](v6)
  local v8 = F["Activation"](x1, {["act_type"] = "sigmoid"})
  local v9 = F["exp"](v6)
  local v10 = F["_greater_equal_scalar"](x4, {["scalar"] = 1})
  local v11 = F["arccos"](v8)
  local v17 = block12(v9, v10)
  local v24, v25, v26 = block18(v11, v10)
  local v27 = F["broadcast_mul"](v26, v11)
  local v28 = F["round"](x1)
  return v28, v24, v25, v9
end

local function inputs() return { input(192277, {3, 1, 3}, "float64"), input(596131, {3, 3, 1}, "float64"), input(546084, {0}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write" }, 73, true, 100
]==],
[==[
local graph = function(F, x0, x1, x4, x7, x14)
  local v2 = F["Flatten"](x0)
  local v3 = F["floor"](x1)
  local v5 = F.random.uniform_like(x4, -1, 1)
  local v6 = F["logical_not"](x4)
  local v8 = F.broadcast_maximum(v5, x7)
  local v9 = F["_rpower_scalar"](x7)
  local v10 = F["_greater_scalar"](v9, {["scalar"] = -1.73})
  local v11 = F["isfinite"](x4)
  local v12 = F["_sample_normal"](v11, v11, {["shape"] = {0}})
  local v13 = F["elemwise_div"](v12, v12)
  local v15 = F._mod(x4, x14)
  return v15, v13, v12, v11
end

local function inputs() return { input(708174, {4, 2}, "float64"), input(93337, {4}, "float64"), nd.array{1, 2, 3}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64"), nd.array{0.885, 0.78, 0.615}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [5] = "add" }, 74, true, 100
]==],
[==[
local block2 = block(function(F, a3, x7, x8, x9, x12, x13, x14, x15, x16)
  local v4 = F["_equal_scalar"](a3)
  local v5 = F["broadcast_hypot"](v4, a3)
  local v10 = F.contrib.index_copy(x7, x9, x8)
  local v11 = F["_lesser_equal"](x8, x8)
  local v17 = F.ftml_update(x12, x13, x14, x15, x16, {lr = 0.1, t = 3, wd = 0.01, clip_grad = 1})
  return v17, v10, v5
end)
local block23 = block(function(F, a24, x26, x27)
  local v25 = F["cosh"](a24)
  local v28 = F._linalg_lstsq(x26, x27)[1]
  return v28
end)
local graph = function(F, x0, x7, x8, x9, x12, x13, x14, x15, x16, x26, x27, x30, x33)
  local v1 = F["add_n"](x0, x0, x0)
  local v18, v19, v20 = block2(v1, x7, x8, x9, x12, x13, x14, x15, x16)
  local v21 = F["log1p"](v18)
  local v22 = F["broadcast_floor_divide"](v20, v1)
  local v29 = block23(v22, x26, x27)
  local v31 = F._as_float(x30)
  local v32 = F["elemwise_add"](x30, v31)
  local v34 = F.reshape(x33, {shape = {-4, 1, 2, -4, 2, -1, 1}})
  local v35 = F["trigamma"](x33)
  local v36 = F["_floor_divide_scalar"](x33, {["scalar"] = -1.24})
  return v36, v34, v31, v20
end

local function inputs() return { input(224071, {6, 2}, "float32"), nd.array{{1, 2}, {3, 4}, {5, 6}}, nd.array{{7, 8}, {9, 1}}, nd.array({2, 0}, {dtype = "int32"}), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{0.1, 0.4}, nd.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = "float64"}), nd.array({{{1, 2}, {3, 5}}}, {dtype = "float64"}), nd.array{1, 2}, nd.array{{1, 2, 3, 4}, {5, 6, 7, 8}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [10] = "add", [11] = "write", [13] = "write" }, 75, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["where"](x2, x2, x1)
  local v4 = F["_mul_scalar"](x0, {["scalar"] = -1.84})
  local v5 = F["floor"](x0)
  local v6 = F["_maximum"](x1, x0)
  local v7 = F["degrees"](v4)
  local v8 = F["hard_sigmoid"](x0)
  return v8, v7, v3
end

local function inputs() return { input(739969, {1, 1}, "float32"), input(183507, {1, 1}, "float32"), input(890433, {1}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 76, false, 1
]==],
[==[
local graph = function(F, x0)
  local v1 = F["gammaln"](x0)
  local v2 = F["_maximum"](v1, v1)
  local v3 = F["log_sigmoid"](x0)
  return v3
end

local function inputs() return { input(749555, {4}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 78, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x4)
  local v5 = F.fill_element_0index(x3, x4, x4)
  local v6 = F["_mul_scalar"](x3)
  local v7 = F["broadcast_logical_xor"](x3, x3)
  local v8 = F["mish"](v7)
  local v9 = F["_greater_equal"](v7, v5)
  local v10 = F["LinearRegressionOutput"](v8, v8)
  local v11 = F["cos"](v10)
  local v12 = F["_div_scalar"](v10)
  local v13 = F["relu"](v12)
  local v14 = F["mish"](v9)
  local v15 = F["_equal_scalar"](v14, {["scalar"] = -0.089})
  return v15, v14, v7, v6
end

local function inputs() return { input(265452, {1}, "float64"), input(737026, {4, 4, 4}, "float64"), (input(63374, {2, 1}, "float32") * 2):astype("int64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{7, 8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [4] = "add", [5] = "write" }, 79, true, 100
]==],
[==[
local block8 = block(function(F, a9, a10, x11)
  local v12 = F.broadcast_logical_and(x11, a10)
  local v13 = F["broadcast_floor_divide"](a9, x11)
  return v13, v12
end)
local graph = function(F, x0, x1, x3, x6, x11)
  local v2 = F["_maximum_scalar"](x1)
  local v4 = F.linalg_inverse(x3)
  local v5 = F["_power_scalar"](x3, {["scalar"] = 1.94})
  local v7 = F.radians(x6)
  local v14, v15 = block8(x6, x6, x11)
  local v16 = F["cosh"](v5)
  return v16, v5, v2
end

local function inputs() return { input(781350, {}, "float64"), (input(573973, {1, 2}, "float32") * 2):astype("int32"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{-162, -36, 162}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [5] = "add" }, 80, false, 1
]==],
[==[
local graph = function(F, x0, x2, x3, x4, x5, x16)
  local v1 = F["broadcast_hypot"](x0, x0)
  local v6 = F.adam_update(x2, x3, x4, x5, {lr = 0.1})
  local v7 = F["_softrelu"](x5)
  local v9 = F["_shuffle"](x3)
  local v10 = F["_greater_scalar"](v9)
  local v11 = F["_greater"](v7, x3)
  local v12 = F["_greater"](v1, x0)
  local v13 = F["_greater_equal"](v11, v11)
  local v14 = F["broadcast_logical_and"](v12, v1)
  local v15 = F["arctan"](v12)
  local v17 = F._quantile(x16, {q = {0.3}, axis = 1, scalar = true})
  local v18 = F["_random_generalized_negative_binomial_like"](x2)
  local v19 = F["_contrib_index_copy"](x4, v7, v18)
  return v19, v18, v14, v12
end

local function inputs() return { input(297247, {3, 4, 1, 1}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{{3, 1, 2}, {5, 9, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [6] = "write" }, 81, false, 100
]==],
[==[
local block10 = block(function(F, a11, a12, x16)
  local v13 = F["_greater_equal_scalar"](a12, {["scalar"] = 1.45})
  local v14 = F["_lesser_equal_scalar"](v13)
  local v15 = F["_softrelu"](a12)
  local v17 = F._mul_scalar(x16)
  return v17
end)
local graph = function(F, x0, x1, x2, x8, x16, x19)
  local v3 = F.pick(x1, x2, {axis = 0, keepdims = true})
  local v4 = F["_lesser_scalar"](v3, {["scalar"] = -0.589})
  local v5 = F["any"](x0, {["keepdims"] = true})
  local v6 = F["broadcast_hypot"](v4, v3)
  local v7 = F["elemwise_div"](v6, v3)
  local v9 = F.squeeze(x8)
  local v18 = block10(v5, x8, x16)
  local v20 = F._minimum_scalar(x19)
  local v21 = F["_floor_divide_scalar"](v4, {["scalar"] = 0.861})
  return v21, v20, v9, v6
end

local function inputs() return { input(813144, {4, 1, 3, 6}, "float32"), nd.array{{1, 2, 3}, {4, 5, 6}}, nd.array({0, 1, -5}, {dtype = "int32"}), nd.array{{5}}, nd.array{-1.8, -0.4, 1.8}, nd.array{-1.855, -0.84, 0.755} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write", [5] = "write", [6] = "write" }, 82, true, 100
]==],
[==[
local block7 = block(function(F, a8, x10)
  local v9 = F["var"](a8, {["keepdims"] = false})
  local v11 = F.ones_like(x10)
  return v11
end)
local graph = function(F, x0, x1, x3, x10, x14, x17, x18, x19)
  local v2 = F["elemwise_div"](x0, x0)
  local v4 = F.roll(x3, 1, {axis = 1})
  local v5 = F["_greater_equal"](v2, x0)
  local v6 = F["_floor_divide_scalar"](v5, {["scalar"] = -1.3})
  local v12 = block7(x3, x10)
  local v13 = F["log10"](x3)
  local v15 = F.LayerNorm(v4, x14, x14)
  local v16 = F["broadcast_greater_equal"](x14, v15)
  local v20 = F.FullyConnected(x17, x18, x19, {num_hidden = 1})
  return v20, v13, v5, v2
end

local function inputs() return { input(329041, {4, 4, 2}, "float32"), input(457408, {9}, "float32"), nd.array{{1, 2, 3}, {4, 5, 6}}, nd.array{1, 2}, nd.array{1, 2, 0.5}, nd.array{{{1, 2}, {3, 4}}}, nd.array{{1, 0, -1, 2}}, nd.array{0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "write", [5] = "write", [7] = "add", [8] = "write" }, 83, true, 100
]==],
[==[
local block3 = block(function(F, a4, a5)
  local v6 = F["_logical_xor_scalar"](a4, {["scalar"] = 1.7})
  local v7 = F["all_finite"](v6)
  local v8 = F["erf"](v7)
  local v9 = F["broadcast_div"](v7, v7)
  local v10 = F["smooth_l1"](v6, {["scalar"] = -1.82})
  return v10, v7
end)
local graph = function(F, x0)
  local v1 = F["_greater_equal"](x0, x0)
  local v2 = F["squeeze"](v1)
  local v11, v12 = block3(v1, v2)
  local v13 = F["_softrelu"](v11)
  local v14 = F["_minimum_scalar"](v12)
  local v15 = F["array_equal"](v14, v12)
  return v15, v2
end

local function inputs() return { input(844938, {1, 3, 4}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 84, true, 1
]==],
[==[
local graph = function(F, x0, x2)
  local v1 = F["_npi_where"](x0, x0, x0)
  local v3 = F.linalg_det(x2)
  local v4 = F["_rmod_scalar"](v3)
  local v5 = F["_linalg_matrix_rank"](x2)
  return v5, v1
end

local function inputs() return { input(338628, {4, 4}, "float64"), nd.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 85, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["_logical_and"](x0, x0)
  local v3 = F["_minus_scalar"](x0, {["scalar"] = 0.821})
  local v4 = F["_mod"](x1, x1)
  local v5 = F["trunc"](x0)
  local v6 = F["broadcast_lesser"](x1, v4)
  return v6, v4, v3
end

local function inputs() return { input(854525, {3, 7}, "float32"), input(779187, {1, 7}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 86, true, 100
]==],
[==[
local block4 = block(function(F, a5, a6)
  local v7 = F["_plus_scalar"](a6, {["scalar"] = 1.33})
  local v8 = F["sinh"](a6)
  return v8
end)
local block11 = block(function(F, a12, a13, x16, x17, x18)
  local v14 = F["log10"](a13)
  local v15 = F["_gelu_tanh"](v14)
  local v19 = F.rmsprop_update(x16, x17, x18, {lr = 0.1})
  return v19, v14
end)
local graph = function(F, x0, x1, x2, x16, x17, x18)
  local v3 = F.Activation(x2, {act_type = "sigmoid"})
  local v9 = block4(x1, x2)
  local v10 = F["round"](v3)
  local v20, v21 = block11(x1, v3, x16, x17, x18)
  local v22 = F["_as_float"](v20)
  return v22, v20, v21, v10
end

local function inputs() return { input(370422, {3, 3}, "float32"), input(119413, {1, 3, 4, 4}, "float16"), nd.array{-2, 0.5, 1.5}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write" }, 87, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x5, x6, x7, x9)
  local v3 = F["sqrt"](x2)
  local v4 = F["_linalg_det"](x0)
  local v8 = F.signum_update(x5, x6, x7, {lr = 0.1, momentum = 0.9})
  local v10 = F.reshape(x9, {shape = {-1, 0}, reverse = true})
  return v10, v4
end

local function inputs() return { input(886319, {4, 4}, "float32"), input(730530, {4}, "float32"), input(685231, {1, 2}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write" }, 88, true, 1
]==],
[==[
local block8 = block(function(F, a9)
  local v10 = F["_contrib_index_array"](a9, {["axes"] = {0}})
  local v11 = F["all"](a9, {["axis"] = 0, ["keepdims"] = false})
  local v12 = F["_floor_divide_scalar"](v10)
  return v12, v11
end)
local graph = function(F, x0, x1, x2, x5, x15, x17, x18, x19, x20, x21)
  local v3 = F["elemwise_sub"](x1, x1)
  local v4 = F["_greater_equal_scalar"](x2)
  local v6 = F.std(x5, {axis = 1})
  local v7 = F["_copy"](x1)
  local v13, v14 = block8(v6)
  local v16 = F.broadcast_greater_equal(x15, x15)
  local v22 = F.ftml_update(x17, x18, x19, x20, x21, {lr = 0.1, t = 1})
  local v23 = F["negative"](x21)
  return v23, v6
end

local function inputs() return { input(402216, {1}, "float64"), input(84287, {4, 6}, "float64"), input(789422, {4, 4, 0, 4}, "float64"), nd.array{{1, 2, 4}, {4, 5, 9}}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{0.1, 0.4}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write", [5] = "write" }, 89, true, 100
]==],
[==[
local block2 = block(function(F, a3, x6, x7, x8, x9, x10)
  local v4 = F["expand_dims"](a3, {["axis"] = 3})
  local v5 = F["roll"](a3, {["shift"] = 2, ["axis"] = {0, 3, 3, 2}})
  local v11 = F.ftml_update(x6, x7, x8, x9, x10, {lr = 0.1, t = 3, wd = 0.01, clip_grad = 1})
  local v12 = F["var"](x8, {["ddof"] = 0, ["keepdims"] = false})
  local v13 = F["floor"](x10)
  return v13, v12, v11
end)
local graph = function(F, x0, x1, x6, x7, x8, x9, x10, x18, x24)
  local v14, v15, v16 = block2(x0, x6, x7, x8, x9, x10)
  local v17 = F["rcbrt"](v14)
  local v19 = F.random.generalized_negative_binomial_like(x18, 4, 0.3)
  local v20 = F["arcsinh"](x18)
  local v21 = F["reciprocal"](v20)
  local v22 = F["ceil"](x7)
  local v23 = F["arcsinh"](v19)
  local v25 = F._isin(x24, v19)
  return v25, v17, v15
end

local function inputs() return { input(623279, {4, 4, 2, 7}, "float16"), input(608507, {7, 7, 2, 7}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{0.1, 0.4}:astype("float64"), nd.array{1, 2, 3}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [8] = "write", [9] = "add" }, 90, true, 100
]==],
[==[
local block17 = block(function(F, a18, x22)
  local v19 = F["clip"](a18, {["a_min"] = 0.981, ["a_max"] = 1.51})
  local v20 = F["array_equal"](a18, v19)
  local v21 = F["_rpower_scalar"](v19)
  local v23 = F.SoftmaxActivation(x22)
  local v24 = F["arcsinh"](v23)
  return v24, v19
end)
local graph = function(F, x0, x1, x2, x3, x5, x9, x11, x12, x14, x15, x22, x27)
  local v4 = F.cbrt(x3)
  local v6 = F.min(x5)
  local v7 = F["_lesser_equal_scalar"](x2, {["scalar"] = 1.34})
  local v8 = F["logical_not"](v6)
  local v10 = F.topk(x9, {k = 2, ret_typ = "value"})
  local v13 = F.linalg_gemm(x11, v10, x12, {alpha = 1.5, beta = 0.5})
  local v16 = F.concat(x14, x15, {dim = 1})
  local v25, v26 = block17(x14, x22)
  local v28 = F.nanprod(x27, {axis = 1})
  return v28, v16, v8, v4
end

local function inputs() return { input(411803, {}, "float64"), input(315110, {1, 0}, "float64"), input(785355, {1, 3, 1, 1}, "float64"), nd.array{0.675, 1.9, 3.825}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{1, 1}, {2, 2}}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{5}, {6}}:astype("float64"), nd.array{{1, 2, 3}, {0.5, -1, 2}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add", [3] = "write", [4] = "add", [5] = "add", [7] = "write", [8] = "write", [9] = "write", [10] = "write", [11] = "write", [12] = "add" }, 91, true, 100
]==],
[==[
local block9 = block(function(F, a10, a11)
  local v12 = F["tanh"](a10)
  local v13 = F["broadcast_hypot"](v12, a10)
  local v14 = F["sinh"](v13)
  return v14, v13
end)
local graph = function(F, x0, x1, x2, x4)
  local v3 = F["sign"](x0)
  local v5 = F.sinh(x4)
  local v6 = F["floor"](x4)
  local v7 = F["_mod_scalar"](x1, {["scalar"] = 1.95})
  local v8 = F["broadcast_mul"](v5, v5)
  local v15, v16 = block9(v7, v8)
  local v17 = F["trigamma"](v15)
  local v18 = F.broadcast_greater_equal(v5, v5)
  local v19 = F["relu"](v5)
  local v20 = F["amp_cast"](v7, {["dtype"] = "int32"})
  local v21 = F["broadcast_mul"](v19, v19)
  return v21, v19, v18, v5
end

local function inputs() return { input(927700, {}, "float32"), input(572920, {1, 4}, "float32"), input(81901, {3, 3}, "float32"), nd.array{-1.8, -0.4, 1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add" }, 92, false, 1
]==],
[==[
local graph = function(F, x0, x1, x3)
  local v2 = F["where"](x0, x0, x0)
  local v4 = F.nansum(x3, {axis = 1, exclude = true})
  local v5 = F["_div_scalar"](x0)
  local v6 = F["squeeze"](v5)
  local v7 = F["stack"](v5, {["axis"] = 3})
  return v7, v5
end

local function inputs() return { input(443597, {4, 2, 1, 4}, "float32"), input(7309, {4, 2, 1, 7}, "float32"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add" }, 93, true, 100
]==],
[==[
local graph = function(F, x0, x7)
  local v1 = F["gamma"](x0)
  local v3 = F["any"](v1, {["axis"] = {-1}})
  local v4 = F["square"](x0)
  local v5 = F["_lesser"](x0, v1)
  local v6 = F["arcsinh"](v1)
  local v8 = F.linalg_extractdiag(x7)
  local v9 = F["broadcast_sub"](x7, x7)
  local v10 = F["clip"](x7, {["a_min"] = 0.661, ["a_max"] = -1.98})
  local v11 = F["digamma"](v6)
  local v12 = F["_div_scalar"](v11)
  return v12, v4
end

local function inputs() return { input(959495, {1, 1, 1}, "float32"), nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 94, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["_rminus_scalar"](x0, {["scalar"] = -2})
  local v4 = F["broadcast_logical_and"](x1, x2)
  local v5 = F["fix"](x0)
  local v6 = F["sigmoid"](v3)
  local v7 = F["reciprocal"](v4)
  return v7
end

local function inputs() return { input(475392, {2, 2, 2}, "float64"), input(949329, {2}, "float64"), input(20536, {1, 2, 2}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 95, true, 100
]==],
[==[
local block5 = block(function(F, a6)
  local v7 = F["_npi_where"](a6, a6, a6)
  local v8 = F["squeeze"](a6)
  local v9 = F["elemwise_div"](v8, v8)
  local v10 = F["_digitize"](v9, v8, {["right"] = false})
  return v10, v9
end)
local graph = function(F, x0, x1)
  local v3 = F["broadcast_floor_divide"](x1, x1)
  local v4 = F["cos"](v3)
  local v11, v12 = block5(v4)
  local v13 = F["add_n"](v4, v4)
  local v14 = F["relu"](v13)
  local v15 = F["_rminus_scalar"](v12)
  return v15, v12, v4, v3
end

local function inputs() return { (input(811952, {1, 1}, "float32") * 2):astype("int64"), input(513693, {5, 1}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 96, true, 1
]==],
[==[
local graph = function(F, x0, x8)
  local v1 = F["_as_float"](x0)
  local v2 = F["broadcast_mul"](v1, x0)
  local v3 = F["_logical_or_scalar"](x0)
  local v4 = F["mean"](v1)
  local v5 = F["_rdiv_scalar"](v4)
  local v6 = F["arctan"](v5)
  local v7 = F["_lesser_equal_scalar"](v6)
  local v9 = F._not_equal_scalar(x8)
  local v10 = F["logical_not"](v9)
  local v11 = F["_greater_equal_scalar"](v9)
  local v12 = F["digamma"](v3)
  local v13 = F["silu"](v11)
  return v13, v12, v7, v6
end

local function inputs() return { input(507186, {1, 4}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add" }, 97, true, 100
]==],
[==[
local block13 = block(function(F, a14, x16, x18)
  local v15 = F["sqrt"](a14)
  local v17 = F.linalg_syevd(x16)
  local v19 = F.topk(x18, {k = 2})
  return v19
end)
local block21 = block(function(F, a22, x23, x28)
  local v24 = F.swapaxes(x23, {dim1 = 0, dim2 = 2})
  local v25 = F["_sample_gamma"](v24, v24, {["shape"] = {1, 2, 4, 0}, ["dtype"] = "float64"})
  local v26 = F["negative"](v25)
  local v27 = F["_logical_or_scalar"](v26)
  local v29 = F._run_starts(x28)
  return v29, v26, v25
end)
local graph = function(F, x0, x1, x2, x9, x16, x18, x23, x28)
  local v3 = F["broadcast_lesser"](x1, x1)
  local v4 = F["broadcast_not_equal"](v3, v3)
  local v5 = F["hard_sigmoid"](v4, {["alpha"] = 1.5, ["beta"] = -0.459})
  local v7 = F["_plus_scalar"](v4, {["scalar"] = -0.259})
  local v8 = F["round"](v4)
  local v10 = F.rcbrt(x9)
  local v11 = F.LeakyReLU(v10, {act_type = "selu"})
  local v12 = F["broadcast_maximum"](v11, v10)
  local v20 = block13(x9, x16, x18)
  local v30, v31, v32 = block21(x18, x23, x28)
  return v30
end

local function inputs() return { input(875, {1, 2}, "float32"), input(465036, {}, "float32"), input(268208, {2}, "float32"), nd.array{0.675, 1.9, 3.825}, nd.array{{4, 1}, {1, 3}}, nd.array{{3, 1, 2}, {5, 6, 4}}, nd.array{{{1, 2, 3}, {4, 5, 6}}}, nd.array{1, 1, 2, 1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write", [4] = "write", [5] = "write", [7] = "add" }, 98, false, 100
]==],
[==[
local graph = function(F, x0, x1, x5, x7, x11, x13, x14)
  local v2 = F["zeros_like"](x1)
  local v3 = F["softsign"](x0)
  local v4 = F["rint"](v2)
  local v6 = F.one_hot(x5, {depth = 2, on_value = 5, off_value = -1, dtype = "int32"})
  local v8 = F.stop_gradient(x7)
  local v10 = F.zeros_like(x7)
  local v12 = F.signsgd_update(x11, x11, {lr = 0.1})
  local v15 = F.array_equal(x13, x14)
  return v15, v6, v2
end

local function inputs() return { input(516773, {0, 4}, "float32"), input(388451, {1}, "float32"), nd.array{{1}, {-1}}, nd.array{1, 2}, nd.array{1, -1}, nd.array{1, 2}, nd.array{{1, 2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write", [7] = "add" }, 99, true, 100
]==],
[==[
local block9 = block(function(F, a10, a11)
  local v12 = F["broadcast_hypot"](a10, a10)
  local v14 = F["log1p"](v12)
  local v15 = F["_rminus_scalar"](a11, {["scalar"] = -1.66})
  local v16 = F["broadcast_greater"](v15, a11)
  return v16, v15
end)
local graph = function(F, x0, x4)
  local v1 = F["signsgd_update"](x0, x0, {["lr"] = 0.851, ["rescale_grad"] = 0.431, ["clip_gradient"] = -1.11})
  local v2 = F["softsign"](v1)
  local v3 = F["_contrib_quadratic"](v2, {["b"] = -0.289})
  local v5 = F.nanprod(x4, {axis = 1})
  local v6 = F["_mod_scalar"](v1, {["scalar"] = 1.91})
  local v7 = F["_lesser_equal_scalar"](v5, {["scalar"] = -1.78})
  local v8 = F["matmul"](v5, v7)
  local v17, v18 = block9(v5, v8)
  local v19 = F["_softrelu"](x0)
  return v19, v17, v5, v2
end

local function inputs() return { input(32670, {}, "float32"), nd.array{{1, 2, 3}, {4, 5, 6}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write" }, 100, false, 1
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["broadcast_logical_and"](x1, x1)
  local v4 = F["_logical_xor_scalar"](x2)
  local v5 = F["_power"](x1, v3)
  local v6 = F["matmul"](v3, x1, {["transpose_a"] = false, ["transpose_b"] = true})
  local v7 = F["_rmod_scalar"](v6)
  local v8 = F["negative"](v4)
  local v9 = F["_lesser_equal"](v8, x2)
  local v10 = F["digamma"](v7)
  return v10, v9, v7, v6
end

local function inputs() return { input(548567, {3, 1, 1, 3}, "float64"), input(684185, {8, 8}, "float64"), input(52932, {8, 1}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add" }, 101, true, 100
]==],
[==[
local block5 = block(function(F, a6, a7, x9, x11)
  local v8 = F["broadcast_lesser_equal"](a6, a6)
  local v10 = F.linalg_extractdiag(x9)
  local v12 = F.split(x11, {num_outputs = 3, axis = -1, squeeze_axis = true})
  local v13 = F["isinf"](v12[1])
  local v14 = F["_contrib_allclose"](v12[1], v10, {["rtol"] = -0.489, ["equal_nan"] = false})
  return v14, v12[1]
end)
local graph = function(F, x0, x1, x9, x11, x18)
  local v2 = F["argmin"](x0, {["axis"] = 1})
  local v3 = F["_rfloor_divide_scalar"](x0)
  local v4 = F["_rmod_scalar"](v2, {["scalar"] = 1.72})
  local v15, v16 = block5(v4, x1, x9, x11)
  local v17 = F["sort"](v16, {["is_ascend"] = true})
  local v19 = F.argmax(x18, {axis = 1})
  local v20 = F["_plus_scalar"](v2)
  local v21 = F["logaddexp"](v20, v20)
  return v21, v20, v19, v17
end

local function inputs() return { input(64464, {1, 1, 1, 4}, "float64"), input(367722, {1}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{1, 5, 2}, {7, 3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write", [4] = "write", [5] = "add" }, 102, true, 100
]==],
[==[
local block7 = block(function(F, a8, a9)
  local v10 = F["broadcast_div"](a9, a9)
  local v12 = F["radians"](a9)
  return v12
end)
local graph = function(F, x0, x1, x2)
  local v3 = F["MakeLoss"](x1, {["valid_thresh"] = -1.87, ["normalization"] = "null"})
  local v4 = F["log_sigmoid"](x1)
  local v5 = F["smooth_l1"](x2)
  local v6 = F["_npi_where"](v4, v3, v3)
  local v13 = block7(x2, v6)
  return v13, v5, v4
end

local function inputs() return { input(74051, {4, 7, 7}, "float32"), input(551613, {4, 4}, "float32"), input(339178, {4}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write" }, 104, true, 1
]==],
[==[
local block4 = block(function(F, a5, a6)
  local v8 = F["digamma"](a5)
  local v9 = F["_not_equal"](a5, v8)
  return v9
end)
local graph = function(F, x0, x1)
  local v2 = F["_logical_or"](x0, x0)
  local v3 = F["where"](x0, x0, v2)
  local v10 = block4(v3, x0)
  local v11 = F["_not_equal"](v3, v3)
  return v11
end

local function inputs() return { input(589948, {1, 1}, "float32"), input(225027, {4, 4, 1}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 105, false, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["_plus_scalar"](x1)
  local v3 = F["arcsinh"](v2)
  return v3
end

local function inputs() return { input(105845, {2, 3}, "float32"), input(270408, {2}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 106, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x7, x10, x11, x15)
  local v4 = F.trunc(x3)
  local v5 = F["cosh"](x3)
  local v6 = F["_mod_scalar"](x3, {["scalar"] = -0.249})
  local v8 = F.arctanh(x7)
  local v9 = F["_logical_and_scalar"](v8, {["scalar"] = 1.85})
  local v12 = F.gather_nd(x10, x11)
  local v13 = F["silu"](x10)
  local v14 = F["_logical_or_scalar"](v13, {["scalar"] = -1.36})
  local v16 = F.softsign(x15)
  local v17 = F["broadcast_logical_or"](v14, x10)
  return v17, v16, v14, v12
end

local function inputs() return { input(621742, {5, 0}, "float64"), input(303627, {4, 1, 3, 4}, "float64"), input(603216, {3}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{-0.72, -0.16, 0.72}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array({{1, 1, 0}}, {dtype = "int64"}), nd.array{0.195, 0.86, 1.905}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "add", [5] = "write", [6] = "write", [8] = "add" }, 107, true, 100
]==],
[==[
local block11 = block(function(F, a12, a13)
  local v14 = F["_rmod_scalar"](a12)
  local v15 = F["one_hot"](a12, {["depth"] = 0, ["on_value"] = 1.17, ["dtype"] = "float32"})
  local v16 = F["mish"](v15)
  return v16
end)
local graph = function(F, x0, x1, x2, x5, x18)
  local v3 = F["_div_scalar"](x1)
  local v4 = F["all_finite"](v3, {["init_output"] = false})
  local v6 = F.linalg_sumlogdiag(x5)
  local v7 = F["_floor_divide_scalar"](x5)
  local v8 = F["_softrelu"](x5)
  local v9 = F["sqrt"](v7)
  local v10 = F["take"](v8, x2, {["axis"] = 1, ["mode"] = "raise"})
  local v17 = block11(v6, v7)
  local v19 = F.linalg_trmm(x5, x18, {transpose = true, lower = false})
  local v22 = F["_logical_or_scalar"](v9)
  return v22, v7
end

local function inputs() return { input(137640, {2, 8}, "float64"), input(393234, {1, 2}, "float64"), input(570050, {2, 2, 2, 1}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "write", [5] = "write" }, 108, true, 1
]==],
[==[
local block1 = block(function(F, a2, a3, x4, x6, x7)
  local v5 = F.broadcast_minimum(x4, x4)
  local v8 = F.broadcast_mod(x6, x7)
  local v9 = F["clip"](x6, {["a_min"] = -0.389, ["a_max"] = -1.21})
  return v9, v8, v5
end)
local block14 = block(function(F, a15)
  local v16 = F["tile"](a15, {["reps"] = {2}})
  local v17 = F["_npi_where"](a15, a15, a15)
  return v17
end)
local graph = function(F, x0, x4, x6, x7, x20, x21, x24)
  local v10, v11, v12 = block1(x0, x0, x4, x6, x7)
  local v13 = F["_gelu_tanh"](v11)
  local v18 = block14(v11)
  local v19 = F["elemwise_mul"](v18, v13)
  local v22 = F.Embedding(x21, x20, {input_dim = 2, output_dim = 2})
  local v23 = F["_gelu_tanh"](v22)
  local v25 = F._hypot(v10, x24)
  local v26 = F["var"](v23, {["keepdims"] = false})
  local v27 = F["_hypot_scalar"](v18)
  local v28 = F["broadcast_mod"](v26, v26)
  local v29 = F["arcsinh"](v26)
  return v29, v28, v25
end

local function inputs() return { (input(365203, {2, 1}, "float32") * 2):astype("int64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{0.615, 0.72, 0.885}:astype("float64"), nd.array{0.885, 0.78, 0.615}:astype("float64"), nd.array{{1, 2}, {4, 5}}:astype("float64"), nd.array({1, 0, 1}, {dtype = "int32"}), nd.array{1.925, 1.4, 0.575}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "add", [4] = "write" }, 109, true, 100
]==],
[==[
local block1 = block(function(F, a2, a3)
  local v4 = F["_mod_scalar"](a3, {["scalar"] = -1.41})
  local v5 = F["elemwise_div"](a2, a2)
  local v6 = F["_rmod_scalar"](a2, {["scalar"] = -1.48})
  local v7 = F["_linalg_maketrian"](v5, {["lower"] = false})
  return v7, v5, v4
end)
local graph = function(F, x0, x12, x13, x14, x17)
  local v8, v9, v10 = block1(x0, x0)
  local v11 = F["_lesser"](v9, x0)
  local v15 = F.adagrad_update(x12, x13, x14, {lr = 0.1})
  local v16 = F["isneginf"](x13)
  local v18 = F.broadcast_to(x17, {shape = {0, 3}})
  return v18, v15, v11, v8
end

local function inputs() return { input(169434, {1}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{{1}, {2}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [5] = "write" }, 110, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x5, x6, x7, x15)
  local v3 = F["floor"](x2)
  local v8 = F.adam_update(x4, x5, x6, x7, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v9 = F["broadcast_greater_equal"](x2, v3)
  local v12 = F["_searchsorted"](v8, v8, {["side"] = "right"})
  local v13 = F["_maximum"](v8, x5)
  local v14 = F["_mod"](v13, v13)
  local v16 = F.split(x15, {num_outputs = 2})
  local v17 = F["exp"](x15)
  local v18 = F["radians"](v17)
  local v19 = F["broadcast_mul"](x4, x7)
  local v20 = F["LinearRegressionOutput"](v18, x15, {["grad_scale"] = 0.151})
  return v20, v16[1], v16[2], v13
end

local function inputs() return { input(663123, {}, "float32"), (input(408287, {3, 1}, "float32") * 2):astype("bool"), input(342103, {6, 1, 3}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{{1, 2, 3, 4}, {5, 6, 7, 8}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [8] = "add" }, 111, true, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["_random_normal_like"](x0, {["loc"] = -0.539})
  local v2 = F["LinearRegressionOutput"](x0, v1, {["grad_scale"] = 0.971})
  local v3 = F["softsign"](v2)
  local v4 = F["broadcast_greater"](v3, v1)
  local v5 = F["_npi_where"](v4, v1, v3)
  local v6 = F["_logical_and"](v1, v5)
  local v7 = F["_floor_divide_scalar"](v4, {["scalar"] = -0.489})
  local v8 = F["elemwise_div"](x0, v1)
  local v9 = F["broadcast_lesser"](v6, x0)
  local v10 = F["prod"](v1, {["keepdims"] = false})
  local v11 = F["gamma"](v10)
  local v12 = F["tan"](v10)
  local v13 = F["elemwise_add"](v8, v7)
  return v13, v11, v9, v7
end

local function inputs() return { input(179020, {}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 112, false, 1
]==],
[==[
local graph = function(F, x0, x8, x9)
  local v1 = F["add_n"](x0, x0, x0)
  local v2 = F["negative"](v1)
  local v3 = F["rcbrt"](v1)
  local v4 = F["_mod_scalar"](v3, {["scalar"] = -0.339})
  local v5 = F["sum"](v3, {["keepdims"] = false, ["exclude"] = true})
  local v6 = F["_mod_scalar"](v3)
  local v7 = F["cos"](v1)
  local v10 = F.khatri_rao(x8, x9)
  return v10, v7, v6
end

local function inputs() return { input(694918, {1, 2, 2, 2}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{5, 6}, {7, 8}, {9, 10}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add" }, 113, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x5)
  local v3 = F["isinf"](x1)
  local v6 = F.batch_take(x4, x5)
  return v6
end

local function inputs() return { input(210815, {2, 2, 4}, "float64"), input(450443, {4}, "float64"), input(635049, {2}, "float64"), nd.array{{1, 2}, {3, 4}, {5, 6}}:astype("float64"), nd.array({0, 1, 0}, {dtype = "int32"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add", [4] = "write" }, 114, true, 100
]==],
[==[
local graph = function(F, x0, x1, x4, x6)
  local v3 = F["_random_normal_like"](x0)
  local v5 = F.tan(x4)
  local v7 = F._greater(v5, x6)
  local v8 = F["BlockGrad"](v5)
  local v9 = F["_equal"](v7, v7)
  local v10 = F["trunc"](x6)
  local v11 = F["_rpower_scalar"](x1)
  local v12 = F["_not_equal_scalar"](v9)
  local v13 = F["sqrt"](v11)
  local v14 = F["elemwise_div"](v12, v9)
  return v14, v13, v11, v8
end

local function inputs() return { input(726712, {4, 2, 1}, "float64"), input(165979, {1}, "float64"), nd.array{-0.9, -0.2, 0.9}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "add", [4] = "write" }, 115, true, 100
]==],
[==[
local block10 = block(function(F, a11, a12, x13)
  local v14 = F.logaddexp(a12, x13)
  local v15 = F["_contrib_index_array"](x13, {["axes"] = {-1}})
  return v15
end)
local graph = function(F, x0, x4, x13)
  local v1 = F["_unravel_index"](x0, {["shape"] = {-1}})
  local v2 = F["tan"](x0)
  local v5 = F.round(x4)
  local v8 = F["_npi_where"](v1, v1, v2)
  local v9 = F["cbrt"](x0)
  local v16 = block10(v8, v5, x13)
  local v17 = F["full_like"](v16, {["fill_value"] = -0.899, ["dtype"] = "float32"})
  local v18 = F["SoftmaxActivation"](v17, {["mode"] = "instance"})
  local v19 = F["_sample_normal"](v16, v16, {["shape"] = 0})
  local v20 = F["isfinite"](x0)
  return v20, v19, v18, v16
end

local function inputs() return { input(242609, {9, 3}, "float32"), nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 116, true, 1
]==],
[==[
local block7 = block(function(F, a8, a9)
  local v10 = F["silu"](a9)
  local v11 = F["sigmoid"](v10)
  local v12 = F["degrees"](v11)
  local v13 = F["broadcast_logical_or"](v12, v12)
  return v13, v11
end)
local graph = function(F, x0, x1, x2, x19, x23, x24, x25, x26, x28)
  local v3 = F["zeros_like"](x1)
  local v4 = F["_greater_equal_scalar"](x1)
  local v5 = F["square"](x0)
  local v6 = F["_rmod_scalar"](v4, {["scalar"] = -1.86})
  local v14, v15 = block7(x2, v3)
  local v16 = F["elemwise_mul"](v6, v4)
  local v17 = F["_minimum_scalar"](x0)
  local v18 = F["_rdiv_scalar"](v4)
  local v20 = F._mod_scalar(x19)
  local v21 = F.broadcast_mod(v20, x19)
  local v22 = F["SwapAxis"](v20, {["dim1"] = 0})
  local v27 = F.adamw_step(x23, x24, x25, x26, {lr = 0.1})
  local v29 = F.arccosh(x28)
  return v29, v14
end

local function inputs() return { input(736299, {3, 3}, "float32"), input(991690, {1}, "float32"), input(560949, {4, 3, 4, 3}, "float32"), nd.array{0.235, 0.48, 0.865}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{1.625, 2.5, 3.875} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "write", [9] = "write" }, 117, true, 100
]==],
[==[
local graph = function(F, x0, x1, x10, x11, x12, x15, x16, x17)
  local v2 = F["reciprocal"](x0)
  local v3 = F["Concat"](x1, x1, x1)
  local v4 = F["broadcast_logical_or"](x0, x0)
  local v5 = F["nanprod"](v3, {["exclude"] = false})
  local v6 = F["broadcast_equal"](v3, v4)
  local v7 = F["_logical_or"](v4, x0)
  local v8 = F["broadcast_logical_xor"](v4, v7)
  local v13 = F.lamb_update_phase2(x10, x11, x12, v5, {lr = 0.1, upper_bound = 1})
  local v14 = F["softsign"](x11)
  local v18 = F.signum_update(x15, x16, x17, {lr = 0.1, momentum = 0.9})
  local v19 = F["rint"](x1)
  local v20 = F["gammaln"](v18)
  local v21 = F["_contrib_quadratic"](v19, {["a"] = -1.31, ["b"] = -0.009})
  return v21, v20, v4, v3
end

local function inputs() return { input(252196, {2, 1}, "float32"), input(956258, {2, 6}, "float32"), nd.array{1, -1}, nd.array{0.5, 0.25}, nd.array{1.4}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "add", [5] = "write" }, 118, false, 100
]==],
[==[
local block6 = block(function(F, a7, a8)
  local v9 = F["_greater_scalar"](a7)
  local v10 = F["_logical_xor"](a7, a8)
  local v11 = F["log1p"](v10)
  local v12 = F["_maximum"](v10, v10)
  local v13 = F["_linalg_extracttrian"](a7, {["offset"] = 1})
  return v13, v11
end)
local block23 = block(function(F, a24, a25, x26, x30)
  local v27 = F.full_like(x26, 7)
  local v28 = F["negative"](x26)
  local v29 = F["_mod_scalar"](a25, {["scalar"] = 0.371})
  local v31 = F.round(x30)
  local v32 = F._rminus_scalar(v31)
  return v32, v29, v28
end)
local block36 = block(function(F, a37, a38)
  local v39 = F["broadcast_power"](a38, a38)
  local v40 = F["_random_uniform_like"](a38, {["high"] = 1.85})
  local v41 = F["square"](a38)
  local v42 = F.sin(a37)
  local v43 = F["broadcast_lesser_equal"](v42, v42)
  return v43, v42
end)
local graph = function(F, x0, x19, x26, x30)
  local v1 = F["abs"](x0)
  local v2 = F["isnan"](v1)
  local v3 = F["digamma"](v1)
  local v4 = F["hard_sigmoid"](v1, {["alpha"] = 0.001})
  local v5 = F["_not_equal_scalar"](x0)
  local v14, v15 = block6(v4, v3)
  local v16 = F["softsign"](v15)
  local v17 = F["elemwise_div"](v15, v1)
  local v20 = F.mean(x19, {axis = {0, 2}, keepdims = true})
  local v21 = F["_rpower_scalar"](v16)
  local v22 = F["broadcast_hypot"](v21, v15)
  local v33, v34, v35 = block23(x19, v17, x26, x30)
  local v44, v45 = block36(v33, x26)
  return v44, v45, v34, v35
end

local function inputs() return { input(768093, {2, 2}, "float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64"), nd.array{1, 2}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 119, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x9, x11, x12)
  local v3 = F["_rmod_scalar"](x2, {["scalar"] = -0.889})
  local v5 = F.L2Normalization(x4, {mode = "spatial"})
  local v6 = F["where"](v3, x2, v3)
  local v7 = F["softsign"](v5)
  local v8 = F["arctanh"](v3)
  local v10 = F._mod_scalar(x9)
  local v13 = F.InstanceNorm(x11, x12, x12, {eps = 0.1})
  local v14 = F["_minus_scalar"](v8, {["scalar"] = -1.37})
  local v16 = F["broadcast_sub"](x12, x12)
  local v17 = F["mish"](v16)
  local v18 = F["cosh"](x0)
  return v18, v7, v5
end

local function inputs() return { input(283990, {4}, "float64"), input(588137, {0, 1}, "float64"), input(998395, {4, 2}, "float64"), nd.array{{{1, 2}, {4, 3}}, {{0.5, -1}, {2, 1}}}:astype("float64"), nd.array{0.235, 0.48, 0.865}:astype("float64"), nd.array{{{1, 2, 4}, {0.5, -1, 2}}}:astype("float64"), nd.array{1, 2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [4] = "write", [6] = "add", [7] = "write" }, 120, true, 1
]==],
[==[
local graph = function(F, x0, x1, x7, x8, x12)
  local v2 = F["broadcast_logical_or"](x1, x1)
  local v3 = F["logical_not"](x0)
  local v4 = F["_linalg_gelqf"](x1)
  local v5 = F["erf"](x1)
  local v6 = F["arccosh"](v2)
  local v9 = F.matmul(x7, x8)
  local v10 = F.size_array(x1)
  local v11 = F["elemwise_div"](x8, x8)
  local v13 = F.sample_normal(x7, x12, {shape = {3}})
  local v14 = F["broadcast_sub"](x12, x12)
  local v15 = F["_logical_or_scalar"](v4[1], {["scalar"] = 0.081})
  return v15, v2
end

local function inputs() return { input(799887, {5}, "float64"), input(401040, {2, 3}, "float64"), nd.array{1, 2}:astype("float64"), nd.array{3, 4}:astype("float64"), nd.array{1, 0.5}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [4] = "write", [5] = "write" }, 121, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x5, x6, x10)
  local v3 = F.broadcast_logical_and(x1, x2)
  local v4 = F["broadcast_minimum"](x2, x2)
  local v7 = F._rnn_param_concat(x5, x6, {dim = 0})
  local v8 = F.random.gamma_like(v7, 2, 0.5)
  local v9 = F["log"](x6)
  local v11 = F.contrib.index_array(x10, {axes = {1}})
  local v12 = F["tan"](v9)
  local v13 = F["cosh"](x10)
  return v13, v12, v11
end

local function inputs() return { (input(940662, {6, 4}, "float32") * 2):astype("int64"), nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8}, nd.array{1, 2}, nd.array{3}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "add", [4] = "write", [5] = "write", [6] = "add" }, 122, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x4, x7, x11, x12, x13)
  local v5 = F.broadcast_mul(x3, x4)
  local v6 = F["_minimum"](v5, v5)
  local v8 = F.full_like(x7, 7)
  local v10 = F.Activation(x3, {act_type = "softrelu"})
  local v14 = F.add_n(x11, x12, x13)
  local v15 = F["broadcast_add"](x12, v8)
  local v16 = F["_power_scalar"](x13)
  local v17 = F["negative"](v16)
  local v18 = F["digamma"](x12)
  local v19 = F["silu"](v16)
  return v19, v18, v14
end

local function inputs() return { input(809474, {}, "float32"), input(429443, {1, 2}, "float64"), input(52727, {1, 2}, "float32"), nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8}, nd.array{1, 2}, nd.array{1, 2}, nd.array{3, 4}, nd.array{5, 6} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [5] = "write", [8] = "write", [9] = "write" }, 123, true, 100
]==],
[==[
local block3 = block(function(F, a4)
  local v5 = F["round"](a4)
  local v6 = F["sum"](v5, {["exclude"] = false})
  return v6, v5
end)
local graph = function(F, x0, x1, x2, x11)
  local v7, v8 = block3(x0)
  local v12 = F.squeeze(x11)
  local v13 = F["elemwise_add"](x11, x11)
  local v14 = F["_minimum_scalar"](x1, {["scalar"] = -0.659})
  local v15 = F["Concat"](x1, x1, v14, {["dim"] = 0})
  return v15, v13
end

local function inputs() return { input(325371, {2, 2, 0, 1}, "float32"), input(349273, {2}, "float32"), input(68416, {4}, "float32"), nd.array{{5}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "add", [4] = "write" }, 124, true, 1
]==],
[==[
local block3 = block(function(F, a4, a5, x7)
  local v6 = F["broadcast_lesser"](a4, a4)
  local v8 = F.MakeLoss(x7, {normalization = "valid", valid_thresh = 1})
  return v8
end)
local graph = function(F, x0, x7, x18)
  local v1 = F["logaddexp"](x0, x0)
  local v2 = F["trigamma"](x0)
  local v9 = block3(v2, v1, x7)
  local v10 = F["_equal"](v9, x7)
  local v11 = F["radians"](x7)
  local v12 = F["broadcast_hypot"](v9, v10)
  local v13 = F["sign"](v10)
  local v14 = F["broadcast_sub"](v12, v11)
  local v15 = F["BlockGrad"](v12)
  local v16 = F["broadcast_floor_divide"](v14, v12)
  local v17 = F["_sample_normal"](v15, v16)
  local v19 = F._lesser_equal_scalar(x18)
  return v19, v14, v9, v1, v14
end

local function inputs() return { input(841268, {6, 6, 6}, "float64"), nd.array{1, 2}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "add" }, 125, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3)
  local v4 = F.linalg.eigh(x3)
  local v5 = F["trunc"](x3)
  local v7 = F["digamma"](v4[2])
  return v7
end

local function inputs() return { input(357165, {9, 9, 3}, "float64"), (input(102590, {2, 9}, "float32") * 2):astype("int64"), (input(348375, {3, 9}, "float32") * 2):astype("int64"), nd.array({{4, 1}, {1, 3}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [4] = "add" }, 126, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x5, x6, x10, x13, x15, x16)
  local v3 = F.LeakyReLU(x2, {act_type = "gelu"})
  local v4 = F["_rmod_scalar"](v3)
  local v7 = F.dot(x5, x6)
  local v8 = F["fix"](x6)
  local v9 = F["_div_scalar"](x2, {["scalar"] = 0.361})
  local v11 = F.elemwise_mul(v9, x10)
  local v14 = F.prod(x13)
  local v17 = F.khatri_rao(x15, x13, x16)
  local v18 = F["elemwise_add"](x1, x1)
  local v19 = F.random_exponential_like(x10, 2)
  local v20 = F["_logical_or"](v19, x10)
  local v21 = F["hard_sigmoid"](x2)
  return v21, v20, v14, v9
end

local function inputs() return { input(873063, {3, 3, 3}, "float64"), input(216701, {9, 3, 3, 3}, "float64"), input(848441, {3}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{1, -2}, {3, 4}, {0.5, 2}}:astype("float64"), nd.array{1.8, 0.4, -1.8}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{1, 2}}:astype("float64"), nd.array{{2, 1}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add", [4] = "add", [5] = "add", [6] = "write", [7] = "write", [9] = "write" }, 127, true, 100
]==],
[==[
local block8 = block(function(F, a9, x11, x12)
  local v10 = F["slice_like"](a9, a9, {["axes"] = 2})
  local v13 = F.sample_gamma(x11, x12, {shape = {3}})
  local v14 = F["broadcast_sub"](v13, v13)
  local v15 = F["relu"](v14)
  return v15, v14, v13, v10
end)
local graph = function(F, x0, x2, x4, x11, x12, x21, x22)
  local v1 = F["norm"](x0)
  local v3 = F.relu(x2)
  local v5 = F.min(x4, {axis = {0, 2}, keepdims = true})
  local v6 = F["elemwise_sub"](v3, x2)
  local v7 = F["_logical_xor_scalar"](x4, {["scalar"] = 1.99})
  local v16, v17, v18, v19 = block8(v7, x11, x12)
  local v20 = F["_logical_or_scalar"](v17, {["scalar"] = 0.301})
  local v23 = F.elemwise_add(x21, x22)
  local v24 = F["broadcast_div"](v5, v5)
  local v25 = F._rminus_scalar(x22)
  local v26 = F._mod_scalar(v6)
  return v26, v17, v18, v6
end

local function inputs() return { (input(129335, {}, "float32") * 2):astype("int32"), nd.array{0.195, 0.86, 1.905}, nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, nd.array{1, 10}, nd.array{1, 0.5}, nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add", [4] = "write", [6] = "write", [7] = "add" }, 128, true, 1
]==],
[==[
local graph = function(F, x0)
  local v1 = F["relu"](x0)
  local v2 = F["_gelu_tanh"](v1)
  local v3 = F["Dropout"](v2, {["axes"] = {0, 1}})
  local v4 = F["sinh"](v2)
  return v4, v3, v1
end

local function inputs() return { input(904857, {3, 1}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 129, true, 100
]==],
[==[
local graph = function(F, x0, x1, x3, x5, x9)
  local v2 = F["_rmod_scalar"](x0, {["scalar"] = -2})
  local v4 = F.max(x3)
  local v6 = F.clip(x5, {a_min = -0.5, a_max = 0.75})
  local v7 = F["take"](v4, v4)
  local v8 = F["clip"](x0, {["a_min"] = -0.519, ["a_max"] = 1.59})
  local v10 = F._hypot(x9, x5)
  return v10, v6, v4
end

local function inputs() return { input(398546, {4}, "float32"), input(628328, {9, 9}, "float32"), nd.array{{1, 2}, {3, 4}}, nd.array{-0.81, -0.18, 0.81}, nd.array{0.575, 1.1, 1.925} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [4] = "add", [5] = "add" }, 130, true, 100
]==],
[==[
local graph = function(F, x0, x1, x3, x6)
  local v2 = F["std"](x1, {["axis"] = 1, ["keepdims"] = false})
  local v4 = F.diag(x3)
  local v5 = F["relu"](v4)
  local v7 = F.sort(x6)
  return v7, v5, v4, v2
end

local function inputs() return { input(914444, {2}, "float64"), (input(669154, {2, 3, 3, 2}, "float32") * 2):astype("int32"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [4] = "write" }, 131, false, 100
]==],
[==[
local graph = function(F, x0, x3)
  local v1 = F["logical_not"](x0)
  local v2 = F["hard_sigmoid"](v1, {["beta"] = -0.669})
  local v4 = F.linalg_potri(x3)
  local v5 = F["_minus_scalar"](v1)
  return v5, v2
end

local function inputs() return { input(430341, {}, "float64"), nd.array{{2, 0}, {1, 3}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 132, false, 1
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["_maximum_scalar"](x1)
  local v3 = F["log2"](v2)
  local v4 = F["cosh"](x1)
  local v5 = F["_not_equal_scalar"](v2)
  local v6 = F["mish"](v5)
  return v6, v5, v3
end

local function inputs() return { input(946238, {7, 4, 4, 1}, "float32"), input(177903, {1, 1, 4}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 133, true, 100
]==],
[==[
local block6 = block(function(F, a7, a8)
  local v9 = F["expm1"](a8)
  local v10 = F["take_along_axis"](a7, a7, {["axis"] = -1})
  return v10, v9
end)
local graph = function(F, x0, x1, x3)
  local v2 = F["sigmoid"](x0)
  local v4 = F.linalg.qr(x3, {mode = "complete"})
  local v5 = F["arctan"](x1)
  local v11, v12 = block6(v5, v4[1])
  return v11, v4[2]
end

local function inputs() return { input(462135, {9, 9, 1}, "float32"), input(514247, {9, 9}, "float32"), nd.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write" }, 134, false, 100
]==],
[==[
local block15 = block(function(F, a16, a17, x18, x19, x22, x23)
  local v20 = F.elemwise_sub(x18, x19)
  local v24 = F.broadcast_add(x22, x23)
  local v25 = F["_logical_or"](x18, x19)
  local v26 = F["nan_to_num"](x18, {["posinf"] = -0.969, ["neginf"] = -0.139})
  local v27 = F["_minimum_scalar"](v20, {["scalar"] = -0.919})
  return v27
end)
local graph = function(F, x0, x8, x12, x18, x19, x22, x23)
  local v1 = F["broadcast_greater_equal"](x0, x0)
  local v2 = F["relu"](x0)
  local v3 = F["relu"](x0)
  local v4 = F["std"](v2, {["dtype"] = "float64", ["ddof"] = -1})
  local v5 = F["broadcast_div"](v1, v1)
  local v6 = F["rint"](v5)
  local v7 = F["broadcast_greater_equal"](x0, v5)
  local v9 = F.amp_cast(x8, {dtype = "float16"})
  local v10 = F["_minimum"](x0, x0)
  local v11 = F["arctan"](x8)
  local v13 = F.norm(x12)
  local v14 = F["count_nonzero"](v4, {["axis"] = 0, ["keepdims"] = true})
  local v28 = block15(x12, v13, x18, x19, x22, x23)
  return v28, v4, v1
end

local function inputs() return { (input(493912, {4, 1}, "float32") * 2):astype("int32"), nd.array{1.5, -2.5}, nd.array{{3, 4}, {1, 2}}, nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8}, nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write", [4] = "write", [5] = "add", [6] = "write", [7] = "write" }, 135, true, 100
]==],
[==[
local block3 = block(function(F, a4, a5)
  local v6 = F["broadcast_add"](a5, a5)
  local v7 = F["broadcast_maximum"](v6, a5)
  local v8 = F["elemwise_mul"](v7, v6)
  local v9 = F["broadcast_logical_xor"](v6, v6)
  local v10 = F["_random_normal_like"](v7)
  return v10, v7
end)
local graph = function(F, x0, x1, x2)
  local v11, v12 = block3(x2, x1)
  local v13 = F["trunc"](x0)
  local v14 = F["radians"](x2)
  local v15 = F["broadcast_maximum"](x2, v11)
  local v16 = F["digamma"](v14)
  local v17 = F["_greater_equal"](v16, v14)
  return v17, v16, v11
end

local function inputs() return { input(471722, {2, 2, 2}, "float64"), input(818985, {}, "float64"), input(843862, {6}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write" }, 136, true, 1
]==],
[==[
local block5 = block(function(F, a6, x7, x8)
  local v9 = F.take_along_axis(x7, x8, {axis = 0})
  local v10 = F["sign"](v9)
  return v10
end)
local block13 = block(function(F, a14)
  local v15 = F["ceil"](a14)
  local v16 = F["broadcast_power"](v15, v15)
  return v16
end)
local block20 = block(function(F, a21, a22)
  local v23 = F["_lesser_equal"](a21, a22)
  local v24 = F["rint"](v23)
  local v25 = F["broadcast_sub"](v24, v23)
  return v25, v24, v23
end)
local graph = function(F, x0, x1, x7, x8)
  local v2 = F["broadcast_sub"](x0, x0)
  local v3 = F["broadcast_lesser"](x1, x1)
  local v4 = F["broadcast_lesser"](v2, x0)
  local v11 = block5(x1, x7, x8)
  local v12 = F["all_finite"](v11)
  local v17 = block13(x8)
  local v18 = F["nanprod"](v17, {["exclude"] = false})
  local v19 = F["broadcast_floor_divide"](v12, v12)
  local v26, v27, v28 = block20(v12, v12)
  return v26, v28, v18, v17
end

local function inputs() return { input(987619, {3, 3}, "float64"), (input(413679, {3, 3, 3}, "float32") * 2):astype("bool"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64"), nd.array({{1, 0, 1}}, {dtype = "int64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 137, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F.max(x1, {axis = 1})
  local v3 = F["arctan"](x0)
  local v5 = F["_lesser"](v3, x0)
  return v5, v2
end

local function inputs() return { input(503516, {1, 4}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 138, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x8, x11, x12, x13, x15)
  local v3 = F["prod"](x2, {["keepdims"] = false})
  local v4 = F["_sample_negative_binomial"](v3, v3)
  local v5 = F["_softrelu"](v4)
  local v6 = F["round"](v4)
  local v7 = F["_maximum"](v4, v6)
  local v9 = F.linalg_extractdiag(x8)
  local v10 = F["broadcast_minimum"](x0, x0)
  local v14 = F.sgd_mom_update(x11, x12, x13, {lr = 0.1, momentum = 0.9})
  local v16 = F.linalg_extracttrian(x15)
  return v16, v7, v5
end

local function inputs() return { input(19413, {4, 1}, "float32"), (input(942122, {}, "float32") * 2):astype("int32"), input(686413, {3, 3, 4}, "float64"), nd.array{{1, 2}, {3, 4}}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write", [4] = "add", [8] = "add" }, 139, true, 100
]==],
[==[
local graph = function(F, x0, x1, x4, x5, x12, x13, x14)
  local v2 = F["sinh"](x0)
  local v3 = F["degrees"](v2)
  local v6 = F.MAERegressionOutput(x4, x5, {grad_scale = 2})
  local v7 = F["_not_equal"](v3, x0)
  local v8 = F["log1p"](v3)
  local v9 = F["broadcast_lesser_equal"](v8, v8)
  local v10 = F.count_nonzero(x5)
  local v11 = F["_floor_divide_scalar"](v6, {["scalar"] = -1.98})
  local v15 = F.rmsprop_update(x12, x13, x14, {lr = 0.1, gamma1 = 0.9, wd = 0.01, clip_weights = 0.9})
  local v16 = F["_minus_scalar"](v15)
  return v16, v10
end

local function inputs() return { input(535310, {1}, "float32"), input(590916, {4, 1}, "float32"), nd.array{{1}, {2}}, nd.array{0, 1}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "write" }, 140, true, 1
]==],
[==[
local block1 = block(function(F, a2, a3, x5)
  local v4 = F["_as_float"](a3)
  local v6 = F.linalg_extracttrian(x5, {lower = false})
  local v7 = F["reciprocal"](v6)
  local v9 = F["sign"](v6)
  local v10 = F["_rdiv_scalar"](v9)
  return v10, v7
end)
local graph = function(F, x0, x5, x17, x18, x19, x21, x22, x23, x24, x25, x28, x29, x30, x31)
  local v11, v12 = block1(x0, x0, x5)
  local v13 = F["smooth_l1"](x5, {["scalar"] = -0.649})
  local v14 = F["tanh"](v13)
  local v16 = F.abs(v12)
  local v20 = F._npi_where(x19, x17, x18)
  local v26 = F.rmspropalex_update(x21, x22, x23, x24, x25, {lr = 0.1})
  local v27 = F.std(x17)
  local v32 = F.adamw_step(x28, x29, x30, x31, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v33 = F["broadcast_not_equal"](x17, x31)
  local v35 = F["expand_dims"](v32, {["axis"] = 0})
  return v35, v33, v32, v20
end

local function inputs() return { (input(682586, {}, "float32") * 2):astype("int32"), nd.array{{1, 2}, {3, 4}}, nd.array{{1, 2}, {3, 4}}, nd.array{{5}, {6}}, nd.array({1, 0}, {dtype = "int32"}), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{3, 2}, nd.array{0.3, 0.1}, nd.array{0.1, 0.2}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write", [4] = "write" }, 141, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["log10"](x1)
  local v4 = F["tile"](v3, {["reps"] = {}})
  return v4
end

local function inputs() return { input(567105, {3}, "float64"), input(272115, {}, "float64"), input(238664, {3, 1, 3, 3}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add" }, 142, false, 100
]==],
[==[
local block11 = block(function(F, a12, x13, x18)
  local v14 = F._split_v2(x13, {indices = {0, 1, 3}})
  local v15 = F["log"](x13)
  local v17 = F["round"](v15)
  local v19 = F.reshape(x18, {0, -3})
  local v20 = F["Concat"](v19, v14[1], v15, {["dim"] = 1})
  return v20, v19, v15, v14[1]
end)
local graph = function(F, x0, x1, x2, x5, x6, x7, x8, x13, x18)
  local v3 = F["clip"](x0, {["a_min"] = 0.851, ["a_max"] = 0.861})
  local v4 = F["_random_uniform_like"](x2)
  local v9 = F.adam_update(x5, x6, x7, x8, {lr = 0.1})
  local v10 = F["smooth_l1"](x0)
  local v21, v22, v23, v24 = block11(v9, x13, x18)
  local v25 = F["zeros_like"](v24)
  local v26 = F["norm"](x5, {["axis"] = {-1}, ["keepdims"] = true})
  local v27 = F["sqrt"](x0)
  local v29 = F["smooth_l1"](v22)
  local v30 = F["elemwise_add"](v3, v27)
  local v31 = F["smooth_l1"](v30, {["scalar"] = 1.07})
  local v32 = F["digamma"](v29)
  return v32, v31, v23, v9
end

local function inputs() return { input(60794, {}, "float64"), input(389628, {1}, "float64"), input(899710, {4, 1}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{{1, 2, 3, 4}, {5, 6, 7, 8}}:astype("float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "add", [8] = "add", [9] = "write" }, 143, true, 100
]==],
[==[
local block8 = block(function(F, a9)
  local v10 = F["_logical_xor"](a9, a9)
  local v11 = F["_mul_scalar"](a9, {["scalar"] = 1.5})
  local v12 = F["multi_lars"](v10, a9, a9, a9, {["eta"] = 0.861, ["eps"] = -1.61})
  return v12
end)
local graph = function(F, x0, x6)
  local v1 = F["broadcast_hypot"](x0, x0)
  local v3 = F["_minimum_scalar"](x0)
  local v5 = F["gammaln"](x0)
  local v7 = F.linalg.eigvalsh(x6)
  local v13 = block8(v5)
  local v15 = F["_lesser_equal"](v7, v7)
  return v15, v3, v1
end

local function inputs() return { input(576691, {3, 3, 7, 3}, "float64"), nd.array({{4, 1}, {1, 3}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add" }, 144, true, 1
]==],
[==[
local block12 = block(function(F, a13, a14)
  local v15 = F["arccos"](a14)
  local v16 = F["broadcast_logical_or"](a14, v15)
  local v17 = F["sigmoid"](v16)
  local v18 = F["expm1"](a14)
  local v19 = F["smooth_l1"](v16)
  return v19
end)
local graph = function(F, x0, x1, x2, x3, x5)
  local v4 = F.rmsprop_update(x1, x2, x3, {lr = 0.1})
  local v6 = F._split_v2(x5, {indices = {0, 1}, axis = -2, squeeze_axis = true})
  local v7 = F["_floor_divide_scalar"](x3)
  local v8 = F["_histogram"](v7, v7, {["range"] = {0.5, 1.5}})
  local v9 = F["arctan"](v6[2])
  local v10 = F["_power"](v9, v6[2])
  local v11 = F["logical_not"](v4)
  local v20 = block12(v9, v11)
  local v21 = F["sign"](v11)
  return v21, v20, v7, v4
end

local function inputs() return { input(92589, {4, 4, 4}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.3, 0.1}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 145, true, 100
]==],
[==[
local block2 = block(function(F, a3, a4, x5, x6, x7)
  local v8 = F.contrib.index_copy(x5, x7, x6)
  local v9 = F.expand_dims(x7, {axis = 0})
  return v9, v8
end)
local graph = function(F, x0, x1, x5, x6, x7, x13, x15)
  local v10, v11 = block2(x0, x0, x5, x6, x7)
  local v12 = F["_linalg_qr"](x6, {["mode"] = "r"})
  local v14 = F.depth_to_space(x13, {block_size = 2})
  local v16 = F.space_to_depth(x15, {block_size = 2})
  return v16, v12
end

local function inputs() return { input(608486, {2, 2, 2}, "float32"), input(717815, {2, 4, 2, 2}, "float32"), nd.array{{1, 2}, {3, 4}, {5, 6}}, nd.array{{7, 8}, {9, 1}}, nd.array({2, 0}, {dtype = "int32"}), nd.array{{{{1}}, {{2}}, {{3}}, {{4}}}}, nd.array{{{{1, 2}, {3, 4}}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "write", [6] = "add", [7] = "write" }, 146, true, 100
]==],
[==[
local graph = function(F, x0, x6, x7)
  local v1 = F["broadcast_lesser"](x0, x0)
  local v2 = F["_plus_scalar"](v1, {["scalar"] = -1.62})
  local v3 = F["abs"](v2)
  local v4 = F["degrees"](v1)
  local v5 = F["expm1"](v1)
  local v8 = F.linalg_trsm(x6, x7, {rightside = true, alpha = 0.5})
  local v9 = F["_rpower_scalar"](v5)
  return v9
end

local function inputs() return { input(124383, {4, 0, 3}, "float32"), nd.array{{2, 9}, {1, 3}}, nd.array{{1, 2}, {3, 4}, {5, 6}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 147, false, 100
]==],
[==[
local block8 = block(function(F, a9, a10)
  local v11 = F["elemwise_sub"](a10, a9)
  local v12 = F["_sample_multinomial"](a10, {["get_prob"] = false, ["dtype"] = "float64"})
  local v13 = F["_logical_or_scalar"](a10, {["scalar"] = -1.48})
  return v13
end)
local graph = function(F, x0, x2, x3, x17)
  local v1 = F["gather_nd"](x0, x0)
  local v4 = F.take(x2, x3)
  local v5 = F["stack"](x2, x2, x2)
  local v6 = F["_shuffle"](v4)
  local v7 = F["broadcast_logical_or"](v5, v5)
  local v14 = block8(v5, v5)
  local v15 = F["_equal"](v14, v7)
  local v16 = F["arccos"](v15)
  local v18 = F.LayerNorm(v4, x17, x17, {axis = 1, eps = 0.1})
  local v19 = F["smooth_l1"](v16, {["scalar"] = 0.991})
  local v20 = F["rsqrt"](v15)
  return v20, v18, v16, v6
end

local function inputs() return { input(640280, {1, 1}, "float64"), nd.array{{1, 2}, {3, 4}, {5, 6}}:astype("float64"), nd.array({{0, 2}, {2, 9}}, {dtype = "int32"}), nd.array{1, 2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 148, false, 1
]==],
[==[
local block2 = block(function(F, a3, a4, x6)
  local v7 = F.multi_all_finite(x6, a3, {num_arrays = 2})
  local v8 = F["log_sigmoid"](v7)
  local v9 = F["any"](a3)
  local v10 = F["_minimum"](v7, v7)
  return v10
end)
local block12 = block(function(F, a13, a14, x15, x16, x17, x21)
  local v18 = F.adagrad_update(x15, x16, x17, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v19 = F["_isin"](x16, x16)
  local v20 = F["Cast"](x17, {["dtype"] = "float64"})
  local v22 = F.roll(x21, 2)
  return v22, v20, v19
end)
local block27 = block(function(F, a28)
  local v29 = F["make_loss"](a28)
  local v30 = F["_floor_divide_scalar"](a28, {["scalar"] = -1.28})
  local v31 = F["broadcast_like"](a28, v30)
  return v31, v30, v29
end)
local graph = function(F, x0, x1, x6, x15, x16, x17, x21)
  local v11 = block2(x1, x1, x6)
  local v23, v24, v25 = block12(v11, x6, x15, x16, x17, x21)
  local v26 = F["log_sigmoid"](v24)
  local v32, v33, v34 = block27(v24)
  local v35 = F["take"](v33, v33)
  local v36 = F["_power_scalar"](v24)
  local v37 = F["_rdiv_scalar"](v36)
  local v38 = F["_random_normal_like"](v35, {["loc"] = 0.331, ["scale"] = 1.17})
  return v38, v36, v25
end

local function inputs() return { input(133969, {2, 3}, "float64"), input(168761, {1}, "float64"), nd.array{1, 2}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add", [3] = "write", [7] = "write" }, 149, true, 100
]==],
[==[
local block13 = block(function(F, a14)
  local v15 = F["_greater"](a14, a14)
  local v16 = F["broadcast_div"](v15, a14)
  local v17 = F["_lesser_equal_scalar"](v16, {["scalar"] = 0.031})
  local v18 = F["_lesser_scalar"](a14)
  return v18, v17
end)
local graph = function(F, x0, x1, x4, x11, x22)
  local v2 = F["_mod"](x1, x1)
  local v3 = F["_not_equal"](x1, v2)
  local v5 = F._hypot(x4, x4)
  local v7 = F.abs(x4)
  local v8 = F["log2"](v7)
  local v9 = F["_lesser"](v8, x4)
  local v10 = F["broadcast_logical_and"](v7, v5)
  local v12 = F.tril(x11, {k = -1})
  local v19, v20 = block13(v10)
  local v21 = F["_minus_scalar"](v9, {["scalar"] = 0.951})
  local v23 = F.mean(x22, {axis = 1, exclude = true})
  return v23, v21, v20, v12
end

local function inputs() return { input(649867, {4, 1}, "float64"), input(74901, {4, 4, 4, 1}, "float64"), nd.array{0.575, 1.1, 1.925}:astype("float64"), nd.array{1, 2, 3}:astype("float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write", [4] = "write", [5] = "write" }, 150, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["_isin"](x1, x1)
  local v4 = F["nansum"](x1)
  return v4, v3
end

local function inputs() return { input(165764, {2, 2}, "float32"), input(120104, {1, 2}, "float32"), input(227134, {2, 2, 1, 1}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "add", [3] = "write" }, 151, true, 100
]==],
[==[
local block14 = block(function(F, a15)
  local v16 = F["_lesser_equal"](a15, a15)
  local v17 = F["_lesser_scalar"](v16, {["scalar"] = 1.59})
  local v18 = F["_floor_divide_scalar"](v17, {["scalar"] = -0.179})
  return v18
end)
local graph = function(F, x0, x1, x2, x21)
  local v3 = F["zeros_like"](x0)
  local v4 = F["reciprocal"](x2)
  local v5 = F["broadcast_not_equal"](x1, x1)
  local v7 = F["_greater_equal"](v3, v3)
  local v8 = F["argmax"](v7, {["keepdims"] = true})
  local v9 = F["broadcast_lesser_equal"](v5, x1)
  local v10 = F["broadcast_logical_and"](v7, v4)
  local v11 = F["broadcast_maximum"](v9, v10)
  local v12 = F["norm"](v4, {["axis"] = 0, ["keepdims"] = false})
  local v13 = F["digamma"](v10)
  local v19 = block14(v9)
  local v20 = F["_contrib_quadratic"](v5, {["a"] = 0.101, ["b"] = -0.139})
  local v22 = F.topk(x21, {k = 2, ret_typ = "mask"})
  return v22, v19, v13, v8
end

local function inputs() return { input(681661, {1}, "float32"), input(312306, {}, "float32"), input(910842, {1, 1}, "float32"), nd.array{{3, 1, 2}, {5, 6, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write" }, 152, true, 1
]==],
[==[
local graph = function(F, x0, x1, x3)
  local v2 = F["rint"](x1)
  local v4 = F.Activation(x3, {act_type = "tanh"})
  return v4, v2
end

local function inputs() return { input(197558, {1}, "float32"), (input(780746, {}, "float32") * 2):astype("int64"), nd.array{-2, 0.5, 1.5} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 153, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["broadcast_greater_equal"](x0, x0)
  local v4 = F["reciprocal"](x2)
  local v5 = F["_logical_and"](x2, v4)
  local v6 = F["_rminus_scalar"](v4, {["scalar"] = -1.28})
  local v7 = F["zeros_like"](v5)
  return v7, v6
end

local function inputs() return { (input(258044, {3}, "float32") * 2):astype("int32"), input(915902, {2, 3}, "float64"), input(153349, {5}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write" }, 154, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3)
  local v4 = F.slice_assign(x1, x3, {begin = {-1}, stop = {"None"}, step = {-2}})
  local v5 = F["broadcast_logical_and"](v4, x1)
  local v6 = F["_power"](v5, x1)
  local v7 = F["expm1"](x0)
  local v8 = F["_logical_or"](v5, x1)
  local v9 = F["_div_scalar"](v5)
  local v10 = F["_linalg_pinv"](v7)
  return v10, v7, v6
end

local function inputs() return { input(229353, {4, 0, 8, 1}, "float64"), input(320099, {4}, "float64"), (input(883177, {4}, "float32") * 2):astype("bool"), nd.array{7, 8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write" }, 155, false, 100
]==],
[==[
local block2 = block(function(F, a3, x4, x5, x6)
  local v7 = F.adagrad_update(x4, x5, x6, {lr = 0.1})
  local v8 = F["broadcast_div"](v7, v7)
  local v10 = F["_random_gamma_like"](x5)
  return v10, v7
end)
local block21 = block(function(F, a22, a23, x25)
  local v24 = F["_mod_scalar"](a23, {["scalar"] = -1.99})
  local v26 = F.flip(x25, {axis = {0, -1}})
  local v27 = F["broadcast_logical_or"](v26, x25)
  local v28 = F["rsqrt"](v27)
  return v28, v26
end)
local graph = function(F, x0, x1, x4, x5, x6, x13, x18, x25)
  local v11, v12 = block2(x0, x4, x5, x6)
  local v14 = F.signsgd_update(v12, x13, {lr = 0.1})
  local v15 = F["_logical_or_scalar"](v14)
  local v16 = F["_greater"](x1, v11)
  local v17 = F["_not_equal"](v14, x4)
  local v19 = F.sort(x18, {axis = 0, is_ascend = false})
  local v20 = F["_logical_and_scalar"](v15, {["scalar"] = 1.05})
  local v29, v30 = block21(x18, v16, x25)
  local v31 = F["mish"](v29)
  local v33 = F["softsign"](v29)
  local v34 = F["broadcast_logical_and"](v33, v29)
  local v35 = F["broadcast_mod"](v17, v12)
  local v36 = F["broadcast_not_equal"](v19, v19)
  return v36, v20, v16, v11
end

local function inputs() return { input(723042, {1, 2, 2, 1}, "float64"), input(645773, {2}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{{3, 1, 2}, {5, 6, 4}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [6] = "write", [7] = "add", [8] = "add" }, 156, false, 1
]==],
[==[
local graph = function(F, x0, x3)
  local v1 = F["tan"](x0)
  local v2 = F["relu"](x0)
  local v4 = F.gammaln(x3)
  return v4
end

local function inputs() return { input(238939, {4, 4, 1}, "float32"), nd.array{0.625, 1.5, 2.875} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 157, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3)
  local v4 = F.linalg_inverse(x3)
  local v5 = F["roll"](v4, {["shift"] = 1})
  local v6 = F["broadcast_minimum"](x0, x0)
  local v7 = F["_greater"](v4, v4)
  local v8 = F["_linalg_trmm"](v6, x0, {["lower"] = true})
  local v9 = F["gammaln"](v8)
  return v9, v4, x0
end

local function inputs() return { input(754836, {4, 1, 1}, "float32"), (input(354574, {4}, "float32") * 2):astype("int64"), input(332978, {1, 1}, "float32"), nd.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write", [4] = "write" }, 158, false, 100
]==],
[==[
local block17 = block(function(F, a18, x21, x22, x25, x26)
  local v19 = F["_minimum"](a18, a18)
  local v20 = F["stack"](v19, {["axis"] = -1})
  local v23 = F.logaddexp(x21, x22)
  local v24 = F["fix"](v23)
  local v27 = F.SVMOutput(x25, x26, {use_linear = true})
  return v27, v19
end)
local graph = function(F, x0, x1, x7, x8, x9, x10, x13, x14, x15, x21, x22, x25, x26, x30)
  local v2 = F["abs"](x0)
  local v3 = F["all_finite"](v2, {["init_output"] = true})
  local v4 = F["amp_cast"](v3, {["dtype"] = "int32"})
  local v5 = F["expm1"](v2)
  local v6 = F["nanprod"](v2, {["keepdims"] = true})
  local v11 = F.adam_update(x7, x8, x9, x10, {lr = 0.1, wd = 0.01, clip_gradient = 1})
  local v12 = F["_rminus_scalar"](v11, {["scalar"] = -0.929})
  local v16 = F.nag_mom_update(x13, x14, x15, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1})
  local v28, v29 = block17(v16, x21, x22, x25, x26)
  local v31 = F.nanprod(x30)
  local v32 = F.linalg_extractdiag(x30)
  return v32, v28, v4
end

local function inputs() return { input(270734, {0, 3}, "float32"), input(730062, {8, 2}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8}, nd.array{{1, 2, 3}, {0.5, -1, 2}}, nd.array{2, 0}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [11] = "write", [12] = "write", [13] = "add" }, 159, false, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["reciprocal"](x0)
  local v2 = F["sigmoid"](x0)
  local v3 = F["where"](v1, v2, v2)
  local v4 = F["broadcast_power"](v2, v1)
  local v5 = F["tanh"](v1)
  local v6 = F["_lesser_equal_scalar"](v2, {["scalar"] = -0.339})
  local v7 = F["reciprocal"](v3)
  local v8 = F["trunc"](v1)
  local v9 = F["tan"](v8)
  return v9, v7, v4, v2
end

local function inputs() return { input(424509, {4, 1}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 160, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x8)
  local v3 = F["softmin"](x0)
  local v4 = F["_hypot"](v3, x0)
  local v5 = F["mish"](x2)
  local v6 = F["_minimum"](v4, v4)
  local v7 = F["_lesser_equal"](v5, v5)
  local v9 = F.random.normal_like(x8, 5, 0.1)
  local v10 = F["cosh"](v4)
  local v11 = F.cbrt(v9)
  local v12 = F["_mul_scalar"](v10)
  return v12
end

local function inputs() return { input(302528, {1}, "float64"), input(100178, {2, 5, 1}, "float64"), input(408395, {2, 2}, "float64"), nd.array{1, 2, 3}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "add" }, 161, true, 100
]==],
[==[
local block2 = block(function(F, a3, a4, x6, x7)
  local v8 = F.linalg_gemm2(x6, x7, {alpha = 2, transpose_b = true})
  local v9 = F["broadcast_add"](x7, x6)
  return v9
end)
local graph = function(F, x0, x1, x6, x7, x11, x13)
  local v10 = block2(x0, x1, x6, x7)
  local v12 = F.arccosh(x11)
  local v14 = F.nansum(x13)
  return v14
end

local function inputs() return { input(796217, {3}, "float64"), input(330288, {8}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{5, 6}, {7, 8}}:astype("float64"), nd.array{1.625, 2.5, 3.875}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write", [5] = "write", [6] = "add" }, 162, true, 100
]==],
[==[
local graph = function(F, x0, x4, x9)
  local v2 = F["tan"](x0)
  local v3 = F["_npi_where"](v2, v2, x0)
  local v5 = F.any(x4, {axis = 0})
  local v6 = F["log"](x0)
  local v8 = F._quantile(x4, {q = {0.3}, axis = 1, scalar = true})
  local v10 = F.dot(x9, x9, {transpose_b = true})
  local v11 = F["_mod_scalar"](x9, {["scalar"] = 0.031})
  local v12 = F["cbrt"](v10)
  return v12, v10, v2
end

local function inputs() return { input(312114, {}, "float32"), nd.array{{0, 2, 0}, {0, 5, 6}}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 163, true, 100
]==],
[==[
local graph = function(F, x0)
  local v1 = F["tan"](x0)
  local v2 = F["arctan"](v1)
  return v2
end

local function inputs() return { input(828012, {3, 2, 3, 2}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = {  }, 164, true, 1
]==],
[==[
local block15 = block(function(F, a16, a17, x18)
  local v19 = F.count_nonzero(x18, {axis = 1, keepdims = true})
  local v20 = F["_mod"](v19, v19)
  return v20
end)
local graph = function(F, x0, x1, x5, x6, x7, x9, x18, x22)
  local v2 = F["abs"](x1)
  local v3 = F["arcsinh"](x0)
  local v4 = F["shape_array"](v3)
  local v8 = F.add_n(x5, x6, x7)
  local v10 = F.squeeze(x9, {axis = {-1}})
  local v11 = F["rcbrt"](v10)
  local v12 = F["_greater"](v10, v10)
  local v13 = F["degrees"](v12)
  local v14 = F["logical_not"](v8)
  local v21 = block15(v10, v14, x18)
  local v23 = F.tril(x22)
  return v23, v21, v13, v12
end

local function inputs() return { input(343909, {5, 5, 4}, "float32"), (input(302066, {1, 1}, "float32") * 2):astype("int64"), nd.array{1, 2}, nd.array{3, 4}, nd.array{5, 6}, nd.array{{{1}, {2}}}, nd.array{{0, 2, 0}, {3, 5, 6}}, nd.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [4] = "add", [5] = "write", [6] = "write", [7] = "write" }, 165, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["tanh"](x0)
  local v3 = F["_sample_multinomial"](x1, {["get_prob"] = true})
  local v4 = F["_lesser_equal_scalar"](v2)
  local v5 = F["_minimum"](v4, v2)
  local v6 = F["gamma"](v3[2])
  local v7 = F["log1p"](v5)
  return v7, v3[2]
end

local function inputs() return { input(859806, {1, 8, 8}, "float64"), input(817906, {8}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write" }, 166, true, 100
]==],
[==[
local block16 = block(function(F, a17)
  local v18 = F["broadcast_add"](a17, a17)
  local v19 = F["sinh"](a17)
  return v19
end)
local block21 = block(function(F, a22, a23)
  local v24 = F["_plus_scalar"](a23)
  local v25 = F["expm1"](v24)
  local v26 = F["erf"](v24)
  local v28 = F["broadcast_logical_and"](v24, a23)
  return v28
end)
local graph = function(F, x0, x1, x2, x7, x8, x9, x10, x11, x14, x30, x32, x34)
  local v4 = F["_floor_divide_scalar"](x0)
  local v5 = F["_unravel_index"](x2, {["shape"] = 0})
  local v6 = F["log_sigmoid"](x1)
  local v12 = F.ftml_update(x7, x8, x9, x10, x11, {lr = 0.1, t = 3, wd = 0.01, clip_grad = 1})
  local v13 = F["argmax"](v12, {["keepdims"] = true})
  local v15 = F._plus_scalar(x14)
  local v20 = block16(v13)
  local v29 = block21(v12, v20)
  local v31 = F.random.negative_binomial_like(x30, 3, 0.4)
  local v33 = F.count_nonzero(x32, {axis = 0})
  local v35 = F.ravel_multi_index(x34, {shape = {2, 3}})
  return v35, v31, v20, v15
end

local function inputs() return { input(811295, {4}, "float64"), input(749053, {2, 4, 4}, "float64"), input(363599, {3}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{0.1, 0.4}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64"), nd.array{1, 2, 3}:astype("float64"), nd.array{{0, 2, 0}, {0, 5, 6}}:astype("float64"), nd.array{{0, 1}, {2, 1}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [9] = "add", [10] = "add" }, 167, true, 100
]==],
[==[
local block6 = block(function(F, a7, a8, x11)
  local v9 = F["_greater_scalar"](a8)
  local v10 = F["broadcast_greater"](a8, a7)
  local v12 = F.broadcast_add(x11, x11)
  return v12, v9
end)
local graph = function(F, x0, x1, x11)
  local v2 = F["sin"](x0)
  local v3 = F["array_equal"](x0, x0, {["equal_nan"] = true})
  local v4 = F["_minimum"](x0, x0)
  local v5 = F["abs"](x1)
  local v13, v14 = block6(v3, v3, x11)
  local v16 = F["smooth_l1"](v13)
  local v17 = F["_greater"](v13, v13)
  local v18 = F["_rminus_scalar"](v17, {["scalar"] = -0.189})
  local v19 = F["broadcast_hypot"](v17, v16)
  return v19, v16, v14
end

local function inputs() return { input(891601, {1, 4}, "float64"), input(695415, {4, 1}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write" }, 168, false, 1
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["_mul_scalar"](x0)
  local v3 = F["_greater_equal_scalar"](x1)
  local v4 = F["broadcast_maximum"](x1, x1)
  return v4, v3
end

local function inputs() return { input(385290, {1, 6}, "float32"), input(480649, {6, 2, 3}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add" }, 169, false, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x10)
  local v3 = F["exp"](x2)
  local v4 = F["erfinv"](x1)
  local v5 = F["size_array"](x2)
  local v6 = F["_greater_equal"](v4, x1)
  local v7 = F["broadcast_logical_xor"](v3, v3)
  local v9 = F["cbrt"](v6)
  local v11 = F.linalg.eigvalsh(x10)
  local v12 = F["smooth_l1"](v11)
  local v13 = F["_linalg_extractdiag"](x10)
  local v14 = F["rsqrt"](v13)
  return v14, v12, v11, v6
end

local function inputs() return { input(901187, {9, 1}, "float32"), input(346447, {1, 1, 0, 1}, "float32"), input(539559, {1, 4, 4}, "float32"), nd.array({{4, 1}, {1, 3}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write" }, 170, true, 100
]==],
[==[
local block3 = block(function(F, a4, a5)
  local v6 = F["make_loss"](a5)
  local v7 = F["broadcast_maximum"](a4, v6)
  return v7
end)
local graph = function(F, x0, x1, x2, x10, x13, x16, x17, x18, x19)
  local v8 = block3(x0, x1)
  local v9 = F["_random_generalized_negative_binomial_like"](v8, {["mu"] = 0.221})
  local v11 = F.expand_dims(x10, {axis = -1})
  local v12 = F["degrees"](x1)
  local v14 = F.square(x13)
  local v15 = F["_hypot_scalar"](v12, {["scalar"] = 1.43})
  local v20 = F.lamb_update_phase1(x16, x17, x18, x19, {t = 1, wd = 0})
  return v20, v14, v9, v8
end

local function inputs() return { input(417084, {2, 2}, "float32"), input(611325, {2}, "float32"), input(12301, {2, 2}, "float32"), nd.array{{1, 2}, {3, 4}}, nd.array{-1.8, -0.4, 1.8}, nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2}, nd.array{0.3, 0.1} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "add", [5] = "write" }, 171, true, 100
]==],
[==[
local graph = function(F, x0, x1, x6)
  local v2 = F["_mul_scalar"](x1)
  local v3 = F["_maximum"](v2, v2)
  local v4 = F["topk"](v3, {["k"] = 0, ["is_ascend"] = false, ["dtype"] = "float32"})
  local v5 = F["_greater_equal_scalar"](v2, {["scalar"] = 1.65})
  local v7 = F.sample_uniform(x6, x6, {shape = {3}})
  return v7, v4
end

local function inputs() return { input(932981, {3}, "float64"), input(370479, {3}, "float64"), nd.array{0, 10}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "add", [3] = "add" }, 172, true, 1
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F.hard_sigmoid(x1)
  local v3 = F.broadcast_mul(x1, x1)
  local v4 = F["reciprocal"](x1)
  local v5 = F["_power_scalar"](v2, {["scalar"] = -1.65})
  local v6 = F["mish"](v3)
  local v7 = F["hard_sigmoid"](v2)
  return v7, v6, v4
end

local function inputs() return { input(999968, {2, 4, 2}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add" }, 173, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x6)
  local v4 = F.nansum(x3, {axis = {0, 2}, keepdims = true})
  local v5 = F["rint"](x3)
  local v7 = F.Activation(x6, {act_type = "softsign"})
  local v8 = F["broadcast_minimum"](x3, v5)
  return v8, v4
end

local function inputs() return { input(964776, {}, "float64"), input(976797, {3, 3, 2}, "float64"), input(386111, {0, 3}, "float64"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}:astype("float64"), nd.array{-2, 0.5, 1.5}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [4] = "add", [5] = "write" }, 174, true, 100
]==],
[==[
local graph = function(F, x0, x4, x7)
  local v1 = F["clip"](x0, {["a_min"] = -1.99, ["a_max"] = 1.72})
  local v2 = F["_mod_scalar"](v1)
  local v3 = F["broadcast_add"](x0, x0)
  local v5 = F.norm(x4, {ord = 1, axis = 0, keepdims = true})
  local v8 = F.contrib.arange_like(x7)
  local v9 = F["broadcast_greater"](x4, x4)
  local v10 = F["log_sigmoid"](v8)
  return v10, v8, v2
end

local function inputs() return { input(458465, {3, 3, 4, 3}, "float32"), nd.array{{3, -4}, {6, 8}}, nd.array{{1, 2}, {3, 4}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 175, true, 100
]==],
[==[
local block16 = block(function(F, a17)
  local v18 = F["_rminus_scalar"](a17, {["scalar"] = 0.891})
  local v19 = F["gamma"](a17)
  local v20 = F["broadcast_floor_divide"](v18, a17)
  return v20, v19
end)
local graph = function(F, x0, x1, x2, x4, x6, x9, x10, x11)
  local v3 = F.multi_sum_sq(x1, x2, {num_arrays = 2})
  local v5 = F.broadcast_axis(x4, {axis = {0, 2}, size = {2, 3}})
  local v7 = F.isnan(x6)
  local v8 = F["log10"](v5)
  local v12 = F.where(x9, x10, x11)
  local v13 = F["elemwise_div"](v12, x10)
  local v14 = F["rint"](x4)
  local v15 = F["_linalg_eigh"](v12, {["UPLO"] = "L"})
  local v21, v22 = block16(v13)
  return v21, v3
end

local function inputs() return { input(974362, {2, 2, 1, 1}, "float32"), nd.array{1, 2}, nd.array{3}, nd.array{{{1}, {2}}}, nd.array{1, 1 / 0, -1 / 0, 0 / 0}, nd.array{{1, 0}, {0, 1}}, nd.array{{1, 2}, {3, 4}}, nd.array{{5, 6}, {7, 8}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "write", [4] = "add", [5] = "write", [6] = "add", [8] = "write" }, 176, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F["reciprocal"](x1)
  local v4 = F["_lesser_equal_scalar"](x1, {["scalar"] = -0.729})
  local v5 = F["arcsinh"](x2)
  local v6 = F["_greater_scalar"](v4)
  return v6
end

local function inputs() return { input(490259, {1, 9, 1}, "float32"), input(528103, {4}, "float32"), input(698824, {3, 3, 9, 4}, "float32") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "write" }, 177, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x5, x7, x11, x14)
  local v4 = F.dot(x2, x3, {transpose_a = true})
  local v6 = F.MakeLoss(x5, {grad_scale = 2})
  local v8 = F.diag(x7)
  local v9 = F["_power"](v6, v8)
  local v10 = F["_logical_or"](x2, v4)
  local v12 = F.softmax(x11, {axis = 1, temperature = 2})
  local v13 = F["_contrib_quadratic"](x11, {["a"] = -0.209, ["b"] = -0.559})
  local v15 = F.random.multinomial(x14, {4})
  return v15, v13
end

local function inputs() return { input(6157, {0, 4, 2}, "float64"), (input(985187, {3, 2}, "float32") * 2):astype("int64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{2, 1}, {0, 5}}:astype("float64"), nd.array{1, 2}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}:astype("float64"), nd.array{0.1, 0.2, 0.7}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add", [4] = "write", [6] = "write", [7] = "write", [8] = "add" }, 178, true, 100
]==],
[==[
local graph = function(F, x0, x4)
  local v1 = F["elemwise_div"](x0, x0)
  local v2 = F["_plus_scalar"](x0)
  local v5 = F.exp(x4)
  return v5
end

local function inputs() return { input(522054, {3, 3}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 179, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x6, x9)
  local v3 = F["take"](x1, x1, {["mode"] = "clip"})
  local v5 = F.slice(x4, {begin = 1, stop = "(None,)"})
  local v7 = F.cos(x6)
  local v8 = F["broadcast_lesser_equal"](x2, x2)
  local v10 = F.argmax_channel(x9)
  return v10, v8, v5, v3
end

local function inputs() return { input(37951, {6, 1}, "float64"), input(381264, {6, 4, 6}, "float64"), input(331646, {6, 4}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}:astype("float64"), nd.array{-2.7, -0.6, 2.7}:astype("float64"), nd.array{{1, 5, 2}, {7, 3, 4}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write", [4] = "add", [5] = "add" }, 180, false, 1
]==],
[==[
local block7 = block(function(F, a8, a9)
  local v10 = F["broadcast_logical_xor"](a8, a8)
  local v11 = F["hard_sigmoid"](a8, {["beta"] = -0.179})
  return v11, v10
end)
local graph = function(F, x0, x1, x3)
  local v2 = F["log10"](x1)
  local v4 = F.gamma(x3)
  local v5 = F["L2Normalization"](v4, {["eps"] = 1.96})
  local v6 = F["exp"](x3)
  local v12, v13 = block7(v2, v4)
  return v12, v5
end

local function inputs() return { input(553848, {2, 2}, "float32"), input(368040, {}, "float32"), nd.array{0.625, 1.5, 2.875} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 181, false, 100
]==],
[==[
local block9 = block(function(F, a10, a11)
  local v12 = F["_minimum"](a10, a10)
  local v13 = F.LeakyReLU(a11, {act_type = "rrelu"})[1]
  local v14 = F["_rminus_scalar"](a10, {["scalar"] = -0.499})
  local v15 = F["nansum"](a11, {["axis"] = 0})
  return v15, v12
end)
local graph = function(F, x0, x6)
  local v1 = F["_linalg_makediag"](x0, {["offset"] = 1})
  local v2 = F["cbrt"](x0)
  local v3 = F["_greater_scalar"](x0, {["scalar"] = 0.981})
  local v4 = F["_maximum"](v3, v3)
  local v5 = F["broadcast_lesser"](v2, v4)
  local v7 = F.mish(x6)
  local v8 = F["reciprocal"](v7)
  local v16, v17 = block9(v7, v7)
  local v18 = F["cosh"](v16)
  local v19 = F["_logical_and_scalar"](x0, {["scalar"] = 1.51})
  return v19, v18, v8, v7
end

local function inputs() return { input(47538, {3, 3}, "float32"), nd.array{-2.7, -0.6, 2.7} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 182, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x7)
  local v3 = F["_rpower_scalar"](x0)
  local v4 = F["broadcast_mod"](x2, x2)
  local v5 = F["where"](v3, v3, v3)
  local v6 = F["_div_scalar"](v4, {["scalar"] = -1.65})
  local v8 = F.random.normal_like(x7, 5, 0.1)
  local v9 = F["broadcast_greater_equal"](v8, x7)
  local v10 = F["arcsinh"](v8)
  local v11 = F["_minus_scalar"](v3, {["scalar"] = 1.87})
  return v11, v9, v5, v4
end

local function inputs() return { input(563435, {0}, "float64"), input(605268, {}, "float64"), input(319383, {2, 2}, "float64"), nd.array{1, 2, 3}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "add", [4] = "write" }, 183, true, 100
]==],
[==[
local block15 = block(function(F, a16, x18)
  local v17 = F["_not_equal"](a16, a16)
  local v19 = F.triu(x18)
  local v20 = F["broadcast_mul"](v19, x18)
  return v20, v19
end)
local graph = function(F, x0, x1, x11, x18)
  local v2 = F["_minus_scalar"](x0, {["scalar"] = -1.14})
  local v3 = F["one_hot"](x0, {["depth"] = 3})
  local v4 = F["broadcast_add"](v2, x0)
  local v5 = F["khatri_rao"](v3, v3, v3)
  local v6 = F["_power"](v5, v5)
  local v7 = F["_mod"](v4, v2)
  local v8 = F["broadcast_maximum"](v6, v5)
  local v9 = F["logical_not"](v3)
  local v10 = F["dot"](v7, v7)
  local v12 = F.cumsum(x11, {axis = 0, dtype = "float64"})
  local v13 = F["_minus_scalar"](x0, {["scalar"] = -0.509})
  local v14 = F["_slice_assign_scalar"](v8, {["scalar"] = 1.69, ["begin"] = 1, ["end"] = 1, ["step"] = {-1}})
  local v21, v22 = block15(x11, x18)
  return v21, v10, v9, v3
end

local function inputs() return { input(79332, {9}, "float64"), input(14266, {9, 2}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 184, true, 1
]==],
[==[
local block7 = block(function(F, a8, a9, x10, x11, x12, x13, x17)
  local v14 = F.adadelta_update(x10, x11, x12, x13, {rho = 0.8, epsilon = 0.001, wd = 0.01})
  local v15 = F["_npi_where"](v14, x11, v14)
  local v16 = F["broadcast_mod"](x13, x11)
  local v18 = F.ravel_multi_index(x17, {shape = {2, 3}})
  return v18
end)
local graph = function(F, x0, x1, x4, x10, x11, x12, x13, x17, x27)
  local v2 = F["tan"](x1)
  local v3 = F["log1p"](x1)
  local v5 = F.softmin(x4, {axis = 1, temperature = 2})
  local v6 = F["_gelu_tanh"](v5)
  local v19 = block7(v5, v3, x10, x11, x12, x13, x17)
  local v21 = F["_div_scalar"](x13, {["scalar"] = 1.31})
  local v22 = F["broadcast_mul"](v21, x13)
  local v23 = F["norm"](x11, {["ord"] = 1, ["axis"] = {-1}, ["keepdims"] = false})
  local v24 = F["_not_equal_scalar"](v22)
  local v25 = F["_rpower_scalar"](v6, {["scalar"] = 0.441})
  local v26 = F["cos"](v3)
  local v28 = F.reciprocal(x27)
  return v28, v23, v6
end

local function inputs() return { input(595229, {}, "float64"), input(319911, {1}, "float64"), nd.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}:astype("float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{{0, 1}, {2, 1}}:astype("float64"), nd.array{0.575, 1.1, 1.925}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [8] = "write" }, 185, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x5, x6)
  local v3 = F["broadcast_equal"](x0, x0)
  local v7 = F.nag_mom_update(x4, x5, x6, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1})
  return v7
end

local function inputs() return { input(575427, {3, 2, 3}, "float32"), input(188956, {2, 2}, "float32"), input(51490, {3, 3}, "float32"), nd.array{1, -1}, nd.array{0.5, -2}, nd.array{0.1, 0.2} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write" }, 186, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4)
  local v3 = F["_linalg_solve"](x0, x0)
  local v5 = F.mean(x4, {axis = 1, exclude = true})
  local v6 = F["relu"](v5)
  return v6
end

local function inputs() return { input(627024, {6, 1, 4, 4}, "float32"), input(32253, {6, 6}, "float32"), input(143200, {3, 1}, "float32"), nd.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [3] = "add", [4] = "add" }, 187, true, 100
]==],
[==[
local graph = function(F, x0, x10, x11)
  local v1 = F["broadcast_mul"](x0, x0)
  local v2 = F["_mod_scalar"](v1, {["scalar"] = -1.1})
  local v3 = F["broadcast_hypot"](v1, v2)
  local v4 = F["_div_scalar"](v2)
  local v5 = F["_logical_xor"](v2, x0)
  local v6 = F["_greater_scalar"](v5, {["scalar"] = 1.93})
  local v7 = F["broadcast_hypot"](v3, v3)
  local v8 = F["_lesser_scalar"](v6, {["scalar"] = -0.789})
  local v9 = F["tan"](v4)
  local v12 = F.broadcast_logical_xor(x10, x11)
  return v12, v7, v5, v4
end

local function inputs() return { input(120713, {9, 2, 2}, "float32"), nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 188, true, 1
]==],
[==[
local block6 = block(function(F, a7, x9, x10)
  local v8 = F["_power"](a7, a7)
  local v11 = F.softmax(x9, x10, {use_length = true, axis = 0})
  local v12 = F["_mod"](x10, x10)
  local v13 = F["any"](v11)
  return v13, v8
end)
local graph = function(F, x0, x1, x2, x9, x10, x17)
  local v3 = F["_maximum_scalar"](x1)
  local v4 = F["broadcast_lesser_equal"](x2, x2)
  local v5 = F["_lesser_equal_scalar"](x1)
  local v14, v15 = block6(v5, x9, x10)
  local v16 = F["sin"](v15)
  local v18 = F.linalg.qr(x17, {mode = "complete"})
  return v18[1], v18[2], v5
end

local function inputs() return { input(636610, {2, 1}, "float64"), input(752195, {3, 2, 1, 2}, "float64"), input(920329, {3, 2}, "float64"), nd.array{{1, 2, 3}, {0.5, -1, 2}}:astype("float64"), nd.array({2, 1, 0}, {dtype = "int32"}), nd.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = "float64"}) } end
local REQS, SEED, TRAIN, MOST_HEADS = { [2] = "write", [3] = "write", [4] = "write", [6] = "write" }, 189, false, 100
]==],
[==[
local block11 = block(function(F, a12, x16)
  local v13 = F["softmin"](a12, {["axis"] = 1})
  local v14 = F["_linalg_makediag"](v13)
  local v15 = F["abs"](v13)
  local v17 = F.full_like(x16, 7, {dtype = "int32"})
  return v17, v15
end)
local graph = function(F, x0, x1, x2, x8, x9, x16, x20)
  local v3 = F["_equal"](x0, x0)
  local v4 = F["_linalg_svd"](v3)
  local v5 = F["_minimum_scalar"](v4[1])
  local v6 = F["trigamma"](v5)
  local v7 = F["_not_equal_scalar"](x0)
  local v10 = F.broadcast_floor_divide(x8, x9)
  local v18, v19 = block11(v7, x16)
  local v21 = F.sinh(x20)
  return v21, v18, v19, v10
end

local function inputs() return { input(152507, {1, 1}, "float64"), input(607378, {4, 1}, "float64"), input(421500, {1, 4, 4}, "float64"), nd.array{0.575, 1.1, 1.925}:astype("float64"), nd.array{1.925, 1.4, 0.575}:astype("float64"), nd.array{1, 2}:astype("float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "add", [4] = "write", [5] = "write", [6] = "write", [7] = "write" }, 190, true, 100
]==],
[==[
local graph = function(F, x0, x3)
  local v1 = F["_logical_xor_scalar"](x0, {["scalar"] = 0.161})
  local v2 = F["_plus_scalar"](v1, {["scalar"] = 1.59})
  local v4 = F.expm1(x3)
  return v4, v2
end

local function inputs() return { input(668405, {3, 7}, "float64"), nd.array{-1.8, -0.4, 1.8}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write" }, 191, true, 100
]==],
[==[
local block7 = block(function(F, a8, a9, x10)
  local v11 = F.Activation(x10, {act_type = "softrelu"})
  local v12 = F["_random_normal_like"](v11)
  local v13 = F["radians"](a9)
  return v13, v12
end)
local graph = function(F, x0, x2, x3, x5, x10)
  local v1 = F["relu"](x0)
  local v4 = F._hypot(x2, x3)
  local v6 = F.norm(x5, {ord = 1, axis = 0, keepdims = true})
  local v14, v15 = block7(v6, v6, x10)
  return v14, v1
end

local function inputs() return { input(741892, {4, 3}, "float32"), nd.array{0.575, 1.1, 1.925}, nd.array{1.925, 1.4, 0.575}, nd.array{{3, -4}, {6, 8}}, nd.array{-2, 0.5, 1.5} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "add", [4] = "write" }, 192, true, 1
]==],
[==[
local graph = function(F, x0, x1, x2, x7, x14)
  local v3 = F["trigamma"](x1)
  local v4 = F["_mod"](x2, x2)
  local v5 = F["_npi_where"](x2, x2, x2)
  local v6 = F["erfinv"](v4)
  local v8 = F.argmax_channel(x7)
  local v9 = F["_rminus_scalar"](v6)
  local v10 = F["cosh"](x7)
  local v11 = F["elemwise_div"](x7, v10)
  local v12 = F["_contrib_index_array"](v3, {["axes"] = 0})
  local v13 = F["_minimum_scalar"](v10, {["scalar"] = 0.631})
  local v15 = F.broadcast_hypot(x14, x14)
  local v16 = F["broadcast_mul"](v13, v10)
  return v16, v13, v9
end

local function inputs() return { input(700199, {4}, "float32"), input(241554, {4, 2}, "float32"), input(146132, {2, 2, 4}, "float32"), nd.array{{1, 5, 2}, {7, 3, 4}}, nd.array{0.575, 1.1, 1.925} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "add", [3] = "write", [4] = "add", [5] = "write" }, 193, true, 100
]==],
[==[
local graph = function(F, x0, x1, x5, x6, x8)
  local v2 = F["silu"](x1)
  local v3 = F["_lesser_equal_scalar"](x0)
  local v4 = F["tanh"](x1)
  local v7 = F.broadcast_greater_equal(x5, x6)
  local v9 = F.roll(x8, 1, {axis = 1})
  local v10 = F["degrees"](x8)
  local v12 = F["_greater"](x5, x5)
  return v12, v7
end

local function inputs() return { input(193888, {}, "float32"), input(243060, {3, 6, 3}, "float32"), nd.array{-1.8, -0.4, 1.8}, nd.array{1.8, 0.4, -1.8}, nd.array{{1, 2, 3}, {4, 5, 6}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 194, false, 100
]==],
[==[
local graph = function(F, x0, x2, x3)
  local v1 = F["elemwise_sub"](x0, x0)
  local v4 = F.linalg_gemm2(x2, x3, {alpha = 2, transpose_b = true})
  local v5 = F["broadcast_maximum"](x2, v4)
  local v6 = F["argsort"](x3, {["is_ascend"] = false, ["dtype"] = "float64"})
  local v7 = F["_mod_scalar"](v5)
  local v8 = F.linalg_makediag(v4, {offset = 1})
  local v9 = F["LinearRegressionOutput"](v6, v6, {["grad_scale"] = 1.76})
  return v9, v4
end

local function inputs() return { input(709785, {1, 0, 1, 7}, "float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{5, 6}, {7, 8}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 195, true, 100
]==],
[==[
local graph = function(F, x0, x1)
  local v2 = F["_div_scalar"](x0, {["scalar"] = 1.19})
  local v3 = F["_linalg_maketrian"](x0, {["offset"] = 1})
  local v4 = F["_greater"](v3, v3)
  local v5 = F["cos"](v3)
  local v6 = F["_logical_and"](v3, v5)
  local v7 = F["_not_equal_scalar"](x1)
  local v8 = F["broadcast_greater"](v5, v6)
  local v9 = F["min"](v6)
  local v10 = F["round"](v7)
  local v11 = F["broadcast_minimum"](v8, v8)
  local v12 = F["broadcast_logical_xor"](v11, v6)
  return v12, v8, v5, v3
end

local function inputs() return { input(225683, {3, 1, 1, 1}, "float64"), input(468717, {1, 2}, "float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write" }, 196, true, 1
]==],
[==[
local block2 = block(function(F, a3, a4, x5, x6, x7, x8, x9)
  local v10 = F.adamw_update(x5, x6, x7, x8, x9, {lr = 0.1, eta = 1, wd = 0.01})
  local v11 = F["log2"](x9)
  local v12 = F["negative"](v10)
  return v12
end)
local block15 = block(function(F, a16, a17, x18, x19)
  local v20 = F.dot(x18, x19, {transpose_a = true})
  local v21 = F["broadcast_not_equal"](a17, a16)
  local v22 = F["silu"](v21)
  local v23 = F["round"](v21)
  local v24 = F["broadcast_minimum"](v22, a16)
  return v24, v23, v22, v21
end)
local graph = function(F, x0, x1, x5, x6, x7, x8, x9, x18, x19)
  local v13 = block2(x1, x1, x5, x6, x7, x8, x9)
  local v14 = F["_not_equal_scalar"](v13, {["scalar"] = -1.57})
  local v25, v26, v27, v28 = block15(v13, v13, x18, x19)
  local v29 = F["_npi_where"](x5, v25, x8)
  local v30 = F["square"](v28)
  local v31 = F["_lesser_equal_scalar"](x19, {["scalar"] = 0.991})
  local v32 = F["_contrib_allclose"](v31, x18, {["rtol"] = -1.47, ["atol"] = -1.41, ["equal_nan"] = false})
  local v33 = F["_div_scalar"](x0)
  local v34 = F["_logical_xor_scalar"](v33)
  return v34, v33, v31, v29
end

local function inputs() return { input(741580, {4, 1, 4}, "float64"), input(380123, {3, 3, 4}, "float64"), nd.array{1, -1}:astype("float64"), nd.array{0.5, -2}:astype("float64"), nd.array{0.1, 0.2}:astype("float64"), nd.array{0.3, 0.1}:astype("float64"), nd.array{0.5}:astype("float64"), nd.array{{1, 2}, {3, 4}}:astype("float64"), nd.array{{2, 1}, {0, 5}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [8] = "write", [9] = "write" }, 197, false, 100
]==],
[==[
local graph = function(F, x0, x5)
  local v1 = F["expm1"](x0)
  local v2 = F["sinh"](v1)
  local v3 = F["broadcast_logical_and"](v1, v1)
  local v4 = F["_random_normal_like"](v1, {["loc"] = 1.03, ["scale"] = 1.96})
  local v6 = F.reshape_like(x5, F.zeros{2, 2, 5}, {lhs_end = 1, rhs_begin = 0, rhs_end = -1})
  return v6
end

local function inputs() return { input(257477, {4, 2, 1}, "float32"), nd.array{{1, 2}, {3, 4}, {5, 6}, {7, 8}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write" }, 198, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x3, x5, x6, x10)
  local v4 = F.amp_cast(x3, {dtype = "float16"})
  local v7 = F.LogisticRegressionOutput(x5, x6, {grad_scale = 2})
  local v8 = F["_linalg_svd"](v7, {["full_matrices"] = false})
  local v9 = F["elemwise_sub"](v8[2], v8[2])
  local v11 = F.unravel_index(x10, {shape = {2, 3}})
  local v12 = F["sinh"](v8[1])
  local v13 = F["_rpower_scalar"](v12)
  local v14 = F["broadcast_sub"](v13, v12)
  return v14, v9, v8[1]
end

local function inputs() return { input(128677, {2, 1, 1}, "float32"), (input(669633, {2, 1, 1}, "float32") * 2):astype("int64"), input(63107, {4, 1}, "float32"), nd.array{1.5, -2.5}, nd.array{{1}, {2}}, nd.array{0, 1}, nd.array{2, 4} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [3] = "write", [4] = "add", [5] = "add", [6] = "write" }, 199, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2)
  local v3 = F.roll(x2, 2)
  local v4 = F["_contrib_quadratic"](x1, {["a"] = -1.04, ["b"] = -1.97})
  return v4
end

local function inputs() return { input(289271, {1, 2}, "float32"), input(872486, {2}, "float32"), nd.array{{1, 2, 3}, {4, 5, 6}} } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [3] = "write" }, 200, false, 1
]==],
[==[
local block7 = block(function(F, a8, a9)
  local v10 = F["_logical_or_scalar"](a9)
  local v11 = F["_maximum_scalar"](a8, {["scalar"] = 0.451})
  local v12 = F["_not_equal_scalar"](v11, {["scalar"] = -1.29})
  return v12, v11
end)
local block15 = block(function(F, a16, a17)
  local v18 = F["_minus_scalar"](a16, {["scalar"] = -0.479})
  local v19 = F["nan_to_num"](v18, {["neginf"] = 1.26})
  local v20 = F["silu"](v18)
  return v20
end)
local graph = function(F, x0, x1, x3, x5, x26, x29, x30)
  local v2 = F.triu(x1, {k = 1})
  local v4 = F.gamma(x3)
  local v6 = F._quantile(x5, {q = {0.1, 0.5}, axis = 0, method = "midpoint"})
  local v13, v14 = block7(x3, v2)
  local v21 = block15(v4, v14)
  local v22 = F._rpower_scalar(x3)
  local v23 = F["negative"](v21)
  local v24 = F["floor"](v21)
  local v25 = F["fix"](v2)
  local v27 = F.isneginf(x26)
  local v28 = F["broadcast_logical_xor"](x26, x26)
  local v31 = F.MAERegressionOutput(x29, x30, {grad_scale = 2})
  return v31, v25, v4, v2
end

local function inputs() return { input(782961, {3, 4}, "float64"), nd.array{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {3, 2, 1}}}:astype("float64"), nd.array{0.625, 1.5, 2.875}:astype("float64"), nd.array{{3, 1, 2}, {5, 9, 4}}:astype("float64"), nd.array{1, 1 / 0, -1 / 0, 0 / 0}:astype("float64"), nd.array{{1}, {2}}:astype("float64"), nd.array{0, 1}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [3] = "add", [4] = "write", [5] = "write", [6] = "write" }, 201, true, 100
]==],
[==[
local graph = function(F, x0, x1, x2, x4, x6)
  local v5 = F.reshape(x4, {-1})
  local v7 = F.softmax(x6, {axis = 1, temperature = 2})
  return v7, v5
end

local function inputs() return { input(298858, {0, 4}, "float64"), input(268579, {1, 1}, "float64"), input(978480, {7, 7, 7, 3}, "float64"), nd.array{{1, 2, 3}, {4, 5, 6}}:astype("float64"), nd.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "write", [2] = "write", [4] = "write" }, 202, true, 100
]==],
[==[
local graph = function(F, x0, x1, x4)
  local v2 = F["prod"](x0, {["exclude"] = true})
  local v5 = F.stop_gradient(x4)
  local v6 = F["silu"](v2)
  return v6, v2
end

local function inputs() return { input(814755, {4}, "float64"), input(828952, {1, 4}, "float64"), nd.array{1, 2}:astype("float64") } end
local REQS, SEED, TRAIN, MOST_HEADS = { [1] = "add", [2] = "write", [3] = "write" }, 203, true, 100
]==],
}
