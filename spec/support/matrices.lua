-- matrices.lua - random matrices and their products, in stacks, for the specs of linear algebra.
local assert = require "luassert"
local nd = require("hybridlua").nd
local linalg = nd.linalg

local matrices = {}

function matrices.normal(shape, dtype) return nd.random.normal(0, 1, { shape = shape, dtype = dtype or "float64" }) end

--- The transposed matrices.
function matrices.turned(x) return nd.SwapAxis(x, { dim1 = -2, dim2 = -1 }) end

function matrices.product(x, y) return linalg.gemm2(x, y) end
function matrices.symmetric(x) return (x + matrices.turned(x)) / 2 end
function matrices.unit_like(x) return linalg.makediag(nd.ones_like(linalg.extractdiag(x))) end

function matrices.positive(x)
  local p = linalg.gemm2(x, x, { transpose_b = true })
  return p + matrices.unit_like(p)
end

--- Asserts that two arrays agree within rounding.
function matrices.near(got, expected, dtype)
  local tolerance = (dtype or expected.dtype) == "float32" and 2e-4 or 1e-10
  assert.allclose(got, expected, tolerance, tolerance)
end

return matrices
