-- print_array_spec.lua - arrays as text. The layouts are NumPy's, which MXNet prints.
local hl = require "hybridlua"
local nd = hl.nd

-- The array's text without its first line and the line with its shape.
local function text_of(x) return (tostring(x):gsub("\n<NDArray.*$", ""):sub(2)) end

describe("a summary", function()
  after_each(function() nd.set_printoptions { precision = 8, threshold = 1000, edgeitems = 3, linewidth = 75 } end)

  it("is as wide as its shown items", function()
    local x = nd.zeros({ 2000 }, { dtype = "int32" })
    x[1000] = -123456
    assert.equal("[0 0 0 ... 0 0 0]", text_of(x))
    x[1999] = 12
    assert.equal("[ 0  0  0 ...  0  0 12]", text_of(x))
    x = x:reshape { 40, 50 }
    assert.equal("[[ 0  0  0 ...  0  0  0]\n [ 0  0  0 ...  0  0  0]\n [ 0  0  0 ...  0  0  0]\n ...\n" ..
      " [ 0  0  0 ...  0  0  0]\n" ..
                 " [ 0  0  0 ...  0  0  0]\n [ 0  0  0 ...  0  0 12]]", text_of(x))
    x = nd.zeros { 2000 }
    x[1000] = 1e10
    assert.equal("[0. 0. 0. ... 0. 0. 0.]", text_of(x))
    local all = nd.zeros({ 1000 }, { dtype = "int32" })          -- within the threshold: all items are shown
    all[500] = -123456
    assert.truthy(text_of(all):find "^%[      0       0 ")
  end)

  it("shows at least the last item", function()
    nd.set_printoptions { edgeitems = 0, threshold = 2 }
    assert.equal("[... 9.]", text_of(nd.arange(10)))
    assert.equal("[...\n [... 9]]", text_of(nd.arange(10, { dtype = "int32" }):reshape { 5, 2 }))
    nd.set_printoptions { edgeitems = 1 }
    assert.equal("[0. ... 9.]", text_of(nd.arange(10)))
  end)

  it("reads only the shown items, so that arrays of any size print immediately", function()
    for _, dtype in ipairs { "int8", "bool", "float16" } do
      local x = nd.zeros({ 30000000 }, { dtype = dtype })
      local start = os.clock()
      for _ = 1, 10 do assert.truthy(tostring(x):find "%.%.%.") end
      assert.is_true(os.clock() - start < 0.2)
      assert.truthy(("" .. x:reshape { 3, 10000000 }):find "%.%.%.")
      x:free()
    end
  end)
end)
