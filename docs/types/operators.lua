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

---@class hl.op.trigamma
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
---@field keepdims? boolean Keep reduced axes, with dimension 1. Default: false.

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

---@class hl.op._arange
---@field [integer] any
---@field start? number The first value; the end where stop is left out. Default: 0.
---@field stop? number The end, not included. Default: nil.
---@field step? number The difference. Default: 1.
---@field ["repeat"]? integer How often each value stands. Default: 1.
---@field infer_range? boolean Take the length from what the values are used with. Default: false.
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
---@field num_args integer How many arrays: 1 or 2.
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

---@class hl.op.Concat
---@field [integer] any
---@field num_args integer How many arrays.
---@field dim? integer The axis along which they are joined. Default: 1.

---@class hl.op._rnn_param_concat
---@field [integer] any
---@field num_args integer How many arrays.
---@field dim? integer The axis along which they are joined. Default: 1.

---@class hl.op.stack
---@field [integer] any
---@field axis? integer The new axis. Default: 0.
---@field num_args integer How many arrays.

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
---@field num_args integer How many arrays.

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
---@field ctx? string Accepted; of no effect. Default: nil.
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
---@field num_args integer How many matrices; counted where it is not given.

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

---@class hl.op._linalg_potri
---@field [integer] any

---@class hl.op._linalg_inverse
---@field [integer] any

---@class hl.op._linalg_det
---@field [integer] any

---@class hl.op._linalg_slogdet
---@field [integer] any

---@class hl.op._linalg_gelqf
---@field [integer] any

