-- functions_spec.lua - functions written in Lua that call operators. Each is a function of nd and sym and a method, has
-- the same bits in all of them and hybridized, has gradients that match differences, and rejects unknown options. The
-- examples below are the inputs; each function of these families must have one.
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local examples = require "support.examples"
local nd, sym = hl.nd, hl.sym

local MATRIX = "F.array{{1, -2, 0.5}, {3, 0.25, -1}}"
local NAN = "F.array{{1, 0 / 0, 0.5}, {3, 0.25, 0 / 0}}"

-- Control flow, from F and F.contrib: outputs and states as one list.
local function control_cases(F)
  local function flat(call)
    return ("(function(a, b) local l = {a} for _, s in ipairs(b) do l[#l + 1] = s end return l end)(%s.%s)"):format(F,
      call)
  end
  return {
    foreach = { flat("foreach(function(x, s) local y = x * s[1] return y, {s[1] + y} end, " .. MATRIX ..
      ", {F.array{1, 2, 3}})") },
    while_loop = { flat("while_loop(function(s) return s:sum():lesser(20) end, function(s) return s * 2, {s * 3} end, "
                        .. "{F.array{1, 2}}, {max_iterations = 5})") },
    cond =
      { ("(function(p, a, b) return %s.cond(p:lesser(2), function() return a * 2 end, function() return b + 1 " ..
        "end) end)" ..
              "(F.array{1}, F.array{3, 4}, F.array{5, 6})"):format(F) },
  }
end

