-- image_records.lua - ImageRecordDataset: labelled images from a record file.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local image = require "hybridlua.image"
local recordio = require "hybridlua.recordio"
local RecordFileDataset = require "hybridlua.gluon.data.record_file"

local ImageRecordDataset = RecordFileDataset:subclass "ImageRecordDataset"

local read = arguments.new("ImageRecordDataset", "filename flag transform", { flag = 1 })

--- ImageRecordDataset(filename, {flag = 1, transform = nil}): the PNG or JPEG images of a file NAME.rec with the index
-- NAME.idx, as written by MXNet's im2rec, and their labels, numbers or NDArrays. flag: 0 for gray, 1 for colours (red,
-- green, blue); transform(data, label) changes both.
function ImageRecordDataset:init(...)
  local options = read(...)
  local filename, flag, transform = options.filename, options.flag, options.transform
  checks.colour_flag("ImageRecordDataset: flag", flag)
  if transform ~= nil then checks.callable("ImageRecordDataset: transform", transform, "data and label") end
  self.flag, self.transform_sample = flag, transform
  RecordFileDataset.init(self, filename)
end

function ImageRecordDataset:get(i)
  local header, bytes = recordio.unpack(RecordFileDataset.get(self, i))
  local data = image.imdecode(bytes, { flag = self.flag })
  if self.transform_sample then return self.transform_sample(data, header.label) end
  return data, header.label
end

arguments.as_above(ImageRecordDataset)

return ImageRecordDataset
