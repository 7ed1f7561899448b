-- io - MXNet's iterators of batches: hl.io. Each file has its own; all derive from DataIter.
local FILES = {
  batches = "DataDesc DataBatch", data_iter = "DataIter", ndarray_iter = "NDArrayIter",
  derived_iters = "ResizeIter PrefetchingIter", file_iters = "CSVIter MNISTIter LibSVMIter",
  image_record_iter = "ImageRecordIter ImageRecordIter_v1 ImageRecordUInt8Iter ImageRecordUInt8Iter_v1",
}

return require "hybridlua.language.module"({}, "hybridlua.io",
  require "hybridlua.language.members"("hybridlua.io", FILES))