local CASES = {
  loops = control_cases "F",
  statistics = {
    logsumexp = { "F.logsumexp(" .. MATRIX .. ", {axis = 1})",
                  "F.logsumexp(" .. MATRIX .. ", 0, {keepdims = true})", "F.logsumexp(" .. MATRIX .. ")" },
    ptp = { "F.ptp(" .. MATRIX .. ", {axis = 1})", "F.ptp(" .. MATRIX .. ")" },
    average = { "F.average(" .. MATRIX .. ", {axis = 0})", "F.average(" .. MATRIX .. ", 1, F.array{1, 2, 4})",
                "F.average(" .. MATRIX .. ", {weights = F.array{{1, 2, 4}, {3, 2, 1}}, returned = true})" },
    cov = { "F.cov(" .. MATRIX .. ")", "F.cov(F.array{{1, 2}, {4, 3}, {0, 7}}, {rowvar = false, bias = true})",
            "F.cov(F.array{1, 4, 2}, F.array{3, 1, 0})" },
    corrcoef = { "F.corrcoef(" .. MATRIX .. ")[0]" },
    nanmean = { "F.nanmean(" .. NAN .. ", {axis = 1})", "F.nanmean(" .. NAN .. ")" },
    nanvar = { "F.nanvar(" .. NAN .. ", {axis = 1, keepdims = true})", "F.nanvar(" .. NAN .. ", {ddof = 1})" },
    nanstd = { "F.nanstd(" .. NAN .. ", {axis = 1})" },
    nanmax = { "F.nanmax(" .. NAN .. ", {axis = 1})", "F.nanmax(" .. NAN .. ")" },
    nanmin = { "F.nanmin(" .. NAN .. ", {axis = 0})" },
    nanargmax = { "F.nanargmax(" .. NAN .. ", {axis = 1})", "F.nanargmax(" .. NAN .. ")" },
    nanargmin = { "F.nanargmin(" .. NAN .. ", {axis = 0})" },
    nanquantile = { "F.nanquantile(" .. NAN .. ", 0.3, {axis = 1})",
                    "F.nanquantile(" .. NAN .. ", {0.3, 0.8}, {keepdims = true})" },
    nanpercentile = { "F.nanpercentile(" .. NAN .. ", 40, {axis = 1, method = \"lower\"})" },
    nanmedian = { "F.nanmedian(" .. NAN .. ", {axis = 1})", "F.nanmedian(" .. NAN .. ")" },
  },
  cumulative = {
    cumprod = { "F.cumprod(" .. MATRIX .. ", {axis = 1})", "F.cumprod(F.array{2, 0, 3, 0, 1})" },
    nancumsum = { "F.nancumsum(" .. NAN .. ", {axis = 1})" },
    nancumprod = { "F.nancumprod(" .. NAN .. ")", "F.nancumprod(" .. NAN .. ", {axis = 0})" },
  },
  polynomials = {
    polyval = { "F.polyval(F.array{1, -2, 0.5}, " .. MATRIX .. ")", "F.polyval({1, -2, 0.5}, F.array{1, 2})" },
    polyfit = { "F.polyfit(F.array{0, 1, 2, 4}, F.array{1, -1, 2, 3}, 2)",
                "F.polyfit(F.array{0, 1, 2, 4}, F.array{1, -1, 2, 3}, 1, {w = F.array{1, 2, 1, 3}})" },
    polyder = { "F.polyder(F.array{1, -2, 0.5})" },
    polyint = { "F.polyint(F.array{1, -2, 0.5}, {m = 2, k = 3})" },
    polyadd = { "F.polyadd(F.array{1, 2, 3}, F.array{4, 5})" },
    polysub = { "F.polysub(F.array{4, 5}, F.array{1, 2, 3})" },
    polymul = { "F.polymul(F.array{1, 2, 3}, F.array{4, 5})" },
    vander = { "F.vander(F.array{1, 2, 3}, 4)", "F.vander(F.array{1, 2, 3}, {N = 2, increasing = true})" },
  },
  calculus = {
    convolve = { "F.convolve(F.array{1, 2, 3}, F.array{0.5, 1})",
                 "F.convolve(F.array{1, 2}, F.array{0.5, 1, 2}, \"same\")" },
    correlate = { "F.correlate(F.array{1, 2, 3}, F.array{0.5, 1})",
                  "F.correlate(F.array{1, 2}, F.array{0.5, 1, 2}, {mode = \"full\"})" },
    trapz = { "F.trapz(" .. MATRIX .. ")", "F.trapz(" .. MATRIX .. ", F.array{0, 1, 3})",
              "F.trapz(" .. MATRIX .. ", {dx = 0.5, axis = 0})" },
    trapezoid = { "F.trapezoid(F.array{1, 2, 4})" },
    gradient = { "F.gradient(" .. MATRIX .. ", {axis = 1})", "F.gradient(" .. MATRIX .. ")",
                 "F.gradient(F.array{1, 2, 4, 8}, F.array{0, 1, 3, 4}, {edge_order = 2})",
                 "F.gradient(F.array{1, 2, 4, 8}, 0.5, {edge_order = 2})" },
  },
  elementwise = {
    isclose = { "F.isclose(F.array{1, 2}, F.array{1.000001, 2.1})",
      "F.isclose(F.array{1, 0 / 0}, 1, {equal_nan = true})" },
    allclose = { "F.allclose(F.array{1, 2}, F.array{1.000001, 2})", "F.allclose(F.array{1, 2}, 2, 0.6)" },
    almost_equal = { "F.almost_equal(F.array{1, 2}, F.array{1.000001, 2})" },
    gelu = { "F.gelu(F.array{-2, 0.5, 3})", "F.gelu(F.array{-2, 0.5, 3}, {approximate = \"tanh\"})" },
    around = { "F.around(F.array{0.5, 1.5, -2.25}, 1)", "F.around(F.array{0.5, 1.5, -2.5})",
               "F.around(F.array{149, 250}, {decimals = -2})" },
    between = { "F.between(F.array{0, 1, 2, 3}, 1, 2)",
                "F.between(F.array{0, 1, 2, 3}, F.array{1, 1, 1, 3}, 2, {inclusive = \"neither\"})" },
    swish = { "F.swish(F.array{-2, 0.5, 3})" },
    softplus = { "F.softplus(F.array{-2, 0.5, 3})", "F.softplus(F.array{-2, 0.5, 3}, {beta = 2})" },
  },
  contrib = {
    isnan = { "F.contrib.isnan(F.array{1, 0 / 0, 1 / 0})" },
    isinf = { "F.contrib.isinf(F.array{1, 0 / 0, 1 / 0, -1 / 0})" },
    isfinite = { "F.contrib.isfinite(F.array{1, 0 / 0, 1 / 0})" },
    rand_zipfian = { "F.contrib.rand_zipfian(F.array{3}, 4, 5)" },
    multi_adamw_update = { "F.contrib.multi_adamw_update({F.array{1, -1}}, {F.array{0.5, -2}}, {F.array{0.1, 0.2}}, " ..
      "{F.array{0.3, 0.1}}, F.array{0.5}, {0.1}, {0.01}, {1})" },
  },
  stack_flip = {
    atleast_1d = { "F.atleast_1d(F.array(3) * 2)", "F.atleast_1d(F.array{1, 2}, F.array(3))" },
    atleast_2d = { "F.atleast_2d(F.array{1, 2})" },
    atleast_3d = { "F.atleast_3d(F.array{1, 2})", "F.atleast_3d(" .. MATRIX .. ")" },
    hstack = { "F.hstack{F.array{1, 2}, F.array{3}}", "F.hstack({F.array{{1}, {2}}, " .. MATRIX .. "})",
      "F.hstack(F.array{1, 2}, F.array{3})" },
    vstack = { "F.vstack{F.array{1, 2, 3}, " .. MATRIX .. "}" },
    dstack = { "F.dstack{" .. MATRIX .. ", " .. MATRIX .. "}" },
    append = { "F.append(" .. MATRIX .. ", F.array{{1, 2, 3}}, 0)", "F.append(" .. MATRIX .. ", {7, 8})" },
    block = { "F.block{{" .. MATRIX .. ", F.array{{1}, {2}}}, {F.array{{4, 5, 6}}, 3}}", "F.block{F.array{1, 2}, 3}" },
    column_stack = { "F.column_stack{F.array{1, 2}, " .. MATRIX .. "}" },
    meshgrid = { "F.meshgrid(F.array{1, 2, 3}, F.array{4, 5})",
                 "F.meshgrid({F.array{1, 2}, F.array{3}, F.array{4, 5}}, {indexing = \"ij\"})",
                 "F.meshgrid(F.array{1, 2, 3}, F.array{4, 5}, {sparse = true})" },
    flip = { "F.flip(" .. MATRIX .. ", 1)", "F.flip(" .. MATRIX .. ", {axis = {0, -1}})",
             "F.flip(" .. MATRIX .. ")" },
    fliplr = { "F.fliplr(" .. MATRIX .. ")" },
    flipud = { "F.flipud(" .. MATRIX .. ")" },
    rot90 = { "F.rot90(" .. MATRIX .. ")", "F.rot90(" .. MATRIX .. ", 2)",
              "F.rot90(" .. MATRIX .. ", -1, {axes = {1, 0}})", "F.rot90(" .. MATRIX .. ", 4)" },
    diff = { "F.diff(" .. MATRIX .. ")", "F.diff(" .. MATRIX .. ", 2, {axis = 1})",
             "F.diff(" .. MATRIX .. ", {axis = 0, prepend = 0, append = " .. MATRIX .. "})" },
  },
  einsum_tensordot = {
    einsum = {
      "F.einsum(\"ij,jk->ik\", " .. MATRIX .. ", F.array{{1, 2}, {3, 4}, {5, 7}})",
      "F.einsum(\"ij,kj\", " .. MATRIX .. ", " .. MATRIX .. ")",
      "F.einsum(\"ii->i\", F.array{{1, 2}, {3, 4}})", "F.einsum(\"ii\", F.array{{1, 2}, {3, 4}})",
      "F.einsum(\"...ij,...jk->...ik\", F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{{1, 0.5}, {2, -1}})",
      "F.einsum(\"i,i,i->\", F.array{1, 2}, F.array{3, 4}, F.array{5, 6})",
      "F.einsum(\"ijk,jkl->li\", F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, F.array{{{1, 3}, {2, 1}}, {{4, 2}, " ..
        "{5, 0}}})",
      "F.einsum(\"ijkl,klm->mij\", F.array{{{{1, 2}}, {{3, 4}}}}, F.array{{{5, 6, 1}, {7, 8, 2}}})",
      "F.einsum(\"i,j->ji\", F.array{1, 2}, F.array{3, 4, 5})", "F.einsum(\"ij->j\", " .. MATRIX .. ")",
      "F.einsum(\"ab,bc,cd->da\", " .. MATRIX .. ", F.array{{1, 2}, {3, 4}, {5, 7}}, F.array{{1}, {2}})" },
    tensordot = { "F.tensordot(" .. MATRIX .. ", F.array{{1, 2}, {3, 4}, {5, 7}}, 1)",
                  "F.tensordot(" .. MATRIX .. ", " .. MATRIX .. ")",
                  "F.tensordot(" .. MATRIX .. ", " .. MATRIX .. ", {axes = {{0}, {0}}})",
                  "F.tensordot(F.array{1, 2}, F.array{3, 4}, 0)" },
    inner = { "F.inner(F.array{1, 2}, F.array{3, 4})", "F.inner(" .. MATRIX .. ", " .. MATRIX .. ")" },
    outer = { "F.outer(F.array{1, 2}, F.array{3, 4, 5})" },
    vdot = { "F.vdot(" .. MATRIX .. ", " .. MATRIX .. ")" },
    kron = { "F.kron(" .. MATRIX .. ", F.array{{1, 2}})", "F.kron(F.array{1, 2}, F.array{{1}, {2}})" },
    cross = { "F.cross(F.array{1, 2, 3}, F.array{4, 5, 7})", "F.cross(" .. MATRIX .. ", F.array{1, 2})",
      "F.cross(F.array{1, 2}, F.array{3, 4})" },
    trace = { "F.trace(F.array{{1, 2}, {3, 4}})", "F.trace(" .. MATRIX .. ", 1)" },
  },
  creation = {
    identity = { "F.identity(3)", "F.identity(F.array{1, 2})" }, tri = { "F.tri(3)", "F.tri(2, 4, 1)" },
    logspace = { "F.logspace(0, 2, 5)", "F.logspace(0, 3, 3, {base = 2, endpoint = false, dtype = \"float64\"})" },
    geomspace = { "F.geomspace(1, 1000, 4)" },
    indices = { "F.indices{2, 3}", "F.indices({2, 3}, {dtype = \"float32\"})" },
  },
}

