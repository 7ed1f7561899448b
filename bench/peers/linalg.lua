-- linalg.lua - hybridlua's side of linalg.py: reads "NAME SECONDS" lines, runs that benchmark for this time, and prints
-- the shortest seconds of one call.
package.path = arg[0]:match "^(.*/)" .. "?.lua;" .. package.path
local hl = require "hybridlua"
local peers = require "peers"
local nd = hl.nd
local linalg = nd.linalg

local N = tonumber(arg[1])
local a, c = nd.random.normal { shape = { N, N } }, nd.random.normal { shape = { N, N } }
local b, tall = nd.random.normal { shape = { N } }, nd.random.normal { shape = { 2 * N, N } }
local symmetric, positive = (a + a.T) / 2, nd.dot(a, a, { transpose_b = true }) / N + nd.eye(N)
local l, tall_b = linalg.potrf(positive), nd.random.normal { shape = { 2 * N } }

local works = {
  potrf = function() return linalg.potrf(positive) end,
  cholesky = function() return linalg.cholesky(positive) end,
  potri = function() return linalg.potri(l) end,
  trsm = function() return linalg.trsm(l, c) end,
  syevd = function() return linalg.syevd(symmetric) end,
  eigh = function() return linalg.eigh(symmetric) end,
  eigvalsh = function() return linalg.eigvalsh(symmetric) end,
  inverse = function() return linalg.inverse(a) end,
  det = function() return linalg.det(a) end,
  slogdet = function() return linalg.slogdet(a) end,
  solve = function() return linalg.solve(a, b) end,
  solve_matrix = function() return linalg.solve(a, c) end,
  svd = function() return linalg.svd(a) end,
  singular_values = function() return linalg.svd(a, { compute_uv = false }) end,
  qr = function() return linalg.qr(a) end,
  lstsq = function() return linalg.lstsq(a, b) end,
  lstsq_tall = function() return linalg.lstsq(tall, tall_b) end,
  pinv = function() return linalg.pinv(a) end,
  matrix_rank = function() return linalg.matrix_rank(a) end,
  norm = function() return linalg.norm(a, 2) end,
}

local function best(run, seconds)
  local shortest, spent = math.huge, 0
  while spent < seconds do
    local t = peers.time_of(run, 1)
    shortest, spent = math.min(shortest, t), spent + t
  end
  return shortest
end

peers.serve(function(line)
  local name, seconds = line:match "^(%S+) (%S+)$"
  return best(works[name], tonumber(seconds))
end)