---@class hl.op._linalg_syevd
---@field [integer] any

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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of the parameters: so many numbers for each. Default: {}.
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
---@field shape? integer|integer[] Dimensions behind those of data but the last: so many draws for each row. Default: {}.
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
---@field use_length? boolean Take so many elements of each row as `length` says (data's shape without the axis); the others are 0. Default: false.

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
---@field init_output? boolean Accepted for MXNet's sake: the output is always made anew. Default: true.

---@class hl.op.multi_all_finite
---@field [integer] any
---@field num_arrays? integer How many arrays. Default: 1.
---@field init_output? boolean Accepted for MXNet's sake: the output is always made anew. Default: true.

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

---@class hl.NDArray
---@field shape integer[] The dimensions.
---@field ndim integer The number of dimensions.
---@field size integer The number of elements.
---@field dtype hl.DType
---@field T hl.NDArray The axes reversed.
---@field grad hl.NDArray? Where backward leaves the gradient.
---@field context any
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

---The array itself: there is one device.
---@param ctx? any
---@return hl.NDArray
function NDArray:as_in_context(ctx) end

---The array itself: there is one device.
---@param ctx? any
---@return hl.NDArray
function NDArray:as_in_ctx(ctx) end

---The element of an array that has one.
---@return number|boolean
function NDArray:asscalar() end

---Makes room for a gradient in x.grad. grad_req: "write" (the default), "add" or "null".
---@param grad_req? any
function NDArray:attach_grad(grad_req) end

---@param head_grad? any
---@param options? any
---@return any
function NDArray:backward(head_grad, options) end

---Writes the elements into another array of the same shape; into a new one if none is given.
---@param other? any
---@return hl.NDArray
function NDArray:copyto(other) end

---The same memory without a place on the tape: no gradient goes through it.
---@return hl.NDArray
function NDArray:detach() end

---Lets the memory go now, without waiting for the collector. Later use is an error.
function NDArray:free() end

---A number that is new whenever backward leaves something in x.grad; 0 before, nil without attach_grad.
---@return integer?
function NDArray:fresh_grad() end

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param source? any
---@param destination? any
---@return any
function NDArray:moveaxis(source, destination) end

---Writes a number, nested tables or an array that broadcasts into every element: x[{}] = value.
---@param value? any
---@return hl.NDArray
function NDArray:set(value) end

---The elements' bytes, little-endian, in row-major order.
---@return string
function NDArray:tobytes() end

---The elements in nested Lua tables.
---@return table
function NDArray:totable() end

---Nothing: no operator runs later than it is called.
function NDArray:wait_to_read() end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param ... any|hl.op.Activation
---@return hl.NDArray
function NDArray:Activation(...) end

---The input, in the same memory, through which no gradient flows
---@param ... any|hl.op.BlockGrad
---@return hl.NDArray
function NDArray:BlockGrad(...) end

---The elements in another dtype. Floats become integers by cutting towards 0; the gradient passes between float dtypes only
---@param ... any|hl.op.Cast
---@return hl.NDArray
function NDArray:Cast(...) end

---Arrays joined along an axis; their other dimensions are equal
---@param ... any|hl.op.Concat
---@return hl.NDArray
function NDArray:Concat(...) end

---Height and width of images cut to h_w, or to those of a second array
---@param ... any|hl.op.Crop
---@return hl.NDArray
function NDArray:Crop(...) end

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

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param gamma? hl.NDArray|number|hl.op.LayerNorm
---@param beta? hl.NDArray|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.NDArray|hl.NDArray[]
function NDArray:LayerNorm(gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element or one for each channel, axis 1), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
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

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param ... any|hl.op.Reshape
---@return hl.NDArray
function NDArray:Reshape(...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above
---@param label? hl.NDArray|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.NDArray
function NDArray:SVMOutput(label, ...) end

---Equal parts along an axis
---@param ... any|hl.op.SliceChannel
---@return hl.NDArray[]
function NDArray:SliceChannel(...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above. A label of data's shape holds probabilities
---@param label? hl.NDArray|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.NDArray
function NDArray:Softmax(label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param ... any|hl.op.SoftmaxActivation
---@return hl.NDArray
function NDArray:SoftmaxActivation(...) end

NDArray.SoftmaxOutput = NDArray.Softmax
---Two axes change places
---@param ... any|hl.op.SwapAxis
---@return hl.NDArray
function NDArray:SwapAxis(...) end

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
---1 if every element is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.all_finite
---@return hl.NDArray
function NDArray:all_finite(...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param ... any|hl.op.amp_cast
---@return hl.NDArray
function NDArray:amp_cast(...) end

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

NDArray.astype = NDArray.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param rhs? hl.NDArray|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.NDArray
function NDArray:batch_dot(rhs, ...) end

---One element of each row; indices outside are clipped
---@param indices? hl.NDArray|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.NDArray
function NDArray:batch_take(indices, ...) end

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

NDArray.concat = NDArray.Concat
---start, start + step, ... in data's shape, or as many as an axis is long
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function NDArray:contrib_arange_like(...) end

NDArray.contrib_boolean_mask = NDArray.boolean_mask
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

---a x^2 + b x + c
---@param ... any|hl.op._contrib_quadratic
---@return hl.NDArray
function NDArray:contrib_quadratic(...) end

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

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param rhs? hl.NDArray|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.NDArray
function NDArray:div(rhs, ...) end

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

NDArray.elemwise_div = NDArray.div
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

NDArray.group_norm = NDArray.GroupNorm
---alpha x + beta held within [0, 1]
---@param ... any|hl.op.hard_sigmoid
---@return hl.NDArray
function NDArray:hard_sigmoid(...) end

NDArray.hypot = NDArray.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param ... any|hl.op._hypot_scalar
---@return hl.NDArray
function NDArray:hypot_scalar(...) end

NDArray.identity = NDArray.copy
NDArray.instance_norm = NDArray.InstanceNorm
---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param ... any|hl.op.khatri_rao
---@return hl.NDArray
function NDArray:khatri_rao(...) end

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

---The determinant
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function NDArray:linalg_det(...) end

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

---The inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function NDArray:linalg_inverse(...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param ... any|hl.op._linalg_makediag
---@return hl.NDArray
function NDArray:linalg_makediag(...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_maketrian
---@return hl.NDArray
function NDArray:linalg_maketrian(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function NDArray:linalg_potrf(...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function NDArray:linalg_potri(...) end

---The sign of the determinant and the logarithm of its absolute value
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function NDArray:linalg_slogdet(...) end

---The sum of the logarithms on each matrix's diagonal
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function NDArray:linalg_sumlogdiag(...) end

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
NDArray.mae_regression_output = NDArray.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param ... any|hl.op.make_loss
---@return hl.NDArray
function NDArray:make_loss(...) end

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

---The mean over axes; integers are cut towards 0
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

---a modulo b with the sign of b; 0 where b is 0 (equal shapes)
---@param rhs? hl.NDArray|number|hl.op._mod
---@param ... any|hl.op._mod
---@return hl.NDArray
function NDArray:mod(rhs, ...) end

---x modulo scalar, with the sign of scalar
---@param ... any|hl.op._mod_scalar
---@return hl.NDArray
function NDArray:mod_scalar(...) end

NDArray.modulo = NDArray.broadcast_mod
NDArray.mul = NDArray.elemwise_mul
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

NDArray.pick = NDArray.choose_element_0index
NDArray.plus = NDArray.elemwise_add
---x + scalar
---@param ... any|hl.op._plus_scalar
---@return hl.NDArray
function NDArray:plus_scalar(...) end

NDArray.pow = NDArray.broadcast_power
NDArray.power = NDArray.broadcast_power
---x to the power of scalar
---@param ... any|hl.op._power_scalar
---@return hl.NDArray
function NDArray:power_scalar(...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param ... any|hl.op.prod
---@return hl.NDArray
function NDArray:prod(...) end

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

---To the nearest integer, ties to the lower one
---@param ... any|hl.op.rint
---@return hl.NDArray
function NDArray:rint(...) end

NDArray.rminus_scalar = NDArray.r_minus_scalar
NDArray.rmod_scalar = NDArray.r_mod_scalar
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

---Concat, as graphs with fused recurrent layers hold it
---@param ... any|hl.op._rnn_param_concat
---@return hl.NDArray
function NDArray:rnn_param_concat(...) end

---To the nearest integer, ties away from 0
---@param ... any|hl.op.round
---@return hl.NDArray
function NDArray:round(...) end

NDArray.rpower_scalar = NDArray.r_power_scalar
---1 / sqrt(x)
---@param ... any|hl.op.rsqrt
---@return hl.NDArray
function NDArray:rsqrt(...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

----1, 0 or 1
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

---Square blocks of height and width rearranged into channels
---@param ... any|hl.op.space_to_depth
---@return hl.NDArray
function NDArray:space_to_depth(...) end

NDArray.sparse_adagrad_update = NDArray.adagrad_update
NDArray.split = NDArray.SliceChannel
---Parts of an axis that begin at given places, or so many parts as equal as can be
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

NDArray.stop_gradient = NDArray.BlockGrad
NDArray.sub = NDArray.elemwise_sub
NDArray.subtract = NDArray.broadcast_minus
---The sum over axes
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

---The axes in another order, reversed by default
---@param ... any|hl.op.transpose
---@return hl.NDArray
function NDArray:transpose(...) end

---The derivative of digamma (not differentiable again)
---@param ... any|hl.op.trigamma
---@return hl.NDArray
function NDArray:trigamma(...) end

NDArray.true_divide = NDArray.broadcast_div
---x without its fraction
---@param ... any|hl.op.trunc
---@return hl.NDArray
function NDArray:trunc(...) end

---Positions in an array of a shape as index tuples, one a column
---@param ... any|hl.op._unravel_index
---@return hl.NDArray
function NDArray:unravel_index(...) end

---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows
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
---@field [any] any
---@operator add(hl.Symbol|number): hl.Symbol
---@operator sub(hl.Symbol|number): hl.Symbol
---@operator mul(hl.Symbol|number): hl.Symbol
---@operator div(hl.Symbol|number): hl.Symbol
---@operator mod(hl.Symbol|number): hl.Symbol
---@operator pow(hl.Symbol|number): hl.Symbol
---@operator unm: hl.Symbol
local Symbol = {}

---@param ctx? any
---@return any
function Symbol:as_in_context(ctx) end

---@param ctx? any
---@return any
function Symbol:as_in_ctx(ctx) end

---An attribute of the node.
---@param key? any
---@return string?
function Symbol:attr(key) end

---The attributes of all nodes, by their names.
---@return table<string, table<string, string>>
function Symbol:attr_dict() end

---@param head_grad? any
---@param options? any
---@return any
function Symbol:backward(head_grad, options) end

---@return any
function Symbol:bind(...) end

---The graph, a line for each node.
---@return string
function Symbol:debug_str() end

---The same value in the same memory, off the tape: as an array's.
---@return any
function Symbol:detach() end

---The outputs' values for {name = array}; each operator is run once.
---@param arrays? any
---@return hl.NDArray[]
function Symbol:eval(arrays) end

---A Symbol with the inputs of the outputs' nodes; nil for variables.
---@return hl.Symbol?
function Symbol:get_children() end

---A Symbol with every value in the graph as an output.
---@return hl.Symbol
function Symbol:get_internals() end

---Shapes of arguments, outputs and auxiliary states, three lists, from {name = shape}. Errors: not all follow.
---@param shapes? any
---@return table
function Symbol:infer_shape(shapes) end

---As infer_shape; shapes that do not follow are left unknown.
---@param shapes? any
---@return table
function Symbol:infer_shape_partial(shapes) end

---Dtypes of arguments, outputs and auxiliary states, three lists, from {name = dtype}.
---@param dtypes? any
---@return table
function Symbol:infer_type(dtypes) end

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

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param source? any
---@param destination? any
---@return any
function Symbol:moveaxis(source, destination) end

---One output, by number from 0 or by name.
---@param index? any
---@return hl.Symbol
function Symbol:output(index) end

---Writes MXNet's JSON file, whole or not at all.
---@param file? any
function Symbol:save(file) end

---@return any
function Symbol:simple_bind(...) end

---MXNet's JSON text.
---@return string
function Symbol:tojson() end

---@return any
function Symbol:wait_to_read() end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param ... any|hl.op.Activation
---@return hl.Symbol
function Symbol:Activation(...) end

---The input, in the same memory, through which no gradient flows
---@param ... any|hl.op.BlockGrad
---@return hl.Symbol
function Symbol:BlockGrad(...) end

---The elements in another dtype. Floats become integers by cutting towards 0; the gradient passes between float dtypes only
---@param ... any|hl.op.Cast
---@return hl.Symbol
function Symbol:Cast(...) end

---Arrays joined along an axis; their other dimensions are equal
---@param ... any|hl.op.Concat
---@return hl.Symbol
function Symbol:Concat(...) end

---Height and width of images cut to h_w, or to those of a second array
---@param ... any|hl.op.Crop
---@return hl.Symbol
function Symbol:Crop(...) end

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

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param gamma? hl.Symbol|number|hl.op.LayerNorm
---@param beta? hl.Symbol|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.Symbol|hl.Symbol[]
function Symbol:LayerNorm(gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element or one for each channel, axis 1), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
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

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param ... any|hl.op.Reshape
---@return hl.Symbol
function Symbol:Reshape(...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above
---@param label? hl.Symbol|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.Symbol
function Symbol:SVMOutput(label, ...) end

---Equal parts along an axis
---@param ... any|hl.op.SliceChannel
---@return hl.Symbol[]
function Symbol:SliceChannel(...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above. A label of data's shape holds probabilities
---@param label? hl.Symbol|number|hl.op.SoftmaxOutput
---@param ... any|hl.op.SoftmaxOutput
---@return hl.Symbol
function Symbol:Softmax(label, ...) end

---softmax along the last axis (instance) or along axis 1 (channel)
---@param ... any|hl.op.SoftmaxActivation
---@return hl.Symbol
function Symbol:SoftmaxActivation(...) end

Symbol.SoftmaxOutput = Symbol.Softmax
---Two axes change places
---@param ... any|hl.op.SwapAxis
---@return hl.Symbol
function Symbol:SwapAxis(...) end

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
---1 if every element is a finite number, else 0; float32 (1,)
---@param ... any|hl.op.all_finite
---@return hl.Symbol
function Symbol:all_finite(...) end

---float32 and float16 in another dtype; other dtypes stay as they are
---@param ... any|hl.op.amp_cast
---@return hl.Symbol
function Symbol:amp_cast(...) end

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

Symbol.astype = Symbol.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param rhs? hl.Symbol|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.Symbol
function Symbol:batch_dot(rhs, ...) end

---One element of each row; indices outside are clipped
---@param indices? hl.Symbol|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.Symbol
function Symbol:batch_take(indices, ...) end

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

Symbol.concat = Symbol.Concat
---start, start + step, ... in data's shape, or as many as an axis is long
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function Symbol:contrib_arange_like(...) end

Symbol.contrib_boolean_mask = Symbol.boolean_mask
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

---a x^2 + b x + c
---@param ... any|hl.op._contrib_quadratic
---@return hl.Symbol
function Symbol:contrib_quadratic(...) end

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

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param rhs? hl.Symbol|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.Symbol
function Symbol:div(rhs, ...) end

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

Symbol.elemwise_div = Symbol.div
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

Symbol.group_norm = Symbol.GroupNorm
---alpha x + beta held within [0, 1]
---@param ... any|hl.op.hard_sigmoid
---@return hl.Symbol
function Symbol:hard_sigmoid(...) end

Symbol.hypot = Symbol.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param ... any|hl.op._hypot_scalar
---@return hl.Symbol
function Symbol:hypot_scalar(...) end

Symbol.identity = Symbol.copy
Symbol.instance_norm = Symbol.InstanceNorm
---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param ... any|hl.op.khatri_rao
---@return hl.Symbol
function Symbol:khatri_rao(...) end

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

---The determinant
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function Symbol:linalg_det(...) end

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

---The inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function Symbol:linalg_inverse(...) end

---Matrices with A on a diagonal, 0 elsewhere
---@param ... any|hl.op._linalg_makediag
---@return hl.Symbol
function Symbol:linalg_makediag(...) end

---Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column
---@param ... any|hl.op._linalg_maketrian
---@return hl.Symbol
function Symbol:linalg_maketrian(...) end

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function Symbol:linalg_potrf(...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function Symbol:linalg_potri(...) end

---The sign of the determinant and the logarithm of its absolute value
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function Symbol:linalg_slogdet(...) end

---The sum of the logarithms on each matrix's diagonal
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function Symbol:linalg_sumlogdiag(...) end

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
Symbol.mae_regression_output = Symbol.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param ... any|hl.op.make_loss
---@return hl.Symbol
function Symbol:make_loss(...) end

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

---The mean over axes; integers are cut towards 0
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

---a modulo b with the sign of b; 0 where b is 0 (equal shapes)
---@param rhs? hl.Symbol|number|hl.op._mod
---@param ... any|hl.op._mod
---@return hl.Symbol
function Symbol:mod(rhs, ...) end

---x modulo scalar, with the sign of scalar
---@param ... any|hl.op._mod_scalar
---@return hl.Symbol
function Symbol:mod_scalar(...) end

Symbol.modulo = Symbol.broadcast_mod
Symbol.mul = Symbol.elemwise_mul
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

Symbol.pick = Symbol.choose_element_0index
Symbol.plus = Symbol.elemwise_add
---x + scalar
---@param ... any|hl.op._plus_scalar
---@return hl.Symbol
function Symbol:plus_scalar(...) end

Symbol.pow = Symbol.broadcast_power
Symbol.power = Symbol.broadcast_power
---x to the power of scalar
---@param ... any|hl.op._power_scalar
---@return hl.Symbol
function Symbol:power_scalar(...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param ... any|hl.op.prod
---@return hl.Symbol
function Symbol:prod(...) end

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

---To the nearest integer, ties to the lower one
---@param ... any|hl.op.rint
---@return hl.Symbol
function Symbol:rint(...) end

Symbol.rminus_scalar = Symbol.r_minus_scalar
Symbol.rmod_scalar = Symbol.r_mod_scalar
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

---Concat, as graphs with fused recurrent layers hold it
---@param ... any|hl.op._rnn_param_concat
---@return hl.Symbol
function Symbol:rnn_param_concat(...) end

---To the nearest integer, ties away from 0
---@param ... any|hl.op.round
---@return hl.Symbol
function Symbol:round(...) end

Symbol.rpower_scalar = Symbol.r_power_scalar
---1 / sqrt(x)
---@param ... any|hl.op.rsqrt
---@return hl.Symbol
function Symbol:rsqrt(...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

----1, 0 or 1
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

---Square blocks of height and width rearranged into channels
---@param ... any|hl.op.space_to_depth
---@return hl.Symbol
function Symbol:space_to_depth(...) end

Symbol.sparse_adagrad_update = Symbol.adagrad_update
Symbol.split = Symbol.SliceChannel
---Parts of an axis that begin at given places, or so many parts as equal as can be
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

Symbol.stop_gradient = Symbol.BlockGrad
Symbol.sub = Symbol.elemwise_sub
Symbol.subtract = Symbol.broadcast_minus
---The sum over axes
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

---The axes in another order, reversed by default
---@param ... any|hl.op.transpose
---@return hl.Symbol
function Symbol:transpose(...) end

---The derivative of digamma (not differentiable again)
---@param ... any|hl.op.trigamma
---@return hl.Symbol
function Symbol:trigamma(...) end

Symbol.true_divide = Symbol.broadcast_div
---x without its fraction
---@param ... any|hl.op.trunc
---@return hl.Symbol
function Symbol:trunc(...) end

---Positions in an array of a shape as index tuples, one a column
---@param ... any|hl.op._unravel_index
---@return hl.Symbol
function Symbol:unravel_index(...) end

---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows
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
local nd = {}

---A new array from nested tables, a number or an NDArray; float32 unless dtype says so.
---nd.array({{1, 2}, {3, 4}}), nd.array{1, 2, dtype = "int32"}, nd.array(x, {dtype = "float64"}).
---An NDArray keeps its dtype. Errors: ragged tables, what is no number.
---@param source? any
---@param options? any
---@return any
function nd.array(source, options, ...) end

---Joins a table of arrays along an axis (0): concat under an older name.
---@param arrays? any
---@param axis? any
---@return any
function nd.concatenate(arrays, axis) end

---An array of the bytes of a string, little-endian, in row-major order.
---@param bytes? any
---@param shape? any
---@param dtype? any
---@return hl.NDArray
function nd.from_bytes(bytes, shape, dtype) end

---What nd.save or MXNet or NumPy saved: a table by name, or a list; of an .npy file the array. Errors name file and offset.
---@param file? any
---@return any
function nd.load(file) end

---As nd.load, from a string with a file's content.
---@param bytes? any
---@return any
function nd.load_frombuffer(bytes) end

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param tensor? any
---@param source? any
---@param destination? any
---@return any
function nd.moveaxis(tensor, source, destination) end

---Saves an NDArray, a list of NDArrays, or a table of them by name (written in the order
---of the names: Lua's tables have none of their own).
---The name of the file says how: .npy (one NDArray), .npz, and anything else MXNet's format.
---@param file? any
---@param data? any
---@return any
function nd.save(file, data) end

---How arrays print: {precision =, threshold =, edgeitems =, linewidth =}.
---@param options? any
function nd.set_printoptions(options) end

---Nothing is asynchronous here; kept so that MXNet's scripts run.
---@return any
function nd.waitall() end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param data? hl.NDArray|number|hl.op.Activation
---@param ... any|hl.op.Activation
---@return hl.NDArray
function nd.Activation(data, ...) end

---The input, in the same memory, through which no gradient flows
---@param data? hl.NDArray|number|hl.op.BlockGrad
---@param ... any|hl.op.BlockGrad
---@return hl.NDArray
function nd.BlockGrad(data, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0; the gradient passes between float dtypes only
---@param data? hl.NDArray|number|hl.op.Cast
---@param ... any|hl.op.Cast
---@return hl.NDArray
function nd.Cast(data, ...) end

---Arrays joined along an axis; their other dimensions are equal
---@param data? hl.NDArray|number|hl.op.Concat
---@param ... any|hl.op.Concat
---@return hl.NDArray
function nd.Concat(data, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param data? hl.NDArray|number|hl.op.Crop
---@param ... any|hl.op.Crop
---@return hl.NDArray
function nd.Crop(data, ...) end

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

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param data? hl.NDArray|number|hl.op.LayerNorm
---@param gamma? hl.NDArray|number|hl.op.LayerNorm
---@param beta? hl.NDArray|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.NDArray|hl.NDArray[]
function nd.LayerNorm(data, gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element or one for each channel, axis 1), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
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

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param data? hl.NDArray|number|hl.op.Reshape
---@param ... any|hl.op.Reshape
---@return hl.NDArray
function nd.Reshape(data, ...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.SVMOutput
---@param label? hl.NDArray|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.NDArray
function nd.SVMOutput(data, label, ...) end

---Equal parts along an axis
---@param data? hl.NDArray|number|hl.op.SliceChannel
---@param ... any|hl.op.SliceChannel
---@return hl.NDArray[]
function nd.SliceChannel(data, ...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above. A label of data's shape holds probabilities
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
---Two axes change places
---@param data? hl.NDArray|number|hl.op.SwapAxis
---@param ... any|hl.op.SwapAxis
---@return hl.NDArray
function nd.SwapAxis(data, ...) end

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

---start, start + step, ... below stop, each `repeat` times; arange(n) counts 0 to n - 1
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

nd.astype = nd.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param lhs? hl.NDArray|number|hl.op.batch_dot
---@param rhs? hl.NDArray|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.NDArray
function nd.batch_dot(lhs, rhs, ...) end

---One element of each row; indices outside are clipped
---@param a? hl.NDArray|number|hl.op.batch_take
---@param indices? hl.NDArray|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.NDArray
function nd.batch_take(a, indices, ...) end

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

nd.concat = nd.Concat
---start, start + step, ... in data's shape, or as many as an axis is long
---@param data? hl.NDArray|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function nd.contrib_arange_like(data, ...) end

nd.contrib_boolean_mask = nd.boolean_mask
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

---a x^2 + b x + c
---@param data? hl.NDArray|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.NDArray
function nd.contrib_quadratic(data, ...) end

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

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param lhs? hl.NDArray|number|hl.op.elemwise_div
---@param rhs? hl.NDArray|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.NDArray
function nd.div(lhs, rhs, ...) end

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

nd.elemwise_div = nd.div
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

nd.group_norm = nd.GroupNorm
---alpha x + beta held within [0, 1]
---@param data? hl.NDArray|number|hl.op.hard_sigmoid
---@param ... any|hl.op.hard_sigmoid
---@return hl.NDArray
function nd.hard_sigmoid(data, ...) end

nd.hypot = nd.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param data? hl.NDArray|number|hl.op._hypot_scalar
---@param ... any|hl.op._hypot_scalar
---@return hl.NDArray
function nd.hypot_scalar(data, ...) end

nd.identity = nd.copy
nd.instance_norm = nd.InstanceNorm
---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param arg? hl.NDArray|number|hl.op.khatri_rao
---@param ... any|hl.op.khatri_rao
---@return hl.NDArray
function nd.khatri_rao(arg, ...) end

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

---The determinant
---@param A? hl.NDArray|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function nd.linalg_det(A, ...) end

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

---The inverse
---@param A? hl.NDArray|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function nd.linalg_inverse(A, ...) end

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

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.NDArray|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function nd.linalg_potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.NDArray|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function nd.linalg_potri(A, ...) end

---The sign of the determinant and the logarithm of its absolute value
---@param A? hl.NDArray|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function nd.linalg_slogdet(A, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.NDArray|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function nd.linalg_sumlogdiag(A, ...) end

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
nd.mae_regression_output = nd.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param data? hl.NDArray|number|hl.op.make_loss
---@param ... any|hl.op.make_loss
---@return hl.NDArray
function nd.make_loss(data, ...) end

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

---The mean over axes; integers are cut towards 0
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

---a modulo b with the sign of b; 0 where b is 0 (equal shapes)
---@param lhs? hl.NDArray|number|hl.op._mod
---@param rhs? hl.NDArray|number|hl.op._mod
---@param ... any|hl.op._mod
---@return hl.NDArray
function nd.mod(lhs, rhs, ...) end

---x modulo scalar, with the sign of scalar
---@param data? hl.NDArray|number|hl.op._mod_scalar
---@param ... any|hl.op._mod_scalar
---@return hl.NDArray
function nd.mod_scalar(data, ...) end

nd.modulo = nd.broadcast_mod
nd.mul = nd.elemwise_mul
---x * scalar
---@param data? hl.NDArray|number|hl.op._mul_scalar
---@param ... any|hl.op._mul_scalar
---@return hl.NDArray
function nd.mul_scalar(data, ...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param arg? hl.NDArray|number|hl.op.multi_all_finite
---@param ... any|hl.op.multi_all_finite
---@return hl.NDArray
function nd.multi_all_finite(arg, ...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param lrs? hl.NDArray|number|hl.op.multi_lars
---@param weights_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param grads_sum_sq? hl.NDArray|number|hl.op.multi_lars
---@param wds? hl.NDArray|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.NDArray
function nd.multi_lars(lrs, weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param arg? hl.NDArray|number|hl.op.multi_sgd_mom_update
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.NDArray[]
function nd.multi_sgd_mom_update(arg, ...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param arg? hl.NDArray|number|hl.op.multi_sgd_update
---@param ... any|hl.op.multi_sgd_update
---@return hl.NDArray[]
function nd.multi_sgd_update(arg, ...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param arg? hl.NDArray|number|hl.op.multi_sum_sq
---@param ... any|hl.op.multi_sum_sq
---@return hl.NDArray
function nd.multi_sum_sq(arg, ...) end

nd.multiply = nd.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param weight? hl.NDArray|number|hl.op.nag_mom_update
---@param grad? hl.NDArray|number|hl.op.nag_mom_update
---@param mom? hl.NDArray|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.NDArray
function nd.nag_mom_update(weight, grad, mom, ...) end

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

nd.pick = nd.choose_element_0index
nd.plus = nd.elemwise_add
---x + scalar
---@param data? hl.NDArray|number|hl.op._plus_scalar
---@param ... any|hl.op._plus_scalar
---@return hl.NDArray
function nd.plus_scalar(data, ...) end

nd.pow = nd.broadcast_power
nd.power = nd.broadcast_power
---x to the power of scalar
---@param data? hl.NDArray|number|hl.op._power_scalar
---@param ... any|hl.op._power_scalar
---@return hl.NDArray
function nd.power_scalar(data, ...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param data? hl.NDArray|number|hl.op.prod
---@param ... any|hl.op.prod
---@return hl.NDArray
function nd.prod(data, ...) end

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

---To the nearest integer, ties to the lower one
---@param data? hl.NDArray|number|hl.op.rint
---@param ... any|hl.op.rint
---@return hl.NDArray
function nd.rint(data, ...) end

nd.rminus_scalar = nd.r_minus_scalar
nd.rmod_scalar = nd.r_mod_scalar
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

---Concat, as graphs with fused recurrent layers hold it
---@param data? hl.NDArray|number|hl.op._rnn_param_concat
---@param ... any|hl.op._rnn_param_concat
---@return hl.NDArray
function nd.rnn_param_concat(data, ...) end

---To the nearest integer, ties away from 0
---@param data? hl.NDArray|number|hl.op.round
---@param ... any|hl.op.round
---@return hl.NDArray
function nd.round(data, ...) end

nd.rpower_scalar = nd.r_power_scalar
---1 / sqrt(x)
---@param data? hl.NDArray|number|hl.op.rsqrt
---@param ... any|hl.op.rsqrt
---@return hl.NDArray
function nd.rsqrt(data, ...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

----1, 0 or 1
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

---Square blocks of height and width rearranged into channels
---@param data? hl.NDArray|number|hl.op.space_to_depth
---@param ... any|hl.op.space_to_depth
---@return hl.NDArray
function nd.space_to_depth(data, ...) end

nd.sparse_adagrad_update = nd.adagrad_update
nd.split = nd.SliceChannel
---Parts of an axis that begin at given places, or so many parts as equal as can be
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

nd.stop_gradient = nd.BlockGrad
nd.sub = nd.elemwise_sub
nd.subtract = nd.broadcast_minus
---The sum over axes
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

---The axes in another order, reversed by default
---@param data? hl.NDArray|number|hl.op.transpose
---@param ... any|hl.op.transpose
---@return hl.NDArray
function nd.transpose(data, ...) end

---The derivative of digamma (not differentiable again)
---@param data? hl.NDArray|number|hl.op.trigamma
---@param ... any|hl.op.trigamma
---@return hl.NDArray
function nd.trigamma(data, ...) end

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

---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows
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

---@return any
function nd_random.exponential(...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

---The determinant
---@param A? hl.NDArray|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.NDArray
function nd_linalg.det(A, ...) end

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

---The inverse
---@param A? hl.NDArray|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.NDArray
function nd_linalg.inverse(A, ...) end

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

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.NDArray|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.NDArray
function nd_linalg.potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.NDArray|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.NDArray
function nd_linalg.potri(A, ...) end

---The sign of the determinant and the logarithm of its absolute value
---@param A? hl.NDArray|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.NDArray|hl.NDArray[]
function nd_linalg.slogdet(A, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.NDArray|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.NDArray
function nd_linalg.sumlogdiag(A, ...) end

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

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.NDArray|number|hl.op._adamw_update
---@param grad? hl.NDArray|number|hl.op._adamw_update
---@param mean? hl.NDArray|number|hl.op._adamw_update
---@param var? hl.NDArray|number|hl.op._adamw_update
---@param rescale_grad? hl.NDArray|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.NDArray
function nd_contrib.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long
---@param data? hl.NDArray|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.NDArray
function nd_contrib.arange_like(data, ...) end

---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param index? hl.NDArray|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.NDArray
function nd_contrib.boolean_mask(data, index, ...) end

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


---@class hl.sym
---@field random hl.sym.random
---@field linalg hl.sym.linalg
---@field contrib hl.sym.contrib
local sym = {}

---One Symbol with the outputs of several, given as a list.
---@param symbols? any
---@return hl.Symbol
function sym.Group(symbols) end

---A variable. Options: shape (0 or -1: unknown; with exact, 0 is an empty dimension), dtype,
---lr_mult, wd_mult, init, attr.
---@param name? any
---@param options? any
---@return any
function sym.Variable(name, options) end

---@return any
function sym.compile(...) end

---Joins a table of arrays along an axis (0): concat under an older name.
---@param arrays? any
---@param axis? any
---@return any
function sym.concatenate(arrays, axis) end

---The Symbol in a file that s:save or MXNet wrote.
---@param file? any
---@return hl.Symbol
function sym.load(file) end

---The Symbol in a JSON text, as s:tojson gives it.
---@param text? any
---@return hl.Symbol
function sym.load_json(text) end

---Moves axes (a number or a table) to other places; the other axes keep their order.
---@param tensor? any
---@param source? any
---@param destination? any
---@return any
function sym.moveaxis(tensor, source, destination) end

---A variable. Options: shape (0 or -1: unknown; with exact, 0 is an empty dimension), dtype,
---lr_mult, wd_mult, init, attr.
---@param name? any
---@param options? any
---@return any
function sym.var(name, options) end

---An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or tanh
---@param data? hl.Symbol|number|hl.op.Activation
---@param ... any|hl.op.Activation
---@return hl.Symbol
function sym.Activation(data, ...) end

---The input, in the same memory, through which no gradient flows
---@param data? hl.Symbol|number|hl.op.BlockGrad
---@param ... any|hl.op.BlockGrad
---@return hl.Symbol
function sym.BlockGrad(data, ...) end

---The elements in another dtype. Floats become integers by cutting towards 0; the gradient passes between float dtypes only
---@param data? hl.Symbol|number|hl.op.Cast
---@param ... any|hl.op.Cast
---@return hl.Symbol
function sym.Cast(data, ...) end

---Arrays joined along an axis; their other dimensions are equal
---@param data? hl.Symbol|number|hl.op.Concat
---@param ... any|hl.op.Concat
---@return hl.Symbol
function sym.Concat(data, ...) end

---Height and width of images cut to h_w, or to those of a second array
---@param data? hl.Symbol|number|hl.op.Crop
---@param ... any|hl.op.Crop
---@return hl.Symbol
function sym.Crop(data, ...) end

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

---(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta have an element for each place there, their shapes are inferred (J. Ba et al., 2016)
---@param data? hl.Symbol|number|hl.op.LayerNorm
---@param gamma? hl.Symbol|number|hl.op.LayerNorm
---@param beta? hl.Symbol|number|hl.op.LayerNorm
---@param ... any|hl.op.LayerNorm
---@return hl.Symbol|hl.Symbol[]
function sym.LayerNorm(data, gamma, beta, ...) end

---x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element or one for each channel, axis 1), elu: slope (e^x - 1) (D. Clevert et al., 2015), selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), rrelu: x times a slope drawn between the bounds in training, their mean outside. gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not
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

---The elements in another shape. Codes: 0 keeps a dimension, -1 is inferred, -2 keeps all that remain, -3 merges two, -4 splits one into the two that follow
---@param data? hl.Symbol|number|hl.op.Reshape
---@param ... any|hl.op.Reshape
---@return hl.Symbol
function sym.Reshape(data, ...) end

---data; its gradient is that of the hinge loss with label, squared unless use_linear, by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.SVMOutput
---@param label? hl.Symbol|number|hl.op.SVMOutput
---@param ... any|hl.op.SVMOutput
---@return hl.Symbol
function sym.SVMOutput(data, label, ...) end

---Equal parts along an axis
---@param data? hl.Symbol|number|hl.op.SliceChannel
---@param ... any|hl.op.SliceChannel
---@return hl.Symbol[]
function sym.SliceChannel(data, ...) end

---softmax of data, whose gradient is that of the cross entropy with label: softmax(data) - onehot(label), by design whatever comes from above. A label of data's shape holds probabilities
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
---Two axes change places
---@param data? hl.Symbol|number|hl.op.SwapAxis
---@param ... any|hl.op.SwapAxis
---@return hl.Symbol
function sym.SwapAxis(data, ...) end

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

---start, start + step, ... below stop, each `repeat` times; arange(n) counts 0 to n - 1
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

sym.astype = sym.Cast
---The products of two stacks of matrices: every axis but the last two counts matrices
---@param lhs? hl.Symbol|number|hl.op.batch_dot
---@param rhs? hl.Symbol|number|hl.op.batch_dot
---@param ... any|hl.op.batch_dot
---@return hl.Symbol
function sym.batch_dot(lhs, rhs, ...) end

---One element of each row; indices outside are clipped
---@param a? hl.Symbol|number|hl.op.batch_take
---@param indices? hl.Symbol|number|hl.op.batch_take
---@param ... any|hl.op.batch_take
---@return hl.Symbol
function sym.batch_take(a, indices, ...) end

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

sym.concat = sym.Concat
---start, start + step, ... in data's shape, or as many as an axis is long
---@param data? hl.Symbol|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function sym.contrib_arange_like(data, ...) end

sym.contrib_boolean_mask = sym.boolean_mask
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

---a x^2 + b x + c
---@param data? hl.Symbol|number|hl.op._contrib_quadratic
---@param ... any|hl.op._contrib_quadratic
---@return hl.Symbol
function sym.contrib_quadratic(data, ...) end

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

---a / b; integers are cut towards 0, and give 0 for b = 0 (equal shapes)
---@param lhs? hl.Symbol|number|hl.op.elemwise_div
---@param rhs? hl.Symbol|number|hl.op.elemwise_div
---@param ... any|hl.op.elemwise_div
---@return hl.Symbol
function sym.div(lhs, rhs, ...) end

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

sym.elemwise_div = sym.div
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

sym.group_norm = sym.GroupNorm
---alpha x + beta held within [0, 1]
---@param data? hl.Symbol|number|hl.op.hard_sigmoid
---@param ... any|hl.op.hard_sigmoid
---@return hl.Symbol
function sym.hard_sigmoid(data, ...) end

sym.hypot = sym.broadcast_hypot
---sqrt(x^2 + scalar^2)
---@param data? hl.Symbol|number|hl.op._hypot_scalar
---@param ... any|hl.op._hypot_scalar
---@return hl.Symbol
function sym.hypot_scalar(data, ...) end

sym.identity = sym.copy
sym.instance_norm = sym.InstanceNorm
---The Kronecker products of the operands' columns: with a (r, n) and b (s, n), row i s + j is a[i] * b[j]
---@param arg? hl.Symbol|number|hl.op.khatri_rao
---@param ... any|hl.op.khatri_rao
---@return hl.Symbol
function sym.khatri_rao(arg, ...) end

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

---The determinant
---@param A? hl.Symbol|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function sym.linalg_det(A, ...) end

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

---The inverse
---@param A? hl.Symbol|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function sym.linalg_inverse(A, ...) end

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

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.Symbol|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function sym.linalg_potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.Symbol|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function sym.linalg_potri(A, ...) end

---The sign of the determinant and the logarithm of its absolute value
---@param A? hl.Symbol|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function sym.linalg_slogdet(A, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.Symbol|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function sym.linalg_sumlogdiag(A, ...) end

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
sym.mae_regression_output = sym.MAERegressionOutput
---data as a loss: its gradient is 1, by design whatever comes from above
---@param data? hl.Symbol|number|hl.op.make_loss
---@param ... any|hl.op.make_loss
---@return hl.Symbol
function sym.make_loss(data, ...) end

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

---The mean over axes; integers are cut towards 0
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

---a modulo b with the sign of b; 0 where b is 0 (equal shapes)
---@param lhs? hl.Symbol|number|hl.op._mod
---@param rhs? hl.Symbol|number|hl.op._mod
---@param ... any|hl.op._mod
---@return hl.Symbol
function sym.mod(lhs, rhs, ...) end

---x modulo scalar, with the sign of scalar
---@param data? hl.Symbol|number|hl.op._mod_scalar
---@param ... any|hl.op._mod_scalar
---@return hl.Symbol
function sym.mod_scalar(data, ...) end

sym.modulo = sym.broadcast_mod
sym.mul = sym.elemwise_mul
---x * scalar
---@param data? hl.Symbol|number|hl.op._mul_scalar
---@param ... any|hl.op._mul_scalar
---@return hl.Symbol
function sym.mul_scalar(data, ...) end

---1 if every element of the arrays is a finite number, else 0; float32 (1,)
---@param arg? hl.Symbol|number|hl.op.multi_all_finite
---@param ... any|hl.op.multi_all_finite
---@return hl.Symbol
function sym.multi_all_finite(arg, ...) end

---The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), lr where a norm is 0 (Y. You et al., 2017)
---@param lrs? hl.Symbol|number|hl.op.multi_lars
---@param weights_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param grads_sum_sq? hl.Symbol|number|hl.op.multi_lars
---@param wds? hl.Symbol|number|hl.op.multi_lars
---@param ... any|hl.op.multi_lars
---@return hl.Symbol
function sym.multi_lars(lrs, weights_sum_sq, grads_sum_sq, wds, ...) end

---sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...
---@param arg? hl.Symbol|number|hl.op.multi_sgd_mom_update
---@param ... any|hl.op.multi_sgd_mom_update
---@return hl.Symbol[]
function sym.multi_sgd_mom_update(arg, ...) end

---sgd_update of several weights: inputs weight, grad, weight, grad, ...
---@param arg? hl.Symbol|number|hl.op.multi_sgd_update
---@param ... any|hl.op.multi_sgd_update
---@return hl.Symbol[]
function sym.multi_sgd_update(arg, ...) end

---The sum of squares of each array; float32 (num_arrays,)
---@param arg? hl.Symbol|number|hl.op.multi_sum_sq
---@param ... any|hl.op.multi_sum_sq
---@return hl.Symbol
function sym.multi_sum_sq(arg, ...) end

sym.multiply = sym.broadcast_mul
---Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d
---@param weight? hl.Symbol|number|hl.op.nag_mom_update
---@param grad? hl.Symbol|number|hl.op.nag_mom_update
---@param mom? hl.Symbol|number|hl.op.nag_mom_update
---@param ... any|hl.op.nag_mom_update
---@return hl.Symbol
function sym.nag_mom_update(weight, grad, mom, ...) end

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

sym.pick = sym.choose_element_0index
sym.plus = sym.elemwise_add
---x + scalar
---@param data? hl.Symbol|number|hl.op._plus_scalar
---@param ... any|hl.op._plus_scalar
---@return hl.Symbol
function sym.plus_scalar(data, ...) end

sym.pow = sym.broadcast_power
sym.power = sym.broadcast_power
---x to the power of scalar
---@param data? hl.Symbol|number|hl.op._power_scalar
---@param ... any|hl.op._power_scalar
---@return hl.Symbol
function sym.power_scalar(data, ...) end

---The product over axes. The gradient, g y / x, is not defined at x = 0
---@param data? hl.Symbol|number|hl.op.prod
---@param ... any|hl.op.prod
---@return hl.Symbol
function sym.prod(data, ...) end

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

---To the nearest integer, ties to the lower one
---@param data? hl.Symbol|number|hl.op.rint
---@param ... any|hl.op.rint
---@return hl.Symbol
function sym.rint(data, ...) end

sym.rminus_scalar = sym.r_minus_scalar
sym.rmod_scalar = sym.r_mod_scalar
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

---Concat, as graphs with fused recurrent layers hold it
---@param data? hl.Symbol|number|hl.op._rnn_param_concat
---@param ... any|hl.op._rnn_param_concat
---@return hl.Symbol
function sym.rnn_param_concat(data, ...) end

---To the nearest integer, ties away from 0
---@param data? hl.Symbol|number|hl.op.round
---@param ... any|hl.op.round
---@return hl.Symbol
function sym.round(data, ...) end

sym.rpower_scalar = sym.r_power_scalar
---1 / sqrt(x)
---@param data? hl.Symbol|number|hl.op.rsqrt
---@param ... any|hl.op.rsqrt
---@return hl.Symbol
function sym.rsqrt(data, ...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

----1, 0 or 1
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

---Square blocks of height and width rearranged into channels
---@param data? hl.Symbol|number|hl.op.space_to_depth
---@param ... any|hl.op.space_to_depth
---@return hl.Symbol
function sym.space_to_depth(data, ...) end

sym.sparse_adagrad_update = sym.adagrad_update
sym.split = sym.SliceChannel
---Parts of an axis that begin at given places, or so many parts as equal as can be
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

sym.stop_gradient = sym.BlockGrad
sym.sub = sym.elemwise_sub
sym.subtract = sym.broadcast_minus
---The sum over axes
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

---The axes in another order, reversed by default
---@param data? hl.Symbol|number|hl.op.transpose
---@param ... any|hl.op.transpose
---@return hl.Symbol
function sym.transpose(data, ...) end

---The derivative of digamma (not differentiable again)
---@param data? hl.Symbol|number|hl.op.trigamma
---@param ... any|hl.op.trigamma
---@return hl.Symbol
function sym.trigamma(data, ...) end

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

---x where the condition is not 0, y elsewhere; a 1-d condition chooses rows
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

---@return any
function sym_random.exponential(...) end

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

---Categories drawn with the probabilities along data's last axis, which sum to 1; with get_prob also the logarithms of their probabilities, which are differentiable (R. Williams, "Simple statistical gradient-following algorithms", 1992)
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

---The determinant
---@param A? hl.Symbol|number|hl.op._linalg_det
---@param ... any|hl.op._linalg_det
---@return hl.Symbol
function sym_linalg.det(A, ...) end

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

---The inverse
---@param A? hl.Symbol|number|hl.op._linalg_inverse
---@param ... any|hl.op._linalg_inverse
---@return hl.Symbol
function sym_linalg.inverse(A, ...) end

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

---The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it
---@param A? hl.Symbol|number|hl.op._linalg_potrf
---@param ... any|hl.op._linalg_potrf
---@return hl.Symbol
function sym_linalg.potrf(A, ...) end

---(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A
---@param A? hl.Symbol|number|hl.op._linalg_potri
---@param ... any|hl.op._linalg_potri
---@return hl.Symbol
function sym_linalg.potri(A, ...) end

---The sign of the determinant and the logarithm of its absolute value
---@param A? hl.Symbol|number|hl.op._linalg_slogdet
---@param ... any|hl.op._linalg_slogdet
---@return hl.Symbol|hl.Symbol[]
function sym_linalg.slogdet(A, ...) end

---The sum of the logarithms on each matrix's diagonal
---@param A? hl.Symbol|number|hl.op._linalg_sumlogdiag
---@param ... any|hl.op._linalg_sumlogdiag
---@return hl.Symbol
function sym_linalg.sumlogdiag(A, ...) end

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

---AdamW: adam_update with the weight decay apart from the gradient: weight - eta (lr mean / (sqrt(var) + epsilon) + wd weight). The gradient's factor comes as an array; if it is 0 or no finite number, nothing changes
---@param weight? hl.Symbol|number|hl.op._adamw_update
---@param grad? hl.Symbol|number|hl.op._adamw_update
---@param mean? hl.Symbol|number|hl.op._adamw_update
---@param var? hl.Symbol|number|hl.op._adamw_update
---@param rescale_grad? hl.Symbol|number|hl.op._adamw_update
---@param ... any|hl.op._adamw_update
---@return hl.Symbol
function sym_contrib.adamw_update(weight, grad, mean, var, rescale_grad, ...) end

---start, start + step, ... in data's shape, or as many as an axis is long
---@param data? hl.Symbol|number|hl.op._contrib_arange_like
---@param ... any|hl.op._contrib_arange_like
---@return hl.Symbol
function sym_contrib.arange_like(data, ...) end

---The slices of data where index is not 0; index covers the first axis, or the first axes
---@param data? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param index? hl.Symbol|number|hl.op._contrib_boolean_mask
---@param ... any|hl.op._contrib_boolean_mask
---@return hl.Symbol
function sym_contrib.boolean_mask(data, index, ...) end

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


