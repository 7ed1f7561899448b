-- text_files_spec.lua - nd.loadtxt, nd.genfromtxt and nd.savetxt: tables of numbers as text.
local scratch = require "support.scratch"
local hl = require "hybridlua"
local nd = hl.nd

describe("text files", function()
  local folder

  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local function written(text)
    local file = folder:file "table.txt"
    local handle = assert(io.open(file, "w"))
    handle:write(text)
    handle:close()
    return file
  end

  it("are read as a matrix, or a vector for one row or column", function()
    local x = nd.loadtxt(written "# a comment\n1 2.5  -3e2\n\n4 nan inf # another\n")
    assert.equal("float32", x.dtype)
    assert.same({ 2, 3 }, x.shape)
    assert.allclose(x[0], { 1, 2.5, -300 })
    assert.is_true(nd.isnan(x[{ 1, 1 }]):asscalar() and nd.isinf(x[{ 1, 2 }]):asscalar())
    assert.same({ 1, 2, 3 }, nd.loadtxt(written "1\n2\n3\n"):totable())
    assert.same({ 3, 1 }, nd.loadtxt(written "1\n2\n3\n", { ndmin = 2 }).shape)
  end)

  it("are read by delimiter, columns, rows and dtype", function()
    local file = written "x;y;z\r\n1;2;3\r\n4;5;6\r\n7;8;9\r\n"
    local options = { delimiter = ";", skiprows = 1, usecols = { 2, 0 }, dtype = "int64", max_rows = 2 }
    local x = nd.loadtxt(file, options)
    assert.equal("int64", x.dtype)
    assert.same({ { 3, 1 }, { 6, 4 } }, x:totable())
    local columns = nd.loadtxt(file, { delimiter = ";", skiprows = 1, unpack = true })
    assert.equal(3, #columns)
    assert.allclose(columns[2], { 2, 5, 8 })
  end)

  it("with missing values are read by genfromtxt", function()
    local x = nd.genfromtxt(written "a,b,c\n1,,3\nx,5,-\n", { delimiter = ",", skip_header = 1, filling_values = -1 })
    assert.allclose(x, { { 1, -1, 3 }, { -1, 5, -1 } })
    assert.is_true(nd.isnan(nd.genfromtxt(written "1,,3\n", { delimiter = "," })[1]):asscalar())
  end)

  it("are written, and read again to the bit", function()
    local file = folder:file "saved.txt"
    local x = nd.random.normal { shape = { 40, 3 }, dtype = "float64" }
    nd.savetxt(file, x)
    assert.bits(nd.loadtxt(file, { dtype = "float64" }), x)
    nd.savetxt(file, nd.array { { 1, 2 }, { 3, 4.5 } }, { fmt = "%g", delimiter = ",", header = "a,b", footer = "end" })
    assert.equal("# a,b\n1,2\n3,4.5\n# end\n", scratch.read(file))
    nd.savetxt(file, nd.array({ 1, 2 }, { dtype = "int32" }), { fmt = "%d" })
    assert.equal("1\n2\n", scratch.read(file))
  end)

  it("with mistakes are errors with the file and the line", function()
    assert.raises(function() nd.loadtxt(written "1 2\n3 x\n") end,
      "nd.loadtxt: .*table.txt:2: column 1: expected a number, got 'x'; nd.genfromtxt reads missing values")
    assert.raises(function() nd.loadtxt(written "1 2\n3\n") end,
      "table.txt:2: expected 2 columns, as the first row has")
    assert.raises(function() nd.loadtxt(folder:file "absent") end, "nd.loadtxt: fname: .*absent: No such file")
    assert.raises(function() nd.loadtxt(written "1 2\n", { usecols = 2 }) end,
      "usecols: expected columns from %-2 to 1")
    assert.raises(function() nd.loadtxt(written "1 2\n3 16777217\n") end,
      'nd.loadtxt: .*table.txt:2: 16777217 would become 16777216 in float32; write dtype = "int64" or "float64"')
    assert.allclose(nd.loadtxt(written "16777217\n", { dtype = "float32" }), { 16777216 })
    assert.raises(function() nd.savetxt(folder:file "x", nd.ones { 2, 2, 2 }) end,
      "nd.savetxt: X: expected a vector or a matrix, got 3 dimensions")
    assert.raises(function() nd.savetxt(folder:file "x", nd.ones { 2 }, { fmt = "%d %d" }) end,
      "nd.savetxt: fmt: expected a format for numbers")
  end)
end)
