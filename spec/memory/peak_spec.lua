-- peak_spec.lua - a compiled training step needs no more memory than an eager one. The execution order is chosen for
-- that (src/pass/compute_order.c), and few values may wait for a fused kernel. The nets are in
-- spec/support/peak_child.lua.
local command = require "support.command"

-- The peak in bytes, and the bits of the gradients.
local function measure(net, way, jit)
  local said = command.run(("HYBRIDLUA_JIT=%s %s spec/support/peak_child.lua %s %s"):format(jit, command.program, net,
    way))
  local peak, bits = said:match "^(%d+)\t(%x[%x ]*)\n$"
  assert.truthy(peak, said)
  return tonumber(peak), bits
end

describe("the peak of a training step", function()
  for net, tag in pairs { layer = " #once", mlp = "", lenet = " #once", attention = " #once" } do
    for _, jit in ipairs { "off", "sync" } do
      it(("of %s is at most as high compiled as eager, HYBRIDLUA_JIT=%s%s"):format(net, jit, tag), function()
        local eager, expected = measure(net, "eager", "off")
        local compiled, bits = measure(net, "compiled", jit)
        assert.equal(expected, bits)
        assert.truthy(compiled <= eager, ("%d bytes eager, %d compiled"):format(eager, compiled))
      end)
    end
  end

  it("of a layer used 50 times holds a few gradients, not all #once", function()
    assert.truthy(measure("layer", "compiled", "sync") < 30e6)
  end)
end)
