-- foreign_files_spec.lua - files of other formats: loading names the format and says what to do.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd, sym, gluon = hl.nd, hl.sym, hl.gluon

-- A zip file's first local header.
local function zip(name)
  return "PK\3\4" .. ("\0"):rep(22) .. string.pack("<I2I2", #name, 0) .. name .. ("\1"):rep(40)
end

local HEADER = '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'

-- File extension, content, name of the format, advice.
local FORMATS = {
  { "pt", zip "net/data.pkl", "a file of PyTorch", 'torch.load("x.pt"' },
  { "pth", "\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\2", "a file of PyTorch", "numpy.savez" },
  { "safetensors", string.pack("<I8", #HEADER) .. HEADER .. ("\0"):rep(8), "a safetensors file",
    "safetensors.numpy.load_file" },
  { "onnx", "\x08\x07\x12\x07pytorch\x1a\x052.0.0:\x10\n", "an ONNX model", "onnx.numpy_helper" },
  { "h5", "\x89HDF\r\n\x1a\n\0\0", "an HDF5 file", "h5py" },
  { "keras", zip "metadata.json", "a file of Keras", "model.weights" },
  { "pkl", "\x80\4\x95\10\0\0\0", "a pickle of Python's", "numpy.savez" },
  { "mat", "MATLAB 5.0 MAT-file", "a file of MATLAB", "scipy.io.loadmat" },
  { "gguf", "GGUF\3\0\0\0", "a GGUF file", "gguf.GGUFReader" },
  { "parquet", "PAR1\21\4", "a Parquet file", "pandas.read_parquet" },
  { "xlsx", zip "[Content_Types].xml", "a spreadsheet", "save it as .csv" },
  { "csv", "1,2,3\n4,5,6\n", "text with numbers", "gluon.data.CSVDataset" },
  { "txt", "1 2 3\n", "text", "gluon.data.CSVDataset" },
  { "png", "\x89PNG\r\n\x1a\n", "a picture", "hl.image.imread(file) reads it" },
  { "gif", "GIF89a", "a picture", "convert it" },
  { "html", "<!DOCTYPE html>\n<html>", "an HTML page", "download" },
  { "wav", "RIFF\1\2\3\4WAVEfmt ", "sound", "scipy.io.wavfile" },
  { "gz", "\x1f\x8b\8\0", "data packed by gzip", "unpack it first" },
  { "xz", "\xfd7zXZ\0", "data packed by xz", "unpack it first" },
}

describe("a file of another format", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local function net()
    local dense = gluon.nn.Dense(2, { in_units = 2 })
    dense:initialize()
    return dense
  end

  local function message(fn, ...)
    local ok, text = pcall(fn, ...)
    assert.is_false(ok)
    return text
  end

  -- All functions that load `file`.
  local function loads(file)
    return {
      nd = function() nd.load(file) end, hl = function() hl.load(file) end, sym = function() sym.load(file) end,
      block = function() net():load_parameters(file) end,
      dict = function() net():collect_params():load(file) end,
      imports = function() gluon.SymbolBlock.imports(file, { "data" }) end,
      states = function() gluon.Trainer(net():collect_params(), "adam"):load_states(file) end,
    }
  end

  it("is recognized by content under any name, and by extension for unknown content", function()
    for _, format in ipairs(FORMATS) do
      local ending, content, what, advice = table.unpack(format)
      for _, file in ipairs { scratch.write(folder:file("a." .. ending), content),
                              scratch.write(folder:file "plain", content),
                              scratch.write(folder:file("b." .. ending), "\1\2\3") } do
        local text = message(nd.load, file)
        assert.matches("^[^:]*foreign_files_spec.lua:%d+: nd.load: ", text)
        assert.truthy(text:find(file .. ": expected arrays (.params, .npy or .npz), got " .. what, 1, true), text)
        if file:find("." .. ending, 1, true) then assert.truthy(text:find(advice, 1, true), text) end
      end
    end
  end)

  it("is named by every function that loads", function()
    local file = scratch.write(folder:file "net.pt", zip "net/data.pkl")
    for way, load in pairs(loads(file)) do
      local text = message(load)
      assert.truthy(text:find "net.pt: expected .*, got a file of PyTorch; save its arrays in Python: numpy.savez",
        way .. ": " .. text)
      assert.matches("foreign_files_spec.lua:%d+: ", text)
    end
    assert.matches("nd.load_frombuffer: buffer: expected arrays .*, got a file of PyTorch",
      message(nd.load_frombuffer, zip "archive/data.pkl"))
  end)

  it("is distinguished from damaged or misplaced files of ours", function()
    local arrays, symbol = folder:file "a.params", folder:file "s.json"
    nd.save(arrays, { w = nd.ones { 2 } })
    sym.var "x":save(symbol)
    assert.matches("sym.load: .*a.params: expected a Symbol's .json, got arrays; nd.load reads them",
      message(sym.load, arrays))
    assert.matches("nd.load: .*s.json: expected arrays .*, got JSON; sym.load reads", message(nd.load, symbol))
    scratch.write(folder:file "cut.params", scratch.read(arrays):sub(1, 40))
    assert.matches("nd.load: .*cut.params: offset %d+: array 0: ", message(nd.load, folder:file "cut.params"))
    scratch.write(folder:file "cut.pt", scratch.read(arrays):sub(1, 40))
    assert.matches("nd.load: .*cut.pt: offset %d+: array 0: ", message(nd.load, folder:file "cut.pt"))
    nd.save(folder:file "a.npz", { w = nd.ones { 2 } })
    scratch.write(folder:file "cut.npz", scratch.read(folder:file "a.npz"):sub(1, -9))
    assert.matches("nd.load: .*cut.npz: offset %d+: ", message(nd.load, folder:file "cut.npz"))
    scratch.write(folder:file "s2.json", '{"nodes": []}')
    assert.matches("sym.load: .*s2.json: offset 0: expected nodes", message(sym.load, folder:file "s2.json"))
  end)

  it("is loaded if its content is ours", function()
    nd.save(folder:file "ours", { w = nd.ones { 2 } })
    scratch.write(folder:file "ours.pt", scratch.read(folder:file "ours"))
    assert.same({ 1, 1 }, nd.load(folder:file "ours.pt").w:totable())
    assert.same({ 1, 1 }, hl.load(folder:file "ours.pt").w:totable())
  end)

  it("is not written; if Lua can write it, the error says how", function()
    local x = nd.array { { 1, 2 }, { 3, 4 } }
    local text = message(nd.save, folder:file "x.csv", x)
    assert.truthy(text:find('for i, row in pairs(x) do file:write(table.concat(row:totable(), ","), "\\n") end', 1,
      true), text)
    local lines = {}
    for _, row in pairs(x) do lines[#lines + 1] = table.concat(row:totable(), ",") end
    assert.same({ "1.0,2.0", "3.0,4.0" }, lines)
    assert.matches("hl.image.imwrite%(file, x%) writes a .png", message(nd.save, folder:file "x.png", x))
    assert.matches("expected an ending .params[^;]*$", message(nd.save, folder:file "x.safetensors", x))
  end)
end)
