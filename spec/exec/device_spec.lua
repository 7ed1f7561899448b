-- device_spec.lua - arrays that are not in host memory. spec/native/guarded.c is a device whose memory faults if
-- anything but its kernels and memory functions touches it.
local command = require "spec.support.command"

local SCRIPT = "spec/support/guarded_training.lua"

local function run(arguments, settings)
  return command.run((settings or "") .. " build/guarded " .. arguments)
end

describe("a device with memory of its own", function()
  for _, mode in ipairs { "eager", "hybridized", "compiled" } do
    it("trains an MLP with the bits of the host: " .. mode, function()
      local expected, code = run(SCRIPT .. " cpu " .. mode)
      assert.equal(0, code, expected)
      assert.equal(24, select(2, expected:gsub("true", "")))
      for _, settings in ipairs { "", "GUARDED_END=1" } do
        local got, status = run(SCRIPT .. " gpu " .. mode, settings)
        assert.equal(0, status, got)
        assert.equal(expected, got)
      end
    end)
  end

  it("moves arrays, reads and writes elements, and prints", function()
    local output, code = run(command.file [[
      local hl = require "hybridlua"
      local nd, gpu = hl.nd, hl.gpu(1)
      local x = nd.array({ { 1, 2 }, { 3, 4 } }, { ctx = gpu })
      local there, here = x:as_in_context(hl.gpu(0)), x:as_in_context(hl.cpu())
      print(x, there.context, here:sum():asscalar(), x.context, #hl.list_gpus())
      print(table.concat(x:reshape { 4 }:totable(), " "), x:tobytes() == nd.array { { 1, 2 }, { 3, 4 } }:tobytes())
      local y = nd.zeros({ 2, 2 }, { ctx = gpu })
      x:copyto(y)
      print(y)
    ]])
    assert.equal(0, code, output)
    assert.equal(2, select(2, output:gsub("%[%[1. 2.%]\n %[3. 4.%]%]\n<NDArray 2x2 @gpu%(1%)>", "")), output)
    assert.match("\tgpu%(0%)\t10.0\tgpu%(1%)\t2\n1.0 2.0 3.0 4.0\ttrue\n", output)
  end)

  it("rejects operators without a kernel, eagerly and compiled", function()
    local output = run(command.file [[
      local hl = require "hybridlua"
      local x = hl.nd.ones({ 2, 2 }, { ctx = hl.gpu(0) })
      print(select(2, pcall(hl.nd.sort, x)))
      print(select(2, pcall(hl.compile(function(F, a) return F.sort(a) end), x)))
      print(select(2, pcall(hl.nd.ones, { 1 }, { ctx = hl.gpu(2) })))
    ]])
    local sentence = "sort: no kernel in a gpu context; move the arrays with as_in_context"
    assert.equal(2, select(2, output:gsub(sentence, "")), output)
    assert.match("context gpu%(2%): expected a number below 2", output)
  end)

  it("rejects updates and added gradients without a kernel", function()
    local output = run(command.file [[
      local hl = require "hybridlua"
      local nd, autograd, gpu = hl.nd, hl.autograd, hl.gpu(0)
      local p = hl.gluon.Parameter("w", { shape = { 4 } })
      p:initialize { init = hl.initializer.One(), ctx = gpu }
      local trainer = hl.gluon.Trainer({ p }, "ftrl", {})
      autograd.record(function() return nd.elemwise_add(p:data(gpu), p:data(gpu)) end):backward()
      print(select(2, pcall(trainer.step, trainer, 1)))
      print(table.concat(p:data(gpu):totable(), " "))
      for _, dtype in ipairs { "float32", "float64" } do
        local x = nd.ones({ 2 }, { ctx = gpu, dtype = dtype })
        print(select(2, pcall(x.attach_grad, x, "add")))
        for _ = 1, 2 do
          if x.grad then autograd.record(function() return nd.elemwise_add(x, x) end):backward() end
        end
        if x.grad then print(table.concat(x.grad:totable(), " ")) end
      end
    ]])
    assert.match("ftrl_update: no kernel in a gpu context; move the arrays with as_in_context\n1.0 1.0 1.0 1.0\n",
                 output)
    assert.match("\n4.0 4.0\n", output)
    assert.match("attach_grad: grad_req: expected 'write' or 'null' for float64, which is not added, got 'add'", output)
  end)

  it("faults if a kernel touches memory that it did not open", function()
    local output, code = run(command.file [[
      local hl = require "hybridlua"
      print(hl.nd.abs(hl.nd.ones({ 2 }, { ctx = hl.gpu(0) })))
    ]])
    assert.match("^Segmentation fault", output)
    assert.equal(139, code)
  end)
end)
