-- test_utils/generators.lua - checks of random generators: functions generator(n) that return n independent samples, as
-- an NDArray or a list of numbers.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local is_array, is_plain = core.array.is, core.script.is_plain

local nd = core.op.nd
local generators = {}

local function samples_of(what, generator, nsamples)
  nsamples = checks.whole(what .. ": nsamples", nsamples or 1000000, 2)
  local samples = checks.callable(what .. ": generator", generator, "a number of samples")(nsamples)
  if is_plain(samples) then samples = nd.array(samples, { dtype = "float64" }) end
  if not is_array(samples) or samples.size ~= nsamples then
    fail("%s: generator: expected %d samples, got %s", what, nsamples, is_array(samples) and samples.size or
      type(samples))
  end
  return samples:astype("float64"):reshape { -1 }, nsamples
end

--- mean_check(generator, mu, sigma, nsamples = 1000000): whether the mean of samples is within 3 sigma / sqrt(nsamples)
-- of mu.
function generators.mean_check(generator, mu, sigma, nsamples)
  local samples, n = samples_of("mean_check", generator, nsamples)
  return math.abs(samples:mean():asscalar() - mu) < 3 * sigma / math.sqrt(n)
end

--- var_check(generator, sigma, nsamples = 1000000): whether the variance of samples is within 3 standard deviations, 3
-- sqrt(2 sigma^4 / (nsamples - 1)), of sigma^2.
function generators.var_check(generator, sigma, nsamples)
  local samples, n = samples_of("var_check", generator, nsamples)
  local variance = (samples - samples:mean()):square():sum():asscalar() / (n - 1)
  return math.abs(variance - sigma ^ 2) < 3 * math.sqrt(2 * sigma ^ 4 / (n - 1))
end

--- gen_buckets_probs_with_ppf(ppf, nbuckets): nbuckets intervals {from, to} of equal probability, and their
-- probabilities. ppf: the quantile function.
function generators.gen_buckets_probs_with_ppf(ppf, nbuckets)
  checks.callable("gen_buckets_probs_with_ppf: ppf", ppf, "a probability")
  local buckets, probs = {}, {}
  for i = 1, checks.whole("gen_buckets_probs_with_ppf: nbuckets", nbuckets, 1) do
    buckets[i], probs[i] = { ppf((i - 1) / nbuckets), ppf(i / nbuckets) }, 1 / nbuckets
  end
  return buckets, probs
end

-- ---- The chi-square test ------------------------------------------------------------------------------------------

-- log gamma(x) for x of 1/2, 1, 3/2, ...: by the recurrence from gamma(1/2) = sqrt(pi) and gamma(1) = 1.
local function log_gamma_of_half(twice)
  local sum = twice % 2 == 1 and math.log(math.pi) / 2 or 0
  for at = twice % 2 == 1 and 1 or 2, twice - 2, 2 do sum = sum + math.log(at / 2) end
  return sum
end

-- P(X > x) for X of the chi-square distribution with `freedom` degrees of freedom: the upper incomplete gamma function
-- of a = freedom / 2 and x / 2, by its series or its continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31).
local function chi_square_tail(x, freedom)
  local a, half = freedom / 2, x / 2
  if half <= 0 then return 1 end
  local factor = math.exp(a * math.log(half) - half - log_gamma_of_half(freedom))
  if half < a + 1 then
    local term, sum, n = 1 / a, 1 / a, a
    repeat
      n = n + 1
      term = term * half / n
      sum = sum + term
    until term < sum * 1e-15
    return 1 - factor * sum
  end
  local b = half + 1 - a
  local c, d = math.huge, 1 / b
  local value = d
  for i = 1, 1000 do
    local an = -i * (i - a)
    b = b + 2
    d, c = 1 / (an * d + b), b + an / c
    value = value * d * c
    if math.abs(d * c - 1) < 1e-15 then break end
  end
  return factor * value
end

local function count(mask) return math.tointeger(mask:astype("float64"):sum():asscalar()) end

--- chi_square_check(generator, buckets, probs, nsamples = 1000000): the p value that samples have these probabilities,
-- and the lists of observed and expected frequencies. buckets: ascending intervals {from, to}, or the values of a
-- discrete distribution.
function generators.chi_square_check(generator, buckets, probs, nsamples)
  local what = "chi_square_check"
  if not is_plain(buckets) or not is_plain(probs) or #buckets ~= #probs or #buckets < 2 then
    fail("%s: expected a list of two buckets or more, and a list of as many probabilities", what)
  end
  local samples, n = samples_of(what, generator, nsamples)
  local observed, expected, statistic = {}, {}, 0
  for i, bucket in ipairs(buckets) do
    if is_plain(bucket) then
      if bucket[1] > bucket[2] or i > 1 and buckets[i - 1][2] > bucket[1] then
        fail("%s: buckets: expected ascending intervals, got {%s, %s} as number %d", what, bucket[1], bucket[2], i)
      end
      observed[i] = count(samples:greater_equal(bucket[1]) * samples:lesser(bucket[2]))
    else
      observed[i] = count(samples:equal(bucket))
    end
    expected[i] = math.floor(n * probs[i])
    statistic = statistic + (observed[i] - expected[i]) ^ 2 / expected[i]
  end
  return chi_square_tail(statistic, #buckets - 1), observed, expected
end

local function list(values) return table.concat(values, ", ") end

--- verify_generator(generator, buckets, probs, nsamples = 1000000, nrepeat = 5, success_rate = 0.2, alpha = 0.05): the
-- list of nrepeat p values of chi_square_check. Errors: fewer than nrepeat success_rate of them exceed alpha.
function generators.verify_generator(generator, buckets, probs, nsamples, nrepeat, success_rate, alpha)
  nrepeat, alpha = checks.whole("verify_generator: nrepeat", nrepeat or 5, 1), alpha or 0.05
  local found, good, observed, expected = {}, 0, nil, nil
  for i = 1, nrepeat do
    found[i], observed, expected = generators.chi_square_check(generator, buckets, probs, nsamples)
    if found[i] > alpha then good = good + 1 end
  end
  if good < nrepeat * (success_rate or 0.2) then
    fail("Generator test fails, Chi-square p=%s, obs_freq=%s, expected_freq=%s.", list(found), list(observed),
      list(expected))
  end
  return found
end

arguments.functions(generators, "test_utils.", {
  mean_check = "generator mu sigma nsamples", var_check = "generator sigma nsamples",
  gen_buckets_probs_with_ppf = "ppf nbuckets", chi_square_check = "generator buckets[] probs[] nsamples",
  verify_generator = "generator buckets[] probs[] nsamples nrepeat success_rate alpha",
})

return generators
