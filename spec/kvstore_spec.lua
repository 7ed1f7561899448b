-- kvstore_spec.lua - hl.kvstore: values by key in one process. The values are those of MXNet 1.9.1.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local nd = hl.nd

describe("a KVStore", function()
  local kv, ones, out
  before_each(function()
    kv, ones, out = hl.kvstore.create "local", nd.ones { 2 }, nd.zeros { 2 }
    kv:init(3, ones * 2)
  end)

  it("stores, sums and returns", function()
    assert.same({ "local", 0, 1 }, { kv.type, kv.rank, kv.num_workers })
    kv:pull(3, out)
    assert.same({ 2, 2 }, out:totable())
    kv:push(3, { ones, ones * 3 })
    kv:pull(3, { out = out })
    assert.same({ 4, 4 }, out:totable())
    local outs = { nd.zeros { 2 }, nd.zeros({ 2 }, { ctx = hl.cpu(1) }) }
    kv:pushpull(3, { ones, ones:as_in_context(hl.cpu(1)) }, outs)
    assert.same({ 2, 2 }, outs[1]:totable())
    assert.same({ 2, 2 }, outs[2]:totable())
    kv:init({ 5, 7 }, { ones, ones * 2 })
    kv:pushpull({ 5, 7 }, { { ones, ones }, ones }, { outs[1], outs[2] })
    assert.same({ 2, 2 }, outs[1]:totable())
    assert.same({ 1, 1 }, outs[2]:totable())
    kv:broadcast(9, ones * 9, out)
    assert.same({ 9, 9 }, out:totable())
    assert.equal("device", hl.kv.create("device").type)
    assert.is_true(kv:is_capable "optimizer")
  end)

  it("updates by a function or an optimizer", function()
    kv:set_updater(function(key, grad, value) value:set(value + grad * key) end)
    kv:push(3, { ones, ones })
    kv:pull(3, out)
    assert.same({ 8, 8 }, out:totable())
    local named = hl.kvstore.create()
    named:init("w", ones)
    named:set_optimizer(hl.optimizer.SGD { learning_rate = 0.5, momentum = 0.5 })
    named:push("w", ones)
    local folder <close> = setmetatable({ scratch.folder() }, { __close = function(self) self[1]:remove() end })
    local file = folder[1]:file "states"
    named:save_optimizer_states(file)
    local function next_value()
      named:push("w", ones)
      named:pull("w", out)
      return out:totable()
    end
    assert.same({ -0.25, -0.25 }, next_value())
    named:load_optimizer_states(file)
    assert.same({ -1, -1 }, next_value())
    assert.raises(function() kv:save_optimizer_states(file) end, "KVStore.save_optimizer_states: there is no optimizer")
  end)

  it("has MXNet's kinds and private names", function()
    local other = hl.kvstore.create "local_allreduce_cpu"
    assert.equal("local_allreduce_cpu", other.type)
    other:init("a", nd.zeros { 2 })
    other:_set_updater(function(_, gradient, value) value:add_(gradient * 2) end)
    other:push("a", nd.ones { 2 })
    other:_barrier()
    other:set_optimizer(hl.optimizer.create("test", { rescale_grad = 3 }))
    other:push("a", nd.ones { 2 })
    local got = nd.zeros { 2 }
    other:pull("a", got)
    assert.same({ 5, 5 }, got:totable())
  end)

  it("refuses what it does not have or cannot do", function()
    assert.raises(function() kv:init(3, ones) end, "KVStore.init: key: '3' has a value already")
    assert.raises(function() kv:push(4, ones) end,
      "KVStore.push: key: '4' has no value; call kv:init%(key, value%) first")
    assert.raises(function() kv:init("s", ones) end,
      "KVStore.init: key: expected a number, as the keys before, got the string s")
    assert.raises(function() kv:push(3, nd.ones { 3 }) end, "KVStore.push: key '3': expected shape %(2,%), got %(3,%)")
    assert.raises(function() kv:pull(3) end, "KVStore.pull: out: expected an NDArray or a list of them, got nothing")
    assert.raises(function() kv:push({ 3, 4 }, { ones }) end,
      "KVStore.push: value: expected 2, one for each key, got 1")
    assert.raises(function() kv:push(1.5, ones) end, "KVStore.push: key: expected an integer or a string, got number")
    assert.raises(function() kv:row_sparse_pull(3, out) end, "KVStore.row_sparse_pull: sparse arrays are not supported")
    assert.raises(function() kv:set_gradient_compression { type = "2bit" } end, "nothing is compressed")
    assert.raises(function() kv:set_optimizer "sgd" end,
      "KVStore.set_optimizer: optimizer: expected an Optimizer, got string")
    assert.raises(function() kv:set_updater(3) end, "KVStore.set_updater: updater: expected a function")
    for _, name in ipairs { "dist_sync", "dist_async", "nccl", "p3store_dist" } do
      assert.raises(function() hl.kvstore.create(name) end,
        "kvstore.create: name: expected 'local' or 'device', got '" .. name .. "'; training runs in one process")
    end
    assert.raises(function() hl.kvstore.create "memory" end,
      "kvstore.create: name: expected 'local' or 'device', got 'memory'")
  end)
end)
