-- io - MXNet's iterators of batches: hl.io. Each file has its own; all derive from DataIter.
local parts = {}
local FILES = {
  batches = "DataDesc DataBatch", data_iter = "DataIter", ndarray_iter = "NDArrayIter",
  derived_iters = "ResizeIter PrefetchingIter", file_iters = "CSVIter MNISTIter LibSVMIter",
  image_record_iter = "ImageRecordIter",
}
for file, names in pairs(FILES) do
  for name in names:gmatch "%S+" do
    parts[name] = function() return require("hybridlua.io." .. file)[name] end
  end
end

return require "hybridlua.language.module"({}, "hybridlua.io", parts)
