---@meta hybridlua.operators
-- Made by `make docs` out of the operators' rows and hybridlua's sources; not to be edited.
-- For editors with a LuaCATS language server; docs/guide/program.md tells how to switch it on.

---@alias hl.DType 'float32'|'float64'|'float16'|'int8'|'uint8'|'int32'|'int64'|'bool'

---@class hl.op.negative
---@field [integer] any

---@class hl.op.abs
---@field [integer] any

---@class hl.op.square
---@field [integer] any

---@class hl.op.reciprocal
---@field [integer] any

---@class hl.op.sqrt
---@field [integer] any

---@class hl.op.rsqrt
---@field [integer] any

---@class hl.op.cbrt
---@field [integer] any

---@class hl.op.rcbrt
---@field [integer] any

---@class hl.op.exp
---@field [integer] any

---@class hl.op.expm1
---@field [integer] any

---@class hl.op.log
---@field [integer] any

---@class hl.op.log2
---@field [integer] any

---@class hl.op.log10
---@field [integer] any

---@class hl.op.log1p
---@field [integer] any

---@class hl.op.sin
---@field [integer] any

---@class hl.op.cos
---@field [integer] any

---@class hl.op.tan
---@field [integer] any

---@class hl.op.arcsin
---@field [integer] any

---@class hl.op.arccos
---@field [integer] any

---@class hl.op.arctan
---@field [integer] any

---@class hl.op.sinh
---@field [integer] any

---@class hl.op.cosh
---@field [integer] any

---@class hl.op.tanh
---@field [integer] any

---@class hl.op.arcsinh
---@field [integer] any

---@class hl.op.arccosh
---@field [integer] any

---@class hl.op.arctanh
---@field [integer] any

---@class hl.op.degrees
---@field [integer] any

---@class hl.op.radians
---@field [integer] any

---@class hl.op.erf
---@field [integer] any

---@class hl.op.erfinv
---@field [integer] any

---@class hl.op.gamma
---@field [integer] any

---@class hl.op.gammaln
---@field [integer] any

---@class hl.op.digamma
---@field [integer] any

---@class hl.op.trigamma
---@field [integer] any

---@class hl.op.relu
---@field [integer] any

---@class hl.op.sigmoid
---@field [integer] any

---@class hl.op.log_sigmoid
---@field [integer] any

---@class hl.op.softsign
---@field [integer] any

---@class hl.op._softrelu
---@field [integer] any

---@class hl.op.silu
---@field [integer] any

---@class hl.op.mish
---@field [integer] any

---@class hl.op._gelu_tanh
---@field [integer] any

---@class hl.op.sign
---@field [integer] any

---@class hl.op.rint
---@field [integer] any

---@class hl.op.round
---@field [integer] any

---@class hl.op.ceil
---@field [integer] any

---@class hl.op.floor
---@field [integer] any

---@class hl.op.trunc
---@field [integer] any

---@class hl.op.fix
---@field [integer] any

---@class hl.op.logical_not
---@field [integer] any

---@class hl.op.broadcast_add
---@field [integer] any

---@class hl.op.elemwise_add
---@field [integer] any

---@class hl.op.broadcast_sub
---@field [integer] any

---@class hl.op.elemwise_sub
---@field [integer] any

---@class hl.op.broadcast_mul
---@field [integer] any

---@class hl.op.elemwise_mul
---@field [integer] any

---@class hl.op.broadcast_div
---@field [integer] any

---@class hl.op.elemwise_div
---@field [integer] any

---@class hl.op.broadcast_mod
---@field [integer] any

---@class hl.op._mod
---@field [integer] any

---@class hl.op.broadcast_power
---@field [integer] any

---@class hl.op._power
---@field [integer] any

---@class hl.op.broadcast_maximum
---@field [integer] any

---@class hl.op._maximum
---@field [integer] any

---@class hl.op.broadcast_minimum
---@field [integer] any

---@class hl.op._minimum
---@field [integer] any

---@class hl.op.broadcast_hypot
---@field [integer] any

---@class hl.op._hypot
---@field [integer] any

---@class hl.op.broadcast_equal
---@field [integer] any

---@class hl.op._equal
---@field [integer] any

---@class hl.op.broadcast_not_equal
---@field [integer] any

---@class hl.op._not_equal
---@field [integer] any

---@class hl.op.broadcast_greater
---@field [integer] any

---@class hl.op._greater
---@field [integer] any

---@class hl.op.broadcast_greater_equal
---@field [integer] any

---@class hl.op._greater_equal
---@field [integer] any

---@class hl.op.broadcast_lesser
---@field [integer] any

---@class hl.op._lesser
---@field [integer] any

---@class hl.op.broadcast_lesser_equal
---@field [integer] any

---@class hl.op._lesser_equal
---@field [integer] any

---@class hl.op.broadcast_logical_and
---@field [integer] any

---@class hl.op._logical_and
---@field [integer] any

---@class hl.op.broadcast_logical_or
---@field [integer] any

---@class hl.op._logical_or
---@field [integer] any

---@class hl.op.broadcast_logical_xor
---@field [integer] any

---@class hl.op._logical_xor
---@field [integer] any

---@class hl.op.broadcast_floor_divide
---@field [integer] any

---@class hl.op.logaddexp
---@field [integer] any

---@class hl.op._plus_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._minus_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rminus_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._mul_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._div_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rdiv_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._mod_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rmod_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._power_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rpower_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._maximum_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._minimum_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._hypot_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op.smooth_l1
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op.clip
---@field [integer] any
---@field a_min number The lower bound.
---@field a_max number The upper bound.

---@class hl.op.hard_sigmoid
---@field [integer] any
---@field alpha? number The slope. Default: 0.2.
---@field beta? number The offset. Default: 0.5.

---@class hl.op._contrib_quadratic
---@field [integer] any
---@field a? number The coefficient of x^2. Default: 0.
---@field b? number The coefficient of x. Default: 0.
---@field c? number The constant. Default: 0.

---@class hl.op.nan_to_num
---@field [integer] any
---@field nan? number What stands for NaN. Default: 0.
---@field posinf? number What stands for infinity; held within what the dtype can hold. Default: inf.
---@field neginf? number What stands for minus infinity; the same. Default: -inf.

---@class hl.op._equal_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._not_equal_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._greater_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._greater_equal_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._lesser_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._lesser_equal_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._logical_and_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._logical_or_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._logical_xor_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._floor_divide_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rfloor_divide_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._npi_bitwise_and
---@field [integer] any

---@class hl.op._npi_bitwise_and_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._npi_bitwise_or
---@field [integer] any

---@class hl.op._npi_bitwise_or_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._npi_bitwise_xor
---@field [integer] any

---@class hl.op._npi_bitwise_xor_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._npi_bitwise_not
---@field [integer] any

---@class hl.op.left_shift
---@field [integer] any

---@class hl.op._left_shift_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rleft_shift_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op.right_shift
---@field [integer] any

---@class hl.op._right_shift_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op._rright_shift_scalar
---@field [integer] any
---@field scalar? number The number. Default: 1.

---@class hl.op.sum
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.mean
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.prod
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.nansum
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.nanprod
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.max
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.min
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.
---@field exclude? boolean Reduce the axes that are not given instead. Default: false.

---@class hl.op.norm
---@field [integer] any
---@field ord? integer 1 or 2. Default: 2.
---@field axis? integer|integer[] The axes to reduce; None: all. Default: nil.
---@field out_dtype? hl.DType The result's element type: data's, if it is given. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.moments
---@field [integer] any
---@field axes? integer|integer[] The axes to reduce; None: all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.var
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field dtype? hl.DType The result's element type, float32 or float64; None: data's, float64 of integers. Default: nil.
---@field ddof? integer What is taken off the number of elements that the squares are divided by. Default: 0.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.std
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field dtype? hl.DType The result's element type, float32 or float64; None: data's, float64 of integers. Default: nil.
---@field ddof? integer What is taken off the number of elements that the squares are divided by. Default: 0.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.any
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.all
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.count_nonzero
---@field [integer] any
---@field axis? integer|integer[] The axes to reduce; None or (): all of them. Default: nil.
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

---@class hl.op.isnan
---@field [integer] any

---@class hl.op.isinf
---@field [integer] any

---@class hl.op.isfinite
---@field [integer] any

---@class hl.op.isposinf
---@field [integer] any

---@class hl.op.isneginf
---@field [integer] any

---@class hl.op.array_equal
---@field [integer] any
---@field equal_nan? boolean Does NaN equal NaN? Default: false.

---@class hl.op._contrib_allclose
---@field [integer] any
---@field rtol? number How far apart, as a part of |b|. Default: 1e-05.
---@field atol? number How far apart besides. Default: 1e-08.
---@field equal_nan? boolean Does NaN equal NaN? Default: true.

---@class hl.op.argmax
---@field [integer] any
---@field axis? integer The axis to search; None: the flattened array. Default: nil.
---@field keepdims? boolean Keep the axis, with dimension 1. Default: false.

---@class hl.op.argmin
---@field [integer] any
---@field axis? integer The axis to search; None: the flattened array. Default: nil.
---@field keepdims? boolean Keep the axis, with dimension 1. Default: false.

---@class hl.op.argmax_channel
---@field [integer] any

---@class hl.op._zeros
---@field [integer] any
---@field shape integer|integer[] The shape; () is 0-d.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op._ones
---@field [integer] any
---@field shape integer|integer[] The shape; () is 0-d.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op._empty
---@field [integer] any
---@field shape integer|integer[] The shape; () is 0-d.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op._full
---@field [integer] any
---@field shape integer|integer[] The shape; () is 0-d.
---@field value number The value.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op.zeros_like
---@field [integer] any

---@class hl.op.ones_like
---@field [integer] any

---@class hl.op.full_like
---@field [integer] any
---@field fill_value number The value.
---@field dtype? hl.DType The element type; None: data's. Default: nil.

---@class hl.op._arange
---@field [integer] any
---@field start? number The first value; the end where stop is left out. Default: 0.
---@field stop? number The end, not included. Default: nil.
---@field step? number The difference. Default: 1.
---@field ["repeat"]? integer How often each value stands. Default: 1.
---@field infer_range? boolean In a graph and without stop: take the length from what the values are used with. Default: false.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op._linspace
---@field [integer] any
---@field start number The first value.
---@field stop number The last value.
---@field num integer How many.
---@field endpoint? boolean Does stop belong to them? Default: true.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op._eye
---@field [integer] any
---@field N integer Rows.
---@field M? integer Columns; 0: as many as rows. Default: 0.
---@field k? integer The diagonal: 0 the main one, above it positive. Default: 0.
---@field dtype? hl.DType The element type. Default: float32.

---@class hl.op.Reshape
---@field [integer] any
---@field shape? integer|integer[] The new dimensions, and codes. Default: {}.
---@field reverse? boolean Read the codes from the last dimension to the first. Default: false.
---@field target_shape? integer|integer[] The older form of shape: 0 is inferred. Default: {}.
---@field keep_highest? boolean With target_shape: keep the first dimension. Default: false.

---@class hl.op.Flatten
---@field [integer] any

---@class hl.op.expand_dims
---@field [integer] any
---@field axis integer Where it goes; from -ndim - 1 to ndim.

---@class hl.op.squeeze
---@field [integer] any
---@field axis? integer|integer[] The axes to drop; None: all of dimension 1. Default: nil.

---@class hl.op.reshape_like
---@field [integer] any
---@field lhs_begin? integer The first axis of lhs to replace. Default: nil.
---@field lhs_end? integer The one after the last. Default: nil.
---@field rhs_begin? integer The first axis of rhs to put there. Default: nil.
---@field rhs_end? integer The one after the last. Default: nil.

---@class hl.op.shape_array
---@field [integer] any

---@class hl.op.size_array
---@field [integer] any

---@class hl.op._copy
---@field [integer] any

---@class hl.op.BlockGrad
---@field [integer] any

---@class hl.op.Cast
---@field [integer] any
---@field dtype hl.DType The new element type.

---@class hl.op.amp_cast
---@field [integer] any
---@field dtype hl.DType The new element type.

---@class hl.op._as_float
---@field [integer] any

---@class hl.op.transpose
---@field [integer] any
---@field axes? integer|integer[] The input's axes in the order of the output; (): reversed. Default: {}.

---@class hl.op.SwapAxis
---@field [integer] any
---@field dim1? integer One axis. Default: 0.
---@field dim2? integer The other. Default: 0.

---@class hl.op.reverse
---@field [integer] any
---@field axis integer|integer[] The axes.

---@class hl.op.broadcast_to
---@field [integer] any
---@field shape? integer|integer[] The shape; 0 keeps a dimension. Default: {}.

---@class hl.op.broadcast_axis
---@field [integer] any
---@field axis? integer|integer[] The axes. Default: {}.
---@field size? integer|integer[] The dimension that each gets. Default: {}.

---@class hl.op.broadcast_like
---@field [integer] any
---@field lhs_axes? integer|integer[] Axes of lhs; None: all. Default: nil.
---@field rhs_axes? integer|integer[] The axes of rhs that they follow. Default: nil.

---@class hl.op.tile
---@field [integer] any
---@field reps integer|integer[] How often, an entry for each of the last axes.

---@class hl.op.repeat
---@field [integer] any
---@field repeats integer How often.
---@field axis? integer The axis; None: the flattened array. Default: nil.

---@class hl.op.diag
---@field [integer] any
---@field k? integer The diagonal: 0 the main one, above it positive. Default: 0.
---@field axis1? integer The axis of rows. Default: 0.
---@field axis2? integer The axis of columns. Default: 1.

---@class hl.op.depth_to_space
---@field [integer] any
---@field block_size integer Rows and columns of a block.

---@class hl.op.space_to_depth
---@field [integer] any
---@field block_size integer Rows and columns of a block.

---@class hl.op.roll
---@field [integer] any
---@field shift integer|integer[] How far; one for each axis, or one for all.
---@field axis? integer|integer[] The axes; None: the elements in their order in memory. Default: nil.

---@class hl.op.tril
---@field [integer] any
---@field k? integer The diagonal: 0 the main one, above it positive. Default: 0.

---@class hl.op.triu
---@field [integer] any
---@field k? integer The diagonal: 0 the main one, above it positive. Default: 0.

---@class hl.op.slice
---@field [integer] any
---@field begin integer|integer[] Where each axis begins, from 0, or from its end if negative; None: from its end or start.
---@field ["end"] integer|integer[] Where it ends, not included; None: with the axis.
---@field step? integer|integer[] Steps, negative for backwards; (): 1. Default: {}.

---@class hl.op.slice_axis
---@field [integer] any
---@field axis integer The axis.
---@field begin integer Where the part begins.
---@field ["end"] integer Where it ends, not included; None: with the axis.

---@class hl.op.slice_like
---@field [integer] any
---@field axes? integer|integer[] The axes to cut; (): all. Default: {}.

---@class hl.op.Crop
---@field [integer] any
---@field num_args? integer How many arrays: 1 or 2. Filled in.
---@field offset? integer|integer[] The upper left corner. Default: {0,0}.
---@field h_w? integer|integer[] Height and width, without a second array. Default: {0,0}.
---@field center_crop? boolean Take the middle. Default: false.

---@class hl.op._slice_assign
---@field [integer] any
---@field begin integer|integer[] Where each axis begins, from 0, or from its end if negative; None: from its end or start.
---@field ["end"] integer|integer[] Where it ends, not included; None: with the axis.
---@field step? integer|integer[] Steps, negative for backwards; (): 1. Default: {}.

---@class hl.op._slice_assign_scalar
---@field [integer] any
---@field scalar? number The number. Default: 0.
---@field begin integer|integer[] Where each axis begins, from 0, or from its end if negative; None: from its end or start.
---@field ["end"] integer|integer[] Where it ends, not included; None: with the axis.
---@field step? integer|integer[] Steps, negative for backwards; (): 1. Default: {}.

---@class hl.op._index
---@field [integer] any
---@field key? any What stands in the brackets; @ for each index array. Default: ....

---@class hl.op._index_assign
---@field [integer] any
---@field key? any What stands in the brackets; @ for each index array. Default: ....

---@class hl.op.Concat
---@field [integer] any
---@field num_args? integer How many arrays. Filled in.
---@field dim? integer The axis along which they are joined. Default: 1.

---@class hl.op._rnn_param_concat
---@field [integer] any
---@field num_args? integer How many arrays. Filled in.
---@field dim? integer The axis along which they are joined. Default: 1.

---@class hl.op.stack
---@field [integer] any
---@field axis? integer The new axis. Default: 0.
---@field num_args? integer How many arrays. Filled in.

---@class hl.op.SliceChannel
---@field [integer] any
---@field num_outputs integer How many parts.
---@field axis? integer The axis that is cut. Default: 1.
---@field squeeze_axis? boolean Drop the axis; parts then have dimension 1. Default: false.

---@class hl.op._split_v2
---@field [integer] any
---@field indices integer|integer[] Where each part begins, the first at 0.
---@field axis? integer The axis that is cut. Default: 1.
---@field squeeze_axis? boolean Drop the axis; parts then have dimension 1. Default: false.
---@field sections? integer How many parts; 0: indices says where. Default: 0.

---@class hl.op.add_n
---@field [integer] any
---@field num_args? integer How many arrays. Filled in.

---@class hl.op.where
---@field [integer] any

---@class hl.op._npi_where
---@field [integer] any

---@class hl.op.take
---@field [integer] any
---@field axis? integer The axis. Default: 0.
---@field mode? 'clip'|'raise'|'wrap' Indices outside the axis: the nearest, an error (but negative ones count from the end), or around. Default: clip.

---@class hl.op.Embedding
---@field [integer] any
---@field input_dim integer Rows of weight.
---@field output_dim integer Columns of weight.
---@field dtype? hl.DType The dtype of weight, where nothing else tells it. Default: float32.
---@field sparse_grad? boolean Accepted; gradients are dense. Default: false.

---@class hl.op.pick
---@field [integer] any
---@field axis? integer The axis. Default: -1.
---@field keepdims? boolean Keep the axis, with dimension 1. Default: false.
---@field mode? 'clip'|'wrap' Indices outside the axis: the nearest, or around. Default: clip.

---@class hl.op.batch_take
---@field [integer] any

---@class hl.op.fill_element_0index
---@field [integer] any

---@class hl.op.one_hot
---@field [integer] any
---@field depth integer The new axis's dimension.
---@field on_value? number The value at the index. Default: 1.
---@field off_value? number The value elsewhere. Default: 0.
---@field dtype? hl.DType The element type of the result. Default: float32.

---@class hl.op.gather_nd
---@field [integer] any

---@class hl.op.scatter_nd
---@field [integer] any
---@field shape integer|integer[] The shape of the result.

---@class hl.op._contrib_boolean_mask
---@field [integer] any
---@field axis? integer 0. Default: 0.

---@class hl.op._contrib_index_copy
---@field [integer] any

---@class hl.op._ravel_multi_index
---@field [integer] any
---@field shape integer|integer[] The shape of the array that the indices are of; its first dimension may be -1.

---@class hl.op._unravel_index
---@field [integer] any
---@field shape integer|integer[] The shape of the array that the indices are of; its first dimension may be -1.

---@class hl.op._contrib_index_array
---@field [integer] any
---@field axes? integer|integer[] The axes to give; None: all. Default: nil.

---@class hl.op._contrib_arange_like
---@field [integer] any
---@field start? number The first value. Default: 0.
---@field step? number The difference. Default: 1.
---@field ["repeat"]? integer How often each value stands. Default: 1.
---@field axis? integer The axis whose length counts; None: the whole shape. Default: nil.

---@class hl.op.dot
---@field [integer] any
---@field transpose_a? boolean Take the first operand transposed. Default: false.
---@field transpose_b? boolean Take the second operand transposed. Default: false.
---@field forward_stype? 'default'|'csr'|'row_sparse' Accepted for MXNet's sake; arrays are dense. Default: nil.

---@class hl.op.batch_dot
---@field [integer] any
---@field transpose_a? boolean Take the first operand transposed. Default: false.
---@field transpose_b? boolean Take the second operand transposed. Default: false.
---@field forward_stype? 'default'|'csr'|'row_sparse' Accepted for MXNet's sake; arrays are dense. Default: nil.

---@class hl.op._linalg_gemm
---@field [integer] any
---@field transpose_a? boolean Take the first operand transposed. Default: false.
---@field transpose_b? boolean Take the second operand transposed. Default: false.
---@field alpha? number The factor of the product. Default: 1.
---@field beta? number The factor of C. Default: 1.
---@field axis? integer The axis of the rows; the columns are the last axis, the others count matrices. Default: -2.

---@class hl.op._linalg_gemm2
---@field [integer] any
---@field transpose_a? boolean Take the first operand transposed. Default: false.
---@field transpose_b? boolean Take the second operand transposed. Default: false.
---@field alpha? number The factor of the product. Default: 1.
---@field axis? integer The axis of the rows; the columns are the last axis, the others count matrices. Default: -2.

---@class hl.op._linalg_syrk
---@field [integer] any
---@field transpose? boolean Compute A' A. Default: false.
---@field alpha? number The factor. Default: 1.

---@class hl.op.khatri_rao
---@field [integer] any
---@field num_args? integer How many matrices; counted where it is not given. Filled in.

---@class hl.op.matmul
---@field [integer] any
---@field transpose_a? boolean Take the matrices of the first operand transposed. Default: false.
---@field transpose_b? boolean Take the matrices of the second operand transposed. Default: false.

---@class hl.op._linalg_extractdiag
---@field [integer] any
---@field offset? integer Which diagonal: 0 the main one, above it positive. Default: 0.

---@class hl.op._linalg_makediag
---@field [integer] any
---@field offset? integer Which diagonal: 0 the main one, above it positive. Default: 0.

---@class hl.op._linalg_extracttrian
---@field [integer] any
---@field offset? integer Which diagonal: 0 the main one, above it positive. Default: 0.
---@field lower? boolean With offset 0, the lower triangle, else the upper one. Default: true.

---@class hl.op._linalg_maketrian
---@field [integer] any
---@field offset? integer Which diagonal: 0 the main one, above it positive. Default: 0.
---@field lower? boolean With offset 0, the lower triangle, else the upper one. Default: true.

---@class hl.op._linalg_sumlogdiag
---@field [integer] any

---@class hl.op._linalg_trmm
---@field [integer] any
---@field transpose? boolean Use the transpose of A. Default: false.
---@field rightside? boolean A stands on the right. Default: false.
---@field lower? boolean A is lower triangular, else upper; its other triangle is not looked at. Default: true.
---@field alpha? number A factor. Default: 1.

---@class hl.op._linalg_trsm
---@field [integer] any
---@field transpose? boolean Use the transpose of A. Default: false.
---@field rightside? boolean A stands on the right. Default: false.
---@field lower? boolean A is lower triangular, else upper; its other triangle is not looked at. Default: true.
---@field alpha? number A factor. Default: 1.

---@class hl.op._linalg_potrf
---@field [integer] any
---@field lower? boolean The lower triangular factor, else the upper one. Default: true.

---@class hl.op._linalg_cholesky
---@field [integer] any

---@class hl.op._linalg_potri
---@field [integer] any

---@class hl.op._linalg_inverse
---@field [integer] any

---@class hl.op._linalg_det
---@field [integer] any

---@class hl.op._linalg_slogdet
---@field [integer] any

---@class hl.op._linalg_solve
---@field [integer] any

---@class hl.op._linalg_gelqf
---@field [integer] any

---@class hl.op._linalg_qr
---@field [integer] any
---@field mode? 'reduced'|'complete'|'r' complete: q is (m, m) and r (m, n). r: r alone, as in reduced. Default: reduced.

---@class hl.op._linalg_syevd
---@field [integer] any

---@class hl.op._linalg_eigh
---@field [integer] any
---@field UPLO? 'L'|'U' Which triangle of A is looked at, the lower or the upper one. Default: L.

---@class hl.op._linalg_eigvalsh
---@field [integer] any
---@field UPLO? 'L'|'U' Which triangle of A is looked at, the lower or the upper one. Default: L.

---@class hl.op._linalg_svd
---@field [integer] any
---@field full_matrices? boolean Square u and vt; else u is (..., m, k) and vt (..., k, n). Default: true.
---@field compute_uv? boolean Without: s alone. Default: true.

---@class hl.op._linalg_pinv
---@field [integer] any
---@field rcond? number Singular values up to this times the largest count as 0. Default: 1e-15.
---@field hermitian? boolean A is symmetric: by eigenvalues, in less time; only the lower triangle is looked at. Default: false.

---@class hl.op._linalg_matrix_rank
---@field [integer] any
---@field tol? number The limit; by itself the largest singular value times max(m, n) times the precision of the dtype. Default: nil.
---@field hermitian? boolean A is symmetric: by eigenvalues, in less time; only the lower triangle is looked at. Default: false.

---@class hl.op._linalg_lstsq
---@field [integer] any
---@field rcond? number Singular values up to this times the largest count as 0; the machine's precision times max(m, n). Default: nil.

---@class hl.op._random_uniform
---@field [integer] any
---@field low? number The least value. Default: 0.
---@field high? number The bound, not reached. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_uniform_like
---@field [integer] any
---@field low? number The least value. Default: 0.
---@field high? number The bound, not reached. Default: 1.

---@class hl.op._sample_uniform
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_normal
---@field [integer] any
---@field loc? number The mean. Default: 0.
---@field scale? number The standard deviation. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_normal_like
---@field [integer] any
---@field loc? number The mean. Default: 0.
---@field scale? number The standard deviation. Default: 1.

---@class hl.op._sample_normal
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_exponential
---@field [integer] any
---@field lam? number The rate: the inverse of the mean. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_exponential_like
---@field [integer] any
---@field lam? number The rate: the inverse of the mean. Default: 1.

---@class hl.op._sample_exponential
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_gamma
---@field [integer] any
---@field alpha? number The shape. Default: 1.
---@field beta? number The scale: the mean is alpha beta. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_gamma_like
---@field [integer] any
---@field alpha? number The shape. Default: 1.
---@field beta? number The scale: the mean is alpha beta. Default: 1.

---@class hl.op._sample_gamma
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_poisson
---@field [integer] any
---@field lam? number The mean. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_poisson_like
---@field [integer] any
---@field lam? number The mean. Default: 1.

---@class hl.op._sample_poisson
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_negative_binomial
---@field [integer] any
---@field k? number The successes that end the count. Default: 1.
---@field p? number The probability of success. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_negative_binomial_like
---@field [integer] any
---@field k? number The successes that end the count. Default: 1.
---@field p? number The probability of success. Default: 1.

---@class hl.op._sample_negative_binomial
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_generalized_negative_binomial
---@field [integer] any
---@field mu? number The mean. Default: 1.
---@field alpha? number The dispersion: the variance is mu + alpha mu^2. Default: 1.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_generalized_negative_binomial_like
---@field [integer] any
---@field mu? number The mean. Default: 1.
---@field alpha? number The dispersion: the variance is mu + alpha mu^2. Default: 1.

---@class hl.op._sample_generalized_negative_binomial
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of the parameters: the numbers for each. Default: {}.
---@field dtype? hl.DType The element type; None: float32. Default: nil.

---@class hl.op._random_randint
---@field [integer] any
---@field low integer The least value.
---@field high integer The bound, not reached.
---@field shape? integer|integer[] The shape; (1,) where it is not given. Default: nil.
---@field dtype? hl.DType int32 or int64; None: int32. Default: nil.

---@class hl.op._shuffle
---@field [integer] any

---@class hl.op._sample_multinomial
---@field [integer] any
---@field shape? integer|integer[] Dimensions after those of data except the last: the draws for each row. Default: {}.
---@field get_prob? boolean Return log probabilities too. Default: false.
---@field dtype? hl.DType The categories' element type. Default: int32.

---@class hl.op.FullyConnected
---@field [integer] any
---@field num_hidden integer The number of neurons.
---@field no_bias? boolean Leave bias out. Default: false.
---@field flatten? boolean Take all dimensions but the first as features; else only the last is. Default: true.

---@class hl.op.Activation
---@field [integer] any
---@field act_type 'relu'|'sigmoid'|'softrelu'|'softsign'|'tanh' Which function.

---@class hl.op.LeakyReLU
---@field [integer] any
---@field act_type? 'leaky'|'prelu'|'elu'|'selu'|'gelu'|'rrelu' Which function. Default: leaky.
---@field slope? number leaky: the slope below 0; elu: what it tends to, negated. Default: 0.25.
---@field lower_bound? number rrelu: the least slope. Default: 0.125.
---@field upper_bound? number rrelu: the greatest slope. Default: 0.334.

---@class hl.op.Dropout
---@field [integer] any
---@field p? number The probability of dropping an element. Default: 0.5.
---@field mode? 'training'|'always' When to drop. Default: training.
---@field axes? integer|integer[] Axes along which one decision serves all elements. Default: {}.
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: false.

---@class hl.op.softmax
---@field [integer] any
---@field axis? integer The axis along which the results sum to 1. Default: -1.
---@field temperature? number Divides data first; None: 1. Default: nil.
---@field dtype? hl.DType The result's element type, float32 or float64; None: data's. Default: nil.
---@field use_length? boolean Use only as many elements of each row as `length` gives (data's shape without the axis); the others are 0. Default: false.

---@class hl.op.log_softmax
---@field [integer] any
---@field axis? integer The axis along which the results sum to 1. Default: -1.
---@field temperature? number Divides data first; None: 1. Default: nil.
---@field dtype? hl.DType The result's element type, float32 or float64; None: data's. Default: nil.
---@field use_length? boolean Accepted for MXNet's sake, without effect. Default: false.

---@class hl.op.softmin
---@field [integer] any
---@field axis? integer The axis along which the results sum to 1. Default: -1.
---@field temperature? number Divides data first; None: 1. Default: nil.
---@field dtype? hl.DType The result's element type, float32 or float64; None: data's. Default: nil.
---@field use_length? boolean Accepted for MXNet's sake, without effect. Default: false.

---@class hl.op.SoftmaxActivation
---@field [integer] any
---@field mode? 'instance'|'channel' Which axis. Default: instance.

---@class hl.op.softmax_cross_entropy
---@field [integer] any

---@class hl.op.SoftmaxOutput
---@field [integer] any
---@field grad_scale? number A factor of the gradient. Default: 1.
---@field ignore_label? number The label that use_ignore means. Default: -1.
---@field multi_output? boolean Classes along axis 1, a label for each place of the other axes. Default: false.
---@field use_ignore? boolean No gradient where the label is ignore_label. Default: false.
---@field preserve_shape? boolean Classes along the last axis, not over all but the first. Default: false.
---@field normalization? 'null'|'batch'|'valid' What the gradient is divided by: nothing, the samples, or the labels other than ignore_label. Default: null.
---@field out_grad? boolean Multiply by the gradient from above. Default: false.
---@field smooth_alpha? number So much of the label's 1 goes to the other classes. Default: 0.

---@class hl.op.LinearRegressionOutput
---@field [integer] any
---@field grad_scale? number A factor of the gradient. Default: 1.

---@class hl.op.LogisticRegressionOutput
---@field [integer] any
---@field grad_scale? number A factor of the gradient. Default: 1.

---@class hl.op.MAERegressionOutput
---@field [integer] any
---@field grad_scale? number A factor of the gradient. Default: 1.

---@class hl.op.SVMOutput
---@field [integer] any
---@field margin? number How far scores should be from 0. Default: 1.
---@field regularization_coefficient? number A factor of the gradient. Default: 1.
---@field use_linear? boolean Count the lack of margin once, not squared. Default: false.

---@class hl.op.MakeLoss
---@field [integer] any
---@field grad_scale? number A factor of the gradient. Default: 1.
---@field valid_thresh? number Elements above it are valid. Default: 0.
---@field normalization? 'null'|'batch'|'valid' What the gradient is divided by: nothing, the samples, or the valid elements. Default: null.

---@class hl.op.make_loss
---@field [integer] any

---@class hl.op.sgd_update
---@field [integer] any
---@field lr number The learning rate.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field lazy_update? boolean Accepted for MXNet's sake: gradients are dense. Default: true.

---@class hl.op.sgd_mom_update
---@field [integer] any
---@field lr number The learning rate.
---@field momentum? number The decay of mom. Default: 0.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field lazy_update? boolean Accepted for MXNet's sake: gradients are dense. Default: true.

---@class hl.op.nag_mom_update
---@field [integer] any
---@field lr number The learning rate.
---@field momentum? number The decay of mom. Default: 0.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.adam_update
---@field [integer] any
---@field lr number The learning rate.
---@field beta1? number The decay of the mean. Default: 0.9.
---@field beta2? number The decay of the mean square. Default: 0.999.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field lazy_update? boolean Accepted for MXNet's sake: gradients are dense. Default: true.

---@class hl.op.adamw_step
---@field [integer] any
---@field lr number The learning rate.
---@field beta1? number The decay of the mean. Default: 0.9.
---@field beta2? number The decay of the mean square. Default: 0.999.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field eta? number The schedule's factor. Default: 1.

---@class hl.op.rmsprop_update
---@field [integer] any
---@field lr number The learning rate.
---@field gamma1? number The decay of n. Default: 0.95.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field clip_weights? number The new weight is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.rmspropalex_update
---@field [integer] any
---@field lr number The learning rate.
---@field gamma1? number The decay of n and g. Default: 0.95.
---@field gamma2? number The decay of delta. Default: 0.9.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field clip_weights? number The new weight is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.ftrl_update
---@field [integer] any
---@field lr number The learning rate.
---@field lamda1? number The L1 penalty. Default: 0.01.
---@field beta? number The learning rate's beta. Default: 1.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.ftml_update
---@field [integer] any
---@field lr number The learning rate.
---@field beta1? number The decay of the mean. Default: 0.6.
---@field beta2? number The decay of the mean square. Default: 0.999.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field t integer The number of the step, from 1.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_grad? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.signsgd_update
---@field [integer] any
---@field lr number The learning rate.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.signum_update
---@field [integer] any
---@field lr number The learning rate.
---@field momentum? number The decay of mom. Default: 0.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field wd_lh? number Weight decay apart from the gradient. Default: 0.

---@class hl.op.adagrad_update
---@field [integer] any
---@field lr number The learning rate.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-7.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.adadelta_update
---@field [integer] any
---@field rho? number The decay of both means. Default: 0.9.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-5.
---@field wd? number The weight decay: its product with the weight is added to the gradient. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.lamb_update_phase1
---@field [integer] any
---@field beta1? number The decay of the mean. Default: 0.9.
---@field beta2? number The decay of the mean square. Default: 0.999.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-6.
---@field t integer The number of the step, from 1.
---@field bias_correction? boolean Correct the means' bias. Default: true.
---@field wd number The weight decay.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.lamb_update_phase2
---@field [integer] any
---@field lr number The learning rate.
---@field lower_bound? number r1 is at least this; below 0: no bound. Default: -1.
---@field upper_bound? number r1 is at most this; below 0: no bound. Default: -1.

---@class hl.op._adamw_update
---@field [integer] any
---@field lr number The learning rate.
---@field beta1? number The decay of the mean. Default: 0.9.
---@field beta2? number The decay of the mean square. Default: 0.999.
---@field epsilon? number Keeps the divisor from 0. Default: 1e-8.
---@field wd? number The weight decay. Default: 0.
---@field eta number The schedule's factor.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.

---@class hl.op.multi_sgd_update
---@field [integer] any
---@field lrs number[] The learning rates.
---@field wds number[] The weight decays.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field num_weights? integer How many weights. Default: 1.

---@class hl.op.multi_sgd_mom_update
---@field [integer] any
---@field lrs number[] The learning rates.
---@field wds number[] The weight decays.
---@field momentum? number The decay of mom. Default: 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.
---@field clip_gradient? number The gradient is held within this and its negative; below 0: it is not. Default: -1.
---@field num_weights? integer How many weights. Default: 1.

---@class hl.op.all_finite
---@field [integer] any
---@field init_output? boolean Accepted for MXNet's sake: the output is always initialized. Default: true.

---@class hl.op.multi_all_finite
---@field [integer] any
---@field num_arrays? integer How many arrays. Default: 1.
---@field init_output? boolean Accepted for MXNet's sake: the output is always initialized. Default: true.

---@class hl.op.multi_sum_sq
---@field [integer] any
---@field num_arrays integer How many arrays.

---@class hl.op.multi_lars
---@field [integer] any
---@field eta number The trust.
---@field eps number Keeps the divisor from 0.
---@field rescale_grad? number A factor of the gradient. Default: 1.

---@class hl.op.LayerNorm
---@field [integer] any
---@field axis? integer The axis. Default: -1.
---@field eps? number Added to the variance. Default: 1e-5.
---@field output_mean_var? boolean Return the mean and the standard deviation too; no gradient passes through them. Default: false.

---@class hl.op.InstanceNorm
---@field [integer] any
---@field eps? number Added to the variance. Default: 1e-3.

---@class hl.op.GroupNorm
---@field [integer] any
---@field num_groups? integer The number of groups. Default: 1.
---@field eps? number Added to the variance. Default: 1e-5.
---@field output_mean_var? boolean Return the mean and the standard deviation too; no gradient passes through them. Default: false.

---@class hl.op.L2Normalization
---@field [integer] any
---@field eps? number Added to the sum of squares. Default: 1e-10.
---@field mode? 'instance'|'channel'|'spatial' What is normalized together. Default: instance.

---@class hl.op.Convolution
---@field [integer] any
---@field kernel integer|integer[] The window: (width), (height, width) or (depth, height, width).
---@field stride? integer|integer[] How far the window moves; () for 1. Default: {}.
---@field dilate? integer|integer[] How far apart the window's places are; () for 1. Default: {}.
---@field pad? integer|integer[] Number of zeros added on each side; () for none. Default: {}.
---@field num_filter integer The number of filters, the channels of the output.
---@field num_group? integer Number of groups of channels and filters; a filter sees the channels of its group. Default: 1.
---@field workspace? integer Accepted for MXNet's sake. Default: 1024.
---@field no_bias? boolean Leave bias out. Default: false.
---@field cudnn_tune? 'off'|'limited_workspace'|'fastest' Accepted for MXNet's sake. Default: nil.
---@field cudnn_off? boolean Compute all products, even for 3x3 and 5x5 windows, for which fewer would do. Default: false.
---@field layout? 'NCDHW'|'NCHW'|'NCW'|'NDHWC'|'NHWC'|'NWC' The order of data's dimensions: channels are in axis 1. Default: nil.

---@class hl.op.Deconvolution
---@field [integer] any
---@field kernel integer|integer[] The window: (width), (height, width) or (depth, height, width).
---@field stride? integer|integer[] How far apart the windows of neighbouring elements are; () for 1. Default: {}.
---@field dilate? integer|integer[] How far apart the window's places are; () for 1. Default: {}.
---@field pad? integer|integer[] Number of places left out on each side of the output; () for none. Default: {}.
---@field adj? integer|integer[] Number of places added at the output's end, less than stride; () for none. Default: {}.
---@field target_shape? integer|integer[] The output's extents, in place of pad and adj; () for none. Default: {}.
---@field num_filter integer The number of filters, the channels of the output.
---@field num_group? integer Number of groups of channels and filters; a channel reaches the filters of its group. Default: 1.
---@field workspace? integer Accepted for MXNet's sake. Default: 512.
---@field no_bias? boolean Leave bias out. Default: true.
---@field cudnn_tune? 'off'|'limited_workspace'|'fastest' Accepted for MXNet's sake. Default: nil.
---@field cudnn_off? boolean Compute all products, even for 3x3 and 5x5 windows, for which fewer would do. Default: false.
---@field layout? 'NCDHW'|'NCHW'|'NCW'|'NDHWC'|'NHWC'|'NWC' The order of data's dimensions: channels are in axis 1. Default: nil.

---@class hl.op.Pooling
---@field [integer] any
---@field kernel? integer|integer[] The window: (width), (height, width) or (depth, height, width). Default: {}.
---@field pool_type? 'max'|'avg'|'sum'|'lp' What is computed; lp: the root of the sum of powers, p_value saying which. Default: max.
---@field global_pool? boolean The window is everything; kernel, stride and pad do not matter. Default: false.
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: false.
---@field pooling_convention? 'valid'|'full'|'same' Whether windows must lie inside (valid), or the last may reach beyond (full), or there is one for each stride (same, without pad). Default: valid.
---@field stride? integer|integer[] How far the window moves; () for 1. Default: {}.
---@field pad? integer|integer[] Number of places added on each side; () for none. A maximum does not see them. Default: {}.
---@field p_value? integer The power of lp: 1, 2 or 3. Default: nil.
---@field count_include_pad? boolean Whether added places count in a mean; None: they do. Default: nil.
---@field layout? 'NCDHW'|'NCHW'|'NCW'|'NDHWC'|'NHWC'|'NWC' The order of data's dimensions; None: channels are in axis 1. Default: nil.

---@class hl.op.BatchNorm
---@field [integer] any
---@field eps? number Added to the variance. Default: 1e-3.
---@field momentum? number What the states keep of themselves in a step of training. Default: 0.9.
---@field fix_gamma? boolean Take gamma as 1; its gradient is 0. Default: true.
---@field use_global_stats? boolean Take the states as mean and variance in training too. Default: false.
---@field output_mean_var? boolean Return the mean and 1 / sqrt(variance + eps) too; no gradient passes through them. Default: false.
---@field axis? integer The axis of the channels. Default: 1.
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: false.
---@field min_calib_range? number Accepted for MXNet's sake. Default: nil.
---@field max_calib_range? number Accepted for MXNet's sake. Default: nil.

---@class hl.op._contrib_BatchNormWithReLU
---@field [integer] any
---@field eps? number Added to the variance. Default: 1e-3.
---@field momentum? number What the states keep of themselves in a step of training. Default: 0.9.
---@field fix_gamma? boolean Take gamma as 1; its gradient is 0. Default: true.
---@field use_global_stats? boolean Take the states as mean and variance in training too. Default: false.
---@field output_mean_var? boolean Return the mean and 1 / sqrt(variance + eps) too; no gradient passes through them. Default: false.
---@field axis? integer The axis of the channels. Default: 1.
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: false.
---@field min_calib_range? number Accepted for MXNet's sake. Default: nil.
---@field max_calib_range? number Accepted for MXNet's sake. Default: nil.

---@class hl.op._contrib_SyncBatchNorm
---@field [integer] any
---@field eps? number Added to the variance. Default: 1e-3.
---@field momentum? number What the states keep of themselves in a step of training. Default: 0.9.
---@field fix_gamma? boolean Take gamma as 1; its gradient is 0. Default: true.
---@field use_global_stats? boolean Take the states as mean and variance in training too. Default: false.
---@field output_mean_var? boolean Return the mean and 1 / sqrt(variance + eps) too; no gradient passes through them. Default: false.
---@field ndev? integer Accepted for MXNet's sake. Default: 1.
---@field key string Accepted for MXNet's sake.

---@class hl.op.Pad
---@field [integer] any
---@field mode 'constant'|'edge'|'reflect' What the new places hold: constant_value, the nearest element, or what a mirror in the outermost element shows.
---@field pad_width integer|integer[] How many places before and after, for each axis; 0 for the first two.
---@field constant_value? number What constant puts there. Default: 0.

---@class hl.op.UpSampling
---@field [integer] any
---@field scale integer The factor.
---@field num_filter? integer The number of channels; for bilinear. Default: 0.
---@field sample_type 'bilinear'|'nearest' How.
---@field multi_input_mode? 'concat'|'sum' What becomes of several arrays, with nearest. Default: concat.
---@field num_args? integer How many arrays. Filled in.
---@field workspace? integer Accepted for MXNet's sake. Default: 512.

---@class hl.op.LRN
---@field [integer] any
---@field alpha? number The factor of the mean square. Default: 0.0001.
---@field beta? number The exponent. Default: 0.75.
---@field knorm? number What is added. Default: 2.
---@field nsize integer How many channels, an odd number.

---@class hl.op.im2col
---@field [integer] any
---@field kernel integer|integer[] The window: (width), (height, width) or (depth, height, width).
---@field stride? integer|integer[] How far the window moves; () for 1. Default: {}.
---@field dilate? integer|integer[] How far apart the window's taps are; () for 1. Default: {}.
---@field pad? integer|integer[] Number of zeros added on each side; () for none. Default: {}.

---@class hl.op.col2im
---@field [integer] any
---@field output_size integer|integer[] The extents of the result: (width), (height, width) or (depth, height, width).
---@field kernel integer|integer[] The window: (width), (height, width) or (depth, height, width).
---@field stride? integer|integer[] How far the window moves; () for 1. Default: {}.
---@field dilate? integer|integer[] How far apart the window's taps are; () for 1. Default: {}.
---@field pad? integer|integer[] Number of zeros added on each side; () for none. Default: {}.

---@class hl.op._contrib_AdaptiveAvgPooling2D
---@field [integer] any
---@field output_size? integer|integer[] (height, width); one number is both, () is (1, 1). Default: {}.

---@class hl.op._contrib_BilinearResize2D
---@field [integer] any
---@field height? integer The height, with size. Default: 1.
---@field width? integer The width, with size. Default: 1.
---@field scale_height? number How many times as high, with size and odd_scale. Default: nil.
---@field scale_width? number How many times as wide. Default: nil.
---@field mode? 'like'|'odd_scale'|'size'|'to_even_down'|'to_even_up'|'to_odd_down'|'to_odd_up' What tells the size. Default: size.
---@field align_corners? boolean Whether corners stay corners. Default: true.

---@class hl.op.BilinearSampler
---@field [integer] any
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: nil.

---@class hl.op.GridGenerator
---@field [integer] any
---@field transform_type 'affine'|'warp' What data says.
---@field target_shape? integer|integer[] The grid's height and width, with affine. Default: {0,0}.

---@class hl.op.SpatialTransformer
---@field [integer] any
---@field target_shape? integer|integer[] The grid's height and width, with affine. Default: {0,0}.
---@field transform_type 'affine' What loc says.
---@field sampler_type 'bilinear' How places are read.
---@field cudnn_off? boolean Accepted for MXNet's sake. Default: nil.

---@class hl.op.ROIPooling
---@field [integer] any
---@field pooled_size integer|integer[] The size that all get, (height, width).
---@field spatial_scale number data's size over that of the picture of rois, from 0 to 1.

---@class hl.op._contrib_ROIAlign
---@field [integer] any
---@field pooled_size integer|integer[] The size that all get, (height, width).
---@field spatial_scale number data's size over that of the picture of rois, from 0 to 1.
---@field sample_ratio? integer Number of places read along each axis of a bin; below 1: as many as it has elements. Default: -1.
---@field position_sensitive? boolean Each bin reads channels of its own, so that fewer come out. Default: false.
---@field aligned? boolean Elements are squares of which the box names corners, not centres. Default: false.

---@class hl.op._image_to_tensor
---@field [integer] any

---@class hl.op._image_normalize
---@field [integer] any
---@field mean? number[] A number, or one for each channel. Default: {0,}.
---@field std? number[] A number, or one for each channel. Default: {1,}.

---@class hl.op._image_resize
---@field [integer] any
---@field size? integer|integer[] (width, height), or one number for both. Default: {}.
---@field keep_ratio? boolean Of one number: it is the shorter side's, and the picture keeps its proportions. Default: false.
---@field interp? integer 0 nearest, 1 bilinear, 2 bicubic, 3 mean of the area (bilinear where it grows). Default: 1.

---@class hl.op._image_crop
---@field [integer] any
---@field x integer The first column.
---@field y integer The first row.
---@field width integer How many columns.
---@field height integer How many rows.

---@class hl.op._image_flip_left_right
---@field [integer] any

---@class hl.op._image_flip_top_bottom
---@field [integer] any

---@class hl.op._image_random_flip_left_right
---@field [integer] any

---@class hl.op._image_random_flip_top_bottom
---@field [integer] any

---@class hl.op._image_random_brightness
---@field [integer] any
---@field min_factor number The least factor, 0 or more.
---@field max_factor number The largest.

---@class hl.op._image_random_contrast
---@field [integer] any
---@field min_factor number The least factor, 0 or more.
---@field max_factor number The largest.

---@class hl.op._image_random_saturation
---@field [integer] any
---@field min_factor number The least factor, 0 or more.
---@field max_factor number The largest.

---@class hl.op._image_random_hue
---@field [integer] any
---@field min_factor number The least factor, 0 or more; 1 changes nothing.
---@field max_factor number The largest.

---@class hl.op._image_random_color_jitter
---@field [integer] any
---@field brightness number How much; 0 for not at all.
---@field contrast number How much; 0 for not at all.
---@field saturation number How much; 0 for not at all.
---@field hue number How much; 0 for not at all.

---@class hl.op._image_adjust_lighting
---@field [integer] any
---@field alpha number[] How much of each.

---@class hl.op._image_random_lighting
---@field [integer] any
---@field alpha_std? number Their deviation. Default: 0.05.

---@class hl.op._contrib_box_iou
---@field [integer] any
---@field format? 'center'|'corner' What the four numbers of a box are. Default: corner.

---@class hl.op._contrib_box_nms
---@field [integer] any
---@field overlap_thresh? number How much boxes may overlap. Default: 0.5.
---@field valid_thresh? number What a score must exceed. Default: 0.
---@field topk? integer Number of boxes, by score, that take part; below 0: all; 0: data stays as it is. Default: -1.
---@field coord_start? integer The column of the first coordinate. Default: 2.
---@field score_index? integer The column of the score. Default: 1.
---@field id_index? integer The column of the class; below 0: there is none. Default: -1.
---@field background_id? integer The class of the background, where there are classes. Default: -1.
---@field force_suppress? boolean Boxes of other classes are removed, too. Default: false.
---@field in_format? 'center'|'corner' What data's coordinates are. Default: corner.
---@field out_format? 'center'|'corner' What the output's are. Default: corner.

---@class hl.op._contrib_bipartite_matching
---@field [integer] any
---@field is_ascend? boolean The lowest score is the best. Default: false.
---@field threshold number What a score must exceed, or with is_ascend stay below.
---@field topk? integer How many pairs at most; below 1: any number. Default: -1.

---@class hl.op._contrib_box_encode
---@field [integer] any

---@class hl.op._contrib_box_decode
---@field [integer] any
---@field std0? number The factor of x. Default: 1.
---@field std1? number The factor of y. Default: 1.
---@field std2? number The factor of the width's. Default: 1.
---@field std3? number The factor of the height's. Default: 1.
---@field clip? number Logarithms of quotients are at most this; below 0: any. Default: -1.
---@field format? 'center'|'corner' What the anchors' numbers are. Default: center.

---@class hl.op._contrib_MultiBoxPrior
---@field [integer] any
---@field sizes? number[] Sizes. Default: {1,}.
---@field ratios? number[] Ratios of width to height. Default: {1,}.
---@field clip? boolean Boxes end where the picture does. Default: false.
---@field steps? number[] From a place to the next, along height and width; -1: so that they fill the picture. Default: {-1,-1}.
---@field offsets? number[] Where in its step a place lies, along height and width. Default: {0.5,0.5}.

---@class hl.op._contrib_MultiBoxTarget
---@field [integer] any
---@field overlap_threshold? number How much an anchor must overlap an object. Default: 0.5.
---@field ignore_label? number The class of anchors that do not count. Default: -1.
---@field negative_mining_ratio? number Anchors of the background for each with an object; -1: all others. Default: -1.
---@field negative_mining_thresh? number How much anchors of the background may overlap. Default: 0.5.
---@field minimum_negative_samples? integer The least number of background anchors. Default: 0.
---@field variances? number[] The factors of offsets, of x, y, width and height. Default: {0.1,0.1,0.2,0.2}.

---@class hl.op._contrib_MultiBoxDetection
---@field [integer] any
---@field clip? boolean Boxes end where the picture does. Default: true.
---@field threshold? number The score that a box must have. Default: 0.01.
---@field background_id? integer Accepted for MXNet's sake: the background is class 0. Default: 0.
---@field nms_threshold? number How much boxes may overlap; beyond 0 to 1: boxes stay as they are, unsorted. Default: 0.5.
---@field force_suppress? boolean Boxes of other classes are removed, too. Default: false.
---@field variances? number[] The factors of offsets, of x, y, width and height. Default: {0.1,0.1,0.2,0.2}.
---@field nms_topk? integer Number of boxes, by score, that take part; the rest have class -1, in the order of the anchors, as in MXNet; below 1: all. Default: -1.

---@class hl.op.SequenceMask
---@field [integer] any
---@field use_sequence_length? boolean Is there a length for each sequence? Else all have all steps. Default: false.
---@field value? number What stands after the end. Default: 0.
---@field axis? integer The axis of the steps, 0 or 1; the batch is the other. Default: 0.

---@class hl.op.SequenceLast
---@field [integer] any
---@field use_sequence_length? boolean Is there a length for each sequence? Else all have all steps. Default: false.
---@field axis? integer The axis of the steps, 0 or 1; the batch is the other. Default: 0.

---@class hl.op.SequenceReverse
---@field [integer] any
---@field use_sequence_length? boolean Is there a length for each sequence? Else all have all steps. Default: false.
---@field axis? integer The axis of the steps, which is 0. Default: 0.

---@class hl.op._contrib_div_sqrt_dim
---@field [integer] any

---@class hl.op._contrib_interleaved_matmul_selfatt_qk
---@field [integer] any
---@field heads integer The number of heads.

---@class hl.op._contrib_interleaved_matmul_selfatt_valatt
---@field [integer] any
---@field heads integer The number of heads.

---@class hl.op._contrib_interleaved_matmul_encdec_qk
---@field [integer] any
---@field heads integer The number of heads.

---@class hl.op._contrib_interleaved_matmul_encdec_valatt
---@field [integer] any
---@field heads integer The number of heads.

---@class hl.op._contrib_attention
---@field [integer] any
---@field causal? boolean Query i sees no key behind offset + i. Default: false.
---@field scale? number What scores are multiplied by; None: 1 / sqrt(width). Default: nil.
---@field use_mask? boolean Is there a mask? A call that names one need not say so. Default: false.
---@field use_length? boolean Is there a number of keys for each sequence? Likewise. Default: false.
---@field use_offset? boolean Is the index of the first query's own key given? Else it is the one that lets the last query see all keys. Likewise. Default: false.

---@class hl.op._contrib_cached_attention
---@field [integer] any
---@field scale? number What scores are multiplied by; None: 1 / sqrt(width). Default: nil.
---@field use_mask? boolean Is there a mask? A call that names one need not say so. Default: false.
---@field use_length? boolean Is there a number of keys for each sequence? Likewise. Default: false.

---@class hl.op._contrib_rotary_embedding
---@field [integer] any
---@field base? number Of the angles. Default: 10000.
---@field scale? number Positions are multiplied by it. Default: 1.
---@field dims? integer Number of a token's elements that are turned, the first ones; None: all. Default: nil.
---@field interleaved? boolean A pair is two neighbours. Default: false.
---@field use_positions? boolean Are positions given? A call that names them need not say so. Default: false.
---@field inverse? boolean Turn back. Default: false.

---@class hl.op.RMSNorm
---@field [integer] any
---@field axis? integer The axis. Default: -1.
---@field eps? number Added to the mean square. Default: 1e-6.

---@class hl.op._contrib_dynamic_slice
---@field [integer] any
---@field axis? integer Along which axis. Default: 0.
---@field size integer How many places.

---@class hl.op._contrib_dynamic_update_slice
---@field [integer] any
---@field axis? integer Along which axis. Default: 0.

---@class hl.op.CTCLoss
---@field [integer] any
---@field use_data_lengths? boolean Is there a number of steps for each sequence? Else all have all. Default: false.
---@field use_label_lengths? boolean Is there a number of labels for each sequence? Default: false.
---@field blank_label? 'first'|'last' Which class is the blank: 0, or the last. Default: first.

---@class hl.op.RNN
---@field [integer] any
---@field state_size integer Values of a state.
---@field num_layers integer Layers, one upon the other.
---@field bidirectional? boolean Go from the last step to the first as well; the outputs lie side by side. Default: false.
---@field mode 'rnn_relu'|'rnn_tanh'|'lstm'|'gru' Which cell.
---@field p? number The probability that in training a value from one layer to the next is dropped; the others are divided by 1 - p. Default: 0.
---@field state_outputs? boolean Return the last states too. Default: false.
---@field projection_size? integer lstm: outputs are projected to this many values (H. Sak et al., 2014). Default: nil.
---@field lstm_state_clip_min? number lstm: cells are held above it. Default: nil.
---@field lstm_state_clip_max? number lstm: and below it. Default: nil.
---@field lstm_state_clip_nan? boolean lstm: a cell that is no number becomes the lower bound. Default: false.
---@field use_sequence_length? boolean Is there a length for each sequence? What lies behind it is 0 in the output and changes no state. Default: false.

---@class hl.op.sort
---@field [integer] any
---@field axis? integer The axis; None: the flattened array. Default: -1.
---@field is_ascend? boolean From the least to the greatest. Default: true.

---@class hl.op.argsort
---@field [integer] any
---@field axis? integer The axis; None: the flattened array. Default: -1.
---@field is_ascend? boolean From the least to the greatest. Default: true.
---@field dtype? hl.DType The places' element type. Default: float32.

---@class hl.op.topk
---@field [integer] any
---@field axis? integer The axis; None: the flattened array. Default: -1.
---@field k? integer How many; 0 or less: all. Default: 1.
---@field ret_typ? 'indices'|'value'|'mask'|'both' What is returned. Default: indices.
---@field is_ascend? boolean The k least elements, least first. Default: false.
---@field dtype? hl.DType The places' element type. Default: float32.

---@class hl.op.take_along_axis
---@field [integer] any
---@field axis integer The axis; None: the flattened array, and indices of one dimension.

---@class hl.op._np_cumsum
---@field [integer] any
---@field axis? integer The axis; None: the flattened array. Default: nil.
---@field dtype? hl.DType The element type to compute in; None: a's, int64 for bool. Default: nil.

---@class hl.op._searchsorted
---@field [integer] any
---@field side? 'left'|'right' Before equals, or after them. Default: left.

---@class hl.op._digitize
---@field [integer] any
---@field right? boolean The bins hold their right edge, not the left one. Default: false.

---@class hl.op._isin
---@field [integer] any
---@field invert? boolean Which are not. Default: false.

---@class hl.op._run_starts
---@field [integer] any

---@class hl.op._argwhere
---@field [integer] any

---@class hl.op._bincount
---@field [integer] any
---@field minlength? integer The least length of the result. Default: 0.
---@field weighted? boolean There are weights. Default: false.

---@class hl.op._histogram
---@field [integer] any
---@field bin_cnt? integer Number of bins of one width; None: between the elements of bins. Default: nil.
---@field range? number[] Where the bins begin and end; None: at the least and the greatest element. Default: nil.

---@class hl.op._quantile
---@field [integer] any
---@field q number[] Which, from 0 to 1.
---@field axis? integer|integer[] The axes; None: all. Default: nil.
---@field keepdims? boolean Keep the axes, with dimension 1. Default: false.
---@field method? 'linear'|'lower'|'higher'|'midpoint'|'nearest'|'inverted_cdf'|'averaged_inverted_cdf'|'closest_observation'|'interpolated_inverted_cdf'|'hazen'|'weibull'|'median_unbiased'|'normal_unbiased' Where between two elements. Default: linear.
---@field scalar? boolean q is one number, and no axis. Default: false.

---@class hl.op.print
---@field [integer] any
---@field label? string Stands before it. Default: nil.
---@field summarize? integer The items shown at each edge of a dimension; -1: all; None: as print shows arrays. Default: nil.

---@class hl.op.assert_finite
---@field [integer] any
---@field message? string Begins the error, in place of "data". Default: nil.

---@class hl.NDArray
---@field shape integer[] The dimensions.
---@field ndim integer The number of dimensions.
---@field size integer The number of elements.
---@field dtype hl.DType
---@field T hl.NDArray The axes reversed.
---@field grad hl.NDArray? Where backward leaves the gradient.
---@field context hl.ContextValue Where it is.
---@field ctx hl.ContextValue
---@field stype string
---@field [any] any
---@operator add(hl.NDArray|number): hl.NDArray
---@operator sub(hl.NDArray|number): hl.NDArray
---@operator mul(hl.NDArray|number): hl.NDArray
---@operator div(hl.NDArray|number): hl.NDArray
---@operator mod(hl.NDArray|number): hl.NDArray
---@operator pow(hl.NDArray|number): hl.NDArray
---@operator unm: hl.NDArray
local NDArray = {}

---@class NDArray.allclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Are all elements of two arrays close, as isclose says? One bool, of shape (1,): an array, in a graph too, so write
---`if a:almost_equal(b) then` where Lua asks. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---MXNet's operator, which takes NaN as equal, is nd.contrib.allclose.
---@overload fun(self: NDArray, a?: any|NDArray.allclose.options, b?: any|NDArray.allclose.options, rtol?: number|NDArray.allclose.options, atol?: number|NDArray.allclose.options, equal_nan?: boolean|NDArray.allclose.options): any
---@return any
function NDArray:allclose(...) end

---@class NDArray.almost_equal.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---The same as one of Lua's booleans, for `if` and `assert`: assert(a:almost_equal(b)). It reads the values, so it is
---for arrays, not for Symbols. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---@overload fun(self: NDArray, a?: any|NDArray.almost_equal.options, b?: any|NDArray.almost_equal.options, rtol?: number|NDArray.almost_equal.options, atol?: number|NDArray.almost_equal.options, equal_nan?: boolean|NDArray.almost_equal.options): any
---@return any
function NDArray:almost_equal(...) end

---@class NDArray.argpartition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The places, int64, of the elements as partition gives them.
---@overload fun(self: NDArray, a?: any|NDArray.argpartition.options, kth?: any|NDArray.argpartition.options, axis?: integer|NDArray.argpartition.options): any
---@return any
function NDArray:argpartition(...) end

---The array itself if it is in that context, else a copy there; gradients flow back to where it was.
---@param ctx? any
---@return hl.NDArray
function NDArray:as_in_context(ctx) end

---The array itself if it is in that context, else a copy there; gradients flow back to where it was.
---@param ctx? any
---@return hl.NDArray
function NDArray:as_in_ctx(ctx) end

---totable, under another library's name.
---@return table
function NDArray:asnumpy() end

---The element of an array that has one.
---@return number|boolean
function NDArray:asscalar() end

---A 0-d array as a vector of one; others as they are. Several arrays give a table.
---@return any
function NDArray:atleast_1d(...) end

---A vector as a matrix of one row; what has two dimensions or more as it is. Several arrays give a table.
---@return any
function NDArray:atleast_2d(...) end

---A vector of n as (1, n, 1), a matrix (m, n) as (m, n, 1), others as they are. Several arrays give a table.
---@return any
function NDArray:atleast_3d(...) end

---Makes room for a gradient in x.grad. grad_req: "write" (the default), "add" or "null".
---@param grad_req? any
function NDArray:attach_grad(grad_req) end

---@class NDArray.average.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field weights? any
---@field returned? boolean Default: false.
---@field keepdims? boolean Default: false.

---The mean over axes (all), each element counted by its weight: average(x, axis, weights).
---Options: axis, weights (an array of x's shape, or a vector along the axis), returned (false): a table of the average
---and the sum of the weights; keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.average.options, axis?: integer|NDArray.average.options, weights?: any|NDArray.average.options, returned?: boolean|NDArray.average.options, keepdims?: boolean|NDArray.average.options): any
---@return any
function NDArray:average(...) end

---@class NDArray.backward.options
---@field [integer] any
---@field out_grad? any
---@field retain_graph? any
---@field train_mode? any
---@field create_graph? any

---y:backward(out_grad, retain_graph = false, train_mode = true, {create_graph = false}): as autograd.backward of the
---one head. out_grad: ones where nil.
---@overload fun(self: NDArray, out_grad?: any|NDArray.backward.options, retain_graph?: any|NDArray.backward.options, train_mode?: any|NDArray.backward.options, create_graph?: any|NDArray.backward.options): any
---@return any
function NDArray:backward(...) end

---Vectors as the columns of a matrix, beside the columns of matrices. column_stack{a, b}, or column_stack(a, b).
---@return any
function NDArray:column_stack(...) end

---Writes the elements into another array of the same shape, in any context; given a context, gives a new array there, and given nothing one where this is.
---@param other? any
---@return hl.NDArray
function NDArray:copyto(other) end

---@class NDArray.corrcoef.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.

---The correlations of variables: their covariances divided by their standard deviations. Options: rowvar (true), y.
---@overload fun(self: NDArray, m?: any|NDArray.corrcoef.options, y?: any|NDArray.corrcoef.options, rowvar?: boolean|NDArray.corrcoef.options): any
---@return any
function NDArray:corrcoef(...) end

---@class NDArray.cov.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.
---@field bias? boolean Default: false.
---@field ddof? any

---The covariances of variables, whose observations are the rows of m (the columns, if rowvar is false), and those of y
---if it is given. A matrix; of one variable, (1, 1).
---Options: rowvar (true), bias (false): divide by n instead of n - 1; ddof: divide by n - ddof.
---@overload fun(self: NDArray, m?: any|NDArray.cov.options, y?: any|NDArray.cov.options, rowvar?: boolean|NDArray.cov.options, bias?: boolean|NDArray.cov.options, ddof?: any|NDArray.cov.options): any
---@return any
function NDArray:cov(...) end

---@class NDArray.cross.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axisa? number Default: -1.
---@field axisb? number Default: -1.
---@field axisc? number Default: -1.
---@field axis? integer

---The vector product of vectors with 2 or 3 components, which are along the last axis; the other axes broadcast. Of
---two with 2 components, the third of the product alone.
---Options: axisa, axisb, axisc (-1): the axis of the components in a, in b, in the result; axis: all three.
---@overload fun(self: NDArray, a?: any|NDArray.cross.options, b?: any|NDArray.cross.options, axisa?: number|NDArray.cross.options, axisb?: number|NDArray.cross.options, axisc?: number|NDArray.cross.options, axis?: integer|NDArray.cross.options): any
---@return any
function NDArray:cross(...) end

---The same memory without a place on the tape: no gradient goes through it.
---@return hl.NDArray
function NDArray:detach() end

---@class NDArray.diff.options
---@field [integer] any
---@field data? any
---@field n? number Default: 1.
---@field axis? integer Default: -1.
---@field prepend? any
---@field append? any

---The differences of neighbours, x[i + 1] - x[i], along an axis, n times over. diff(x, n, {axis = 0}).
---Options: n (1), axis (-1), prepend, append: numbers or arrays that are put before and after x first.
---@overload fun(self: NDArray, data?: any|NDArray.diff.options, n?: number|NDArray.diff.options, axis?: integer|NDArray.diff.options, prepend?: any|NDArray.diff.options, append?: any|NDArray.diff.options): any
---@return any
function NDArray:diff(...) end

---Arrays stacked along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
---@return any
function NDArray:dstack(...) end

---Writes the value into every element: x:set(value).
---@param value? any
---@return any
function NDArray:fill_(value) end

---The places of the elements that are not 0 in the flattened array; int64.
---@return any
function NDArray:flatnonzero(...) end

---The columns (axis 1) in the opposite order.
---@return any
function NDArray:fliplr(...) end

---The rows (axis 0) in the opposite order.
---@return any
function NDArray:flipud(...) end

---Lets the memory go now, without waiting for the collector. Later use is an error.
function NDArray:free() end

---A number that is new whenever backward leaves something in x.grad; 0 before, nil without attach_grad.
---@return integer?
function NDArray:fresh_grad() end

---@class NDArray.gelu.options
---@field [integer] any
---@field data? any
---@field approximate? string Default: 'none'.

---x Phi(x), Phi being the normal distribution's function (D. Hendrycks, K. Gimpel, 2016).
---Options: approximate: "none" (exact, by erf), "tanh" (or true): 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
---@overload fun(self: NDArray, data?: any|NDArray.gelu.options, approximate?: string|NDArray.gelu.options): any
---@return any
function NDArray:gelu(...) end

---Arrays side by side, along axis 1 (vectors: one after the other). hstack{a, b}, or hstack(a, b).
---@return any
function NDArray:hstack(...) end

---@class NDArray.in1d.options
---@field [integer] any
---@field ar1? any
---@field ar2? any
---@field assume_unique? any
---@field invert? boolean Default: false.

---isin of all elements, as one axis.
---@overload fun(self: NDArray, ar1?: any|NDArray.in1d.options, ar2?: any|NDArray.in1d.options, assume_unique?: any|NDArray.in1d.options, invert?: boolean|NDArray.in1d.options): any
---@return any
function NDArray:in1d(...) end

---@class NDArray.inner.options
---@field [integer] any
---@field a? any
---@field b? any

---The product summed over the last axis of both. Two vectors give shape (1,).
---@overload fun(self: NDArray, a?: any|NDArray.inner.options, b?: any|NDArray.inner.options): any
---@return any
function NDArray:inner(...) end

---@class NDArray.interp.options
---@field [integer] any
---@field x? any
---@field xp? any
---@field fp? any
---@field left? any
---@field right? any
---@field period? any

---The piecewise linear function through the points (xp, fp), whose xp rise, at x. Left of them it is fp's first value
---or `left`, right of them the last or `right`; with `period` it repeats, and xp need not rise. Differentiable by x, xp
---and fp.
---@overload fun(self: NDArray, x?: any|NDArray.interp.options, xp?: any|NDArray.interp.options, fp?: any|NDArray.interp.options, left?: any|NDArray.interp.options, right?: any|NDArray.interp.options, period?: any|NDArray.interp.options): any
---@return any
function NDArray:interp(...) end

---@class NDArray.isclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Where are two arrays (or an array and a number), which broadcast, close: |a - b| <= atol + rtol |b|?
---isclose(a, b, rtol, atol, {equal_nan = true}). Options: rtol (1e-5), atol (1e-8), equal_nan (false). Infinities are
---close to those of their sign. The result is bool.
---@overload fun(self: NDArray, a?: any|NDArray.isclose.options, b?: any|NDArray.isclose.options, rtol?: number|NDArray.isclose.options, atol?: number|NDArray.isclose.options, equal_nan?: boolean|NDArray.isclose.options): any
---@return any
function NDArray:isclose(...) end

---asscalar, under another library's name.
---@return number|boolean
function NDArray:item() end

---@class NDArray.kron.options
---@field [integer] any
---@field a? any
---@field b? any

---Kronecker's product: each element of a times all of b, in blocks. Up to four dimensions; the one with fewer gets
---ones in front.
---@overload fun(self: NDArray, a?: any|NDArray.kron.options, b?: any|NDArray.kron.options): any
---@return any
function NDArray:kron(...) end

---@class NDArray.logsumexp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---log of the sum of e^x over axes (all), without overflow: the greatest element is taken out before and put back
---after. Options: axis, keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.logsumexp.options, axis?: integer|NDArray.logsumexp.options, keepdims?: boolean|NDArray.logsumexp.options): any
---@return any
function NDArray:logsumexp(...) end

---@class NDArray.median.options
---@field [integer] any
---@field a? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The middle element, or the mean of the two in the middle. Options: axis (a number or a table; all), keepdims.
---Differentiable.
---@overload fun(self: NDArray, a?: any|NDArray.median.options, axis?: integer|NDArray.median.options, keepdims?: boolean|NDArray.median.options): any
---@return any
function NDArray:median(...) end

---@class NDArray.meshgrid.options
---@field [integer] any
---@field indexing? string Default: 'xy'.
---@field sparse? boolean Default: false.

---The coordinates of a grid's points: of n vectors a table of n arrays with n axes, array i holding along its own axis
---the values of vector i. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are swapped, so that x
---runs along the rows of a picture) or "ij"; sparse (false): leave dimensions of 1 where values repeat.
---@overload fun(self: NDArray, indexing?: string|NDArray.meshgrid.options, sparse?: boolean|NDArray.meshgrid.options): any
---@return any
function NDArray:meshgrid(...) end

---@class NDArray.moveaxis.options
---@field [integer] any
---@field tensor? any
---@field source? any[]
---@field destination? any[]

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param source? any
---@param destination? any
---@overload fun(self: NDArray, tensor?: any|NDArray.moveaxis.options, source?: any[]|NDArray.moveaxis.options, destination?: any[]|NDArray.moveaxis.options): any
---@return any
function NDArray:moveaxis(source, destination) end

---@class NDArray.nanmax.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.nanmax.options, axis?: integer|NDArray.nanmax.options, keepdims?: boolean|NDArray.nanmax.options): any
---@return any
function NDArray:nanmax(...) end

---@class NDArray.nanmean.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The mean over axes (all) of the elements that are not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.nanmean.options, axis?: integer|NDArray.nanmean.options, keepdims?: boolean|NDArray.nanmean.options): any
---@return any
function NDArray:nanmean(...) end

---@class NDArray.nanmin.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The least element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.nanmin.options, axis?: integer|NDArray.nanmin.options, keepdims?: boolean|NDArray.nanmin.options): any
---@return any
function NDArray:nanmin(...) end

---@class NDArray.nanstd.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The standard deviation over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.nanstd.options, axis?: integer|NDArray.nanstd.options, ddof?: number|NDArray.nanstd.options, keepdims?: boolean|NDArray.nanstd.options): any
---@return any
function NDArray:nanstd(...) end

---@class NDArray.nanvar.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The variance over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.nanvar.options, axis?: integer|NDArray.nanvar.options, ddof?: number|NDArray.nanvar.options, keepdims?: boolean|NDArray.nanvar.options): any
---@return any
function NDArray:nanvar(...) end

---The indices of the elements that are not 0: a table of int64 arrays, one an axis, as NumPy's tuple.
---@return any
function NDArray:nonzero(...) end

---totable, under another library's name.
---@return table
function NDArray:numpy() end

---@class NDArray.outer.options
---@field [integer] any
---@field a? any
---@field b? any

---a[i] b[j], as a matrix; other arrays are flattened first.
---@overload fun(self: NDArray, a?: any|NDArray.outer.options, b?: any|NDArray.outer.options): any
---@return any
function NDArray:outer(...) end

---@class NDArray.partition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The elements along an axis so that the kth is where it would be in order, lesser ones before it: all in order, here.
---@overload fun(self: NDArray, a?: any|NDArray.partition.options, kth?: any|NDArray.partition.options, axis?: integer|NDArray.partition.options): any
---@return any
function NDArray:partition(...) end

---@class NDArray.percentile.options
---@field [integer] any
---@field a? any
---@field q? any
---@field axis? integer
---@field method? string Default: 'linear'.
---@field keepdims? boolean Default: false.
---@field interpolation? any

---Percentiles: the value that q percent of the elements do not exceed; a table of q becomes the first axis.
---Options: axis (a number or a table; all), keepdims, method ("linear", "lower", "higher", "midpoint", "nearest",
---"hazen" and NumPy's others; interpolation is its older name). A NaN makes NaN. Differentiable.
---@overload fun(self: NDArray, a?: any|NDArray.percentile.options, q?: any|NDArray.percentile.options, axis?: integer|NDArray.percentile.options, method?: string|NDArray.percentile.options, keepdims?: boolean|NDArray.percentile.options, interpolation?: any|NDArray.percentile.options): any
---@return any
function NDArray:percentile(...) end

---@class NDArray.ptp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element less the least, over axes (all). Options: axis, keepdims (false).
---@overload fun(self: NDArray, data?: any|NDArray.ptp.options, axis?: integer|NDArray.ptp.options, keepdims?: boolean|NDArray.ptp.options): any
---@return any
function NDArray:ptp(...) end

---@class NDArray.rot90.options
---@field [integer] any
---@field data? any
---@field k? number Default: 1.
---@field axes? table Default: {0, 1}.

---Turned by 90 degrees, k times, in the plane of two axes, from the first of them towards the second.
---rot90(x, k). Options: k (1; negative: the other way), axes ({0, 1}).
---@overload fun(self: NDArray, data?: any|NDArray.rot90.options, k?: number|NDArray.rot90.options, axes?: table|NDArray.rot90.options): any
---@return any
function NDArray:rot90(...) end

---Writes a number, nested tables or an array that broadcasts into every element: x[{}] = value.
---@param value? any
---@return hl.NDArray
function NDArray:set(value) end

---@class NDArray.softplus.options
---@field [integer] any
---@field data? any
---@field beta? number Default: 1.

---log(1 + e^(beta x)) / beta, without overflow. Options: beta (1).
---@overload fun(self: NDArray, data?: any|NDArray.softplus.options, beta?: number|NDArray.softplus.options): any
---@return any
function NDArray:softplus(...) end

---x sigmoid(x): silu under its other name.
---@return any
function NDArray:swish(...) end

---@class NDArray.tensordot.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? number Default: 2.

---The product summed over axes: tensordot(a, b, axes). axes (2): how many, the last of a with the first of b; or a
---table of two, a's axes and b's, each a number or a table. The result has a's other axes, then b's; shape (1,) where
---none are left.
---@overload fun(self: NDArray, a?: any|NDArray.tensordot.options, b?: any|NDArray.tensordot.options, axes?: number|NDArray.tensordot.options): any
---@return any
function NDArray:tensordot(...) end

---The elements' bytes, little-endian, in row-major order.
---@return string
function NDArray:tobytes() end

---totable, under another library's name.
---@return table
function NDArray:tolist() end

---The array itself for "default": no array is sparse.
---@param stype? any
---@return any
function NDArray:tostype(stype) end

---The elements in nested Lua tables.
---@return table
function NDArray:totable() end

---@class NDArray.trace.options
---@field [integer] any
---@field data? any
---@field offset? number Default: 0.
---@field axis1? number Default: 0.
---@field axis2? number Default: 1.

---The sum of a diagonal: trace(x, offset). Of more than two dimensions, of each matrix of two axes.
---Options: offset (0: the main diagonal; above it positive), axis1 (0), axis2 (1). A matrix gives shape (1,).
---@overload fun(self: NDArray, data?: any|NDArray.trace.options, offset?: number|NDArray.trace.options, axis1?: number|NDArray.trace.options, axis2?: number|NDArray.trace.options): any
---@return any
function NDArray:trace(...) end

---@class NDArray.unique.options
---@field [integer] any
---@field ar? any
---@field return_index? any
---@field return_inverse? any
---@field return_counts? any

---The different elements, in order. Options: return_index (where each is first), return_inverse (for each element of
---the flattened array its place among them), return_counts; then a table {values, index, inverse, counts} of what is
---asked for. int64.
---@overload fun(self: NDArray, ar?: any|NDArray.unique.options, return_index?: any|NDArray.unique.options, return_inverse?: any|NDArray.unique.options, return_counts?: any|NDArray.unique.options): any
---@return any
function NDArray:unique(...) end

---@class NDArray.vdot.options
---@field [integer] any
---@field a? any
---@field b? any

---The sum of a[i] b[i], of shape (1,); other arrays are flattened first.
---@overload fun(self: NDArray, a?: any|NDArray.vdot.options, b?: any|NDArray.vdot.options): any
---@return any
function NDArray:vdot(...) end

---Arrays below each other, along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
---@return any
function NDArray:vstack(...) end

---Nothing: no operator runs later than it is called.
function NDArray:wait_to_read() end

---Writes zeros into every element.
---@return any
function NDArray:zero_() end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param ... any|hl.op.Activation
---@return hl.NDArray
function NDArray:Activation(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta for each channel, a place of `axis`. In training, and unless use_global_stats, mean and variance are those of the batch, and the states moving_mean and moving_var become momentum times themselves plus (1 - momentum) times them, when the call computes; else they are the states. The variance is the biased one (S. Ioffe, C. Szegedy, 2015)
---@param gamma? hl.NDArray|number|hl.op.BatchNorm
---@param beta? hl.NDArray|number|hl.op.BatchNorm
---@param moving_mean? hl.NDArray|number|hl.op.BatchNorm
---@param moving_var? hl.NDArray|number|hl.op.BatchNorm
---@param ... any|hl.op.BatchNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:BatchNorm(gamma, beta, moving_mean, moving_var, ...) end

---data, (batch, channel, height, width), read at the places of a grid, (batch, 2, height, width) of the output: x and y, from -1 to 1 over data's width and height, by bilinear interpolation; data goes on with zeros (M. Jaderberg et al., 2015)
---@param grid? hl.NDArray|number|hl.op.BilinearSampler
---@param ... any|hl.op.BilinearSampler
---@return hl.NDArray|hl.NDArray[]
function NDArray:BilinearSampler(grid, ...) end

---The input, in the same memory, through which no gradient flows
---@param ... any|hl.op.BlockGrad
---@return hl.NDArray
function NDArray:BlockGrad(...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param label? hl.NDArray|number|hl.op.CTCLoss
---@param data_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param label_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.NDArray|hl.NDArray[]
function NDArray:CTCLoss(label, data_lengths, label_lengths, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0. NaN and what int64 (for int64) or int32 (for others) cannot hold become its least integer, of which int8 and uint8 take the lower bits; to bool, NaN is true. The gradient passes between float dtypes only
---@param ... any|hl.op.Cast
---@return hl.NDArray
function NDArray:Cast(...) end

---Arrays joined along an axis; their other dimensions are equal
---@param ... any|hl.op.Concat
---@return hl.NDArray
function NDArray:Concat(...) end

---Each filter's sum of products with what a window sees, at all its places, plus bias. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (num_filter, channels / num_group, *kernel); its shape and bias's are inferred. Products are added in order of (channel, *kernel), in blocks of 1024. 3x3 and 5x5 windows with a stride of 1 over 16 channels or more are computed with fewer products in float32: rounding errors are like those of a plain sum, but relative to the largest datum of the 6x6 places around, and a NaN or infinity spoils up to 8x8 places
---@param weight? hl.NDArray|number|hl.op.Convolution
---@param bias? hl.NDArray|number|hl.op.Convolution
---@param ... any|hl.op.Convolution
---@return hl.NDArray
function NDArray:Convolution(weight, bias, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param ... any|hl.op.Crop
---@return hl.NDArray
function NDArray:Crop(...) end

---Transposed convolution: each element of data puts the weights of its channel, times itself, onto the places of the output that a window there would see; what lies on one place is added, plus bias. It is the gradient of data of the convolution from the output's shape to data's. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (channels, num_filter / num_group, *kernel); its shape and bias's are inferred. An axis of n places gets (n - 1) stride + dilate (kernel - 1) + 1 - 2 pad + adj
---@param weight? hl.NDArray|number|hl.op.Deconvolution
---@param bias? hl.NDArray|number|hl.op.Deconvolution
---@param ... any|hl.op.Deconvolution
---@return hl.NDArray
function NDArray:Deconvolution(weight, bias, ...) end

---In training each element is dropped (made 0) with probability p and the others are divided by 1 - p; elements along `axes` share their fate (G. Hinton et al., 2012). Outside training, the input. Random numbers are drawn only where something may be dropped
---@param ... any|hl.op.Dropout
---@return hl.NDArray|hl.NDArray[]
function NDArray:Dropout(...) end

---The sum of any number of arrays of one shape, from left to right
---@param ... any|hl.op.add_n
---@return hl.NDArray
function NDArray:ElementWiseSum(...) end

---The rows of weight that data names; indices outside are clipped
---@param weight? hl.NDArray|number|hl.op.Embedding
---@param ... any|hl.op.Embedding
---@return hl.NDArray
function NDArray:Embedding(weight, ...) end

---All axes but the first become one
---@param ... any|hl.op.Flatten
---@return hl.NDArray
function NDArray:Flatten(...) end

---data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features), its shape and bias's are inferred
---@param weight? hl.NDArray|number|hl.op.FullyConnected
---@param bias? hl.NDArray|number|hl.op.FullyConnected
---@param ... any|hl.op.FullyConnected
---@return hl.NDArray
function NDArray:FullyConnected(weight, bias, ...) end

---A grid for BilinearSampler, (batch, 2, height, width). affine: data is (batch, 6), a transform [a b c; d e f] for each image, and place (x, y) of target_shape becomes (a x + b y + c, d x + e y + f), coordinates going from -1 to 1. warp: data is (batch, 2, height, width), how many elements each place is moved by
---@param ... any|hl.op.GridGenerator
---@return hl.NDArray|hl.NDArray[]
function NDArray:GridGenerator(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over groups of channels (axis 1) of each sample; as in MXNet 1.9.1 gamma and beta have an element for each group (Y. Wu, K. He, 2018)
---@param gamma? hl.NDArray|number|hl.op.GroupNorm
---@param beta? hl.NDArray|number|hl.op.GroupNorm
---@param ... any|hl.op.GroupNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:GroupNorm(gamma, beta, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over the places of each channel (axis 1) of each sample (D. Ulyanov et al., 2016)
---@param gamma? hl.NDArray|number|hl.op.InstanceNorm
---@param beta? hl.NDArray|number|hl.op.InstanceNorm
---@param ... any|hl.op.InstanceNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:InstanceNorm(gamma, beta, ...) end

---data / sqrt(sum of squares + eps): over each sample (instance), over the channels, axis 1, at each place (channel), or over the places of each channel (spatial)
---@param ... any|hl.op.L2Normalization
---@return hl.NDArray
function NDArray:L2Normalization(...) end

---data (knorm + alpha / nsize s)^-beta, s being the sum of squares over the nsize channels (axis 1) around an element's own, at its place (A. Krizhevsky et al., 2012)
---@param ... any|hl.op.LRN
---@return hl.NDArray|hl.NDArray[]
function NDArray:LRN(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param gamma? hl.NDArray|number|hl.op.LayerNorm
---@param beta? hl.NDArray|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:LayerNorm(gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element, of one for each channel, axis 1, or of data's shape), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
---@param gamma? hl.NDArray|number|hl.op.LeakyReLU
---@param ... any|hl.op.LeakyReLU
---@return hl.NDArray|hl.NDArray[]
function NDArray:LeakyReLU(gamma, ...) end

---data; its gradient is that of half the squared error, (data - label), by design whatever comes from above
---@param label? hl.NDArray|number|hl.op.LinearRegressionOutput
---@param ... any|hl.op.LinearRegressionOutput
---@return hl.NDArray
function NDArray:LinearRegressionOutput(label, ...) end

---sigmoid(data); its gradient is that of the cross entropy, (sigmoid(data) - label), by design whatever comes from above
---@param label? hl.NDArray|number|hl.op.LogisticRegressionOutput
---@param ... any|hl.op.LogisticRegressionOutput
---@return hl.NDArray
function NDArray:LogisticRegressionOutput(label, ...) end

---data; its gradient is that of the absolute error, sign(data - label), by design whatever comes from above
---@param label? hl.NDArray|number|hl.op.MAERegressionOutput
---@param ... any|hl.op.MAERegressionOutput
---@return hl.NDArray
function NDArray:MAERegressionOutput(label, ...) end

---data as a loss: its gradient is grad_scale, by design whatever comes from above
---@param ... any|hl.op.MakeLoss
---@return hl.NDArray
function NDArray:MakeLoss(...) end

---More places around the last two axes of (batch, channel, height, width), or the last three of (batch, channel, depth, height, width)
---@param ... any|hl.op.Pad
---@return hl.NDArray
function NDArray:Pad(...) end

---The maximum (max), mean (avg), sum or p-norm (lp) of what a window sees, at all its places. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). The gradient of a maximum goes to the first of equal ones. lp does not take absolute values, as in MXNet. (same is for all kinds here; MXNet has it for the maximum of one axis.) NWC, NHWC and NDHWC have the channels in the last axis. The maximum of a window that sees padding alone is the lowest finite number, as in MXNet
---@param ... any|hl.op.Pooling
---@return hl.NDArray|hl.NDArray[]
function NDArray:Pooling(...) end

---data / sqrt(mean square + eps) gamma along an axis; gamma has an element for each place there, its shape is inferred (B. Zhang, R. Sennrich, 2019)
---@param gamma? hl.NDArray|number|hl.op.RMSNorm
---@param ... any|hl.op.RMSNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:RMSNorm(gamma, ...) end

---Layers of recurrent cells over data, (steps, batch, features), from states (layers x directions, batch, values) on: (steps, batch, directions x values) and, if asked for, the last states. With x a step's input, h the state before it, W x and R h with their biases: rnn_tanh h' = tanh(Wx + Rh), rnn_relu with max(0, .); lstm c' = f c + i g, h' = o tanh(c'), i, f, o being sigmoids and g a tanh of such sums (S. Hochreiter, J. Schmidhuber, 1997); gru h' = (1 - z) n + z h with n = tanh(Wx + r Rh) and sigmoids r, z (K. Cho et al., 2014). parameters holds for each layer and direction W, R and lstm's projection, and after all of these the biases of W and R in the same order; gates in the order i f g o, and r z n. MXNet's CPU takes sequence lengths and bounds of cells but ignores them. The gradient cannot be differentiated again
---@param parameters? hl.NDArray|number|hl.op.RNN
---@param state? hl.NDArray|number|hl.op.RNN
---@param state_cell? hl.NDArray|number|hl.op.RNN
---@param sequence_length? hl.NDArray|number|hl.op.RNN
---@param ... any|hl.op.RNN
---@return hl.NDArray|hl.NDArray[]
function NDArray:RNN(parameters, state, state_cell, sequence_length, ...) end

---The maximum in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output (R. Girshick, 2015). Where there is no such image, 0
---@param rois? hl.NDArray|number|hl.op.ROIPooling
---@param ... any|hl.op.ROIPooling
---@return hl.NDArray|hl.NDArray[]
function NDArray:ROIPooling(rois, ...) end

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param ... any|hl.op.Reshape
---@return hl.NDArray
function NDArray:Reshape(...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above; if squared, it cannot be differentiated again
---@param label? hl.NDArray|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.NDArray
function NDArray:SVMOutput(label, ...) end

---The last step of each sequence of (steps, batch, ...), by its length: (batch, ...)
---@param sequence_length? hl.NDArray|number|hl.op.SequenceLast
---@param ... any|hl.op.SequenceLast
---@return hl.NDArray
function NDArray:SequenceLast(sequence_length, ...) end

---Sequences, (steps, batch, ...), with the steps from each one's length on replaced by a value
---@param sequence_length? hl.NDArray|number|hl.op.SequenceMask
---@param ... any|hl.op.SequenceMask
---@return hl.NDArray
function NDArray:SequenceMask(sequence_length, ...) end

---Sequences, (steps, batch, ...), each with its steps up to its length the other way round
---@param sequence_length? hl.NDArray|number|hl.op.SequenceReverse
---@param ... any|hl.op.SequenceReverse
---@return hl.NDArray
function NDArray:SequenceReverse(sequence_length, ...) end

---Equal parts along an axis
---@param ... any|hl.op.SliceChannel
---@return hl.NDArray[]
function NDArray:SliceChannel(...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above, and which cannot be differentiated again. A label of data's shape holds probabilities
---@param label? hl.NDArray|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.NDArray
function NDArray:Softmax(label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param ... any|hl.op.SoftmaxActivation
---@return hl.NDArray
function NDArray:SoftmaxActivation(...) end

NDArray.SoftmaxOutput = NDArray.Softmax
---data read by BilinearSampler at the places that GridGenerator makes of loc, (batch, 6), with affine (M. Jaderberg et al., 2015)
---@param loc? hl.NDArray|number|hl.op.SpatialTransformer
---@param ... any|hl.op.SpatialTransformer
---@return hl.NDArray|hl.NDArray[]
function NDArray:SpatialTransformer(loc, ...) end

---Two axes change places
---@param ... any|hl.op.SwapAxis
---@return hl.NDArray
function NDArray:SwapAxis(...) end

---Height and width of (batch, channel, height, width) made `scale` times as large. nearest repeats each element; further arrays get the first one's size and are joined along channels, or added. bilinear takes data and weight, (channels, 1, k, k) with k = 2 scale - scale % 2, and adds each element times its channel's weights around its place; initializer.Bilinear gives weights that interpolate
---@param weight? hl.NDArray|number|hl.op.UpSampling
---@param arg? hl.NDArray|number|hl.op.UpSampling
---@param ... any|hl.op.UpSampling
---@return hl.NDArray
function NDArray:UpSampling(weight, arg, ...) end

---|x|
---@param ... any|hl.op.abs
---@return hl.NDArray
function NDArray:abs(...) end

NDArray.activation = NDArray.Activation
---acc_g the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; acc_delta the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)
---@param grad? hl.NDArray|number|hl.op.adadelta_update
---@param acc_g? hl.NDArray|number|hl.op.adadelta_update
---@param acc_delta? hl.NDArray|number|hl.op.adadelta_update
---@param ... any|hl.op.adadelta_update
---@return hl.NDArray
function NDArray:adadelta_update(grad, acc_g, acc_delta, ...) end

---history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)
---@param grad? hl.NDArray|number|hl.op.adagrad_update
---@param history? hl.NDArray|number|hl.op.adagrad_update
---@param ... any|hl.op.adagrad_update
---@return hl.NDArray
function NDArray:adagrad_update(grad, history, ...) end

---d = grad + wd weight; mean and var the decaying means of d and d^2; weight - lr mean / (sqrt(var) + epsilon) (D. Kingma, J. Ba, 2014). The correction of their bias is the caller's, in lr
---@param grad? hl.NDArray|number|hl.op.adam_update
---@param mean? hl.NDArray|number|hl.op.adam_update
---@param var? hl.NDArray|number|hl.op.adam_update
---@param ... any|hl.op.adam_update
---@return hl.NDArray
function NDArray:adam_update(grad, mean, var, ...) end

---mean and var the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad in an array
---@param grad? hl.NDArray|number|hl.op.adamw_step
---@param mean? hl.NDArray|number|hl.op.adamw_step
---@param var? hl.NDArray|number|hl.op.adamw_step
---@param ... any|hl.op.adamw_step
---@return hl.NDArray
function NDArray:adamw_step(grad, mean, var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param grad? hl.NDArray|number|hl.op._adamw_update
---@param mean? hl.NDArray|number|hl.op._adamw_update
---@param var? hl.NDArray|number|hl.op._adamw_update
---@param rescale_grad? hl.NDArray|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.NDArray
function NDArray:adamw_update(grad, mean, var, rescale_grad, ...) end

---a + b
---@param rhs? hl.NDArray|number|hl.op.broadcast_add
---@param ... any|hl.op.broadcast_add
---@return hl.NDArray
function NDArray:add(rhs, ...) end

NDArray.add_n = NDArray.ElementWiseSum
---Is no element 0? A bool over axes; true of no elements, NaN is not 0
---@param ... any|hl.op.all
---@return hl.NDArray
function NDArray:all(...) end

---1 if every element is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.all_finite
---@return hl.NDArray
function NDArray:all_finite(...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param ... any|hl.op.amp_cast
---@return hl.NDArray
function NDArray:amp_cast(...) end

---Is there an element that is not 0? A bool over axes; false of no elements, NaN is not 0
---@param ... any|hl.op.any
---@return hl.NDArray
function NDArray:any(...) end

---The inverse of cos, in [0, pi]
---@param ... any|hl.op.arccos
---@return hl.NDArray
function NDArray:arccos(...) end

---The inverse of cosh; x >= 1
---@param ... any|hl.op.arccosh
---@return hl.NDArray
function NDArray:arccosh(...) end

---The inverse of sin, in [-pi/2, pi/2]
---@param ... any|hl.op.arcsin
---@return hl.NDArray
function NDArray:arcsin(...) end

---The inverse of sinh
---@param ... any|hl.op.arcsinh
---@return hl.NDArray
function NDArray:arcsinh(...) end

---The inverse of tan, in (-pi/2, pi/2)
---@param ... any|hl.op.arctan
---@return hl.NDArray
function NDArray:arctan(...) end

---The inverse of tanh; |x| < 1
---@param ... any|hl.op.arctanh
---@return hl.NDArray
function NDArray:arctanh(...) end

---The position of the greatest element, the first of equals, in data's dtype
---@param ... any|hl.op.argmax
---@return hl.NDArray
function NDArray:argmax(...) end

---argmax over axis 1
---@param ... any|hl.op.argmax_channel
---@return hl.NDArray
function NDArray:argmax_channel(...) end

---The position of the least element, the first of equals, in data's dtype
---@param ... any|hl.op.argmin
---@return hl.NDArray
function NDArray:argmin(...) end

---The places along an axis in the order of their elements; of equal elements the first comes first, and NaNs come last
---@param ... any|hl.op.argsort
---@return hl.NDArray
function NDArray:argsort(...) end

---The indices of the elements that are not 0, a row each
---@param ... any|hl.op._argwhere
---@return hl.NDArray
function NDArray:argwhere(...) end

---Have two arrays one shape and the same elements? One bool, of shape (1,)
---@param a2? hl.NDArray|number|hl.op.array_equal
---@param ... any|hl.op.array_equal
---@return hl.NDArray
function NDArray:array_equal(a2, ...) end

---Integers and bools as float64; floats as they are
---@param ... any|hl.op._as_float
---@return hl.NDArray
function NDArray:as_float(...) end

---The input; an error that says where, if an element is NaN or infinite
---@param ... any|hl.op.assert_finite
---@return hl.NDArray
function NDArray:assert_finite(...) end

NDArray.astype = NDArray.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param rhs? hl.NDArray|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.NDArray
function NDArray:batch_dot(rhs, ...) end

NDArray.batch_norm = NDArray.BatchNorm
---One element of each row; indices outside are clipped
---@param indices? hl.NDArray|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.NDArray
function NDArray:batch_take(indices, ...) end

NDArray.bilinear_sampler = NDArray.BilinearSampler
---How often each whole number from 0 on occurs in x, or the sums of the weights there
---@param weights? hl.NDArray|number|hl.op._bincount
---@param ... any|hl.op._bincount
---@return hl.NDArray
function NDArray:bincount(weights, ...) end

---Of integers, the bits that both have; of bool and floats, 1 where both are not 0, else 0
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_and
---@param ... any|hl.op._npi_bitwise_and
---@return hl.NDArray
function NDArray:bitwise_and(rhs, ...) end

---Of integers, every bit the other way round; of bool and floats, 1 where x is 0, else 0
---@param ... any|hl.op._npi_bitwise_not
---@return hl.NDArray
function NDArray:bitwise_not(...) end

---Of integers, the bits that one of them has; of bool and floats, 1 where one is not 0, else 0
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_or
---@param ... any|hl.op._npi_bitwise_or
---@return hl.NDArray
function NDArray:bitwise_or(rhs, ...) end

---Of integers, the bits that exactly one has; of bool and floats, 1 where exactly one is not 0, else 0
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_xor
---@param ... any|hl.op._npi_bitwise_xor
---@return hl.NDArray
function NDArray:bitwise_xor(rhs, ...) end

NDArray.block_grad = NDArray.BlockGrad
---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param index? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.NDArray
function NDArray:boolean_mask(index, ...) end

NDArray.broadcast_add = NDArray.add
---Some axes of dimension 1 repeated
---@param ... any|hl.op.broadcast_axis
---@return hl.NDArray
function NDArray:broadcast_axes(...) end

NDArray.broadcast_axis = NDArray.broadcast_axes
---a / b; integers are cut towards 0, and give 0 for b = 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_div
---@param ... any|hl.op.broadcast_div
---@return hl.NDArray
function NDArray:broadcast_div(rhs, ...) end

---1 where a = b, else 0, in the operands' dtype
---@param rhs? hl.NDArray|number|hl.op.broadcast_equal
---@param ... any|hl.op.broadcast_equal
---@return hl.NDArray
function NDArray:broadcast_equal(rhs, ...) end

---a / b rounded down, Lua's a // b; integers give 0 for b = 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_floor_divide
---@param ... any|hl.op.broadcast_floor_divide
---@return hl.NDArray
function NDArray:broadcast_floor_divide(rhs, ...) end

---1 where a > b, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_greater
---@param ... any|hl.op.broadcast_greater
---@return hl.NDArray
function NDArray:broadcast_greater(rhs, ...) end

---1 where a >= b, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_greater_equal
---@param ... any|hl.op.broadcast_greater_equal
---@return hl.NDArray
function NDArray:broadcast_greater_equal(rhs, ...) end

---sqrt(a^2 + b^2) without overflow
---@param rhs? hl.NDArray|number|hl.op.broadcast_hypot
---@param ... any|hl.op.broadcast_hypot
---@return hl.NDArray
function NDArray:broadcast_hypot(rhs, ...) end

---1 where a < b, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_lesser
---@param ... any|hl.op.broadcast_lesser
---@return hl.NDArray
function NDArray:broadcast_lesser(rhs, ...) end

---1 where a <= b, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_lesser_equal
---@param ... any|hl.op.broadcast_lesser_equal
---@return hl.NDArray
function NDArray:broadcast_lesser_equal(rhs, ...) end

---lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs
---@param rhs? hl.NDArray|number|hl.op.broadcast_like
---@param ... any|hl.op.broadcast_like
---@return hl.NDArray
function NDArray:broadcast_like(rhs, ...) end

---1 where both are not 0, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_and
---@param ... any|hl.op.broadcast_logical_and
---@return hl.NDArray
function NDArray:broadcast_logical_and(rhs, ...) end

---1 where one is not 0, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_or
---@param ... any|hl.op.broadcast_logical_or
---@return hl.NDArray
function NDArray:broadcast_logical_or(rhs, ...) end

---1 where exactly one is not 0, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_xor
---@param ... any|hl.op.broadcast_logical_xor
---@return hl.NDArray
function NDArray:broadcast_logical_xor(rhs, ...) end

---The larger of a and b; NaN wins
---@param rhs? hl.NDArray|number|hl.op.broadcast_maximum
---@param ... any|hl.op.broadcast_maximum
---@return hl.NDArray
function NDArray:broadcast_maximum(rhs, ...) end

---The smaller of a and b; NaN wins
---@param rhs? hl.NDArray|number|hl.op.broadcast_minimum
---@param ... any|hl.op.broadcast_minimum
---@return hl.NDArray
function NDArray:broadcast_minimum(rhs, ...) end

---a - b
---@param rhs? hl.NDArray|number|hl.op.broadcast_sub
---@param ... any|hl.op.broadcast_sub
---@return hl.NDArray
function NDArray:broadcast_minus(rhs, ...) end

---a modulo b with the sign of b; 0 where b is 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_mod
---@param ... any|hl.op.broadcast_mod
---@return hl.NDArray
function NDArray:broadcast_mod(rhs, ...) end

---a * b
---@param rhs? hl.NDArray|number|hl.op.broadcast_mul
---@param ... any|hl.op.broadcast_mul
---@return hl.NDArray
function NDArray:broadcast_mul(rhs, ...) end

---1 where a differs from b, else 0
---@param rhs? hl.NDArray|number|hl.op.broadcast_not_equal
---@param ... any|hl.op.broadcast_not_equal
---@return hl.NDArray
function NDArray:broadcast_not_equal(rhs, ...) end

NDArray.broadcast_plus = NDArray.add
---a to the power of b
---@param rhs? hl.NDArray|number|hl.op.broadcast_power
---@param ... any|hl.op.broadcast_power
---@return hl.NDArray
function NDArray:broadcast_power(rhs, ...) end

NDArray.broadcast_sub = NDArray.broadcast_minus
---Axes of dimension 1, and missing leading ones, repeated up to a shape
---@param ... any|hl.op.broadcast_to
---@return hl.NDArray
function NDArray:broadcast_to(...) end

NDArray.cast = NDArray.Cast
---The cube root
---@param ... any|hl.op.cbrt
---@return hl.NDArray
function NDArray:cbrt(...) end

---The least integer not below x
---@param ... any|hl.op.ceil
---@return hl.NDArray
function NDArray:ceil(...) end

---One element along an axis at each place of the others
---@param index? hl.NDArray|number|hl.op.pick
---@param ... any|hl.op.pick
---@return hl.NDArray
function NDArray:choose_element_0index(index, ...) end

---x held within [a_min, a_max]
---@param ... any|hl.op.clip
---@return hl.NDArray
function NDArray:clip(...) end

---Columns, (batch, channel x taps, places), added up at the places that im2col has them from
---@param ... any|hl.op.col2im
---@return hl.NDArray
function NDArray:col2im(...) end

NDArray.concat = NDArray.Concat
---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.NDArray
function NDArray:contrib_adaptive_avg_pooling2d(...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param b? hl.NDArray|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.NDArray
function NDArray:contrib_allclose(b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function NDArray:contrib_arange_like(...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param key? hl.NDArray|number|hl.op._contrib_attention
---@param value? hl.NDArray|number|hl.op._contrib_attention
---@param mask? hl.NDArray|number|hl.op._contrib_attention
---@param length? hl.NDArray|number|hl.op._contrib_attention
---@param offset? hl.NDArray|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_attention(key, value, mask, length, offset, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param gamma? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_batch_norm_with_re_lu(gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param like? hl.NDArray|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.NDArray
function NDArray:contrib_bilinear_resize2d(like, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_bipartite_matching(...) end

NDArray.contrib_boolean_mask = NDArray.boolean_mask
---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param anchors? hl.NDArray|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.NDArray
function NDArray:contrib_box_decode(anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param matches? hl.NDArray|number|hl.op._contrib_box_encode
---@param anchors? hl.NDArray|number|hl.op._contrib_box_encode
---@param refs? hl.NDArray|number|hl.op._contrib_box_encode
---@param means? hl.NDArray|number|hl.op._contrib_box_encode
---@param stds? hl.NDArray|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_box_encode(matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param rhs? hl.NDArray|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.NDArray
function NDArray:contrib_box_iou(rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param ... any|hl.op._contrib_box_nms
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_box_nms(...) end

NDArray.contrib_box_non_maximum_suppression = NDArray.contrib_box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param key? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value? hl.NDArray|number|hl.op._contrib_cached_attention
---@param key_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param position? hl.NDArray|number|hl.op._contrib_cached_attention
---@param mask? hl.NDArray|number|hl.op._contrib_cached_attention
---@param length? hl.NDArray|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.NDArray
function NDArray:contrib_cached_attention(key, value, key_cache, value_cache, position, mask, length, ...) end

NDArray.contrib_ctc_loss = NDArray.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.NDArray
function NDArray:contrib_div_sqrt_dim(...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.NDArray
function NDArray:contrib_dynamic_slice(begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param value? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.NDArray
function NDArray:contrib_dynamic_update_slice(value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param ... any|hl.op._contrib_index_array
---@return hl.NDArray
function NDArray:contrib_index_array(...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param index_vector? hl.NDArray|number|hl.op._contrib_index_copy
---@param new_tensor? hl.NDArray|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.NDArray
function NDArray:contrib_index_copy(index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.NDArray
function NDArray:contrib_interleaved_matmul_encdec_qk(keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.NDArray
function NDArray:contrib_interleaved_matmul_encdec_valatt(attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.NDArray
function NDArray:contrib_interleaved_matmul_selfatt_qk(...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.NDArray
function NDArray:contrib_interleaved_matmul_selfatt_valatt(attention, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param loc_pred? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.NDArray
function NDArray:contrib_multi_box_detection(loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.NDArray
function NDArray:contrib_multi_box_prior(...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param label? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_multi_box_target(label, cls_pred, ...) end

---a x^2 + b x + c
---@param ... any|hl.op._contrib_quadratic
---@return hl.NDArray
function NDArray:contrib_quadratic(...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param rois? hl.NDArray|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.NDArray
function NDArray:contrib_roi_align(rois, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param positions? hl.NDArray|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.NDArray
function NDArray:contrib_rotary_embedding(positions, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param gamma? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:contrib_sync_batch_norm(gamma, beta, moving_mean, moving_var, ...) end

NDArray.convolution = NDArray.Convolution
---The input
---@param ... any|hl.op._copy
---@return hl.NDArray
function NDArray:copy(...) end

---The cosine; x in radians
---@param ... any|hl.op.cos
---@return hl.NDArray
function NDArray:cos(...) end

---The hyperbolic cosine
---@param ... any|hl.op.cosh
---@return hl.NDArray
function NDArray:cosh(...) end

---How many elements are not 0, over axes, as int64
---@param ... any|hl.op.count_nonzero
---@return hl.NDArray
function NDArray:count_nonzero(...) end

---begin:end:step of the first axes, cut to the axes as in NumPy. A part that is one piece of memory shares it with data
---@param ... any|hl.op.slice
---@return hl.NDArray
function NDArray:crop(...) end

---lhs with the part begin:end:step replaced by rhs
---@param rhs? hl.NDArray|number|hl.op._slice_assign
---@param ... any|hl.op._slice_assign
---@return hl.NDArray
function NDArray:crop_assign(rhs, ...) end

---data with every element of the part begin:end:step set to a number
---@param ... any|hl.op._slice_assign_scalar
---@return hl.NDArray
function NDArray:crop_assign_scalar(...) end

NDArray.ctc_loss = NDArray.CTCLoss
---The sum of each element and all before it along an axis; of float32 rounded from double
---@param ... any|hl.op._np_cumsum
---@return hl.NDArray
function NDArray:cumsum(...) end

NDArray.deconvolution = NDArray.Deconvolution
---Radians to degrees
---@param ... any|hl.op.degrees
---@return hl.NDArray
function NDArray:degrees(...) end

---Channels rearranged into square blocks of height and width
---@param ... any|hl.op.depth_to_space
---@return hl.NDArray
function NDArray:depth_to_space(...) end

---A diagonal of data, as the last axis of the result; of a vector, the matrix with it on a diagonal
---@param ... any|hl.op.diag
---@return hl.NDArray
function NDArray:diag(...) end

---The derivative of gammaln
---@param ... any|hl.op.digamma
---@return hl.NDArray
function NDArray:digamma(...) end

---The bin of each element between edges that rise: bin i holds bins[i - 1] <= x < bins[i], with right bins[i - 1] < x <= bins[i]; where the edges fall, the other way round. int64
---@param bins? hl.NDArray|number|hl.op._digitize
---@param ... any|hl.op._digitize
---@return hl.NDArray
function NDArray:digitize(bins, ...) end

NDArray.div = NDArray.broadcast_div
---x / scalar
---@param ... any|hl.op._div_scalar
---@return hl.NDArray
function NDArray:div_scalar(...) end

NDArray.divide = NDArray.broadcast_div
---The product of matrices; of arrays in general, the last axis of lhs contracted with the first of rhs. Two vectors give shape (1,). transpose_a contracts the first axis of lhs, transpose_b the last of rhs
---@param rhs? hl.NDArray|number|hl.op.dot
---@param ... any|hl.op.dot
---@return hl.NDArray
function NDArray:dot(rhs, ...) end

NDArray.dropout = NDArray.Dropout
NDArray.element_wise_sum = NDArray.ElementWiseSum
---a + b (equal shapes)
---@param rhs? hl.NDArray|number|hl.op.elemwise_add
---@param ... any|hl.op.elemwise_add
---@return hl.NDArray
function NDArray:elemwise_add(rhs, ...) end

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param rhs? hl.NDArray|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.NDArray
function NDArray:elemwise_div(rhs, ...) end

---a * b (equal shapes)
---@param rhs? hl.NDArray|number|hl.op.elemwise_mul
---@param ... any|hl.op.elemwise_mul
---@return hl.NDArray
function NDArray:elemwise_mul(rhs, ...) end

---a - b (equal shapes)
---@param rhs? hl.NDArray|number|hl.op.elemwise_sub
---@param ... any|hl.op.elemwise_sub
---@return hl.NDArray
function NDArray:elemwise_sub(rhs, ...) end

NDArray.embedding = NDArray.Embedding
NDArray.equal = NDArray.broadcast_equal
---1 where x = scalar, else 0, in x's dtype
---@param ... any|hl.op._equal_scalar
---@return hl.NDArray
function NDArray:equal_scalar(...) end

---The error function
---@param ... any|hl.op.erf
---@return hl.NDArray
function NDArray:erf(...) end

---The inverse of erf; |x| < 1
---@param ... any|hl.op.erfinv
---@return hl.NDArray
function NDArray:erfinv(...) end

---e^x
---@param ... any|hl.op.exp
---@return hl.NDArray
function NDArray:exp(...) end

---A new axis of dimension 1
---@param ... any|hl.op.expand_dims
---@return hl.NDArray
function NDArray:expand_dims(...) end

---e^x - 1, exact near 0
---@param ... any|hl.op.expm1
---@return hl.NDArray
function NDArray:expm1(...) end

---lhs with one element of each row, named by rhs, replaced by that of mhs
---@param mhs? hl.NDArray|number|hl.op.fill_element_0index
---@param rhs? hl.NDArray|number|hl.op.fill_element_0index
---@param ... any|hl.op.fill_element_0index
---@return hl.NDArray
function NDArray:fill_element_0index(mhs, rhs, ...) end

---To the nearest integer towards 0
---@param ... any|hl.op.fix
---@return hl.NDArray
function NDArray:fix(...) end

NDArray.flatten = NDArray.Flatten
---The elements along some axes in the opposite order
---@param ... any|hl.op.reverse
---@return hl.NDArray
function NDArray:flip(...) end

---The greatest integer not above x
---@param ... any|hl.op.floor
---@return hl.NDArray
function NDArray:floor(...) end

NDArray.floor_divide = NDArray.broadcast_floor_divide
---x / scalar rounded down, Lua's x // scalar
---@param ... any|hl.op._floor_divide_scalar
---@return hl.NDArray
function NDArray:floor_divide_scalar(...) end

---Follow the moving leader (S. Zheng, J. Kwok, 2017)
---@param grad? hl.NDArray|number|hl.op.ftml_update
---@param d? hl.NDArray|number|hl.op.ftml_update
---@param v? hl.NDArray|number|hl.op.ftml_update
---@param z? hl.NDArray|number|hl.op.ftml_update
---@param ... any|hl.op.ftml_update
---@return hl.NDArray
function NDArray:ftml_update(grad, d, v, z, ...) end

---Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; (sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 (H. McMahan et al., 2013)
---@param grad? hl.NDArray|number|hl.op.ftrl_update
---@param z? hl.NDArray|number|hl.op.ftrl_update
---@param n? hl.NDArray|number|hl.op.ftrl_update
---@param ... any|hl.op.ftrl_update
---@return hl.NDArray
function NDArray:ftrl_update(grad, z, n, ...) end

---An array of one value, of data's shape and dtype
---@param ... any|hl.op.full_like
---@return hl.NDArray
function NDArray:full_like(...) end

NDArray.fully_connected = NDArray.FullyConnected
---The gamma function
---@param ... any|hl.op.gamma
---@return hl.NDArray
function NDArray:gamma(...) end

---log |gamma(x)|
---@param ... any|hl.op.gammaln
---@return hl.NDArray
function NDArray:gammaln(...) end

---The elements, or slices, of data that the columns of indices name, an axis a row; negative ones count from the end
---@param indices? hl.NDArray|number|hl.op.gather_nd
---@param ... any|hl.op.gather_nd
---@return hl.NDArray
function NDArray:gather_nd(indices, ...) end

---gelu by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, 2016)
---@param ... any|hl.op._gelu_tanh
---@return hl.NDArray
function NDArray:gelu_tanh(...) end

NDArray.grad_add = NDArray.elemwise_add
NDArray.greater = NDArray.broadcast_greater
NDArray.greater_equal = NDArray.broadcast_greater_equal
---1 where x >= scalar, else 0
---@param ... any|hl.op._greater_equal_scalar
---@return hl.NDArray
function NDArray:greater_equal_scalar(...) end

---1 where x > scalar, else 0
---@param ... any|hl.op._greater_scalar
---@return hl.NDArray
function NDArray:greater_scalar(...) end

NDArray.grid_generator = NDArray.GridGenerator
NDArray.group_norm = NDArray.GroupNorm
---alpha x + beta held within [0, 1]
---@param ... any|hl.op.hard_sigmoid
---@return hl.NDArray
function NDArray:hard_sigmoid(...) end

---How many elements lie in each bin, and the bins' edges: bin i holds edge[i] <= x < edge[i + 1], the last one both of its edges
---@param bins? hl.NDArray|number|hl.op._histogram
---@param ... any|hl.op._histogram
---@return hl.NDArray|hl.NDArray[]
function NDArray:histogram(bins, ...) end

NDArray.hypot = NDArray.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param ... any|hl.op._hypot_scalar
---@return hl.NDArray
function NDArray:hypot_scalar(...) end

NDArray.identity = NDArray.copy
---What a window sees, as columns: (batch, channel, *axes) becomes (batch, channel x taps, places), the taps of a channel and the places of the window each in row-major order
---@param ... any|hl.op.im2col
---@return hl.NDArray
function NDArray:im2col(...) end

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param ... any|hl.op._image_adjust_lighting
---@return hl.NDArray
function NDArray:image_adjust_lighting(...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param ... any|hl.op._image_crop
---@return hl.NDArray
function NDArray:image_crop(...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param ... any|hl.op._image_flip_left_right
---@return hl.NDArray
function NDArray:image_flip_left_right(...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.NDArray
function NDArray:image_flip_top_bottom(...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param ... any|hl.op._image_normalize
---@return hl.NDArray
function NDArray:image_normalize(...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_brightness
---@return hl.NDArray
function NDArray:image_random_brightness(...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param ... any|hl.op._image_random_color_jitter
---@return hl.NDArray
function NDArray:image_random_color_jitter(...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_contrast
---@return hl.NDArray
function NDArray:image_random_contrast(...) end

---flip_left_right, or nothing, with a probability of one half
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.NDArray
function NDArray:image_random_flip_left_right(...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.NDArray
function NDArray:image_random_flip_top_bottom(...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param ... any|hl.op._image_random_hue
---@return hl.NDArray
function NDArray:image_random_hue(...) end

---adjust_lighting by three normal numbers of mean 0
---@param ... any|hl.op._image_random_lighting
---@return hl.NDArray
function NDArray:image_random_lighting(...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_saturation
---@return hl.NDArray
function NDArray:image_random_saturation(...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param ... any|hl.op._image_resize
---@return hl.NDArray
function NDArray:image_resize(...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param ... any|hl.op._image_to_tensor
---@return hl.NDArray
function NDArray:image_to_tensor(...) end

---data[key], in NumPy's meaning: begin:end:step, single places, None, ..., and index arrays. What is one piece of memory shares it with data
---@param i0? hl.NDArray|number|hl.op._index
---@param i1? hl.NDArray|number|hl.op._index
---@param i2? hl.NDArray|number|hl.op._index
---@param i3? hl.NDArray|number|hl.op._index
---@param i4? hl.NDArray|number|hl.op._index
---@param i5? hl.NDArray|number|hl.op._index
---@param i6? hl.NDArray|number|hl.op._index
---@param i7? hl.NDArray|number|hl.op._index
---@param ... any|hl.op._index
---@return hl.NDArray
function NDArray:index(i0, i1, i2, i3, i4, i5, i6, i7, ...) end

---data with data[key] replaced by value, which broadcasts; of elements named several times the last stays. A mask, an array of bool as the whole key, covers the first axes
---@param value? hl.NDArray|number|hl.op._index_assign
---@param i0? hl.NDArray|number|hl.op._index_assign
---@param i1? hl.NDArray|number|hl.op._index_assign
---@param i2? hl.NDArray|number|hl.op._index_assign
---@param i3? hl.NDArray|number|hl.op._index_assign
---@param i4? hl.NDArray|number|hl.op._index_assign
---@param i5? hl.NDArray|number|hl.op._index_assign
---@param i6? hl.NDArray|number|hl.op._index_assign
---@param i7? hl.NDArray|number|hl.op._index_assign
---@param ... any|hl.op._index_assign
---@return hl.NDArray
function NDArray:index_assign(value, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

NDArray.instance_norm = NDArray.InstanceNorm
NDArray.invert = NDArray.bitwise_not
---Is an element a number, neither infinite nor NaN? The result is bool
---@param ... any|hl.op.isfinite
---@return hl.NDArray
function NDArray:isfinite(...) end

---Which elements are among others; bool. A NaN is equal to nothing
---@param test_elements? hl.NDArray|number|hl.op._isin
---@param ... any|hl.op._isin
---@return hl.NDArray
function NDArray:isin(test_elements, ...) end

---Is an element infinite, of either sign? The result is bool
---@param ... any|hl.op.isinf
---@return hl.NDArray
function NDArray:isinf(...) end

---Is an element NaN? The result is bool
---@param ... any|hl.op.isnan
---@return hl.NDArray
function NDArray:isnan(...) end

---Is an element minus infinity? The result is bool
---@param ... any|hl.op.isneginf
---@return hl.NDArray
function NDArray:isneginf(...) end

---Is an element plus infinity? The result is bool
---@param ... any|hl.op.isposinf
---@return hl.NDArray
function NDArray:isposinf(...) end

---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param ... any|hl.op.khatri_rao
---@return hl.NDArray
function NDArray:khatri_rao(...) end

NDArray.l2_normalization = NDArray.L2Normalization
NDArray.l2normalization = NDArray.L2Normalization
---LAMB, phase 1: the step mean / (sqrt(var) + epsilon) + wd weight (Y. You et al., 2019)
---@param grad? hl.NDArray|number|hl.op.lamb_update_phase1
---@param mean? hl.NDArray|number|hl.op.lamb_update_phase1
---@param var? hl.NDArray|number|hl.op.lamb_update_phase1
---@param ... any|hl.op.lamb_update_phase1
---@return hl.NDArray
function NDArray:lamb_update_phase1(grad, mean, var, ...) end

---LAMB, phase 2: weight - lr (r1 / r2) g, r1 being the weight's norm and r2 that of g, the step of phase 1; without the ratio where either is 0
---@param g? hl.NDArray|number|hl.op.lamb_update_phase2
---@param r1? hl.NDArray|number|hl.op.lamb_update_phase2
---@param r2? hl.NDArray|number|hl.op.lamb_update_phase2
---@param ... any|hl.op.lamb_update_phase2
---@return hl.NDArray
function NDArray:lamb_update_phase2(g, r1, r2, ...) end

NDArray.layer_norm = NDArray.LayerNorm
NDArray.leaky_re_lu = NDArray.LeakyReLU
NDArray.leaky_relu = NDArray.LeakyReLU
---a shifted by b: integers with their bits b places to the left; 0 where b is negative or not below the number of bits
---@param rhs? hl.NDArray|number|hl.op.left_shift
---@param ... any|hl.op.left_shift
---@return hl.NDArray
function NDArray:left_shift(rhs, ...) end

---left_shift of x by scalar
---@param ... any|hl.op._left_shift_scalar
---@return hl.NDArray
function NDArray:left_shift_scalar(...) end

NDArray.lesser = NDArray.broadcast_lesser
NDArray.lesser_equal = NDArray.broadcast_lesser_equal
---1 where x <= scalar, else 0
---@param ... any|hl.op._lesser_equal_scalar
---@return hl.NDArray
function NDArray:lesser_equal_scalar(...) end

---1 where x < scalar, else 0
---@param ... any|hl.op._lesser_scalar
---@return hl.NDArray
function NDArray:lesser_scalar(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param ... any|hl.op._linalg_cholesky
---@return hl.NDArray
function NDArray:linalg_cholesky(...) end

---The determinant. The gradient of a singular matrix is 0
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function NDArray:linalg_det(...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param ... any|hl.op._linalg_eigh
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_eigh(...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.NDArray
function NDArray:linalg_eigvalsh(...) end

---The diagonals of square matrices
---@param ... any|hl.op._linalg_extractdiag
---@return hl.NDArray
function NDArray:linalg_extractdiag(...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_extracttrian
---@return hl.NDArray
function NDArray:linalg_extracttrian(...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param ... any|hl.op._linalg_gelqf
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_gelqf(...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param B? hl.NDArray|number|hl.op._linalg_gemm
---@param C? hl.NDArray|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.NDArray
function NDArray:linalg_gemm(B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param B? hl.NDArray|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.NDArray
function NDArray:linalg_gemm2(B, ...) end

---The inverse; linalg.inv is another name of it
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function NDArray:linalg_inverse(...) end

---What linalg.lstsq calls: x with the least |A x - b|, and of those the shortest; sums of squared residuals, where A has more rows than columns; the rank of A. Gradients of x alone, where the rank does not change
---@param b? hl.NDArray|number|hl.op._linalg_lstsq
---@param ... any|hl.op._linalg_lstsq
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_lstsq(b, ...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param ... any|hl.op._linalg_makediag
---@return hl.NDArray
function NDArray:linalg_makediag(...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_maketrian
---@return hl.NDArray
function NDArray:linalg_maketrian(...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.NDArray
function NDArray:linalg_matrix_rank(...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param ... any|hl.op._linalg_pinv
---@return hl.NDArray
function NDArray:linalg_pinv(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function NDArray:linalg_potrf(...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function NDArray:linalg_potri(...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param ... any|hl.op._linalg_qr
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_qr(...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_slogdet(...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param b? hl.NDArray|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.NDArray
function NDArray:linalg_solve(b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function NDArray:linalg_sumlogdiag(...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param ... any|hl.op._linalg_svd
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_svd(...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param ... any|hl.op._linalg_syevd
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_syevd(...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param ... any|hl.op._linalg_syrk
---@return hl.NDArray
function NDArray:linalg_syrk(...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param B? hl.NDArray|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.NDArray
function NDArray:linalg_trmm(B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param B? hl.NDArray|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.NDArray
function NDArray:linalg_trsm(B, ...) end

NDArray.linear_regression_output = NDArray.LinearRegressionOutput
---The natural logarithm
---@param ... any|hl.op.log
---@return hl.NDArray
function NDArray:log(...) end

---The logarithm to base 10
---@param ... any|hl.op.log10
---@return hl.NDArray
function NDArray:log10(...) end

---log(1 + x), exact near 0
---@param ... any|hl.op.log1p
---@return hl.NDArray
function NDArray:log1p(...) end

---The logarithm to base 2
---@param ... any|hl.op.log2
---@return hl.NDArray
function NDArray:log2(...) end

---log(1 / (1 + e^-x)), also far from 0
---@param ... any|hl.op.log_sigmoid
---@return hl.NDArray
function NDArray:log_sigmoid(...) end

---The logarithm of softmax, without its rounding: x - log of the sum of e^x
---@param ... any|hl.op.log_softmax
---@return hl.NDArray
function NDArray:log_softmax(...) end

---log(e^a + e^b), without overflow
---@param rhs? hl.NDArray|number|hl.op.logaddexp
---@param ... any|hl.op.logaddexp
---@return hl.NDArray
function NDArray:logaddexp(rhs, ...) end

NDArray.logical_and = NDArray.broadcast_logical_and
---1 where x and scalar are not 0, else 0
---@param ... any|hl.op._logical_and_scalar
---@return hl.NDArray
function NDArray:logical_and_scalar(...) end

---1 where x is 0, else 0, in x's dtype
---@param ... any|hl.op.logical_not
---@return hl.NDArray
function NDArray:logical_not(...) end

NDArray.logical_or = NDArray.broadcast_logical_or
---1 where x or scalar is not 0, else 0
---@param ... any|hl.op._logical_or_scalar
---@return hl.NDArray
function NDArray:logical_or_scalar(...) end

NDArray.logical_xor = NDArray.broadcast_logical_xor
---1 where exactly one of x and scalar is not 0, else 0
---@param ... any|hl.op._logical_xor_scalar
---@return hl.NDArray
function NDArray:logical_xor_scalar(...) end

NDArray.logistic_regression_output = NDArray.LogisticRegressionOutput
NDArray.lrn = NDArray.LRN
NDArray.mae_regression_output = NDArray.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param ... any|hl.op.make_loss
---@return hl.NDArray
function NDArray:make_loss(...) end

---The product of matrices, the last two axes; the axes before them broadcast, as in NumPy. A vector is a row on the left and a column on the right; two vectors give shape (1,). Integers too
---@param b? hl.NDArray|number|hl.op.matmul
---@param ... any|hl.op.matmul
---@return hl.NDArray
function NDArray:matmul(b, ...) end

---The greatest element over axes; NaN wins. Equals each get the whole gradient
---@param ... any|hl.op.max
---@return hl.NDArray
function NDArray:max(...) end

NDArray.max_axis = NDArray.max
NDArray.maximum = NDArray.broadcast_maximum
---The larger of x and scalar; NaN wins
---@param ... any|hl.op._maximum_scalar
---@return hl.NDArray
function NDArray:maximum_scalar(...) end

---The mean over axes; of integers and truth values a float32
---@param ... any|hl.op.mean
---@return hl.NDArray
function NDArray:mean(...) end

---The least element over axes; NaN wins. Equals each get the whole gradient
---@param ... any|hl.op.min
---@return hl.NDArray
function NDArray:min(...) end

NDArray.min_axis = NDArray.min
NDArray.minimum = NDArray.broadcast_minimum
---The smaller of x and scalar; NaN wins
---@param ... any|hl.op._minimum_scalar
---@return hl.NDArray
function NDArray:minimum_scalar(...) end

NDArray.minus = NDArray.elemwise_sub
---x - scalar
---@param ... any|hl.op._minus_scalar
---@return hl.NDArray
function NDArray:minus_scalar(...) end

---x tanh(log(1 + e^x)) (D. Misra, 2019)
---@param ... any|hl.op.mish
---@return hl.NDArray
function NDArray:mish(...) end

NDArray.mod = NDArray.broadcast_mod
---x modulo scalar, with the sign of scalar
---@param ... any|hl.op._mod_scalar
---@return hl.NDArray
function NDArray:mod_scalar(...) end

NDArray.modulo = NDArray.broadcast_mod
---The mean over axes and the mean of the squared distances from it: a table of two
---@param ... any|hl.op.moments
---@return hl.NDArray|hl.NDArray[]
function NDArray:moments(...) end

NDArray.mul = NDArray.broadcast_mul
---x * scalar
---@param ... any|hl.op._mul_scalar
---@return hl.NDArray
function NDArray:mul_scalar(...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.multi_all_finite
---@return hl.NDArray
function NDArray:multi_all_finite(...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param weights_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param grads_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param wds? hl.NDArray|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.NDArray
function NDArray:multi_lars(weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.NDArray[]
function NDArray:multi_sgd_mom_update(...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param ... any|hl.op.multi_sgd_update
---@return hl.NDArray[]
function NDArray:multi_sgd_update(...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param ... any|hl.op.multi_sum_sq
---@return hl.NDArray
function NDArray:multi_sum_sq(...) end

NDArray.multiply = NDArray.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param grad? hl.NDArray|number|hl.op.nag_mom_update
---@param mom? hl.NDArray|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.NDArray
function NDArray:nag_mom_update(grad, mom, ...) end

---Finite numbers for those that are not: 0 for NaN and the greatest of the dtype for infinities, or what is given
---@param ... any|hl.op.nan_to_num
---@return hl.NDArray
function NDArray:nan_to_num(...) end

---The product over axes, NaN counting as 1
---@param ... any|hl.op.nanprod
---@return hl.NDArray
function NDArray:nanprod(...) end

---The sum over axes, NaN counting as 0
---@param ... any|hl.op.nansum
---@return hl.NDArray
function NDArray:nansum(...) end

----x
---@param ... any|hl.op.negative
---@return hl.NDArray
function NDArray:negative(...) end

---The 1- or 2-norm over axes; where squares would under- or overflow they are scaled (J. Blue, 1978)
---@param ... any|hl.op.norm
---@return hl.NDArray
function NDArray:norm(...) end

NDArray.not_equal = NDArray.broadcast_not_equal
---1 where x differs from scalar, else 0
---@param ... any|hl.op._not_equal_scalar
---@return hl.NDArray
function NDArray:not_equal_scalar(...) end

NDArray.np_all = NDArray.all
NDArray.np_any = NDArray.any
NDArray.np_cumsum = NDArray.cumsum
---The elements moved along axes; those that leave at the end come in at the beginning. Without an axis, all as one line
---@param ... any|hl.op.roll
---@return hl.NDArray
function NDArray:np_roll(...) end

NDArray.npi_bitwise_and = NDArray.bitwise_and
---Of integers, the bits that both have, x and scalar; of bool and floats, 1 where both are not 0, else 0
---@param ... any|hl.op._npi_bitwise_and_scalar
---@return hl.NDArray
function NDArray:npi_bitwise_and_scalar(...) end

NDArray.npi_bitwise_not = NDArray.bitwise_not
NDArray.npi_bitwise_or = NDArray.bitwise_or
---Of integers, the bits that one of them has, x and scalar; of bool and floats, 1 where one is not 0, else 0
---@param ... any|hl.op._npi_bitwise_or_scalar
---@return hl.NDArray
function NDArray:npi_bitwise_or_scalar(...) end

NDArray.npi_bitwise_xor = NDArray.bitwise_xor
---Of integers, the bits that exactly one has, x and scalar; of bool and floats, 1 where exactly one is not 0, else 0
---@param ... any|hl.op._npi_bitwise_xor_scalar
---@return hl.NDArray
function NDArray:npi_bitwise_xor_scalar(...) end

NDArray.npi_cholesky = NDArray.linalg_cholesky
NDArray.npi_eigh = NDArray.linalg_eigh
NDArray.npi_eigvalsh = NDArray.linalg_eigvalsh
NDArray.npi_full_like = NDArray.full_like
NDArray.npi_inv = NDArray.linalg_inverse
NDArray.npi_isfinite = NDArray.isfinite
NDArray.npi_isinf = NDArray.isinf
NDArray.npi_isnan = NDArray.isnan
NDArray.npi_isneginf = NDArray.isneginf
NDArray.npi_isposinf = NDArray.isposinf
NDArray.npi_matmul = NDArray.matmul
NDArray.npi_qr = NDArray.linalg_qr
NDArray.npi_solve = NDArray.linalg_solve
---The standard deviation over axes: the square root of var. Where it is 0 its gradient is 0
---@param ... any|hl.op.std
---@return hl.NDArray
function NDArray:npi_std(...) end

---Matrices, the last two axes, with zeros above diagonal k. A vector stands for a matrix of such rows
---@param ... any|hl.op.tril
---@return hl.NDArray
function NDArray:npi_tril(...) end

---Matrices, the last two axes, with zeros below diagonal k. A vector stands for a matrix of such rows
---@param ... any|hl.op.triu
---@return hl.NDArray
function NDArray:npi_triu(...) end

---The variance over axes: the sum of the squared distances from the mean, divided by their number less ddof. 0 where all are equal; NaN of no elements
---@param ... any|hl.op.var
---@return hl.NDArray
function NDArray:npi_var(...) end

---x where the condition is not 0, y elsewhere; all three broadcast
---@param x? hl.NDArray|number|hl.op._npi_where
---@param y? hl.NDArray|number|hl.op._npi_where
---@param ... any|hl.op._npi_where
---@return hl.NDArray
function NDArray:npi_where(x, y, ...) end

---on_value at the place that each index names along a new last axis, off_value elsewhere
---@param ... any|hl.op.one_hot
---@return hl.NDArray
function NDArray:one_hot(...) end

---Ones of data's shape and dtype
---@param ... any|hl.op.ones_like
---@return hl.NDArray
function NDArray:ones_like(...) end

NDArray.pad = NDArray.Pad
NDArray.pick = NDArray.choose_element_0index
NDArray.plus = NDArray.elemwise_add
---x + scalar
---@param ... any|hl.op._plus_scalar
---@return hl.NDArray
function NDArray:plus_scalar(...) end

NDArray.pooling = NDArray.Pooling
NDArray.pow = NDArray.broadcast_power
NDArray.power = NDArray.broadcast_power
---x to the power of scalar
---@param ... any|hl.op._power_scalar
---@return hl.NDArray
function NDArray:power_scalar(...) end

---The input, printed on standard output whenever it is computed: eagerly, compiled, and in each iteration of a loop, in the script's order
---@param ... any|hl.op.print
---@return hl.NDArray
function NDArray:print(...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param ... any|hl.op.prod
---@return hl.NDArray
function NDArray:prod(...) end

---Quantiles along axes, a number or several, which become the first axis. A NaN makes its line's NaN (R. Hyndman, Y. Fan, "Sample quantiles in statistical packages", 1996)
---@param ... any|hl.op._quantile
---@return hl.NDArray
function NDArray:quantile(...) end

---scalar / x
---@param ... any|hl.op._rdiv_scalar
---@return hl.NDArray
function NDArray:r_div_scalar(...) end

---scalar - x
---@param ... any|hl.op._rminus_scalar
---@return hl.NDArray
function NDArray:r_minus_scalar(...) end

---scalar modulo x, with the sign of x
---@param ... any|hl.op._rmod_scalar
---@return hl.NDArray
function NDArray:r_mod_scalar(...) end

---scalar to the power of x
---@param ... any|hl.op._rpower_scalar
---@return hl.NDArray
function NDArray:r_power_scalar(...) end

---Degrees to radians
---@param ... any|hl.op.radians
---@return hl.NDArray
function NDArray:radians(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param ... any|hl.op._random_exponential_like
---@return hl.NDArray
function NDArray:random_exponential_like(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param ... any|hl.op._random_gamma_like
---@return hl.NDArray
function NDArray:random_gamma_like(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.NDArray
function NDArray:random_generalized_negative_binomial_like(...) end

---How many failures come before k successes, with data's shape and dtype
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.NDArray
function NDArray:random_negative_binomial_like(...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param ... any|hl.op._random_normal_like
---@return hl.NDArray
function NDArray:random_normal_like(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param ... any|hl.op._random_poisson_like
---@return hl.NDArray
function NDArray:random_poisson_like(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param ... any|hl.op._random_uniform_like
---@return hl.NDArray
function NDArray:random_uniform_like(...) end

---Index tuples, one a column, as positions in an array of a shape
---@param ... any|hl.op._ravel_multi_index
---@return hl.NDArray
function NDArray:ravel_multi_index(...) end

---1 / cbrt(x)
---@param ... any|hl.op.rcbrt
---@return hl.NDArray
function NDArray:rcbrt(...) end

NDArray.rdiv_scalar = NDArray.r_div_scalar
---1 / x
---@param ... any|hl.op.reciprocal
---@return hl.NDArray
function NDArray:reciprocal(...) end

---max(x, 0); NaN stays
---@param ... any|hl.op.relu
---@return hl.NDArray
function NDArray:relu(...) end

---Each element along an axis repeated; without an axis, each of the flattened array
---@param ... any|hl.op.repeat
---@return hl.NDArray
function NDArray:repeat_(...) end

NDArray.reshape = NDArray.Reshape
---lhs in the shape of rhs, or some axes of lhs replaced by some axes of rhs
---@param rhs? hl.NDArray|number|hl.op.reshape_like
---@param ... any|hl.op.reshape_like
---@return hl.NDArray
function NDArray:reshape_like(rhs, ...) end

NDArray.reverse = NDArray.flip
---scalar / x rounded down, Lua's scalar // x
---@param ... any|hl.op._rfloor_divide_scalar
---@return hl.NDArray
function NDArray:rfloor_divide_scalar(...) end

---a shifted by b: integers with their bits b places to the right, as NumPy's: negative ones stay negative. A shift by a negative b, or by all bits, gives 0, or -1 for a negative number
---@param rhs? hl.NDArray|number|hl.op.right_shift
---@param ... any|hl.op.right_shift
---@return hl.NDArray
function NDArray:right_shift(rhs, ...) end

---right_shift of x by scalar
---@param ... any|hl.op._right_shift_scalar
---@return hl.NDArray
function NDArray:right_shift_scalar(...) end

---To the nearest integer, ties to the lower one
---@param ... any|hl.op.rint
---@return hl.NDArray
function NDArray:rint(...) end

---left_shift of scalar by x
---@param ... any|hl.op._rleft_shift_scalar
---@return hl.NDArray
function NDArray:rleft_shift_scalar(...) end

NDArray.rminus_scalar = NDArray.r_minus_scalar
NDArray.rmod_scalar = NDArray.r_mod_scalar
NDArray.rms_norm = NDArray.RMSNorm
---d = grad + wd weight; n the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) (T. Tieleman, G. Hinton, 2012)
---@param grad? hl.NDArray|number|hl.op.rmsprop_update
---@param n? hl.NDArray|number|hl.op.rmsprop_update
---@param ... any|hl.op.rmsprop_update
---@return hl.NDArray
function NDArray:rmsprop_update(grad, n, ...) end

---n and g the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - g^2 + epsilon); weight + delta (A. Graves, 2013)
---@param grad? hl.NDArray|number|hl.op.rmspropalex_update
---@param n? hl.NDArray|number|hl.op.rmspropalex_update
---@param g? hl.NDArray|number|hl.op.rmspropalex_update
---@param delta? hl.NDArray|number|hl.op.rmspropalex_update
---@param ... any|hl.op.rmspropalex_update
---@return hl.NDArray
function NDArray:rmspropalex_update(grad, n, g, delta, ...) end

NDArray.rnn = NDArray.RNN
---Concat, as graphs with fused recurrent layers hold it
---@param ... any|hl.op._rnn_param_concat
---@return hl.NDArray
function NDArray:rnn_param_concat(...) end

NDArray.roi_pooling = NDArray.ROIPooling
NDArray.roll = NDArray.np_roll
---To the nearest integer, ties away from 0
---@param ... any|hl.op.round
---@return hl.NDArray
function NDArray:round(...) end

NDArray.rpower_scalar = NDArray.r_power_scalar
---right_shift of scalar by x
---@param ... any|hl.op._rright_shift_scalar
---@return hl.NDArray
function NDArray:rright_shift_scalar(...) end

---1 / sqrt(x)
---@param ... any|hl.op.rsqrt
---@return hl.NDArray
function NDArray:rsqrt(...) end

---Which elements differ from the one before them; bool. A NaN equals a NaN
---@param ... any|hl.op._run_starts
---@return hl.NDArray
function NDArray:run_starts(...) end

---Exponentially distributed numbers of mean 1 / lam, for each element of the parameters
---@param ... any|hl.op._sample_exponential
---@return hl.NDArray
function NDArray:sample_exponential(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), for each element of the parameters
---@param beta? hl.NDArray|number|hl.op._sample_gamma
---@param ... any|hl.op._sample_gamma
---@return hl.NDArray
function NDArray:sample_gamma(beta, ...) end

---Negative binomial counts by their mean and dispersion, for each element of the parameters
---@param alpha? hl.NDArray|number|hl.op._sample_generalized_negative_binomial
---@param ... any|hl.op._sample_generalized_negative_binomial
---@return hl.NDArray
function NDArray:sample_generalized_negative_binomial(alpha, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param ... any|hl.op._sample_multinomial
---@return hl.NDArray|hl.NDArray[]
function NDArray:sample_multinomial(...) end

---How many failures come before k successes, for each element of the parameters
---@param p? hl.NDArray|number|hl.op._sample_negative_binomial
---@param ... any|hl.op._sample_negative_binomial
---@return hl.NDArray
function NDArray:sample_negative_binomial(p, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), for each element of the parameters
---@param sigma? hl.NDArray|number|hl.op._sample_normal
---@param ... any|hl.op._sample_normal
---@return hl.NDArray
function NDArray:sample_normal(sigma, ...) end

---Poisson distributed counts (W. Hoermann, 1993), for each element of the parameters
---@param ... any|hl.op._sample_poisson
---@return hl.NDArray
function NDArray:sample_poisson(...) end

---Numbers spread evenly over [low, high), for each element of the parameters
---@param high? hl.NDArray|number|hl.op._sample_uniform
---@param ... any|hl.op._sample_uniform
---@return hl.NDArray
function NDArray:sample_uniform(high, ...) end

---Zeros of a shape, with the elements or slices that the columns of indices name set; the last one of equals stays
---@param indices? hl.NDArray|number|hl.op.scatter_nd
---@param ... any|hl.op.scatter_nd
---@return hl.NDArray
function NDArray:scatter_nd(indices, ...) end

---Where values would go among the elements of a, which rise, to keep their order: before those equal to them, or after. int64. A NaN is greater than all numbers
---@param v? hl.NDArray|number|hl.op._searchsorted
---@param ... any|hl.op._searchsorted
---@return hl.NDArray
function NDArray:searchsorted(v, ...) end

NDArray.sequence_last = NDArray.SequenceLast
NDArray.sequence_mask = NDArray.SequenceMask
NDArray.sequence_reverse = NDArray.SequenceReverse
---mom = momentum mom - lr (grad + wd weight); weight + mom
---@param grad? hl.NDArray|number|hl.op.sgd_mom_update
---@param mom? hl.NDArray|number|hl.op.sgd_mom_update
---@param ... any|hl.op.sgd_mom_update
---@return hl.NDArray
function NDArray:sgd_mom_update(grad, mom, ...) end

---weight - lr (grad + wd weight)
---@param grad? hl.NDArray|number|hl.op.sgd_update
---@param ... any|hl.op.sgd_update
---@return hl.NDArray
function NDArray:sgd_update(grad, ...) end

---The shape as an array of int64
---@param ... any|hl.op.shape_array
---@return hl.NDArray
function NDArray:shape_array(...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param ... any|hl.op._shuffle
---@return hl.NDArray
function NDArray:shuffle(...) end

---1 / (1 + e^-x)
---@param ... any|hl.op.sigmoid
---@return hl.NDArray
function NDArray:sigmoid(...) end

----1, 0 or 1; NaN stays
---@param ... any|hl.op.sign
---@return hl.NDArray
function NDArray:sign(...) end

---(1 - lr wd) weight - lr sign(grad)
---@param grad? hl.NDArray|number|hl.op.signsgd_update
---@param ... any|hl.op.signsgd_update
---@return hl.NDArray
function NDArray:signsgd_update(grad, ...) end

---mom = momentum mom - (1 - momentum) (grad + wd weight); (1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)
---@param grad? hl.NDArray|number|hl.op.signum_update
---@param mom? hl.NDArray|number|hl.op.signum_update
---@param ... any|hl.op.signum_update
---@return hl.NDArray
function NDArray:signum_update(grad, mom, ...) end

---x sigmoid(x), also called swish (S. Elfwing et al., 2017)
---@param ... any|hl.op.silu
---@return hl.NDArray
function NDArray:silu(...) end

---The sine; x in radians
---@param ... any|hl.op.sin
---@return hl.NDArray
function NDArray:sin(...) end

---The hyperbolic sine
---@param ... any|hl.op.sinh
---@return hl.NDArray
function NDArray:sinh(...) end

---The number of elements as an array of one int64
---@param ... any|hl.op.size_array
---@return hl.NDArray
function NDArray:size_array(...) end

NDArray.slice = NDArray.crop
NDArray.slice_assign = NDArray.crop_assign
NDArray.slice_assign_scalar = NDArray.crop_assign_scalar
---begin:end of one axis; an error outside the axis
---@param ... any|hl.op.slice_axis
---@return hl.NDArray
function NDArray:slice_axis(...) end

NDArray.slice_channel = NDArray.SliceChannel
---data from the beginning of each axis up to the dimension of shape_like
---@param shape_like? hl.NDArray|number|hl.op.slice_like
---@param ... any|hl.op.slice_like
---@return hl.NDArray
function NDArray:slice_like(shape_like, ...) end

---0.5 (s x)^2 where |x| < 1 / s^2, |x| - 0.5 / s^2 elsewhere (s the scalar)
---@param ... any|hl.op.smooth_l1
---@return hl.NDArray
function NDArray:smooth_l1(...) end

---e^x / sum of e^x along an axis
---@param length? hl.NDArray|number|hl.op.softmax
---@param ... any|hl.op.softmax
---@return hl.NDArray
function NDArray:softmax(length, ...) end

NDArray.softmax_activation = NDArray.SoftmaxActivation
---The sum over rows of -log softmax(data)[label]; shape (1,)
---@param label? hl.NDArray|number|hl.op.softmax_cross_entropy
---@param ... any|hl.op.softmax_cross_entropy
---@return hl.NDArray
function NDArray:softmax_cross_entropy(label, ...) end

NDArray.softmax_output = NDArray.Softmax
---softmax of -x
---@param ... any|hl.op.softmin
---@return hl.NDArray
function NDArray:softmin(...) end

---log(1 + e^x)
---@param ... any|hl.op._softrelu
---@return hl.NDArray
function NDArray:softrelu(...) end

---x / (1 + |x|)
---@param ... any|hl.op.softsign
---@return hl.NDArray
function NDArray:softsign(...) end

---The elements along an axis in order. NaNs come last, upwards and downwards
---@param ... any|hl.op.sort
---@return hl.NDArray
function NDArray:sort(...) end

---Square blocks of height and width rearranged into channels
---@param ... any|hl.op.space_to_depth
---@return hl.NDArray
function NDArray:space_to_depth(...) end

NDArray.sparse_adagrad_update = NDArray.adagrad_update
NDArray.spatial_transformer = NDArray.SpatialTransformer
NDArray.split = NDArray.SliceChannel
---Parts of an axis that begin at given places, or a number of parts as equal as can be
---@param ... any|hl.op._split_v2
---@return hl.NDArray[]
function NDArray:split_v2(...) end

---The square root
---@param ... any|hl.op.sqrt
---@return hl.NDArray
function NDArray:sqrt(...) end

---x^2
---@param ... any|hl.op.square
---@return hl.NDArray
function NDArray:square(...) end

---Without the axes of dimension 1; an array of one element keeps shape (1,)
---@param ... any|hl.op.squeeze
---@return hl.NDArray
function NDArray:squeeze(...) end

---Arrays of one shape joined along a new axis
---@param ... any|hl.op.stack
---@return hl.NDArray
function NDArray:stack(...) end

NDArray.std = NDArray.npi_std
NDArray.stop_gradient = NDArray.BlockGrad
NDArray.sub = NDArray.broadcast_minus
NDArray.subtract = NDArray.broadcast_minus
---The sum over axes. Of bools, how many are true, as int64
---@param ... any|hl.op.sum
---@return hl.NDArray
function NDArray:sum(...) end

NDArray.sum_axis = NDArray.sum
NDArray.svm_output = NDArray.SVMOutput
NDArray.swap_axis = NDArray.SwapAxis
NDArray.swapaxes = NDArray.SwapAxis
---The slices of a along an axis that the indices name, whose axes replace it
---@param indices? hl.NDArray|number|hl.op.take
---@param ... any|hl.op.take
---@return hl.NDArray
function NDArray:take(indices, ...) end

---The elements at places along an axis, for each line its own: what argsort and argmax point at. Negative places count from the end
---@param indices? hl.NDArray|number|hl.op.take_along_axis
---@param ... any|hl.op.take_along_axis
---@return hl.NDArray
function NDArray:take_along_axis(indices, ...) end

---The tangent; x in radians
---@param ... any|hl.op.tan
---@return hl.NDArray
function NDArray:tan(...) end

---The hyperbolic tangent
---@param ... any|hl.op.tanh
---@return hl.NDArray
function NDArray:tanh(...) end

---The whole array repeated along its axes, new leading axes where reps has more
---@param ... any|hl.op.tile
---@return hl.NDArray
function NDArray:tile(...) end

---The k greatest elements along an axis, greatest first: their places, their values, both, or a mask of data's shape with 1 at their places. Of equal elements the first comes first; NaNs come last
---@param ... any|hl.op.topk
---@return hl.NDArray|hl.NDArray[]
function NDArray:topk(...) end

---The axes in another order, reversed by default
---@param ... any|hl.op.transpose
---@return hl.NDArray
function NDArray:transpose(...) end

---The derivative of digamma
---@param ... any|hl.op.trigamma
---@return hl.NDArray
function NDArray:trigamma(...) end

NDArray.tril = NDArray.npi_tril
NDArray.triu = NDArray.npi_triu
NDArray.true_divide = NDArray.broadcast_div
---x without its fraction
---@param ... any|hl.op.trunc
---@return hl.NDArray
function NDArray:trunc(...) end

---Positions in an array of a shape as index tuples, one a column
---@param ... any|hl.op._unravel_index
---@return hl.NDArray
function NDArray:unravel_index(...) end

NDArray.up_sampling = NDArray.UpSampling
NDArray.var = NDArray.npi_var
---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows. x and y may be numbers
---@param x? hl.NDArray|number|hl.op.where
---@param y? hl.NDArray|number|hl.op.where
---@param ... any|hl.op.where
---@return hl.NDArray
function NDArray:where(x, y, ...) end

---Zeros of data's shape and dtype
---@param ... any|hl.op.zeros_like
---@return hl.NDArray
function NDArray:zeros_like(...) end


---@class hl.Symbol
---@field shape integer[] The dimensions.
---@field ndim integer The number of dimensions.
---@field size integer The number of elements.
---@field dtype hl.DType
---@field T hl.Symbol The axes reversed.
---@field name string
---@field context hl.ContextValue Of the call that is traced.
---@field [any] any
---@operator add(hl.Symbol|number): hl.Symbol
---@operator sub(hl.Symbol|number): hl.Symbol
---@operator mul(hl.Symbol|number): hl.Symbol
---@operator div(hl.Symbol|number): hl.Symbol
---@operator mod(hl.Symbol|number): hl.Symbol
---@operator pow(hl.Symbol|number): hl.Symbol
---@operator unm: hl.Symbol
local Symbol = {}

---@class Symbol.allclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Are all elements of two arrays close, as isclose says? One bool, of shape (1,): an array, in a graph too, so write
---`if a:almost_equal(b) then` where Lua asks. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---MXNet's operator, which takes NaN as equal, is nd.contrib.allclose.
---@overload fun(self: Symbol, a?: any|Symbol.allclose.options, b?: any|Symbol.allclose.options, rtol?: number|Symbol.allclose.options, atol?: number|Symbol.allclose.options, equal_nan?: boolean|Symbol.allclose.options): any
---@return any
function Symbol:allclose(...) end

---@return any
function Symbol:almost_equal(...) end

---@class Symbol.argpartition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The places, int64, of the elements as partition gives them.
---@overload fun(self: Symbol, a?: any|Symbol.argpartition.options, kth?: any|Symbol.argpartition.options, axis?: integer|Symbol.argpartition.options): any
---@return any
function Symbol:argpartition(...) end

---The Symbol itself. In a trace the context must be that of the call.
---@param ctx? any
---@return hl.Symbol
function Symbol:as_in_context(ctx) end

---The Symbol itself. In a trace the context must be that of the call.
---@param ctx? any
---@return hl.Symbol
function Symbol:as_in_ctx(ctx) end

---@return any
function Symbol:asnumpy(...) end

---@return any
function Symbol:asscalar(...) end

---A 0-d array as a vector of one; others as they are. Several arrays give a table.
---@return any
function Symbol:atleast_1d(...) end

---A vector as a matrix of one row; what has two dimensions or more as it is. Several arrays give a table.
---@return any
function Symbol:atleast_2d(...) end

---A vector of n as (1, n, 1), a matrix (m, n) as (m, n, 1), others as they are. Several arrays give a table.
---@return any
function Symbol:atleast_3d(...) end

---An attribute of the node.
---@param key? any
---@return string?
function Symbol:attr(key) end

---The attributes of all nodes, by their names.
---@return table<string, table<string, string>>
function Symbol:attr_dict() end

---@class Symbol.average.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field weights? any
---@field returned? boolean Default: false.
---@field keepdims? boolean Default: false.

---The mean over axes (all), each element counted by its weight: average(x, axis, weights).
---Options: axis, weights (an array of x's shape, or a vector along the axis), returned (false): a table of the average
---and the sum of the weights; keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.average.options, axis?: integer|Symbol.average.options, weights?: any|Symbol.average.options, returned?: boolean|Symbol.average.options, keepdims?: boolean|Symbol.average.options): any
---@return any
function Symbol:average(...) end

---@class Symbol.backward.options
---@field [integer] any
---@field out_grad? any
---@field retain_graph? any
---@field train_mode? any
---@field create_graph? any

---@overload fun(self: Symbol, out_grad?: any|Symbol.backward.options, retain_graph?: any|Symbol.backward.options, train_mode?: any|Symbol.backward.options, create_graph?: any|Symbol.backward.options): any
---@return any
function Symbol:backward(...) end

---@return any
function Symbol:bind(...) end

---Vectors as the columns of a matrix, beside the columns of matrices. column_stack{a, b}, or column_stack(a, b).
---@return any
function Symbol:column_stack(...) end

---@class Symbol.corrcoef.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.

---The correlations of variables: their covariances divided by their standard deviations. Options: rowvar (true), y.
---@overload fun(self: Symbol, m?: any|Symbol.corrcoef.options, y?: any|Symbol.corrcoef.options, rowvar?: boolean|Symbol.corrcoef.options): any
---@return any
function Symbol:corrcoef(...) end

---@class Symbol.cov.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.
---@field bias? boolean Default: false.
---@field ddof? any

---The covariances of variables, whose observations are the rows of m (the columns, if rowvar is false), and those of y
---if it is given. A matrix; of one variable, (1, 1).
---Options: rowvar (true), bias (false): divide by n instead of n - 1; ddof: divide by n - ddof.
---@overload fun(self: Symbol, m?: any|Symbol.cov.options, y?: any|Symbol.cov.options, rowvar?: boolean|Symbol.cov.options, bias?: boolean|Symbol.cov.options, ddof?: any|Symbol.cov.options): any
---@return any
function Symbol:cov(...) end

---@class Symbol.cross.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axisa? number Default: -1.
---@field axisb? number Default: -1.
---@field axisc? number Default: -1.
---@field axis? integer

---The vector product of vectors with 2 or 3 components, which are along the last axis; the other axes broadcast. Of
---two with 2 components, the third of the product alone.
---Options: axisa, axisb, axisc (-1): the axis of the components in a, in b, in the result; axis: all three.
---@overload fun(self: Symbol, a?: any|Symbol.cross.options, b?: any|Symbol.cross.options, axisa?: number|Symbol.cross.options, axisb?: number|Symbol.cross.options, axisc?: number|Symbol.cross.options, axis?: integer|Symbol.cross.options): any
---@return any
function Symbol:cross(...) end

---The graph, a line for each node.
---@return string
function Symbol:debug_str() end

---The same value in the same memory, off the tape: as an array's.
---@return any
function Symbol:detach() end

---@class Symbol.diff.options
---@field [integer] any
---@field data? any
---@field n? number Default: 1.
---@field axis? integer Default: -1.
---@field prepend? any
---@field append? any

---The differences of neighbours, x[i + 1] - x[i], along an axis, n times over. diff(x, n, {axis = 0}).
---Options: n (1), axis (-1), prepend, append: numbers or arrays that are put before and after x first.
---@overload fun(self: Symbol, data?: any|Symbol.diff.options, n?: number|Symbol.diff.options, axis?: integer|Symbol.diff.options, prepend?: any|Symbol.diff.options, append?: any|Symbol.diff.options): any
---@return any
function Symbol:diff(...) end

---Arrays stacked along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
---@return any
function Symbol:dstack(...) end

---The outputs' values for {name = array}; each operator is run once. A context may come first: where the arrays are.
---@param arrays? any
---@return hl.NDArray[]
function Symbol:eval(arrays) end

---The places of the elements that are not 0 in the flattened array; int64.
---@return any
function Symbol:flatnonzero(...) end

---The columns (axis 1) in the opposite order.
---@return any
function Symbol:fliplr(...) end

---The rows (axis 0) in the opposite order.
---@return any
function Symbol:flipud(...) end

---@class Symbol.gelu.options
---@field [integer] any
---@field data? any
---@field approximate? string Default: 'none'.

---x Phi(x), Phi being the normal distribution's function (D. Hendrycks, K. Gimpel, 2016).
---Options: approximate: "none" (exact, by erf), "tanh" (or true): 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
---@overload fun(self: Symbol, data?: any|Symbol.gelu.options, approximate?: string|Symbol.gelu.options): any
---@return any
function Symbol:gelu(...) end

---A Symbol with the inputs of the outputs' nodes; nil for variables.
---@return hl.Symbol?
function Symbol:get_children() end

---A Symbol with every value in the graph as an output.
---@return hl.Symbol
function Symbol:get_internals() end

---Arrays side by side, along axis 1 (vectors: one after the other). hstack{a, b}, or hstack(a, b).
---@return any
function Symbol:hstack(...) end

---@class Symbol.in1d.options
---@field [integer] any
---@field ar1? any
---@field ar2? any
---@field assume_unique? any
---@field invert? boolean Default: false.

---isin of all elements, as one axis.
---@overload fun(self: Symbol, ar1?: any|Symbol.in1d.options, ar2?: any|Symbol.in1d.options, assume_unique?: any|Symbol.in1d.options, invert?: boolean|Symbol.in1d.options): any
---@return any
function Symbol:in1d(...) end

---infer_shape{x = {2, 3}}, infer_shape({2, 3}): the shapes of arguments, outputs and auxiliary states, three lists;
---nil and a warning if some stay unknown. In the given shapes 0 and -1 are unknown; they override those that variables
---were declared with.
---@return any
function Symbol:infer_shape(...) end

---infer_shape, as far as shapes follow: {} is an unknown shape, 0 an unknown dimension. Where a -1 is given, they are
---nd.NULL and -1, as MXNet's under np_shape.
---@return any
function Symbol:infer_shape_partial(...) end

---infer_type{x = "float64"}: as infer_shape, with dtypes.
---@return any
function Symbol:infer_type(...) end

---infer_type, as far as dtypes follow; false for those that do not.
---@return any
function Symbol:infer_type_partial(...) end

---@class Symbol.inner.options
---@field [integer] any
---@field a? any
---@field b? any

---The product summed over the last axis of both. Two vectors give shape (1,).
---@overload fun(self: Symbol, a?: any|Symbol.inner.options, b?: any|Symbol.inner.options): any
---@return any
function Symbol:inner(...) end

---@class Symbol.interp.options
---@field [integer] any
---@field x? any
---@field xp? any
---@field fp? any
---@field left? any
---@field right? any
---@field period? any

---The piecewise linear function through the points (xp, fp), whose xp rise, at x. Left of them it is fp's first value
---or `left`, right of them the last or `right`; with `period` it repeats, and xp need not rise. Differentiable by x, xp
---and fp.
---@overload fun(self: Symbol, x?: any|Symbol.interp.options, xp?: any|Symbol.interp.options, fp?: any|Symbol.interp.options, left?: any|Symbol.interp.options, right?: any|Symbol.interp.options, period?: any|Symbol.interp.options): any
---@return any
function Symbol:interp(...) end

---@class Symbol.isclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Where are two arrays (or an array and a number), which broadcast, close: |a - b| <= atol + rtol |b|?
---isclose(a, b, rtol, atol, {equal_nan = true}). Options: rtol (1e-5), atol (1e-8), equal_nan (false). Infinities are
---close to those of their sign. The result is bool.
---@overload fun(self: Symbol, a?: any|Symbol.isclose.options, b?: any|Symbol.isclose.options, rtol?: number|Symbol.isclose.options, atol?: number|Symbol.isclose.options, equal_nan?: boolean|Symbol.isclose.options): any
---@return any
function Symbol:isclose(...) end

---@return any
function Symbol:item(...) end

---@class Symbol.kron.options
---@field [integer] any
---@field a? any
---@field b? any

---Kronecker's product: each element of a times all of b, in blocks. Up to four dimensions; the one with fewer gets
---ones in front.
---@overload fun(self: Symbol, a?: any|Symbol.kron.options, b?: any|Symbol.kron.options): any
---@return any
function Symbol:kron(...) end

---Names of the variables that are arguments.
---@return string[]
function Symbol:list_arguments() end

---All attributes of the node.
---@return table<string, string>
function Symbol:list_attr() end

---Names of the variables that an operator writes into, such as moving averages.
---@return string[]
function Symbol:list_auxiliary_states() end

---Names of all variables.
---@return string[]
function Symbol:list_inputs() end

---Names of the outputs.
---@return string[]
function Symbol:list_outputs() end

---@class Symbol.logsumexp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---log of the sum of e^x over axes (all), without overflow: the greatest element is taken out before and put back
---after. Options: axis, keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.logsumexp.options, axis?: integer|Symbol.logsumexp.options, keepdims?: boolean|Symbol.logsumexp.options): any
---@return any
function Symbol:logsumexp(...) end

---@class Symbol.median.options
---@field [integer] any
---@field a? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The middle element, or the mean of the two in the middle. Options: axis (a number or a table; all), keepdims.
---Differentiable.
---@overload fun(self: Symbol, a?: any|Symbol.median.options, axis?: integer|Symbol.median.options, keepdims?: boolean|Symbol.median.options): any
---@return any
function Symbol:median(...) end

---@class Symbol.meshgrid.options
---@field [integer] any
---@field indexing? string Default: 'xy'.
---@field sparse? boolean Default: false.

---The coordinates of a grid's points: of n vectors a table of n arrays with n axes, array i holding along its own axis
---the values of vector i. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are swapped, so that x
---runs along the rows of a picture) or "ij"; sparse (false): leave dimensions of 1 where values repeat.
---@overload fun(self: Symbol, indexing?: string|Symbol.meshgrid.options, sparse?: boolean|Symbol.meshgrid.options): any
---@return any
function Symbol:meshgrid(...) end

---@class Symbol.moveaxis.options
---@field [integer] any
---@field tensor? any
---@field source? any[]
---@field destination? any[]

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param source? any
---@param destination? any
---@overload fun(self: Symbol, tensor?: any|Symbol.moveaxis.options, source?: any[]|Symbol.moveaxis.options, destination?: any[]|Symbol.moveaxis.options): any
---@return any
function Symbol:moveaxis(source, destination) end

---@class Symbol.nanmax.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.nanmax.options, axis?: integer|Symbol.nanmax.options, keepdims?: boolean|Symbol.nanmax.options): any
---@return any
function Symbol:nanmax(...) end

---@class Symbol.nanmean.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The mean over axes (all) of the elements that are not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.nanmean.options, axis?: integer|Symbol.nanmean.options, keepdims?: boolean|Symbol.nanmean.options): any
---@return any
function Symbol:nanmean(...) end

---@class Symbol.nanmin.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The least element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.nanmin.options, axis?: integer|Symbol.nanmin.options, keepdims?: boolean|Symbol.nanmin.options): any
---@return any
function Symbol:nanmin(...) end

---@class Symbol.nanstd.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The standard deviation over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.nanstd.options, axis?: integer|Symbol.nanstd.options, ddof?: number|Symbol.nanstd.options, keepdims?: boolean|Symbol.nanstd.options): any
---@return any
function Symbol:nanstd(...) end

---@class Symbol.nanvar.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The variance over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.nanvar.options, axis?: integer|Symbol.nanvar.options, ddof?: number|Symbol.nanvar.options, keepdims?: boolean|Symbol.nanvar.options): any
---@return any
function Symbol:nanvar(...) end

---The indices of the elements that are not 0: a table of int64 arrays, one an axis, as NumPy's tuple.
---@return any
function Symbol:nonzero(...) end

---@return any
function Symbol:numpy(...) end

---@class Symbol.outer.options
---@field [integer] any
---@field a? any
---@field b? any

---a[i] b[j], as a matrix; other arrays are flattened first.
---@overload fun(self: Symbol, a?: any|Symbol.outer.options, b?: any|Symbol.outer.options): any
---@return any
function Symbol:outer(...) end

---One output, by number from 0 or by name.
---@param index? any
---@return hl.Symbol
function Symbol:output(index) end

---@class Symbol.partition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The elements along an axis so that the kth is where it would be in order, lesser ones before it: all in order, here.
---@overload fun(self: Symbol, a?: any|Symbol.partition.options, kth?: any|Symbol.partition.options, axis?: integer|Symbol.partition.options): any
---@return any
function Symbol:partition(...) end

---@class Symbol.percentile.options
---@field [integer] any
---@field a? any
---@field q? any
---@field axis? integer
---@field method? string Default: 'linear'.
---@field keepdims? boolean Default: false.
---@field interpolation? any

---Percentiles: the value that q percent of the elements do not exceed; a table of q becomes the first axis.
---Options: axis (a number or a table; all), keepdims, method ("linear", "lower", "higher", "midpoint", "nearest",
---"hazen" and NumPy's others; interpolation is its older name). A NaN makes NaN. Differentiable.
---@overload fun(self: Symbol, a?: any|Symbol.percentile.options, q?: any|Symbol.percentile.options, axis?: integer|Symbol.percentile.options, method?: string|Symbol.percentile.options, keepdims?: boolean|Symbol.percentile.options, interpolation?: any|Symbol.percentile.options): any
---@return any
function Symbol:percentile(...) end

---@class Symbol.ptp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element less the least, over axes (all). Options: axis, keepdims (false).
---@overload fun(self: Symbol, data?: any|Symbol.ptp.options, axis?: integer|Symbol.ptp.options, keepdims?: boolean|Symbol.ptp.options): any
---@return any
function Symbol:ptp(...) end

---@class Symbol.rot90.options
---@field [integer] any
---@field data? any
---@field k? number Default: 1.
---@field axes? table Default: {0, 1}.

---Turned by 90 degrees, k times, in the plane of two axes, from the first of them towards the second.
---rot90(x, k). Options: k (1; negative: the other way), axes ({0, 1}).
---@overload fun(self: Symbol, data?: any|Symbol.rot90.options, k?: number|Symbol.rot90.options, axes?: table|Symbol.rot90.options): any
---@return any
function Symbol:rot90(...) end

---Writes MXNet's JSON file, whole or not at all.
---@param file? any
function Symbol:save(file) end

---@return any
function Symbol:simple_bind(...) end

---@class Symbol.softplus.options
---@field [integer] any
---@field data? any
---@field beta? number Default: 1.

---log(1 + e^(beta x)) / beta, without overflow. Options: beta (1).
---@overload fun(self: Symbol, data?: any|Symbol.softplus.options, beta?: number|Symbol.softplus.options): any
---@return any
function Symbol:softplus(...) end

---x sigmoid(x): silu under its other name.
---@return any
function Symbol:swish(...) end

---@class Symbol.tensordot.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? number Default: 2.

---The product summed over axes: tensordot(a, b, axes). axes (2): how many, the last of a with the first of b; or a
---table of two, a's axes and b's, each a number or a table. The result has a's other axes, then b's; shape (1,) where
---none are left.
---@overload fun(self: Symbol, a?: any|Symbol.tensordot.options, b?: any|Symbol.tensordot.options, axes?: number|Symbol.tensordot.options): any
---@return any
function Symbol:tensordot(...) end

---@return any
function Symbol:tobytes(...) end

---MXNet's JSON text.
---@return string
function Symbol:tojson() end

---@return any
function Symbol:tolist(...) end

---@return any
function Symbol:totable(...) end

---@class Symbol.trace.options
---@field [integer] any
---@field data? any
---@field offset? number Default: 0.
---@field axis1? number Default: 0.
---@field axis2? number Default: 1.

---The sum of a diagonal: trace(x, offset). Of more than two dimensions, of each matrix of two axes.
---Options: offset (0: the main diagonal; above it positive), axis1 (0), axis2 (1). A matrix gives shape (1,).
---@overload fun(self: Symbol, data?: any|Symbol.trace.options, offset?: number|Symbol.trace.options, axis1?: number|Symbol.trace.options, axis2?: number|Symbol.trace.options): any
---@return any
function Symbol:trace(...) end

---@class Symbol.unique.options
---@field [integer] any
---@field ar? any
---@field return_index? any
---@field return_inverse? any
---@field return_counts? any

---The different elements, in order. Options: return_index (where each is first), return_inverse (for each element of
---the flattened array its place among them), return_counts; then a table {values, index, inverse, counts} of what is
---asked for. int64.
---@overload fun(self: Symbol, ar?: any|Symbol.unique.options, return_index?: any|Symbol.unique.options, return_inverse?: any|Symbol.unique.options, return_counts?: any|Symbol.unique.options): any
---@return any
function Symbol:unique(...) end

---@class Symbol.vdot.options
---@field [integer] any
---@field a? any
---@field b? any

---The sum of a[i] b[i], of shape (1,); other arrays are flattened first.
---@overload fun(self: Symbol, a?: any|Symbol.vdot.options, b?: any|Symbol.vdot.options): any
---@return any
function Symbol:vdot(...) end

---Arrays below each other, along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
---@return any
function Symbol:vstack(...) end

---@return any
function Symbol:wait_to_read() end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param ... any|hl.op.Activation
---@return hl.Symbol
function Symbol:Activation(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta for each channel, a place of `axis`. In training, and unless use_global_stats, mean and variance are those of the batch, and the states moving_mean and moving_var become momentum times themselves plus (1 - momentum) times them, when the call computes; else they are the states. The variance is the biased one (S. Ioffe, C. Szegedy, 2015)
---@param gamma? hl.Symbol|number|hl.op.BatchNorm
---@param beta? hl.Symbol|number|hl.op.BatchNorm
---@param moving_mean? hl.Symbol|number|hl.op.BatchNorm
---@param moving_var? hl.Symbol|number|hl.op.BatchNorm
---@param ... any|hl.op.BatchNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:BatchNorm(gamma, beta, moving_mean, moving_var, ...) end

---data, (batch, channel, height, width), read at the places of a grid, (batch, 2, height, width) of the output: x and y, from -1 to 1 over data's width and height, by bilinear interpolation; data goes on with zeros (M. Jaderberg et al., 2015)
---@param grid? hl.Symbol|number|hl.op.BilinearSampler
---@param ... any|hl.op.BilinearSampler
---@return hl.Symbol|hl.Symbol[]
function Symbol:BilinearSampler(grid, ...) end

---The input, in the same memory, through which no gradient flows
---@param ... any|hl.op.BlockGrad
---@return hl.Symbol
function Symbol:BlockGrad(...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param label? hl.Symbol|number|hl.op.CTCLoss
---@param data_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param label_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.Symbol|hl.Symbol[]
function Symbol:CTCLoss(label, data_lengths, label_lengths, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0. NaN and what int64 (for int64) or int32 (for others) cannot hold become its least integer, of which int8 and uint8 take the lower bits; to bool, NaN is true. The gradient passes between float dtypes only
---@param ... any|hl.op.Cast
---@return hl.Symbol
function Symbol:Cast(...) end

---Arrays joined along an axis; their other dimensions are equal
---@param ... any|hl.op.Concat
---@return hl.Symbol
function Symbol:Concat(...) end

---Each filter's sum of products with what a window sees, at all its places, plus bias. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (num_filter, channels / num_group, *kernel); its shape and bias's are inferred. Products are added in order of (channel, *kernel), in blocks of 1024. 3x3 and 5x5 windows with a stride of 1 over 16 channels or more are computed with fewer products in float32: rounding errors are like those of a plain sum, but relative to the largest datum of the 6x6 places around, and a NaN or infinity spoils up to 8x8 places
---@param weight? hl.Symbol|number|hl.op.Convolution
---@param bias? hl.Symbol|number|hl.op.Convolution
---@param ... any|hl.op.Convolution
---@return hl.Symbol
function Symbol:Convolution(weight, bias, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param ... any|hl.op.Crop
---@return hl.Symbol
function Symbol:Crop(...) end

---Transposed convolution: each element of data puts the weights of its channel, times itself, onto the places of the output that a window there would see; what lies on one place is added, plus bias. It is the gradient of data of the convolution from the output's shape to data's. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (channels, num_filter / num_group, *kernel); its shape and bias's are inferred. An axis of n places gets (n - 1) stride + dilate (kernel - 1) + 1 - 2 pad + adj
---@param weight? hl.Symbol|number|hl.op.Deconvolution
---@param bias? hl.Symbol|number|hl.op.Deconvolution
---@param ... any|hl.op.Deconvolution
---@return hl.Symbol
function Symbol:Deconvolution(weight, bias, ...) end

---In training each element is dropped (made 0) with probability p and the others are divided by 1 - p; elements along `axes` share their fate (G. Hinton et al., 2012). Outside training, the input. Random numbers are drawn only where something may be dropped
---@param ... any|hl.op.Dropout
---@return hl.Symbol|hl.Symbol[]
function Symbol:Dropout(...) end

---The sum of any number of arrays of one shape, from left to right
---@param ... any|hl.op.add_n
---@return hl.Symbol
function Symbol:ElementWiseSum(...) end

---The rows of weight that data names; indices outside are clipped
---@param weight? hl.Symbol|number|hl.op.Embedding
---@param ... any|hl.op.Embedding
---@return hl.Symbol
function Symbol:Embedding(weight, ...) end

---All axes but the first become one
---@param ... any|hl.op.Flatten
---@return hl.Symbol
function Symbol:Flatten(...) end

---data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features), its shape and bias's are inferred
---@param weight? hl.Symbol|number|hl.op.FullyConnected
---@param bias? hl.Symbol|number|hl.op.FullyConnected
---@param ... any|hl.op.FullyConnected
---@return hl.Symbol
function Symbol:FullyConnected(weight, bias, ...) end

---A grid for BilinearSampler, (batch, 2, height, width). affine: data is (batch, 6), a transform [a b c; d e f] for each image, and place (x, y) of target_shape becomes (a x + b y + c, d x + e y + f), coordinates going from -1 to 1. warp: data is (batch, 2, height, width), how many elements each place is moved by
---@param ... any|hl.op.GridGenerator
---@return hl.Symbol|hl.Symbol[]
function Symbol:GridGenerator(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over groups of channels (axis 1) of each sample; as in MXNet 1.9.1 gamma and beta have an element for each group (Y. Wu, K. He, 2018)
---@param gamma? hl.Symbol|number|hl.op.GroupNorm
---@param beta? hl.Symbol|number|hl.op.GroupNorm
---@param ... any|hl.op.GroupNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:GroupNorm(gamma, beta, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over the places of each channel (axis 1) of each sample (D. Ulyanov et al., 2016)
---@param gamma? hl.Symbol|number|hl.op.InstanceNorm
---@param beta? hl.Symbol|number|hl.op.InstanceNorm
---@param ... any|hl.op.InstanceNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:InstanceNorm(gamma, beta, ...) end

---data / sqrt(sum of squares + eps): over each sample (instance), over the channels, axis 1, at each place (channel), or over the places of each channel (spatial)
---@param ... any|hl.op.L2Normalization
---@return hl.Symbol
function Symbol:L2Normalization(...) end

---data (knorm + alpha / nsize s)^-beta, s being the sum of squares over the nsize channels (axis 1) around an element's own, at its place (A. Krizhevsky et al., 2012)
---@param ... any|hl.op.LRN
---@return hl.Symbol|hl.Symbol[]
function Symbol:LRN(...) end

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param gamma? hl.Symbol|number|hl.op.LayerNorm
---@param beta? hl.Symbol|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:LayerNorm(gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element, of one for each channel, axis 1, or of data's shape), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
---@param gamma? hl.Symbol|number|hl.op.LeakyReLU
---@param ... any|hl.op.LeakyReLU
---@return hl.Symbol|hl.Symbol[]
function Symbol:LeakyReLU(gamma, ...) end

---data; its gradient is that of half the squared error, (data - label), by design whatever comes from above
---@param label? hl.Symbol|number|hl.op.LinearRegressionOutput
---@param ... any|hl.op.LinearRegressionOutput
---@return hl.Symbol
function Symbol:LinearRegressionOutput(label, ...) end

---sigmoid(data); its gradient is that of the cross entropy, (sigmoid(data) - label), by design whatever comes from above
---@param label? hl.Symbol|number|hl.op.LogisticRegressionOutput
---@param ... any|hl.op.LogisticRegressionOutput
---@return hl.Symbol
function Symbol:LogisticRegressionOutput(label, ...) end

---data; its gradient is that of the absolute error, sign(data - label), by design whatever comes from above
---@param label? hl.Symbol|number|hl.op.MAERegressionOutput
---@param ... any|hl.op.MAERegressionOutput
---@return hl.Symbol
function Symbol:MAERegressionOutput(label, ...) end

---data as a loss: its gradient is grad_scale, by design whatever comes from above
---@param ... any|hl.op.MakeLoss
---@return hl.Symbol
function Symbol:MakeLoss(...) end

---More places around the last two axes of (batch, channel, height, width), or the last three of (batch, channel, depth, height, width)
---@param ... any|hl.op.Pad
---@return hl.Symbol
function Symbol:Pad(...) end

---The maximum (max), mean (avg), sum or p-norm (lp) of what a window sees, at all its places. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). The gradient of a maximum goes to the first of equal ones. lp does not take absolute values, as in MXNet. (same is for all kinds here; MXNet has it for the maximum of one axis.) NWC, NHWC and NDHWC have the channels in the last axis. The maximum of a window that sees padding alone is the lowest finite number, as in MXNet
---@param ... any|hl.op.Pooling
---@return hl.Symbol|hl.Symbol[]
function Symbol:Pooling(...) end

---data / sqrt(mean square + eps) gamma along an axis; gamma has an element for each place there, its shape is inferred (B. Zhang, R. Sennrich, 2019)
---@param gamma? hl.Symbol|number|hl.op.RMSNorm
---@param ... any|hl.op.RMSNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:RMSNorm(gamma, ...) end

---Layers of recurrent cells over data, (steps, batch, features), from states (layers x directions, batch, values) on: (steps, batch, directions x values) and, if asked for, the last states. With x a step's input, h the state before it, W x and R h with their biases: rnn_tanh h' = tanh(Wx + Rh), rnn_relu with max(0, .); lstm c' = f c + i g, h' = o tanh(c'), i, f, o being sigmoids and g a tanh of such sums (S. Hochreiter, J. Schmidhuber, 1997); gru h' = (1 - z) n + z h with n = tanh(Wx + r Rh) and sigmoids r, z (K. Cho et al., 2014). parameters holds for each layer and direction W, R and lstm's projection, and after all of these the biases of W and R in the same order; gates in the order i f g o, and r z n. MXNet's CPU takes sequence lengths and bounds of cells but ignores them. The gradient cannot be differentiated again
---@param parameters? hl.Symbol|number|hl.op.RNN
---@param state? hl.Symbol|number|hl.op.RNN
---@param state_cell? hl.Symbol|number|hl.op.RNN
---@param sequence_length? hl.Symbol|number|hl.op.RNN
---@param ... any|hl.op.RNN
---@return hl.Symbol|hl.Symbol[]
function Symbol:RNN(parameters, state, state_cell, sequence_length, ...) end

---The maximum in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output (R. Girshick, 2015). Where there is no such image, 0
---@param rois? hl.Symbol|number|hl.op.ROIPooling
---@param ... any|hl.op.ROIPooling
---@return hl.Symbol|hl.Symbol[]
function Symbol:ROIPooling(rois, ...) end

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param ... any|hl.op.Reshape
---@return hl.Symbol
function Symbol:Reshape(...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above; if squared, it cannot be differentiated again
---@param label? hl.Symbol|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.Symbol
function Symbol:SVMOutput(label, ...) end

---The last step of each sequence of (steps, batch, ...), by its length: (batch, ...)
---@param sequence_length? hl.Symbol|number|hl.op.SequenceLast
---@param ... any|hl.op.SequenceLast
---@return hl.Symbol
function Symbol:SequenceLast(sequence_length, ...) end

---Sequences, (steps, batch, ...), with the steps from each one's length on replaced by a value
---@param sequence_length? hl.Symbol|number|hl.op.SequenceMask
---@param ... any|hl.op.SequenceMask
---@return hl.Symbol
function Symbol:SequenceMask(sequence_length, ...) end

---Sequences, (steps, batch, ...), each with its steps up to its length the other way round
---@param sequence_length? hl.Symbol|number|hl.op.SequenceReverse
---@param ... any|hl.op.SequenceReverse
---@return hl.Symbol
function Symbol:SequenceReverse(sequence_length, ...) end

---Equal parts along an axis
---@param ... any|hl.op.SliceChannel
---@return hl.Symbol[]
function Symbol:SliceChannel(...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above, and which cannot be differentiated again. A label of data's shape holds probabilities
---@param label? hl.Symbol|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.Symbol
function Symbol:Softmax(label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param ... any|hl.op.SoftmaxActivation
---@return hl.Symbol
function Symbol:SoftmaxActivation(...) end

Symbol.SoftmaxOutput = Symbol.Softmax
---data read by BilinearSampler at the places that GridGenerator makes of loc, (batch, 6), with affine (M. Jaderberg et al., 2015)
---@param loc? hl.Symbol|number|hl.op.SpatialTransformer
---@param ... any|hl.op.SpatialTransformer
---@return hl.Symbol|hl.Symbol[]
function Symbol:SpatialTransformer(loc, ...) end

---Two axes change places
---@param ... any|hl.op.SwapAxis
---@return hl.Symbol
function Symbol:SwapAxis(...) end

---Height and width of (batch, channel, height, width) made `scale` times as large. nearest repeats each element; further arrays get the first one's size and are joined along channels, or added. bilinear takes data and weight, (channels, 1, k, k) with k = 2 scale - scale % 2, and adds each element times its channel's weights around its place; initializer.Bilinear gives weights that interpolate
---@param weight? hl.Symbol|number|hl.op.UpSampling
---@param arg? hl.Symbol|number|hl.op.UpSampling
---@param ... any|hl.op.UpSampling
---@return hl.Symbol
function Symbol:UpSampling(weight, arg, ...) end

---|x|
---@param ... any|hl.op.abs
---@return hl.Symbol
function Symbol:abs(...) end

Symbol.activation = Symbol.Activation
---acc_g the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; acc_delta the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)
---@param grad? hl.Symbol|number|hl.op.adadelta_update
---@param acc_g? hl.Symbol|number|hl.op.adadelta_update
---@param acc_delta? hl.Symbol|number|hl.op.adadelta_update
---@param ... any|hl.op.adadelta_update
---@return hl.Symbol
function Symbol:adadelta_update(grad, acc_g, acc_delta, ...) end

---history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)
---@param grad? hl.Symbol|number|hl.op.adagrad_update
---@param history? hl.Symbol|number|hl.op.adagrad_update
---@param ... any|hl.op.adagrad_update
---@return hl.Symbol
function Symbol:adagrad_update(grad, history, ...) end

---d = grad + wd weight; mean and var the decaying means of d and d^2; weight - lr mean / (sqrt(var) + epsilon) (D. Kingma, J. Ba, 2014). The correction of their bias is the caller's, in lr
---@param grad? hl.Symbol|number|hl.op.adam_update
---@param mean? hl.Symbol|number|hl.op.adam_update
---@param var? hl.Symbol|number|hl.op.adam_update
---@param ... any|hl.op.adam_update
---@return hl.Symbol
function Symbol:adam_update(grad, mean, var, ...) end

---mean and var the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad in an array
---@param grad? hl.Symbol|number|hl.op.adamw_step
---@param mean? hl.Symbol|number|hl.op.adamw_step
---@param var? hl.Symbol|number|hl.op.adamw_step
---@param ... any|hl.op.adamw_step
---@return hl.Symbol
function Symbol:adamw_step(grad, mean, var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param grad? hl.Symbol|number|hl.op._adamw_update
---@param mean? hl.Symbol|number|hl.op._adamw_update
---@param var? hl.Symbol|number|hl.op._adamw_update
---@param rescale_grad? hl.Symbol|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.Symbol
function Symbol:adamw_update(grad, mean, var, rescale_grad, ...) end

---a + b
---@param rhs? hl.Symbol|number|hl.op.broadcast_add
---@param ... any|hl.op.broadcast_add
---@return hl.Symbol
function Symbol:add(rhs, ...) end

Symbol.add_n = Symbol.ElementWiseSum
---Is no element 0? A bool over axes; true of no elements, NaN is not 0
---@param ... any|hl.op.all
---@return hl.Symbol
function Symbol:all(...) end

---1 if every element is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.all_finite
---@return hl.Symbol
function Symbol:all_finite(...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param ... any|hl.op.amp_cast
---@return hl.Symbol
function Symbol:amp_cast(...) end

---Is there an element that is not 0? A bool over axes; false of no elements, NaN is not 0
---@param ... any|hl.op.any
---@return hl.Symbol
function Symbol:any(...) end

---The inverse of cos, in [0, pi]
---@param ... any|hl.op.arccos
---@return hl.Symbol
function Symbol:arccos(...) end

---The inverse of cosh; x >= 1
---@param ... any|hl.op.arccosh
---@return hl.Symbol
function Symbol:arccosh(...) end

---The inverse of sin, in [-pi/2, pi/2]
---@param ... any|hl.op.arcsin
---@return hl.Symbol
function Symbol:arcsin(...) end

---The inverse of sinh
---@param ... any|hl.op.arcsinh
---@return hl.Symbol
function Symbol:arcsinh(...) end

---The inverse of tan, in (-pi/2, pi/2)
---@param ... any|hl.op.arctan
---@return hl.Symbol
function Symbol:arctan(...) end

---The inverse of tanh; |x| < 1
---@param ... any|hl.op.arctanh
---@return hl.Symbol
function Symbol:arctanh(...) end

---The position of the greatest element, the first of equals, in data's dtype
---@param ... any|hl.op.argmax
---@return hl.Symbol
function Symbol:argmax(...) end

---argmax over axis 1
---@param ... any|hl.op.argmax_channel
---@return hl.Symbol
function Symbol:argmax_channel(...) end

---The position of the least element, the first of equals, in data's dtype
---@param ... any|hl.op.argmin
---@return hl.Symbol
function Symbol:argmin(...) end

---The places along an axis in the order of their elements; of equal elements the first comes first, and NaNs come last
---@param ... any|hl.op.argsort
---@return hl.Symbol
function Symbol:argsort(...) end

---The indices of the elements that are not 0, a row each
---@param ... any|hl.op._argwhere
---@return hl.Symbol
function Symbol:argwhere(...) end

---Have two arrays one shape and the same elements? One bool, of shape (1,)
---@param a2? hl.Symbol|number|hl.op.array_equal
---@param ... any|hl.op.array_equal
---@return hl.Symbol
function Symbol:array_equal(a2, ...) end

---Integers and bools as float64; floats as they are
---@param ... any|hl.op._as_float
---@return hl.Symbol
function Symbol:as_float(...) end

---The input; an error that says where, if an element is NaN or infinite
---@param ... any|hl.op.assert_finite
---@return hl.Symbol
function Symbol:assert_finite(...) end

Symbol.astype = Symbol.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param rhs? hl.Symbol|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.Symbol
function Symbol:batch_dot(rhs, ...) end

Symbol.batch_norm = Symbol.BatchNorm
---One element of each row; indices outside are clipped
---@param indices? hl.Symbol|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.Symbol
function Symbol:batch_take(indices, ...) end

Symbol.bilinear_sampler = Symbol.BilinearSampler
---How often each whole number from 0 on occurs in x, or the sums of the weights there
---@param weights? hl.Symbol|number|hl.op._bincount
---@param ... any|hl.op._bincount
---@return hl.Symbol
function Symbol:bincount(weights, ...) end

---Of integers, the bits that both have; of bool and floats, 1 where both are not 0, else 0
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_and
---@param ... any|hl.op._npi_bitwise_and
---@return hl.Symbol
function Symbol:bitwise_and(rhs, ...) end

---Of integers, every bit the other way round; of bool and floats, 1 where x is 0, else 0
---@param ... any|hl.op._npi_bitwise_not
---@return hl.Symbol
function Symbol:bitwise_not(...) end

---Of integers, the bits that one of them has; of bool and floats, 1 where one is not 0, else 0
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_or
---@param ... any|hl.op._npi_bitwise_or
---@return hl.Symbol
function Symbol:bitwise_or(rhs, ...) end

---Of integers, the bits that exactly one has; of bool and floats, 1 where exactly one is not 0, else 0
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_xor
---@param ... any|hl.op._npi_bitwise_xor
---@return hl.Symbol
function Symbol:bitwise_xor(rhs, ...) end

Symbol.block_grad = Symbol.BlockGrad
---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param index? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.Symbol
function Symbol:boolean_mask(index, ...) end

Symbol.broadcast_add = Symbol.add
---Some axes of dimension 1 repeated
---@param ... any|hl.op.broadcast_axis
---@return hl.Symbol
function Symbol:broadcast_axes(...) end

Symbol.broadcast_axis = Symbol.broadcast_axes
---a / b; integers are cut towards 0, and give 0 for b = 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_div
---@param ... any|hl.op.broadcast_div
---@return hl.Symbol
function Symbol:broadcast_div(rhs, ...) end

---1 where a = b, else 0, in the operands' dtype
---@param rhs? hl.Symbol|number|hl.op.broadcast_equal
---@param ... any|hl.op.broadcast_equal
---@return hl.Symbol
function Symbol:broadcast_equal(rhs, ...) end

---a / b rounded down, Lua's a // b; integers give 0 for b = 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_floor_divide
---@param ... any|hl.op.broadcast_floor_divide
---@return hl.Symbol
function Symbol:broadcast_floor_divide(rhs, ...) end

---1 where a > b, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_greater
---@param ... any|hl.op.broadcast_greater
---@return hl.Symbol
function Symbol:broadcast_greater(rhs, ...) end

---1 where a >= b, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_greater_equal
---@param ... any|hl.op.broadcast_greater_equal
---@return hl.Symbol
function Symbol:broadcast_greater_equal(rhs, ...) end

---sqrt(a^2 + b^2) without overflow
---@param rhs? hl.Symbol|number|hl.op.broadcast_hypot
---@param ... any|hl.op.broadcast_hypot
---@return hl.Symbol
function Symbol:broadcast_hypot(rhs, ...) end

---1 where a < b, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_lesser
---@param ... any|hl.op.broadcast_lesser
---@return hl.Symbol
function Symbol:broadcast_lesser(rhs, ...) end

---1 where a <= b, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_lesser_equal
---@param ... any|hl.op.broadcast_lesser_equal
---@return hl.Symbol
function Symbol:broadcast_lesser_equal(rhs, ...) end

---lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs
---@param rhs? hl.Symbol|number|hl.op.broadcast_like
---@param ... any|hl.op.broadcast_like
---@return hl.Symbol
function Symbol:broadcast_like(rhs, ...) end

---1 where both are not 0, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_and
---@param ... any|hl.op.broadcast_logical_and
---@return hl.Symbol
function Symbol:broadcast_logical_and(rhs, ...) end

---1 where one is not 0, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_or
---@param ... any|hl.op.broadcast_logical_or
---@return hl.Symbol
function Symbol:broadcast_logical_or(rhs, ...) end

---1 where exactly one is not 0, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_xor
---@param ... any|hl.op.broadcast_logical_xor
---@return hl.Symbol
function Symbol:broadcast_logical_xor(rhs, ...) end

---The larger of a and b; NaN wins
---@param rhs? hl.Symbol|number|hl.op.broadcast_maximum
---@param ... any|hl.op.broadcast_maximum
---@return hl.Symbol
function Symbol:broadcast_maximum(rhs, ...) end

---The smaller of a and b; NaN wins
---@param rhs? hl.Symbol|number|hl.op.broadcast_minimum
---@param ... any|hl.op.broadcast_minimum
---@return hl.Symbol
function Symbol:broadcast_minimum(rhs, ...) end

---a - b
---@param rhs? hl.Symbol|number|hl.op.broadcast_sub
---@param ... any|hl.op.broadcast_sub
---@return hl.Symbol
function Symbol:broadcast_minus(rhs, ...) end

---a modulo b with the sign of b; 0 where b is 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_mod
---@param ... any|hl.op.broadcast_mod
---@return hl.Symbol
function Symbol:broadcast_mod(rhs, ...) end

---a * b
---@param rhs? hl.Symbol|number|hl.op.broadcast_mul
---@param ... any|hl.op.broadcast_mul
---@return hl.Symbol
function Symbol:broadcast_mul(rhs, ...) end

---1 where a differs from b, else 0
---@param rhs? hl.Symbol|number|hl.op.broadcast_not_equal
---@param ... any|hl.op.broadcast_not_equal
---@return hl.Symbol
function Symbol:broadcast_not_equal(rhs, ...) end

Symbol.broadcast_plus = Symbol.add
---a to the power of b
---@param rhs? hl.Symbol|number|hl.op.broadcast_power
---@param ... any|hl.op.broadcast_power
---@return hl.Symbol
function Symbol:broadcast_power(rhs, ...) end

Symbol.broadcast_sub = Symbol.broadcast_minus
---Axes of dimension 1, and missing leading ones, repeated up to a shape
---@param ... any|hl.op.broadcast_to
---@return hl.Symbol
function Symbol:broadcast_to(...) end

Symbol.cast = Symbol.Cast
---The cube root
---@param ... any|hl.op.cbrt
---@return hl.Symbol
function Symbol:cbrt(...) end

---The least integer not below x
---@param ... any|hl.op.ceil
---@return hl.Symbol
function Symbol:ceil(...) end

---One element along an axis at each place of the others
---@param index? hl.Symbol|number|hl.op.pick
---@param ... any|hl.op.pick
---@return hl.Symbol
function Symbol:choose_element_0index(index, ...) end

---x held within [a_min, a_max]
---@param ... any|hl.op.clip
---@return hl.Symbol
function Symbol:clip(...) end

---Columns, (batch, channel x taps, places), added up at the places that im2col has them from
---@param ... any|hl.op.col2im
---@return hl.Symbol
function Symbol:col2im(...) end

Symbol.concat = Symbol.Concat
---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.Symbol
function Symbol:contrib_adaptive_avg_pooling2d(...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param b? hl.Symbol|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.Symbol
function Symbol:contrib_allclose(b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function Symbol:contrib_arange_like(...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param key? hl.Symbol|number|hl.op._contrib_attention
---@param value? hl.Symbol|number|hl.op._contrib_attention
---@param mask? hl.Symbol|number|hl.op._contrib_attention
---@param length? hl.Symbol|number|hl.op._contrib_attention
---@param offset? hl.Symbol|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_attention(key, value, mask, length, offset, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param gamma? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_batch_norm_with_re_lu(gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param like? hl.Symbol|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.Symbol
function Symbol:contrib_bilinear_resize2d(like, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_bipartite_matching(...) end

Symbol.contrib_boolean_mask = Symbol.boolean_mask
---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param anchors? hl.Symbol|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.Symbol
function Symbol:contrib_box_decode(anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param matches? hl.Symbol|number|hl.op._contrib_box_encode
---@param anchors? hl.Symbol|number|hl.op._contrib_box_encode
---@param refs? hl.Symbol|number|hl.op._contrib_box_encode
---@param means? hl.Symbol|number|hl.op._contrib_box_encode
---@param stds? hl.Symbol|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_box_encode(matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param rhs? hl.Symbol|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.Symbol
function Symbol:contrib_box_iou(rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param ... any|hl.op._contrib_box_nms
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_box_nms(...) end

Symbol.contrib_box_non_maximum_suppression = Symbol.contrib_box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param key? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value? hl.Symbol|number|hl.op._contrib_cached_attention
---@param key_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param position? hl.Symbol|number|hl.op._contrib_cached_attention
---@param mask? hl.Symbol|number|hl.op._contrib_cached_attention
---@param length? hl.Symbol|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.Symbol
function Symbol:contrib_cached_attention(key, value, key_cache, value_cache, position, mask, length, ...) end

Symbol.contrib_ctc_loss = Symbol.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.Symbol
function Symbol:contrib_div_sqrt_dim(...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.Symbol
function Symbol:contrib_dynamic_slice(begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param value? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.Symbol
function Symbol:contrib_dynamic_update_slice(value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param ... any|hl.op._contrib_index_array
---@return hl.Symbol
function Symbol:contrib_index_array(...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param index_vector? hl.Symbol|number|hl.op._contrib_index_copy
---@param new_tensor? hl.Symbol|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.Symbol
function Symbol:contrib_index_copy(index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.Symbol
function Symbol:contrib_interleaved_matmul_encdec_qk(keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.Symbol
function Symbol:contrib_interleaved_matmul_encdec_valatt(attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.Symbol
function Symbol:contrib_interleaved_matmul_selfatt_qk(...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.Symbol
function Symbol:contrib_interleaved_matmul_selfatt_valatt(attention, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param loc_pred? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.Symbol
function Symbol:contrib_multi_box_detection(loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.Symbol
function Symbol:contrib_multi_box_prior(...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param label? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_multi_box_target(label, cls_pred, ...) end

---a x^2 + b x + c
---@param ... any|hl.op._contrib_quadratic
---@return hl.Symbol
function Symbol:contrib_quadratic(...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param rois? hl.Symbol|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.Symbol
function Symbol:contrib_roi_align(rois, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param positions? hl.Symbol|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.Symbol
function Symbol:contrib_rotary_embedding(positions, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param gamma? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:contrib_sync_batch_norm(gamma, beta, moving_mean, moving_var, ...) end

Symbol.convolution = Symbol.Convolution
---The input
---@param ... any|hl.op._copy
---@return hl.Symbol
function Symbol:copy(...) end

---The cosine; x in radians
---@param ... any|hl.op.cos
---@return hl.Symbol
function Symbol:cos(...) end

---The hyperbolic cosine
---@param ... any|hl.op.cosh
---@return hl.Symbol
function Symbol:cosh(...) end

---How many elements are not 0, over axes, as int64
---@param ... any|hl.op.count_nonzero
---@return hl.Symbol
function Symbol:count_nonzero(...) end

---begin:end:step of the first axes, cut to the axes as in NumPy. A part that is one piece of memory shares it with data
---@param ... any|hl.op.slice
---@return hl.Symbol
function Symbol:crop(...) end

---lhs with the part begin:end:step replaced by rhs
---@param rhs? hl.Symbol|number|hl.op._slice_assign
---@param ... any|hl.op._slice_assign
---@return hl.Symbol
function Symbol:crop_assign(rhs, ...) end

---data with every element of the part begin:end:step set to a number
---@param ... any|hl.op._slice_assign_scalar
---@return hl.Symbol
function Symbol:crop_assign_scalar(...) end

Symbol.ctc_loss = Symbol.CTCLoss
---The sum of each element and all before it along an axis; of float32 rounded from double
---@param ... any|hl.op._np_cumsum
---@return hl.Symbol
function Symbol:cumsum(...) end

Symbol.deconvolution = Symbol.Deconvolution
---Radians to degrees
---@param ... any|hl.op.degrees
---@return hl.Symbol
function Symbol:degrees(...) end

---Channels rearranged into square blocks of height and width
---@param ... any|hl.op.depth_to_space
---@return hl.Symbol
function Symbol:depth_to_space(...) end

---A diagonal of data, as the last axis of the result; of a vector, the matrix with it on a diagonal
---@param ... any|hl.op.diag
---@return hl.Symbol
function Symbol:diag(...) end

---The derivative of gammaln
---@param ... any|hl.op.digamma
---@return hl.Symbol
function Symbol:digamma(...) end

---The bin of each element between edges that rise: bin i holds bins[i - 1] <= x < bins[i], with right bins[i - 1] < x <= bins[i]; where the edges fall, the other way round. int64
---@param bins? hl.Symbol|number|hl.op._digitize
---@param ... any|hl.op._digitize
---@return hl.Symbol
function Symbol:digitize(bins, ...) end

Symbol.div = Symbol.broadcast_div
---x / scalar
---@param ... any|hl.op._div_scalar
---@return hl.Symbol
function Symbol:div_scalar(...) end

Symbol.divide = Symbol.broadcast_div
---The product of matrices; of arrays in general, the last axis of lhs contracted with the first of rhs. Two vectors give shape (1,). transpose_a contracts the first axis of lhs, transpose_b the last of rhs
---@param rhs? hl.Symbol|number|hl.op.dot
---@param ... any|hl.op.dot
---@return hl.Symbol
function Symbol:dot(rhs, ...) end

Symbol.dropout = Symbol.Dropout
Symbol.element_wise_sum = Symbol.ElementWiseSum
---a + b (equal shapes)
---@param rhs? hl.Symbol|number|hl.op.elemwise_add
---@param ... any|hl.op.elemwise_add
---@return hl.Symbol
function Symbol:elemwise_add(rhs, ...) end

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param rhs? hl.Symbol|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.Symbol
function Symbol:elemwise_div(rhs, ...) end

---a * b (equal shapes)
---@param rhs? hl.Symbol|number|hl.op.elemwise_mul
---@param ... any|hl.op.elemwise_mul
---@return hl.Symbol
function Symbol:elemwise_mul(rhs, ...) end

---a - b (equal shapes)
---@param rhs? hl.Symbol|number|hl.op.elemwise_sub
---@param ... any|hl.op.elemwise_sub
---@return hl.Symbol
function Symbol:elemwise_sub(rhs, ...) end

Symbol.embedding = Symbol.Embedding
Symbol.equal = Symbol.broadcast_equal
---1 where x = scalar, else 0, in x's dtype
---@param ... any|hl.op._equal_scalar
---@return hl.Symbol
function Symbol:equal_scalar(...) end

---The error function
---@param ... any|hl.op.erf
---@return hl.Symbol
function Symbol:erf(...) end

---The inverse of erf; |x| < 1
---@param ... any|hl.op.erfinv
---@return hl.Symbol
function Symbol:erfinv(...) end

---e^x
---@param ... any|hl.op.exp
---@return hl.Symbol
function Symbol:exp(...) end

---A new axis of dimension 1
---@param ... any|hl.op.expand_dims
---@return hl.Symbol
function Symbol:expand_dims(...) end

---e^x - 1, exact near 0
---@param ... any|hl.op.expm1
---@return hl.Symbol
function Symbol:expm1(...) end

---lhs with one element of each row, named by rhs, replaced by that of mhs
---@param mhs? hl.Symbol|number|hl.op.fill_element_0index
---@param rhs? hl.Symbol|number|hl.op.fill_element_0index
---@param ... any|hl.op.fill_element_0index
---@return hl.Symbol
function Symbol:fill_element_0index(mhs, rhs, ...) end

---To the nearest integer towards 0
---@param ... any|hl.op.fix
---@return hl.Symbol
function Symbol:fix(...) end

Symbol.flatten = Symbol.Flatten
---The elements along some axes in the opposite order
---@param ... any|hl.op.reverse
---@return hl.Symbol
function Symbol:flip(...) end

---The greatest integer not above x
---@param ... any|hl.op.floor
---@return hl.Symbol
function Symbol:floor(...) end

Symbol.floor_divide = Symbol.broadcast_floor_divide
---x / scalar rounded down, Lua's x // scalar
---@param ... any|hl.op._floor_divide_scalar
---@return hl.Symbol
function Symbol:floor_divide_scalar(...) end

---Follow the moving leader (S. Zheng, J. Kwok, 2017)
---@param grad? hl.Symbol|number|hl.op.ftml_update
---@param d? hl.Symbol|number|hl.op.ftml_update
---@param v? hl.Symbol|number|hl.op.ftml_update
---@param z? hl.Symbol|number|hl.op.ftml_update
---@param ... any|hl.op.ftml_update
---@return hl.Symbol
function Symbol:ftml_update(grad, d, v, z, ...) end

---Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; (sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 (H. McMahan et al., 2013)
---@param grad? hl.Symbol|number|hl.op.ftrl_update
---@param z? hl.Symbol|number|hl.op.ftrl_update
---@param n? hl.Symbol|number|hl.op.ftrl_update
---@param ... any|hl.op.ftrl_update
---@return hl.Symbol
function Symbol:ftrl_update(grad, z, n, ...) end

---An array of one value, of data's shape and dtype
---@param ... any|hl.op.full_like
---@return hl.Symbol
function Symbol:full_like(...) end

Symbol.fully_connected = Symbol.FullyConnected
---The gamma function
---@param ... any|hl.op.gamma
---@return hl.Symbol
function Symbol:gamma(...) end

---log |gamma(x)|
---@param ... any|hl.op.gammaln
---@return hl.Symbol
function Symbol:gammaln(...) end

---The elements, or slices, of data that the columns of indices name, an axis a row; negative ones count from the end
---@param indices? hl.Symbol|number|hl.op.gather_nd
---@param ... any|hl.op.gather_nd
---@return hl.Symbol
function Symbol:gather_nd(indices, ...) end

---gelu by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, 2016)
---@param ... any|hl.op._gelu_tanh
---@return hl.Symbol
function Symbol:gelu_tanh(...) end

Symbol.grad_add = Symbol.elemwise_add
Symbol.greater = Symbol.broadcast_greater
Symbol.greater_equal = Symbol.broadcast_greater_equal
---1 where x >= scalar, else 0
---@param ... any|hl.op._greater_equal_scalar
---@return hl.Symbol
function Symbol:greater_equal_scalar(...) end

---1 where x > scalar, else 0
---@param ... any|hl.op._greater_scalar
---@return hl.Symbol
function Symbol:greater_scalar(...) end

Symbol.grid_generator = Symbol.GridGenerator
Symbol.group_norm = Symbol.GroupNorm
---alpha x + beta held within [0, 1]
---@param ... any|hl.op.hard_sigmoid
---@return hl.Symbol
function Symbol:hard_sigmoid(...) end

---How many elements lie in each bin, and the bins' edges: bin i holds edge[i] <= x < edge[i + 1], the last one both of its edges
---@param bins? hl.Symbol|number|hl.op._histogram
---@param ... any|hl.op._histogram
---@return hl.Symbol|hl.Symbol[]
function Symbol:histogram(bins, ...) end

Symbol.hypot = Symbol.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param ... any|hl.op._hypot_scalar
---@return hl.Symbol
function Symbol:hypot_scalar(...) end

Symbol.identity = Symbol.copy
---What a window sees, as columns: (batch, channel, *axes) becomes (batch, channel x taps, places), the taps of a channel and the places of the window each in row-major order
---@param ... any|hl.op.im2col
---@return hl.Symbol
function Symbol:im2col(...) end

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param ... any|hl.op._image_adjust_lighting
---@return hl.Symbol
function Symbol:image_adjust_lighting(...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param ... any|hl.op._image_crop
---@return hl.Symbol
function Symbol:image_crop(...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param ... any|hl.op._image_flip_left_right
---@return hl.Symbol
function Symbol:image_flip_left_right(...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.Symbol
function Symbol:image_flip_top_bottom(...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param ... any|hl.op._image_normalize
---@return hl.Symbol
function Symbol:image_normalize(...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_brightness
---@return hl.Symbol
function Symbol:image_random_brightness(...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param ... any|hl.op._image_random_color_jitter
---@return hl.Symbol
function Symbol:image_random_color_jitter(...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_contrast
---@return hl.Symbol
function Symbol:image_random_contrast(...) end

---flip_left_right, or nothing, with a probability of one half
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.Symbol
function Symbol:image_random_flip_left_right(...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.Symbol
function Symbol:image_random_flip_top_bottom(...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param ... any|hl.op._image_random_hue
---@return hl.Symbol
function Symbol:image_random_hue(...) end

---adjust_lighting by three normal numbers of mean 0
---@param ... any|hl.op._image_random_lighting
---@return hl.Symbol
function Symbol:image_random_lighting(...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param ... any|hl.op._image_random_saturation
---@return hl.Symbol
function Symbol:image_random_saturation(...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param ... any|hl.op._image_resize
---@return hl.Symbol
function Symbol:image_resize(...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param ... any|hl.op._image_to_tensor
---@return hl.Symbol
function Symbol:image_to_tensor(...) end

---data[key], in NumPy's meaning: begin:end:step, single places, None, ..., and index arrays. What is one piece of memory shares it with data
---@param i0? hl.Symbol|number|hl.op._index
---@param i1? hl.Symbol|number|hl.op._index
---@param i2? hl.Symbol|number|hl.op._index
---@param i3? hl.Symbol|number|hl.op._index
---@param i4? hl.Symbol|number|hl.op._index
---@param i5? hl.Symbol|number|hl.op._index
---@param i6? hl.Symbol|number|hl.op._index
---@param i7? hl.Symbol|number|hl.op._index
---@param ... any|hl.op._index
---@return hl.Symbol
function Symbol:index(i0, i1, i2, i3, i4, i5, i6, i7, ...) end

---data with data[key] replaced by value, which broadcasts; of elements named several times the last stays. A mask, an array of bool as the whole key, covers the first axes
---@param value? hl.Symbol|number|hl.op._index_assign
---@param i0? hl.Symbol|number|hl.op._index_assign
---@param i1? hl.Symbol|number|hl.op._index_assign
---@param i2? hl.Symbol|number|hl.op._index_assign
---@param i3? hl.Symbol|number|hl.op._index_assign
---@param i4? hl.Symbol|number|hl.op._index_assign
---@param i5? hl.Symbol|number|hl.op._index_assign
---@param i6? hl.Symbol|number|hl.op._index_assign
---@param i7? hl.Symbol|number|hl.op._index_assign
---@param ... any|hl.op._index_assign
---@return hl.Symbol
function Symbol:index_assign(value, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

Symbol.instance_norm = Symbol.InstanceNorm
Symbol.invert = Symbol.bitwise_not
---Is an element a number, neither infinite nor NaN? The result is bool
---@param ... any|hl.op.isfinite
---@return hl.Symbol
function Symbol:isfinite(...) end

---Which elements are among others; bool. A NaN is equal to nothing
---@param test_elements? hl.Symbol|number|hl.op._isin
---@param ... any|hl.op._isin
---@return hl.Symbol
function Symbol:isin(test_elements, ...) end

---Is an element infinite, of either sign? The result is bool
---@param ... any|hl.op.isinf
---@return hl.Symbol
function Symbol:isinf(...) end

---Is an element NaN? The result is bool
---@param ... any|hl.op.isnan
---@return hl.Symbol
function Symbol:isnan(...) end

---Is an element minus infinity? The result is bool
---@param ... any|hl.op.isneginf
---@return hl.Symbol
function Symbol:isneginf(...) end

---Is an element plus infinity? The result is bool
---@param ... any|hl.op.isposinf
---@return hl.Symbol
function Symbol:isposinf(...) end

---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param ... any|hl.op.khatri_rao
---@return hl.Symbol
function Symbol:khatri_rao(...) end

Symbol.l2_normalization = Symbol.L2Normalization
Symbol.l2normalization = Symbol.L2Normalization
---LAMB, phase 1: the step mean / (sqrt(var) + epsilon) + wd weight (Y. You et al., 2019)
---@param grad? hl.Symbol|number|hl.op.lamb_update_phase1
---@param mean? hl.Symbol|number|hl.op.lamb_update_phase1
---@param var? hl.Symbol|number|hl.op.lamb_update_phase1
---@param ... any|hl.op.lamb_update_phase1
---@return hl.Symbol
function Symbol:lamb_update_phase1(grad, mean, var, ...) end

---LAMB, phase 2: weight - lr (r1 / r2) g, r1 being the weight's norm and r2 that of g, the step of phase 1; without the ratio where either is 0
---@param g? hl.Symbol|number|hl.op.lamb_update_phase2
---@param r1? hl.Symbol|number|hl.op.lamb_update_phase2
---@param r2? hl.Symbol|number|hl.op.lamb_update_phase2
---@param ... any|hl.op.lamb_update_phase2
---@return hl.Symbol
function Symbol:lamb_update_phase2(g, r1, r2, ...) end

Symbol.layer_norm = Symbol.LayerNorm
Symbol.leaky_re_lu = Symbol.LeakyReLU
Symbol.leaky_relu = Symbol.LeakyReLU
---a shifted by b: integers with their bits b places to the left; 0 where b is negative or not below the number of bits
---@param rhs? hl.Symbol|number|hl.op.left_shift
---@param ... any|hl.op.left_shift
---@return hl.Symbol
function Symbol:left_shift(rhs, ...) end

---left_shift of x by scalar
---@param ... any|hl.op._left_shift_scalar
---@return hl.Symbol
function Symbol:left_shift_scalar(...) end

Symbol.lesser = Symbol.broadcast_lesser
Symbol.lesser_equal = Symbol.broadcast_lesser_equal
---1 where x <= scalar, else 0
---@param ... any|hl.op._lesser_equal_scalar
---@return hl.Symbol
function Symbol:lesser_equal_scalar(...) end

---1 where x < scalar, else 0
---@param ... any|hl.op._lesser_scalar
---@return hl.Symbol
function Symbol:lesser_scalar(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param ... any|hl.op._linalg_cholesky
---@return hl.Symbol
function Symbol:linalg_cholesky(...) end

---The determinant. The gradient of a singular matrix is 0
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function Symbol:linalg_det(...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param ... any|hl.op._linalg_eigh
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_eigh(...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.Symbol
function Symbol:linalg_eigvalsh(...) end

---The diagonals of square matrices
---@param ... any|hl.op._linalg_extractdiag
---@return hl.Symbol
function Symbol:linalg_extractdiag(...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_extracttrian
---@return hl.Symbol
function Symbol:linalg_extracttrian(...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param ... any|hl.op._linalg_gelqf
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_gelqf(...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param B? hl.Symbol|number|hl.op._linalg_gemm
---@param C? hl.Symbol|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.Symbol
function Symbol:linalg_gemm(B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param B? hl.Symbol|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.Symbol
function Symbol:linalg_gemm2(B, ...) end

---The inverse; linalg.inv is another name of it
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function Symbol:linalg_inverse(...) end

---What linalg.lstsq calls: x with the least |A x - b|, and of those the shortest; sums of squared residuals, where A has more rows than columns; the rank of A. Gradients of x alone, where the rank does not change
---@param b? hl.Symbol|number|hl.op._linalg_lstsq
---@param ... any|hl.op._linalg_lstsq
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_lstsq(b, ...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param ... any|hl.op._linalg_makediag
---@return hl.Symbol
function Symbol:linalg_makediag(...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_maketrian
---@return hl.Symbol
function Symbol:linalg_maketrian(...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.Symbol
function Symbol:linalg_matrix_rank(...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param ... any|hl.op._linalg_pinv
---@return hl.Symbol
function Symbol:linalg_pinv(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function Symbol:linalg_potrf(...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function Symbol:linalg_potri(...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param ... any|hl.op._linalg_qr
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_qr(...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_slogdet(...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param b? hl.Symbol|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.Symbol
function Symbol:linalg_solve(b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function Symbol:linalg_sumlogdiag(...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param ... any|hl.op._linalg_svd
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_svd(...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param ... any|hl.op._linalg_syevd
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_syevd(...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param ... any|hl.op._linalg_syrk
---@return hl.Symbol
function Symbol:linalg_syrk(...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param B? hl.Symbol|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.Symbol
function Symbol:linalg_trmm(B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param B? hl.Symbol|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.Symbol
function Symbol:linalg_trsm(B, ...) end

Symbol.linear_regression_output = Symbol.LinearRegressionOutput
---The natural logarithm
---@param ... any|hl.op.log
---@return hl.Symbol
function Symbol:log(...) end

---The logarithm to base 10
---@param ... any|hl.op.log10
---@return hl.Symbol
function Symbol:log10(...) end

---log(1 + x), exact near 0
---@param ... any|hl.op.log1p
---@return hl.Symbol
function Symbol:log1p(...) end

---The logarithm to base 2
---@param ... any|hl.op.log2
---@return hl.Symbol
function Symbol:log2(...) end

---log(1 / (1 + e^-x)), also far from 0
---@param ... any|hl.op.log_sigmoid
---@return hl.Symbol
function Symbol:log_sigmoid(...) end

---The logarithm of softmax, without its rounding: x - log of the sum of e^x
---@param ... any|hl.op.log_softmax
---@return hl.Symbol
function Symbol:log_softmax(...) end

---log(e^a + e^b), without overflow
---@param rhs? hl.Symbol|number|hl.op.logaddexp
---@param ... any|hl.op.logaddexp
---@return hl.Symbol
function Symbol:logaddexp(rhs, ...) end

Symbol.logical_and = Symbol.broadcast_logical_and
---1 where x and scalar are not 0, else 0
---@param ... any|hl.op._logical_and_scalar
---@return hl.Symbol
function Symbol:logical_and_scalar(...) end

---1 where x is 0, else 0, in x's dtype
---@param ... any|hl.op.logical_not
---@return hl.Symbol
function Symbol:logical_not(...) end

Symbol.logical_or = Symbol.broadcast_logical_or
---1 where x or scalar is not 0, else 0
---@param ... any|hl.op._logical_or_scalar
---@return hl.Symbol
function Symbol:logical_or_scalar(...) end

Symbol.logical_xor = Symbol.broadcast_logical_xor
---1 where exactly one of x and scalar is not 0, else 0
---@param ... any|hl.op._logical_xor_scalar
---@return hl.Symbol
function Symbol:logical_xor_scalar(...) end

Symbol.logistic_regression_output = Symbol.LogisticRegressionOutput
Symbol.lrn = Symbol.LRN
Symbol.mae_regression_output = Symbol.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param ... any|hl.op.make_loss
---@return hl.Symbol
function Symbol:make_loss(...) end

---The product of matrices, the last two axes; the axes before them broadcast, as in NumPy. A vector is a row on the left and a column on the right; two vectors give shape (1,). Integers too
---@param b? hl.Symbol|number|hl.op.matmul
---@param ... any|hl.op.matmul
---@return hl.Symbol
function Symbol:matmul(b, ...) end

---The greatest element over axes; NaN wins. Equals each get the whole gradient
---@param ... any|hl.op.max
---@return hl.Symbol
function Symbol:max(...) end

Symbol.max_axis = Symbol.max
Symbol.maximum = Symbol.broadcast_maximum
---The larger of x and scalar; NaN wins
---@param ... any|hl.op._maximum_scalar
---@return hl.Symbol
function Symbol:maximum_scalar(...) end

---The mean over axes; of integers and truth values a float32
---@param ... any|hl.op.mean
---@return hl.Symbol
function Symbol:mean(...) end

---The least element over axes; NaN wins. Equals each get the whole gradient
---@param ... any|hl.op.min
---@return hl.Symbol
function Symbol:min(...) end

Symbol.min_axis = Symbol.min
Symbol.minimum = Symbol.broadcast_minimum
---The smaller of x and scalar; NaN wins
---@param ... any|hl.op._minimum_scalar
---@return hl.Symbol
function Symbol:minimum_scalar(...) end

Symbol.minus = Symbol.elemwise_sub
---x - scalar
---@param ... any|hl.op._minus_scalar
---@return hl.Symbol
function Symbol:minus_scalar(...) end

---x tanh(log(1 + e^x)) (D. Misra, 2019)
---@param ... any|hl.op.mish
---@return hl.Symbol
function Symbol:mish(...) end

Symbol.mod = Symbol.broadcast_mod
---x modulo scalar, with the sign of scalar
---@param ... any|hl.op._mod_scalar
---@return hl.Symbol
function Symbol:mod_scalar(...) end

Symbol.modulo = Symbol.broadcast_mod
---The mean over axes and the mean of the squared distances from it: a table of two
---@param ... any|hl.op.moments
---@return hl.Symbol|hl.Symbol[]
function Symbol:moments(...) end

Symbol.mul = Symbol.broadcast_mul
---x * scalar
---@param ... any|hl.op._mul_scalar
---@return hl.Symbol
function Symbol:mul_scalar(...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.multi_all_finite
---@return hl.Symbol
function Symbol:multi_all_finite(...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param weights_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param grads_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param wds? hl.Symbol|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.Symbol
function Symbol:multi_lars(weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.Symbol[]
function Symbol:multi_sgd_mom_update(...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param ... any|hl.op.multi_sgd_update
---@return hl.Symbol[]
function Symbol:multi_sgd_update(...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param ... any|hl.op.multi_sum_sq
---@return hl.Symbol
function Symbol:multi_sum_sq(...) end

Symbol.multiply = Symbol.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param grad? hl.Symbol|number|hl.op.nag_mom_update
---@param mom? hl.Symbol|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.Symbol
function Symbol:nag_mom_update(grad, mom, ...) end

---Finite numbers for those that are not: 0 for NaN and the greatest of the dtype for infinities, or what is given
---@param ... any|hl.op.nan_to_num
---@return hl.Symbol
function Symbol:nan_to_num(...) end

---The product over axes, NaN counting as 1
---@param ... any|hl.op.nanprod
---@return hl.Symbol
function Symbol:nanprod(...) end

---The sum over axes, NaN counting as 0
---@param ... any|hl.op.nansum
---@return hl.Symbol
function Symbol:nansum(...) end

----x
---@param ... any|hl.op.negative
---@return hl.Symbol
function Symbol:negative(...) end

---The 1- or 2-norm over axes; where squares would under- or overflow they are scaled (J. Blue, 1978)
---@param ... any|hl.op.norm
---@return hl.Symbol
function Symbol:norm(...) end

Symbol.not_equal = Symbol.broadcast_not_equal
---1 where x differs from scalar, else 0
---@param ... any|hl.op._not_equal_scalar
---@return hl.Symbol
function Symbol:not_equal_scalar(...) end

Symbol.np_all = Symbol.all
Symbol.np_any = Symbol.any
Symbol.np_cumsum = Symbol.cumsum
---The elements moved along axes; those that leave at the end come in at the beginning. Without an axis, all as one line
---@param ... any|hl.op.roll
---@return hl.Symbol
function Symbol:np_roll(...) end

Symbol.npi_bitwise_and = Symbol.bitwise_and
---Of integers, the bits that both have, x and scalar; of bool and floats, 1 where both are not 0, else 0
---@param ... any|hl.op._npi_bitwise_and_scalar
---@return hl.Symbol
function Symbol:npi_bitwise_and_scalar(...) end

Symbol.npi_bitwise_not = Symbol.bitwise_not
Symbol.npi_bitwise_or = Symbol.bitwise_or
---Of integers, the bits that one of them has, x and scalar; of bool and floats, 1 where one is not 0, else 0
---@param ... any|hl.op._npi_bitwise_or_scalar
---@return hl.Symbol
function Symbol:npi_bitwise_or_scalar(...) end

Symbol.npi_bitwise_xor = Symbol.bitwise_xor
---Of integers, the bits that exactly one has, x and scalar; of bool and floats, 1 where exactly one is not 0, else 0
---@param ... any|hl.op._npi_bitwise_xor_scalar
---@return hl.Symbol
function Symbol:npi_bitwise_xor_scalar(...) end

Symbol.npi_cholesky = Symbol.linalg_cholesky
Symbol.npi_eigh = Symbol.linalg_eigh
Symbol.npi_eigvalsh = Symbol.linalg_eigvalsh
Symbol.npi_full_like = Symbol.full_like
Symbol.npi_inv = Symbol.linalg_inverse
Symbol.npi_isfinite = Symbol.isfinite
Symbol.npi_isinf = Symbol.isinf
Symbol.npi_isnan = Symbol.isnan
Symbol.npi_isneginf = Symbol.isneginf
Symbol.npi_isposinf = Symbol.isposinf
Symbol.npi_matmul = Symbol.matmul
Symbol.npi_qr = Symbol.linalg_qr
Symbol.npi_solve = Symbol.linalg_solve
---The standard deviation over axes: the square root of var. Where it is 0 its gradient is 0
---@param ... any|hl.op.std
---@return hl.Symbol
function Symbol:npi_std(...) end

---Matrices, the last two axes, with zeros above diagonal k. A vector stands for a matrix of such rows
---@param ... any|hl.op.tril
---@return hl.Symbol
function Symbol:npi_tril(...) end

---Matrices, the last two axes, with zeros below diagonal k. A vector stands for a matrix of such rows
---@param ... any|hl.op.triu
---@return hl.Symbol
function Symbol:npi_triu(...) end

---The variance over axes: the sum of the squared distances from the mean, divided by their number less ddof. 0 where all are equal; NaN of no elements
---@param ... any|hl.op.var
---@return hl.Symbol
function Symbol:npi_var(...) end

---x where the condition is not 0, y elsewhere; all three broadcast
---@param x? hl.Symbol|number|hl.op._npi_where
---@param y? hl.Symbol|number|hl.op._npi_where
---@param ... any|hl.op._npi_where
---@return hl.Symbol
function Symbol:npi_where(x, y, ...) end

---on_value at the place that each index names along a new last axis, off_value elsewhere
---@param ... any|hl.op.one_hot
---@return hl.Symbol
function Symbol:one_hot(...) end

---Ones of data's shape and dtype
---@param ... any|hl.op.ones_like
---@return hl.Symbol
function Symbol:ones_like(...) end

Symbol.pad = Symbol.Pad
Symbol.pick = Symbol.choose_element_0index
Symbol.plus = Symbol.elemwise_add
---x + scalar
---@param ... any|hl.op._plus_scalar
---@return hl.Symbol
function Symbol:plus_scalar(...) end

Symbol.pooling = Symbol.Pooling
Symbol.pow = Symbol.broadcast_power
Symbol.power = Symbol.broadcast_power
---x to the power of scalar
---@param ... any|hl.op._power_scalar
---@return hl.Symbol
function Symbol:power_scalar(...) end

---The input, printed on standard output whenever it is computed: eagerly, compiled, and in each iteration of a loop, in the script's order
---@param ... any|hl.op.print
---@return hl.Symbol
function Symbol:print(...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param ... any|hl.op.prod
---@return hl.Symbol
function Symbol:prod(...) end

---Quantiles along axes, a number or several, which become the first axis. A NaN makes its line's NaN (R. Hyndman, Y. Fan, "Sample quantiles in statistical packages", 1996)
---@param ... any|hl.op._quantile
---@return hl.Symbol
function Symbol:quantile(...) end

---scalar / x
---@param ... any|hl.op._rdiv_scalar
---@return hl.Symbol
function Symbol:r_div_scalar(...) end

---scalar - x
---@param ... any|hl.op._rminus_scalar
---@return hl.Symbol
function Symbol:r_minus_scalar(...) end

---scalar modulo x, with the sign of x
---@param ... any|hl.op._rmod_scalar
---@return hl.Symbol
function Symbol:r_mod_scalar(...) end

---scalar to the power of x
---@param ... any|hl.op._rpower_scalar
---@return hl.Symbol
function Symbol:r_power_scalar(...) end

---Degrees to radians
---@param ... any|hl.op.radians
---@return hl.Symbol
function Symbol:radians(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param ... any|hl.op._random_exponential_like
---@return hl.Symbol
function Symbol:random_exponential_like(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param ... any|hl.op._random_gamma_like
---@return hl.Symbol
function Symbol:random_gamma_like(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.Symbol
function Symbol:random_generalized_negative_binomial_like(...) end

---How many failures come before k successes, with data's shape and dtype
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.Symbol
function Symbol:random_negative_binomial_like(...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param ... any|hl.op._random_normal_like
---@return hl.Symbol
function Symbol:random_normal_like(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param ... any|hl.op._random_poisson_like
---@return hl.Symbol
function Symbol:random_poisson_like(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param ... any|hl.op._random_uniform_like
---@return hl.Symbol
function Symbol:random_uniform_like(...) end

---Index tuples, one a column, as positions in an array of a shape
---@param ... any|hl.op._ravel_multi_index
---@return hl.Symbol
function Symbol:ravel_multi_index(...) end

---1 / cbrt(x)
---@param ... any|hl.op.rcbrt
---@return hl.Symbol
function Symbol:rcbrt(...) end

Symbol.rdiv_scalar = Symbol.r_div_scalar
---1 / x
---@param ... any|hl.op.reciprocal
---@return hl.Symbol
function Symbol:reciprocal(...) end

---max(x, 0); NaN stays
---@param ... any|hl.op.relu
---@return hl.Symbol
function Symbol:relu(...) end

---Each element along an axis repeated; without an axis, each of the flattened array
---@param ... any|hl.op.repeat
---@return hl.Symbol
function Symbol:repeat_(...) end

Symbol.reshape = Symbol.Reshape
---lhs in the shape of rhs, or some axes of lhs replaced by some axes of rhs
---@param rhs? hl.Symbol|number|hl.op.reshape_like
---@param ... any|hl.op.reshape_like
---@return hl.Symbol
function Symbol:reshape_like(rhs, ...) end

Symbol.reverse = Symbol.flip
---scalar / x rounded down, Lua's scalar // x
---@param ... any|hl.op._rfloor_divide_scalar
---@return hl.Symbol
function Symbol:rfloor_divide_scalar(...) end

---a shifted by b: integers with their bits b places to the right, as NumPy's: negative ones stay negative. A shift by a negative b, or by all bits, gives 0, or -1 for a negative number
---@param rhs? hl.Symbol|number|hl.op.right_shift
---@param ... any|hl.op.right_shift
---@return hl.Symbol
function Symbol:right_shift(rhs, ...) end

---right_shift of x by scalar
---@param ... any|hl.op._right_shift_scalar
---@return hl.Symbol
function Symbol:right_shift_scalar(...) end

---To the nearest integer, ties to the lower one
---@param ... any|hl.op.rint
---@return hl.Symbol
function Symbol:rint(...) end

---left_shift of scalar by x
---@param ... any|hl.op._rleft_shift_scalar
---@return hl.Symbol
function Symbol:rleft_shift_scalar(...) end

Symbol.rminus_scalar = Symbol.r_minus_scalar
Symbol.rmod_scalar = Symbol.r_mod_scalar
Symbol.rms_norm = Symbol.RMSNorm
---d = grad + wd weight; n the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) (T. Tieleman, G. Hinton, 2012)
---@param grad? hl.Symbol|number|hl.op.rmsprop_update
---@param n? hl.Symbol|number|hl.op.rmsprop_update
---@param ... any|hl.op.rmsprop_update
---@return hl.Symbol
function Symbol:rmsprop_update(grad, n, ...) end

---n and g the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - g^2 + epsilon); weight + delta (A. Graves, 2013)
---@param grad? hl.Symbol|number|hl.op.rmspropalex_update
---@param n? hl.Symbol|number|hl.op.rmspropalex_update
---@param g? hl.Symbol|number|hl.op.rmspropalex_update
---@param delta? hl.Symbol|number|hl.op.rmspropalex_update
---@param ... any|hl.op.rmspropalex_update
---@return hl.Symbol
function Symbol:rmspropalex_update(grad, n, g, delta, ...) end

Symbol.rnn = Symbol.RNN
---Concat, as graphs with fused recurrent layers hold it
---@param ... any|hl.op._rnn_param_concat
---@return hl.Symbol
function Symbol:rnn_param_concat(...) end

Symbol.roi_pooling = Symbol.ROIPooling
Symbol.roll = Symbol.np_roll
---To the nearest integer, ties away from 0
---@param ... any|hl.op.round
---@return hl.Symbol
function Symbol:round(...) end

Symbol.rpower_scalar = Symbol.r_power_scalar
---right_shift of scalar by x
---@param ... any|hl.op._rright_shift_scalar
---@return hl.Symbol
function Symbol:rright_shift_scalar(...) end

---1 / sqrt(x)
---@param ... any|hl.op.rsqrt
---@return hl.Symbol
function Symbol:rsqrt(...) end

---Which elements differ from the one before them; bool. A NaN equals a NaN
---@param ... any|hl.op._run_starts
---@return hl.Symbol
function Symbol:run_starts(...) end

---Exponentially distributed numbers of mean 1 / lam, for each element of the parameters
---@param ... any|hl.op._sample_exponential
---@return hl.Symbol
function Symbol:sample_exponential(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), for each element of the parameters
---@param beta? hl.Symbol|number|hl.op._sample_gamma
---@param ... any|hl.op._sample_gamma
---@return hl.Symbol
function Symbol:sample_gamma(beta, ...) end

---Negative binomial counts by their mean and dispersion, for each element of the parameters
---@param alpha? hl.Symbol|number|hl.op._sample_generalized_negative_binomial
---@param ... any|hl.op._sample_generalized_negative_binomial
---@return hl.Symbol
function Symbol:sample_generalized_negative_binomial(alpha, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param ... any|hl.op._sample_multinomial
---@return hl.Symbol|hl.Symbol[]
function Symbol:sample_multinomial(...) end

---How many failures come before k successes, for each element of the parameters
---@param p? hl.Symbol|number|hl.op._sample_negative_binomial
---@param ... any|hl.op._sample_negative_binomial
---@return hl.Symbol
function Symbol:sample_negative_binomial(p, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), for each element of the parameters
---@param sigma? hl.Symbol|number|hl.op._sample_normal
---@param ... any|hl.op._sample_normal
---@return hl.Symbol
function Symbol:sample_normal(sigma, ...) end

---Poisson distributed counts (W. Hoermann, 1993), for each element of the parameters
---@param ... any|hl.op._sample_poisson
---@return hl.Symbol
function Symbol:sample_poisson(...) end

---Numbers spread evenly over [low, high), for each element of the parameters
---@param high? hl.Symbol|number|hl.op._sample_uniform
---@param ... any|hl.op._sample_uniform
---@return hl.Symbol
function Symbol:sample_uniform(high, ...) end

---Zeros of a shape, with the elements or slices that the columns of indices name set; the last one of equals stays
---@param indices? hl.Symbol|number|hl.op.scatter_nd
---@param ... any|hl.op.scatter_nd
---@return hl.Symbol
function Symbol:scatter_nd(indices, ...) end

---Where values would go among the elements of a, which rise, to keep their order: before those equal to them, or after. int64. A NaN is greater than all numbers
---@param v? hl.Symbol|number|hl.op._searchsorted
---@param ... any|hl.op._searchsorted
---@return hl.Symbol
function Symbol:searchsorted(v, ...) end

Symbol.sequence_last = Symbol.SequenceLast
Symbol.sequence_mask = Symbol.SequenceMask
Symbol.sequence_reverse = Symbol.SequenceReverse
---mom = momentum mom - lr (grad + wd weight); weight + mom
---@param grad? hl.Symbol|number|hl.op.sgd_mom_update
---@param mom? hl.Symbol|number|hl.op.sgd_mom_update
---@param ... any|hl.op.sgd_mom_update
---@return hl.Symbol
function Symbol:sgd_mom_update(grad, mom, ...) end

---weight - lr (grad + wd weight)
---@param grad? hl.Symbol|number|hl.op.sgd_update
---@param ... any|hl.op.sgd_update
---@return hl.Symbol
function Symbol:sgd_update(grad, ...) end

---The shape as an array of int64
---@param ... any|hl.op.shape_array
---@return hl.Symbol
function Symbol:shape_array(...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param ... any|hl.op._shuffle
---@return hl.Symbol
function Symbol:shuffle(...) end

---1 / (1 + e^-x)
---@param ... any|hl.op.sigmoid
---@return hl.Symbol
function Symbol:sigmoid(...) end

----1, 0 or 1; NaN stays
---@param ... any|hl.op.sign
---@return hl.Symbol
function Symbol:sign(...) end

---(1 - lr wd) weight - lr sign(grad)
---@param grad? hl.Symbol|number|hl.op.signsgd_update
---@param ... any|hl.op.signsgd_update
---@return hl.Symbol
function Symbol:signsgd_update(grad, ...) end

---mom = momentum mom - (1 - momentum) (grad + wd weight); (1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)
---@param grad? hl.Symbol|number|hl.op.signum_update
---@param mom? hl.Symbol|number|hl.op.signum_update
---@param ... any|hl.op.signum_update
---@return hl.Symbol
function Symbol:signum_update(grad, mom, ...) end

---x sigmoid(x), also called swish (S. Elfwing et al., 2017)
---@param ... any|hl.op.silu
---@return hl.Symbol
function Symbol:silu(...) end

---The sine; x in radians
---@param ... any|hl.op.sin
---@return hl.Symbol
function Symbol:sin(...) end

---The hyperbolic sine
---@param ... any|hl.op.sinh
---@return hl.Symbol
function Symbol:sinh(...) end

---The number of elements as an array of one int64
---@param ... any|hl.op.size_array
---@return hl.Symbol
function Symbol:size_array(...) end

Symbol.slice = Symbol.crop
Symbol.slice_assign = Symbol.crop_assign
Symbol.slice_assign_scalar = Symbol.crop_assign_scalar
---begin:end of one axis; an error outside the axis
---@param ... any|hl.op.slice_axis
---@return hl.Symbol
function Symbol:slice_axis(...) end

Symbol.slice_channel = Symbol.SliceChannel
---data from the beginning of each axis up to the dimension of shape_like
---@param shape_like? hl.Symbol|number|hl.op.slice_like
---@param ... any|hl.op.slice_like
---@return hl.Symbol
function Symbol:slice_like(shape_like, ...) end

---0.5 (s x)^2 where |x| < 1 / s^2, |x| - 0.5 / s^2 elsewhere (s the scalar)
---@param ... any|hl.op.smooth_l1
---@return hl.Symbol
function Symbol:smooth_l1(...) end

---e^x / sum of e^x along an axis
---@param length? hl.Symbol|number|hl.op.softmax
---@param ... any|hl.op.softmax
---@return hl.Symbol
function Symbol:softmax(length, ...) end

Symbol.softmax_activation = Symbol.SoftmaxActivation
---The sum over rows of -log softmax(data)[label]; shape (1,)
---@param label? hl.Symbol|number|hl.op.softmax_cross_entropy
---@param ... any|hl.op.softmax_cross_entropy
---@return hl.Symbol
function Symbol:softmax_cross_entropy(label, ...) end

Symbol.softmax_output = Symbol.Softmax
---softmax of -x
---@param ... any|hl.op.softmin
---@return hl.Symbol
function Symbol:softmin(...) end

---log(1 + e^x)
---@param ... any|hl.op._softrelu
---@return hl.Symbol
function Symbol:softrelu(...) end

---x / (1 + |x|)
---@param ... any|hl.op.softsign
---@return hl.Symbol
function Symbol:softsign(...) end

---The elements along an axis in order. NaNs come last, upwards and downwards
---@param ... any|hl.op.sort
---@return hl.Symbol
function Symbol:sort(...) end

---Square blocks of height and width rearranged into channels
---@param ... any|hl.op.space_to_depth
---@return hl.Symbol
function Symbol:space_to_depth(...) end

Symbol.sparse_adagrad_update = Symbol.adagrad_update
Symbol.spatial_transformer = Symbol.SpatialTransformer
Symbol.split = Symbol.SliceChannel
---Parts of an axis that begin at given places, or a number of parts as equal as can be
---@param ... any|hl.op._split_v2
---@return hl.Symbol[]
function Symbol:split_v2(...) end

---The square root
---@param ... any|hl.op.sqrt
---@return hl.Symbol
function Symbol:sqrt(...) end

---x^2
---@param ... any|hl.op.square
---@return hl.Symbol
function Symbol:square(...) end

---Without the axes of dimension 1; an array of one element keeps shape (1,)
---@param ... any|hl.op.squeeze
---@return hl.Symbol
function Symbol:squeeze(...) end

---Arrays of one shape joined along a new axis
---@param ... any|hl.op.stack
---@return hl.Symbol
function Symbol:stack(...) end

Symbol.std = Symbol.npi_std
Symbol.stop_gradient = Symbol.BlockGrad
Symbol.sub = Symbol.broadcast_minus
Symbol.subtract = Symbol.broadcast_minus
---The sum over axes. Of bools, how many are true, as int64
---@param ... any|hl.op.sum
---@return hl.Symbol
function Symbol:sum(...) end

Symbol.sum_axis = Symbol.sum
Symbol.svm_output = Symbol.SVMOutput
Symbol.swap_axis = Symbol.SwapAxis
Symbol.swapaxes = Symbol.SwapAxis
---The slices of a along an axis that the indices name, whose axes replace it
---@param indices? hl.Symbol|number|hl.op.take
---@param ... any|hl.op.take
---@return hl.Symbol
function Symbol:take(indices, ...) end

---The elements at places along an axis, for each line its own: what argsort and argmax point at. Negative places count from the end
---@param indices? hl.Symbol|number|hl.op.take_along_axis
---@param ... any|hl.op.take_along_axis
---@return hl.Symbol
function Symbol:take_along_axis(indices, ...) end

---The tangent; x in radians
---@param ... any|hl.op.tan
---@return hl.Symbol
function Symbol:tan(...) end

---The hyperbolic tangent
---@param ... any|hl.op.tanh
---@return hl.Symbol
function Symbol:tanh(...) end

---The whole array repeated along its axes, new leading axes where reps has more
---@param ... any|hl.op.tile
---@return hl.Symbol
function Symbol:tile(...) end

---The k greatest elements along an axis, greatest first: their places, their values, both, or a mask of data's shape with 1 at their places. Of equal elements the first comes first; NaNs come last
---@param ... any|hl.op.topk
---@return hl.Symbol|hl.Symbol[]
function Symbol:topk(...) end

---The axes in another order, reversed by default
---@param ... any|hl.op.transpose
---@return hl.Symbol
function Symbol:transpose(...) end

---The derivative of digamma
---@param ... any|hl.op.trigamma
---@return hl.Symbol
function Symbol:trigamma(...) end

Symbol.tril = Symbol.npi_tril
Symbol.triu = Symbol.npi_triu
Symbol.true_divide = Symbol.broadcast_div
---x without its fraction
---@param ... any|hl.op.trunc
---@return hl.Symbol
function Symbol:trunc(...) end

---Positions in an array of a shape as index tuples, one a column
---@param ... any|hl.op._unravel_index
---@return hl.Symbol
function Symbol:unravel_index(...) end

Symbol.up_sampling = Symbol.UpSampling
Symbol.var = Symbol.npi_var
---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows. x and y may be numbers
---@param x? hl.Symbol|number|hl.op.where
---@param y? hl.Symbol|number|hl.op.where
---@param ... any|hl.op.where
---@return hl.Symbol
function Symbol:where(x, y, ...) end

---Zeros of data's shape and dtype
---@param ... any|hl.op.zeros_like
---@return hl.Symbol
function Symbol:zeros_like(...) end


---@class hl.nd
---@field random hl.nd.random
---@field linalg hl.nd.linalg
---@field contrib hl.nd.contrib
---@field image hl.nd.image
local nd = {}

---@class nd.allclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Are all elements of two arrays close, as isclose says? One bool, of shape (1,): an array, in a graph too, so write
---`if a:almost_equal(b) then` where Lua asks. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---MXNet's operator, which takes NaN as equal, is nd.contrib.allclose.
---@overload fun(a?: any|nd.allclose.options, b?: any|nd.allclose.options, rtol?: number|nd.allclose.options, atol?: number|nd.allclose.options, equal_nan?: boolean|nd.allclose.options): any
---@return any
function nd.allclose(...) end

---@class nd.almost_equal.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---The same as one of Lua's booleans, for `if` and `assert`: assert(a:almost_equal(b)). It reads the values, so it is
---for arrays, not for Symbols. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---@overload fun(a?: any|nd.almost_equal.options, b?: any|nd.almost_equal.options, rtol?: number|nd.almost_equal.options, atol?: number|nd.almost_equal.options, equal_nan?: boolean|nd.almost_equal.options): any
---@return any
function nd.almost_equal(...) end

---@class nd.argpartition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The places, int64, of the elements as partition gives them.
---@overload fun(a?: any|nd.argpartition.options, kth?: any|nd.argpartition.options, axis?: integer|nd.argpartition.options): any
---@return any
function nd.argpartition(...) end

---A new array from nested tables, a number or an NDArray; float32 unless dtype says so.
---nd.array({{1, 2}, {3, 4}}), nd.array{1, 2, dtype = "int32"}, nd.array(x, {dtype = "float64"}).
---An NDArray keeps its dtype. It is made in the current context, or in that of the option ctx. Errors: ragged
---tables, what is no number.
---@param source? any
---@param options? any
---@return any
function nd.array(source, options, ...) end

---A 0-d array as a vector of one; others as they are. Several arrays give a table.
---@return any
function nd.atleast_1d(...) end

---A vector as a matrix of one row; what has two dimensions or more as it is. Several arrays give a table.
---@return any
function nd.atleast_2d(...) end

---A vector of n as (1, n, 1), a matrix (m, n) as (m, n, 1), others as they are. Several arrays give a table.
---@return any
function nd.atleast_3d(...) end

---@class nd.average.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field weights? any
---@field returned? boolean Default: false.
---@field keepdims? boolean Default: false.

---The mean over axes (all), each element counted by its weight: average(x, axis, weights).
---Options: axis, weights (an array of x's shape, or a vector along the axis), returned (false): a table of the average
---and the sum of the weights; keepdims (false).
---@overload fun(data?: any|nd.average.options, axis?: integer|nd.average.options, weights?: any|nd.average.options, returned?: boolean|nd.average.options, keepdims?: boolean|nd.average.options): any
---@return any
function nd.average(...) end

---Vectors as the columns of a matrix, beside the columns of matrices. column_stack{a, b}, or column_stack(a, b).
---@return any
function nd.column_stack(...) end

---@class nd.concatenate.options
---@field [integer] any
---@field arrays? any[]
---@field axis? integer

---Joins a table of arrays along an axis (0): concat under an older name.
---@param arrays? any
---@param axis? any
---@overload fun(arrays?: any[]|nd.concatenate.options, axis?: integer|nd.concatenate.options): any
---@return any
function nd.concatenate(arrays, axis) end

---@class nd.cond.options
---@field [integer] any
---@field pred? any
---@field then_func? any
---@field else_func? any
---@field name? string

---cond(pred, then_func, else_func): what then_func() returns if pred is true, else what else_func() does. pred is an
---array of one element, or a number or boolean. In a graph both run once, and what they return must be of one form and
---type; only the branch that is taken is computed. Options: name.
---@overload fun(pred?: any|nd.cond.options, then_func?: any|nd.cond.options, else_func?: any|nd.cond.options, name?: string|nd.cond.options): any
---@return any
function nd.cond(...) end

---@class nd.corrcoef.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.

---The correlations of variables: their covariances divided by their standard deviations. Options: rowvar (true), y.
---@overload fun(m?: any|nd.corrcoef.options, y?: any|nd.corrcoef.options, rowvar?: boolean|nd.corrcoef.options): any
---@return any
function nd.corrcoef(...) end

---@class nd.cov.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.
---@field bias? boolean Default: false.
---@field ddof? any

---The covariances of variables, whose observations are the rows of m (the columns, if rowvar is false), and those of y
---if it is given. A matrix; of one variable, (1, 1).
---Options: rowvar (true), bias (false): divide by n instead of n - 1; ddof: divide by n - ddof.
---@overload fun(m?: any|nd.cov.options, y?: any|nd.cov.options, rowvar?: boolean|nd.cov.options, bias?: boolean|nd.cov.options, ddof?: any|nd.cov.options): any
---@return any
function nd.cov(...) end

---@class nd.cross.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axisa? number Default: -1.
---@field axisb? number Default: -1.
---@field axisc? number Default: -1.
---@field axis? integer

---The vector product of vectors with 2 or 3 components, which are along the last axis; the other axes broadcast. Of
---two with 2 components, the third of the product alone.
---Options: axisa, axisb, axisc (-1): the axis of the components in a, in b, in the result; axis: all three.
---@overload fun(a?: any|nd.cross.options, b?: any|nd.cross.options, axisa?: number|nd.cross.options, axisb?: number|nd.cross.options, axisc?: number|nd.cross.options, axis?: integer|nd.cross.options): any
---@return any
function nd.cross(...) end

---@class nd.diff.options
---@field [integer] any
---@field data? any
---@field n? number Default: 1.
---@field axis? integer Default: -1.
---@field prepend? any
---@field append? any

---The differences of neighbours, x[i + 1] - x[i], along an axis, n times over. diff(x, n, {axis = 0}).
---Options: n (1), axis (-1), prepend, append: numbers or arrays that are put before and after x first.
---@overload fun(data?: any|nd.diff.options, n?: number|nd.diff.options, axis?: integer|nd.diff.options, prepend?: any|nd.diff.options, append?: any|nd.diff.options): any
---@return any
function nd.diff(...) end

---Arrays stacked along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
---@return any
function nd.dstack(...) end

---Einstein's summation: einsum("ij,jk->ik", a, b) is the product of two matrices. Before the arrow a term for each
---operand names its axes by letters, after it are those of the result; a letter that is not there is summed over.
---Without an arrow the result has the letters that stand once, in alphabetical order. A letter twice in a term is a
---diagonal: "ii" the trace, "ii->i" the diagonal. "..." stands for any number of axes, which broadcast.
---A result without letters has shape (1,). Any number of operands, of one dtype; a sum of products of two of them is
---made by matmul, and of more the two that leave the fewest letters come first. Options: optimize, for NumPy's sake.
---@param subscripts? any
---@return any
function nd.einsum(subscripts, ...) end

---The places of the elements that are not 0 in the flattened array; int64.
---@return any
function nd.flatnonzero(...) end

---The columns (axis 1) in the opposite order.
---@return any
function nd.fliplr(...) end

---The rows (axis 0) in the opposite order.
---@return any
function nd.flipud(...) end

---@class nd.foreach.options
---@field [integer] any
---@field body? any
---@field data? any
---@field states? any
---@field name? string

---foreach(body, data, states): body(item, states) for each row of data along its first axis; it returns outputs and
---new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data, states and
---outputs are arrays, or lists of them, and come back as they were given. Other arrays that body reads are captured,
---with their gradients; each call counts as one block call. In a graph body runs once, and the loop is one node.
---Options: name.
---@overload fun(body?: any|nd.foreach.options, data?: any|nd.foreach.options, states?: any|nd.foreach.options, name?: string|nd.foreach.options): any
---@return any
function nd.foreach(...) end

---An array of the bytes of a string, little-endian, in row-major order.
---@param bytes? any
---@param shape? any
---@param dtype? any
---@return hl.NDArray
function nd.from_bytes(bytes, shape, dtype) end

---@class nd.gelu.options
---@field [integer] any
---@field data? any
---@field approximate? string Default: 'none'.

---x Phi(x), Phi being the normal distribution's function (D. Hendrycks, K. Gimpel, 2016).
---Options: approximate: "none" (exact, by erf), "tanh" (or true): 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
---@overload fun(data?: any|nd.gelu.options, approximate?: string|nd.gelu.options): any
---@return any
function nd.gelu(...) end

---@class nd.geomspace.options
---@field [integer] any
---@field start? any
---@field stop? any
---@field num? number Default: 50.
---@field endpoint? boolean Default: true.
---@field dtype? hl.DType Default: 'float32'.

---num numbers from start to stop, each the same multiple of the one before. geomspace(start, stop, num).
---Options: num (50), endpoint (true): does stop belong to them? dtype ("float32").
---@param F? any
---@overload fun(start?: any|nd.geomspace.options, stop?: any|nd.geomspace.options, num?: number|nd.geomspace.options, endpoint?: boolean|nd.geomspace.options, dtype?: hl.DType|nd.geomspace.options): any
---@return any
function nd.geomspace(F, ...) end

---Arrays side by side, along axis 1 (vectors: one after the other). hstack{a, b}, or hstack(a, b).
---@return any
function nd.hstack(...) end

---@class nd.in1d.options
---@field [integer] any
---@field ar1? any
---@field ar2? any
---@field assume_unique? any
---@field invert? boolean Default: false.

---isin of all elements, as one axis.
---@overload fun(ar1?: any|nd.in1d.options, ar2?: any|nd.in1d.options, assume_unique?: any|nd.in1d.options, invert?: boolean|nd.in1d.options): any
---@return any
function nd.in1d(...) end

---@class nd.indices.options
---@field [integer] any
---@field dimensions? any[]
---@field dtype? hl.DType Default: 'int64'.

---The indices of an array's elements: indices{2, 3} has shape (2, 2, 3), and its part i says of each place where it
---lies along axis i. Options: dtype ("int64").
---@param F? any
---@overload fun(dimensions?: any[]|nd.indices.options, dtype?: hl.DType|nd.indices.options): any
---@return any
function nd.indices(F, ...) end

---@class nd.inner.options
---@field [integer] any
---@field a? any
---@field b? any

---The product summed over the last axis of both. Two vectors give shape (1,).
---@overload fun(a?: any|nd.inner.options, b?: any|nd.inner.options): any
---@return any
function nd.inner(...) end

---@class nd.interp.options
---@field [integer] any
---@field x? any
---@field xp? any
---@field fp? any
---@field left? any
---@field right? any
---@field period? any

---The piecewise linear function through the points (xp, fp), whose xp rise, at x. Left of them it is fp's first value
---or `left`, right of them the last or `right`; with `period` it repeats, and xp need not rise. Differentiable by x, xp
---and fp.
---@overload fun(x?: any|nd.interp.options, xp?: any|nd.interp.options, fp?: any|nd.interp.options, left?: any|nd.interp.options, right?: any|nd.interp.options, period?: any|nd.interp.options): any
---@return any
function nd.interp(...) end

---@class nd.isclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Where are two arrays (or an array and a number), which broadcast, close: |a - b| <= atol + rtol |b|?
---isclose(a, b, rtol, atol, {equal_nan = true}). Options: rtol (1e-5), atol (1e-8), equal_nan (false). Infinities are
---close to those of their sign. The result is bool.
---@overload fun(a?: any|nd.isclose.options, b?: any|nd.isclose.options, rtol?: number|nd.isclose.options, atol?: number|nd.isclose.options, equal_nan?: boolean|nd.isclose.options): any
---@return any
function nd.isclose(...) end

---@class nd.kron.options
---@field [integer] any
---@field a? any
---@field b? any

---Kronecker's product: each element of a times all of b, in blocks. Up to four dimensions; the one with fewer gets
---ones in front.
---@overload fun(a?: any|nd.kron.options, b?: any|nd.kron.options): any
---@return any
function nd.kron(...) end

---What nd.save or MXNet or NumPy saved: a table by name, or a list; of an .npy file the array. Errors name file and offset.
---@param file? any
---@return any
function nd.load(file) end

---As nd.load, from a string with a file's content.
---@param bytes? any
---@return any
function nd.load_frombuffer(bytes) end

---@class nd.logspace.options
---@field [integer] any
---@field start? any
---@field stop? any
---@field num? number Default: 50.
---@field endpoint? boolean Default: true.
---@field base? number Default: 10.
---@field dtype? hl.DType Default: 'float32'.

---base^e for num exponents e at even distances from start to stop. logspace(start, stop, num).
---Options: num (50), endpoint (true): does stop belong to them? base (10), dtype ("float32").
---@param F? any
---@overload fun(start?: any|nd.logspace.options, stop?: any|nd.logspace.options, num?: number|nd.logspace.options, endpoint?: boolean|nd.logspace.options, base?: number|nd.logspace.options, dtype?: hl.DType|nd.logspace.options): any
---@return any
function nd.logspace(F, ...) end

---@class nd.logsumexp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---log of the sum of e^x over axes (all), without overflow: the greatest element is taken out before and put back
---after. Options: axis, keepdims (false).
---@overload fun(data?: any|nd.logsumexp.options, axis?: integer|nd.logsumexp.options, keepdims?: boolean|nd.logsumexp.options): any
---@return any
function nd.logsumexp(...) end

---@class nd.median.options
---@field [integer] any
---@field a? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The middle element, or the mean of the two in the middle. Options: axis (a number or a table; all), keepdims.
---Differentiable.
---@overload fun(a?: any|nd.median.options, axis?: integer|nd.median.options, keepdims?: boolean|nd.median.options): any
---@return any
function nd.median(...) end

---@class nd.meshgrid.options
---@field [integer] any
---@field indexing? string Default: 'xy'.
---@field sparse? boolean Default: false.

---The coordinates of a grid's points: of n vectors a table of n arrays with n axes, array i holding along its own axis
---the values of vector i. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are swapped, so that x
---runs along the rows of a picture) or "ij"; sparse (false): leave dimensions of 1 where values repeat.
---@overload fun(indexing?: string|nd.meshgrid.options, sparse?: boolean|nd.meshgrid.options): any
---@return any
function nd.meshgrid(...) end

---@class nd.moveaxis.options
---@field [integer] any
---@field tensor? any
---@field source? any[]
---@field destination? any[]

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param tensor? any
---@param source? any
---@param destination? any
---@overload fun(tensor?: any|nd.moveaxis.options, source?: any[]|nd.moveaxis.options, destination?: any[]|nd.moveaxis.options): any
---@return any
function nd.moveaxis(tensor, source, destination) end

---@class nd.nanmax.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|nd.nanmax.options, axis?: integer|nd.nanmax.options, keepdims?: boolean|nd.nanmax.options): any
---@return any
function nd.nanmax(...) end

---@class nd.nanmean.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The mean over axes (all) of the elements that are not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|nd.nanmean.options, axis?: integer|nd.nanmean.options, keepdims?: boolean|nd.nanmean.options): any
---@return any
function nd.nanmean(...) end

---@class nd.nanmin.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The least element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|nd.nanmin.options, axis?: integer|nd.nanmin.options, keepdims?: boolean|nd.nanmin.options): any
---@return any
function nd.nanmin(...) end

---@class nd.nanstd.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The standard deviation over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(data?: any|nd.nanstd.options, axis?: integer|nd.nanstd.options, ddof?: number|nd.nanstd.options, keepdims?: boolean|nd.nanstd.options): any
---@return any
function nd.nanstd(...) end

---@class nd.nanvar.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The variance over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(data?: any|nd.nanvar.options, axis?: integer|nd.nanvar.options, ddof?: number|nd.nanvar.options, keepdims?: boolean|nd.nanvar.options): any
---@return any
function nd.nanvar(...) end

---The indices of the elements that are not 0: a table of int64 arrays, one an axis, as NumPy's tuple.
---@return any
function nd.nonzero(...) end

---@class nd.outer.options
---@field [integer] any
---@field a? any
---@field b? any

---a[i] b[j], as a matrix; other arrays are flattened first.
---@overload fun(a?: any|nd.outer.options, b?: any|nd.outer.options): any
---@return any
function nd.outer(...) end

---@class nd.partition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The elements along an axis so that the kth is where it would be in order, lesser ones before it: all in order, here.
---@overload fun(a?: any|nd.partition.options, kth?: any|nd.partition.options, axis?: integer|nd.partition.options): any
---@return any
function nd.partition(...) end

---@class nd.percentile.options
---@field [integer] any
---@field a? any
---@field q? any
---@field axis? integer
---@field method? string Default: 'linear'.
---@field keepdims? boolean Default: false.
---@field interpolation? any

---Percentiles: the value that q percent of the elements do not exceed; a table of q becomes the first axis.
---Options: axis (a number or a table; all), keepdims, method ("linear", "lower", "higher", "midpoint", "nearest",
---"hazen" and NumPy's others; interpolation is its older name). A NaN makes NaN. Differentiable.
---@overload fun(a?: any|nd.percentile.options, q?: any|nd.percentile.options, axis?: integer|nd.percentile.options, method?: string|nd.percentile.options, keepdims?: boolean|nd.percentile.options, interpolation?: any|nd.percentile.options): any
---@return any
function nd.percentile(...) end

---@class nd.ptp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element less the least, over axes (all). Options: axis, keepdims (false).
---@overload fun(data?: any|nd.ptp.options, axis?: integer|nd.ptp.options, keepdims?: boolean|nd.ptp.options): any
---@return any
function nd.ptp(...) end

---@class nd.rot90.options
---@field [integer] any
---@field data? any
---@field k? number Default: 1.
---@field axes? table Default: {0, 1}.

---Turned by 90 degrees, k times, in the plane of two axes, from the first of them towards the second.
---rot90(x, k). Options: k (1; negative: the other way), axes ({0, 1}).
---@overload fun(data?: any|nd.rot90.options, k?: number|nd.rot90.options, axes?: table|nd.rot90.options): any
---@return any
function nd.rot90(...) end

---@class nd.save.options
---@field [integer] any
---@field file? string
---@field data? any

---Saves an NDArray, a list of NDArrays, or a table of them by name (written in the order
---of the names: Lua's tables have none of their own).
---The name of the file says how: .npy (one NDArray), .npz, and anything else MXNet's format. Errors: an ending that
---is known as another format's, such as .safetensors, .pt or .csv.
---@param file? any
---@param data? any
---@overload fun(file?: string|nd.save.options, data?: any|nd.save.options): any
---@return any
function nd.save(file, data) end

---How arrays print: {precision =, threshold =, edgeitems =, linewidth =}.
---@param options? any
function nd.set_printoptions(options) end

---@class nd.softplus.options
---@field [integer] any
---@field data? any
---@field beta? number Default: 1.

---log(1 + e^(beta x)) / beta, without overflow. Options: beta (1).
---@overload fun(data?: any|nd.softplus.options, beta?: number|nd.softplus.options): any
---@return any
function nd.softplus(...) end

---x sigmoid(x): silu under its other name.
---@return any
function nd.swish(...) end

---@class nd.tensordot.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? number Default: 2.

---The product summed over axes: tensordot(a, b, axes). axes (2): how many, the last of a with the first of b; or a
---table of two, a's axes and b's, each a number or a table. The result has a's other axes, then b's; shape (1,) where
---none are left.
---@overload fun(a?: any|nd.tensordot.options, b?: any|nd.tensordot.options, axes?: number|nd.tensordot.options): any
---@return any
function nd.tensordot(...) end

---@class nd.trace.options
---@field [integer] any
---@field data? any
---@field offset? number Default: 0.
---@field axis1? number Default: 0.
---@field axis2? number Default: 1.

---The sum of a diagonal: trace(x, offset). Of more than two dimensions, of each matrix of two axes.
---Options: offset (0: the main diagonal; above it positive), axis1 (0), axis2 (1). A matrix gives shape (1,).
---@overload fun(data?: any|nd.trace.options, offset?: number|nd.trace.options, axis1?: number|nd.trace.options, axis2?: number|nd.trace.options): any
---@return any
function nd.trace(...) end

---@class nd.tri.options
---@field [integer] any
---@field N? any
---@field M? any
---@field k? number Default: 0.
---@field dtype? hl.DType Default: 'float32'.

---Ones on and below a diagonal, zeros above. tri(N, M, k): N rows, M columns (N), diagonal k (0 the main one, above it
---positive). Options: dtype ("float32").
---@param F? any
---@overload fun(N?: any|nd.tri.options, M?: any|nd.tri.options, k?: number|nd.tri.options, dtype?: hl.DType|nd.tri.options): any
---@return any
function nd.tri(F, ...) end

---@class nd.unique.options
---@field [integer] any
---@field ar? any
---@field return_index? any
---@field return_inverse? any
---@field return_counts? any

---The different elements, in order. Options: return_index (where each is first), return_inverse (for each element of
---the flattened array its place among them), return_counts; then a table {values, index, inverse, counts} of what is
---asked for. int64.
---@overload fun(ar?: any|nd.unique.options, return_index?: any|nd.unique.options, return_inverse?: any|nd.unique.options, return_counts?: any|nd.unique.options): any
---@return any
function nd.unique(...) end

---@class nd.vdot.options
---@field [integer] any
---@field a? any
---@field b? any

---The sum of a[i] b[i], of shape (1,); other arrays are flattened first.
---@overload fun(a?: any|nd.vdot.options, b?: any|nd.vdot.options): any
---@return any
function nd.vdot(...) end

---Arrays below each other, along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
---@return any
function nd.vstack(...) end

---Nothing is asynchronous here; kept so that MXNet's scripts run.
---@return any
function nd.waitall() end

---@class nd.while_loop.options
---@field [integer] any
---@field cond? any
---@field func? any
---@field loop_vars? any
---@field max_iterations? any
---@field name? string

---while_loop(cond, func, loop_vars, {max_iterations = n}): as long as cond(vars...) is true, and n times at most,
---func(vars...), which returns outputs and new variables. Returns the outputs, stacked along a new first axis of n
---rows, those of steps that were not made being zeros, and the last variables. In a graph cond and func run once.
---Options: max_iterations (required), name.
---@overload fun(cond?: any|nd.while_loop.options, func?: any|nd.while_loop.options, loop_vars?: any|nd.while_loop.options, max_iterations?: any|nd.while_loop.options, name?: string|nd.while_loop.options): any
---@return any
function nd.while_loop(...) end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param data? hl.NDArray|number|hl.op.Activation
---@param ... any|hl.op.Activation
---@return hl.NDArray
function nd.Activation(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta for each channel, a place of `axis`. In training, and unless use_global_stats, mean and variance are those of the batch, and the states moving_mean and moving_var become momentum times themselves plus (1 - momentum) times them, when the call computes; else they are the states. The variance is the biased one (S. Ioffe, C. Szegedy, 2015)
---@param data? hl.NDArray|number|hl.op.BatchNorm
---@param gamma? hl.NDArray|number|hl.op.BatchNorm
---@param beta? hl.NDArray|number|hl.op.BatchNorm
---@param moving_mean? hl.NDArray|number|hl.op.BatchNorm
---@param moving_var? hl.NDArray|number|hl.op.BatchNorm
---@param ... any|hl.op.BatchNorm
---@return hl.NDArray|hl.NDArray[]
function nd.BatchNorm(data, gamma, beta, moving_mean, moving_var, ...) end

---data, (batch, channel, height, width), read at the places of a grid, (batch, 2, height, width) of the output: x and y, from -1 to 1 over data's width and height, by bilinear interpolation; data goes on with zeros (M. Jaderberg et al., 2015)
---@param data? hl.NDArray|number|hl.op.BilinearSampler
---@param grid? hl.NDArray|number|hl.op.BilinearSampler
---@param ... any|hl.op.BilinearSampler
---@return hl.NDArray|hl.NDArray[]
function nd.BilinearSampler(data, grid, ...) end

---The input, in the same memory, through which no gradient flows
---@param data? hl.NDArray|number|hl.op.BlockGrad
---@param ... any|hl.op.BlockGrad
---@return hl.NDArray
function nd.BlockGrad(data, ...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param data? hl.NDArray|number|hl.op.CTCLoss
---@param label? hl.NDArray|number|hl.op.CTCLoss
---@param data_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param label_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.NDArray|hl.NDArray[]
function nd.CTCLoss(data, label, data_lengths, label_lengths, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0. NaN and what int64 (for int64) or int32 (for others) cannot hold become its least integer, of which int8 and uint8 take the lower bits; to bool, NaN is true. The gradient passes between float dtypes only
---@param data? hl.NDArray|number|hl.op.Cast
---@param ... any|hl.op.Cast
---@return hl.NDArray
function nd.Cast(data, ...) end

---Arrays joined along an axis; their other dimensions are equal
---@param data? hl.NDArray|number|hl.op.Concat
---@param ... any|hl.op.Concat
---@return hl.NDArray
function nd.Concat(data, ...) end

---Each filter's sum of products with what a window sees, at all its places, plus bias. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (num_filter, channels / num_group, *kernel); its shape and bias's are inferred. Products are added in order of (channel, *kernel), in blocks of 1024. 3x3 and 5x5 windows with a stride of 1 over 16 channels or more are computed with fewer products in float32: rounding errors are like those of a plain sum, but relative to the largest datum of the 6x6 places around, and a NaN or infinity spoils up to 8x8 places
---@param data? hl.NDArray|number|hl.op.Convolution
---@param weight? hl.NDArray|number|hl.op.Convolution
---@param bias? hl.NDArray|number|hl.op.Convolution
---@param ... any|hl.op.Convolution
---@return hl.NDArray
function nd.Convolution(data, weight, bias, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param data? hl.NDArray|number|hl.op.Crop
---@param ... any|hl.op.Crop
---@return hl.NDArray
function nd.Crop(data, ...) end

---Transposed convolution: each element of data puts the weights of its channel, times itself, onto the places of the output that a window there would see; what lies on one place is added, plus bias. It is the gradient of data of the convolution from the output's shape to data's. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (channels, num_filter / num_group, *kernel); its shape and bias's are inferred. An axis of n places gets (n - 1) stride + dilate (kernel - 1) + 1 - 2 pad + adj
---@param data? hl.NDArray|number|hl.op.Deconvolution
---@param weight? hl.NDArray|number|hl.op.Deconvolution
---@param bias? hl.NDArray|number|hl.op.Deconvolution
---@param ... any|hl.op.Deconvolution
---@return hl.NDArray
function nd.Deconvolution(data, weight, bias, ...) end

---In training each element is dropped (made 0) with probability p and the others are divided by 1 - p; elements along `axes` share their fate (G. Hinton et al., 2012). Outside training, the input. Random numbers are drawn only where something may be dropped
---@param data? hl.NDArray|number|hl.op.Dropout
---@param ... any|hl.op.Dropout
---@return hl.NDArray|hl.NDArray[]
function nd.Dropout(data, ...) end

---The sum of any number of arrays of one shape, from left to right
---@param args? hl.NDArray|number|hl.op.add_n
---@param ... any|hl.op.add_n
---@return hl.NDArray
function nd.ElementWiseSum(args, ...) end

---The rows of weight that data names; indices outside are clipped
---@param data? hl.NDArray|number|hl.op.Embedding
---@param weight? hl.NDArray|number|hl.op.Embedding
---@param ... any|hl.op.Embedding
---@return hl.NDArray
function nd.Embedding(data, weight, ...) end

---All axes but the first become one
---@param data? hl.NDArray|number|hl.op.Flatten
---@param ... any|hl.op.Flatten
---@return hl.NDArray
function nd.Flatten(data, ...) end

---data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features), its shape and bias's are inferred
---@param data? hl.NDArray|number|hl.op.FullyConnected
---@param weight? hl.NDArray|number|hl.op.FullyConnected
---@param bias? hl.NDArray|number|hl.op.FullyConnected
---@param ... any|hl.op.FullyConnected
---@return hl.NDArray
function nd.FullyConnected(data, weight, bias, ...) end

---A grid for BilinearSampler, (batch, 2, height, width). affine: data is (batch, 6), a transform [a b c; d e f] for each image, and place (x, y) of target_shape becomes (a x + b y + c, d x + e y + f), coordinates going from -1 to 1. warp: data is (batch, 2, height, width), how many elements each place is moved by
---@param data? hl.NDArray|number|hl.op.GridGenerator
---@param ... any|hl.op.GridGenerator
---@return hl.NDArray|hl.NDArray[]
function nd.GridGenerator(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over groups of channels (axis 1) of each sample; as in MXNet 1.9.1 gamma and beta have an element for each group (Y. Wu, K. He, 2018)
---@param data? hl.NDArray|number|hl.op.GroupNorm
---@param gamma? hl.NDArray|number|hl.op.GroupNorm
---@param beta? hl.NDArray|number|hl.op.GroupNorm
---@param ... any|hl.op.GroupNorm
---@return hl.NDArray|hl.NDArray[]
function nd.GroupNorm(data, gamma, beta, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over the places of each channel (axis 1) of each sample (D. Ulyanov et al., 2016)
---@param data? hl.NDArray|number|hl.op.InstanceNorm
---@param gamma? hl.NDArray|number|hl.op.InstanceNorm
---@param beta? hl.NDArray|number|hl.op.InstanceNorm
---@param ... any|hl.op.InstanceNorm
---@return hl.NDArray|hl.NDArray[]
function nd.InstanceNorm(data, gamma, beta, ...) end

---data / sqrt(sum of squares + eps): over each sample (instance), over the channels, axis 1, at each place (channel), or over the places of each channel (spatial)
---@param data? hl.NDArray|number|hl.op.L2Normalization
---@param ... any|hl.op.L2Normalization
---@return hl.NDArray
function nd.L2Normalization(data, ...) end

---data (knorm + alpha / nsize s)^-beta, s being the sum of squares over the nsize channels (axis 1) around an element's own, at its place (A. Krizhevsky et al., 2012)
---@param data? hl.NDArray|number|hl.op.LRN
---@param ... any|hl.op.LRN
---@return hl.NDArray|hl.NDArray[]
function nd.LRN(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param data? hl.NDArray|number|hl.op.LayerNorm
---@param gamma? hl.NDArray|number|hl.op.LayerNorm
---@param beta? hl.NDArray|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.NDArray|hl.NDArray[]
function nd.LayerNorm(data, gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element, of one for each channel, axis 1, or of data's shape), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
---@param data? hl.NDArray|number|hl.op.LeakyReLU
---@param gamma? hl.NDArray|number|hl.op.LeakyReLU
---@param ... any|hl.op.LeakyReLU
---@return hl.NDArray|hl.NDArray[]
function nd.LeakyReLU(data, gamma, ...) end

---data; its gradient is that of half the squared error, (data - label), by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.LinearRegressionOutput
---@param label? hl.NDArray|number|hl.op.LinearRegressionOutput
---@param ... any|hl.op.LinearRegressionOutput
---@return hl.NDArray
function nd.LinearRegressionOutput(data, label, ...) end

---sigmoid(data); its gradient is that of the cross entropy, (sigmoid(data) - label), by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.LogisticRegressionOutput
---@param label? hl.NDArray|number|hl.op.LogisticRegressionOutput
---@param ... any|hl.op.LogisticRegressionOutput
---@return hl.NDArray
function nd.LogisticRegressionOutput(data, label, ...) end

---data; its gradient is that of the absolute error, sign(data - label), by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.MAERegressionOutput
---@param label? hl.NDArray|number|hl.op.MAERegressionOutput
---@param ... any|hl.op.MAERegressionOutput
---@return hl.NDArray
function nd.MAERegressionOutput(data, label, ...) end

---data as a loss: its gradient is grad_scale, by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.MakeLoss
---@param ... any|hl.op.MakeLoss
---@return hl.NDArray
function nd.MakeLoss(data, ...) end

---More places around the last two axes of (batch, channel, height, width), or the last three of (batch, channel, depth, height, width)
---@param data? hl.NDArray|number|hl.op.Pad
---@param ... any|hl.op.Pad
---@return hl.NDArray
function nd.Pad(data, ...) end

---The maximum (max), mean (avg), sum or p-norm (lp) of what a window sees, at all its places. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). The gradient of a maximum goes to the first of equal ones. lp does not take absolute values, as in MXNet. (same is for all kinds here; MXNet has it for the maximum of one axis.) NWC, NHWC and NDHWC have the channels in the last axis. The maximum of a window that sees padding alone is the lowest finite number, as in MXNet
---@param data? hl.NDArray|number|hl.op.Pooling
---@param ... any|hl.op.Pooling
---@return hl.NDArray|hl.NDArray[]
function nd.Pooling(data, ...) end

---data / sqrt(mean square + eps) gamma along an axis; gamma has an element for each place there, its shape is inferred (B. Zhang, R. Sennrich, 2019)
---@param data? hl.NDArray|number|hl.op.RMSNorm
---@param gamma? hl.NDArray|number|hl.op.RMSNorm
---@param ... any|hl.op.RMSNorm
---@return hl.NDArray|hl.NDArray[]
function nd.RMSNorm(data, gamma, ...) end

---Layers of recurrent cells over data, (steps, batch, features), from states (layers x directions, batch, values) on: (steps, batch, directions x values) and, if asked for, the last states. With x a step's input, h the state before it, W x and R h with their biases: rnn_tanh h' = tanh(Wx + Rh), rnn_relu with max(0, .); lstm c' = f c + i g, h' = o tanh(c'), i, f, o being sigmoids and g a tanh of such sums (S. Hochreiter, J. Schmidhuber, 1997); gru h' = (1 - z) n + z h with n = tanh(Wx + r Rh) and sigmoids r, z (K. Cho et al., 2014). parameters holds for each layer and direction W, R and lstm's projection, and after all of these the biases of W and R in the same order; gates in the order i f g o, and r z n. MXNet's CPU takes sequence lengths and bounds of cells but ignores them. The gradient cannot be differentiated again
---@param data? hl.NDArray|number|hl.op.RNN
---@param parameters? hl.NDArray|number|hl.op.RNN
---@param state? hl.NDArray|number|hl.op.RNN
---@param state_cell? hl.NDArray|number|hl.op.RNN
---@param sequence_length? hl.NDArray|number|hl.op.RNN
---@param ... any|hl.op.RNN
---@return hl.NDArray|hl.NDArray[]
function nd.RNN(data, parameters, state, state_cell, sequence_length, ...) end

---The maximum in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output (R. Girshick, 2015). Where there is no such image, 0
---@param data? hl.NDArray|number|hl.op.ROIPooling
---@param rois? hl.NDArray|number|hl.op.ROIPooling
---@param ... any|hl.op.ROIPooling
---@return hl.NDArray|hl.NDArray[]
function nd.ROIPooling(data, rois, ...) end

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param data? hl.NDArray|number|hl.op.Reshape
---@param ... any|hl.op.Reshape
---@return hl.NDArray
function nd.Reshape(data, ...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above; if squared, it cannot be differentiated again
---@param data? hl.NDArray|number|hl.op.SVMOutput
---@param label? hl.NDArray|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.NDArray
function nd.SVMOutput(data, label, ...) end

---The last step of each sequence of (steps, batch, ...), by its length: (batch, ...)
---@param data? hl.NDArray|number|hl.op.SequenceLast
---@param sequence_length? hl.NDArray|number|hl.op.SequenceLast
---@param ... any|hl.op.SequenceLast
---@return hl.NDArray
function nd.SequenceLast(data, sequence_length, ...) end

---Sequences, (steps, batch, ...), with the steps from each one's length on replaced by a value
---@param data? hl.NDArray|number|hl.op.SequenceMask
---@param sequence_length? hl.NDArray|number|hl.op.SequenceMask
---@param ... any|hl.op.SequenceMask
---@return hl.NDArray
function nd.SequenceMask(data, sequence_length, ...) end

---Sequences, (steps, batch, ...), each with its steps up to its length the other way round
---@param data? hl.NDArray|number|hl.op.SequenceReverse
---@param sequence_length? hl.NDArray|number|hl.op.SequenceReverse
---@param ... any|hl.op.SequenceReverse
---@return hl.NDArray
function nd.SequenceReverse(data, sequence_length, ...) end

---Equal parts along an axis
---@param data? hl.NDArray|number|hl.op.SliceChannel
---@param ... any|hl.op.SliceChannel
---@return hl.NDArray[]
function nd.SliceChannel(data, ...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above, and which cannot be differentiated again. A label of data's shape holds probabilities
---@param data? hl.NDArray|number|hl.op.SoftmaxOutput
---@param label? hl.NDArray|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.NDArray
function nd.Softmax(data, label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param data? hl.NDArray|number|hl.op.SoftmaxActivation
---@param ... any|hl.op.SoftmaxActivation
---@return hl.NDArray
function nd.SoftmaxActivation(data, ...) end

nd.SoftmaxOutput = nd.Softmax
---data read by BilinearSampler at the places that GridGenerator makes of loc, (batch, 6), with affine (M. Jaderberg et al., 2015)
---@param data? hl.NDArray|number|hl.op.SpatialTransformer
---@param loc? hl.NDArray|number|hl.op.SpatialTransformer
---@param ... any|hl.op.SpatialTransformer
---@return hl.NDArray|hl.NDArray[]
function nd.SpatialTransformer(data, loc, ...) end

---Two axes change places
---@param data? hl.NDArray|number|hl.op.SwapAxis
---@param ... any|hl.op.SwapAxis
---@return hl.NDArray
function nd.SwapAxis(data, ...) end

---Height and width of (batch, channel, height, width) made `scale` times as large. nearest repeats each element; further arrays get the first one's size and are joined along channels, or added. bilinear takes data and weight, (channels, 1, k, k) with k = 2 scale - scale % 2, and adds each element times its channel's weights around its place; initializer.Bilinear gives weights that interpolate
---@param data? hl.NDArray|number|hl.op.UpSampling
---@param weight? hl.NDArray|number|hl.op.UpSampling
---@param arg? hl.NDArray|number|hl.op.UpSampling
---@param ... any|hl.op.UpSampling
---@return hl.NDArray
function nd.UpSampling(data, weight, arg, ...) end

---|x|
---@param data? hl.NDArray|number|hl.op.abs
---@param ... any|hl.op.abs
---@return hl.NDArray
function nd.abs(data, ...) end

nd.activation = nd.Activation
---acc_g the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; acc_delta the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)
---@param weight? hl.NDArray|number|hl.op.adadelta_update
---@param grad? hl.NDArray|number|hl.op.adadelta_update
---@param acc_g? hl.NDArray|number|hl.op.adadelta_update
---@param acc_delta? hl.NDArray|number|hl.op.adadelta_update
---@param ... any|hl.op.adadelta_update
---@return hl.NDArray
function nd.adadelta_update(weight, grad, acc_g, acc_delta, ...) end

---history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)
---@param weight? hl.NDArray|number|hl.op.adagrad_update
---@param grad? hl.NDArray|number|hl.op.adagrad_update
---@param history? hl.NDArray|number|hl.op.adagrad_update
---@param ... any|hl.op.adagrad_update
---@return hl.NDArray
function nd.adagrad_update(weight, grad, history, ...) end

---d = grad + wd weight; mean and var the decaying means of d and d^2; weight - lr mean / (sqrt(var) + epsilon) (D. Kingma, J. Ba, 2014). The correction of their bias is the caller's, in lr
---@param weight? hl.NDArray|number|hl.op.adam_update
---@param grad? hl.NDArray|number|hl.op.adam_update
---@param mean? hl.NDArray|number|hl.op.adam_update
---@param var? hl.NDArray|number|hl.op.adam_update
---@param ... any|hl.op.adam_update
---@return hl.NDArray
function nd.adam_update(weight, grad, mean, var, ...) end

---mean and var the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad in an array
---@param weight? hl.NDArray|number|hl.op.adamw_step
---@param grad? hl.NDArray|number|hl.op.adamw_step
---@param mean? hl.NDArray|number|hl.op.adamw_step
---@param var? hl.NDArray|number|hl.op.adamw_step
---@param ... any|hl.op.adamw_step
---@return hl.NDArray
function nd.adamw_step(weight, grad, mean, var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.NDArray|number|hl.op._adamw_update
---@param grad? hl.NDArray|number|hl.op._adamw_update
---@param mean? hl.NDArray|number|hl.op._adamw_update
---@param var? hl.NDArray|number|hl.op._adamw_update
---@param rescale_grad? hl.NDArray|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.NDArray
function nd.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---a + b
---@param lhs? hl.NDArray|number|hl.op.broadcast_add
---@param rhs? hl.NDArray|number|hl.op.broadcast_add
---@param ... any|hl.op.broadcast_add
---@return hl.NDArray
function nd.add(lhs, rhs, ...) end

nd.add_n = nd.ElementWiseSum
---Is no element 0? A bool over axes; true of no elements, NaN is not 0
---@param data? hl.NDArray|number|hl.op.all
---@param ... any|hl.op.all
---@return hl.NDArray
function nd.all(data, ...) end

---1 if every element is a finite number, else 0; float32 (1,)
---@param data? hl.NDArray|number|hl.op.all_finite
---@param ... any|hl.op.all_finite
---@return hl.NDArray
function nd.all_finite(data, ...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param data? hl.NDArray|number|hl.op.amp_cast
---@param ... any|hl.op.amp_cast
---@return hl.NDArray
function nd.amp_cast(data, ...) end

---Is there an element that is not 0? A bool over axes; false of no elements, NaN is not 0
---@param data? hl.NDArray|number|hl.op.any
---@param ... any|hl.op.any
---@return hl.NDArray
function nd.any(data, ...) end

---start, start + step, ... below stop, each `repeat` times; arange(n) counts 0 to n - 1. For an integer dtype start and step are cut to whole numbers, as many values as there are without that
---@param ... any|hl.op._arange
---@return hl.NDArray
function nd.arange(...) end

---The inverse of cos, in [0, pi]
---@param data? hl.NDArray|number|hl.op.arccos
---@param ... any|hl.op.arccos
---@return hl.NDArray
function nd.arccos(data, ...) end

---The inverse of cosh; x >= 1
---@param data? hl.NDArray|number|hl.op.arccosh
---@param ... any|hl.op.arccosh
---@return hl.NDArray
function nd.arccosh(data, ...) end

---The inverse of sin, in [-pi/2, pi/2]
---@param data? hl.NDArray|number|hl.op.arcsin
---@param ... any|hl.op.arcsin
---@return hl.NDArray
function nd.arcsin(data, ...) end

---The inverse of sinh
---@param data? hl.NDArray|number|hl.op.arcsinh
---@param ... any|hl.op.arcsinh
---@return hl.NDArray
function nd.arcsinh(data, ...) end

---The inverse of tan, in (-pi/2, pi/2)
---@param data? hl.NDArray|number|hl.op.arctan
---@param ... any|hl.op.arctan
---@return hl.NDArray
function nd.arctan(data, ...) end

---The inverse of tanh; |x| < 1
---@param data? hl.NDArray|number|hl.op.arctanh
---@param ... any|hl.op.arctanh
---@return hl.NDArray
function nd.arctanh(data, ...) end

---The position of the greatest element, the first of equals, in data's dtype
---@param data? hl.NDArray|number|hl.op.argmax
---@param ... any|hl.op.argmax
---@return hl.NDArray
function nd.argmax(data, ...) end

---argmax over axis 1
---@param data? hl.NDArray|number|hl.op.argmax_channel
---@param ... any|hl.op.argmax_channel
---@return hl.NDArray
function nd.argmax_channel(data, ...) end

---The position of the least element, the first of equals, in data's dtype
---@param data? hl.NDArray|number|hl.op.argmin
---@param ... any|hl.op.argmin
---@return hl.NDArray
function nd.argmin(data, ...) end

---The places along an axis in the order of their elements; of equal elements the first comes first, and NaNs come last
---@param data? hl.NDArray|number|hl.op.argsort
---@param ... any|hl.op.argsort
---@return hl.NDArray
function nd.argsort(data, ...) end

---The indices of the elements that are not 0, a row each
---@param a? hl.NDArray|number|hl.op._argwhere
---@param ... any|hl.op._argwhere
---@return hl.NDArray
function nd.argwhere(a, ...) end

---Have two arrays one shape and the same elements? One bool, of shape (1,)
---@param a1? hl.NDArray|number|hl.op.array_equal
---@param a2? hl.NDArray|number|hl.op.array_equal
---@param ... any|hl.op.array_equal
---@return hl.NDArray
function nd.array_equal(a1, a2, ...) end

---Integers and bools as float64; floats as they are
---@param data? hl.NDArray|number|hl.op._as_float
---@param ... any|hl.op._as_float
---@return hl.NDArray
function nd.as_float(data, ...) end

---The input; an error that says where, if an element is NaN or infinite
---@param data? hl.NDArray|number|hl.op.assert_finite
---@param ... any|hl.op.assert_finite
---@return hl.NDArray
function nd.assert_finite(data, ...) end

nd.astype = nd.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param lhs? hl.NDArray|number|hl.op.batch_dot
---@param rhs? hl.NDArray|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.NDArray
function nd.batch_dot(lhs, rhs, ...) end

nd.batch_norm = nd.BatchNorm
---One element of each row; indices outside are clipped
---@param a? hl.NDArray|number|hl.op.batch_take
---@param indices? hl.NDArray|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.NDArray
function nd.batch_take(a, indices, ...) end

nd.bilinear_sampler = nd.BilinearSampler
---How often each whole number from 0 on occurs in x, or the sums of the weights there
---@param x? hl.NDArray|number|hl.op._bincount
---@param weights? hl.NDArray|number|hl.op._bincount
---@param ... any|hl.op._bincount
---@return hl.NDArray
function nd.bincount(x, weights, ...) end

---Of integers, the bits that both have; of bool and floats, 1 where both are not 0, else 0
---@param lhs? hl.NDArray|number|hl.op._npi_bitwise_and
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_and
---@param ... any|hl.op._npi_bitwise_and
---@return hl.NDArray
function nd.bitwise_and(lhs, rhs, ...) end

---Of integers, every bit the other way round; of bool and floats, 1 where x is 0, else 0
---@param data? hl.NDArray|number|hl.op._npi_bitwise_not
---@param ... any|hl.op._npi_bitwise_not
---@return hl.NDArray
function nd.bitwise_not(data, ...) end

---Of integers, the bits that one of them has; of bool and floats, 1 where one is not 0, else 0
---@param lhs? hl.NDArray|number|hl.op._npi_bitwise_or
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_or
---@param ... any|hl.op._npi_bitwise_or
---@return hl.NDArray
function nd.bitwise_or(lhs, rhs, ...) end

---Of integers, the bits that exactly one has; of bool and floats, 1 where exactly one is not 0, else 0
---@param lhs? hl.NDArray|number|hl.op._npi_bitwise_xor
---@param rhs? hl.NDArray|number|hl.op._npi_bitwise_xor
---@param ... any|hl.op._npi_bitwise_xor
---@return hl.NDArray
function nd.bitwise_xor(lhs, rhs, ...) end

nd.block_grad = nd.BlockGrad
---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param index? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.NDArray
function nd.boolean_mask(data, index, ...) end

nd.broadcast_add = nd.add
---Some axes of dimension 1 repeated
---@param data? hl.NDArray|number|hl.op.broadcast_axis
---@param ... any|hl.op.broadcast_axis
---@return hl.NDArray
function nd.broadcast_axes(data, ...) end

nd.broadcast_axis = nd.broadcast_axes
---a / b; integers are cut towards 0, and give 0 for b = 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_div
---@param rhs? hl.NDArray|number|hl.op.broadcast_div
---@param ... any|hl.op.broadcast_div
---@return hl.NDArray
function nd.broadcast_div(lhs, rhs, ...) end

---1 where a = b, else 0, in the operands' dtype
---@param lhs? hl.NDArray|number|hl.op.broadcast_equal
---@param rhs? hl.NDArray|number|hl.op.broadcast_equal
---@param ... any|hl.op.broadcast_equal
---@return hl.NDArray
function nd.broadcast_equal(lhs, rhs, ...) end

---a / b rounded down, Lua's a // b; integers give 0 for b = 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_floor_divide
---@param rhs? hl.NDArray|number|hl.op.broadcast_floor_divide
---@param ... any|hl.op.broadcast_floor_divide
---@return hl.NDArray
function nd.broadcast_floor_divide(lhs, rhs, ...) end

---1 where a > b, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_greater
---@param rhs? hl.NDArray|number|hl.op.broadcast_greater
---@param ... any|hl.op.broadcast_greater
---@return hl.NDArray
function nd.broadcast_greater(lhs, rhs, ...) end

---1 where a >= b, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_greater_equal
---@param rhs? hl.NDArray|number|hl.op.broadcast_greater_equal
---@param ... any|hl.op.broadcast_greater_equal
---@return hl.NDArray
function nd.broadcast_greater_equal(lhs, rhs, ...) end

---sqrt(a^2 + b^2) without overflow
---@param lhs? hl.NDArray|number|hl.op.broadcast_hypot
---@param rhs? hl.NDArray|number|hl.op.broadcast_hypot
---@param ... any|hl.op.broadcast_hypot
---@return hl.NDArray
function nd.broadcast_hypot(lhs, rhs, ...) end

---1 where a < b, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_lesser
---@param rhs? hl.NDArray|number|hl.op.broadcast_lesser
---@param ... any|hl.op.broadcast_lesser
---@return hl.NDArray
function nd.broadcast_lesser(lhs, rhs, ...) end

---1 where a <= b, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_lesser_equal
---@param rhs? hl.NDArray|number|hl.op.broadcast_lesser_equal
---@param ... any|hl.op.broadcast_lesser_equal
---@return hl.NDArray
function nd.broadcast_lesser_equal(lhs, rhs, ...) end

---lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs
---@param lhs? hl.NDArray|number|hl.op.broadcast_like
---@param rhs? hl.NDArray|number|hl.op.broadcast_like
---@param ... any|hl.op.broadcast_like
---@return hl.NDArray
function nd.broadcast_like(lhs, rhs, ...) end

---1 where both are not 0, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_logical_and
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_and
---@param ... any|hl.op.broadcast_logical_and
---@return hl.NDArray
function nd.broadcast_logical_and(lhs, rhs, ...) end

---1 where one is not 0, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_logical_or
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_or
---@param ... any|hl.op.broadcast_logical_or
---@return hl.NDArray
function nd.broadcast_logical_or(lhs, rhs, ...) end

---1 where exactly one is not 0, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_logical_xor
---@param rhs? hl.NDArray|number|hl.op.broadcast_logical_xor
---@param ... any|hl.op.broadcast_logical_xor
---@return hl.NDArray
function nd.broadcast_logical_xor(lhs, rhs, ...) end

---The larger of a and b; NaN wins
---@param lhs? hl.NDArray|number|hl.op.broadcast_maximum
---@param rhs? hl.NDArray|number|hl.op.broadcast_maximum
---@param ... any|hl.op.broadcast_maximum
---@return hl.NDArray
function nd.broadcast_maximum(lhs, rhs, ...) end

---The smaller of a and b; NaN wins
---@param lhs? hl.NDArray|number|hl.op.broadcast_minimum
---@param rhs? hl.NDArray|number|hl.op.broadcast_minimum
---@param ... any|hl.op.broadcast_minimum
---@return hl.NDArray
function nd.broadcast_minimum(lhs, rhs, ...) end

---a - b
---@param lhs? hl.NDArray|number|hl.op.broadcast_sub
---@param rhs? hl.NDArray|number|hl.op.broadcast_sub
---@param ... any|hl.op.broadcast_sub
---@return hl.NDArray
function nd.broadcast_minus(lhs, rhs, ...) end

---a modulo b with the sign of b; 0 where b is 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_mod
---@param rhs? hl.NDArray|number|hl.op.broadcast_mod
---@param ... any|hl.op.broadcast_mod
---@return hl.NDArray
function nd.broadcast_mod(lhs, rhs, ...) end

---a * b
---@param lhs? hl.NDArray|number|hl.op.broadcast_mul
---@param rhs? hl.NDArray|number|hl.op.broadcast_mul
---@param ... any|hl.op.broadcast_mul
---@return hl.NDArray
function nd.broadcast_mul(lhs, rhs, ...) end

---1 where a differs from b, else 0
---@param lhs? hl.NDArray|number|hl.op.broadcast_not_equal
---@param rhs? hl.NDArray|number|hl.op.broadcast_not_equal
---@param ... any|hl.op.broadcast_not_equal
---@return hl.NDArray
function nd.broadcast_not_equal(lhs, rhs, ...) end

nd.broadcast_plus = nd.add
---a to the power of b
---@param lhs? hl.NDArray|number|hl.op.broadcast_power
---@param rhs? hl.NDArray|number|hl.op.broadcast_power
---@param ... any|hl.op.broadcast_power
---@return hl.NDArray
function nd.broadcast_power(lhs, rhs, ...) end

nd.broadcast_sub = nd.broadcast_minus
---Axes of dimension 1, and missing leading ones, repeated up to a shape
---@param data? hl.NDArray|number|hl.op.broadcast_to
---@param ... any|hl.op.broadcast_to
---@return hl.NDArray
function nd.broadcast_to(data, ...) end

nd.cast = nd.Cast
---The cube root
---@param data? hl.NDArray|number|hl.op.cbrt
---@param ... any|hl.op.cbrt
---@return hl.NDArray
function nd.cbrt(data, ...) end

---The least integer not below x
---@param data? hl.NDArray|number|hl.op.ceil
---@param ... any|hl.op.ceil
---@return hl.NDArray
function nd.ceil(data, ...) end

---One element along an axis at each place of the others
---@param data? hl.NDArray|number|hl.op.pick
---@param index? hl.NDArray|number|hl.op.pick
---@param ... any|hl.op.pick
---@return hl.NDArray
function nd.choose_element_0index(data, index, ...) end

---x held within [a_min, a_max]
---@param data? hl.NDArray|number|hl.op.clip
---@param ... any|hl.op.clip
---@return hl.NDArray
function nd.clip(data, ...) end

---Columns, (batch, channel x taps, places), added up at the places that im2col has them from
---@param data? hl.NDArray|number|hl.op.col2im
---@param ... any|hl.op.col2im
---@return hl.NDArray
function nd.col2im(data, ...) end

nd.concat = nd.Concat
---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param data? hl.NDArray|number|hl.op._contrib_AdaptiveAvgPooling2D
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.NDArray
function nd.contrib_adaptive_avg_pooling2d(data, ...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param a? hl.NDArray|number|hl.op._contrib_allclose
---@param b? hl.NDArray|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.NDArray
function nd.contrib_allclose(a, b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param data? hl.NDArray|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function nd.contrib_arange_like(data, ...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param query? hl.NDArray|number|hl.op._contrib_attention
---@param key? hl.NDArray|number|hl.op._contrib_attention
---@param value? hl.NDArray|number|hl.op._contrib_attention
---@param mask? hl.NDArray|number|hl.op._contrib_attention
---@param length? hl.NDArray|number|hl.op._contrib_attention
---@param offset? hl.NDArray|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_attention(query, key, value, mask, length, offset, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param data? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param gamma? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_batch_norm_with_re_lu(data, gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param data? hl.NDArray|number|hl.op._contrib_BilinearResize2D
---@param like? hl.NDArray|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.NDArray
function nd.contrib_bilinear_resize2d(data, like, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param data? hl.NDArray|number|hl.op._contrib_bipartite_matching
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_bipartite_matching(data, ...) end

nd.contrib_boolean_mask = nd.boolean_mask
---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param data? hl.NDArray|number|hl.op._contrib_box_decode
---@param anchors? hl.NDArray|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.NDArray
function nd.contrib_box_decode(data, anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param samples? hl.NDArray|number|hl.op._contrib_box_encode
---@param matches? hl.NDArray|number|hl.op._contrib_box_encode
---@param anchors? hl.NDArray|number|hl.op._contrib_box_encode
---@param refs? hl.NDArray|number|hl.op._contrib_box_encode
---@param means? hl.NDArray|number|hl.op._contrib_box_encode
---@param stds? hl.NDArray|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_box_encode(samples, matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param lhs? hl.NDArray|number|hl.op._contrib_box_iou
---@param rhs? hl.NDArray|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.NDArray
function nd.contrib_box_iou(lhs, rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param data? hl.NDArray|number|hl.op._contrib_box_nms
---@param ... any|hl.op._contrib_box_nms
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_box_nms(data, ...) end

nd.contrib_box_non_maximum_suppression = nd.contrib_box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param query? hl.NDArray|number|hl.op._contrib_cached_attention
---@param key? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value? hl.NDArray|number|hl.op._contrib_cached_attention
---@param key_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param position? hl.NDArray|number|hl.op._contrib_cached_attention
---@param mask? hl.NDArray|number|hl.op._contrib_cached_attention
---@param length? hl.NDArray|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.NDArray
function nd.contrib_cached_attention(query, key, value, key_cache, value_cache, position, mask, length, ...) end

nd.contrib_ctc_loss = nd.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param data? hl.NDArray|number|hl.op._contrib_div_sqrt_dim
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.NDArray
function nd.contrib_div_sqrt_dim(data, ...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.NDArray|number|hl.op._contrib_dynamic_slice
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.NDArray
function nd.contrib_dynamic_slice(data, begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param value? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.NDArray
function nd.contrib_dynamic_update_slice(data, value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param data? hl.NDArray|number|hl.op._contrib_index_array
---@param ... any|hl.op._contrib_index_array
---@return hl.NDArray
function nd.contrib_index_array(data, ...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param old_tensor? hl.NDArray|number|hl.op._contrib_index_copy
---@param index_vector? hl.NDArray|number|hl.op._contrib_index_copy
---@param new_tensor? hl.NDArray|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.NDArray
function nd.contrib_index_copy(old_tensor, index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param queries? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.NDArray
function nd.contrib_interleaved_matmul_encdec_qk(queries, keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.NDArray
function nd.contrib_interleaved_matmul_encdec_valatt(keys_values, attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param queries_keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_qk
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.NDArray
function nd.contrib_interleaved_matmul_selfatt_qk(queries_keys_values, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param queries_keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.NDArray
function nd.contrib_interleaved_matmul_selfatt_valatt(queries_keys_values, attention, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param cls_prob? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param loc_pred? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.NDArray
function nd.contrib_multi_box_detection(cls_prob, loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param data? hl.NDArray|number|hl.op._contrib_MultiBoxPrior
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.NDArray
function nd.contrib_multi_box_prior(data, ...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param anchor? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param label? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_multi_box_target(anchor, label, cls_pred, ...) end

---a x^2 + b x + c
---@param data? hl.NDArray|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.NDArray
function nd.contrib_quadratic(data, ...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param data? hl.NDArray|number|hl.op._contrib_ROIAlign
---@param rois? hl.NDArray|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.NDArray
function nd.contrib_roi_align(data, rois, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param data? hl.NDArray|number|hl.op._contrib_rotary_embedding
---@param positions? hl.NDArray|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.NDArray
function nd.contrib_rotary_embedding(data, positions, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param data? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param gamma? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.NDArray|hl.NDArray[]
function nd.contrib_sync_batch_norm(data, gamma, beta, moving_mean, moving_var, ...) end

nd.convolution = nd.Convolution
---The input
---@param data? hl.NDArray|number|hl.op._copy
---@param ... any|hl.op._copy
---@return hl.NDArray
function nd.copy(data, ...) end

---The cosine; x in radians
---@param data? hl.NDArray|number|hl.op.cos
---@param ... any|hl.op.cos
---@return hl.NDArray
function nd.cos(data, ...) end

---The hyperbolic cosine
---@param data? hl.NDArray|number|hl.op.cosh
---@param ... any|hl.op.cosh
---@return hl.NDArray
function nd.cosh(data, ...) end

---How many elements are not 0, over axes, as int64
---@param data? hl.NDArray|number|hl.op.count_nonzero
---@param ... any|hl.op.count_nonzero
---@return hl.NDArray
function nd.count_nonzero(data, ...) end

---begin:end:step of the first axes, cut to the axes as in NumPy. A part that is one piece of memory shares it with data
---@param data? hl.NDArray|number|hl.op.slice
---@param ... any|hl.op.slice
---@return hl.NDArray
function nd.crop(data, ...) end

---lhs with the part begin:end:step replaced by rhs
---@param lhs? hl.NDArray|number|hl.op._slice_assign
---@param rhs? hl.NDArray|number|hl.op._slice_assign
---@param ... any|hl.op._slice_assign
---@return hl.NDArray
function nd.crop_assign(lhs, rhs, ...) end

---data with every element of the part begin:end:step set to a number
---@param data? hl.NDArray|number|hl.op._slice_assign_scalar
---@param ... any|hl.op._slice_assign_scalar
---@return hl.NDArray
function nd.crop_assign_scalar(data, ...) end

nd.ctc_loss = nd.CTCLoss
---The sum of each element and all before it along an axis; of float32 rounded from double
---@param a? hl.NDArray|number|hl.op._np_cumsum
---@param ... any|hl.op._np_cumsum
---@return hl.NDArray
function nd.cumsum(a, ...) end

nd.deconvolution = nd.Deconvolution
---Radians to degrees
---@param data? hl.NDArray|number|hl.op.degrees
---@param ... any|hl.op.degrees
---@return hl.NDArray
function nd.degrees(data, ...) end

---Channels rearranged into square blocks of height and width
---@param data? hl.NDArray|number|hl.op.depth_to_space
---@param ... any|hl.op.depth_to_space
---@return hl.NDArray
function nd.depth_to_space(data, ...) end

---A diagonal of data, as the last axis of the result; of a vector, the matrix with it on a diagonal
---@param data? hl.NDArray|number|hl.op.diag
---@param ... any|hl.op.diag
---@return hl.NDArray
function nd.diag(data, ...) end

---The derivative of gammaln
---@param data? hl.NDArray|number|hl.op.digamma
---@param ... any|hl.op.digamma
---@return hl.NDArray
function nd.digamma(data, ...) end

---The bin of each element between edges that rise: bin i holds bins[i - 1] <= x < bins[i], with right bins[i - 1] < x <= bins[i]; where the edges fall, the other way round. int64
---@param x? hl.NDArray|number|hl.op._digitize
---@param bins? hl.NDArray|number|hl.op._digitize
---@param ... any|hl.op._digitize
---@return hl.NDArray
function nd.digitize(x, bins, ...) end

nd.div = nd.broadcast_div
---x / scalar
---@param data? hl.NDArray|number|hl.op._div_scalar
---@param ... any|hl.op._div_scalar
---@return hl.NDArray
function nd.div_scalar(data, ...) end

nd.divide = nd.broadcast_div
---The product of matrices; of arrays in general, the last axis of lhs contracted with the first of rhs. Two vectors give shape (1,). transpose_a contracts the first axis of lhs, transpose_b the last of rhs
---@param lhs? hl.NDArray|number|hl.op.dot
---@param rhs? hl.NDArray|number|hl.op.dot
---@param ... any|hl.op.dot
---@return hl.NDArray
function nd.dot(lhs, rhs, ...) end

nd.dropout = nd.Dropout
nd.element_wise_sum = nd.ElementWiseSum
---a + b (equal shapes)
---@param lhs? hl.NDArray|number|hl.op.elemwise_add
---@param rhs? hl.NDArray|number|hl.op.elemwise_add
---@param ... any|hl.op.elemwise_add
---@return hl.NDArray
function nd.elemwise_add(lhs, rhs, ...) end

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param lhs? hl.NDArray|number|hl.op.elemwise_div
---@param rhs? hl.NDArray|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.NDArray
function nd.elemwise_div(lhs, rhs, ...) end

---a * b (equal shapes)
---@param lhs? hl.NDArray|number|hl.op.elemwise_mul
---@param rhs? hl.NDArray|number|hl.op.elemwise_mul
---@param ... any|hl.op.elemwise_mul
---@return hl.NDArray
function nd.elemwise_mul(lhs, rhs, ...) end

---a - b (equal shapes)
---@param lhs? hl.NDArray|number|hl.op.elemwise_sub
---@param rhs? hl.NDArray|number|hl.op.elemwise_sub
---@param ... any|hl.op.elemwise_sub
---@return hl.NDArray
function nd.elemwise_sub(lhs, rhs, ...) end

nd.embedding = nd.Embedding
---A new array; its content is zeros here, but do not count on it
---@param ... any|hl.op._empty
---@return hl.NDArray
function nd.empty(...) end

nd.equal = nd.broadcast_equal
---1 where x = scalar, else 0, in x's dtype
---@param data? hl.NDArray|number|hl.op._equal_scalar
---@param ... any|hl.op._equal_scalar
---@return hl.NDArray
function nd.equal_scalar(data, ...) end

---The error function
---@param data? hl.NDArray|number|hl.op.erf
---@param ... any|hl.op.erf
---@return hl.NDArray
function nd.erf(data, ...) end

---The inverse of erf; |x| < 1
---@param data? hl.NDArray|number|hl.op.erfinv
---@param ... any|hl.op.erfinv
---@return hl.NDArray
function nd.erfinv(data, ...) end

---e^x
---@param data? hl.NDArray|number|hl.op.exp
---@param ... any|hl.op.exp
---@return hl.NDArray
function nd.exp(data, ...) end

---A new axis of dimension 1
---@param data? hl.NDArray|number|hl.op.expand_dims
---@param ... any|hl.op.expand_dims
---@return hl.NDArray
function nd.expand_dims(data, ...) end

---e^x - 1, exact near 0
---@param data? hl.NDArray|number|hl.op.expm1
---@param ... any|hl.op.expm1
---@return hl.NDArray
function nd.expm1(data, ...) end

---Ones on a diagonal, zeros elsewhere
---@param ... any|hl.op._eye
---@return hl.NDArray
function nd.eye(...) end

---lhs with one element of each row, named by rhs, replaced by that of mhs
---@param lhs? hl.NDArray|number|hl.op.fill_element_0index
---@param mhs? hl.NDArray|number|hl.op.fill_element_0index
---@param rhs? hl.NDArray|number|hl.op.fill_element_0index
---@param ... any|hl.op.fill_element_0index
---@return hl.NDArray
function nd.fill_element_0index(lhs, mhs, rhs, ...) end

---To the nearest integer towards 0
---@param data? hl.NDArray|number|hl.op.fix
---@param ... any|hl.op.fix
---@return hl.NDArray
function nd.fix(data, ...) end

nd.flatten = nd.Flatten
---The elements along some axes in the opposite order
---@param data? hl.NDArray|number|hl.op.reverse
---@param ... any|hl.op.reverse
---@return hl.NDArray
function nd.flip(data, ...) end

---The greatest integer not above x
---@param data? hl.NDArray|number|hl.op.floor
---@param ... any|hl.op.floor
---@return hl.NDArray
function nd.floor(data, ...) end

nd.floor_divide = nd.broadcast_floor_divide
---x / scalar rounded down, Lua's x // scalar
---@param data? hl.NDArray|number|hl.op._floor_divide_scalar
---@param ... any|hl.op._floor_divide_scalar
---@return hl.NDArray
function nd.floor_divide_scalar(data, ...) end

---Follow the moving leader (S. Zheng, J. Kwok, 2017)
---@param weight? hl.NDArray|number|hl.op.ftml_update
---@param grad? hl.NDArray|number|hl.op.ftml_update
---@param d? hl.NDArray|number|hl.op.ftml_update
---@param v? hl.NDArray|number|hl.op.ftml_update
---@param z? hl.NDArray|number|hl.op.ftml_update
---@param ... any|hl.op.ftml_update
---@return hl.NDArray
function nd.ftml_update(weight, grad, d, v, z, ...) end

---Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; (sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 (H. McMahan et al., 2013)
---@param weight? hl.NDArray|number|hl.op.ftrl_update
---@param grad? hl.NDArray|number|hl.op.ftrl_update
---@param z? hl.NDArray|number|hl.op.ftrl_update
---@param n? hl.NDArray|number|hl.op.ftrl_update
---@param ... any|hl.op.ftrl_update
---@return hl.NDArray
function nd.ftrl_update(weight, grad, z, n, ...) end

---An array of one value
---@param ... any|hl.op._full
---@return hl.NDArray
function nd.full(...) end

---An array of one value, of data's shape and dtype
---@param data? hl.NDArray|number|hl.op.full_like
---@param ... any|hl.op.full_like
---@return hl.NDArray
function nd.full_like(data, ...) end

nd.fully_connected = nd.FullyConnected
---The gamma function
---@param data? hl.NDArray|number|hl.op.gamma
---@param ... any|hl.op.gamma
---@return hl.NDArray
function nd.gamma(data, ...) end

---log |gamma(x)|
---@param data? hl.NDArray|number|hl.op.gammaln
---@param ... any|hl.op.gammaln
---@return hl.NDArray
function nd.gammaln(data, ...) end

---The elements, or slices, of data that the columns of indices name, an axis a row; negative ones count from the end
---@param data? hl.NDArray|number|hl.op.gather_nd
---@param indices? hl.NDArray|number|hl.op.gather_nd
---@param ... any|hl.op.gather_nd
---@return hl.NDArray
function nd.gather_nd(data, indices, ...) end

---gelu by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, 2016)
---@param data? hl.NDArray|number|hl.op._gelu_tanh
---@param ... any|hl.op._gelu_tanh
---@return hl.NDArray
function nd.gelu_tanh(data, ...) end

nd.grad_add = nd.elemwise_add
nd.greater = nd.broadcast_greater
nd.greater_equal = nd.broadcast_greater_equal
---1 where x >= scalar, else 0
---@param data? hl.NDArray|number|hl.op._greater_equal_scalar
---@param ... any|hl.op._greater_equal_scalar
---@return hl.NDArray
function nd.greater_equal_scalar(data, ...) end

---1 where x > scalar, else 0
---@param data? hl.NDArray|number|hl.op._greater_scalar
---@param ... any|hl.op._greater_scalar
---@return hl.NDArray
function nd.greater_scalar(data, ...) end

nd.grid_generator = nd.GridGenerator
nd.group_norm = nd.GroupNorm
---alpha x + beta held within [0, 1]
---@param data? hl.NDArray|number|hl.op.hard_sigmoid
---@param ... any|hl.op.hard_sigmoid
---@return hl.NDArray
function nd.hard_sigmoid(data, ...) end

---How many elements lie in each bin, and the bins' edges: bin i holds edge[i] <= x < edge[i + 1], the last one both of its edges
---@param data? hl.NDArray|number|hl.op._histogram
---@param bins? hl.NDArray|number|hl.op._histogram
---@param ... any|hl.op._histogram
---@return hl.NDArray|hl.NDArray[]
function nd.histogram(data, bins, ...) end

nd.hypot = nd.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param data? hl.NDArray|number|hl.op._hypot_scalar
---@param ... any|hl.op._hypot_scalar
---@return hl.NDArray
function nd.hypot_scalar(data, ...) end

nd.identity = nd.copy
---What a window sees, as columns: (batch, channel, *axes) becomes (batch, channel x taps, places), the taps of a channel and the places of the window each in row-major order
---@param data? hl.NDArray|number|hl.op.im2col
---@param ... any|hl.op.im2col
---@return hl.NDArray
function nd.im2col(data, ...) end

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param data? hl.NDArray|number|hl.op._image_adjust_lighting
---@param ... any|hl.op._image_adjust_lighting
---@return hl.NDArray
function nd.image_adjust_lighting(data, ...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param data? hl.NDArray|number|hl.op._image_crop
---@param ... any|hl.op._image_crop
---@return hl.NDArray
function nd.image_crop(data, ...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param data? hl.NDArray|number|hl.op._image_flip_left_right
---@param ... any|hl.op._image_flip_left_right
---@return hl.NDArray
function nd.image_flip_left_right(data, ...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param data? hl.NDArray|number|hl.op._image_flip_top_bottom
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.NDArray
function nd.image_flip_top_bottom(data, ...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param data? hl.NDArray|number|hl.op._image_normalize
---@param ... any|hl.op._image_normalize
---@return hl.NDArray
function nd.image_normalize(data, ...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_brightness
---@param ... any|hl.op._image_random_brightness
---@return hl.NDArray
function nd.image_random_brightness(data, ...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param data? hl.NDArray|number|hl.op._image_random_color_jitter
---@param ... any|hl.op._image_random_color_jitter
---@return hl.NDArray
function nd.image_random_color_jitter(data, ...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_contrast
---@param ... any|hl.op._image_random_contrast
---@return hl.NDArray
function nd.image_random_contrast(data, ...) end

---flip_left_right, or nothing, with a probability of one half
---@param data? hl.NDArray|number|hl.op._image_random_flip_left_right
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.NDArray
function nd.image_random_flip_left_right(data, ...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param data? hl.NDArray|number|hl.op._image_random_flip_top_bottom
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.NDArray
function nd.image_random_flip_top_bottom(data, ...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param data? hl.NDArray|number|hl.op._image_random_hue
---@param ... any|hl.op._image_random_hue
---@return hl.NDArray
function nd.image_random_hue(data, ...) end

---adjust_lighting by three normal numbers of mean 0
---@param data? hl.NDArray|number|hl.op._image_random_lighting
---@param ... any|hl.op._image_random_lighting
---@return hl.NDArray
function nd.image_random_lighting(data, ...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_saturation
---@param ... any|hl.op._image_random_saturation
---@return hl.NDArray
function nd.image_random_saturation(data, ...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param data? hl.NDArray|number|hl.op._image_resize
---@param ... any|hl.op._image_resize
---@return hl.NDArray
function nd.image_resize(data, ...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param data? hl.NDArray|number|hl.op._image_to_tensor
---@param ... any|hl.op._image_to_tensor
---@return hl.NDArray
function nd.image_to_tensor(data, ...) end

---data[key], in NumPy's meaning: begin:end:step, single places, None, ..., and index arrays. What is one piece of memory shares it with data
---@param data? hl.NDArray|number|hl.op._index
---@param i0? hl.NDArray|number|hl.op._index
---@param i1? hl.NDArray|number|hl.op._index
---@param i2? hl.NDArray|number|hl.op._index
---@param i3? hl.NDArray|number|hl.op._index
---@param i4? hl.NDArray|number|hl.op._index
---@param i5? hl.NDArray|number|hl.op._index
---@param i6? hl.NDArray|number|hl.op._index
---@param i7? hl.NDArray|number|hl.op._index
---@param ... any|hl.op._index
---@return hl.NDArray
function nd.index(data, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

---data with data[key] replaced by value, which broadcasts; of elements named several times the last stays. A mask, an array of bool as the whole key, covers the first axes
---@param data? hl.NDArray|number|hl.op._index_assign
---@param value? hl.NDArray|number|hl.op._index_assign
---@param i0? hl.NDArray|number|hl.op._index_assign
---@param i1? hl.NDArray|number|hl.op._index_assign
---@param i2? hl.NDArray|number|hl.op._index_assign
---@param i3? hl.NDArray|number|hl.op._index_assign
---@param i4? hl.NDArray|number|hl.op._index_assign
---@param i5? hl.NDArray|number|hl.op._index_assign
---@param i6? hl.NDArray|number|hl.op._index_assign
---@param i7? hl.NDArray|number|hl.op._index_assign
---@param ... any|hl.op._index_assign
---@return hl.NDArray
function nd.index_assign(data, value, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

nd.instance_norm = nd.InstanceNorm
nd.invert = nd.bitwise_not
---Is an element a number, neither infinite nor NaN? The result is bool
---@param data? hl.NDArray|number|hl.op.isfinite
---@param ... any|hl.op.isfinite
---@return hl.NDArray
function nd.isfinite(data, ...) end

---Which elements are among others; bool. A NaN is equal to nothing
---@param element? hl.NDArray|number|hl.op._isin
---@param test_elements? hl.NDArray|number|hl.op._isin
---@param ... any|hl.op._isin
---@return hl.NDArray
function nd.isin(element, test_elements, ...) end

---Is an element infinite, of either sign? The result is bool
---@param data? hl.NDArray|number|hl.op.isinf
---@param ... any|hl.op.isinf
---@return hl.NDArray
function nd.isinf(data, ...) end

---Is an element NaN? The result is bool
---@param data? hl.NDArray|number|hl.op.isnan
---@param ... any|hl.op.isnan
---@return hl.NDArray
function nd.isnan(data, ...) end

---Is an element minus infinity? The result is bool
---@param data? hl.NDArray|number|hl.op.isneginf
---@param ... any|hl.op.isneginf
---@return hl.NDArray
function nd.isneginf(data, ...) end

---Is an element plus infinity? The result is bool
---@param data? hl.NDArray|number|hl.op.isposinf
---@param ... any|hl.op.isposinf
---@return hl.NDArray
function nd.isposinf(data, ...) end

---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param args? hl.NDArray|number|hl.op.khatri_rao
---@param ... any|hl.op.khatri_rao
---@return hl.NDArray
function nd.khatri_rao(args, ...) end

nd.l2_normalization = nd.L2Normalization
nd.l2normalization = nd.L2Normalization
---LAMB, phase 1: the step mean / (sqrt(var) + epsilon) + wd weight (Y. You et al., 2019)
---@param weight? hl.NDArray|number|hl.op.lamb_update_phase1
---@param grad? hl.NDArray|number|hl.op.lamb_update_phase1
---@param mean? hl.NDArray|number|hl.op.lamb_update_phase1
---@param var? hl.NDArray|number|hl.op.lamb_update_phase1
---@param ... any|hl.op.lamb_update_phase1
---@return hl.NDArray
function nd.lamb_update_phase1(weight, grad, mean, var, ...) end

---LAMB, phase 2: weight - lr (r1 / r2) g, r1 being the weight's norm and r2 that of g, the step of phase 1; without the ratio where either is 0
---@param weight? hl.NDArray|number|hl.op.lamb_update_phase2
---@param g? hl.NDArray|number|hl.op.lamb_update_phase2
---@param r1? hl.NDArray|number|hl.op.lamb_update_phase2
---@param r2? hl.NDArray|number|hl.op.lamb_update_phase2
---@param ... any|hl.op.lamb_update_phase2
---@return hl.NDArray
function nd.lamb_update_phase2(weight, g, r1, r2, ...) end

nd.layer_norm = nd.LayerNorm
nd.leaky_re_lu = nd.LeakyReLU
nd.leaky_relu = nd.LeakyReLU
---a shifted by b: integers with their bits b places to the left; 0 where b is negative or not below the number of bits
---@param lhs? hl.NDArray|number|hl.op.left_shift
---@param rhs? hl.NDArray|number|hl.op.left_shift
---@param ... any|hl.op.left_shift
---@return hl.NDArray
function nd.left_shift(lhs, rhs, ...) end

---left_shift of x by scalar
---@param data? hl.NDArray|number|hl.op._left_shift_scalar
---@param ... any|hl.op._left_shift_scalar
---@return hl.NDArray
function nd.left_shift_scalar(data, ...) end

nd.lesser = nd.broadcast_lesser
nd.lesser_equal = nd.broadcast_lesser_equal
---1 where x <= scalar, else 0
---@param data? hl.NDArray|number|hl.op._lesser_equal_scalar
---@param ... any|hl.op._lesser_equal_scalar
---@return hl.NDArray
function nd.lesser_equal_scalar(data, ...) end

---1 where x < scalar, else 0
---@param data? hl.NDArray|number|hl.op._lesser_scalar
---@param ... any|hl.op._lesser_scalar
---@return hl.NDArray
function nd.lesser_scalar(data, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param A? hl.NDArray|number|hl.op._linalg_cholesky
---@param ... any|hl.op._linalg_cholesky
---@return hl.NDArray
function nd.linalg_cholesky(A, ...) end

---The determinant. The gradient of a singular matrix is 0
---@param A? hl.NDArray|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function nd.linalg_det(A, ...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_eigh
---@param ... any|hl.op._linalg_eigh
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_eigh(A, ...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_eigvalsh
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.NDArray
function nd.linalg_eigvalsh(A, ...) end

---The diagonals of square matrices
---@param A? hl.NDArray|number|hl.op._linalg_extractdiag
---@param ... any|hl.op._linalg_extractdiag
---@return hl.NDArray
function nd.linalg_extractdiag(A, ...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param A? hl.NDArray|number|hl.op._linalg_extracttrian
---@param ... any|hl.op._linalg_extracttrian
---@return hl.NDArray
function nd.linalg_extracttrian(A, ...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param A? hl.NDArray|number|hl.op._linalg_gelqf
---@param ... any|hl.op._linalg_gelqf
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_gelqf(A, ...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param A? hl.NDArray|number|hl.op._linalg_gemm
---@param B? hl.NDArray|number|hl.op._linalg_gemm
---@param C? hl.NDArray|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.NDArray
function nd.linalg_gemm(A, B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param A? hl.NDArray|number|hl.op._linalg_gemm2
---@param B? hl.NDArray|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.NDArray
function nd.linalg_gemm2(A, B, ...) end

---The inverse; linalg.inv is another name of it
---@param A? hl.NDArray|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function nd.linalg_inverse(A, ...) end

---What linalg.lstsq calls: x with the least |A x - b|, and of those the shortest; sums of squared residuals, where A has more rows than columns; the rank of A. Gradients of x alone, where the rank does not change
---@param A? hl.NDArray|number|hl.op._linalg_lstsq
---@param b? hl.NDArray|number|hl.op._linalg_lstsq
---@param ... any|hl.op._linalg_lstsq
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_lstsq(A, b, ...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param A? hl.NDArray|number|hl.op._linalg_makediag
---@param ... any|hl.op._linalg_makediag
---@return hl.NDArray
function nd.linalg_makediag(A, ...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param A? hl.NDArray|number|hl.op._linalg_maketrian
---@param ... any|hl.op._linalg_maketrian
---@return hl.NDArray
function nd.linalg_maketrian(A, ...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param A? hl.NDArray|number|hl.op._linalg_matrix_rank
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.NDArray
function nd.linalg_matrix_rank(A, ...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param A? hl.NDArray|number|hl.op._linalg_pinv
---@param ... any|hl.op._linalg_pinv
---@return hl.NDArray
function nd.linalg_pinv(A, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.NDArray|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function nd.linalg_potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.NDArray|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function nd.linalg_potri(A, ...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param A? hl.NDArray|number|hl.op._linalg_qr
---@param ... any|hl.op._linalg_qr
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_qr(A, ...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param A? hl.NDArray|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_slogdet(A, ...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param A? hl.NDArray|number|hl.op._linalg_solve
---@param b? hl.NDArray|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.NDArray
function nd.linalg_solve(A, b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.NDArray|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function nd.linalg_sumlogdiag(A, ...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param A? hl.NDArray|number|hl.op._linalg_svd
---@param ... any|hl.op._linalg_svd
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_svd(A, ...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_syevd
---@param ... any|hl.op._linalg_syevd
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_syevd(A, ...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param A? hl.NDArray|number|hl.op._linalg_syrk
---@param ... any|hl.op._linalg_syrk
---@return hl.NDArray
function nd.linalg_syrk(A, ...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param A? hl.NDArray|number|hl.op._linalg_trmm
---@param B? hl.NDArray|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.NDArray
function nd.linalg_trmm(A, B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param A? hl.NDArray|number|hl.op._linalg_trsm
---@param B? hl.NDArray|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.NDArray
function nd.linalg_trsm(A, B, ...) end

nd.linear_regression_output = nd.LinearRegressionOutput
---num values at even distances from start to stop
---@param ... any|hl.op._linspace
---@return hl.NDArray
function nd.linspace(...) end

---The natural logarithm
---@param data? hl.NDArray|number|hl.op.log
---@param ... any|hl.op.log
---@return hl.NDArray
function nd.log(data, ...) end

---The logarithm to base 10
---@param data? hl.NDArray|number|hl.op.log10
---@param ... any|hl.op.log10
---@return hl.NDArray
function nd.log10(data, ...) end

---log(1 + x), exact near 0
---@param data? hl.NDArray|number|hl.op.log1p
---@param ... any|hl.op.log1p
---@return hl.NDArray
function nd.log1p(data, ...) end

---The logarithm to base 2
---@param data? hl.NDArray|number|hl.op.log2
---@param ... any|hl.op.log2
---@return hl.NDArray
function nd.log2(data, ...) end

---log(1 / (1 + e^-x)), also far from 0
---@param data? hl.NDArray|number|hl.op.log_sigmoid
---@param ... any|hl.op.log_sigmoid
---@return hl.NDArray
function nd.log_sigmoid(data, ...) end

---The logarithm of softmax, without its rounding: x - log of the sum of e^x
---@param data? hl.NDArray|number|hl.op.log_softmax
---@param ... any|hl.op.log_softmax
---@return hl.NDArray
function nd.log_softmax(data, ...) end

---log(e^a + e^b), without overflow
---@param lhs? hl.NDArray|number|hl.op.logaddexp
---@param rhs? hl.NDArray|number|hl.op.logaddexp
---@param ... any|hl.op.logaddexp
---@return hl.NDArray
function nd.logaddexp(lhs, rhs, ...) end

nd.logical_and = nd.broadcast_logical_and
---1 where x and scalar are not 0, else 0
---@param data? hl.NDArray|number|hl.op._logical_and_scalar
---@param ... any|hl.op._logical_and_scalar
---@return hl.NDArray
function nd.logical_and_scalar(data, ...) end

---1 where x is 0, else 0, in x's dtype
---@param data? hl.NDArray|number|hl.op.logical_not
---@param ... any|hl.op.logical_not
---@return hl.NDArray
function nd.logical_not(data, ...) end

nd.logical_or = nd.broadcast_logical_or
---1 where x or scalar is not 0, else 0
---@param data? hl.NDArray|number|hl.op._logical_or_scalar
---@param ... any|hl.op._logical_or_scalar
---@return hl.NDArray
function nd.logical_or_scalar(data, ...) end

nd.logical_xor = nd.broadcast_logical_xor
---1 where exactly one of x and scalar is not 0, else 0
---@param data? hl.NDArray|number|hl.op._logical_xor_scalar
---@param ... any|hl.op._logical_xor_scalar
---@return hl.NDArray
function nd.logical_xor_scalar(data, ...) end

nd.logistic_regression_output = nd.LogisticRegressionOutput
nd.lrn = nd.LRN
nd.mae_regression_output = nd.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.make_loss
---@param ... any|hl.op.make_loss
---@return hl.NDArray
function nd.make_loss(data, ...) end

---The product of matrices, the last two axes; the axes before them broadcast, as in NumPy. A vector is a row on the left and a column on the right; two vectors give shape (1,). Integers too
---@param a? hl.NDArray|number|hl.op.matmul
---@param b? hl.NDArray|number|hl.op.matmul
---@param ... any|hl.op.matmul
---@return hl.NDArray
function nd.matmul(a, b, ...) end

---The greatest element over axes; NaN wins. Equals each get the whole gradient
---@param data? hl.NDArray|number|hl.op.max
---@param ... any|hl.op.max
---@return hl.NDArray
function nd.max(data, ...) end

nd.max_axis = nd.max
nd.maximum = nd.broadcast_maximum
---The larger of x and scalar; NaN wins
---@param data? hl.NDArray|number|hl.op._maximum_scalar
---@param ... any|hl.op._maximum_scalar
---@return hl.NDArray
function nd.maximum_scalar(data, ...) end

---The mean over axes; of integers and truth values a float32
---@param data? hl.NDArray|number|hl.op.mean
---@param ... any|hl.op.mean
---@return hl.NDArray
function nd.mean(data, ...) end

---The least element over axes; NaN wins. Equals each get the whole gradient
---@param data? hl.NDArray|number|hl.op.min
---@param ... any|hl.op.min
---@return hl.NDArray
function nd.min(data, ...) end

nd.min_axis = nd.min
nd.minimum = nd.broadcast_minimum
---The smaller of x and scalar; NaN wins
---@param data? hl.NDArray|number|hl.op._minimum_scalar
---@param ... any|hl.op._minimum_scalar
---@return hl.NDArray
function nd.minimum_scalar(data, ...) end

nd.minus = nd.elemwise_sub
---x - scalar
---@param data? hl.NDArray|number|hl.op._minus_scalar
---@param ... any|hl.op._minus_scalar
---@return hl.NDArray
function nd.minus_scalar(data, ...) end

---x tanh(log(1 + e^x)) (D. Misra, 2019)
---@param data? hl.NDArray|number|hl.op.mish
---@param ... any|hl.op.mish
---@return hl.NDArray
function nd.mish(data, ...) end

nd.mod = nd.broadcast_mod
---x modulo scalar, with the sign of scalar
---@param data? hl.NDArray|number|hl.op._mod_scalar
---@param ... any|hl.op._mod_scalar
---@return hl.NDArray
function nd.mod_scalar(data, ...) end

nd.modulo = nd.broadcast_mod
---The mean over axes and the mean of the squared distances from it: a table of two
---@param data? hl.NDArray|number|hl.op.moments
---@param ... any|hl.op.moments
---@return hl.NDArray|hl.NDArray[]
function nd.moments(data, ...) end

nd.mul = nd.broadcast_mul
---x * scalar
---@param data? hl.NDArray|number|hl.op._mul_scalar
---@param ... any|hl.op._mul_scalar
---@return hl.NDArray
function nd.mul_scalar(data, ...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param data? hl.NDArray|number|hl.op.multi_all_finite
---@param ... any|hl.op.multi_all_finite
---@return hl.NDArray
function nd.multi_all_finite(data, ...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param lrs? hl.NDArray|number|hl.op.multi_lars
---@param weights_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param grads_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param wds? hl.NDArray|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.NDArray
function nd.multi_lars(lrs, weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param data? hl.NDArray|number|hl.op.multi_sgd_mom_update
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.NDArray[]
function nd.multi_sgd_mom_update(data, ...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param data? hl.NDArray|number|hl.op.multi_sgd_update
---@param ... any|hl.op.multi_sgd_update
---@return hl.NDArray[]
function nd.multi_sgd_update(data, ...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param data? hl.NDArray|number|hl.op.multi_sum_sq
---@param ... any|hl.op.multi_sum_sq
---@return hl.NDArray
function nd.multi_sum_sq(data, ...) end

nd.multiply = nd.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param weight? hl.NDArray|number|hl.op.nag_mom_update
---@param grad? hl.NDArray|number|hl.op.nag_mom_update
---@param mom? hl.NDArray|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.NDArray
function nd.nag_mom_update(weight, grad, mom, ...) end

---Finite numbers for those that are not: 0 for NaN and the greatest of the dtype for infinities, or what is given
---@param data? hl.NDArray|number|hl.op.nan_to_num
---@param ... any|hl.op.nan_to_num
---@return hl.NDArray
function nd.nan_to_num(data, ...) end

---The product over axes, NaN counting as 1
---@param data? hl.NDArray|number|hl.op.nanprod
---@param ... any|hl.op.nanprod
---@return hl.NDArray
function nd.nanprod(data, ...) end

---The sum over axes, NaN counting as 0
---@param data? hl.NDArray|number|hl.op.nansum
---@param ... any|hl.op.nansum
---@return hl.NDArray
function nd.nansum(data, ...) end

----x
---@param data? hl.NDArray|number|hl.op.negative
---@param ... any|hl.op.negative
---@return hl.NDArray
function nd.negative(data, ...) end

---The 1- or 2-norm over axes; where squares would under- or overflow they are scaled (J. Blue, 1978)
---@param data? hl.NDArray|number|hl.op.norm
---@param ... any|hl.op.norm
---@return hl.NDArray
function nd.norm(data, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958)
---@param ... any|hl.op._random_normal
---@return hl.NDArray
function nd.normal(...) end

nd.not_equal = nd.broadcast_not_equal
---1 where x differs from scalar, else 0
---@param data? hl.NDArray|number|hl.op._not_equal_scalar
---@param ... any|hl.op._not_equal_scalar
---@return hl.NDArray
function nd.not_equal_scalar(data, ...) end

nd.np_all = nd.all
nd.np_any = nd.any
nd.np_cumsum = nd.cumsum
---The elements moved along axes; those that leave at the end come in at the beginning. Without an axis, all as one line
---@param data? hl.NDArray|number|hl.op.roll
---@param ... any|hl.op.roll
---@return hl.NDArray
function nd.np_roll(data, ...) end

nd.npi_bitwise_and = nd.bitwise_and
---Of integers, the bits that both have, x and scalar; of bool and floats, 1 where both are not 0, else 0
---@param data? hl.NDArray|number|hl.op._npi_bitwise_and_scalar
---@param ... any|hl.op._npi_bitwise_and_scalar
---@return hl.NDArray
function nd.npi_bitwise_and_scalar(data, ...) end

nd.npi_bitwise_not = nd.bitwise_not
nd.npi_bitwise_or = nd.bitwise_or
---Of integers, the bits that one of them has, x and scalar; of bool and floats, 1 where one is not 0, else 0
---@param data? hl.NDArray|number|hl.op._npi_bitwise_or_scalar
---@param ... any|hl.op._npi_bitwise_or_scalar
---@return hl.NDArray
function nd.npi_bitwise_or_scalar(data, ...) end

nd.npi_bitwise_xor = nd.bitwise_xor
---Of integers, the bits that exactly one has, x and scalar; of bool and floats, 1 where exactly one is not 0, else 0
---@param data? hl.NDArray|number|hl.op._npi_bitwise_xor_scalar
---@param ... any|hl.op._npi_bitwise_xor_scalar
---@return hl.NDArray
function nd.npi_bitwise_xor_scalar(data, ...) end

nd.npi_cholesky = nd.linalg_cholesky
nd.npi_eigh = nd.linalg_eigh
nd.npi_eigvalsh = nd.linalg_eigvalsh
nd.npi_full_like = nd.full_like
nd.npi_inv = nd.linalg_inverse
nd.npi_isfinite = nd.isfinite
nd.npi_isinf = nd.isinf
nd.npi_isnan = nd.isnan
nd.npi_isneginf = nd.isneginf
nd.npi_isposinf = nd.isposinf
nd.npi_matmul = nd.matmul
nd.npi_qr = nd.linalg_qr
nd.npi_solve = nd.linalg_solve
---The standard deviation over axes: the square root of var. Where it is 0 its gradient is 0
---@param data? hl.NDArray|number|hl.op.std
---@param ... any|hl.op.std
---@return hl.NDArray
function nd.npi_std(data, ...) end

---Matrices, the last two axes, with zeros above diagonal k. A vector stands for a matrix of such rows
---@param data? hl.NDArray|number|hl.op.tril
---@param ... any|hl.op.tril
---@return hl.NDArray
function nd.npi_tril(data, ...) end

---Matrices, the last two axes, with zeros below diagonal k. A vector stands for a matrix of such rows
---@param data? hl.NDArray|number|hl.op.triu
---@param ... any|hl.op.triu
---@return hl.NDArray
function nd.npi_triu(data, ...) end

---The variance over axes: the sum of the squared distances from the mean, divided by their number less ddof. 0 where all are equal; NaN of no elements
---@param data? hl.NDArray|number|hl.op.var
---@param ... any|hl.op.var
---@return hl.NDArray
function nd.npi_var(data, ...) end

---x where the condition is not 0, y elsewhere; all three broadcast
---@param condition? hl.NDArray|number|hl.op._npi_where
---@param x? hl.NDArray|number|hl.op._npi_where
---@param y? hl.NDArray|number|hl.op._npi_where
---@param ... any|hl.op._npi_where
---@return hl.NDArray
function nd.npi_where(condition, x, y, ...) end

---on_value at the place that each index names along a new last axis, off_value elsewhere
---@param indices? hl.NDArray|number|hl.op.one_hot
---@param ... any|hl.op.one_hot
---@return hl.NDArray
function nd.one_hot(indices, ...) end

---An array of ones
---@param ... any|hl.op._ones
---@return hl.NDArray
function nd.ones(...) end

---Ones of data's shape and dtype
---@param data? hl.NDArray|number|hl.op.ones_like
---@param ... any|hl.op.ones_like
---@return hl.NDArray
function nd.ones_like(data, ...) end

nd.pad = nd.Pad
nd.pick = nd.choose_element_0index
nd.plus = nd.elemwise_add
---x + scalar
---@param data? hl.NDArray|number|hl.op._plus_scalar
---@param ... any|hl.op._plus_scalar
---@return hl.NDArray
function nd.plus_scalar(data, ...) end

nd.pooling = nd.Pooling
nd.pow = nd.broadcast_power
nd.power = nd.broadcast_power
---x to the power of scalar
---@param data? hl.NDArray|number|hl.op._power_scalar
---@param ... any|hl.op._power_scalar
---@return hl.NDArray
function nd.power_scalar(data, ...) end

---The input, printed on standard output whenever it is computed: eagerly, compiled, and in each iteration of a loop, in the script's order
---@param data? hl.NDArray|number|hl.op.print
---@param ... any|hl.op.print
---@return hl.NDArray
function nd.print(data, ...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param data? hl.NDArray|number|hl.op.prod
---@param ... any|hl.op.prod
---@return hl.NDArray
function nd.prod(data, ...) end

---Quantiles along axes, a number or several, which become the first axis. A NaN makes its line's NaN (R. Hyndman, Y. Fan, "Sample quantiles in statistical packages", 1996)
---@param a? hl.NDArray|number|hl.op._quantile
---@param ... any|hl.op._quantile
---@return hl.NDArray
function nd.quantile(a, ...) end

---scalar / x
---@param data? hl.NDArray|number|hl.op._rdiv_scalar
---@param ... any|hl.op._rdiv_scalar
---@return hl.NDArray
function nd.r_div_scalar(data, ...) end

---scalar - x
---@param data? hl.NDArray|number|hl.op._rminus_scalar
---@param ... any|hl.op._rminus_scalar
---@return hl.NDArray
function nd.r_minus_scalar(data, ...) end

---scalar modulo x, with the sign of x
---@param data? hl.NDArray|number|hl.op._rmod_scalar
---@param ... any|hl.op._rmod_scalar
---@return hl.NDArray
function nd.r_mod_scalar(data, ...) end

---scalar to the power of x
---@param data? hl.NDArray|number|hl.op._rpower_scalar
---@param ... any|hl.op._rpower_scalar
---@return hl.NDArray
function nd.r_power_scalar(data, ...) end

---Degrees to radians
---@param data? hl.NDArray|number|hl.op.radians
---@param ... any|hl.op.radians
---@return hl.NDArray
function nd.radians(data, ...) end

---Exponentially distributed numbers of mean 1 / lam
---@param ... any|hl.op._random_exponential
---@return hl.NDArray
function nd.random_exponential(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_exponential_like
---@param ... any|hl.op._random_exponential_like
---@return hl.NDArray
function nd.random_exponential_like(data, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000)
---@param ... any|hl.op._random_gamma
---@return hl.NDArray
function nd.random_gamma(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_gamma_like
---@param ... any|hl.op._random_gamma_like
---@return hl.NDArray
function nd.random_gamma_like(data, ...) end

---Negative binomial counts by their mean and dispersion
---@param ... any|hl.op._random_generalized_negative_binomial
---@return hl.NDArray
function nd.random_generalized_negative_binomial(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_generalized_negative_binomial_like
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.NDArray
function nd.random_generalized_negative_binomial_like(data, ...) end

---How many failures come before k successes
---@param ... any|hl.op._random_negative_binomial
---@return hl.NDArray
function nd.random_negative_binomial(...) end

---How many failures come before k successes, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_negative_binomial_like
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.NDArray
function nd.random_negative_binomial_like(data, ...) end

nd.random_normal = nd.normal
---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_normal_like
---@param ... any|hl.op._random_normal_like
---@return hl.NDArray
function nd.random_normal_like(data, ...) end

---Poisson distributed counts (W. Hoermann, 1993)
---@param ... any|hl.op._random_poisson
---@return hl.NDArray
function nd.random_poisson(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_poisson_like
---@param ... any|hl.op._random_poisson_like
---@return hl.NDArray
function nd.random_poisson_like(data, ...) end

---Whole numbers in [low, high), each as likely as the others
---@param ... any|hl.op._random_randint
---@return hl.NDArray
function nd.random_randint(...) end

---Numbers spread evenly over [low, high)
---@param ... any|hl.op._random_uniform
---@return hl.NDArray
function nd.random_uniform(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_uniform_like
---@param ... any|hl.op._random_uniform_like
---@return hl.NDArray
function nd.random_uniform_like(data, ...) end

---Index tuples, one a column, as positions in an array of a shape
---@param data? hl.NDArray|number|hl.op._ravel_multi_index
---@param ... any|hl.op._ravel_multi_index
---@return hl.NDArray
function nd.ravel_multi_index(data, ...) end

---1 / cbrt(x)
---@param data? hl.NDArray|number|hl.op.rcbrt
---@param ... any|hl.op.rcbrt
---@return hl.NDArray
function nd.rcbrt(data, ...) end

nd.rdiv_scalar = nd.r_div_scalar
---1 / x
---@param data? hl.NDArray|number|hl.op.reciprocal
---@param ... any|hl.op.reciprocal
---@return hl.NDArray
function nd.reciprocal(data, ...) end

---max(x, 0); NaN stays
---@param data? hl.NDArray|number|hl.op.relu
---@param ... any|hl.op.relu
---@return hl.NDArray
function nd.relu(data, ...) end

---Each element along an axis repeated; without an axis, each of the flattened array
---@param data? hl.NDArray|number|hl.op.repeat
---@param ... any|hl.op.repeat
---@return hl.NDArray
function nd.repeat_(data, ...) end

nd.reshape = nd.Reshape
---lhs in the shape of rhs, or some axes of lhs replaced by some axes of rhs
---@param lhs? hl.NDArray|number|hl.op.reshape_like
---@param rhs? hl.NDArray|number|hl.op.reshape_like
---@param ... any|hl.op.reshape_like
---@return hl.NDArray
function nd.reshape_like(lhs, rhs, ...) end

nd.reverse = nd.flip
---scalar / x rounded down, Lua's scalar // x
---@param data? hl.NDArray|number|hl.op._rfloor_divide_scalar
---@param ... any|hl.op._rfloor_divide_scalar
---@return hl.NDArray
function nd.rfloor_divide_scalar(data, ...) end

---a shifted by b: integers with their bits b places to the right, as NumPy's: negative ones stay negative. A shift by a negative b, or by all bits, gives 0, or -1 for a negative number
---@param lhs? hl.NDArray|number|hl.op.right_shift
---@param rhs? hl.NDArray|number|hl.op.right_shift
---@param ... any|hl.op.right_shift
---@return hl.NDArray
function nd.right_shift(lhs, rhs, ...) end

---right_shift of x by scalar
---@param data? hl.NDArray|number|hl.op._right_shift_scalar
---@param ... any|hl.op._right_shift_scalar
---@return hl.NDArray
function nd.right_shift_scalar(data, ...) end

---To the nearest integer, ties to the lower one
---@param data? hl.NDArray|number|hl.op.rint
---@param ... any|hl.op.rint
---@return hl.NDArray
function nd.rint(data, ...) end

---left_shift of scalar by x
---@param data? hl.NDArray|number|hl.op._rleft_shift_scalar
---@param ... any|hl.op._rleft_shift_scalar
---@return hl.NDArray
function nd.rleft_shift_scalar(data, ...) end

nd.rminus_scalar = nd.r_minus_scalar
nd.rmod_scalar = nd.r_mod_scalar
nd.rms_norm = nd.RMSNorm
---d = grad + wd weight; n the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) (T. Tieleman, G. Hinton, 2012)
---@param weight? hl.NDArray|number|hl.op.rmsprop_update
---@param grad? hl.NDArray|number|hl.op.rmsprop_update
---@param n? hl.NDArray|number|hl.op.rmsprop_update
---@param ... any|hl.op.rmsprop_update
---@return hl.NDArray
function nd.rmsprop_update(weight, grad, n, ...) end

---n and g the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - g^2 + epsilon); weight + delta (A. Graves, 2013)
---@param weight? hl.NDArray|number|hl.op.rmspropalex_update
---@param grad? hl.NDArray|number|hl.op.rmspropalex_update
---@param n? hl.NDArray|number|hl.op.rmspropalex_update
---@param g? hl.NDArray|number|hl.op.rmspropalex_update
---@param delta? hl.NDArray|number|hl.op.rmspropalex_update
---@param ... any|hl.op.rmspropalex_update
---@return hl.NDArray
function nd.rmspropalex_update(weight, grad, n, g, delta, ...) end

nd.rnn = nd.RNN
---Concat, as graphs with fused recurrent layers hold it
---@param data? hl.NDArray|number|hl.op._rnn_param_concat
---@param ... any|hl.op._rnn_param_concat
---@return hl.NDArray
function nd.rnn_param_concat(data, ...) end

nd.roi_pooling = nd.ROIPooling
nd.roll = nd.np_roll
---To the nearest integer, ties away from 0
---@param data? hl.NDArray|number|hl.op.round
---@param ... any|hl.op.round
---@return hl.NDArray
function nd.round(data, ...) end

nd.rpower_scalar = nd.r_power_scalar
---right_shift of scalar by x
---@param data? hl.NDArray|number|hl.op._rright_shift_scalar
---@param ... any|hl.op._rright_shift_scalar
---@return hl.NDArray
function nd.rright_shift_scalar(data, ...) end

---1 / sqrt(x)
---@param data? hl.NDArray|number|hl.op.rsqrt
---@param ... any|hl.op.rsqrt
---@return hl.NDArray
function nd.rsqrt(data, ...) end

---Which elements differ from the one before them; bool. A NaN equals a NaN
---@param a? hl.NDArray|number|hl.op._run_starts
---@param ... any|hl.op._run_starts
---@return hl.NDArray
function nd.run_starts(a, ...) end

---Exponentially distributed numbers of mean 1 / lam, for each element of the parameters
---@param lam? hl.NDArray|number|hl.op._sample_exponential
---@param ... any|hl.op._sample_exponential
---@return hl.NDArray
function nd.sample_exponential(lam, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), for each element of the parameters
---@param alpha? hl.NDArray|number|hl.op._sample_gamma
---@param beta? hl.NDArray|number|hl.op._sample_gamma
---@param ... any|hl.op._sample_gamma
---@return hl.NDArray
function nd.sample_gamma(alpha, beta, ...) end

---Negative binomial counts by their mean and dispersion, for each element of the parameters
---@param mu? hl.NDArray|number|hl.op._sample_generalized_negative_binomial
---@param alpha? hl.NDArray|number|hl.op._sample_generalized_negative_binomial
---@param ... any|hl.op._sample_generalized_negative_binomial
---@return hl.NDArray
function nd.sample_generalized_negative_binomial(mu, alpha, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param data? hl.NDArray|number|hl.op._sample_multinomial
---@param ... any|hl.op._sample_multinomial
---@return hl.NDArray|hl.NDArray[]
function nd.sample_multinomial(data, ...) end

---How many failures come before k successes, for each element of the parameters
---@param k? hl.NDArray|number|hl.op._sample_negative_binomial
---@param p? hl.NDArray|number|hl.op._sample_negative_binomial
---@param ... any|hl.op._sample_negative_binomial
---@return hl.NDArray
function nd.sample_negative_binomial(k, p, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), for each element of the parameters
---@param mu? hl.NDArray|number|hl.op._sample_normal
---@param sigma? hl.NDArray|number|hl.op._sample_normal
---@param ... any|hl.op._sample_normal
---@return hl.NDArray
function nd.sample_normal(mu, sigma, ...) end

---Poisson distributed counts (W. Hoermann, 1993), for each element of the parameters
---@param lam? hl.NDArray|number|hl.op._sample_poisson
---@param ... any|hl.op._sample_poisson
---@return hl.NDArray
function nd.sample_poisson(lam, ...) end

---Numbers spread evenly over [low, high), for each element of the parameters
---@param low? hl.NDArray|number|hl.op._sample_uniform
---@param high? hl.NDArray|number|hl.op._sample_uniform
---@param ... any|hl.op._sample_uniform
---@return hl.NDArray
function nd.sample_uniform(low, high, ...) end

---Zeros of a shape, with the elements or slices that the columns of indices name set; the last one of equals stays
---@param data? hl.NDArray|number|hl.op.scatter_nd
---@param indices? hl.NDArray|number|hl.op.scatter_nd
---@param ... any|hl.op.scatter_nd
---@return hl.NDArray
function nd.scatter_nd(data, indices, ...) end

---Where values would go among the elements of a, which rise, to keep their order: before those equal to them, or after. int64. A NaN is greater than all numbers
---@param a? hl.NDArray|number|hl.op._searchsorted
---@param v? hl.NDArray|number|hl.op._searchsorted
---@param ... any|hl.op._searchsorted
---@return hl.NDArray
function nd.searchsorted(a, v, ...) end

nd.sequence_last = nd.SequenceLast
nd.sequence_mask = nd.SequenceMask
nd.sequence_reverse = nd.SequenceReverse
---mom = momentum mom - lr (grad + wd weight); weight + mom
---@param weight? hl.NDArray|number|hl.op.sgd_mom_update
---@param grad? hl.NDArray|number|hl.op.sgd_mom_update
---@param mom? hl.NDArray|number|hl.op.sgd_mom_update
---@param ... any|hl.op.sgd_mom_update
---@return hl.NDArray
function nd.sgd_mom_update(weight, grad, mom, ...) end

---weight - lr (grad + wd weight)
---@param weight? hl.NDArray|number|hl.op.sgd_update
---@param grad? hl.NDArray|number|hl.op.sgd_update
---@param ... any|hl.op.sgd_update
---@return hl.NDArray
function nd.sgd_update(weight, grad, ...) end

---The shape as an array of int64
---@param data? hl.NDArray|number|hl.op.shape_array
---@param ... any|hl.op.shape_array
---@return hl.NDArray
function nd.shape_array(data, ...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param data? hl.NDArray|number|hl.op._shuffle
---@param ... any|hl.op._shuffle
---@return hl.NDArray
function nd.shuffle(data, ...) end

---1 / (1 + e^-x)
---@param data? hl.NDArray|number|hl.op.sigmoid
---@param ... any|hl.op.sigmoid
---@return hl.NDArray
function nd.sigmoid(data, ...) end

----1, 0 or 1; NaN stays
---@param data? hl.NDArray|number|hl.op.sign
---@param ... any|hl.op.sign
---@return hl.NDArray
function nd.sign(data, ...) end

---(1 - lr wd) weight - lr sign(grad)
---@param weight? hl.NDArray|number|hl.op.signsgd_update
---@param grad? hl.NDArray|number|hl.op.signsgd_update
---@param ... any|hl.op.signsgd_update
---@return hl.NDArray
function nd.signsgd_update(weight, grad, ...) end

---mom = momentum mom - (1 - momentum) (grad + wd weight); (1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)
---@param weight? hl.NDArray|number|hl.op.signum_update
---@param grad? hl.NDArray|number|hl.op.signum_update
---@param mom? hl.NDArray|number|hl.op.signum_update
---@param ... any|hl.op.signum_update
---@return hl.NDArray
function nd.signum_update(weight, grad, mom, ...) end

---x sigmoid(x), also called swish (S. Elfwing et al., 2017)
---@param data? hl.NDArray|number|hl.op.silu
---@param ... any|hl.op.silu
---@return hl.NDArray
function nd.silu(data, ...) end

---The sine; x in radians
---@param data? hl.NDArray|number|hl.op.sin
---@param ... any|hl.op.sin
---@return hl.NDArray
function nd.sin(data, ...) end

---The hyperbolic sine
---@param data? hl.NDArray|number|hl.op.sinh
---@param ... any|hl.op.sinh
---@return hl.NDArray
function nd.sinh(data, ...) end

---The number of elements as an array of one int64
---@param data? hl.NDArray|number|hl.op.size_array
---@param ... any|hl.op.size_array
---@return hl.NDArray
function nd.size_array(data, ...) end

nd.slice = nd.crop
nd.slice_assign = nd.crop_assign
nd.slice_assign_scalar = nd.crop_assign_scalar
---begin:end of one axis; an error outside the axis
---@param data? hl.NDArray|number|hl.op.slice_axis
---@param ... any|hl.op.slice_axis
---@return hl.NDArray
function nd.slice_axis(data, ...) end

nd.slice_channel = nd.SliceChannel
---data from the beginning of each axis up to the dimension of shape_like
---@param data? hl.NDArray|number|hl.op.slice_like
---@param shape_like? hl.NDArray|number|hl.op.slice_like
---@param ... any|hl.op.slice_like
---@return hl.NDArray
function nd.slice_like(data, shape_like, ...) end

---0.5 (s x)^2 where |x| < 1 / s^2, |x| - 0.5 / s^2 elsewhere (s the scalar)
---@param data? hl.NDArray|number|hl.op.smooth_l1
---@param ... any|hl.op.smooth_l1
---@return hl.NDArray
function nd.smooth_l1(data, ...) end

---e^x / sum of e^x along an axis
---@param data? hl.NDArray|number|hl.op.softmax
---@param length? hl.NDArray|number|hl.op.softmax
---@param ... any|hl.op.softmax
---@return hl.NDArray
function nd.softmax(data, length, ...) end

nd.softmax_activation = nd.SoftmaxActivation
---The sum over rows of -log softmax(data)[label]; shape (1,)
---@param data? hl.NDArray|number|hl.op.softmax_cross_entropy
---@param label? hl.NDArray|number|hl.op.softmax_cross_entropy
---@param ... any|hl.op.softmax_cross_entropy
---@return hl.NDArray
function nd.softmax_cross_entropy(data, label, ...) end

nd.softmax_output = nd.Softmax
---softmax of -x
---@param data? hl.NDArray|number|hl.op.softmin
---@param ... any|hl.op.softmin
---@return hl.NDArray
function nd.softmin(data, ...) end

---log(1 + e^x)
---@param data? hl.NDArray|number|hl.op._softrelu
---@param ... any|hl.op._softrelu
---@return hl.NDArray
function nd.softrelu(data, ...) end

---x / (1 + |x|)
---@param data? hl.NDArray|number|hl.op.softsign
---@param ... any|hl.op.softsign
---@return hl.NDArray
function nd.softsign(data, ...) end

---The elements along an axis in order. NaNs come last, upwards and downwards
---@param data? hl.NDArray|number|hl.op.sort
---@param ... any|hl.op.sort
---@return hl.NDArray
function nd.sort(data, ...) end

---Square blocks of height and width rearranged into channels
---@param data? hl.NDArray|number|hl.op.space_to_depth
---@param ... any|hl.op.space_to_depth
---@return hl.NDArray
function nd.space_to_depth(data, ...) end

nd.sparse_adagrad_update = nd.adagrad_update
nd.spatial_transformer = nd.SpatialTransformer
nd.split = nd.SliceChannel
---Parts of an axis that begin at given places, or a number of parts as equal as can be
---@param data? hl.NDArray|number|hl.op._split_v2
---@param ... any|hl.op._split_v2
---@return hl.NDArray[]
function nd.split_v2(data, ...) end

---The square root
---@param data? hl.NDArray|number|hl.op.sqrt
---@param ... any|hl.op.sqrt
---@return hl.NDArray
function nd.sqrt(data, ...) end

---x^2
---@param data? hl.NDArray|number|hl.op.square
---@param ... any|hl.op.square
---@return hl.NDArray
function nd.square(data, ...) end

---Without the axes of dimension 1; an array of one element keeps shape (1,)
---@param data? hl.NDArray|number|hl.op.squeeze
---@param ... any|hl.op.squeeze
---@return hl.NDArray
function nd.squeeze(data, ...) end

---Arrays of one shape joined along a new axis
---@param data? hl.NDArray|number|hl.op.stack
---@param ... any|hl.op.stack
---@return hl.NDArray
function nd.stack(data, ...) end

nd.std = nd.npi_std
nd.stop_gradient = nd.BlockGrad
nd.sub = nd.broadcast_minus
nd.subtract = nd.broadcast_minus
---The sum over axes. Of bools, how many are true, as int64
---@param data? hl.NDArray|number|hl.op.sum
---@param ... any|hl.op.sum
---@return hl.NDArray
function nd.sum(data, ...) end

nd.sum_axis = nd.sum
nd.svm_output = nd.SVMOutput
nd.swap_axis = nd.SwapAxis
nd.swapaxes = nd.SwapAxis
---The slices of a along an axis that the indices name, whose axes replace it
---@param a? hl.NDArray|number|hl.op.take
---@param indices? hl.NDArray|number|hl.op.take
---@param ... any|hl.op.take
---@return hl.NDArray
function nd.take(a, indices, ...) end

---The elements at places along an axis, for each line its own: what argsort and argmax point at. Negative places count from the end
---@param a? hl.NDArray|number|hl.op.take_along_axis
---@param indices? hl.NDArray|number|hl.op.take_along_axis
---@param ... any|hl.op.take_along_axis
---@return hl.NDArray
function nd.take_along_axis(a, indices, ...) end

---The tangent; x in radians
---@param data? hl.NDArray|number|hl.op.tan
---@param ... any|hl.op.tan
---@return hl.NDArray
function nd.tan(data, ...) end

---The hyperbolic tangent
---@param data? hl.NDArray|number|hl.op.tanh
---@param ... any|hl.op.tanh
---@return hl.NDArray
function nd.tanh(data, ...) end

---The whole array repeated along its axes, new leading axes where reps has more
---@param data? hl.NDArray|number|hl.op.tile
---@param ... any|hl.op.tile
---@return hl.NDArray
function nd.tile(data, ...) end

---The k greatest elements along an axis, greatest first: their places, their values, both, or a mask of data's shape with 1 at their places. Of equal elements the first comes first; NaNs come last
---@param data? hl.NDArray|number|hl.op.topk
---@param ... any|hl.op.topk
---@return hl.NDArray|hl.NDArray[]
function nd.topk(data, ...) end

---The axes in another order, reversed by default
---@param data? hl.NDArray|number|hl.op.transpose
---@param ... any|hl.op.transpose
---@return hl.NDArray
function nd.transpose(data, ...) end

---The derivative of digamma
---@param data? hl.NDArray|number|hl.op.trigamma
---@param ... any|hl.op.trigamma
---@return hl.NDArray
function nd.trigamma(data, ...) end

nd.tril = nd.npi_tril
nd.triu = nd.npi_triu
nd.true_divide = nd.broadcast_div
---x without its fraction
---@param data? hl.NDArray|number|hl.op.trunc
---@param ... any|hl.op.trunc
---@return hl.NDArray
function nd.trunc(data, ...) end

nd.uniform = nd.random_uniform
---Positions in an array of a shape as index tuples, one a column
---@param data? hl.NDArray|number|hl.op._unravel_index
---@param ... any|hl.op._unravel_index
---@return hl.NDArray
function nd.unravel_index(data, ...) end

nd.up_sampling = nd.UpSampling
nd.var = nd.npi_var
---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows. x and y may be numbers
---@param condition? hl.NDArray|number|hl.op.where
---@param x? hl.NDArray|number|hl.op.where
---@param y? hl.NDArray|number|hl.op.where
---@param ... any|hl.op.where
---@return hl.NDArray
function nd.where(condition, x, y, ...) end

---An array of zeros
---@param ... any|hl.op._zeros
---@return hl.NDArray
function nd.zeros(...) end

---Zeros of data's shape and dtype
---@param data? hl.NDArray|number|hl.op.zeros_like
---@param ... any|hl.op.zeros_like
---@return hl.NDArray
function nd.zeros_like(data, ...) end


---@class hl.nd.random
local nd_random = {}

---@class nd_random.choice.options
---@field [integer] any
---@field a? any
---@field size? any
---@field replace? boolean Default: true.
---@field p? any

---Elements chosen at random from a, an array of one dimension, or from 0 .. a - 1. Options, also by position: size (a
---number or a table; (1,)), replace (true: an element may come again), p (probabilities, an array or a table that sums
---to 1; else all the same). Numbers are int64. The result is where a or p is.
---@param F? any
---@overload fun(a?: any|nd_random.choice.options, size?: any|nd_random.choice.options, replace?: boolean|nd_random.choice.options, p?: any|nd_random.choice.options): any
---@return any
function nd_random.choice(F, ...) end

---@return any
function nd_random.exponential(...) end

---The rows of x in random order, or the numbers 0 .. x - 1 (int64) where x is an integer.
---@param F? any
---@return any
function nd_random.permutation(F, ...) end

---@return any
function nd_random.randn(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_exponential_like
---@param ... any|hl.op._random_exponential_like
---@return hl.NDArray
function nd_random.exponential_like(data, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000)
---@param ... any|hl.op._random_gamma
---@return hl.NDArray
function nd_random.gamma(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_gamma_like
---@param ... any|hl.op._random_gamma_like
---@return hl.NDArray
function nd_random.gamma_like(data, ...) end

---Negative binomial counts by their mean and dispersion
---@param ... any|hl.op._random_generalized_negative_binomial
---@return hl.NDArray
function nd_random.generalized_negative_binomial(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_generalized_negative_binomial_like
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.NDArray
function nd_random.generalized_negative_binomial_like(data, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param data? hl.NDArray|number|hl.op._sample_multinomial
---@param ... any|hl.op._sample_multinomial
---@return hl.NDArray|hl.NDArray[]
function nd_random.multinomial(data, ...) end

---How many failures come before k successes
---@param ... any|hl.op._random_negative_binomial
---@return hl.NDArray
function nd_random.negative_binomial(...) end

---How many failures come before k successes, with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_negative_binomial_like
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.NDArray
function nd_random.negative_binomial_like(data, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958)
---@param ... any|hl.op._random_normal
---@return hl.NDArray
function nd_random.normal(...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_normal_like
---@param ... any|hl.op._random_normal_like
---@return hl.NDArray
function nd_random.normal_like(data, ...) end

---Poisson distributed counts (W. Hoermann, 1993)
---@param ... any|hl.op._random_poisson
---@return hl.NDArray
function nd_random.poisson(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_poisson_like
---@param ... any|hl.op._random_poisson_like
---@return hl.NDArray
function nd_random.poisson_like(data, ...) end

---Whole numbers in [low, high), each as likely as the others
---@param ... any|hl.op._random_randint
---@return hl.NDArray
function nd_random.randint(...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param data? hl.NDArray|number|hl.op._shuffle
---@param ... any|hl.op._shuffle
---@return hl.NDArray
function nd_random.shuffle(data, ...) end

---Numbers spread evenly over [low, high)
---@param ... any|hl.op._random_uniform
---@return hl.NDArray
function nd_random.uniform(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param data? hl.NDArray|number|hl.op._random_uniform_like
---@param ... any|hl.op._random_uniform_like
---@return hl.NDArray
function nd_random.uniform_like(data, ...) end


---@class hl.nd.linalg
local nd_linalg = {}

---@class nd_linalg.cond.options
---@field [integer] any
---@field x? any
---@field p? any

---The condition numbers of matrices: norm(x) norm(inverse of x), with the norm p ('fro', 'nuc', 1, -1, 2, -2,
---math.huge,
----math.huge; nil is 2). With 2 and -2 by singular values, so that x need not be square.
---@overload fun(x?: any|nd_linalg.cond.options, p?: any|nd_linalg.cond.options): any
---@return any
function nd_linalg.cond(...) end

---@class nd_linalg.lstsq.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rcond? any

---Least squares: x with the least |a x - b|, and of those the shortest. a is (m, n), b (m) or (m, k); leading axes of
---both count problems. rcond: singular values up to this times the largest count as 0; without, the precision
---of the dtype times max(m, n); -1: the precision. Where a is clearly of full rank by QR, else by singular values.
---Returns {x, residuals, rank, s}: the sums of squared residuals, (k), with no elements where m <= n, and for a single
---problem even if the rank is less than n (in graphs, where a shape cannot depend on values, they are there then
---too); the rank, int64; the singular values of a, which are computed when they are first read. x has a gradient.
---@overload fun(a?: any|nd_linalg.lstsq.options, b?: any|nd_linalg.lstsq.options, rcond?: any|nd_linalg.lstsq.options): any
---@return any
function nd_linalg.lstsq(...) end

---@class nd_linalg.matrix_power.options
---@field [integer] any
---@field a? any
---@field n? any

---Square matrices to an integer power n: products of a, by squaring; of its inverse for a negative n.
---@overload fun(a?: any|nd_linalg.matrix_power.options, n?: any|nd_linalg.matrix_power.options): any
---@return any
function nd_linalg.matrix_power(...) end

---The product of a table of matrices, in the order that takes the fewest multiplications. The first and
---the last may be vectors: a row and a column.
---@return any
function nd_linalg.multi_dot(...) end

---@class nd_linalg.norm.options
---@field [integer] any
---@field x? any
---@field ord? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The norm of vectors or matrices. axis: a number for vectors, two for matrices ({0, 1}); without, x is
---one vector or one matrix, and with no ord either any x is taken as one vector.
---ord: nil (2, of matrices 'fro'), a number p (the p-th root of the sum of |x|^p), math.huge (the greatest
---|x|), -math.huge, 0 (how many are not 0); of matrices 'fro' (the root of the sum of squares), 'nuc' (the sum of the
---singular values), 1 (the greatest sum of a column), -1, 2 (the greatest singular value), -2, math.huge (the
---greatest sum of a row), -math.huge. keepdims (false): the reduced axes stay, with one element.
---@overload fun(x?: any|nd_linalg.norm.options, ord?: any|nd_linalg.norm.options, axis?: integer|nd_linalg.norm.options, keepdims?: boolean|nd_linalg.norm.options): any
---@return any
function nd_linalg.norm(...) end

---@class nd_linalg.tensorinv.options
---@field [integer] any
---@field a? any
---@field ind? number Default: 2.

---The inverse of an array for tensordot: the first ind (2) axes of a are the rows of a square matrix, the others its
---columns.
---@overload fun(a?: any|nd_linalg.tensorinv.options, ind?: number|nd_linalg.tensorinv.options): any
---@return any
function nd_linalg.tensorinv(...) end

---@class nd_linalg.tensorsolve.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? any

---x with tensordot(a, x, x.ndim) = b: the first axes of a are those of b, the others x's. axes: these axes of a are
---put last before.
---@overload fun(a?: any|nd_linalg.tensorsolve.options, b?: any|nd_linalg.tensorsolve.options, axes?: any|nd_linalg.tensorsolve.options): any
---@return any
function nd_linalg.tensorsolve(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param A? hl.NDArray|number|hl.op._linalg_cholesky
---@param ... any|hl.op._linalg_cholesky
---@return hl.NDArray
function nd_linalg.cholesky(A, ...) end

---The determinant. The gradient of a singular matrix is 0
---@param A? hl.NDArray|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function nd_linalg.det(A, ...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_eigh
---@param ... any|hl.op._linalg_eigh
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.eigh(A, ...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_eigvalsh
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.NDArray
function nd_linalg.eigvalsh(A, ...) end

---The diagonals of square matrices
---@param A? hl.NDArray|number|hl.op._linalg_extractdiag
---@param ... any|hl.op._linalg_extractdiag
---@return hl.NDArray
function nd_linalg.extractdiag(A, ...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param A? hl.NDArray|number|hl.op._linalg_extracttrian
---@param ... any|hl.op._linalg_extracttrian
---@return hl.NDArray
function nd_linalg.extracttrian(A, ...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param A? hl.NDArray|number|hl.op._linalg_gelqf
---@param ... any|hl.op._linalg_gelqf
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.gelqf(A, ...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param A? hl.NDArray|number|hl.op._linalg_gemm
---@param B? hl.NDArray|number|hl.op._linalg_gemm
---@param C? hl.NDArray|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.NDArray
function nd_linalg.gemm(A, B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param A? hl.NDArray|number|hl.op._linalg_gemm2
---@param B? hl.NDArray|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.NDArray
function nd_linalg.gemm2(A, B, ...) end

---The inverse; linalg.inv is another name of it
---@param A? hl.NDArray|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function nd_linalg.inv(A, ...) end

nd_linalg.inverse = nd_linalg.inv
---Matrices with A on a diagonal, 0 elsewhere
---@param A? hl.NDArray|number|hl.op._linalg_makediag
---@param ... any|hl.op._linalg_makediag
---@return hl.NDArray
function nd_linalg.makediag(A, ...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param A? hl.NDArray|number|hl.op._linalg_maketrian
---@param ... any|hl.op._linalg_maketrian
---@return hl.NDArray
function nd_linalg.maketrian(A, ...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param A? hl.NDArray|number|hl.op._linalg_matrix_rank
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.NDArray
function nd_linalg.matrix_rank(A, ...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param A? hl.NDArray|number|hl.op._linalg_pinv
---@param ... any|hl.op._linalg_pinv
---@return hl.NDArray
function nd_linalg.pinv(A, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.NDArray|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function nd_linalg.potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.NDArray|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function nd_linalg.potri(A, ...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param A? hl.NDArray|number|hl.op._linalg_qr
---@param ... any|hl.op._linalg_qr
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.qr(A, ...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param A? hl.NDArray|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.slogdet(A, ...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param A? hl.NDArray|number|hl.op._linalg_solve
---@param b? hl.NDArray|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.NDArray
function nd_linalg.solve(A, b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.NDArray|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function nd_linalg.sumlogdiag(A, ...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param A? hl.NDArray|number|hl.op._linalg_svd
---@param ... any|hl.op._linalg_svd
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.svd(A, ...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param A? hl.NDArray|number|hl.op._linalg_syevd
---@param ... any|hl.op._linalg_syevd
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.syevd(A, ...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param A? hl.NDArray|number|hl.op._linalg_syrk
---@param ... any|hl.op._linalg_syrk
---@return hl.NDArray
function nd_linalg.syrk(A, ...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param A? hl.NDArray|number|hl.op._linalg_trmm
---@param B? hl.NDArray|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.NDArray
function nd_linalg.trmm(A, B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param A? hl.NDArray|number|hl.op._linalg_trsm
---@param B? hl.NDArray|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.NDArray
function nd_linalg.trsm(A, B, ...) end


---@class hl.nd.contrib
local nd_contrib = {}

---@class nd_contrib.cond.options
---@field [integer] any
---@field pred? any
---@field then_func? any
---@field else_func? any
---@field name? string

---cond(pred, then_func, else_func): what then_func() returns if pred is true, else what else_func() does. pred is an
---array of one element, or a number or boolean. In a graph both run once, and what they return must be of one form and
---type; only the branch that is taken is computed. Options: name.
---@overload fun(pred?: any|nd_contrib.cond.options, then_func?: any|nd_contrib.cond.options, else_func?: any|nd_contrib.cond.options, name?: string|nd_contrib.cond.options): any
---@return any
function nd_contrib.cond(...) end

---@class nd_contrib.foreach.options
---@field [integer] any
---@field body? any
---@field data? any
---@field states? any
---@field name? string

---foreach(body, data, states): body(item, states) for each row of data along its first axis; it returns outputs and
---new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data, states and
---outputs are arrays, or lists of them, and come back as they were given. Other arrays that body reads are captured,
---with their gradients; each call counts as one block call. In a graph body runs once, and the loop is one node.
---Options: name.
---@overload fun(body?: any|nd_contrib.foreach.options, data?: any|nd_contrib.foreach.options, states?: any|nd_contrib.foreach.options, name?: string|nd_contrib.foreach.options): any
---@return any
function nd_contrib.foreach(...) end

---1 where an element is neither infinite nor NaN, else 0, in data's dtype. nd.isfinite gives bools.
---@return any
function nd_contrib.isfinite(...) end

---1 where an element is infinite, of either sign, else 0, in data's dtype. nd.isinf gives bools.
---@return any
function nd_contrib.isinf(...) end

---1 where an element is NaN, else 0, in data's dtype. nd.isnan gives bools.
---@return any
function nd_contrib.isnan(...) end

---@class nd_contrib.while_loop.options
---@field [integer] any
---@field cond? any
---@field func? any
---@field loop_vars? any
---@field max_iterations? any
---@field name? string

---while_loop(cond, func, loop_vars, {max_iterations = n}): as long as cond(vars...) is true, and n times at most,
---func(vars...), which returns outputs and new variables. Returns the outputs, stacked along a new first axis of n
---rows, those of steps that were not made being zeros, and the last variables. In a graph cond and func run once.
---Options: max_iterations (required), name.
---@overload fun(cond?: any|nd_contrib.while_loop.options, func?: any|nd_contrib.while_loop.options, loop_vars?: any|nd_contrib.while_loop.options, max_iterations?: any|nd_contrib.while_loop.options, name?: string|nd_contrib.while_loop.options): any
---@return any
function nd_contrib.while_loop(...) end

---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param data? hl.NDArray|number|hl.op._contrib_AdaptiveAvgPooling2D
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.NDArray
function nd_contrib.AdaptiveAvgPooling2D(data, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param data? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param gamma? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.NDArray|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.BatchNormWithReLU(data, gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param data? hl.NDArray|number|hl.op._contrib_BilinearResize2D
---@param like? hl.NDArray|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.NDArray
function nd_contrib.BilinearResize2D(data, like, ...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param data? hl.NDArray|number|hl.op.CTCLoss
---@param label? hl.NDArray|number|hl.op.CTCLoss
---@param data_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param label_lengths? hl.NDArray|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.CTCLoss(data, label, data_lengths, label_lengths, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param cls_prob? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param loc_pred? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.NDArray|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.NDArray
function nd_contrib.MultiBoxDetection(cls_prob, loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param data? hl.NDArray|number|hl.op._contrib_MultiBoxPrior
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.NDArray
function nd_contrib.MultiBoxPrior(data, ...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param anchor? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param label? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.NDArray|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.MultiBoxTarget(anchor, label, cls_pred, ...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param data? hl.NDArray|number|hl.op._contrib_ROIAlign
---@param rois? hl.NDArray|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.NDArray
function nd_contrib.ROIAlign(data, rois, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param data? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param gamma? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.NDArray|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.SyncBatchNorm(data, gamma, beta, moving_mean, moving_var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.NDArray|number|hl.op._adamw_update
---@param grad? hl.NDArray|number|hl.op._adamw_update
---@param mean? hl.NDArray|number|hl.op._adamw_update
---@param var? hl.NDArray|number|hl.op._adamw_update
---@param rescale_grad? hl.NDArray|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.NDArray
function nd_contrib.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param a? hl.NDArray|number|hl.op._contrib_allclose
---@param b? hl.NDArray|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.NDArray
function nd_contrib.allclose(a, b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param data? hl.NDArray|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function nd_contrib.arange_like(data, ...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param query? hl.NDArray|number|hl.op._contrib_attention
---@param key? hl.NDArray|number|hl.op._contrib_attention
---@param value? hl.NDArray|number|hl.op._contrib_attention
---@param mask? hl.NDArray|number|hl.op._contrib_attention
---@param length? hl.NDArray|number|hl.op._contrib_attention
---@param offset? hl.NDArray|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.attention(query, key, value, mask, length, offset, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param data? hl.NDArray|number|hl.op._contrib_bipartite_matching
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.bipartite_matching(data, ...) end

---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param index? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.NDArray
function nd_contrib.boolean_mask(data, index, ...) end

---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param data? hl.NDArray|number|hl.op._contrib_box_decode
---@param anchors? hl.NDArray|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.NDArray
function nd_contrib.box_decode(data, anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param samples? hl.NDArray|number|hl.op._contrib_box_encode
---@param matches? hl.NDArray|number|hl.op._contrib_box_encode
---@param anchors? hl.NDArray|number|hl.op._contrib_box_encode
---@param refs? hl.NDArray|number|hl.op._contrib_box_encode
---@param means? hl.NDArray|number|hl.op._contrib_box_encode
---@param stds? hl.NDArray|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.box_encode(samples, matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param lhs? hl.NDArray|number|hl.op._contrib_box_iou
---@param rhs? hl.NDArray|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.NDArray
function nd_contrib.box_iou(lhs, rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param data? hl.NDArray|number|hl.op._contrib_box_nms
---@param ... any|hl.op._contrib_box_nms
---@return hl.NDArray|hl.NDArray[]
function nd_contrib.box_nms(data, ...) end

nd_contrib.box_non_maximum_suppression = nd_contrib.box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param query? hl.NDArray|number|hl.op._contrib_cached_attention
---@param key? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value? hl.NDArray|number|hl.op._contrib_cached_attention
---@param key_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param value_cache? hl.NDArray|number|hl.op._contrib_cached_attention
---@param position? hl.NDArray|number|hl.op._contrib_cached_attention
---@param mask? hl.NDArray|number|hl.op._contrib_cached_attention
---@param length? hl.NDArray|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.NDArray
function nd_contrib.cached_attention(query, key, value, key_cache, value_cache, position, mask, length, ...) end

nd_contrib.ctc_loss = nd_contrib.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param data? hl.NDArray|number|hl.op._contrib_div_sqrt_dim
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.NDArray
function nd_contrib.div_sqrt_dim(data, ...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.NDArray|number|hl.op._contrib_dynamic_slice
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.NDArray
function nd_contrib.dynamic_slice(data, begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param value? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.NDArray|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.NDArray
function nd_contrib.dynamic_update_slice(data, value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param data? hl.NDArray|number|hl.op._contrib_index_array
---@param ... any|hl.op._contrib_index_array
---@return hl.NDArray
function nd_contrib.index_array(data, ...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param old_tensor? hl.NDArray|number|hl.op._contrib_index_copy
---@param index_vector? hl.NDArray|number|hl.op._contrib_index_copy
---@param new_tensor? hl.NDArray|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.NDArray
function nd_contrib.index_copy(old_tensor, index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param queries? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.NDArray
function nd_contrib.interleaved_matmul_encdec_qk(queries, keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.NDArray
function nd_contrib.interleaved_matmul_encdec_valatt(keys_values, attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param queries_keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_qk
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.NDArray
function nd_contrib.interleaved_matmul_selfatt_qk(queries_keys_values, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param queries_keys_values? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param attention? hl.NDArray|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.NDArray
function nd_contrib.interleaved_matmul_selfatt_valatt(queries_keys_values, attention, ...) end

---a x^2 + b x + c
---@param data? hl.NDArray|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.NDArray
function nd_contrib.quadratic(data, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param data? hl.NDArray|number|hl.op._contrib_rotary_embedding
---@param positions? hl.NDArray|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.NDArray
function nd_contrib.rotary_embedding(data, positions, ...) end


---@class hl.nd.image
local nd_image = {}

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param data? hl.NDArray|number|hl.op._image_adjust_lighting
---@param ... any|hl.op._image_adjust_lighting
---@return hl.NDArray
function nd_image.adjust_lighting(data, ...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param data? hl.NDArray|number|hl.op._image_crop
---@param ... any|hl.op._image_crop
---@return hl.NDArray
function nd_image.crop(data, ...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param data? hl.NDArray|number|hl.op._image_flip_left_right
---@param ... any|hl.op._image_flip_left_right
---@return hl.NDArray
function nd_image.flip_left_right(data, ...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param data? hl.NDArray|number|hl.op._image_flip_top_bottom
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.NDArray
function nd_image.flip_top_bottom(data, ...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param data? hl.NDArray|number|hl.op._image_normalize
---@param ... any|hl.op._image_normalize
---@return hl.NDArray
function nd_image.normalize(data, ...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_brightness
---@param ... any|hl.op._image_random_brightness
---@return hl.NDArray
function nd_image.random_brightness(data, ...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param data? hl.NDArray|number|hl.op._image_random_color_jitter
---@param ... any|hl.op._image_random_color_jitter
---@return hl.NDArray
function nd_image.random_color_jitter(data, ...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_contrast
---@param ... any|hl.op._image_random_contrast
---@return hl.NDArray
function nd_image.random_contrast(data, ...) end

---flip_left_right, or nothing, with a probability of one half
---@param data? hl.NDArray|number|hl.op._image_random_flip_left_right
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.NDArray
function nd_image.random_flip_left_right(data, ...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param data? hl.NDArray|number|hl.op._image_random_flip_top_bottom
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.NDArray
function nd_image.random_flip_top_bottom(data, ...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param data? hl.NDArray|number|hl.op._image_random_hue
---@param ... any|hl.op._image_random_hue
---@return hl.NDArray
function nd_image.random_hue(data, ...) end

---adjust_lighting by three normal numbers of mean 0
---@param data? hl.NDArray|number|hl.op._image_random_lighting
---@param ... any|hl.op._image_random_lighting
---@return hl.NDArray
function nd_image.random_lighting(data, ...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.NDArray|number|hl.op._image_random_saturation
---@param ... any|hl.op._image_random_saturation
---@return hl.NDArray
function nd_image.random_saturation(data, ...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param data? hl.NDArray|number|hl.op._image_resize
---@param ... any|hl.op._image_resize
---@return hl.NDArray
function nd_image.resize(data, ...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param data? hl.NDArray|number|hl.op._image_to_tensor
---@param ... any|hl.op._image_to_tensor
---@return hl.NDArray
function nd_image.to_tensor(data, ...) end


---@class hl.sym
---@field random hl.sym.random
---@field linalg hl.sym.linalg
---@field contrib hl.sym.contrib
---@field image hl.sym.image
local sym = {}

---One Symbol with the outputs of several, given as a list.
---@param symbols? any
---@return hl.Symbol
function sym.Group(symbols) end

---@class sym.Variable.options
---@field [integer] any
---@field name? string
---@field attr? any
---@field shape? integer|integer[]
---@field lr_mult? any
---@field wd_mult? any
---@field dtype? hl.DType
---@field init? string|hl.initializer.Initializer
---@field stype? any
---@field exact? any

---var(name, {shape =, dtype =, lr_mult =, wd_mult =, init =, attr =}): a variable. shape: 0 or -1 where it is unknown;
---with exact, 0 is an empty dimension. Attributes of one's own, in attr or among the options, look like __this__.
---Given a Symbol: its variance, as nd.var's.
---@overload fun(name?: string|sym.Variable.options, attr?: any|sym.Variable.options, shape?: integer|integer[]|sym.Variable.options, lr_mult?: any|sym.Variable.options, wd_mult?: any|sym.Variable.options, dtype?: hl.DType|sym.Variable.options, init?: string|hl.initializer.Initializer|sym.Variable.options, stype?: any|sym.Variable.options, exact?: any|sym.Variable.options): any
---@return any
function sym.Variable(...) end

---@class sym.allclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Are all elements of two arrays close, as isclose says? One bool, of shape (1,): an array, in a graph too, so write
---`if a:almost_equal(b) then` where Lua asks. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---MXNet's operator, which takes NaN as equal, is nd.contrib.allclose.
---@overload fun(a?: any|sym.allclose.options, b?: any|sym.allclose.options, rtol?: number|sym.allclose.options, atol?: number|sym.allclose.options, equal_nan?: boolean|sym.allclose.options): any
---@return any
function sym.allclose(...) end

---@class sym.almost_equal.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---The same as one of Lua's booleans, for `if` and `assert`: assert(a:almost_equal(b)). It reads the values, so it is
---for arrays, not for Symbols. Options: rtol (1e-5), atol (1e-8), equal_nan (false).
---@overload fun(a?: any|sym.almost_equal.options, b?: any|sym.almost_equal.options, rtol?: number|sym.almost_equal.options, atol?: number|sym.almost_equal.options, equal_nan?: boolean|sym.almost_equal.options): any
---@return any
function sym.almost_equal(...) end

---@class sym.argpartition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The places, int64, of the elements as partition gives them.
---@overload fun(a?: any|sym.argpartition.options, kth?: any|sym.argpartition.options, axis?: integer|sym.argpartition.options): any
---@return any
function sym.argpartition(...) end

---A 0-d array as a vector of one; others as they are. Several arrays give a table.
---@return any
function sym.atleast_1d(...) end

---A vector as a matrix of one row; what has two dimensions or more as it is. Several arrays give a table.
---@return any
function sym.atleast_2d(...) end

---A vector of n as (1, n, 1), a matrix (m, n) as (m, n, 1), others as they are. Several arrays give a table.
---@return any
function sym.atleast_3d(...) end

---@class sym.average.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field weights? any
---@field returned? boolean Default: false.
---@field keepdims? boolean Default: false.

---The mean over axes (all), each element counted by its weight: average(x, axis, weights).
---Options: axis, weights (an array of x's shape, or a vector along the axis), returned (false): a table of the average
---and the sum of the weights; keepdims (false).
---@overload fun(data?: any|sym.average.options, axis?: integer|sym.average.options, weights?: any|sym.average.options, returned?: boolean|sym.average.options, keepdims?: boolean|sym.average.options): any
---@return any
function sym.average(...) end

---Vectors as the columns of a matrix, beside the columns of matrices. column_stack{a, b}, or column_stack(a, b).
---@return any
function sym.column_stack(...) end

---@return any
function sym.compile(...) end

---@class sym.concatenate.options
---@field [integer] any
---@field arrays? any[]
---@field axis? integer

---Joins a table of arrays along an axis (0): concat under an older name.
---@param arrays? any
---@param axis? any
---@overload fun(arrays?: any[]|sym.concatenate.options, axis?: integer|sym.concatenate.options): any
---@return any
function sym.concatenate(arrays, axis) end

---@class sym.cond.options
---@field [integer] any
---@field pred? any
---@field then_func? any
---@field else_func? any
---@field name? string

---cond(pred, then_func, else_func): what then_func() returns if pred is true, else what else_func() does. pred is an
---array of one element, or a number or boolean. In a graph both run once, and what they return must be of one form and
---type; only the branch that is taken is computed. Options: name.
---@overload fun(pred?: any|sym.cond.options, then_func?: any|sym.cond.options, else_func?: any|sym.cond.options, name?: string|sym.cond.options): any
---@return any
function sym.cond(...) end

---@class sym.corrcoef.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.

---The correlations of variables: their covariances divided by their standard deviations. Options: rowvar (true), y.
---@overload fun(m?: any|sym.corrcoef.options, y?: any|sym.corrcoef.options, rowvar?: boolean|sym.corrcoef.options): any
---@return any
function sym.corrcoef(...) end

---@class sym.cov.options
---@field [integer] any
---@field m? any
---@field y? any
---@field rowvar? boolean Default: true.
---@field bias? boolean Default: false.
---@field ddof? any

---The covariances of variables, whose observations are the rows of m (the columns, if rowvar is false), and those of y
---if it is given. A matrix; of one variable, (1, 1).
---Options: rowvar (true), bias (false): divide by n instead of n - 1; ddof: divide by n - ddof.
---@overload fun(m?: any|sym.cov.options, y?: any|sym.cov.options, rowvar?: boolean|sym.cov.options, bias?: boolean|sym.cov.options, ddof?: any|sym.cov.options): any
---@return any
function sym.cov(...) end

---@class sym.cross.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axisa? number Default: -1.
---@field axisb? number Default: -1.
---@field axisc? number Default: -1.
---@field axis? integer

---The vector product of vectors with 2 or 3 components, which are along the last axis; the other axes broadcast. Of
---two with 2 components, the third of the product alone.
---Options: axisa, axisb, axisc (-1): the axis of the components in a, in b, in the result; axis: all three.
---@overload fun(a?: any|sym.cross.options, b?: any|sym.cross.options, axisa?: number|sym.cross.options, axisb?: number|sym.cross.options, axisc?: number|sym.cross.options, axis?: integer|sym.cross.options): any
---@return any
function sym.cross(...) end

---@class sym.diff.options
---@field [integer] any
---@field data? any
---@field n? number Default: 1.
---@field axis? integer Default: -1.
---@field prepend? any
---@field append? any

---The differences of neighbours, x[i + 1] - x[i], along an axis, n times over. diff(x, n, {axis = 0}).
---Options: n (1), axis (-1), prepend, append: numbers or arrays that are put before and after x first.
---@overload fun(data?: any|sym.diff.options, n?: number|sym.diff.options, axis?: integer|sym.diff.options, prepend?: any|sym.diff.options, append?: any|sym.diff.options): any
---@return any
function sym.diff(...) end

---Arrays stacked along axis 2: matrices (m, n) as (m, n, 1), vectors of n as (1, n, 1).
---@return any
function sym.dstack(...) end

---Einstein's summation: einsum("ij,jk->ik", a, b) is the product of two matrices. Before the arrow a term for each
---operand names its axes by letters, after it are those of the result; a letter that is not there is summed over.
---Without an arrow the result has the letters that stand once, in alphabetical order. A letter twice in a term is a
---diagonal: "ii" the trace, "ii->i" the diagonal. "..." stands for any number of axes, which broadcast.
---A result without letters has shape (1,). Any number of operands, of one dtype; a sum of products of two of them is
---made by matmul, and of more the two that leave the fewest letters come first. Options: optimize, for NumPy's sake.
---@param subscripts? any
---@return any
function sym.einsum(subscripts, ...) end

---The places of the elements that are not 0 in the flattened array; int64.
---@return any
function sym.flatnonzero(...) end

---The columns (axis 1) in the opposite order.
---@return any
function sym.fliplr(...) end

---The rows (axis 0) in the opposite order.
---@return any
function sym.flipud(...) end

---@class sym.foreach.options
---@field [integer] any
---@field body? any
---@field data? any
---@field states? any
---@field name? string

---foreach(body, data, states): body(item, states) for each row of data along its first axis; it returns outputs and
---new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data, states and
---outputs are arrays, or lists of them, and come back as they were given. Other arrays that body reads are captured,
---with their gradients; each call counts as one block call. In a graph body runs once, and the loop is one node.
---Options: name.
---@overload fun(body?: any|sym.foreach.options, data?: any|sym.foreach.options, states?: any|sym.foreach.options, name?: string|sym.foreach.options): any
---@return any
function sym.foreach(...) end

---@class sym.gelu.options
---@field [integer] any
---@field data? any
---@field approximate? string Default: 'none'.

---x Phi(x), Phi being the normal distribution's function (D. Hendrycks, K. Gimpel, 2016).
---Options: approximate: "none" (exact, by erf), "tanh" (or true): 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
---@overload fun(data?: any|sym.gelu.options, approximate?: string|sym.gelu.options): any
---@return any
function sym.gelu(...) end

---@class sym.geomspace.options
---@field [integer] any
---@field start? any
---@field stop? any
---@field num? number Default: 50.
---@field endpoint? boolean Default: true.
---@field dtype? hl.DType Default: 'float32'.

---num numbers from start to stop, each the same multiple of the one before. geomspace(start, stop, num).
---Options: num (50), endpoint (true): does stop belong to them? dtype ("float32").
---@param F? any
---@overload fun(start?: any|sym.geomspace.options, stop?: any|sym.geomspace.options, num?: number|sym.geomspace.options, endpoint?: boolean|sym.geomspace.options, dtype?: hl.DType|sym.geomspace.options): any
---@return any
function sym.geomspace(F, ...) end

---Arrays side by side, along axis 1 (vectors: one after the other). hstack{a, b}, or hstack(a, b).
---@return any
function sym.hstack(...) end

---@class sym.in1d.options
---@field [integer] any
---@field ar1? any
---@field ar2? any
---@field assume_unique? any
---@field invert? boolean Default: false.

---isin of all elements, as one axis.
---@overload fun(ar1?: any|sym.in1d.options, ar2?: any|sym.in1d.options, assume_unique?: any|sym.in1d.options, invert?: boolean|sym.in1d.options): any
---@return any
function sym.in1d(...) end

---@class sym.indices.options
---@field [integer] any
---@field dimensions? any[]
---@field dtype? hl.DType Default: 'int64'.

---The indices of an array's elements: indices{2, 3} has shape (2, 2, 3), and its part i says of each place where it
---lies along axis i. Options: dtype ("int64").
---@param F? any
---@overload fun(dimensions?: any[]|sym.indices.options, dtype?: hl.DType|sym.indices.options): any
---@return any
function sym.indices(F, ...) end

---@class sym.inner.options
---@field [integer] any
---@field a? any
---@field b? any

---The product summed over the last axis of both. Two vectors give shape (1,).
---@overload fun(a?: any|sym.inner.options, b?: any|sym.inner.options): any
---@return any
function sym.inner(...) end

---@class sym.interp.options
---@field [integer] any
---@field x? any
---@field xp? any
---@field fp? any
---@field left? any
---@field right? any
---@field period? any

---The piecewise linear function through the points (xp, fp), whose xp rise, at x. Left of them it is fp's first value
---or `left`, right of them the last or `right`; with `period` it repeats, and xp need not rise. Differentiable by x, xp
---and fp.
---@overload fun(x?: any|sym.interp.options, xp?: any|sym.interp.options, fp?: any|sym.interp.options, left?: any|sym.interp.options, right?: any|sym.interp.options, period?: any|sym.interp.options): any
---@return any
function sym.interp(...) end

---@class sym.isclose.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rtol? number Default: 1e-05.
---@field atol? number Default: 1e-08.
---@field equal_nan? boolean Default: false.

---Where are two arrays (or an array and a number), which broadcast, close: |a - b| <= atol + rtol |b|?
---isclose(a, b, rtol, atol, {equal_nan = true}). Options: rtol (1e-5), atol (1e-8), equal_nan (false). Infinities are
---close to those of their sign. The result is bool.
---@overload fun(a?: any|sym.isclose.options, b?: any|sym.isclose.options, rtol?: number|sym.isclose.options, atol?: number|sym.isclose.options, equal_nan?: boolean|sym.isclose.options): any
---@return any
function sym.isclose(...) end

---@class sym.kron.options
---@field [integer] any
---@field a? any
---@field b? any

---Kronecker's product: each element of a times all of b, in blocks. Up to four dimensions; the one with fewer gets
---ones in front.
---@overload fun(a?: any|sym.kron.options, b?: any|sym.kron.options): any
---@return any
function sym.kron(...) end

---The Symbol in a file that s:save or MXNet wrote.
---@param file? any
---@return hl.Symbol
function sym.load(file) end

---The Symbol in a JSON text, as s:tojson gives it.
---@param text? any
---@return hl.Symbol
function sym.load_json(text) end

---@class sym.logspace.options
---@field [integer] any
---@field start? any
---@field stop? any
---@field num? number Default: 50.
---@field endpoint? boolean Default: true.
---@field base? number Default: 10.
---@field dtype? hl.DType Default: 'float32'.

---base^e for num exponents e at even distances from start to stop. logspace(start, stop, num).
---Options: num (50), endpoint (true): does stop belong to them? base (10), dtype ("float32").
---@param F? any
---@overload fun(start?: any|sym.logspace.options, stop?: any|sym.logspace.options, num?: number|sym.logspace.options, endpoint?: boolean|sym.logspace.options, base?: number|sym.logspace.options, dtype?: hl.DType|sym.logspace.options): any
---@return any
function sym.logspace(F, ...) end

---@class sym.logsumexp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---log of the sum of e^x over axes (all), without overflow: the greatest element is taken out before and put back
---after. Options: axis, keepdims (false).
---@overload fun(data?: any|sym.logsumexp.options, axis?: integer|sym.logsumexp.options, keepdims?: boolean|sym.logsumexp.options): any
---@return any
function sym.logsumexp(...) end

---@class sym.median.options
---@field [integer] any
---@field a? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The middle element, or the mean of the two in the middle. Options: axis (a number or a table; all), keepdims.
---Differentiable.
---@overload fun(a?: any|sym.median.options, axis?: integer|sym.median.options, keepdims?: boolean|sym.median.options): any
---@return any
function sym.median(...) end

---@class sym.meshgrid.options
---@field [integer] any
---@field indexing? string Default: 'xy'.
---@field sparse? boolean Default: false.

---The coordinates of a grid's points: of n vectors a table of n arrays with n axes, array i holding along its own axis
---the values of vector i. meshgrid(x, y). Options: indexing: "xy" (default: the first two axes are swapped, so that x
---runs along the rows of a picture) or "ij"; sparse (false): leave dimensions of 1 where values repeat.
---@overload fun(indexing?: string|sym.meshgrid.options, sparse?: boolean|sym.meshgrid.options): any
---@return any
function sym.meshgrid(...) end

---@class sym.moveaxis.options
---@field [integer] any
---@field tensor? any
---@field source? any[]
---@field destination? any[]

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param tensor? any
---@param source? any
---@param destination? any
---@overload fun(tensor?: any|sym.moveaxis.options, source?: any[]|sym.moveaxis.options, destination?: any[]|sym.moveaxis.options): any
---@return any
function sym.moveaxis(tensor, source, destination) end

---@class sym.nanmax.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|sym.nanmax.options, axis?: integer|sym.nanmax.options, keepdims?: boolean|sym.nanmax.options): any
---@return any
function sym.nanmax(...) end

---@class sym.nanmean.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The mean over axes (all) of the elements that are not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|sym.nanmean.options, axis?: integer|sym.nanmean.options, keepdims?: boolean|sym.nanmean.options): any
---@return any
function sym.nanmean(...) end

---@class sym.nanmin.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The least element over axes (all) that is not NaN; NaN where there is none. Options: axis, keepdims (false).
---@overload fun(data?: any|sym.nanmin.options, axis?: integer|sym.nanmin.options, keepdims?: boolean|sym.nanmin.options): any
---@return any
function sym.nanmin(...) end

---@class sym.nanstd.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The standard deviation over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(data?: any|sym.nanstd.options, axis?: integer|sym.nanstd.options, ddof?: number|sym.nanstd.options, keepdims?: boolean|sym.nanstd.options): any
---@return any
function sym.nanstd(...) end

---@class sym.nanvar.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field ddof? number Default: 0.
---@field keepdims? boolean Default: false.

---The variance over axes (all) of the elements that are not NaN. Options: axis, ddof (0), keepdims (false).
---@overload fun(data?: any|sym.nanvar.options, axis?: integer|sym.nanvar.options, ddof?: number|sym.nanvar.options, keepdims?: boolean|sym.nanvar.options): any
---@return any
function sym.nanvar(...) end

---The indices of the elements that are not 0: a table of int64 arrays, one an axis, as NumPy's tuple.
---@return any
function sym.nonzero(...) end

---@class sym.outer.options
---@field [integer] any
---@field a? any
---@field b? any

---a[i] b[j], as a matrix; other arrays are flattened first.
---@overload fun(a?: any|sym.outer.options, b?: any|sym.outer.options): any
---@return any
function sym.outer(...) end

---@class sym.partition.options
---@field [integer] any
---@field a? any
---@field kth? any
---@field axis? integer Default: -1.

---The elements along an axis so that the kth is where it would be in order, lesser ones before it: all in order, here.
---@overload fun(a?: any|sym.partition.options, kth?: any|sym.partition.options, axis?: integer|sym.partition.options): any
---@return any
function sym.partition(...) end

---@class sym.percentile.options
---@field [integer] any
---@field a? any
---@field q? any
---@field axis? integer
---@field method? string Default: 'linear'.
---@field keepdims? boolean Default: false.
---@field interpolation? any

---Percentiles: the value that q percent of the elements do not exceed; a table of q becomes the first axis.
---Options: axis (a number or a table; all), keepdims, method ("linear", "lower", "higher", "midpoint", "nearest",
---"hazen" and NumPy's others; interpolation is its older name). A NaN makes NaN. Differentiable.
---@overload fun(a?: any|sym.percentile.options, q?: any|sym.percentile.options, axis?: integer|sym.percentile.options, method?: string|sym.percentile.options, keepdims?: boolean|sym.percentile.options, interpolation?: any|sym.percentile.options): any
---@return any
function sym.percentile(...) end

---@class sym.ptp.options
---@field [integer] any
---@field data? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The greatest element less the least, over axes (all). Options: axis, keepdims (false).
---@overload fun(data?: any|sym.ptp.options, axis?: integer|sym.ptp.options, keepdims?: boolean|sym.ptp.options): any
---@return any
function sym.ptp(...) end

---@class sym.rot90.options
---@field [integer] any
---@field data? any
---@field k? number Default: 1.
---@field axes? table Default: {0, 1}.

---Turned by 90 degrees, k times, in the plane of two axes, from the first of them towards the second.
---rot90(x, k). Options: k (1; negative: the other way), axes ({0, 1}).
---@overload fun(data?: any|sym.rot90.options, k?: number|sym.rot90.options, axes?: table|sym.rot90.options): any
---@return any
function sym.rot90(...) end

---@class sym.softplus.options
---@field [integer] any
---@field data? any
---@field beta? number Default: 1.

---log(1 + e^(beta x)) / beta, without overflow. Options: beta (1).
---@overload fun(data?: any|sym.softplus.options, beta?: number|sym.softplus.options): any
---@return any
function sym.softplus(...) end

---x sigmoid(x): silu under its other name.
---@return any
function sym.swish(...) end

---@class sym.tensordot.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? number Default: 2.

---The product summed over axes: tensordot(a, b, axes). axes (2): how many, the last of a with the first of b; or a
---table of two, a's axes and b's, each a number or a table. The result has a's other axes, then b's; shape (1,) where
---none are left.
---@overload fun(a?: any|sym.tensordot.options, b?: any|sym.tensordot.options, axes?: number|sym.tensordot.options): any
---@return any
function sym.tensordot(...) end

---@class sym.trace.options
---@field [integer] any
---@field data? any
---@field offset? number Default: 0.
---@field axis1? number Default: 0.
---@field axis2? number Default: 1.

---The sum of a diagonal: trace(x, offset). Of more than two dimensions, of each matrix of two axes.
---Options: offset (0: the main diagonal; above it positive), axis1 (0), axis2 (1). A matrix gives shape (1,).
---@overload fun(data?: any|sym.trace.options, offset?: number|sym.trace.options, axis1?: number|sym.trace.options, axis2?: number|sym.trace.options): any
---@return any
function sym.trace(...) end

---@class sym.tri.options
---@field [integer] any
---@field N? any
---@field M? any
---@field k? number Default: 0.
---@field dtype? hl.DType Default: 'float32'.

---Ones on and below a diagonal, zeros above. tri(N, M, k): N rows, M columns (N), diagonal k (0 the main one, above it
---positive). Options: dtype ("float32").
---@param F? any
---@overload fun(N?: any|sym.tri.options, M?: any|sym.tri.options, k?: number|sym.tri.options, dtype?: hl.DType|sym.tri.options): any
---@return any
function sym.tri(F, ...) end

---@class sym.unique.options
---@field [integer] any
---@field ar? any
---@field return_index? any
---@field return_inverse? any
---@field return_counts? any

---The different elements, in order. Options: return_index (where each is first), return_inverse (for each element of
---the flattened array its place among them), return_counts; then a table {values, index, inverse, counts} of what is
---asked for. int64.
---@overload fun(ar?: any|sym.unique.options, return_index?: any|sym.unique.options, return_inverse?: any|sym.unique.options, return_counts?: any|sym.unique.options): any
---@return any
function sym.unique(...) end

---@class sym.vdot.options
---@field [integer] any
---@field a? any
---@field b? any

---The sum of a[i] b[i], of shape (1,); other arrays are flattened first.
---@overload fun(a?: any|sym.vdot.options, b?: any|sym.vdot.options): any
---@return any
function sym.vdot(...) end

---Arrays below each other, along axis 0; vectors are rows. vstack{a, b}, or vstack(a, b).
---@return any
function sym.vstack(...) end

---@class sym.while_loop.options
---@field [integer] any
---@field cond? any
---@field func? any
---@field loop_vars? any
---@field max_iterations? any
---@field name? string

---while_loop(cond, func, loop_vars, {max_iterations = n}): as long as cond(vars...) is true, and n times at most,
---func(vars...), which returns outputs and new variables. Returns the outputs, stacked along a new first axis of n
---rows, those of steps that were not made being zeros, and the last variables. In a graph cond and func run once.
---Options: max_iterations (required), name.
---@overload fun(cond?: any|sym.while_loop.options, func?: any|sym.while_loop.options, loop_vars?: any|sym.while_loop.options, max_iterations?: any|sym.while_loop.options, name?: string|sym.while_loop.options): any
---@return any
function sym.while_loop(...) end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param data? hl.Symbol|number|hl.op.Activation
---@param ... any|hl.op.Activation
---@return hl.Symbol
function sym.Activation(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta for each channel, a place of `axis`. In training, and unless use_global_stats, mean and variance are those of the batch, and the states moving_mean and moving_var become momentum times themselves plus (1 - momentum) times them, when the call computes; else they are the states. The variance is the biased one (S. Ioffe, C. Szegedy, 2015)
---@param data? hl.Symbol|number|hl.op.BatchNorm
---@param gamma? hl.Symbol|number|hl.op.BatchNorm
---@param beta? hl.Symbol|number|hl.op.BatchNorm
---@param moving_mean? hl.Symbol|number|hl.op.BatchNorm
---@param moving_var? hl.Symbol|number|hl.op.BatchNorm
---@param ... any|hl.op.BatchNorm
---@return hl.Symbol|hl.Symbol[]
function sym.BatchNorm(data, gamma, beta, moving_mean, moving_var, ...) end

---data, (batch, channel, height, width), read at the places of a grid, (batch, 2, height, width) of the output: x and y, from -1 to 1 over data's width and height, by bilinear interpolation; data goes on with zeros (M. Jaderberg et al., 2015)
---@param data? hl.Symbol|number|hl.op.BilinearSampler
---@param grid? hl.Symbol|number|hl.op.BilinearSampler
---@param ... any|hl.op.BilinearSampler
---@return hl.Symbol|hl.Symbol[]
function sym.BilinearSampler(data, grid, ...) end

---The input, in the same memory, through which no gradient flows
---@param data? hl.Symbol|number|hl.op.BlockGrad
---@param ... any|hl.op.BlockGrad
---@return hl.Symbol
function sym.BlockGrad(data, ...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param data? hl.Symbol|number|hl.op.CTCLoss
---@param label? hl.Symbol|number|hl.op.CTCLoss
---@param data_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param label_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.Symbol|hl.Symbol[]
function sym.CTCLoss(data, label, data_lengths, label_lengths, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0. NaN and what int64 (for int64) or int32 (for others) cannot hold become its least integer, of which int8 and uint8 take the lower bits; to bool, NaN is true. The gradient passes between float dtypes only
---@param data? hl.Symbol|number|hl.op.Cast
---@param ... any|hl.op.Cast
---@return hl.Symbol
function sym.Cast(data, ...) end

---Arrays joined along an axis; their other dimensions are equal
---@param data? hl.Symbol|number|hl.op.Concat
---@param ... any|hl.op.Concat
---@return hl.Symbol
function sym.Concat(data, ...) end

---Each filter's sum of products with what a window sees, at all its places, plus bias. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (num_filter, channels / num_group, *kernel); its shape and bias's are inferred. Products are added in order of (channel, *kernel), in blocks of 1024. 3x3 and 5x5 windows with a stride of 1 over 16 channels or more are computed with fewer products in float32: rounding errors are like those of a plain sum, but relative to the largest datum of the 6x6 places around, and a NaN or infinity spoils up to 8x8 places
---@param data? hl.Symbol|number|hl.op.Convolution
---@param weight? hl.Symbol|number|hl.op.Convolution
---@param bias? hl.Symbol|number|hl.op.Convolution
---@param ... any|hl.op.Convolution
---@return hl.Symbol
function sym.Convolution(data, weight, bias, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param data? hl.Symbol|number|hl.op.Crop
---@param ... any|hl.op.Crop
---@return hl.Symbol
function sym.Crop(data, ...) end

---Transposed convolution: each element of data puts the weights of its channel, times itself, onto the places of the output that a window there would see; what lies on one place is added, plus bias. It is the gradient of data of the convolution from the output's shape to data's. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width), weight (channels, num_filter / num_group, *kernel); its shape and bias's are inferred. An axis of n places gets (n - 1) stride + dilate (kernel - 1) + 1 - 2 pad + adj
---@param data? hl.Symbol|number|hl.op.Deconvolution
---@param weight? hl.Symbol|number|hl.op.Deconvolution
---@param bias? hl.Symbol|number|hl.op.Deconvolution
---@param ... any|hl.op.Deconvolution
---@return hl.Symbol
function sym.Deconvolution(data, weight, bias, ...) end

---In training each element is dropped (made 0) with probability p and the others are divided by 1 - p; elements along `axes` share their fate (G. Hinton et al., 2012). Outside training, the input. Random numbers are drawn only where something may be dropped
---@param data? hl.Symbol|number|hl.op.Dropout
---@param ... any|hl.op.Dropout
---@return hl.Symbol|hl.Symbol[]
function sym.Dropout(data, ...) end

---The sum of any number of arrays of one shape, from left to right
---@param args? hl.Symbol|number|hl.op.add_n
---@param ... any|hl.op.add_n
---@return hl.Symbol
function sym.ElementWiseSum(args, ...) end

---The rows of weight that data names; indices outside are clipped
---@param data? hl.Symbol|number|hl.op.Embedding
---@param weight? hl.Symbol|number|hl.op.Embedding
---@param ... any|hl.op.Embedding
---@return hl.Symbol
function sym.Embedding(data, weight, ...) end

---All axes but the first become one
---@param data? hl.Symbol|number|hl.op.Flatten
---@param ... any|hl.op.Flatten
---@return hl.Symbol
function sym.Flatten(data, ...) end

---data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features), its shape and bias's are inferred
---@param data? hl.Symbol|number|hl.op.FullyConnected
---@param weight? hl.Symbol|number|hl.op.FullyConnected
---@param bias? hl.Symbol|number|hl.op.FullyConnected
---@param ... any|hl.op.FullyConnected
---@return hl.Symbol
function sym.FullyConnected(data, weight, bias, ...) end

---A grid for BilinearSampler, (batch, 2, height, width). affine: data is (batch, 6), a transform [a b c; d e f] for each image, and place (x, y) of target_shape becomes (a x + b y + c, d x + e y + f), coordinates going from -1 to 1. warp: data is (batch, 2, height, width), how many elements each place is moved by
---@param data? hl.Symbol|number|hl.op.GridGenerator
---@param ... any|hl.op.GridGenerator
---@return hl.Symbol|hl.Symbol[]
function sym.GridGenerator(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over groups of channels (axis 1) of each sample; as in MXNet 1.9.1 gamma and beta have an element for each group (Y. Wu, K. He, 2018)
---@param data? hl.Symbol|number|hl.op.GroupNorm
---@param gamma? hl.Symbol|number|hl.op.GroupNorm
---@param beta? hl.Symbol|number|hl.op.GroupNorm
---@param ... any|hl.op.GroupNorm
---@return hl.Symbol|hl.Symbol[]
function sym.GroupNorm(data, gamma, beta, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta over the places of each channel (axis 1) of each sample (D. Ulyanov et al., 2016)
---@param data? hl.Symbol|number|hl.op.InstanceNorm
---@param gamma? hl.Symbol|number|hl.op.InstanceNorm
---@param beta? hl.Symbol|number|hl.op.InstanceNorm
---@param ... any|hl.op.InstanceNorm
---@return hl.Symbol|hl.Symbol[]
function sym.InstanceNorm(data, gamma, beta, ...) end

---data / sqrt(sum of squares + eps): over each sample (instance), over the channels, axis 1, at each place (channel), or over the places of each channel (spatial)
---@param data? hl.Symbol|number|hl.op.L2Normalization
---@param ... any|hl.op.L2Normalization
---@return hl.Symbol
function sym.L2Normalization(data, ...) end

---data (knorm + alpha / nsize s)^-beta, s being the sum of squares over the nsize channels (axis 1) around an element's own, at its place (A. Krizhevsky et al., 2012)
---@param data? hl.Symbol|number|hl.op.LRN
---@param ... any|hl.op.LRN
---@return hl.Symbol|hl.Symbol[]
function sym.LRN(data, ...) end

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param data? hl.Symbol|number|hl.op.LayerNorm
---@param gamma? hl.Symbol|number|hl.op.LayerNorm
---@param beta? hl.Symbol|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.Symbol|hl.Symbol[]
function sym.LayerNorm(data, gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element, of one for each channel, axis 1, or of data's shape), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
---@param data? hl.Symbol|number|hl.op.LeakyReLU
---@param gamma? hl.Symbol|number|hl.op.LeakyReLU
---@param ... any|hl.op.LeakyReLU
---@return hl.Symbol|hl.Symbol[]
function sym.LeakyReLU(data, gamma, ...) end

---data; its gradient is that of half the squared error, (data - label), by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.LinearRegressionOutput
---@param label? hl.Symbol|number|hl.op.LinearRegressionOutput
---@param ... any|hl.op.LinearRegressionOutput
---@return hl.Symbol
function sym.LinearRegressionOutput(data, label, ...) end

---sigmoid(data); its gradient is that of the cross entropy, (sigmoid(data) - label), by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.LogisticRegressionOutput
---@param label? hl.Symbol|number|hl.op.LogisticRegressionOutput
---@param ... any|hl.op.LogisticRegressionOutput
---@return hl.Symbol
function sym.LogisticRegressionOutput(data, label, ...) end

---data; its gradient is that of the absolute error, sign(data - label), by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.MAERegressionOutput
---@param label? hl.Symbol|number|hl.op.MAERegressionOutput
---@param ... any|hl.op.MAERegressionOutput
---@return hl.Symbol
function sym.MAERegressionOutput(data, label, ...) end

---data as a loss: its gradient is grad_scale, by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.MakeLoss
---@param ... any|hl.op.MakeLoss
---@return hl.Symbol
function sym.MakeLoss(data, ...) end

---More places around the last two axes of (batch, channel, height, width), or the last three of (batch, channel, depth, height, width)
---@param data? hl.Symbol|number|hl.op.Pad
---@param ... any|hl.op.Pad
---@return hl.Symbol
function sym.Pad(data, ...) end

---The maximum (max), mean (avg), sum or p-norm (lp) of what a window sees, at all its places. data is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). The gradient of a maximum goes to the first of equal ones. lp does not take absolute values, as in MXNet. (same is for all kinds here; MXNet has it for the maximum of one axis.) NWC, NHWC and NDHWC have the channels in the last axis. The maximum of a window that sees padding alone is the lowest finite number, as in MXNet
---@param data? hl.Symbol|number|hl.op.Pooling
---@param ... any|hl.op.Pooling
---@return hl.Symbol|hl.Symbol[]
function sym.Pooling(data, ...) end

---data / sqrt(mean square + eps) gamma along an axis; gamma has an element for each place there, its shape is inferred (B. Zhang, R. Sennrich, 2019)
---@param data? hl.Symbol|number|hl.op.RMSNorm
---@param gamma? hl.Symbol|number|hl.op.RMSNorm
---@param ... any|hl.op.RMSNorm
---@return hl.Symbol|hl.Symbol[]
function sym.RMSNorm(data, gamma, ...) end

---Layers of recurrent cells over data, (steps, batch, features), from states (layers x directions, batch, values) on: (steps, batch, directions x values) and, if asked for, the last states. With x a step's input, h the state before it, W x and R h with their biases: rnn_tanh h' = tanh(Wx + Rh), rnn_relu with max(0, .); lstm c' = f c + i g, h' = o tanh(c'), i, f, o being sigmoids and g a tanh of such sums (S. Hochreiter, J. Schmidhuber, 1997); gru h' = (1 - z) n + z h with n = tanh(Wx + r Rh) and sigmoids r, z (K. Cho et al., 2014). parameters holds for each layer and direction W, R and lstm's projection, and after all of these the biases of W and R in the same order; gates in the order i f g o, and r z n. MXNet's CPU takes sequence lengths and bounds of cells but ignores them. The gradient cannot be differentiated again
---@param data? hl.Symbol|number|hl.op.RNN
---@param parameters? hl.Symbol|number|hl.op.RNN
---@param state? hl.Symbol|number|hl.op.RNN
---@param state_cell? hl.Symbol|number|hl.op.RNN
---@param sequence_length? hl.Symbol|number|hl.op.RNN
---@param ... any|hl.op.RNN
---@return hl.Symbol|hl.Symbol[]
function sym.RNN(data, parameters, state, state_cell, sequence_length, ...) end

---The maximum in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output (R. Girshick, 2015). Where there is no such image, 0
---@param data? hl.Symbol|number|hl.op.ROIPooling
---@param rois? hl.Symbol|number|hl.op.ROIPooling
---@param ... any|hl.op.ROIPooling
---@return hl.Symbol|hl.Symbol[]
function sym.ROIPooling(data, rois, ...) end

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param data? hl.Symbol|number|hl.op.Reshape
---@param ... any|hl.op.Reshape
---@return hl.Symbol
function sym.Reshape(data, ...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above; if squared, it cannot be differentiated again
---@param data? hl.Symbol|number|hl.op.SVMOutput
---@param label? hl.Symbol|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.Symbol
function sym.SVMOutput(data, label, ...) end

---The last step of each sequence of (steps, batch, ...), by its length: (batch, ...)
---@param data? hl.Symbol|number|hl.op.SequenceLast
---@param sequence_length? hl.Symbol|number|hl.op.SequenceLast
---@param ... any|hl.op.SequenceLast
---@return hl.Symbol
function sym.SequenceLast(data, sequence_length, ...) end

---Sequences, (steps, batch, ...), with the steps from each one's length on replaced by a value
---@param data? hl.Symbol|number|hl.op.SequenceMask
---@param sequence_length? hl.Symbol|number|hl.op.SequenceMask
---@param ... any|hl.op.SequenceMask
---@return hl.Symbol
function sym.SequenceMask(data, sequence_length, ...) end

---Sequences, (steps, batch, ...), each with its steps up to its length the other way round
---@param data? hl.Symbol|number|hl.op.SequenceReverse
---@param sequence_length? hl.Symbol|number|hl.op.SequenceReverse
---@param ... any|hl.op.SequenceReverse
---@return hl.Symbol
function sym.SequenceReverse(data, sequence_length, ...) end

---Equal parts along an axis
---@param data? hl.Symbol|number|hl.op.SliceChannel
---@param ... any|hl.op.SliceChannel
---@return hl.Symbol[]
function sym.SliceChannel(data, ...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above, and which cannot be differentiated again. A label of data's shape holds probabilities
---@param data? hl.Symbol|number|hl.op.SoftmaxOutput
---@param label? hl.Symbol|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.Symbol
function sym.Softmax(data, label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param data? hl.Symbol|number|hl.op.SoftmaxActivation
---@param ... any|hl.op.SoftmaxActivation
---@return hl.Symbol
function sym.SoftmaxActivation(data, ...) end

sym.SoftmaxOutput = sym.Softmax
---data read by BilinearSampler at the places that GridGenerator makes of loc, (batch, 6), with affine (M. Jaderberg et al., 2015)
---@param data? hl.Symbol|number|hl.op.SpatialTransformer
---@param loc? hl.Symbol|number|hl.op.SpatialTransformer
---@param ... any|hl.op.SpatialTransformer
---@return hl.Symbol|hl.Symbol[]
function sym.SpatialTransformer(data, loc, ...) end

---Two axes change places
---@param data? hl.Symbol|number|hl.op.SwapAxis
---@param ... any|hl.op.SwapAxis
---@return hl.Symbol
function sym.SwapAxis(data, ...) end

---Height and width of (batch, channel, height, width) made `scale` times as large. nearest repeats each element; further arrays get the first one's size and are joined along channels, or added. bilinear takes data and weight, (channels, 1, k, k) with k = 2 scale - scale % 2, and adds each element times its channel's weights around its place; initializer.Bilinear gives weights that interpolate
---@param data? hl.Symbol|number|hl.op.UpSampling
---@param weight? hl.Symbol|number|hl.op.UpSampling
---@param arg? hl.Symbol|number|hl.op.UpSampling
---@param ... any|hl.op.UpSampling
---@return hl.Symbol
function sym.UpSampling(data, weight, arg, ...) end

---|x|
---@param data? hl.Symbol|number|hl.op.abs
---@param ... any|hl.op.abs
---@return hl.Symbol
function sym.abs(data, ...) end

sym.activation = sym.Activation
---acc_g the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; acc_delta the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)
---@param weight? hl.Symbol|number|hl.op.adadelta_update
---@param grad? hl.Symbol|number|hl.op.adadelta_update
---@param acc_g? hl.Symbol|number|hl.op.adadelta_update
---@param acc_delta? hl.Symbol|number|hl.op.adadelta_update
---@param ... any|hl.op.adadelta_update
---@return hl.Symbol
function sym.adadelta_update(weight, grad, acc_g, acc_delta, ...) end

---history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)
---@param weight? hl.Symbol|number|hl.op.adagrad_update
---@param grad? hl.Symbol|number|hl.op.adagrad_update
---@param history? hl.Symbol|number|hl.op.adagrad_update
---@param ... any|hl.op.adagrad_update
---@return hl.Symbol
function sym.adagrad_update(weight, grad, history, ...) end

---d = grad + wd weight; mean and var the decaying means of d and d^2; weight - lr mean / (sqrt(var) + epsilon) (D. Kingma, J. Ba, 2014). The correction of their bias is the caller's, in lr
---@param weight? hl.Symbol|number|hl.op.adam_update
---@param grad? hl.Symbol|number|hl.op.adam_update
---@param mean? hl.Symbol|number|hl.op.adam_update
---@param var? hl.Symbol|number|hl.op.adam_update
---@param ... any|hl.op.adam_update
---@return hl.Symbol
function sym.adam_update(weight, grad, mean, var, ...) end

---mean and var the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad in an array
---@param weight? hl.Symbol|number|hl.op.adamw_step
---@param grad? hl.Symbol|number|hl.op.adamw_step
---@param mean? hl.Symbol|number|hl.op.adamw_step
---@param var? hl.Symbol|number|hl.op.adamw_step
---@param ... any|hl.op.adamw_step
---@return hl.Symbol
function sym.adamw_step(weight, grad, mean, var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.Symbol|number|hl.op._adamw_update
---@param grad? hl.Symbol|number|hl.op._adamw_update
---@param mean? hl.Symbol|number|hl.op._adamw_update
---@param var? hl.Symbol|number|hl.op._adamw_update
---@param rescale_grad? hl.Symbol|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.Symbol
function sym.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---a + b
---@param lhs? hl.Symbol|number|hl.op.broadcast_add
---@param rhs? hl.Symbol|number|hl.op.broadcast_add
---@param ... any|hl.op.broadcast_add
---@return hl.Symbol
function sym.add(lhs, rhs, ...) end

sym.add_n = sym.ElementWiseSum
---Is no element 0? A bool over axes; true of no elements, NaN is not 0
---@param data? hl.Symbol|number|hl.op.all
---@param ... any|hl.op.all
---@return hl.Symbol
function sym.all(data, ...) end

---1 if every element is a finite number, else 0; float32 (1,)
---@param data? hl.Symbol|number|hl.op.all_finite
---@param ... any|hl.op.all_finite
---@return hl.Symbol
function sym.all_finite(data, ...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param data? hl.Symbol|number|hl.op.amp_cast
---@param ... any|hl.op.amp_cast
---@return hl.Symbol
function sym.amp_cast(data, ...) end

---Is there an element that is not 0? A bool over axes; false of no elements, NaN is not 0
---@param data? hl.Symbol|number|hl.op.any
---@param ... any|hl.op.any
---@return hl.Symbol
function sym.any(data, ...) end

---start, start + step, ... below stop, each `repeat` times; arange(n) counts 0 to n - 1. For an integer dtype start and step are cut to whole numbers, as many values as there are without that
---@param ... any|hl.op._arange
---@return hl.Symbol
function sym.arange(...) end

---The inverse of cos, in [0, pi]
---@param data? hl.Symbol|number|hl.op.arccos
---@param ... any|hl.op.arccos
---@return hl.Symbol
function sym.arccos(data, ...) end

---The inverse of cosh; x >= 1
---@param data? hl.Symbol|number|hl.op.arccosh
---@param ... any|hl.op.arccosh
---@return hl.Symbol
function sym.arccosh(data, ...) end

---The inverse of sin, in [-pi/2, pi/2]
---@param data? hl.Symbol|number|hl.op.arcsin
---@param ... any|hl.op.arcsin
---@return hl.Symbol
function sym.arcsin(data, ...) end

---The inverse of sinh
---@param data? hl.Symbol|number|hl.op.arcsinh
---@param ... any|hl.op.arcsinh
---@return hl.Symbol
function sym.arcsinh(data, ...) end

---The inverse of tan, in (-pi/2, pi/2)
---@param data? hl.Symbol|number|hl.op.arctan
---@param ... any|hl.op.arctan
---@return hl.Symbol
function sym.arctan(data, ...) end

---The inverse of tanh; |x| < 1
---@param data? hl.Symbol|number|hl.op.arctanh
---@param ... any|hl.op.arctanh
---@return hl.Symbol
function sym.arctanh(data, ...) end

---The position of the greatest element, the first of equals, in data's dtype
---@param data? hl.Symbol|number|hl.op.argmax
---@param ... any|hl.op.argmax
---@return hl.Symbol
function sym.argmax(data, ...) end

---argmax over axis 1
---@param data? hl.Symbol|number|hl.op.argmax_channel
---@param ... any|hl.op.argmax_channel
---@return hl.Symbol
function sym.argmax_channel(data, ...) end

---The position of the least element, the first of equals, in data's dtype
---@param data? hl.Symbol|number|hl.op.argmin
---@param ... any|hl.op.argmin
---@return hl.Symbol
function sym.argmin(data, ...) end

---The places along an axis in the order of their elements; of equal elements the first comes first, and NaNs come last
---@param data? hl.Symbol|number|hl.op.argsort
---@param ... any|hl.op.argsort
---@return hl.Symbol
function sym.argsort(data, ...) end

---The indices of the elements that are not 0, a row each
---@param a? hl.Symbol|number|hl.op._argwhere
---@param ... any|hl.op._argwhere
---@return hl.Symbol
function sym.argwhere(a, ...) end

---Have two arrays one shape and the same elements? One bool, of shape (1,)
---@param a1? hl.Symbol|number|hl.op.array_equal
---@param a2? hl.Symbol|number|hl.op.array_equal
---@param ... any|hl.op.array_equal
---@return hl.Symbol
function sym.array_equal(a1, a2, ...) end

---Integers and bools as float64; floats as they are
---@param data? hl.Symbol|number|hl.op._as_float
---@param ... any|hl.op._as_float
---@return hl.Symbol
function sym.as_float(data, ...) end

---The input; an error that says where, if an element is NaN or infinite
---@param data? hl.Symbol|number|hl.op.assert_finite
---@param ... any|hl.op.assert_finite
---@return hl.Symbol
function sym.assert_finite(data, ...) end

sym.astype = sym.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param lhs? hl.Symbol|number|hl.op.batch_dot
---@param rhs? hl.Symbol|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.Symbol
function sym.batch_dot(lhs, rhs, ...) end

sym.batch_norm = sym.BatchNorm
---One element of each row; indices outside are clipped
---@param a? hl.Symbol|number|hl.op.batch_take
---@param indices? hl.Symbol|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.Symbol
function sym.batch_take(a, indices, ...) end

sym.bilinear_sampler = sym.BilinearSampler
---How often each whole number from 0 on occurs in x, or the sums of the weights there
---@param x? hl.Symbol|number|hl.op._bincount
---@param weights? hl.Symbol|number|hl.op._bincount
---@param ... any|hl.op._bincount
---@return hl.Symbol
function sym.bincount(x, weights, ...) end

---Of integers, the bits that both have; of bool and floats, 1 where both are not 0, else 0
---@param lhs? hl.Symbol|number|hl.op._npi_bitwise_and
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_and
---@param ... any|hl.op._npi_bitwise_and
---@return hl.Symbol
function sym.bitwise_and(lhs, rhs, ...) end

---Of integers, every bit the other way round; of bool and floats, 1 where x is 0, else 0
---@param data? hl.Symbol|number|hl.op._npi_bitwise_not
---@param ... any|hl.op._npi_bitwise_not
---@return hl.Symbol
function sym.bitwise_not(data, ...) end

---Of integers, the bits that one of them has; of bool and floats, 1 where one is not 0, else 0
---@param lhs? hl.Symbol|number|hl.op._npi_bitwise_or
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_or
---@param ... any|hl.op._npi_bitwise_or
---@return hl.Symbol
function sym.bitwise_or(lhs, rhs, ...) end

---Of integers, the bits that exactly one has; of bool and floats, 1 where exactly one is not 0, else 0
---@param lhs? hl.Symbol|number|hl.op._npi_bitwise_xor
---@param rhs? hl.Symbol|number|hl.op._npi_bitwise_xor
---@param ... any|hl.op._npi_bitwise_xor
---@return hl.Symbol
function sym.bitwise_xor(lhs, rhs, ...) end

sym.block_grad = sym.BlockGrad
---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param index? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.Symbol
function sym.boolean_mask(data, index, ...) end

sym.broadcast_add = sym.add
---Some axes of dimension 1 repeated
---@param data? hl.Symbol|number|hl.op.broadcast_axis
---@param ... any|hl.op.broadcast_axis
---@return hl.Symbol
function sym.broadcast_axes(data, ...) end

sym.broadcast_axis = sym.broadcast_axes
---a / b; integers are cut towards 0, and give 0 for b = 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_div
---@param rhs? hl.Symbol|number|hl.op.broadcast_div
---@param ... any|hl.op.broadcast_div
---@return hl.Symbol
function sym.broadcast_div(lhs, rhs, ...) end

---1 where a = b, else 0, in the operands' dtype
---@param lhs? hl.Symbol|number|hl.op.broadcast_equal
---@param rhs? hl.Symbol|number|hl.op.broadcast_equal
---@param ... any|hl.op.broadcast_equal
---@return hl.Symbol
function sym.broadcast_equal(lhs, rhs, ...) end

---a / b rounded down, Lua's a // b; integers give 0 for b = 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_floor_divide
---@param rhs? hl.Symbol|number|hl.op.broadcast_floor_divide
---@param ... any|hl.op.broadcast_floor_divide
---@return hl.Symbol
function sym.broadcast_floor_divide(lhs, rhs, ...) end

---1 where a > b, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_greater
---@param rhs? hl.Symbol|number|hl.op.broadcast_greater
---@param ... any|hl.op.broadcast_greater
---@return hl.Symbol
function sym.broadcast_greater(lhs, rhs, ...) end

---1 where a >= b, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_greater_equal
---@param rhs? hl.Symbol|number|hl.op.broadcast_greater_equal
---@param ... any|hl.op.broadcast_greater_equal
---@return hl.Symbol
function sym.broadcast_greater_equal(lhs, rhs, ...) end

---sqrt(a^2 + b^2) without overflow
---@param lhs? hl.Symbol|number|hl.op.broadcast_hypot
---@param rhs? hl.Symbol|number|hl.op.broadcast_hypot
---@param ... any|hl.op.broadcast_hypot
---@return hl.Symbol
function sym.broadcast_hypot(lhs, rhs, ...) end

---1 where a < b, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_lesser
---@param rhs? hl.Symbol|number|hl.op.broadcast_lesser
---@param ... any|hl.op.broadcast_lesser
---@return hl.Symbol
function sym.broadcast_lesser(lhs, rhs, ...) end

---1 where a <= b, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_lesser_equal
---@param rhs? hl.Symbol|number|hl.op.broadcast_lesser_equal
---@param ... any|hl.op.broadcast_lesser_equal
---@return hl.Symbol
function sym.broadcast_lesser_equal(lhs, rhs, ...) end

---lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs
---@param lhs? hl.Symbol|number|hl.op.broadcast_like
---@param rhs? hl.Symbol|number|hl.op.broadcast_like
---@param ... any|hl.op.broadcast_like
---@return hl.Symbol
function sym.broadcast_like(lhs, rhs, ...) end

---1 where both are not 0, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_logical_and
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_and
---@param ... any|hl.op.broadcast_logical_and
---@return hl.Symbol
function sym.broadcast_logical_and(lhs, rhs, ...) end

---1 where one is not 0, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_logical_or
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_or
---@param ... any|hl.op.broadcast_logical_or
---@return hl.Symbol
function sym.broadcast_logical_or(lhs, rhs, ...) end

---1 where exactly one is not 0, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_logical_xor
---@param rhs? hl.Symbol|number|hl.op.broadcast_logical_xor
---@param ... any|hl.op.broadcast_logical_xor
---@return hl.Symbol
function sym.broadcast_logical_xor(lhs, rhs, ...) end

---The larger of a and b; NaN wins
---@param lhs? hl.Symbol|number|hl.op.broadcast_maximum
---@param rhs? hl.Symbol|number|hl.op.broadcast_maximum
---@param ... any|hl.op.broadcast_maximum
---@return hl.Symbol
function sym.broadcast_maximum(lhs, rhs, ...) end

---The smaller of a and b; NaN wins
---@param lhs? hl.Symbol|number|hl.op.broadcast_minimum
---@param rhs? hl.Symbol|number|hl.op.broadcast_minimum
---@param ... any|hl.op.broadcast_minimum
---@return hl.Symbol
function sym.broadcast_minimum(lhs, rhs, ...) end

---a - b
---@param lhs? hl.Symbol|number|hl.op.broadcast_sub
---@param rhs? hl.Symbol|number|hl.op.broadcast_sub
---@param ... any|hl.op.broadcast_sub
---@return hl.Symbol
function sym.broadcast_minus(lhs, rhs, ...) end

---a modulo b with the sign of b; 0 where b is 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_mod
---@param rhs? hl.Symbol|number|hl.op.broadcast_mod
---@param ... any|hl.op.broadcast_mod
---@return hl.Symbol
function sym.broadcast_mod(lhs, rhs, ...) end

---a * b
---@param lhs? hl.Symbol|number|hl.op.broadcast_mul
---@param rhs? hl.Symbol|number|hl.op.broadcast_mul
---@param ... any|hl.op.broadcast_mul
---@return hl.Symbol
function sym.broadcast_mul(lhs, rhs, ...) end

---1 where a differs from b, else 0
---@param lhs? hl.Symbol|number|hl.op.broadcast_not_equal
---@param rhs? hl.Symbol|number|hl.op.broadcast_not_equal
---@param ... any|hl.op.broadcast_not_equal
---@return hl.Symbol
function sym.broadcast_not_equal(lhs, rhs, ...) end

sym.broadcast_plus = sym.add
---a to the power of b
---@param lhs? hl.Symbol|number|hl.op.broadcast_power
---@param rhs? hl.Symbol|number|hl.op.broadcast_power
---@param ... any|hl.op.broadcast_power
---@return hl.Symbol
function sym.broadcast_power(lhs, rhs, ...) end

sym.broadcast_sub = sym.broadcast_minus
---Axes of dimension 1, and missing leading ones, repeated up to a shape
---@param data? hl.Symbol|number|hl.op.broadcast_to
---@param ... any|hl.op.broadcast_to
---@return hl.Symbol
function sym.broadcast_to(data, ...) end

sym.cast = sym.Cast
---The cube root
---@param data? hl.Symbol|number|hl.op.cbrt
---@param ... any|hl.op.cbrt
---@return hl.Symbol
function sym.cbrt(data, ...) end

---The least integer not below x
---@param data? hl.Symbol|number|hl.op.ceil
---@param ... any|hl.op.ceil
---@return hl.Symbol
function sym.ceil(data, ...) end

---One element along an axis at each place of the others
---@param data? hl.Symbol|number|hl.op.pick
---@param index? hl.Symbol|number|hl.op.pick
---@param ... any|hl.op.pick
---@return hl.Symbol
function sym.choose_element_0index(data, index, ...) end

---x held within [a_min, a_max]
---@param data? hl.Symbol|number|hl.op.clip
---@param ... any|hl.op.clip
---@return hl.Symbol
function sym.clip(data, ...) end

---Columns, (batch, channel x taps, places), added up at the places that im2col has them from
---@param data? hl.Symbol|number|hl.op.col2im
---@param ... any|hl.op.col2im
---@return hl.Symbol
function sym.col2im(data, ...) end

sym.concat = sym.Concat
---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param data? hl.Symbol|number|hl.op._contrib_AdaptiveAvgPooling2D
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.Symbol
function sym.contrib_adaptive_avg_pooling2d(data, ...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param a? hl.Symbol|number|hl.op._contrib_allclose
---@param b? hl.Symbol|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.Symbol
function sym.contrib_allclose(a, b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param data? hl.Symbol|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function sym.contrib_arange_like(data, ...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param query? hl.Symbol|number|hl.op._contrib_attention
---@param key? hl.Symbol|number|hl.op._contrib_attention
---@param value? hl.Symbol|number|hl.op._contrib_attention
---@param mask? hl.Symbol|number|hl.op._contrib_attention
---@param length? hl.Symbol|number|hl.op._contrib_attention
---@param offset? hl.Symbol|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_attention(query, key, value, mask, length, offset, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param data? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param gamma? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_batch_norm_with_re_lu(data, gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param data? hl.Symbol|number|hl.op._contrib_BilinearResize2D
---@param like? hl.Symbol|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.Symbol
function sym.contrib_bilinear_resize2d(data, like, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param data? hl.Symbol|number|hl.op._contrib_bipartite_matching
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_bipartite_matching(data, ...) end

sym.contrib_boolean_mask = sym.boolean_mask
---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param data? hl.Symbol|number|hl.op._contrib_box_decode
---@param anchors? hl.Symbol|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.Symbol
function sym.contrib_box_decode(data, anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param samples? hl.Symbol|number|hl.op._contrib_box_encode
---@param matches? hl.Symbol|number|hl.op._contrib_box_encode
---@param anchors? hl.Symbol|number|hl.op._contrib_box_encode
---@param refs? hl.Symbol|number|hl.op._contrib_box_encode
---@param means? hl.Symbol|number|hl.op._contrib_box_encode
---@param stds? hl.Symbol|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_box_encode(samples, matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param lhs? hl.Symbol|number|hl.op._contrib_box_iou
---@param rhs? hl.Symbol|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.Symbol
function sym.contrib_box_iou(lhs, rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param data? hl.Symbol|number|hl.op._contrib_box_nms
---@param ... any|hl.op._contrib_box_nms
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_box_nms(data, ...) end

sym.contrib_box_non_maximum_suppression = sym.contrib_box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param query? hl.Symbol|number|hl.op._contrib_cached_attention
---@param key? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value? hl.Symbol|number|hl.op._contrib_cached_attention
---@param key_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param position? hl.Symbol|number|hl.op._contrib_cached_attention
---@param mask? hl.Symbol|number|hl.op._contrib_cached_attention
---@param length? hl.Symbol|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.Symbol
function sym.contrib_cached_attention(query, key, value, key_cache, value_cache, position, mask, length, ...) end

sym.contrib_ctc_loss = sym.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param data? hl.Symbol|number|hl.op._contrib_div_sqrt_dim
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.Symbol
function sym.contrib_div_sqrt_dim(data, ...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.Symbol|number|hl.op._contrib_dynamic_slice
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.Symbol
function sym.contrib_dynamic_slice(data, begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param value? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.Symbol
function sym.contrib_dynamic_update_slice(data, value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param data? hl.Symbol|number|hl.op._contrib_index_array
---@param ... any|hl.op._contrib_index_array
---@return hl.Symbol
function sym.contrib_index_array(data, ...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param old_tensor? hl.Symbol|number|hl.op._contrib_index_copy
---@param index_vector? hl.Symbol|number|hl.op._contrib_index_copy
---@param new_tensor? hl.Symbol|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.Symbol
function sym.contrib_index_copy(old_tensor, index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param queries? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.Symbol
function sym.contrib_interleaved_matmul_encdec_qk(queries, keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.Symbol
function sym.contrib_interleaved_matmul_encdec_valatt(keys_values, attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param queries_keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_qk
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.Symbol
function sym.contrib_interleaved_matmul_selfatt_qk(queries_keys_values, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param queries_keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.Symbol
function sym.contrib_interleaved_matmul_selfatt_valatt(queries_keys_values, attention, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param cls_prob? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param loc_pred? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.Symbol
function sym.contrib_multi_box_detection(cls_prob, loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param data? hl.Symbol|number|hl.op._contrib_MultiBoxPrior
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.Symbol
function sym.contrib_multi_box_prior(data, ...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param anchor? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param label? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_multi_box_target(anchor, label, cls_pred, ...) end

---a x^2 + b x + c
---@param data? hl.Symbol|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.Symbol
function sym.contrib_quadratic(data, ...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param data? hl.Symbol|number|hl.op._contrib_ROIAlign
---@param rois? hl.Symbol|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.Symbol
function sym.contrib_roi_align(data, rois, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param data? hl.Symbol|number|hl.op._contrib_rotary_embedding
---@param positions? hl.Symbol|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.Symbol
function sym.contrib_rotary_embedding(data, positions, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param data? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param gamma? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.Symbol|hl.Symbol[]
function sym.contrib_sync_batch_norm(data, gamma, beta, moving_mean, moving_var, ...) end

sym.convolution = sym.Convolution
---The input
---@param data? hl.Symbol|number|hl.op._copy
---@param ... any|hl.op._copy
---@return hl.Symbol
function sym.copy(data, ...) end

---The cosine; x in radians
---@param data? hl.Symbol|number|hl.op.cos
---@param ... any|hl.op.cos
---@return hl.Symbol
function sym.cos(data, ...) end

---The hyperbolic cosine
---@param data? hl.Symbol|number|hl.op.cosh
---@param ... any|hl.op.cosh
---@return hl.Symbol
function sym.cosh(data, ...) end

---How many elements are not 0, over axes, as int64
---@param data? hl.Symbol|number|hl.op.count_nonzero
---@param ... any|hl.op.count_nonzero
---@return hl.Symbol
function sym.count_nonzero(data, ...) end

---begin:end:step of the first axes, cut to the axes as in NumPy. A part that is one piece of memory shares it with data
---@param data? hl.Symbol|number|hl.op.slice
---@param ... any|hl.op.slice
---@return hl.Symbol
function sym.crop(data, ...) end

---lhs with the part begin:end:step replaced by rhs
---@param lhs? hl.Symbol|number|hl.op._slice_assign
---@param rhs? hl.Symbol|number|hl.op._slice_assign
---@param ... any|hl.op._slice_assign
---@return hl.Symbol
function sym.crop_assign(lhs, rhs, ...) end

---data with every element of the part begin:end:step set to a number
---@param data? hl.Symbol|number|hl.op._slice_assign_scalar
---@param ... any|hl.op._slice_assign_scalar
---@return hl.Symbol
function sym.crop_assign_scalar(data, ...) end

sym.ctc_loss = sym.CTCLoss
---The sum of each element and all before it along an axis; of float32 rounded from double
---@param a? hl.Symbol|number|hl.op._np_cumsum
---@param ... any|hl.op._np_cumsum
---@return hl.Symbol
function sym.cumsum(a, ...) end

sym.deconvolution = sym.Deconvolution
---Radians to degrees
---@param data? hl.Symbol|number|hl.op.degrees
---@param ... any|hl.op.degrees
---@return hl.Symbol
function sym.degrees(data, ...) end

---Channels rearranged into square blocks of height and width
---@param data? hl.Symbol|number|hl.op.depth_to_space
---@param ... any|hl.op.depth_to_space
---@return hl.Symbol
function sym.depth_to_space(data, ...) end

---A diagonal of data, as the last axis of the result; of a vector, the matrix with it on a diagonal
---@param data? hl.Symbol|number|hl.op.diag
---@param ... any|hl.op.diag
---@return hl.Symbol
function sym.diag(data, ...) end

---The derivative of gammaln
---@param data? hl.Symbol|number|hl.op.digamma
---@param ... any|hl.op.digamma
---@return hl.Symbol
function sym.digamma(data, ...) end

---The bin of each element between edges that rise: bin i holds bins[i - 1] <= x < bins[i], with right bins[i - 1] < x <= bins[i]; where the edges fall, the other way round. int64
---@param x? hl.Symbol|number|hl.op._digitize
---@param bins? hl.Symbol|number|hl.op._digitize
---@param ... any|hl.op._digitize
---@return hl.Symbol
function sym.digitize(x, bins, ...) end

sym.div = sym.broadcast_div
---x / scalar
---@param data? hl.Symbol|number|hl.op._div_scalar
---@param ... any|hl.op._div_scalar
---@return hl.Symbol
function sym.div_scalar(data, ...) end

sym.divide = sym.broadcast_div
---The product of matrices; of arrays in general, the last axis of lhs contracted with the first of rhs. Two vectors give shape (1,). transpose_a contracts the first axis of lhs, transpose_b the last of rhs
---@param lhs? hl.Symbol|number|hl.op.dot
---@param rhs? hl.Symbol|number|hl.op.dot
---@param ... any|hl.op.dot
---@return hl.Symbol
function sym.dot(lhs, rhs, ...) end

sym.dropout = sym.Dropout
sym.element_wise_sum = sym.ElementWiseSum
---a + b (equal shapes)
---@param lhs? hl.Symbol|number|hl.op.elemwise_add
---@param rhs? hl.Symbol|number|hl.op.elemwise_add
---@param ... any|hl.op.elemwise_add
---@return hl.Symbol
function sym.elemwise_add(lhs, rhs, ...) end

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param lhs? hl.Symbol|number|hl.op.elemwise_div
---@param rhs? hl.Symbol|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.Symbol
function sym.elemwise_div(lhs, rhs, ...) end

---a * b (equal shapes)
---@param lhs? hl.Symbol|number|hl.op.elemwise_mul
---@param rhs? hl.Symbol|number|hl.op.elemwise_mul
---@param ... any|hl.op.elemwise_mul
---@return hl.Symbol
function sym.elemwise_mul(lhs, rhs, ...) end

---a - b (equal shapes)
---@param lhs? hl.Symbol|number|hl.op.elemwise_sub
---@param rhs? hl.Symbol|number|hl.op.elemwise_sub
---@param ... any|hl.op.elemwise_sub
---@return hl.Symbol
function sym.elemwise_sub(lhs, rhs, ...) end

sym.embedding = sym.Embedding
---A new array; its content is zeros here, but do not count on it
---@param ... any|hl.op._empty
---@return hl.Symbol
function sym.empty(...) end

sym.equal = sym.broadcast_equal
---1 where x = scalar, else 0, in x's dtype
---@param data? hl.Symbol|number|hl.op._equal_scalar
---@param ... any|hl.op._equal_scalar
---@return hl.Symbol
function sym.equal_scalar(data, ...) end

---The error function
---@param data? hl.Symbol|number|hl.op.erf
---@param ... any|hl.op.erf
---@return hl.Symbol
function sym.erf(data, ...) end

---The inverse of erf; |x| < 1
---@param data? hl.Symbol|number|hl.op.erfinv
---@param ... any|hl.op.erfinv
---@return hl.Symbol
function sym.erfinv(data, ...) end

---e^x
---@param data? hl.Symbol|number|hl.op.exp
---@param ... any|hl.op.exp
---@return hl.Symbol
function sym.exp(data, ...) end

---A new axis of dimension 1
---@param data? hl.Symbol|number|hl.op.expand_dims
---@param ... any|hl.op.expand_dims
---@return hl.Symbol
function sym.expand_dims(data, ...) end

---e^x - 1, exact near 0
---@param data? hl.Symbol|number|hl.op.expm1
---@param ... any|hl.op.expm1
---@return hl.Symbol
function sym.expm1(data, ...) end

---Ones on a diagonal, zeros elsewhere
---@param ... any|hl.op._eye
---@return hl.Symbol
function sym.eye(...) end

---lhs with one element of each row, named by rhs, replaced by that of mhs
---@param lhs? hl.Symbol|number|hl.op.fill_element_0index
---@param mhs? hl.Symbol|number|hl.op.fill_element_0index
---@param rhs? hl.Symbol|number|hl.op.fill_element_0index
---@param ... any|hl.op.fill_element_0index
---@return hl.Symbol
function sym.fill_element_0index(lhs, mhs, rhs, ...) end

---To the nearest integer towards 0
---@param data? hl.Symbol|number|hl.op.fix
---@param ... any|hl.op.fix
---@return hl.Symbol
function sym.fix(data, ...) end

sym.flatten = sym.Flatten
---The elements along some axes in the opposite order
---@param data? hl.Symbol|number|hl.op.reverse
---@param ... any|hl.op.reverse
---@return hl.Symbol
function sym.flip(data, ...) end

---The greatest integer not above x
---@param data? hl.Symbol|number|hl.op.floor
---@param ... any|hl.op.floor
---@return hl.Symbol
function sym.floor(data, ...) end

sym.floor_divide = sym.broadcast_floor_divide
---x / scalar rounded down, Lua's x // scalar
---@param data? hl.Symbol|number|hl.op._floor_divide_scalar
---@param ... any|hl.op._floor_divide_scalar
---@return hl.Symbol
function sym.floor_divide_scalar(data, ...) end

---Follow the moving leader (S. Zheng, J. Kwok, 2017)
---@param weight? hl.Symbol|number|hl.op.ftml_update
---@param grad? hl.Symbol|number|hl.op.ftml_update
---@param d? hl.Symbol|number|hl.op.ftml_update
---@param v? hl.Symbol|number|hl.op.ftml_update
---@param z? hl.Symbol|number|hl.op.ftml_update
---@param ... any|hl.op.ftml_update
---@return hl.Symbol
function sym.ftml_update(weight, grad, d, v, z, ...) end

---Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; (sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 (H. McMahan et al., 2013)
---@param weight? hl.Symbol|number|hl.op.ftrl_update
---@param grad? hl.Symbol|number|hl.op.ftrl_update
---@param z? hl.Symbol|number|hl.op.ftrl_update
---@param n? hl.Symbol|number|hl.op.ftrl_update
---@param ... any|hl.op.ftrl_update
---@return hl.Symbol
function sym.ftrl_update(weight, grad, z, n, ...) end

---An array of one value
---@param ... any|hl.op._full
---@return hl.Symbol
function sym.full(...) end

---An array of one value, of data's shape and dtype
---@param data? hl.Symbol|number|hl.op.full_like
---@param ... any|hl.op.full_like
---@return hl.Symbol
function sym.full_like(data, ...) end

sym.fully_connected = sym.FullyConnected
---The gamma function
---@param data? hl.Symbol|number|hl.op.gamma
---@param ... any|hl.op.gamma
---@return hl.Symbol
function sym.gamma(data, ...) end

---log |gamma(x)|
---@param data? hl.Symbol|number|hl.op.gammaln
---@param ... any|hl.op.gammaln
---@return hl.Symbol
function sym.gammaln(data, ...) end

---The elements, or slices, of data that the columns of indices name, an axis a row; negative ones count from the end
---@param data? hl.Symbol|number|hl.op.gather_nd
---@param indices? hl.Symbol|number|hl.op.gather_nd
---@param ... any|hl.op.gather_nd
---@return hl.Symbol
function sym.gather_nd(data, indices, ...) end

---gelu by 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (D. Hendrycks, K. Gimpel, 2016)
---@param data? hl.Symbol|number|hl.op._gelu_tanh
---@param ... any|hl.op._gelu_tanh
---@return hl.Symbol
function sym.gelu_tanh(data, ...) end

sym.grad_add = sym.elemwise_add
sym.greater = sym.broadcast_greater
sym.greater_equal = sym.broadcast_greater_equal
---1 where x >= scalar, else 0
---@param data? hl.Symbol|number|hl.op._greater_equal_scalar
---@param ... any|hl.op._greater_equal_scalar
---@return hl.Symbol
function sym.greater_equal_scalar(data, ...) end

---1 where x > scalar, else 0
---@param data? hl.Symbol|number|hl.op._greater_scalar
---@param ... any|hl.op._greater_scalar
---@return hl.Symbol
function sym.greater_scalar(data, ...) end

sym.grid_generator = sym.GridGenerator
sym.group_norm = sym.GroupNorm
---alpha x + beta held within [0, 1]
---@param data? hl.Symbol|number|hl.op.hard_sigmoid
---@param ... any|hl.op.hard_sigmoid
---@return hl.Symbol
function sym.hard_sigmoid(data, ...) end

---How many elements lie in each bin, and the bins' edges: bin i holds edge[i] <= x < edge[i + 1], the last one both of its edges
---@param data? hl.Symbol|number|hl.op._histogram
---@param bins? hl.Symbol|number|hl.op._histogram
---@param ... any|hl.op._histogram
---@return hl.Symbol|hl.Symbol[]
function sym.histogram(data, bins, ...) end

sym.hypot = sym.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param data? hl.Symbol|number|hl.op._hypot_scalar
---@param ... any|hl.op._hypot_scalar
---@return hl.Symbol
function sym.hypot_scalar(data, ...) end

sym.identity = sym.copy
---What a window sees, as columns: (batch, channel, *axes) becomes (batch, channel x taps, places), the taps of a channel and the places of the window each in row-major order
---@param data? hl.Symbol|number|hl.op.im2col
---@param ... any|hl.op.im2col
---@return hl.Symbol
function sym.im2col(data, ...) end

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param data? hl.Symbol|number|hl.op._image_adjust_lighting
---@param ... any|hl.op._image_adjust_lighting
---@return hl.Symbol
function sym.image_adjust_lighting(data, ...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param data? hl.Symbol|number|hl.op._image_crop
---@param ... any|hl.op._image_crop
---@return hl.Symbol
function sym.image_crop(data, ...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param data? hl.Symbol|number|hl.op._image_flip_left_right
---@param ... any|hl.op._image_flip_left_right
---@return hl.Symbol
function sym.image_flip_left_right(data, ...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param data? hl.Symbol|number|hl.op._image_flip_top_bottom
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.Symbol
function sym.image_flip_top_bottom(data, ...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param data? hl.Symbol|number|hl.op._image_normalize
---@param ... any|hl.op._image_normalize
---@return hl.Symbol
function sym.image_normalize(data, ...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_brightness
---@param ... any|hl.op._image_random_brightness
---@return hl.Symbol
function sym.image_random_brightness(data, ...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param data? hl.Symbol|number|hl.op._image_random_color_jitter
---@param ... any|hl.op._image_random_color_jitter
---@return hl.Symbol
function sym.image_random_color_jitter(data, ...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_contrast
---@param ... any|hl.op._image_random_contrast
---@return hl.Symbol
function sym.image_random_contrast(data, ...) end

---flip_left_right, or nothing, with a probability of one half
---@param data? hl.Symbol|number|hl.op._image_random_flip_left_right
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.Symbol
function sym.image_random_flip_left_right(data, ...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param data? hl.Symbol|number|hl.op._image_random_flip_top_bottom
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.Symbol
function sym.image_random_flip_top_bottom(data, ...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param data? hl.Symbol|number|hl.op._image_random_hue
---@param ... any|hl.op._image_random_hue
---@return hl.Symbol
function sym.image_random_hue(data, ...) end

---adjust_lighting by three normal numbers of mean 0
---@param data? hl.Symbol|number|hl.op._image_random_lighting
---@param ... any|hl.op._image_random_lighting
---@return hl.Symbol
function sym.image_random_lighting(data, ...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_saturation
---@param ... any|hl.op._image_random_saturation
---@return hl.Symbol
function sym.image_random_saturation(data, ...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param data? hl.Symbol|number|hl.op._image_resize
---@param ... any|hl.op._image_resize
---@return hl.Symbol
function sym.image_resize(data, ...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param data? hl.Symbol|number|hl.op._image_to_tensor
---@param ... any|hl.op._image_to_tensor
---@return hl.Symbol
function sym.image_to_tensor(data, ...) end

---data[key], in NumPy's meaning: begin:end:step, single places, None, ..., and index arrays. What is one piece of memory shares it with data
---@param data? hl.Symbol|number|hl.op._index
---@param i0? hl.Symbol|number|hl.op._index
---@param i1? hl.Symbol|number|hl.op._index
---@param i2? hl.Symbol|number|hl.op._index
---@param i3? hl.Symbol|number|hl.op._index
---@param i4? hl.Symbol|number|hl.op._index
---@param i5? hl.Symbol|number|hl.op._index
---@param i6? hl.Symbol|number|hl.op._index
---@param i7? hl.Symbol|number|hl.op._index
---@param ... any|hl.op._index
---@return hl.Symbol
function sym.index(data, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

---data with data[key] replaced by value, which broadcasts; of elements named several times the last stays. A mask, an array of bool as the whole key, covers the first axes
---@param data? hl.Symbol|number|hl.op._index_assign
---@param value? hl.Symbol|number|hl.op._index_assign
---@param i0? hl.Symbol|number|hl.op._index_assign
---@param i1? hl.Symbol|number|hl.op._index_assign
---@param i2? hl.Symbol|number|hl.op._index_assign
---@param i3? hl.Symbol|number|hl.op._index_assign
---@param i4? hl.Symbol|number|hl.op._index_assign
---@param i5? hl.Symbol|number|hl.op._index_assign
---@param i6? hl.Symbol|number|hl.op._index_assign
---@param i7? hl.Symbol|number|hl.op._index_assign
---@param ... any|hl.op._index_assign
---@return hl.Symbol
function sym.index_assign(data, value, i0, i1, i2, i3, i4, i5, i6, i7, ...) end

sym.instance_norm = sym.InstanceNorm
sym.invert = sym.bitwise_not
---Is an element a number, neither infinite nor NaN? The result is bool
---@param data? hl.Symbol|number|hl.op.isfinite
---@param ... any|hl.op.isfinite
---@return hl.Symbol
function sym.isfinite(data, ...) end

---Which elements are among others; bool. A NaN is equal to nothing
---@param element? hl.Symbol|number|hl.op._isin
---@param test_elements? hl.Symbol|number|hl.op._isin
---@param ... any|hl.op._isin
---@return hl.Symbol
function sym.isin(element, test_elements, ...) end

---Is an element infinite, of either sign? The result is bool
---@param data? hl.Symbol|number|hl.op.isinf
---@param ... any|hl.op.isinf
---@return hl.Symbol
function sym.isinf(data, ...) end

---Is an element NaN? The result is bool
---@param data? hl.Symbol|number|hl.op.isnan
---@param ... any|hl.op.isnan
---@return hl.Symbol
function sym.isnan(data, ...) end

---Is an element minus infinity? The result is bool
---@param data? hl.Symbol|number|hl.op.isneginf
---@param ... any|hl.op.isneginf
---@return hl.Symbol
function sym.isneginf(data, ...) end

---Is an element plus infinity? The result is bool
---@param data? hl.Symbol|number|hl.op.isposinf
---@param ... any|hl.op.isposinf
---@return hl.Symbol
function sym.isposinf(data, ...) end

---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param args? hl.Symbol|number|hl.op.khatri_rao
---@param ... any|hl.op.khatri_rao
---@return hl.Symbol
function sym.khatri_rao(args, ...) end

sym.l2_normalization = sym.L2Normalization
sym.l2normalization = sym.L2Normalization
---LAMB, phase 1: the step mean / (sqrt(var) + epsilon) + wd weight (Y. You et al., 2019)
---@param weight? hl.Symbol|number|hl.op.lamb_update_phase1
---@param grad? hl.Symbol|number|hl.op.lamb_update_phase1
---@param mean? hl.Symbol|number|hl.op.lamb_update_phase1
---@param var? hl.Symbol|number|hl.op.lamb_update_phase1
---@param ... any|hl.op.lamb_update_phase1
---@return hl.Symbol
function sym.lamb_update_phase1(weight, grad, mean, var, ...) end

---LAMB, phase 2: weight - lr (r1 / r2) g, r1 being the weight's norm and r2 that of g, the step of phase 1; without the ratio where either is 0
---@param weight? hl.Symbol|number|hl.op.lamb_update_phase2
---@param g? hl.Symbol|number|hl.op.lamb_update_phase2
---@param r1? hl.Symbol|number|hl.op.lamb_update_phase2
---@param r2? hl.Symbol|number|hl.op.lamb_update_phase2
---@param ... any|hl.op.lamb_update_phase2
---@return hl.Symbol
function sym.lamb_update_phase2(weight, g, r1, r2, ...) end

sym.layer_norm = sym.LayerNorm
sym.leaky_re_lu = sym.LeakyReLU
sym.leaky_relu = sym.LeakyReLU
---a shifted by b: integers with their bits b places to the left; 0 where b is negative or not below the number of bits
---@param lhs? hl.Symbol|number|hl.op.left_shift
---@param rhs? hl.Symbol|number|hl.op.left_shift
---@param ... any|hl.op.left_shift
---@return hl.Symbol
function sym.left_shift(lhs, rhs, ...) end

---left_shift of x by scalar
---@param data? hl.Symbol|number|hl.op._left_shift_scalar
---@param ... any|hl.op._left_shift_scalar
---@return hl.Symbol
function sym.left_shift_scalar(data, ...) end

sym.lesser = sym.broadcast_lesser
sym.lesser_equal = sym.broadcast_lesser_equal
---1 where x <= scalar, else 0
---@param data? hl.Symbol|number|hl.op._lesser_equal_scalar
---@param ... any|hl.op._lesser_equal_scalar
---@return hl.Symbol
function sym.lesser_equal_scalar(data, ...) end

---1 where x < scalar, else 0
---@param data? hl.Symbol|number|hl.op._lesser_scalar
---@param ... any|hl.op._lesser_scalar
---@return hl.Symbol
function sym.lesser_scalar(data, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param A? hl.Symbol|number|hl.op._linalg_cholesky
---@param ... any|hl.op._linalg_cholesky
---@return hl.Symbol
function sym.linalg_cholesky(A, ...) end

---The determinant. The gradient of a singular matrix is 0
---@param A? hl.Symbol|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function sym.linalg_det(A, ...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_eigh
---@param ... any|hl.op._linalg_eigh
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_eigh(A, ...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_eigvalsh
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.Symbol
function sym.linalg_eigvalsh(A, ...) end

---The diagonals of square matrices
---@param A? hl.Symbol|number|hl.op._linalg_extractdiag
---@param ... any|hl.op._linalg_extractdiag
---@return hl.Symbol
function sym.linalg_extractdiag(A, ...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param A? hl.Symbol|number|hl.op._linalg_extracttrian
---@param ... any|hl.op._linalg_extracttrian
---@return hl.Symbol
function sym.linalg_extracttrian(A, ...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param A? hl.Symbol|number|hl.op._linalg_gelqf
---@param ... any|hl.op._linalg_gelqf
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_gelqf(A, ...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param A? hl.Symbol|number|hl.op._linalg_gemm
---@param B? hl.Symbol|number|hl.op._linalg_gemm
---@param C? hl.Symbol|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.Symbol
function sym.linalg_gemm(A, B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param A? hl.Symbol|number|hl.op._linalg_gemm2
---@param B? hl.Symbol|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.Symbol
function sym.linalg_gemm2(A, B, ...) end

---The inverse; linalg.inv is another name of it
---@param A? hl.Symbol|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function sym.linalg_inverse(A, ...) end

---What linalg.lstsq calls: x with the least |A x - b|, and of those the shortest; sums of squared residuals, where A has more rows than columns; the rank of A. Gradients of x alone, where the rank does not change
---@param A? hl.Symbol|number|hl.op._linalg_lstsq
---@param b? hl.Symbol|number|hl.op._linalg_lstsq
---@param ... any|hl.op._linalg_lstsq
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_lstsq(A, b, ...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param A? hl.Symbol|number|hl.op._linalg_makediag
---@param ... any|hl.op._linalg_makediag
---@return hl.Symbol
function sym.linalg_makediag(A, ...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param A? hl.Symbol|number|hl.op._linalg_maketrian
---@param ... any|hl.op._linalg_maketrian
---@return hl.Symbol
function sym.linalg_maketrian(A, ...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param A? hl.Symbol|number|hl.op._linalg_matrix_rank
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.Symbol
function sym.linalg_matrix_rank(A, ...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param A? hl.Symbol|number|hl.op._linalg_pinv
---@param ... any|hl.op._linalg_pinv
---@return hl.Symbol
function sym.linalg_pinv(A, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.Symbol|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function sym.linalg_potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.Symbol|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function sym.linalg_potri(A, ...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param A? hl.Symbol|number|hl.op._linalg_qr
---@param ... any|hl.op._linalg_qr
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_qr(A, ...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param A? hl.Symbol|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_slogdet(A, ...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param A? hl.Symbol|number|hl.op._linalg_solve
---@param b? hl.Symbol|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.Symbol
function sym.linalg_solve(A, b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.Symbol|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function sym.linalg_sumlogdiag(A, ...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param A? hl.Symbol|number|hl.op._linalg_svd
---@param ... any|hl.op._linalg_svd
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_svd(A, ...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_syevd
---@param ... any|hl.op._linalg_syevd
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_syevd(A, ...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param A? hl.Symbol|number|hl.op._linalg_syrk
---@param ... any|hl.op._linalg_syrk
---@return hl.Symbol
function sym.linalg_syrk(A, ...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param A? hl.Symbol|number|hl.op._linalg_trmm
---@param B? hl.Symbol|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.Symbol
function sym.linalg_trmm(A, B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param A? hl.Symbol|number|hl.op._linalg_trsm
---@param B? hl.Symbol|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.Symbol
function sym.linalg_trsm(A, B, ...) end

sym.linear_regression_output = sym.LinearRegressionOutput
---num values at even distances from start to stop
---@param ... any|hl.op._linspace
---@return hl.Symbol
function sym.linspace(...) end

---The natural logarithm
---@param data? hl.Symbol|number|hl.op.log
---@param ... any|hl.op.log
---@return hl.Symbol
function sym.log(data, ...) end

---The logarithm to base 10
---@param data? hl.Symbol|number|hl.op.log10
---@param ... any|hl.op.log10
---@return hl.Symbol
function sym.log10(data, ...) end

---log(1 + x), exact near 0
---@param data? hl.Symbol|number|hl.op.log1p
---@param ... any|hl.op.log1p
---@return hl.Symbol
function sym.log1p(data, ...) end

---The logarithm to base 2
---@param data? hl.Symbol|number|hl.op.log2
---@param ... any|hl.op.log2
---@return hl.Symbol
function sym.log2(data, ...) end

---log(1 / (1 + e^-x)), also far from 0
---@param data? hl.Symbol|number|hl.op.log_sigmoid
---@param ... any|hl.op.log_sigmoid
---@return hl.Symbol
function sym.log_sigmoid(data, ...) end

---The logarithm of softmax, without its rounding: x - log of the sum of e^x
---@param data? hl.Symbol|number|hl.op.log_softmax
---@param ... any|hl.op.log_softmax
---@return hl.Symbol
function sym.log_softmax(data, ...) end

---log(e^a + e^b), without overflow
---@param lhs? hl.Symbol|number|hl.op.logaddexp
---@param rhs? hl.Symbol|number|hl.op.logaddexp
---@param ... any|hl.op.logaddexp
---@return hl.Symbol
function sym.logaddexp(lhs, rhs, ...) end

sym.logical_and = sym.broadcast_logical_and
---1 where x and scalar are not 0, else 0
---@param data? hl.Symbol|number|hl.op._logical_and_scalar
---@param ... any|hl.op._logical_and_scalar
---@return hl.Symbol
function sym.logical_and_scalar(data, ...) end

---1 where x is 0, else 0, in x's dtype
---@param data? hl.Symbol|number|hl.op.logical_not
---@param ... any|hl.op.logical_not
---@return hl.Symbol
function sym.logical_not(data, ...) end

sym.logical_or = sym.broadcast_logical_or
---1 where x or scalar is not 0, else 0
---@param data? hl.Symbol|number|hl.op._logical_or_scalar
---@param ... any|hl.op._logical_or_scalar
---@return hl.Symbol
function sym.logical_or_scalar(data, ...) end

sym.logical_xor = sym.broadcast_logical_xor
---1 where exactly one of x and scalar is not 0, else 0
---@param data? hl.Symbol|number|hl.op._logical_xor_scalar
---@param ... any|hl.op._logical_xor_scalar
---@return hl.Symbol
function sym.logical_xor_scalar(data, ...) end

sym.logistic_regression_output = sym.LogisticRegressionOutput
sym.lrn = sym.LRN
sym.mae_regression_output = sym.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.make_loss
---@param ... any|hl.op.make_loss
---@return hl.Symbol
function sym.make_loss(data, ...) end

---The product of matrices, the last two axes; the axes before them broadcast, as in NumPy. A vector is a row on the left and a column on the right; two vectors give shape (1,). Integers too
---@param a? hl.Symbol|number|hl.op.matmul
---@param b? hl.Symbol|number|hl.op.matmul
---@param ... any|hl.op.matmul
---@return hl.Symbol
function sym.matmul(a, b, ...) end

---The greatest element over axes; NaN wins. Equals each get the whole gradient
---@param data? hl.Symbol|number|hl.op.max
---@param ... any|hl.op.max
---@return hl.Symbol
function sym.max(data, ...) end

sym.max_axis = sym.max
sym.maximum = sym.broadcast_maximum
---The larger of x and scalar; NaN wins
---@param data? hl.Symbol|number|hl.op._maximum_scalar
---@param ... any|hl.op._maximum_scalar
---@return hl.Symbol
function sym.maximum_scalar(data, ...) end

---The mean over axes; of integers and truth values a float32
---@param data? hl.Symbol|number|hl.op.mean
---@param ... any|hl.op.mean
---@return hl.Symbol
function sym.mean(data, ...) end

---The least element over axes; NaN wins. Equals each get the whole gradient
---@param data? hl.Symbol|number|hl.op.min
---@param ... any|hl.op.min
---@return hl.Symbol
function sym.min(data, ...) end

sym.min_axis = sym.min
sym.minimum = sym.broadcast_minimum
---The smaller of x and scalar; NaN wins
---@param data? hl.Symbol|number|hl.op._minimum_scalar
---@param ... any|hl.op._minimum_scalar
---@return hl.Symbol
function sym.minimum_scalar(data, ...) end

sym.minus = sym.elemwise_sub
---x - scalar
---@param data? hl.Symbol|number|hl.op._minus_scalar
---@param ... any|hl.op._minus_scalar
---@return hl.Symbol
function sym.minus_scalar(data, ...) end

---x tanh(log(1 + e^x)) (D. Misra, 2019)
---@param data? hl.Symbol|number|hl.op.mish
---@param ... any|hl.op.mish
---@return hl.Symbol
function sym.mish(data, ...) end

sym.mod = sym.broadcast_mod
---x modulo scalar, with the sign of scalar
---@param data? hl.Symbol|number|hl.op._mod_scalar
---@param ... any|hl.op._mod_scalar
---@return hl.Symbol
function sym.mod_scalar(data, ...) end

sym.modulo = sym.broadcast_mod
---The mean over axes and the mean of the squared distances from it: a table of two
---@param data? hl.Symbol|number|hl.op.moments
---@param ... any|hl.op.moments
---@return hl.Symbol|hl.Symbol[]
function sym.moments(data, ...) end

sym.mul = sym.broadcast_mul
---x * scalar
---@param data? hl.Symbol|number|hl.op._mul_scalar
---@param ... any|hl.op._mul_scalar
---@return hl.Symbol
function sym.mul_scalar(data, ...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param data? hl.Symbol|number|hl.op.multi_all_finite
---@param ... any|hl.op.multi_all_finite
---@return hl.Symbol
function sym.multi_all_finite(data, ...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param lrs? hl.Symbol|number|hl.op.multi_lars
---@param weights_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param grads_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param wds? hl.Symbol|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.Symbol
function sym.multi_lars(lrs, weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param data? hl.Symbol|number|hl.op.multi_sgd_mom_update
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.Symbol[]
function sym.multi_sgd_mom_update(data, ...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param data? hl.Symbol|number|hl.op.multi_sgd_update
---@param ... any|hl.op.multi_sgd_update
---@return hl.Symbol[]
function sym.multi_sgd_update(data, ...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param data? hl.Symbol|number|hl.op.multi_sum_sq
---@param ... any|hl.op.multi_sum_sq
---@return hl.Symbol
function sym.multi_sum_sq(data, ...) end

sym.multiply = sym.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param weight? hl.Symbol|number|hl.op.nag_mom_update
---@param grad? hl.Symbol|number|hl.op.nag_mom_update
---@param mom? hl.Symbol|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.Symbol
function sym.nag_mom_update(weight, grad, mom, ...) end

---Finite numbers for those that are not: 0 for NaN and the greatest of the dtype for infinities, or what is given
---@param data? hl.Symbol|number|hl.op.nan_to_num
---@param ... any|hl.op.nan_to_num
---@return hl.Symbol
function sym.nan_to_num(data, ...) end

---The product over axes, NaN counting as 1
---@param data? hl.Symbol|number|hl.op.nanprod
---@param ... any|hl.op.nanprod
---@return hl.Symbol
function sym.nanprod(data, ...) end

---The sum over axes, NaN counting as 0
---@param data? hl.Symbol|number|hl.op.nansum
---@param ... any|hl.op.nansum
---@return hl.Symbol
function sym.nansum(data, ...) end

----x
---@param data? hl.Symbol|number|hl.op.negative
---@param ... any|hl.op.negative
---@return hl.Symbol
function sym.negative(data, ...) end

---The 1- or 2-norm over axes; where squares would under- or overflow they are scaled (J. Blue, 1978)
---@param data? hl.Symbol|number|hl.op.norm
---@param ... any|hl.op.norm
---@return hl.Symbol
function sym.norm(data, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958)
---@param ... any|hl.op._random_normal
---@return hl.Symbol
function sym.normal(...) end

sym.not_equal = sym.broadcast_not_equal
---1 where x differs from scalar, else 0
---@param data? hl.Symbol|number|hl.op._not_equal_scalar
---@param ... any|hl.op._not_equal_scalar
---@return hl.Symbol
function sym.not_equal_scalar(data, ...) end

sym.np_all = sym.all
sym.np_any = sym.any
sym.np_cumsum = sym.cumsum
---The elements moved along axes; those that leave at the end come in at the beginning. Without an axis, all as one line
---@param data? hl.Symbol|number|hl.op.roll
---@param ... any|hl.op.roll
---@return hl.Symbol
function sym.np_roll(data, ...) end

sym.npi_bitwise_and = sym.bitwise_and
---Of integers, the bits that both have, x and scalar; of bool and floats, 1 where both are not 0, else 0
---@param data? hl.Symbol|number|hl.op._npi_bitwise_and_scalar
---@param ... any|hl.op._npi_bitwise_and_scalar
---@return hl.Symbol
function sym.npi_bitwise_and_scalar(data, ...) end

sym.npi_bitwise_not = sym.bitwise_not
sym.npi_bitwise_or = sym.bitwise_or
---Of integers, the bits that one of them has, x and scalar; of bool and floats, 1 where one is not 0, else 0
---@param data? hl.Symbol|number|hl.op._npi_bitwise_or_scalar
---@param ... any|hl.op._npi_bitwise_or_scalar
---@return hl.Symbol
function sym.npi_bitwise_or_scalar(data, ...) end

sym.npi_bitwise_xor = sym.bitwise_xor
---Of integers, the bits that exactly one has, x and scalar; of bool and floats, 1 where exactly one is not 0, else 0
---@param data? hl.Symbol|number|hl.op._npi_bitwise_xor_scalar
---@param ... any|hl.op._npi_bitwise_xor_scalar
---@return hl.Symbol
function sym.npi_bitwise_xor_scalar(data, ...) end

sym.npi_cholesky = sym.linalg_cholesky
sym.npi_eigh = sym.linalg_eigh
sym.npi_eigvalsh = sym.linalg_eigvalsh
sym.npi_full_like = sym.full_like
sym.npi_inv = sym.linalg_inverse
sym.npi_isfinite = sym.isfinite
sym.npi_isinf = sym.isinf
sym.npi_isnan = sym.isnan
sym.npi_isneginf = sym.isneginf
sym.npi_isposinf = sym.isposinf
sym.npi_matmul = sym.matmul
sym.npi_qr = sym.linalg_qr
sym.npi_solve = sym.linalg_solve
---The standard deviation over axes: the square root of var. Where it is 0 its gradient is 0
---@param data? hl.Symbol|number|hl.op.std
---@param ... any|hl.op.std
---@return hl.Symbol
function sym.npi_std(data, ...) end

---Matrices, the last two axes, with zeros above diagonal k. A vector stands for a matrix of such rows
---@param data? hl.Symbol|number|hl.op.tril
---@param ... any|hl.op.tril
---@return hl.Symbol
function sym.npi_tril(data, ...) end

---Matrices, the last two axes, with zeros below diagonal k. A vector stands for a matrix of such rows
---@param data? hl.Symbol|number|hl.op.triu
---@param ... any|hl.op.triu
---@return hl.Symbol
function sym.npi_triu(data, ...) end

---The variance over axes: the sum of the squared distances from the mean, divided by their number less ddof. 0 where all are equal; NaN of no elements
---@param data? hl.Symbol|number|hl.op.var
---@param ... any|hl.op.var
---@return hl.Symbol
function sym.npi_var(data, ...) end

---x where the condition is not 0, y elsewhere; all three broadcast
---@param condition? hl.Symbol|number|hl.op._npi_where
---@param x? hl.Symbol|number|hl.op._npi_where
---@param y? hl.Symbol|number|hl.op._npi_where
---@param ... any|hl.op._npi_where
---@return hl.Symbol
function sym.npi_where(condition, x, y, ...) end

---on_value at the place that each index names along a new last axis, off_value elsewhere
---@param indices? hl.Symbol|number|hl.op.one_hot
---@param ... any|hl.op.one_hot
---@return hl.Symbol
function sym.one_hot(indices, ...) end

---An array of ones
---@param ... any|hl.op._ones
---@return hl.Symbol
function sym.ones(...) end

---Ones of data's shape and dtype
---@param data? hl.Symbol|number|hl.op.ones_like
---@param ... any|hl.op.ones_like
---@return hl.Symbol
function sym.ones_like(data, ...) end

sym.pad = sym.Pad
sym.pick = sym.choose_element_0index
sym.plus = sym.elemwise_add
---x + scalar
---@param data? hl.Symbol|number|hl.op._plus_scalar
---@param ... any|hl.op._plus_scalar
---@return hl.Symbol
function sym.plus_scalar(data, ...) end

sym.pooling = sym.Pooling
sym.pow = sym.broadcast_power
sym.power = sym.broadcast_power
---x to the power of scalar
---@param data? hl.Symbol|number|hl.op._power_scalar
---@param ... any|hl.op._power_scalar
---@return hl.Symbol
function sym.power_scalar(data, ...) end

---The input, printed on standard output whenever it is computed: eagerly, compiled, and in each iteration of a loop, in the script's order
---@param data? hl.Symbol|number|hl.op.print
---@param ... any|hl.op.print
---@return hl.Symbol
function sym.print(data, ...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param data? hl.Symbol|number|hl.op.prod
---@param ... any|hl.op.prod
---@return hl.Symbol
function sym.prod(data, ...) end

---Quantiles along axes, a number or several, which become the first axis. A NaN makes its line's NaN (R. Hyndman, Y. Fan, "Sample quantiles in statistical packages", 1996)
---@param a? hl.Symbol|number|hl.op._quantile
---@param ... any|hl.op._quantile
---@return hl.Symbol
function sym.quantile(a, ...) end

---scalar / x
---@param data? hl.Symbol|number|hl.op._rdiv_scalar
---@param ... any|hl.op._rdiv_scalar
---@return hl.Symbol
function sym.r_div_scalar(data, ...) end

---scalar - x
---@param data? hl.Symbol|number|hl.op._rminus_scalar
---@param ... any|hl.op._rminus_scalar
---@return hl.Symbol
function sym.r_minus_scalar(data, ...) end

---scalar modulo x, with the sign of x
---@param data? hl.Symbol|number|hl.op._rmod_scalar
---@param ... any|hl.op._rmod_scalar
---@return hl.Symbol
function sym.r_mod_scalar(data, ...) end

---scalar to the power of x
---@param data? hl.Symbol|number|hl.op._rpower_scalar
---@param ... any|hl.op._rpower_scalar
---@return hl.Symbol
function sym.r_power_scalar(data, ...) end

---Degrees to radians
---@param data? hl.Symbol|number|hl.op.radians
---@param ... any|hl.op.radians
---@return hl.Symbol
function sym.radians(data, ...) end

---Exponentially distributed numbers of mean 1 / lam
---@param ... any|hl.op._random_exponential
---@return hl.Symbol
function sym.random_exponential(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_exponential_like
---@param ... any|hl.op._random_exponential_like
---@return hl.Symbol
function sym.random_exponential_like(data, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000)
---@param ... any|hl.op._random_gamma
---@return hl.Symbol
function sym.random_gamma(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_gamma_like
---@param ... any|hl.op._random_gamma_like
---@return hl.Symbol
function sym.random_gamma_like(data, ...) end

---Negative binomial counts by their mean and dispersion
---@param ... any|hl.op._random_generalized_negative_binomial
---@return hl.Symbol
function sym.random_generalized_negative_binomial(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_generalized_negative_binomial_like
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.Symbol
function sym.random_generalized_negative_binomial_like(data, ...) end

---How many failures come before k successes
---@param ... any|hl.op._random_negative_binomial
---@return hl.Symbol
function sym.random_negative_binomial(...) end

---How many failures come before k successes, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_negative_binomial_like
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.Symbol
function sym.random_negative_binomial_like(data, ...) end

sym.random_normal = sym.normal
---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_normal_like
---@param ... any|hl.op._random_normal_like
---@return hl.Symbol
function sym.random_normal_like(data, ...) end

---Poisson distributed counts (W. Hoermann, 1993)
---@param ... any|hl.op._random_poisson
---@return hl.Symbol
function sym.random_poisson(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_poisson_like
---@param ... any|hl.op._random_poisson_like
---@return hl.Symbol
function sym.random_poisson_like(data, ...) end

---Whole numbers in [low, high), each as likely as the others
---@param ... any|hl.op._random_randint
---@return hl.Symbol
function sym.random_randint(...) end

---Numbers spread evenly over [low, high)
---@param ... any|hl.op._random_uniform
---@return hl.Symbol
function sym.random_uniform(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_uniform_like
---@param ... any|hl.op._random_uniform_like
---@return hl.Symbol
function sym.random_uniform_like(data, ...) end

---Index tuples, one a column, as positions in an array of a shape
---@param data? hl.Symbol|number|hl.op._ravel_multi_index
---@param ... any|hl.op._ravel_multi_index
---@return hl.Symbol
function sym.ravel_multi_index(data, ...) end

---1 / cbrt(x)
---@param data? hl.Symbol|number|hl.op.rcbrt
---@param ... any|hl.op.rcbrt
---@return hl.Symbol
function sym.rcbrt(data, ...) end

sym.rdiv_scalar = sym.r_div_scalar
---1 / x
---@param data? hl.Symbol|number|hl.op.reciprocal
---@param ... any|hl.op.reciprocal
---@return hl.Symbol
function sym.reciprocal(data, ...) end

---max(x, 0); NaN stays
---@param data? hl.Symbol|number|hl.op.relu
---@param ... any|hl.op.relu
---@return hl.Symbol
function sym.relu(data, ...) end

---Each element along an axis repeated; without an axis, each of the flattened array
---@param data? hl.Symbol|number|hl.op.repeat
---@param ... any|hl.op.repeat
---@return hl.Symbol
function sym.repeat_(data, ...) end

sym.reshape = sym.Reshape
---lhs in the shape of rhs, or some axes of lhs replaced by some axes of rhs
---@param lhs? hl.Symbol|number|hl.op.reshape_like
---@param rhs? hl.Symbol|number|hl.op.reshape_like
---@param ... any|hl.op.reshape_like
---@return hl.Symbol
function sym.reshape_like(lhs, rhs, ...) end

sym.reverse = sym.flip
---scalar / x rounded down, Lua's scalar // x
---@param data? hl.Symbol|number|hl.op._rfloor_divide_scalar
---@param ... any|hl.op._rfloor_divide_scalar
---@return hl.Symbol
function sym.rfloor_divide_scalar(data, ...) end

---a shifted by b: integers with their bits b places to the right, as NumPy's: negative ones stay negative. A shift by a negative b, or by all bits, gives 0, or -1 for a negative number
---@param lhs? hl.Symbol|number|hl.op.right_shift
---@param rhs? hl.Symbol|number|hl.op.right_shift
---@param ... any|hl.op.right_shift
---@return hl.Symbol
function sym.right_shift(lhs, rhs, ...) end

---right_shift of x by scalar
---@param data? hl.Symbol|number|hl.op._right_shift_scalar
---@param ... any|hl.op._right_shift_scalar
---@return hl.Symbol
function sym.right_shift_scalar(data, ...) end

---To the nearest integer, ties to the lower one
---@param data? hl.Symbol|number|hl.op.rint
---@param ... any|hl.op.rint
---@return hl.Symbol
function sym.rint(data, ...) end

---left_shift of scalar by x
---@param data? hl.Symbol|number|hl.op._rleft_shift_scalar
---@param ... any|hl.op._rleft_shift_scalar
---@return hl.Symbol
function sym.rleft_shift_scalar(data, ...) end

sym.rminus_scalar = sym.r_minus_scalar
sym.rmod_scalar = sym.r_mod_scalar
sym.rms_norm = sym.RMSNorm
---d = grad + wd weight; n the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) (T. Tieleman, G. Hinton, 2012)
---@param weight? hl.Symbol|number|hl.op.rmsprop_update
---@param grad? hl.Symbol|number|hl.op.rmsprop_update
---@param n? hl.Symbol|number|hl.op.rmsprop_update
---@param ... any|hl.op.rmsprop_update
---@return hl.Symbol
function sym.rmsprop_update(weight, grad, n, ...) end

---n and g the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - g^2 + epsilon); weight + delta (A. Graves, 2013)
---@param weight? hl.Symbol|number|hl.op.rmspropalex_update
---@param grad? hl.Symbol|number|hl.op.rmspropalex_update
---@param n? hl.Symbol|number|hl.op.rmspropalex_update
---@param g? hl.Symbol|number|hl.op.rmspropalex_update
---@param delta? hl.Symbol|number|hl.op.rmspropalex_update
---@param ... any|hl.op.rmspropalex_update
---@return hl.Symbol
function sym.rmspropalex_update(weight, grad, n, g, delta, ...) end

sym.rnn = sym.RNN
---Concat, as graphs with fused recurrent layers hold it
---@param data? hl.Symbol|number|hl.op._rnn_param_concat
---@param ... any|hl.op._rnn_param_concat
---@return hl.Symbol
function sym.rnn_param_concat(data, ...) end

sym.roi_pooling = sym.ROIPooling
sym.roll = sym.np_roll
---To the nearest integer, ties away from 0
---@param data? hl.Symbol|number|hl.op.round
---@param ... any|hl.op.round
---@return hl.Symbol
function sym.round(data, ...) end

sym.rpower_scalar = sym.r_power_scalar
---right_shift of scalar by x
---@param data? hl.Symbol|number|hl.op._rright_shift_scalar
---@param ... any|hl.op._rright_shift_scalar
---@return hl.Symbol
function sym.rright_shift_scalar(data, ...) end

---1 / sqrt(x)
---@param data? hl.Symbol|number|hl.op.rsqrt
---@param ... any|hl.op.rsqrt
---@return hl.Symbol
function sym.rsqrt(data, ...) end

---Which elements differ from the one before them; bool. A NaN equals a NaN
---@param a? hl.Symbol|number|hl.op._run_starts
---@param ... any|hl.op._run_starts
---@return hl.Symbol
function sym.run_starts(a, ...) end

---Exponentially distributed numbers of mean 1 / lam, for each element of the parameters
---@param lam? hl.Symbol|number|hl.op._sample_exponential
---@param ... any|hl.op._sample_exponential
---@return hl.Symbol
function sym.sample_exponential(lam, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), for each element of the parameters
---@param alpha? hl.Symbol|number|hl.op._sample_gamma
---@param beta? hl.Symbol|number|hl.op._sample_gamma
---@param ... any|hl.op._sample_gamma
---@return hl.Symbol
function sym.sample_gamma(alpha, beta, ...) end

---Negative binomial counts by their mean and dispersion, for each element of the parameters
---@param mu? hl.Symbol|number|hl.op._sample_generalized_negative_binomial
---@param alpha? hl.Symbol|number|hl.op._sample_generalized_negative_binomial
---@param ... any|hl.op._sample_generalized_negative_binomial
---@return hl.Symbol
function sym.sample_generalized_negative_binomial(mu, alpha, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param data? hl.Symbol|number|hl.op._sample_multinomial
---@param ... any|hl.op._sample_multinomial
---@return hl.Symbol|hl.Symbol[]
function sym.sample_multinomial(data, ...) end

---How many failures come before k successes, for each element of the parameters
---@param k? hl.Symbol|number|hl.op._sample_negative_binomial
---@param p? hl.Symbol|number|hl.op._sample_negative_binomial
---@param ... any|hl.op._sample_negative_binomial
---@return hl.Symbol
function sym.sample_negative_binomial(k, p, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), for each element of the parameters
---@param mu? hl.Symbol|number|hl.op._sample_normal
---@param sigma? hl.Symbol|number|hl.op._sample_normal
---@param ... any|hl.op._sample_normal
---@return hl.Symbol
function sym.sample_normal(mu, sigma, ...) end

---Poisson distributed counts (W. Hoermann, 1993), for each element of the parameters
---@param lam? hl.Symbol|number|hl.op._sample_poisson
---@param ... any|hl.op._sample_poisson
---@return hl.Symbol
function sym.sample_poisson(lam, ...) end

---Numbers spread evenly over [low, high), for each element of the parameters
---@param low? hl.Symbol|number|hl.op._sample_uniform
---@param high? hl.Symbol|number|hl.op._sample_uniform
---@param ... any|hl.op._sample_uniform
---@return hl.Symbol
function sym.sample_uniform(low, high, ...) end

---Zeros of a shape, with the elements or slices that the columns of indices name set; the last one of equals stays
---@param data? hl.Symbol|number|hl.op.scatter_nd
---@param indices? hl.Symbol|number|hl.op.scatter_nd
---@param ... any|hl.op.scatter_nd
---@return hl.Symbol
function sym.scatter_nd(data, indices, ...) end

---Where values would go among the elements of a, which rise, to keep their order: before those equal to them, or after. int64. A NaN is greater than all numbers
---@param a? hl.Symbol|number|hl.op._searchsorted
---@param v? hl.Symbol|number|hl.op._searchsorted
---@param ... any|hl.op._searchsorted
---@return hl.Symbol
function sym.searchsorted(a, v, ...) end

sym.sequence_last = sym.SequenceLast
sym.sequence_mask = sym.SequenceMask
sym.sequence_reverse = sym.SequenceReverse
---mom = momentum mom - lr (grad + wd weight); weight + mom
---@param weight? hl.Symbol|number|hl.op.sgd_mom_update
---@param grad? hl.Symbol|number|hl.op.sgd_mom_update
---@param mom? hl.Symbol|number|hl.op.sgd_mom_update
---@param ... any|hl.op.sgd_mom_update
---@return hl.Symbol
function sym.sgd_mom_update(weight, grad, mom, ...) end

---weight - lr (grad + wd weight)
---@param weight? hl.Symbol|number|hl.op.sgd_update
---@param grad? hl.Symbol|number|hl.op.sgd_update
---@param ... any|hl.op.sgd_update
---@return hl.Symbol
function sym.sgd_update(weight, grad, ...) end

---The shape as an array of int64
---@param data? hl.Symbol|number|hl.op.shape_array
---@param ... any|hl.op.shape_array
---@return hl.Symbol
function sym.shape_array(data, ...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param data? hl.Symbol|number|hl.op._shuffle
---@param ... any|hl.op._shuffle
---@return hl.Symbol
function sym.shuffle(data, ...) end

---1 / (1 + e^-x)
---@param data? hl.Symbol|number|hl.op.sigmoid
---@param ... any|hl.op.sigmoid
---@return hl.Symbol
function sym.sigmoid(data, ...) end

----1, 0 or 1; NaN stays
---@param data? hl.Symbol|number|hl.op.sign
---@param ... any|hl.op.sign
---@return hl.Symbol
function sym.sign(data, ...) end

---(1 - lr wd) weight - lr sign(grad)
---@param weight? hl.Symbol|number|hl.op.signsgd_update
---@param grad? hl.Symbol|number|hl.op.signsgd_update
---@param ... any|hl.op.signsgd_update
---@return hl.Symbol
function sym.signsgd_update(weight, grad, ...) end

---mom = momentum mom - (1 - momentum) (grad + wd weight); (1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)
---@param weight? hl.Symbol|number|hl.op.signum_update
---@param grad? hl.Symbol|number|hl.op.signum_update
---@param mom? hl.Symbol|number|hl.op.signum_update
---@param ... any|hl.op.signum_update
---@return hl.Symbol
function sym.signum_update(weight, grad, mom, ...) end

---x sigmoid(x), also called swish (S. Elfwing et al., 2017)
---@param data? hl.Symbol|number|hl.op.silu
---@param ... any|hl.op.silu
---@return hl.Symbol
function sym.silu(data, ...) end

---The sine; x in radians
---@param data? hl.Symbol|number|hl.op.sin
---@param ... any|hl.op.sin
---@return hl.Symbol
function sym.sin(data, ...) end

---The hyperbolic sine
---@param data? hl.Symbol|number|hl.op.sinh
---@param ... any|hl.op.sinh
---@return hl.Symbol
function sym.sinh(data, ...) end

---The number of elements as an array of one int64
---@param data? hl.Symbol|number|hl.op.size_array
---@param ... any|hl.op.size_array
---@return hl.Symbol
function sym.size_array(data, ...) end

sym.slice = sym.crop
sym.slice_assign = sym.crop_assign
sym.slice_assign_scalar = sym.crop_assign_scalar
---begin:end of one axis; an error outside the axis
---@param data? hl.Symbol|number|hl.op.slice_axis
---@param ... any|hl.op.slice_axis
---@return hl.Symbol
function sym.slice_axis(data, ...) end

sym.slice_channel = sym.SliceChannel
---data from the beginning of each axis up to the dimension of shape_like
---@param data? hl.Symbol|number|hl.op.slice_like
---@param shape_like? hl.Symbol|number|hl.op.slice_like
---@param ... any|hl.op.slice_like
---@return hl.Symbol
function sym.slice_like(data, shape_like, ...) end

---0.5 (s x)^2 where |x| < 1 / s^2, |x| - 0.5 / s^2 elsewhere (s the scalar)
---@param data? hl.Symbol|number|hl.op.smooth_l1
---@param ... any|hl.op.smooth_l1
---@return hl.Symbol
function sym.smooth_l1(data, ...) end

---e^x / sum of e^x along an axis
---@param data? hl.Symbol|number|hl.op.softmax
---@param length? hl.Symbol|number|hl.op.softmax
---@param ... any|hl.op.softmax
---@return hl.Symbol
function sym.softmax(data, length, ...) end

sym.softmax_activation = sym.SoftmaxActivation
---The sum over rows of -log softmax(data)[label]; shape (1,)
---@param data? hl.Symbol|number|hl.op.softmax_cross_entropy
---@param label? hl.Symbol|number|hl.op.softmax_cross_entropy
---@param ... any|hl.op.softmax_cross_entropy
---@return hl.Symbol
function sym.softmax_cross_entropy(data, label, ...) end

sym.softmax_output = sym.Softmax
---softmax of -x
---@param data? hl.Symbol|number|hl.op.softmin
---@param ... any|hl.op.softmin
---@return hl.Symbol
function sym.softmin(data, ...) end

---log(1 + e^x)
---@param data? hl.Symbol|number|hl.op._softrelu
---@param ... any|hl.op._softrelu
---@return hl.Symbol
function sym.softrelu(data, ...) end

---x / (1 + |x|)
---@param data? hl.Symbol|number|hl.op.softsign
---@param ... any|hl.op.softsign
---@return hl.Symbol
function sym.softsign(data, ...) end

---The elements along an axis in order. NaNs come last, upwards and downwards
---@param data? hl.Symbol|number|hl.op.sort
---@param ... any|hl.op.sort
---@return hl.Symbol
function sym.sort(data, ...) end

---Square blocks of height and width rearranged into channels
---@param data? hl.Symbol|number|hl.op.space_to_depth
---@param ... any|hl.op.space_to_depth
---@return hl.Symbol
function sym.space_to_depth(data, ...) end

sym.sparse_adagrad_update = sym.adagrad_update
sym.spatial_transformer = sym.SpatialTransformer
sym.split = sym.SliceChannel
---Parts of an axis that begin at given places, or a number of parts as equal as can be
---@param data? hl.Symbol|number|hl.op._split_v2
---@param ... any|hl.op._split_v2
---@return hl.Symbol[]
function sym.split_v2(data, ...) end

---The square root
---@param data? hl.Symbol|number|hl.op.sqrt
---@param ... any|hl.op.sqrt
---@return hl.Symbol
function sym.sqrt(data, ...) end

---x^2
---@param data? hl.Symbol|number|hl.op.square
---@param ... any|hl.op.square
---@return hl.Symbol
function sym.square(data, ...) end

---Without the axes of dimension 1; an array of one element keeps shape (1,)
---@param data? hl.Symbol|number|hl.op.squeeze
---@param ... any|hl.op.squeeze
---@return hl.Symbol
function sym.squeeze(data, ...) end

---Arrays of one shape joined along a new axis
---@param data? hl.Symbol|number|hl.op.stack
---@param ... any|hl.op.stack
---@return hl.Symbol
function sym.stack(data, ...) end

sym.std = sym.npi_std
sym.stop_gradient = sym.BlockGrad
sym.sub = sym.broadcast_minus
sym.subtract = sym.broadcast_minus
---The sum over axes. Of bools, how many are true, as int64
---@param data? hl.Symbol|number|hl.op.sum
---@param ... any|hl.op.sum
---@return hl.Symbol
function sym.sum(data, ...) end

sym.sum_axis = sym.sum
sym.svm_output = sym.SVMOutput
sym.swap_axis = sym.SwapAxis
sym.swapaxes = sym.SwapAxis
---The slices of a along an axis that the indices name, whose axes replace it
---@param a? hl.Symbol|number|hl.op.take
---@param indices? hl.Symbol|number|hl.op.take
---@param ... any|hl.op.take
---@return hl.Symbol
function sym.take(a, indices, ...) end

---The elements at places along an axis, for each line its own: what argsort and argmax point at. Negative places count from the end
---@param a? hl.Symbol|number|hl.op.take_along_axis
---@param indices? hl.Symbol|number|hl.op.take_along_axis
---@param ... any|hl.op.take_along_axis
---@return hl.Symbol
function sym.take_along_axis(a, indices, ...) end

---The tangent; x in radians
---@param data? hl.Symbol|number|hl.op.tan
---@param ... any|hl.op.tan
---@return hl.Symbol
function sym.tan(data, ...) end

---The hyperbolic tangent
---@param data? hl.Symbol|number|hl.op.tanh
---@param ... any|hl.op.tanh
---@return hl.Symbol
function sym.tanh(data, ...) end

---The whole array repeated along its axes, new leading axes where reps has more
---@param data? hl.Symbol|number|hl.op.tile
---@param ... any|hl.op.tile
---@return hl.Symbol
function sym.tile(data, ...) end

---The k greatest elements along an axis, greatest first: their places, their values, both, or a mask of data's shape with 1 at their places. Of equal elements the first comes first; NaNs come last
---@param data? hl.Symbol|number|hl.op.topk
---@param ... any|hl.op.topk
---@return hl.Symbol|hl.Symbol[]
function sym.topk(data, ...) end

---The axes in another order, reversed by default
---@param data? hl.Symbol|number|hl.op.transpose
---@param ... any|hl.op.transpose
---@return hl.Symbol
function sym.transpose(data, ...) end

---The derivative of digamma
---@param data? hl.Symbol|number|hl.op.trigamma
---@param ... any|hl.op.trigamma
---@return hl.Symbol
function sym.trigamma(data, ...) end

sym.tril = sym.npi_tril
sym.triu = sym.npi_triu
sym.true_divide = sym.broadcast_div
---x without its fraction
---@param data? hl.Symbol|number|hl.op.trunc
---@param ... any|hl.op.trunc
---@return hl.Symbol
function sym.trunc(data, ...) end

sym.uniform = sym.random_uniform
---Positions in an array of a shape as index tuples, one a column
---@param data? hl.Symbol|number|hl.op._unravel_index
---@param ... any|hl.op._unravel_index
---@return hl.Symbol
function sym.unravel_index(data, ...) end

sym.up_sampling = sym.UpSampling
sym.var = sym.npi_var
---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows. x and y may be numbers
---@param condition? hl.Symbol|number|hl.op.where
---@param x? hl.Symbol|number|hl.op.where
---@param y? hl.Symbol|number|hl.op.where
---@param ... any|hl.op.where
---@return hl.Symbol
function sym.where(condition, x, y, ...) end

---An array of zeros
---@param ... any|hl.op._zeros
---@return hl.Symbol
function sym.zeros(...) end

---Zeros of data's shape and dtype
---@param data? hl.Symbol|number|hl.op.zeros_like
---@param ... any|hl.op.zeros_like
---@return hl.Symbol
function sym.zeros_like(data, ...) end


---@class hl.sym.random
local sym_random = {}

---@class sym_random.choice.options
---@field [integer] any
---@field a? any
---@field size? any
---@field replace? boolean Default: true.
---@field p? any

---Elements chosen at random from a, an array of one dimension, or from 0 .. a - 1. Options, also by position: size (a
---number or a table; (1,)), replace (true: an element may come again), p (probabilities, an array or a table that sums
---to 1; else all the same). Numbers are int64. The result is where a or p is.
---@param F? any
---@overload fun(a?: any|sym_random.choice.options, size?: any|sym_random.choice.options, replace?: boolean|sym_random.choice.options, p?: any|sym_random.choice.options): any
---@return any
function sym_random.choice(F, ...) end

---@return any
function sym_random.exponential(...) end

---The rows of x in random order, or the numbers 0 .. x - 1 (int64) where x is an integer.
---@param F? any
---@return any
function sym_random.permutation(F, ...) end

---@return any
function sym_random.randn(...) end

---Exponentially distributed numbers of mean 1 / lam, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_exponential_like
---@param ... any|hl.op._random_exponential_like
---@return hl.Symbol
function sym_random.exponential_like(data, ...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000)
---@param ... any|hl.op._random_gamma
---@return hl.Symbol
function sym_random.gamma(...) end

---Gamma distributed numbers (G. Marsaglia, W. Tsang, 2000), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_gamma_like
---@param ... any|hl.op._random_gamma_like
---@return hl.Symbol
function sym_random.gamma_like(data, ...) end

---Negative binomial counts by their mean and dispersion
---@param ... any|hl.op._random_generalized_negative_binomial
---@return hl.Symbol
function sym_random.generalized_negative_binomial(...) end

---Negative binomial counts by their mean and dispersion, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_generalized_negative_binomial_like
---@param ... any|hl.op._random_generalized_negative_binomial_like
---@return hl.Symbol
function sym_random.generalized_negative_binomial_like(data, ...) end

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable once (R. Williams, "Simple statistical gradient-following algorithms", 1992)
---@param data? hl.Symbol|number|hl.op._sample_multinomial
---@param ... any|hl.op._sample_multinomial
---@return hl.Symbol|hl.Symbol[]
function sym_random.multinomial(data, ...) end

---How many failures come before k successes
---@param ... any|hl.op._random_negative_binomial
---@return hl.Symbol
function sym_random.negative_binomial(...) end

---How many failures come before k successes, with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_negative_binomial_like
---@param ... any|hl.op._random_negative_binomial_like
---@return hl.Symbol
function sym_random.negative_binomial_like(data, ...) end

---Normally distributed numbers (G. Box, M. Muller, 1958)
---@param ... any|hl.op._random_normal
---@return hl.Symbol
function sym_random.normal(...) end

---Normally distributed numbers (G. Box, M. Muller, 1958), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_normal_like
---@param ... any|hl.op._random_normal_like
---@return hl.Symbol
function sym_random.normal_like(data, ...) end

---Poisson distributed counts (W. Hoermann, 1993)
---@param ... any|hl.op._random_poisson
---@return hl.Symbol
function sym_random.poisson(...) end

---Poisson distributed counts (W. Hoermann, 1993), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_poisson_like
---@param ... any|hl.op._random_poisson_like
---@return hl.Symbol
function sym_random.poisson_like(data, ...) end

---Whole numbers in [low, high), each as likely as the others
---@param ... any|hl.op._random_randint
---@return hl.Symbol
function sym_random.randint(...) end

---The rows of data (its parts along axis 0) in random order, all orders equally likely
---@param data? hl.Symbol|number|hl.op._shuffle
---@param ... any|hl.op._shuffle
---@return hl.Symbol
function sym_random.shuffle(data, ...) end

---Numbers spread evenly over [low, high)
---@param ... any|hl.op._random_uniform
---@return hl.Symbol
function sym_random.uniform(...) end

---Numbers spread evenly over [low, high), with data's shape and dtype
---@param data? hl.Symbol|number|hl.op._random_uniform_like
---@param ... any|hl.op._random_uniform_like
---@return hl.Symbol
function sym_random.uniform_like(data, ...) end


---@class hl.sym.linalg
local sym_linalg = {}

---@class sym_linalg.cond.options
---@field [integer] any
---@field x? any
---@field p? any

---The condition numbers of matrices: norm(x) norm(inverse of x), with the norm p ('fro', 'nuc', 1, -1, 2, -2,
---math.huge,
----math.huge; nil is 2). With 2 and -2 by singular values, so that x need not be square.
---@overload fun(x?: any|sym_linalg.cond.options, p?: any|sym_linalg.cond.options): any
---@return any
function sym_linalg.cond(...) end

---@class sym_linalg.lstsq.options
---@field [integer] any
---@field a? any
---@field b? any
---@field rcond? any

---Least squares: x with the least |a x - b|, and of those the shortest. a is (m, n), b (m) or (m, k); leading axes of
---both count problems. rcond: singular values up to this times the largest count as 0; without, the precision
---of the dtype times max(m, n); -1: the precision. Where a is clearly of full rank by QR, else by singular values.
---Returns {x, residuals, rank, s}: the sums of squared residuals, (k), with no elements where m <= n, and for a single
---problem even if the rank is less than n (in graphs, where a shape cannot depend on values, they are there then
---too); the rank, int64; the singular values of a, which are computed when they are first read. x has a gradient.
---@overload fun(a?: any|sym_linalg.lstsq.options, b?: any|sym_linalg.lstsq.options, rcond?: any|sym_linalg.lstsq.options): any
---@return any
function sym_linalg.lstsq(...) end

---@class sym_linalg.matrix_power.options
---@field [integer] any
---@field a? any
---@field n? any

---Square matrices to an integer power n: products of a, by squaring; of its inverse for a negative n.
---@overload fun(a?: any|sym_linalg.matrix_power.options, n?: any|sym_linalg.matrix_power.options): any
---@return any
function sym_linalg.matrix_power(...) end

---The product of a table of matrices, in the order that takes the fewest multiplications. The first and
---the last may be vectors: a row and a column.
---@return any
function sym_linalg.multi_dot(...) end

---@class sym_linalg.norm.options
---@field [integer] any
---@field x? any
---@field ord? any
---@field axis? integer
---@field keepdims? boolean Default: false.

---The norm of vectors or matrices. axis: a number for vectors, two for matrices ({0, 1}); without, x is
---one vector or one matrix, and with no ord either any x is taken as one vector.
---ord: nil (2, of matrices 'fro'), a number p (the p-th root of the sum of |x|^p), math.huge (the greatest
---|x|), -math.huge, 0 (how many are not 0); of matrices 'fro' (the root of the sum of squares), 'nuc' (the sum of the
---singular values), 1 (the greatest sum of a column), -1, 2 (the greatest singular value), -2, math.huge (the
---greatest sum of a row), -math.huge. keepdims (false): the reduced axes stay, with one element.
---@overload fun(x?: any|sym_linalg.norm.options, ord?: any|sym_linalg.norm.options, axis?: integer|sym_linalg.norm.options, keepdims?: boolean|sym_linalg.norm.options): any
---@return any
function sym_linalg.norm(...) end

---@class sym_linalg.tensorinv.options
---@field [integer] any
---@field a? any
---@field ind? number Default: 2.

---The inverse of an array for tensordot: the first ind (2) axes of a are the rows of a square matrix, the others its
---columns.
---@overload fun(a?: any|sym_linalg.tensorinv.options, ind?: number|sym_linalg.tensorinv.options): any
---@return any
function sym_linalg.tensorinv(...) end

---@class sym_linalg.tensorsolve.options
---@field [integer] any
---@field a? any
---@field b? any
---@field axes? any

---x with tensordot(a, x, x.ndim) = b: the first axes of a are those of b, the others x's. axes: these axes of a are
---put last before.
---@overload fun(a?: any|sym_linalg.tensorsolve.options, b?: any|sym_linalg.tensorsolve.options, axes?: any|sym_linalg.tensorsolve.options): any
---@return any
function sym_linalg.tensorsolve(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices, under NumPy's name: see linalg_potrf
---@param A? hl.Symbol|number|hl.op._linalg_cholesky
---@param ... any|hl.op._linalg_cholesky
---@return hl.Symbol
function sym_linalg.cholesky(A, ...) end

---The determinant. The gradient of a singular matrix is 0
---@param A? hl.Symbol|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function sym_linalg.det(A, ...) end

---Eigenvalues in ascending order and eigenvectors, as columns, of symmetric matrices: {w (..., n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_eigh
---@param ... any|hl.op._linalg_eigh
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.eigh(A, ...) end

---Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_eigvalsh
---@param ... any|hl.op._linalg_eigvalsh
---@return hl.Symbol
function sym_linalg.eigvalsh(A, ...) end

---The diagonals of square matrices
---@param A? hl.Symbol|number|hl.op._linalg_extractdiag
---@param ... any|hl.op._linalg_extractdiag
---@return hl.Symbol
function sym_linalg.extractdiag(A, ...) end

---The triangles of square matrices: lower ones row by row, upper ones column by column
---@param A? hl.Symbol|number|hl.op._linalg_extracttrian
---@param ... any|hl.op._linalg_extracttrian
---@return hl.Symbol
function sym_linalg.extracttrian(A, ...) end

---Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows
---@param A? hl.Symbol|number|hl.op._linalg_gelqf
---@param ... any|hl.op._linalg_gelqf
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.gelqf(A, ...) end

---alpha op(A) op(B) + beta C of matrices or stacks of them, op being the transpose where asked
---@param A? hl.Symbol|number|hl.op._linalg_gemm
---@param B? hl.Symbol|number|hl.op._linalg_gemm
---@param C? hl.Symbol|number|hl.op._linalg_gemm
---@param ... any|hl.op._linalg_gemm
---@return hl.Symbol
function sym_linalg.gemm(A, B, C, ...) end

---alpha op(A) op(B) of matrices or stacks of them, op being the transpose where asked
---@param A? hl.Symbol|number|hl.op._linalg_gemm2
---@param B? hl.Symbol|number|hl.op._linalg_gemm2
---@param ... any|hl.op._linalg_gemm2
---@return hl.Symbol
function sym_linalg.gemm2(A, B, ...) end

---The inverse; linalg.inv is another name of it
---@param A? hl.Symbol|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function sym_linalg.inv(A, ...) end

sym_linalg.inverse = sym_linalg.inv
---Matrices with A on a diagonal, 0 elsewhere
---@param A? hl.Symbol|number|hl.op._linalg_makediag
---@param ... any|hl.op._linalg_makediag
---@return hl.Symbol
function sym_linalg.makediag(A, ...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param A? hl.Symbol|number|hl.op._linalg_maketrian
---@param ... any|hl.op._linalg_maketrian
---@return hl.Symbol
function sym_linalg.maketrian(A, ...) end

---The rank of matrices, int64: how many singular values are more than tol
---@param A? hl.Symbol|number|hl.op._linalg_matrix_rank
---@param ... any|hl.op._linalg_matrix_rank
---@return hl.Symbol
function sym_linalg.matrix_rank(A, ...) end

---The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient holds where the rank does not change
---@param A? hl.Symbol|number|hl.op._linalg_pinv
---@param ... any|hl.op._linalg_pinv
---@return hl.Symbol
function sym_linalg.pinv(A, ...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is read. Without lower the upper triangular U with U' U = A, of A's upper triangle. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.Symbol|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function sym_linalg.potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.Symbol|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function sym_linalg.potri(A, ...) end

---A = Q R with orthonormal columns in Q and an upper triangular R, for A (..., m, n) and k = min(m, n): {q (..., m, k), r (..., k, n)}. The signs are LAPACK's, as in NumPy. The gradient wants the first k columns of A independent
---@param A? hl.Symbol|number|hl.op._linalg_qr
---@param ... any|hl.op._linalg_qr
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.qr(A, ...) end

---The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0
---@param A? hl.Symbol|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.slogdet(A, ...) end

---x with A x = b, for regular A (..., n, n): by LU. b holds vectors (..., n) where it has one dimension less than A, else matrices (..., n, k), a system for each column. The leading axes of A and b broadcast
---@param A? hl.Symbol|number|hl.op._linalg_solve
---@param b? hl.Symbol|number|hl.op._linalg_solve
---@param ... any|hl.op._linalg_solve
---@return hl.Symbol
function sym_linalg.solve(A, b, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.Symbol|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function sym_linalg.sumlogdiag(A, ...) end

---The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s (..., k), vt (..., n, n)}, u and vt orthonormal, s in descending order. Gradients of what the completing columns of u and rows of vt, and turns among vectors of equal singular values, do not change
---@param A? hl.Symbol|number|hl.op._linalg_svd
---@param ... any|hl.op._linalg_svd
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.svd(A, ...) end

---Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; only the lower triangle of A is looked at. The largest element of each vector is positive. The gradient is symmetric
---@param A? hl.Symbol|number|hl.op._linalg_syevd
---@param ... any|hl.op._linalg_syevd
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.syevd(A, ...) end

---alpha A A' of matrices or stacks of them; with transpose, alpha A' A. Symmetric to the bit
---@param A? hl.Symbol|number|hl.op._linalg_syrk
---@param ... any|hl.op._linalg_syrk
---@return hl.Symbol
function sym_linalg.syrk(A, ...) end

---alpha A B of a triangular A; alpha A' B, alpha B A, alpha B A' where asked
---@param A? hl.Symbol|number|hl.op._linalg_trmm
---@param B? hl.Symbol|number|hl.op._linalg_trmm
---@param ... any|hl.op._linalg_trmm
---@return hl.Symbol
function sym_linalg.trmm(A, B, ...) end

---X with A X = alpha B of a triangular A; of A' X, X A, X A' where asked
---@param A? hl.Symbol|number|hl.op._linalg_trsm
---@param B? hl.Symbol|number|hl.op._linalg_trsm
---@param ... any|hl.op._linalg_trsm
---@return hl.Symbol
function sym_linalg.trsm(A, B, ...) end


---@class hl.sym.contrib
local sym_contrib = {}

---@class sym_contrib.cond.options
---@field [integer] any
---@field pred? any
---@field then_func? any
---@field else_func? any
---@field name? string

---cond(pred, then_func, else_func): what then_func() returns if pred is true, else what else_func() does. pred is an
---array of one element, or a number or boolean. In a graph both run once, and what they return must be of one form and
---type; only the branch that is taken is computed. Options: name.
---@overload fun(pred?: any|sym_contrib.cond.options, then_func?: any|sym_contrib.cond.options, else_func?: any|sym_contrib.cond.options, name?: string|sym_contrib.cond.options): any
---@return any
function sym_contrib.cond(...) end

---@class sym_contrib.foreach.options
---@field [integer] any
---@field body? any
---@field data? any
---@field states? any
---@field name? string

---foreach(body, data, states): body(item, states) for each row of data along its first axis; it returns outputs and
---new states. Returns the outputs of all calls, stacked along a new first axis, and the last states. data, states and
---outputs are arrays, or lists of them, and come back as they were given. Other arrays that body reads are captured,
---with their gradients; each call counts as one block call. In a graph body runs once, and the loop is one node.
---Options: name.
---@overload fun(body?: any|sym_contrib.foreach.options, data?: any|sym_contrib.foreach.options, states?: any|sym_contrib.foreach.options, name?: string|sym_contrib.foreach.options): any
---@return any
function sym_contrib.foreach(...) end

---1 where an element is neither infinite nor NaN, else 0, in data's dtype. nd.isfinite gives bools.
---@return any
function sym_contrib.isfinite(...) end

---1 where an element is infinite, of either sign, else 0, in data's dtype. nd.isinf gives bools.
---@return any
function sym_contrib.isinf(...) end

---1 where an element is NaN, else 0, in data's dtype. nd.isnan gives bools.
---@return any
function sym_contrib.isnan(...) end

---@class sym_contrib.while_loop.options
---@field [integer] any
---@field cond? any
---@field func? any
---@field loop_vars? any
---@field max_iterations? any
---@field name? string

---while_loop(cond, func, loop_vars, {max_iterations = n}): as long as cond(vars...) is true, and n times at most,
---func(vars...), which returns outputs and new variables. Returns the outputs, stacked along a new first axis of n
---rows, those of steps that were not made being zeros, and the last variables. In a graph cond and func run once.
---Options: max_iterations (required), name.
---@overload fun(cond?: any|sym_contrib.while_loop.options, func?: any|sym_contrib.while_loop.options, loop_vars?: any|sym_contrib.while_loop.options, max_iterations?: any|sym_contrib.while_loop.options, name?: string|sym_contrib.while_loop.options): any
---@return any
function sym_contrib.while_loop(...) end

---(batch, channel, height, width) brought to output_size: each output is the mean of a part of data, output o of n along an axis of size s seeing [floor(o s / n), ceil((o + 1) s / n))
---@param data? hl.Symbol|number|hl.op._contrib_AdaptiveAvgPooling2D
---@param ... any|hl.op._contrib_AdaptiveAvgPooling2D
---@return hl.Symbol
function sym_contrib.AdaptiveAvgPooling2D(data, ...) end

---relu(BatchNorm(...)), to the bit, as one operator
---@param data? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param gamma? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param beta? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_mean? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param moving_var? hl.Symbol|number|hl.op._contrib_BatchNormWithReLU
---@param ... any|hl.op._contrib_BatchNormWithReLU
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.BatchNormWithReLU(data, gamma, beta, moving_mean, moving_var, ...) end

---(batch, channel, height, width) brought to another height and width by bilinear interpolation. mode says which: size: height and width, or the parameters' scale times data's; odd_scale: the same, but of an odd size n scale (n - 1) + 1; like: those of the second array; to_even_down and the like: data's, made even or odd by one less or more. align_corners: the outermost elements stay where they are; else pictures are covered alike. A single row or column is data's first, as in MXNet. Each scale counts by itself; MXNet takes scale_width only where scale_height is given
---@param data? hl.Symbol|number|hl.op._contrib_BilinearResize2D
---@param like? hl.Symbol|number|hl.op._contrib_BilinearResize2D
---@param ... any|hl.op._contrib_BilinearResize2D
---@return hl.Symbol
function sym_contrib.BilinearResize2D(data, like, ...) end

---Connectionist temporal classification: for each sequence of data, (steps, batch, classes), -log of the probability that it becomes its labels, (batch, labels), when equal neighbours are made one and blanks are dropped; each step's classes by the softmax of data (A. Graves et al., 2006). Without label_lengths the labels of a row end at the first 0, with the blank last at the first -1. Labels that cannot be reached in the steps that there are cost 0, as in MXNet. Labels and steps past the lengths are not read; a label that is the blank is aligned like others, as in MXNet. The gradient of data cannot be differentiated again
---@param data? hl.Symbol|number|hl.op.CTCLoss
---@param label? hl.Symbol|number|hl.op.CTCLoss
---@param data_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param label_lengths? hl.Symbol|number|hl.op.CTCLoss
---@param ... any|hl.op.CTCLoss
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.CTCLoss(data, label, data_lengths, label_lengths, ...) end

---What a detector found: of cls_prob, (batch, class, anchor), class 0 being the background, offsets, loc_pred, (batch, 4 anchor), and anchors, (1, anchor, 4), rows (class, score, left, top, right, bottom), classes from 0 on, by score; the class is -1 where a better box of the same class overlaps one by nms_threshold or more. Then come rows of -1 (W. Liu et al., 2016)
---@param cls_prob? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param loc_pred? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param anchor? hl.Symbol|number|hl.op._contrib_MultiBoxDetection
---@param ... any|hl.op._contrib_MultiBoxDetection
---@return hl.Symbol
function sym_contrib.MultiBoxDetection(cls_prob, loc_pred, anchor, ...) end

---Boxes around each place of data, (batch, channel, height, width), as (1, height width n, 4): of all sizes with the first ratio of width to height, and of the first size with the other ratios (W. Liu et al., 2016). A size is that of the height over the picture's
---@param data? hl.Symbol|number|hl.op._contrib_MultiBoxPrior
---@param ... any|hl.op._contrib_MultiBoxPrior
---@return hl.Symbol
function sym_contrib.MultiBoxPrior(data, ...) end

---What a detector is to learn, of anchors, (1, anchor, 4), and the objects of each image, label: rows (class, left, top, right, bottom), rows of -1 after the last. An object gets the anchor that overlaps it most, and all others that overlap it by more than overlap_threshold. The results are the offsets of those anchors' objects and a mask, (batch, 4 anchor), and each anchor's class, (batch, anchor): one more than the object's, or 0 for the background. With negative_mining_ratio only that many times as many anchors as have objects are background, those that overlap less than negative_mining_thresh and look least like it by cls_pred, (batch, class, anchor); the others, and those of images without objects, have ignore_label (W. Liu et al., 2016). minimum_negative_samples counts, as it does not in MXNet on CPU; and where there are too few negatives, all are taken
---@param anchor? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param label? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param cls_pred? hl.Symbol|number|hl.op._contrib_MultiBoxTarget
---@param ... any|hl.op._contrib_MultiBoxTarget
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.MultiBoxTarget(anchor, label, cls_pred, ...) end

---The mean of what bilinear interpolation reads in each bin of parts of data, (batch, channel, height, width), that rois names: a row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) of the first image (K. He et al., 2017). Where there is no such image, 0
---@param data? hl.Symbol|number|hl.op._contrib_ROIAlign
---@param rois? hl.Symbol|number|hl.op._contrib_ROIAlign
---@param ... any|hl.op._contrib_ROIAlign
---@return hl.Symbol
function sym_contrib.ROIAlign(data, rois, ...) end

---BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has its own, which on one device is the same
---@param data? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param gamma? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param beta? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_mean? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param moving_var? hl.Symbol|number|hl.op._contrib_SyncBatchNorm
---@param ... any|hl.op._contrib_SyncBatchNorm
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.SyncBatchNorm(data, gamma, beta, moving_mean, moving_var, ...) end

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.Symbol|number|hl.op._adamw_update
---@param grad? hl.Symbol|number|hl.op._adamw_update
---@param mean? hl.Symbol|number|hl.op._adamw_update
---@param var? hl.Symbol|number|hl.op._adamw_update
---@param rescale_grad? hl.Symbol|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.Symbol
function sym_contrib.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---1 where |a - b| <= atol + rtol |b| for all elements, else 0: a 0-d array of uint8, and NaN equals NaN, as MXNet has it. Both have one dtype, whichever. allclose is NumPy's
---@param a? hl.Symbol|number|hl.op._contrib_allclose
---@param b? hl.Symbol|number|hl.op._contrib_allclose
---@param ... any|hl.op._contrib_allclose
---@return hl.Symbol
function sym_contrib.allclose(a, b, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long; both are whole numbers for integers
---@param data? hl.Symbol|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function sym_contrib.arange_like(data, ...) end

---Softmax attention (A. Vaswani et al., 2017): softmax(scale query key') value, for each head of query, (batch, heads, tokens, width), key, (batch, heads, other tokens, width), and value, as many with a width of their own. Fewer heads of keys are shared by neighbouring heads of queries. The mask, of any dtype, broadcasts to (batch, heads, tokens, other tokens): a key counts where it is not 0. Of each sequence only the first `length` keys count. With causal, query i sees the keys up to offset + i; offset, (1) or (batch), is by default other tokens - tokens. A query that sees nothing gets 0. Keys that do not count must be finite all the same. Memory grows with the tokens, not with their square, for the gradient too; a gradient of the gradient takes whole matrices. The order of sums: keys in blocks of 64, see docs/exactness.md
---@param query? hl.Symbol|number|hl.op._contrib_attention
---@param key? hl.Symbol|number|hl.op._contrib_attention
---@param value? hl.Symbol|number|hl.op._contrib_attention
---@param mask? hl.Symbol|number|hl.op._contrib_attention
---@param length? hl.Symbol|number|hl.op._contrib_attention
---@param offset? hl.Symbol|number|hl.op._contrib_attention
---@param ... any|hl.op._contrib_attention
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.attention(query, key, value, mask, length, offset, ...) end

---Rows and columns of a matrix of scores, (..., row, column), paired: the best score first, each row and column once. The first result has the column of each row, the second the row of each column, -1 for none. (topk is the number of pairs; MXNet makes one more)
---@param data? hl.Symbol|number|hl.op._contrib_bipartite_matching
---@param ... any|hl.op._contrib_bipartite_matching
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.bipartite_matching(data, ...) end

---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param index? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.Symbol
function sym_contrib.boolean_mask(data, index, ...) end

---Corners of the boxes that lie at offsets, data, (batch, anchor, 4), from anchors, (1, anchor, 4): box_encode's way back
---@param data? hl.Symbol|number|hl.op._contrib_box_decode
---@param anchors? hl.Symbol|number|hl.op._contrib_box_decode
---@param ... any|hl.op._contrib_box_decode
---@return hl.Symbol
function sym_contrib.box_decode(data, anchors, ...) end

---What a detector is to learn: the offsets from anchors, (batch, anchor, corners), to the boxes of refs, (batch, box, corners), that matches, (batch, anchor), names; and a mask. Both are 0 where samples is not above 0.5. Offsets are of the centre, over the anchor's size, and the logarithm of the quotient of the sizes, less means and over stds
---@param samples? hl.Symbol|number|hl.op._contrib_box_encode
---@param matches? hl.Symbol|number|hl.op._contrib_box_encode
---@param anchors? hl.Symbol|number|hl.op._contrib_box_encode
---@param refs? hl.Symbol|number|hl.op._contrib_box_encode
---@param means? hl.Symbol|number|hl.op._contrib_box_encode
---@param stds? hl.Symbol|number|hl.op._contrib_box_encode
---@param ... any|hl.op._contrib_box_encode
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.box_encode(samples, matches, anchors, refs, means, stds, ...) end

---The overlap of each box of lhs with each of rhs: the area that they share over the area that they cover. The shape is that of lhs without its last axis, then that of rhs without its
---@param lhs? hl.Symbol|number|hl.op._contrib_box_iou
---@param rhs? hl.Symbol|number|hl.op._contrib_box_iou
---@param ... any|hl.op._contrib_box_iou
---@return hl.Symbol
function sym_contrib.box_iou(lhs, rhs, ...) end

---Of overlapping boxes, those with the highest scores. A row of data, (..., box, column), is a box: its score, its coordinates and perhaps its class. Boxes with a score of valid_thresh or less, and those of the background's class, do not count; the others are taken by score, and each removes those after it, of its own class where there are classes, that overlap it by more than overlap_thresh. What is left comes first, by score, and then rows of -1. The gradient goes back through the change of format, too; and boxes that begin below 0 are changed like others (MXNet does neither)
---@param data? hl.Symbol|number|hl.op._contrib_box_nms
---@param ... any|hl.op._contrib_box_nms
---@return hl.Symbol|hl.Symbol[]
function sym_contrib.box_nms(data, ...) end

sym_contrib.box_non_maximum_suppression = sym_contrib.box_nms
---attention(query, keys, values) for keys and values that a cache keeps: those of the call's tokens, key and value, are written into key_cache and value_cache at the places from `position` on, and query i sees all keys up to its own. The caches are states: the arrays themselves change, at these places alone. query is (batch, heads, tokens, width), key (batch, other heads, tokens, width), value as many with a width of their own; key_cache is (batch, other heads, width, places), value_cache (batch, other heads, places, width of values); position, (1) or (batch), is the place of the first token. mask, which broadcasts to (batch, heads, tokens, places), length, scale and bits are contrib.attention's with offset = position. There is no gradient
---@param query? hl.Symbol|number|hl.op._contrib_cached_attention
---@param key? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value? hl.Symbol|number|hl.op._contrib_cached_attention
---@param key_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param value_cache? hl.Symbol|number|hl.op._contrib_cached_attention
---@param position? hl.Symbol|number|hl.op._contrib_cached_attention
---@param mask? hl.Symbol|number|hl.op._contrib_cached_attention
---@param length? hl.Symbol|number|hl.op._contrib_cached_attention
---@param ... any|hl.op._contrib_cached_attention
---@return hl.Symbol
function sym_contrib.cached_attention(query, key, value, key_cache, value_cache, position, mask, length, ...) end

sym_contrib.ctc_loss = sym_contrib.CTCLoss
---data divided by the square root of its last dimension, as scores of attention are
---@param data? hl.Symbol|number|hl.op._contrib_div_sqrt_dim
---@param ... any|hl.op._contrib_div_sqrt_dim
---@return hl.Symbol
function sym_contrib.div_sqrt_dim(data, ...) end

---`size` places of data along an axis, from place `begin` on. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.Symbol|number|hl.op._contrib_dynamic_slice
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_slice
---@param ... any|hl.op._contrib_dynamic_slice
---@return hl.Symbol
function sym_contrib.dynamic_slice(data, begin, ...) end

---data with the places along an axis from `begin` on replaced by value's. begin, (1) or a number for each place of the first axis, is an array of any dtype: one graph serves all positions
---@param data? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param value? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param begin? hl.Symbol|number|hl.op._contrib_dynamic_update_slice
---@param ... any|hl.op._contrib_dynamic_update_slice
---@return hl.Symbol
function sym_contrib.dynamic_update_slice(data, value, begin, ...) end

---The position of each element, along a new last axis, as int64
---@param data? hl.Symbol|number|hl.op._contrib_index_array
---@param ... any|hl.op._contrib_index_array
---@return hl.Symbol
function sym_contrib.index_array(data, ...) end

---old_tensor with the rows that index_vector names replaced by those of new_tensor
---@param old_tensor? hl.Symbol|number|hl.op._contrib_index_copy
---@param index_vector? hl.Symbol|number|hl.op._contrib_index_copy
---@param new_tensor? hl.Symbol|number|hl.op._contrib_index_copy
---@param ... any|hl.op._contrib_index_copy
---@return hl.Symbol
function sym_contrib.index_copy(old_tensor, index_vector, new_tensor, ...) end

---Of queries, (length, batch, heads x size), and interleaved keys and values, (other length, batch, heads x 2 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, other length)
---@param queries? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_qk
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_qk
---@return hl.Symbol
function sym_contrib.interleaved_matmul_encdec_qk(queries, keys_values, ...) end

---Of interleaved keys and values, (length, batch, heads x 2 x size), the values mixed by attention, (batch x heads, other length, length): (other length, batch, heads x size)
---@param keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_encdec_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_encdec_valatt
---@return hl.Symbol
function sym_contrib.interleaved_matmul_encdec_valatt(keys_values, attention, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the products of each query with each key of its head over sqrt(size): (batch x heads, length, length)
---@param queries_keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_qk
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_qk
---@return hl.Symbol
function sym_contrib.interleaved_matmul_selfatt_qk(queries_keys_values, ...) end

---Of interleaved queries, keys and values, (length, batch, heads x 3 x size), the values mixed by attention, (batch x heads, length, length): (length, batch, heads x size)
---@param queries_keys_values? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param attention? hl.Symbol|number|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@param ... any|hl.op._contrib_interleaved_matmul_selfatt_valatt
---@return hl.Symbol
function sym_contrib.interleaved_matmul_selfatt_valatt(queries_keys_values, attention, ...) end

---a x^2 + b x + c
---@param data? hl.Symbol|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.Symbol
function sym_contrib.quadratic(data, ...) end

---Pair i of a token's elements, in data (.., tokens, width), is turned by the angle position scale base^(-2i / dims) (J. Su et al., RoFormer, 2021), so that products of two tokens know how far they are apart. A pair is elements i and i + dims / 2, or, interleaved, neighbours. positions, (tokens) or (batch, tokens) and of any dtype, are by default 0, 1, 2 and so on
---@param data? hl.Symbol|number|hl.op._contrib_rotary_embedding
---@param positions? hl.Symbol|number|hl.op._contrib_rotary_embedding
---@param ... any|hl.op._contrib_rotary_embedding
---@return hl.Symbol
function sym_contrib.rotary_embedding(data, positions, ...) end


---@class hl.sym.image
local sym_image = {}

---A picture with the three main colours of ImageNet's pictures added, alpha times their deviations (A. Krizhevsky et al., 2012); a gray one stays as it is
---@param data? hl.Symbol|number|hl.op._image_adjust_lighting
---@param ... any|hl.op._image_adjust_lighting
---@return hl.Symbol
function sym_image.adjust_lighting(data, ...) end

---A part of pictures (height, width, channels), or of a batch of them
---@param data? hl.Symbol|number|hl.op._image_crop
---@param ... any|hl.op._image_crop
---@return hl.Symbol
function sym_image.crop(data, ...) end

---Pictures (height, width, channels), or a batch of them, with left and right exchanged
---@param data? hl.Symbol|number|hl.op._image_flip_left_right
---@param ... any|hl.op._image_flip_left_right
---@return hl.Symbol
function sym_image.flip_left_right(data, ...) end

---Pictures (height, width, channels), or a batch of them, with top and bottom exchanged
---@param data? hl.Symbol|number|hl.op._image_flip_top_bottom
---@param ... any|hl.op._image_flip_top_bottom
---@return hl.Symbol
function sym_image.flip_top_bottom(data, ...) end

---(data - mean) / std for (channels, height, width) or a batch of these, of 1 or 3 channels
---@param data? hl.Symbol|number|hl.op._image_normalize
---@param ... any|hl.op._image_normalize
---@return hl.Symbol
function sym_image.normalize(data, ...) end

---The brightness of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_brightness
---@param ... any|hl.op._image_random_brightness
---@return hl.Symbol
function sym_image.random_brightness(data, ...) end

---Brightness, contrast, saturation and hue of a picture, in a random order, each by a random factor from 1 less to 1 more the amount that is given
---@param data? hl.Symbol|number|hl.op._image_random_color_jitter
---@param ... any|hl.op._image_random_color_jitter
---@return hl.Symbol
function sym_image.random_color_jitter(data, ...) end

---The contrast, the distance from the mean gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_contrast
---@param ... any|hl.op._image_random_contrast
---@return hl.Symbol
function sym_image.random_contrast(data, ...) end

---flip_left_right, or nothing, with a probability of one half
---@param data? hl.Symbol|number|hl.op._image_random_flip_left_right
---@param ... any|hl.op._image_random_flip_left_right
---@return hl.Symbol
function sym_image.random_flip_left_right(data, ...) end

---flip_top_bottom, or nothing, with a probability of one half
---@param data? hl.Symbol|number|hl.op._image_random_flip_top_bottom
---@param ... any|hl.op._image_random_flip_top_bottom
---@return hl.Symbol
function sym_image.random_flip_top_bottom(data, ...) end

---The hue of a picture, turned by 360 degrees times a random factor between min_factor and max_factor
---@param data? hl.Symbol|number|hl.op._image_random_hue
---@param ... any|hl.op._image_random_hue
---@return hl.Symbol
function sym_image.random_hue(data, ...) end

---adjust_lighting by three normal numbers of mean 0
---@param data? hl.Symbol|number|hl.op._image_random_lighting
---@param ... any|hl.op._image_random_lighting
---@return hl.Symbol
function sym_image.random_lighting(data, ...) end

---The saturation, the distance from each pixel's gray, of a picture, by a random factor between min_factor and max_factor; uint8 is clipped
---@param data? hl.Symbol|number|hl.op._image_random_saturation
---@param ... any|hl.op._image_random_saturation
---@return hl.Symbol
function sym_image.random_saturation(data, ...) end

---Pictures of uint8 or float32, (height, width, channels) or a batch of these, in another size, with OpenCV's values
---@param data? hl.Symbol|number|hl.op._image_resize
---@param ... any|hl.op._image_resize
---@return hl.Symbol
function sym_image.resize(data, ...) end

---Pictures (height, width, channels) from 0 to 255, or a batch of them, as float32 (channels, height, width) from 0 to 1
---@param data? hl.Symbol|number|hl.op._image_to_tensor
---@param ... any|hl.op._image_to_tensor
---@return hl.Symbol
function sym_image.to_tensor(data, ...) end


