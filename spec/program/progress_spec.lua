-- progress_spec.lua - the output of a progress bar, on a terminal and elsewhere.
local hl = require "hybridlua"
local command = require "support.command"
local page = require "support.kept_output"
local nd, data = hl.nd, hl.gluon.data
local at_terminal = command.at_terminal(it, pending)

describe("a progress bar", function()
  it("passes on the values of a loop, and writes one line without a terminal", function()
    local out, seen = page(), {}
    local loader = data.DataLoader(data.ArrayDataset(nd.arange(10):reshape { 5, 2 }, nd.arange(5)), 2)
    local bar = hl.progress(loader:batches(), { desc = "epoch 1", file = out, columns = false })
    for x, y in bar do
      seen[#seen + 1] = { #x, #y }
      bar:postfix { loss = nd.array { .25 }, acc = 1 / 3 }
    end
    assert.same({ { 2, 2 }, { 2, 2 }, { 1, 1 } }, seen)
    assert.truthy(out.text():find "^epoch 1: 100%% 3/3 %[%d%d:%d%d, [%d.e+-]+ batches/s, acc 0.3333, loss 0.25%]\n$",
      out.text())
  end)

  it("redraws itself on a terminal, within its width", function()
    local out = page()
    for _ in hl.progress(4, { desc = "rows", unit = "rows", file = out, columns = 60, every = 0 }) do end
    local lines = {}
    for line in out.text():gmatch "\r([^\27]*)\27%[K" do
      assert.truthy(#line < 60)
      lines[#lines + 1] = line
    end
    assert.truthy(lines[1]:find "^rows:   0%% | +| 0/4 ", lines[1])
    assert.truthy(lines[3]:find "^rows:  50%% |#+ +| 2/4 %[%d%d:%d%d<%d%d:%d%d, ", lines[3])
    assert.truthy(lines[#lines]:find "^rows: 100%% |#+| 4/4 %[%d%d:%d%d, ", lines[#lines])
    assert.equal("\n", out.text():sub(-1))
  end)

  it("leaves nothing with leave = false", function()
    local terminal, log = page(), page()
    for _ in hl.progress(3, { file = terminal, columns = 60, every = 0, leave = false }) do end
    assert.truthy(terminal.text():find "3/3")
    assert.equal("\r\27[K", terminal.text():sub(-4))
    for _ in hl.progress(3, { file = log, leave = false }) do end
    assert.equal("", log.text())
  end)

  it("limits the rate of redraws", function()
    local out = page()
    for _ in hl.progress(10000, { file = out, columns = 80, every = 1000 }) do end
    local _, count = out.text():gsub("\r", "")
    assert.equal(2, count)
  end)

  it("iterates over numbers, lists, functions and loaders", function()
    local function total(loop)
      local sum = 0
      for x in hl.progress(loop, { disable = true }) do
        sum = sum + (type(x) == "number" and x or x:sum():asscalar())
      end
      return sum
    end
    assert.equal(6, total(3))
    assert.equal(30, total { 10, 20 })
    assert.equal(6, total(data.DataLoader(nd.arange(4), 2)))
    assert.equal(6, total(data.DataLoader(nd.arange(4), 2):batches()))
    local n = 0
    assert.equal(3, total(function() n = n + 1 return n < 3 and n or nil end))
    assert.raises(function() hl.progress(true) end,
      "progress: expected a DataLoader, an iterator, a list or a number, got boolean")
  end)

  it("ends its line once, even if closed", function()
    local out = page()
    do
      local bar <close> = hl.progress(5, { file = out, columns = false })
      for i in bar do if i == 3 then break end end
    end
    assert.truthy(out.text():find "^ 40%% 2/5 %[[^\n]*\n$", out.text())
  end)

  it("counts batches of a loader, or to a given number, or iterations", function()
    local function line(loop, options)
      local out = page()
      options.file, options.columns = out, false
      for _ in hl.progress(loop, options) do end
      return out.text()
    end
    local loader = data.DataLoader(nd.arange(4), 2)
    assert.truthy(line(100, {}):find " it/s%]")
    assert.truthy(line({ 1, 2 }, {}):find " it/s%]")
    assert.truthy(line(loader, {}):find " batches/s%]")
    assert.truthy(line(loader:batches(), {}):find " batches/s%]")
    assert.truthy(line(100, { unit = "rows" }):find " rows/s%]")
  end)

  it("ends its line when a loop over it is left by break or by an error", function()
    local out = page()
    for i in hl.progress(5, { file = out, columns = false }) do if i == 3 then break end end
    assert.truthy(out.text():find "^ 40%% 2/5 %[[^\n]*\n$", out.text())
    assert.raises(function() for _ in hl.progress(5, { file = out, columns = false }) do error "in the loop" end end,
      "in the loop")
    assert.truthy(out.text():find "\n  0%% 0/5 %[[^\n]*\n$", out.text())
  end)

  at_terminal("keeps the loop's output above it", function()
    local script = command.file [[
      local hl = require "hybridlua"
      for i in hl.progress(4, { every = 0, leave = false }) do
        if i == 2 then print("between", "lines") end
        if i == 3 then io.write("first ", 7) io.write "" io.write " second\n" end
      end
      for i in hl.progress(2, { every = 1000, desc = "later" }) do if i == 2 then io.write "no end" end end
      print "after all bars"
      io.write "plain\n"]]
    local output = command.terminal("expect 20000 plain\n", "/nowhere", script)
    output = output:gsub("\r\n", "\n")
    assert.truthy(output:find("1/4 %[[^%]]*%]\27%[K\r\27%[Kbetween\tlines\n\r 25%% |[^\n]*1/4 "), output)
    assert.truthy(output:find("2/4 %[[^%]]*%]\27%[K\r\27%[Kfirst 7 second\n\r 50%% |[^\n]*2/4 "), output)
    assert.truthy(output:find("\r\27%[K\rlater:   0%% [^\n]*\r\27%[Kno end\n\rlater: 100%% [^\n]*\n"), output)
    assert.truthy(output:find("\27%[K\nafter all bars\nplain\n"), output)
    local plain = command.run(command.program .. " " .. script .. " 2>/dev/null")
    assert.equal("between\tlines\nfirst 7 second\nno endafter all bars\nplain\n", plain)
  end)
end)
