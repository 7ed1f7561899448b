-- engine_runtime_spec.lua - hl.engine and hl.runtime, which scripts for MXNet ask and set.
local hl = require "hybridlua"

describe("hl.engine", function()
  it("keeps the size of bulks", function()
    assert.equal(15, hl.engine.set_bulk_size(3))
    assert.equal(7, hl.engine.bulk(5, function() return 7 end))
    do
      local _ <close> = hl.engine.bulk(10)
      assert.equal(10, hl.engine.set_bulk_size(10))
    end
    assert.equal(3, hl.engine.set_bulk_size(15))
    assert.raises(function() hl.engine.bulk(-1) end, "set_bulk_size: size: expected an integer of 0 or more")
  end)
end)

describe("hl.runtime", function()
  it("says which features the build has", function()
    local features = hl.runtime.Features()
    assert.is_false(features:is_enabled "CUDA")
    assert.is_true(features:is_enabled "openmp")
    assert.equal(32, #hl.runtime.feature_list())
    assert.equal("[✖ CUDNN]", tostring(features.CUDNN))
    assert.truthy(tostring(features):find("[✔ PROFILER]", 1, true))
    assert.raises(function() features:is_enabled "CUDAA" end, "Feature 'CUDAA' is unknown.*did you mean 'CUDA'")
  end)
end)

describe("hl.executor and hl.libinfo", function()
  it("hold the class and the version", function()
    local executor = hl.sym.var "x":bind { args = { x = hl.nd.ones { 1 } } }
    assert.is_true(hl.isinstance(executor, hl.executor.Executor))
    assert.equal(hl.__version__, hl.libinfo.__version__)
    assert.raises(function() hl.executor.Executor() end, "write symbol:bind")
  end)
end)
