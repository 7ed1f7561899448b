-- plot_spec.lua - plots as their reader sees them: labels, ticks and marks of the SVG, the sizes of PNG and PDF, the
-- terminal's text, errors.
local hl = require "hybridlua"
local scratch = require "spec.support.scratch"
local P = hl.plot

local function count(text, pattern) return select(2, text:gsub(pattern, "")) end

local function labels(svg, class)
  local list = {}
  for attributes, text in svg:gmatch "<text([^>]*)>([^<]*)</text>" do
    if (" " .. attributes:match 'class="([^"]*)"' .. " "):find(" " .. class .. " ", 1, true) then
      list[#list + 1] = text
    end
  end
  return list
end

local function path_of(svg, class) return svg:match('<path class="' .. class .. '"[^>]* d="([^"]*)"') end

describe("a plot as SVG", function()
  it("has names, ticks and one path per line", function()
    local svg = P.figure():plot({ 0, 1, 2 }, { 0, 10, 20 }, { label = "a <b> & c" }):title("T"):xlabel("x"):ylabel("y")
      :legend():svg()
    assert.same({ "T" }, labels(svg, "title"))
    assert.same({ "x" }, labels(svg, "xlabel"))
    assert.same({ "y" }, labels(svg, "ylabel"))
    assert.same({ "a &lt;b&gt; &amp; c" }, labels(svg, "label"))
    assert.same({ "0.00", "0.25", "0.50", "0.75", "1.00", "1.25", "1.50", "1.75", "2.00" }, labels(svg, "xt"))
    assert.same({ "0.0", "2.5", "5.0", "7.5", "10.0", "12.5", "15.0", "17.5", "20.0" }, labels(svg, "yt"))
    assert.equal(1, count(svg, 'class="line"'))
  end)

  it("takes arrays of nd and np, and counts x from 0", function()
    local a = P.figure():plot(hl.nd.array { 1, 4, 9 }):svg()
    assert.equal(a, P.figure():plot({ 0, 1, 2 }, { 1, 4, 9 }):svg())
    assert.equal(a, P.figure():plot(hl.np.array { 1, 4, 9 }):svg())
  end)

  it("breaks a line at NaN and infinities", function()
    local svg = P.figure():plot { 1, 2, 0 / 0, 3, 4, math.huge, 5 }:svg()
    assert.equal(3, count(path_of(svg, "line"), "M"))
  end)

  it("has a mark per point and per bar", function()
    local svg = P.figure():scatter({ 1, 2, 3, 0 / 0 }, { 1, 2, 3, 4 }):svg()
    assert.equal(3, count(path_of(svg, "points"), "M"))
    svg = P.figure():bar({ "a", "b" }, { 3, 5 }):svg()
    assert.equal(2, count(path_of(svg, "bars"), "M"))
    assert.same({ "a", "b" }, labels(svg, "xt"))
    svg = P.figure():hist({ 0, 1, 1, 2, 0 / 0 }, { bins = 4 }):svg()
    assert.equal(4, count(path_of(svg, "bars"), "M"))
  end)

  it("has decades on a logarithmic axis, and leaves out what is not positive", function()
    local svg = P.figure():plot({ 1, 2, 3, 4 }, { 1, -1, 100, 1000 }):yscale("log"):svg()
    assert.same({ "10⁰", "10¹", "10²", "10³" }, labels(svg, "yt"))
    assert.equal(2, count(path_of(svg, "line"), "M"))
  end)

  it("writes a common factor or offset beside the axis", function()
    assert.same({ "1e-9" }, labels(P.figure():plot { 2e-9, 7e-9 }:svg(), "factor"))
    assert.same({ "+10000000" }, labels(P.figure():plot { 1e7 + 1, 1e7 + 3 }:svg(), "factor"))
  end)

  it("keeps the ends that xlim and ylim set", function()
    local svg = P.figure():plot { 1, 2 }:xlim(0, 4):ylim(-2, 2):svg()
    assert.same({ "0.0", "4.0" }, { labels(svg, "xt")[1], labels(svg, "xt")[9] })
    assert.same({ "−2.0", "2.0" }, { labels(svg, "yt")[1], labels(svg, "yt")[9] })
  end)

  it("draws contours around a hill as one closed line each", function()
    local z = {}
    for i = 1, 21 do
      z[i] = {}
      for j = 1, 21 do z[i][j] = -((i - 11) ^ 2 + (j - 11) ^ 2) end
    end
    local svg = P.figure():contour(z, { levels = { -50, -20 } }):svg()
    assert.equal(2, count(svg, 'class="contour"'))
    assert.equal(1, count(path_of(svg, "contour"), "M"))
  end)

  it("has axes side by side, a heat map with its colour bar", function()
    local fig, ax = P.subplots(1, 2)
    ax[1]:heatmap { { 0, 1 }, { 2, 4 } }
    ax[2]:errorbar({ 1, 2 }, { 3, 4 }, { yerr = 0.5 }):axhline(3):axvline(1):fill_between({ 1, 2 }, { 3, 4 })
    local svg = fig:svg()
    assert.equal(2, count(svg, 'class="frame[ "]'))
    assert.equal(2, count(svg, "<image "))
    assert.equal(2, count(svg, 'class="across"'))
    assert.equal(4, count(path_of(svg, "caps"), "M"))
    assert.same({ "0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0", "3.5", "4.0" }, labels(svg, "ct"))
  end)

  it("draws no data, one point, constants and the largest numbers", function()
    for _, y in ipairs { {}, { 5 }, { 2, 2, 2 }, { 0, 0 }, { 1e308, -1e308 }, { 0 / 0 }, { 1e-320, 2e-320 } } do
      local svg = P.figure():plot(y):svg()
      assert.is_nil(svg:find "nan" or svg:find "inf[^o]")
    end
  end)

  it("thins a million points to less than 2 MB, and says so", function()
    local nd, n = hl.nd, 1000000
    local x, y = nd.random.normal { shape = { n } }, nd.random.normal { shape = { n } }
    x[{ 7 }], y[{ 7 }] = 9, 0
    local f = P.figure():scatter(x, y, { c = x * y })
    local svg = f:svg()
    assert.is_true(#svg < 2e6)
    assert.truthy(svg:find "<title>1,000,000 points, drawn as [%d,]+: one of each [%d.]+ pt, with all extremes")
    x, y = x["0:100000"], y["0:100000"]
    svg = P.figure():scatter(x, y, { color = "red" }):svg()
    assert.is_true(#svg < 2e6)
    local marks, right = svg:match '<path class="points"[^>]* d="([^"]*)"', 0
    for px in marks:gmatch "M([%d.]+)" do right = math.max(right, tonumber(px)) end
    local frame = tonumber(svg:match '<path class="frame[^>]* d="M[%d.]+ [%d.]+l([%d.]+)')
    assert.is_true(right > frame)                                   -- the outlier at the right
  end)

  it("adds up transparent markers, and those that a thinned one stands for", function()
    local svg = P.figure():scatter({ 1, 2 }, { 1, 2 }, { alpha = 0.5 }):svg()
    assert.equal(2, count(svg:match '<g class="points"[^>]* stroke%-opacity="0.5"[^>]*>(.-)</g>', "<path"))
    local n = 6000
    local one, opacities = {}, {}
    for i = 1, n do one[i] = i <= 5000 and 0 or i end
    svg = P.figure():scatter(one, one, { alpha = 0.1 }):svg()
    for opacity in svg:gmatch 'class="points"[^>]*opacity="([%d.]+)"' do opacities[#opacities + 1] = opacity end
    assert.truthy(svg:find 'class="points" stroke="#1f77b4"')       -- 5,000 on one spot are opaque
    local faintest = tonumber(opacities[#opacities])               -- 1,000 others are about 9 in each cell
    assert.is_true(faintest > 0.5 and faintest < 0.7)
  end)

  it("keeps the extremes of bands, bars and errors that it thins", function()
    local n, lower, upper, ones = 20000, {}, {}, {}
    for i = 1, n do lower[i], upper[i], ones[i] = 0, 1, 1 end
    lower[5555], upper[7777] = -5, 5
    for _, draw in ipairs {
      function(f) f:fill_between(hl.nd.arange(n), lower, upper) end, function(f) f:bar(hl.nd.arange(n), upper) end,
      function(f) f:errorbar(hl.nd.arange(n), upper, { yerr = ones }) end } do
      local f = P.figure()
      draw(f)
      local svg = f:svg()
      assert.is_true(#svg < 400000)
      assert.truthy(svg:find "<title>20,000 points, drawn as %d+,?%d*: [^<]*extremes</title>")
      local _, dy = 0, 0
      for y in svg:match 'class="%a+"[^>]*d="(M[^"]*)"><title>20,000':gmatch "M[%d.]+ ([%d.]+)" do
        dy = math.max(dy, tonumber(y))
      end
      assert.is_true(dy > 0)
    end
    local mark = P.figure():fill_between(hl.nd.arange(n), lower, upper).all[1].marks[1]
    local thin, layout = require "hybridlua.plot.thin", require "hybridlua.plot.layout"
    local map = layout.map({ x = {}, y = {} }, { 0, n }, { -5, 5 }, { x = 0, y = 0, w = 100, h = 100 }, 0.5)
    local seen = {}
    for _, i in ipairs(thin.indices(map, mark.at, mark.lower, mark.upper)[1]) do seen[i] = true end
    assert.is_true(seen[5555] and seen[7777] and seen[1] and seen[n])
  end)

  it("thins a long line but keeps its peaks", function()
    local x = hl.nd.zeros { 100000 }
    x[{ 54321 }] = 7
    local svg = P.figure():plot(x):svg()
    assert.is_true(#svg < 50000)
    assert.equal(7, tonumber(labels(svg, "yt")[8]))
  end)
end)

describe("a plot as a file", function()
  local name = os.tmpname()
  local function bytes_of(figure, format, options)
    options = options or {}
    options.path, options.format = name, format
    figure:save(options)
    local file <close> = io.open(name, "rb")
    return file:read "a"
  end
  teardown(function() os.remove(name) end)

  it("has the figure's size in PNG and PDF", function()
    local figure = P.figure { size = { 4, 3 } }:plot { 1, 3, 2 }:title "T"
    local png = bytes_of(figure, "png")
    assert.equal("\137PNG", png:sub(1, 4))
    local w, h = (">I4I4"):unpack(png, 17)
    assert.same({ 400, 300 }, { w, h })
    assert.same({ 150, 200, 3 }, hl.image.imdecode(bytes_of(figure, "png", { dpi = 50 })).shape)
    local pdf = bytes_of(figure, "pdf")
    assert.equal("%PDF", pdf:sub(1, 4))
    assert.truthy(pdf:find "MediaBox %[ 0 0 288 216 %]")
  end)

  it("is the same PDF at any time", function()
    local function pdf() return bytes_of(P.figure():plot { 1, 3, 2 }, "pdf") end
    local bytes = pdf()
    assert.is_nil(bytes:find "CreationDate")
    assert.equal(bytes, pdf())
  end)

  it("names the package if cairo is missing", function()
    local output = scratch.run(("HYBRIDLUA_CAIRO=/none %s -e '%s' 2>&1"):format(scratch.program,
      'local hl = require "hybridlua"; print(pcall(function() hl.plot.plot({1}):save("/tmp/none.png") end))'))
    assert.truthy(output:find("PNG and PDF need cairo", 1, true))
  end)
end)

describe("the page of a plot", function()
  local function rectangle(svg, class)
    local x, y, w = svg:match('<path class="' .. class .. '[^>]* d="M([%d.]+) ([%d.]+)l([%d.]+)')
    return tonumber(x), tonumber(y), tonumber(w)
  end

  it("has the legend where it covers nothing, if there is such a place", function()
    -- a line of two points crosses the upper right corner, and others the rest except for the lower right one
    local f = P.figure():plot({ 0, 10 }, { 10, 10 }, { label = "upper" }):plot({ 0, 0 }, { 0, 10 }):legend()
    local svg = f:svg()
    local x, y = rectangle(svg, "legend")
    local left, top, width = rectangle(svg, "frame")
    assert.is_true(x > left + width / 2 and y > top + 100)
    svg = P.figure():plot({ 0, 1 }, { 0, 1 }, { label = "a" }):legend "center left":svg()
    x, y = rectangle(svg, "legend")
    left, top = rectangle(svg, "frame")
    assert.is_true(x < left + 10 and y > top + 90)
  end)

  it("has room for turned labels, within the page", function()
    local names, heights = {}, {}
    for i = 1, 12 do names[i], heights[i] = "a rather long name " .. i, i end
    local svg = P.figure():bar(names, heights):svg()
    local x = tonumber(svg:match '<text class="xt[^>]* x="([%d.]+)"')
    assert.is_true(x > 0.8 * 100)
  end)

  it("has whole numbers as ticks of a grid", function()
    assert.same({ "0", "1", "2" }, labels(P.figure():heatmap { { 1, 2, 3 }, { 3, 4, 5 } }:svg(), "xt"))
  end)

  it("shows the page where a grid has NaN", function()
    local svg = P.figure():heatmap { { 1, 0 / 0, 0 / 0 }, { 3, 4, 5 } }:svg()
    assert.equal(1, count(path_of(svg, "missing[^\"]*"), "M"))
  end)
end)

describe("a plot as text", function()
  it("has a frame, ticks and the curve, and no colours in a file", function()
    local text = P.figure():plot({ 0, 1, 2 }, { 0, 1, 0 }, { label = "peak" }):title("T"):legend()
      :text { columns = 40, rows = 8, color = false }
    assert.truthy(text:find "┌" and text:find "⡠" and text:find "peak" and text:find "T")
    assert.is_nil(text:find "\27")
    for line in text:gmatch "[^\n]+" do assert.is_true(utf8.len(line) <= 40) end
    assert.truthy(P.figure():plot({ 1, 2 }):text { color = true }:find "\27%[38;2;31;119;180m")
  end)

  it("is what tostring gives", function()
    local figure = P.figure():bar({ 1, 2 }, { 3, 4 })
    assert.truthy(tostring(figure):find "█")
  end)
end)

describe("errors of plots", function()
  local function fails(message, fn)
    local good, text = pcall(fn)
    assert.is_false(good)
    assert.truthy(tostring(text):find(message, 1, true), text)
  end
  it("name the function, the argument, expected and got", function()
    local figure = P.figure()
    fails("plot.plot: expected x and y of one length, got 2 and 3", function() figure:plot({ 1, 2 }, { 1, 2, 3 }) end)
    fails("plot.plot: y: expected numbers, got string at index 1", function() figure:plot { "a" } end)
    fails("plot.plot: color: unknown colour 'rde'", function() figure:plot({ 1 }, { 1 }, { color = "rde" }) end)
    fails("plot.plot: unknown option 'colour'", function() figure:plot({ 1 }, { 1 }, { colour = "red" }) end)
    fails("plot.xscale: scale: expected 'linear' or 'log', got 'lgo'", function() figure:xscale "lgo" end)
    fails("plot.imshow: z: expected 2 dimensions, or 3", function() figure:imshow(hl.nd.ones { 3 }) end)
    fails("plot.save: format: expected 'svg', 'png', 'pdf' or 'txt', got 'gif'", function() figure:save "a.gif" end)
    fails("plot.figure: size: expected {width, height} in inches", function() P.figure { size = 3 } end)
  end)
end)
