-- distributions_spec.lua - the distributions of lua/hybridlua/functions/distributions.lua, and of the samplers binomial
-- and log_gamma: moments, and the distance of their distribution function from SciPy's; gradients; the same draws in
-- all modes; arrays of parameters, shapes, errors.
local hl = require "hybridlua"
local nd, sym, autograd = hl.nd, hl.sym, hl.autograd

local N = 100000

-- Name, parameters, mean, variance, fourth central moment (nil: infinite), points, the distribution function there.
local cases = {
  { "laplace", { 1, 2 }, 1, 8, 384,
    { -11.4292162, -6.82404601, -4.62682143, -3.24052707, -2.21887582, -1.40794561, -0.832581464, -0.0216512475,
      0.553712897, 1, 1.4462871, 2.02165125, 2.83258146, 3.40794561, 4.21887582, 5.60517019, 7.43775165, 10.2103404,
      13.4292162 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "gumbel", { 1, 2 }, 2.15443133, 6.57973627, 233.781818,
    { -2.86528947, -2.05435925, -1.5092698, -1.06879505, -0.66806489, -0.280673878, 0.0482300093, 0.628746482,
      1.17484314, 1.73302584, 2.34345398, 3.06186087, 3.99987997, 4.63392159, 5.50073465, 6.9403905, 8.80387732,
      11.5916243, 14.8145101 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "logistic", { 1, 2 }, 1, 13.1594725, 727.321213,
    { -12.8135096, -8.1902397, -5.95219738, -4.50307063, -3.39444915, -2.46920211, -1.77258872, -0.694595721,
      0.189069784, 1, 1.81093022, 2.69459572, 3.77258872, 4.46920211, 5.39444915, 6.88887796, 8.7836406, 11.5866096,
      14.8135096 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "lognormal", { 0.5, 0.4 }, 1.78603843, 0.553488101, 1.9177492,
    { 0.478981683, 0.650158468, 0.776998046, 0.885228533, 0.98745868, 1.08918166, 1.1774505, 1.33674799, 1.48982872,
      1.64872127, 1.82455996, 2.03350358, 2.30861665, 2.49571024, 2.75280565, 3.1833734, 3.74903909, 4.61970902,
      5.67512689 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "rayleigh", { 2 }, 2.50662827, 1.71681469, 9.56474719,
    { 0.0894650919, 0.283553675, 0.493633123, 0.703564659, 0.91808721, 1.14024183, 1.33609446, 1.68920086,
      2.02153531, 2.35482005, 2.70745745, 3.10351131, 3.58824516, 3.89576178, 4.29193205, 4.89549366, 5.59429925,
      6.51049452, 7.43384438 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "weibull", { 1.5 }, 0.902745293, 0.375690285, 0.619675565,
    { 0.0100033353, 0.0465715168, 0.0975316862, 0.15643912, 0.223075526, 0.297807732, 0.36789416, 0.502938715,
      0.639020979, 0.783219769, 0.943384774, 1.13173423, 1.37335502, 1.53248606, 1.74372151, 2.07811064, 2.4827573,
      3.03919556, 3.62708691 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "pareto", { 5 }, 0.25, 0.104166667, 0.80078125,
    { 0.000200120088, 0.00201208871, 0.0061104345, 0.0124519689, 0.0212956876, 0.0330378041, 0.0456395526,
      0.0739409238, 0.107566343, 0.148698355, 0.201124434, 0.272259637, 0.379729661, 0.461442552, 0.584893192,
      0.820564203, 1.18672415, 1.88539981, 2.98107171 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "power", { 3 }, 0.75, 0.0375, 0.00435267857,
    { 0.1, 0.215443469, 0.310723251, 0.391486764, 0.464158883, 0.531329285, 0.584803548, 0.66943295, 0.7368063,
      0.793700526, 0.843432665, 0.887904002, 0.928317767, 0.947268237, 0.965489385, 0.983047572, 0.993288388,
      0.998330548, 0.999666555 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "standard_normal", {  }, 0, 1, 3,
    { -3.09023231, -2.32634787, -1.88079361, -1.55477359, -1.28155157, -1.03643339, -0.841621234, -0.524400513,
      -0.253347103, 0, 0.253347103, 0.524400513, 0.841621234, 1.03643339, 1.28155157, 1.64485363, 2.05374891,
      2.5758293, 3.09023231 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "standard_exponential", {  }, 1, 1, 9,
    { 0.00100050033, 0.0100503359, 0.0304592075, 0.0618754037, 0.105360516, 0.162518929, 0.223143551, 0.356674944,
      0.510825624, 0.693147181, 0.916290732, 1.2039728, 1.60943791, 1.89711998, 2.30258509, 2.99573227, 3.91202301,
      5.29831737, 6.90775528 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "standard_cauchy", {  }, nil, nil, nil,
    { -318.308839, -31.820516, -10.578895, -5.24218358, -3.07768354, -1.96261051, -1.37638192, -0.726542528,
      -0.324919696, 0, 0.324919696, 0.726542528, 1.37638192, 1.96261051, 3.07768354, 6.31375151, 15.8945448,
      63.6567412, 318.308839 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "standard_gamma", { 0.7 }, 0.7, 0.7, 5.67,
    { 4.5170633e-05, 0.00121262302, 0.00584129539, 0.0158159105, 0.0331454978, 0.0600892796, 0.092338598, 0.1725198,
      0.275680074, 0.407423748, 0.578500185, 0.810063753, 1.15064434, 1.399376, 1.75712851, 2.38262002, 3.22745508,
      4.52971253, 6.06373956 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "chisquare", { 3 }, 3, 6, 252,
    { 0.0242975858, 0.114831802, 0.245098709, 0.401173358, 0.584374374, 0.797771444, 1.00517401, 1.42365224,
      1.8691684, 2.36597388, 2.94616607, 3.66487078, 4.64162768, 5.31704784, 6.25138863, 7.8147279, 9.83740931,
      12.8381565, 16.2662362 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "f", { 3, 12 }, 1.2, 1.56, 78.4992,
    { 0.00779323223, 0.0369660905, 0.0793175169, 0.130648777, 0.191731839, 0.264030411, 0.335500897, 0.483400471,
      0.646442999, 0.835305899, 1.06567565, 1.3664256, 1.80418958, 2.12775917, 2.60552492, 3.49029482, 4.81448008,
      7.22576441, 10.8042044 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "standard_t", { 6 }, 0, 1.5, 13.5,
    { -5.20762624, -3.1426684, -2.3132633, -1.81165248, -1.43975575, -1.13415693, -0.905703285, -0.553380924,
      -0.264834533, 0, 0.264834533, 0.553380924, 0.905703285, 1.13415693, 1.43975575, 1.94318028, 2.61224185,
      3.70742802, 5.20762624 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "beta", { 2, 3 }, 0.4, 0.04, 0.00377142857,
    { 0.0130229474, 0.0419986356, 0.0743876649, 0.10769473, 0.142559317, 0.179384365, 0.212317128, 0.272383942,
      0.329166503, 0.385727568, 0.444500002, 0.508404755, 0.582453575, 0.626532162, 0.679539416, 0.751395374,
      0.820562136, 0.889115015, 0.935961861 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "beta", { 0.3, 0.2 }, 0.6, 0.16, 0.0373028571,
    { 1.66389594e-09, 3.58474724e-06, 0.000139581022, 0.001405792, 0.00768655837, 0.0292978916, 0.0742571102,
      0.252528172, 0.515939927, 0.760864964, 0.913160571, 0.978553415, 0.997144654, 0.999321551, 0.999910626,
      0.999997207, 0.999999971, 1, 1 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995,
      0.998998773 } },
  { "triangular", { 0, 1, 4 }, 1.66666667, 0.722222222, 1.25185185,
    { 0.0632455532, 0.2, 0.346410162, 0.489897949, 0.632455532, 0.774596669, 0.894427191, 1.10172465, 1.31671843,
      1.55051026, 1.80910977, 2.1026334, 2.45080666, 2.65835921, 2.90455488, 3.22540333, 3.51010205, 3.75505103,
      3.89045549 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "log_gamma", { 0.1 }, -10.4237549, 101.433299, 90870.6554,
    { -69.5762772, -46.5504263, -35.5643034, -28.6328316, -23.5245753, -19.4699243, -16.5931035, -12.5384492,
      -9.66157384, -7.42965684, -5.60363382, -4.04969, -2.6680142, -2.00497768, -1.32367811, -0.543977275,
      0.112464863, 0.739342564, 1.21303472 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "log_gamma", { 4 }, 1.25611767, 0.283822956, 0.286531739,
    { -0.84734223, -0.194496953, 0.1441327, 0.37430458, 0.556622491, 0.712508312, 0.831511105, 1.01657436,
      1.16668293, 1.30075302, 1.42917729, 1.56071586, 1.70747994, 1.79401307, 1.89923521, 2.04816454, 2.20652733,
      2.39584567, 2.56972568 },
    { 0.001, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.995, 0.999 }
      },
  { "bernoulli", { 0.3 }, 0.3, 0.21, 0.0777,
    { 0, 1 },
    { 0.7, 1 } },
  { "binomial", { 10, 0.4 }, 4, 2.4, 16.224,
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 },
    { 0.0060466176, 0.0463574016, 0.167289754, 0.382280602, 0.633103258, 0.833761382, 0.945238118, 0.987705446,
      0.998322278, 0.999895142 } },
  { "binomial", { 1000, 0.7 }, 700, 210, 132245.4,
    { 655, 666, 673, 677, 681, 685, 688, 692, 696, 700, 704, 708, 712, 715, 719, 724, 730, 737, 744 },
    { 0.00120111282, 0.0109210801, 0.0344934664, 0.0609927435, 0.101354644, 0.158504766, 0.213229452, 0.301223553,
      0.402905287, 0.511927484, 0.62032773, 0.720222126, 0.805491043, 0.857762142, 0.911420477, 0.955407412,
      0.98306373, 0.995554076, 0.999075565 } },
  { "binomial", { 60, 0.5 }, 30, 15, 667.5,
    { 18, 21, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 40, 42 },
    { 0.00133521814, 0.0136700669, 0.0462304905, 0.077500952, 0.122530417, 0.183147003, 0.259479002, 0.349441714,
      0.448710913, 0.551289087, 0.650558286, 0.740520998, 0.816852997, 0.877469583, 0.922499048, 0.953769509,
      0.986329933, 0.996891199, 0.999467117 } },
  { "geometric", { 0.2 }, 5, 20, 3620,
    { 1, 2, 3, 4, 5, 6, 8, 9, 11, 14, 18, 24, 31 },
    { 0.2, 0.36, 0.488, 0.5904, 0.67232, 0.737856, 0.83222784, 0.865782272, 0.914100654, 0.956019535, 0.981985601,
      0.995277634, 0.999009648 } },
}

local function draw(case, F, options)
  local args = table.move(case[2], 1, #case[2], 1, {})
  args[#args + 1] = options
  return F.random[case[1]](table.unpack(args))
end

local function title(case) return ("%s(%s)"):format(case[1], table.concat(case[2], ", ")) end

describe("a distribution has the moments and the distribution function of its definition:", function()
  for _, case in ipairs(cases) do
    for _, dtype in ipairs { "float32", "float64" } do
      it(title(case) .. " in " .. dtype, function()
        hl.random.seed(7)
        local x = draw(case, nd, { shape = { N }, dtype = dtype })
        assert.equal(dtype, x.dtype)
        x = x:astype "float64"
        assert.is_true(nd.isfinite(x):all():asscalar())
        local _, _, mean, variance, fourth, points, expected = table.unpack(case)
        if variance then
          local m = x:mean():asscalar()
          assert.is_true(math.abs(m - mean) <= 4.5 * math.sqrt(variance / N), ("mean %g"):format(m))
        end
        if fourth then
          local v = nd.square(x - mean):mean():asscalar()
          local error = math.sqrt((fourth - variance ^ 2) / N)
          assert.is_true(math.abs(v - variance) <= 4.5 * error, ("variance %g"):format(v))
        end
        local below = nd.searchsorted(nd.sort(x), nd.array(points, { dtype = "float64" }), "right"):astype "float64" / N
        local distance = (below - nd.array(expected, { dtype = "float64" })):abs():max():asscalar()
        -- Kolmogorov and Smirnov: larger with a probability of 0.001
        assert.is_true(distance * math.sqrt(N) <= 1.95, ("distance %g"):format(distance))
      end)
    end
  end
end)

describe("draws", function()
  for _, case in ipairs(cases) do
    it(title(case) .. " are the same in graphs and compiled", function()
      local options = { shape = { 3, 50 } }
      hl.random.seed(3)
      local eager = draw(case, nd, options)
      assert.same({ 3, 50 }, eager.shape)
      hl.random.seed(3)
      assert.bits(draw(case, sym, options):eval {}[1], eager)
      local compiled = hl.compile(function(F, x) return draw(case, F, options) + 0 * x end)
      for _ = 1, 2 do
        hl.random.seed(3)
        assert.bits(compiled(nd.zeros { 1 }), eager + 0)
      end
    end)

    if #case[2] > 0 and case[1] ~= "log_gamma" and case[1] ~= "binomial" then
      it(title(case) .. " from arrays of parameters are the same in graphs", function()
        local names, values, symbols = {}, {}, {}
        local arrays = {}
        for i, p in ipairs(case[2]) do
          names[i] = "p" .. i
          arrays[i] = i == 1 and nd.array { { p }, { p } } or nd.array { p, p, p }
          values[names[i]], symbols[i] = arrays[i], sym.var(names[i])
        end
        local shape = #case[2] > 1 and { 2, 3, 4 } or { 2, 1, 4 }
        arrays[#arrays + 1], symbols[#symbols + 1] = { shape = { 4 } }, { shape = { 4 } }
        hl.random.seed(3)
        local eager = nd.random[case[1]](table.unpack(arrays))
        assert.same(shape, eager.shape)
        hl.random.seed(3)
        assert.bits(sym.random[case[1]](table.unpack(symbols)):eval(values)[1], eager)
      end)
    end
  end

  it("take NumPy's size, to which parameters broadcast", function()
    assert.same({ 4, 2 }, nd.random.beta(nd.array { 1, 2 }, 3, { size = { 4, 2 } }).shape)
    assert.same({ 5 }, nd.random.gumbel { size = 5 }.shape)
    assert.same({ 1 }, nd.random.laplace().shape)
    assert.raises(function() nd.random.beta(nd.array { { 1 }, { 2 } }, 3, { size = { 2 } }) end,
      "random.beta: size: expected a shape to which the parameters broadcast, as %(2, 2%), got %(2,%)")
    assert.raises(function() nd.random.laplace { size = 2, shape = 2 } end,
      "random.laplace: size: expected shape or size")
  end)

  it("follow each element of the parameters", function()
    hl.random.seed(2)
    local x = nd.random.lognormal(nd.array { 0, 3 }, nd.array { 1, 0.5 }, { shape = { 20000 } }):log()
    assert.allclose(x:mean { axis = 1 } + 1, { 1, 4 }, 0.03)
    assert.allclose(x:std { axis = 1 }, { 1, 0.5 }, 0.05)
    local counts = nd.random.binomial(nd.array { 10, 1000 }, nd.array { 0.5, 0.1 }, { 20000 })
    assert.allclose(counts:mean { axis = 1 }, { 5, 100 }, 0.02)
  end)
end)

describe("gradients of draws", function()
  -- The derivative of the mean of draws with respect to a parameter, times the number.
  local function slope(fn, value)
    local p = nd.array({ value }, { dtype = "float64" })
    p:attach_grad()
    hl.random.seed(11)
    autograd.record(function() return fn(p):mean() end):backward()
    return p.grad:asscalar()
  end

  -- The same draws for a changed parameter.
  local function difference(fn, value)
    local function at(v)
      hl.random.seed(11)
      return fn(nd.array({ v }, { dtype = "float64" })):mean():asscalar()
    end
    local h = 1e-5 * math.max(1, math.abs(value))
    return (at(value + h) - at(value - h)) / (2 * h)
  end

  it("are 0 for the shapes of distributions that are drawn by rejection", function()
    local S = { shape = { 10 } }
    for _, name in ipairs { "standard_gamma", "chisquare", "standard_t" } do
      assert.equal(0, slope(function(p) return nd.random[name](p, S) end, 2.5), name)
    end
    assert.equal(0, slope(function(p) return nd.random.f(p, p, S) end, 2.5))
    assert.equal(0, slope(function(p) return nd.random.beta(p, p, S) end, 2.5))
  end)

  local S = { shape = { 1000 } }
  for name, fn in pairs {
    ["laplace's loc"] = function(p) return nd.random.laplace(p, 2, S) end,
    ["laplace's scale"] = function(p) return nd.square(nd.random.laplace(1, p, S)) end,
    ["gumbel's scale"] = function(p) return nd.random.gumbel(0.5, p, S) end,
    ["logistic's scale"] = function(p) return nd.square(nd.random.logistic(1, p, S)) end,
    ["lognormal's mean"] = function(p) return nd.random.lognormal(p, 0.5, S) end,
    ["lognormal's sigma"] = function(p) return nd.random.lognormal(0, p, S) end,
    ["rayleigh's scale"] = function(p) return nd.random.rayleigh(p, S) end,
    ["weibull's a"] = function(p) return nd.random.weibull(p, S) end,
    ["pareto's a"] = function(p) return nd.random.pareto(p + 4, S) end,
    ["power's a"] = function(p) return nd.random.power(p, S) end,
    ["triangular's mode"] = function(p) return nd.random.triangular(0, p, 3, S) end,
  } do
    it(("reach %s"):format(name), function()
      local wanted = difference(fn, 1.5)
      assert.is_true(math.abs(slope(fn, 1.5) - wanted) <= 1e-5 * math.max(1, math.abs(wanted)))
    end)
  end

  it("reach the mean and the covariance of multivariate_normal", function()
    local mean = nd.array({ 1, 2 }, { dtype = "float64" })
    local cov = nd.array({ { 2, 0.5 }, { 0.5, 1 } }, { dtype = "float64" })
    mean:attach_grad()
    cov:attach_grad()
    autograd.record(function() return nd.random.multivariate_normal(mean, cov, { 50 }):sum() end):backward()
    assert.allclose(mean.grad, { 50, 50 })
    assert.is_true(cov.grad:abs():sum():asscalar() > 0)
  end)
end)

describe("vectors", function()
  it("of multivariate_normal have its mean and covariance", function()
    hl.random.seed(4)
    local x = nd.random.multivariate_normal({ 1, -2 }, { { 2, 0.5 }, { 0.5, 1 } }, { N })
    assert.same({ N, 2 }, x.shape)
    assert.allclose(x:mean { axis = 0 }, { 1, -2 }, 0.02)
    assert.allclose(nd.cov(x, { rowvar = false }), { { 2, 0.5 }, { 0.5, 1 } }, 0.03)
    assert.same({ 2 }, nd.random.multivariate_normal({ 1, -2 }, { { 2, 0.5 }, { 0.5, 1 } }).shape)
    assert.raises(function() nd.random.multivariate_normal({ 1, 2 }, { { 1 } }) end,
      "multivariate_normal: cov: expected shape %(2, 2%), got %(1, 1%)")
  end)

  it("of dirichlet sum to 1 and have its mean, even for small concentrations", function()
    hl.random.seed(4)
    local x = nd.random.dirichlet({ 1, 2, 5 }, { N })
    assert.same({ N, 3 }, x.shape)
    assert.allclose(x:sum { axis = 1 }, nd.ones { N }, 1e-5)
    assert.allclose(x:mean { axis = 0 }, { 1 / 8, 2 / 8, 5 / 8 }, 0.01)
    local small = nd.random.dirichlet(nd.full({ 4 }, 1e-4), { 1000 })
    assert.allclose(small:sum { axis = 1 }, nd.ones { 1000 }, 1e-5)
    assert.raises(function() nd.random.dirichlet { 1, -1 } end, "random.dirichlet: alpha: expected more than 0")
  end)
end)

describe("parameters out of range", function()
  it("are errors that name distribution and parameter", function()
    assert.raises(function() nd.random.laplace(0, -1) end, "random.laplace: scale: expected 0 or more, got %-1")
    assert.raises(function() nd.random.weibull(0) end, "random.weibull: a: expected more than 0, and finite, got 0")
    assert.raises(function() nd.random.beta(1) end, "random.beta: b: expected a number or an array, got nothing")
    assert.raises(function() nd.random.bernoulli(nd.array { 0.5, 2 }) end,
      "bernoulli: prob: expected a probability, got 2")
    assert.raises(function() nd.random.geometric(0) end, "geometric: p: expected a probability above 0, got 0")
    assert.raises(function() nd.random.triangular(0, 5, 4) end, "triangular: mode: expected left <= mode <= right")
    assert.raises(function() nd.random.binomial(1.5, 0.5) end, "binomial: n: expected a whole number of 0 or more")
    assert.raises(function() nd.random.gumbel { shap = 3 } end, "random.gumbel: unknown option 'shap'")
  end)
end)
