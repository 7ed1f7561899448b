-- np/ufuncs.lua - elementwise functions of np that are operators here: NumPy's name, and the operator's if it is
-- another one. They promote dtypes (src/bind/value/np_promotion.c).
local ROWS = [[
abs fabs=abs absolute=abs negative reciprocal square sqrt cbrt exp expm1 log log2 log10 log1p sign
sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees radians rad2deg=degrees deg2rad=radians
floor ceil trunc fix rint
add subtract multiply divide true_divide=divide mod=modulo remainder=modulo power maximum minimum hypot=broadcast_hypot
floor_divide logaddexp
equal=broadcast_equal not_equal=broadcast_not_equal less=broadcast_lesser less_equal=broadcast_lesser_equal
greater=broadcast_greater greater_equal=broadcast_greater_equal
logical_and=broadcast_logical_and logical_or=broadcast_logical_or logical_xor=broadcast_logical_xor
bitwise_and bitwise_or bitwise_xor bitwise_not invert=bitwise_not left_shift right_shift
isnan isinf isfinite isposinf isneginf
]]

local rows = {}
for word in ROWS:gmatch "%S+" do
  local name, row = word:match "^([%w_]+)=?([%w_]*)$"
  rows[#rows + 1] = { name = name, row = row ~= "" and row or name }
end
return rows
