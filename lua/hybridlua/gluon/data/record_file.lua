-- record_file.lua - RecordFileDataset: the records of an indexed record file.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local recordio = require "hybridlua.recordio"
local Dataset = require "hybridlua.gluon.data.dataset".Dataset

local RecordFileDataset = Dataset:subclass "RecordFileDataset"

local read = arguments.new("RecordFileDataset", { "filename" })

--- RecordFileDataset(filename): the records of a file NAME.rec as strings, in the order of its index NAME.idx.
function RecordFileDataset:init(...)
  local filename = read(...).filename
  if type(filename) ~= "string" then fail("RecordFileDataset: filename: expected a name, got %s", type(filename)) end
  self.filename = filename
  self.record = recordio.MXIndexedRecordIO(filename:gsub("%.[^./]*$", "") .. ".idx", filename, "r")
end

function RecordFileDataset:__len() return #self.record.keys end

function RecordFileDataset:get(i) return self.record:read_idx(self.record.keys[self:check_place(i) + 1]) end

arguments.as_above(RecordFileDataset)

return RecordFileDataset