-- Comparisons: their gradient is 0 everywhere.
local NO_GRADIENT = { around = true, between = true, nanargmax = true, nanargmin = true, isclose = true,
  allclose = true, isnan = true, isinf = true, isfinite = true }

-- Functions that draw, write, or return no array: their bits are not compared (results:
-- variance_spec.lua, contrib_spec.lua).
local OF_VALUES = { almost_equal = true, rand_zipfian = true, multi_adamw_update = true }

local function list(x) return type(x) == "table" and x or { x } end

local function check_same(expected, actual)
  assert.equal(#expected, #actual)
  for i = 1, #expected do assert.bits(actual[i], expected[i]) end
end

-- The outputs of graphs; their variables have types if `typed`.
local function by_symbols(text, arrays, typed)
  local values = {}
  local symbols = list(examples.run(text, sym, function(i)
    local name = "in" .. i
    values[name] = arrays[i]
    return sym.var(name, typed and { shape = arrays[i].shape, dtype = arrays[i].dtype, exact = true } or nil)
  end))
  return sym.Group(symbols):eval(values)
end

local function compiled(text, arrays)
  local fn = hl.compile(function(F, ...)
    local inputs = { ... }
    local outputs = list(examples.run(text, F, function(i) return inputs[i] end))
    return table.unpack(outputs)
  end)
  return function() return { fn(table.unpack(arrays)) } end
end

-- F whose function of this name gets an unknown option.
local function with_odd_option(name, namespace)
  local function call(...)
    local args = { ... }
    local last = args[#args]
    local options = type(last) == "table" and #last == 0 and last or {}
    options.no_such_option = 1
    if options ~= last then args[#args + 1] = options end
    return (namespace and nd[namespace] or nd)[name](table.unpack(args))
  end
  local wrapped = { [name] = call }
  return setmetatable(namespace and { [namespace] = wrapped } or wrapped, { __index = nd })
end

for name, cases in pairs(control_cases "F.contrib") do CASES.contrib[name] = cases end

for family, cases in pairs(CASES) do
  local module = require("hybridlua.functions." .. family)
  for name in pairs(module.functions or module.made) do
    describe(name, function()
      it("has an example here", function() assert.truthy(cases[name]) end)
      if not (module.made or module.namespace or module.no_method and module.no_method[name]) then
        it("is also a method", function()
          local fn = class.as_written(nd[name])           -- removes the wrapper that detects a colon
          assert.equal(fn, class.as_written(core.array.methods[name]))
          assert.equal(fn, class.as_written(core.symbol.methods[name]))
        end)
      end
      it("rejects an unknown option", function()
        local text = cases[name][1]
        local arrays = examples.arrays_of(text, "float32")
        local ok, message = pcall(examples.run, text, with_odd_option(name, module.namespace),
          function(i) return arrays[i] end)
        assert.falsy(ok)
        assert.truthy(message:find(name .. ": unknown option 'no_such_option'", 1, true), message)
      end)
      for _, text in ipairs(not OF_VALUES[name] and cases[name] or {}) do
        it("has the same bits in nd, in sym and hybridized: " .. text, function()
          local arrays = examples.arrays_of(text, "float32")
          local eager = list(examples.run(text, nd, function(i) return arrays[i] end))
          check_same(eager, by_symbols(text, arrays, true))
          local without_types, outputs = pcall(by_symbols, text, arrays, false)
          if without_types then check_same(eager, outputs)
          else assert.truthy(tostring(outputs):find("is not known before it is bound", 1, true), outputs) end
          if #arrays > 0 then
            local call = compiled(text, arrays)
            check_same(eager, call())
            check_same(eager, call())
          end
        end)
        if not (module.made or NO_GRADIENT[name]) then
          it("has gradients that match differences: " .. text, function()
            examples.check_gradient({ name = name }, text, 1e-6)
            examples.check_second_order({ name = name }, text, 1e-6)
          end)
        end
      end
    end)
  end
end
