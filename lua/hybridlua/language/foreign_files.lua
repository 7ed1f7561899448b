-- foreign_files.lua - recognizes files of other formats, by their first bytes or else the ending of the name, and says
-- how to use them. Loads call it only if a file is not in a format of hybridlua's.
local fail = require "hybridlua.language.fail"

local foreign_files = {}

-- Python code to write an .npz, which nd.load reads.
local function by_numpy(arrays) return ('save its arrays in Python: numpy.savez("x.npz", **%s)'):format(arrays) end

local UNPACK = "unpack it first"
local DOWNLOAD = "download the file that it refers to"
local EACH = by_numpy "{name: array, ...}"
local CSV = "gluon.data.CSVDataset(file) reads lines of numbers with commas between them"

-- What a load expected, for the error about a file of another kind.
local EXPECTED = {
  arrays = "arrays (.params, .npy or .npz)", json = "a Symbol's .json",
  either = "arrays (.params, .npy or .npz) or a Symbol's .json",
}

-- File name endings, a description, and what to do with such a file; write: how to write one.
local FORMATS = {
  arrays = { "", "arrays", "nd.load reads them" },
  pytorch = { "pt pth ckpt", "a file of PyTorch",
    by_numpy '{k: v.numpy() for k, v in torch.load("x.pt", map_location="cpu").items()}' },
  safetensors = { "safetensors", "a safetensors file", by_numpy 'safetensors.numpy.load_file("x.safetensors")' },
  onnx = { "onnx", "an ONNX model",
    by_numpy '{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load("x.onnx").graph.initializer}' },
  hdf5 = { "h5 hdf5 hdf", "an HDF5 file", by_numpy '{k: h5py.File("x.h5")[k][()] for k in names}' },
  keras = { "keras", "a file of Keras", by_numpy "{w.path: w.numpy() for w in model.weights}" },
  pickle = { "pkl pickle joblib", "a pickle of Python's", EACH },
  tensorflow = { "pb", "a file of TensorFlow", EACH }, tflite = { "tflite", "a file of TensorFlow Lite", EACH },
  gguf = { "gguf ggml", "a GGUF file", by_numpy '{t.name: t.data for t in gguf.GGUFReader("x.gguf").tensors}' },
  matlab = { "mat", "a file of MATLAB",
    by_numpy '{k: v for k, v in scipy.io.loadmat("x.mat").items() if k[0] != "_"}' },
  parquet = { "parquet", "a Parquet file", by_numpy 'dict(pandas.read_parquet("x.parquet").items())' },
  arrow = { "arrow feather", "an Arrow file", by_numpy 'dict(pandas.read_feather("x.feather").items())' },
  spreadsheet = { "xlsx xls ods", "a spreadsheet", "save it as .csv; " .. CSV },
  csv = { "csv tsv", "text with numbers", CSV, write =
    'for i, row in pairs(x) do file:write(table.concat(row:totable(), ","), "\\n") end writes one' },
  text = { "txt", "text", CSV, write = 'file:write(table.concat(row:totable(), " ")) writes a row' },
  json = { "json", "JSON", "sym.load reads a Symbol's" },
  settings = { "yaml yml xml toml ini", "text", "io.open reads it" },
  page = { "html htm", "an HTML page", DOWNLOAD }, pointer = { "", "a pointer of Git LFS", DOWNLOAD },
  picture = { "png jpg jpeg", "a picture", "hl.image.imread(file) reads it",
    write = "hl.image.imwrite(file, x) writes a .png" },
  other_picture = { "gif bmp tif tiff webp", "a picture", "hl.image.imread reads .png and .jpg: convert it",
    write = "hl.image.imwrite(file, x) writes a .png" },
  sound = { "wav mp3 flac ogg", "sound", by_numpy '{"x": scipy.io.wavfile.read("x.wav")[1]}' },
  records = { "", "records", "hl.recordio, gluon.data.RecordFileDataset and gluon.data.vision.ImageRecordDataset \z
    read them" },
  idx = { "", "a file in MNIST's format", "gluon.data.vision.MNIST(folder) reads a folder of them" },
  gzip = { "gz tgz", "data packed by gzip", UNPACK }, bzip2 = { "bz2", "data packed by bzip2", UNPACK },
  xz = { "xz", "data packed by xz", UNPACK }, zstd = { "zst", "data packed by zstd", UNPACK },
  archive = { "zip tar 7z rar", "an archive", UNPACK },
}

local BY_ENDING = {}
for name, format in pairs(FORMATS) do
  for ending in format[1]:gmatch "%S+" do BY_ENDING[ending] = name end
end

-- Patterns of first bytes, tried in this order.
local MAGIC = {
  { "^\x12\x01\0\0\0\0\0\0", "arrays" }, { "^\x93NUMPY", "arrays" },
  { "^\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19%.", "pytorch" },          -- of torch.save before 1.6
  { "^\x80[\2-\5]", "pickle" }, { "^\x89HDF\r\n\x1a\n", "hdf5" }, { "^........{%s*\"", "safetensors" },
  { "^GGUF", "gguf" }, { "^....TFL3", "tflite" }, { "^MATLAB ", "matlab" }, { "^PAR1", "parquet" },
  { "^ARROW1", "arrow" }, { "^FEA1", "arrow" }, { "^\xd0\xcf\x11\xe0", "spreadsheet" },
  { "^\x89PNG\r\n", "picture" }, { "^\xff\xd8\xff", "picture" }, { "^GIF8", "other_picture" },
  { "^BM....\0\0\0\0", "other_picture" }, { "^II%*\0", "other_picture" }, { "^MM\0%*", "other_picture" },
  { "^RIFF....WEBP", "other_picture" }, { "^RIFF....WAVE", "sound" }, { "^ID3", "sound" }, { "^fLaC", "sound" },
  { "^OggS", "sound" }, { "^\x0a\x23\xd7\xce", "records" }, { "^\0\0[\x08-\x0e][\1-\4]\0", "idx" },
  { "^\x1f\x8b", "gzip" }, { "^BZh", "bzip2" }, { "^\xfd7zXZ\0", "xz" }, { "^\x28\xb5\x2f\xfd", "zstd" },
  { "^7z\xbc\xaf\x27\x1c", "archive" }, { "^Rar!", "archive" }, { "^" .. ("."):rep(257) .. "ustar", "archive" },
  { "^\8[\1-\31][\x12\x1a:]", "onnx" }, { "^version https://git%-lfs", "pointer" },
  { "^%s*<!?[DdHh][OoTt][CcMm]", "page" },
}

-- Patterns for the name of a zip file's first member.
local MEMBERS = {
  { "%.npy$", "arrays" }, { "/data%.pkl$", "pytorch" }, { "/%.format_version$", "pytorch" }, { "/version$", "pytorch" },
  { "/%.data/serialization_id$", "pytorch" }, { "/byteorder$", "pytorch" }, { "/constants%.pkl$", "pytorch" },
  { "^metadata%.json$", "keras" }, { "^%[Content_Types%]%.xml$", "spreadsheet" },
}

local function format_of_zip(head)
  local name = #head > 30 and head:sub(31, 30 + head:byte(27) + 256 * head:byte(28)) or ""
  for _, entry in ipairs(MEMBERS) do
    if name:find(entry[1]) then return entry[2] end
  end
end

-- The format of a text; nil if it has control characters.
local function format_of_text(head)
  if head == "" or head:find "[%z\1-\8\14-\26\28-\31\127]" then return nil end
  if head:find "^%s*[{%[]" then return "json" end
  return head:match "^[^\r\n]*":find "," and "csv" or "text"
end

local function format_of(head)
  for _, entry in ipairs(MAGIC) do
    if head:find(entry[1]) then return entry[2] end
  end
  if head:find "^PK[\3\5]" then return format_of_zip(head) end
end

local function format_by_ending(file) return BY_ENDING[(file:match "%.(%w+)$" or ""):lower()] end

--- The format that a file's name ends with, or nil. allowed: a format to ignore.
function foreign_files.is_foreign(file, allowed)
  local name = type(file) == "string" and format_by_ending(file)
  return name ~= nil and name ~= false and name ~= allowed
end

--- "; for ... writes one" for the name of a file to write, or "".
function foreign_files.writing(file)
  local written = FORMATS[format_by_ending(file)].write
  return written and "; " .. written or ""
end

--- Raises for a file of an unexpected kind. expected: "arrays", "json" or "either". head: its first bytes. problem: the
-- error text for an unknown format.
function foreign_files.refuse(who, file, head, expected, problem)
  local name = head ~= "" and (format_of(head) or format_by_ending(file) or format_of_text(head))
  if name and name ~= expected then
    local format = FORMATS[name]
    fail("%s: %s: expected %s, got %s; %s", who, file, EXPECTED[expected], format[2], format[3])
  end
  fail("%s", problem or ("%s: %s: expected %s, got another kind of file"):format(who, file, EXPECTED[expected]))
end

return foreign_files
