-- digits_spec.lua - Digits, MNIST and FashionMNIST; the spec writes the files of the last two.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local data = hl.gluon.data
local vision, write = data.vision, scratch.write

describe("digits", function()
  it("have a fixed test set", function()
    local train, test = vision.Digits(), vision.Digits { train = false }
    assert.same({ 1442, 355 }, { #train, #test })
    local x, y = train:get(0)
    assert.same({ 8, 8, 1 }, x.shape)
    assert.equal("uint8", x.dtype)
    assert.equal(0, y)
    assert.same({ 0, 0, 80, 207, 143, 16, 0, 0 }, x[0]:reshape({ -1 }):totable())
    local raw = vision.Digits { train = false, raw = true }
    assert.equal(5, raw[0][2])                      -- line 34 of the file is the fifth 5
    assert.same({ 0, 6, 13, 5, 8, 8, 1, 0 }, raw[0][1][0]:reshape({ -1 }):totable())
    local counts = {}
    for _, sample in pairs(test) do counts[sample[2]] = (counts[sample[2]] or 0) + 1 end
    for digit = 0, 9 do assert.truthy(counts[digit] >= 34 and counts[digit] <= 36) end
    assert.equal("images", vision.Digits { transform = function() return "images" end }[3])
  end)

  it("load whole batches at a time", function()
    local loader = data.DataLoader(vision.Digits():transform_first(vision.transforms.ToTensor()), 64,
      { shuffle = true })
    local n = 0
    for x, y in loader:batches() do
      n = n + #x
      assert.same({ "float32", "int32" }, { x.dtype, y.dtype })
      assert.same({ 1, 8, 8 }, { x.shape[2], x.shape[3], x.shape[4] })
    end
    assert.equal(1442, n)
  end)
end)

describe("MNIST", function()
  local folder

  -- Two images of 28x28 and their labels, in the format of the original files.
  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    local images = "\0\0\8\3" .. (">I4I4I4"):pack(2, 28, 28) .. ("\1"):rep(784) .. ("\255"):rep(784)
    write(folder .. "/t10k-images-idx3-ubyte", images)
    write(folder .. "/t10k-labels-idx1-ubyte", "\0\0\8\1" .. (">I4"):pack(2) .. "\7\2")
  end)

  after_each(function() os.execute("rm -r " .. folder) end)

  it("reads its plain or gzipped files", function()
    for round = 1, 2 do
      local m = vision.MNIST { root = folder, train = false }
      assert.equal(2, #m)
      local x, y = m:get(0)
      assert.same({ 28, 28, 1 }, x.shape)
      assert.same({ "uint8", 7 }, { x.dtype, y })
      for images, labels in data.DataLoader(m, 2):batches() do
        assert.same({ "uint8", "int32" }, { images.dtype, labels.dtype })
        assert.equal(255, images:max():asscalar())
      end
      if round == 1 then os.execute("gzip " .. folder .. "/*") end
    end
  end)

  it("accepts a transform", function()
    local m = vision.MNIST { root = folder, train = false,
      transform = function(x, y) return x:astype "float32" / 255, y + 1 end }
    assert.equal(8, m[0][2])
    for x in data.DataLoader(m, 2):batches() do assert.equal(1, x:max():asscalar()) end
  end)

  it("lists the files that it needs and says that nothing is downloaded", function()
    os.execute(("mkfifo '%s/train-images-idx3-ubyte'"):format(folder))       -- reading a pipe would never end
    assert.raises(function() vision.MNIST { root = folder } end,
                  "digits_spec.lua:%d+: MNIST: 'train%-images%-idx3%-ubyte' is not in", "train%-labels%-idx1%-ubyte",
                  "t10k%-images%-idx3%-ubyte", "t10k%-labels%-idx1%-ubyte", "nothing is downloaded")
    write(folder .. "/t10k-labels-idx1-ubyte", "\0\0\8\1" .. (">I4"):pack(1) .. "\7")
    assert.raises(function() vision.MNIST { root = folder, train = false } end,
      "expected images and the same number of labels")
  end)
end)

describe("FashionMNIST", function()
  it("is found in MXNet's folder and in one with its lower-case name", function()
    local folder = os.tmpname()
    os.remove(folder)
    local program = scratch.program
    for _, name in ipairs { "fashionmnist", "fashion-mnist" } do
      os.execute(("mkdir -p %s/datasets/%s"):format(folder, name))
      write(("%s/datasets/%s/train-images-idx3-ubyte"):format(folder, name),
        "\0\0\8\3" .. (">I4I4I4"):pack(#name, 1, 1) .. ("\1"):rep(#name))
      write(("%s/datasets/%s/train-labels-idx1-ubyte"):format(folder, name),
        "\0\0\8\1" .. (">I4"):pack(#name) .. ("\1"):rep(#name))
      local code = "print(#require('hybridlua').gluon.data.vision.FashionMNIST())"
      assert.equal(tostring(#name),
        (scratch.run(("MXNET_HOME=%s %s -e \"%s\""):format(folder, program, code)):gsub("%s+$", "")))
    end
    os.execute("rm -r " .. folder)
    local text = scratch.run(("MXNET_HOME=%s %s -e \"%s\""):format(folder, program,
      "require('hybridlua').gluon.data.vision.FashionMNIST()"))
    assert.truthy(text:find("datasets/fashion-mnist'", 1, true), text)
  end)
end)
