-- data/csv.lua - CSVDataset: rows of numbers from a text file.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local datasets = require "hybridlua.gluon.data.dataset"

local nd = core.op.nd

local CSVDataset = datasets.ArrayDataset:subclass "CSVDataset"

local read = arguments.new("CSVDataset", { "file", "label", "header", "dtype", "label_dtype", "shape" },
                           { label = -1, header = false, dtype = "float32", label_dtype = "int32" })

local function columns(table_, from, to) return table_[(":, %d:%d"):format(from, to)] end

local function without(table_, column)
  local n = table_.shape[2]
  if column == 0 then return columns(table_, 1, n):copy() end
  if column == n - 1 then return columns(table_, 0, n - 1):copy() end
  return nd.concat(columns(table_, 0, column), columns(table_, column + 1, n), { dim = 1 })
end

--- CSVDataset(file, {label = -1, header = false, dtype = "float32", label_dtype = "int32", shape = nil}): one sample
-- per line, with commas between the numbers; the file may be gzipped. label: the label's column, from 0, or negative to
-- count from the end; false for none. header: skips a first line of titles. shape: the shape of each sample's data.
-- Errors name the file and the line.
function CSVDataset:init(...)
  local options = read(...)
  local rows = core.file.read_csv(options.file,
    { header = options.header, dtype = options.dtype == "float64" and "float64" or "float32" })
  local n = rows.shape[2]
  local data, label = rows, nil
  if options.label then
    local column = options.label < 0 and options.label + n or options.label
    if column < 0 or column >= n then fail("CSVDataset: label: expected a column of %d, got %d", n, options.label) end
    label = columns(rows, column, column + 1):reshape({ -1 }):astype(options.label_dtype)
    data = without(rows, column)
  end
  if data.dtype ~= options.dtype then data = data:astype(options.dtype) end
  if options.shape then data = data:reshape { #data, table.unpack(options.shape) } end
  if label then datasets.ArrayDataset.init(self, data, label) else datasets.ArrayDataset.init(self, data) end
end

return CSVDataset
