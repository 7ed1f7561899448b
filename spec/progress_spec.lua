-- progress_spec.lua - what a progress bar writes, on a terminal and elsewhere.
local hl = require "hybridlua"
local nd, data = hl.nd, hl.gluon.data

-- A file that keeps what is written to it.
local function page()
  local text = {}
  return { write = function(_, ...) for i = 1, select("#", ...) do text[#text + 1] = (select(i, ...)) end end,
           flush = function() end,
           text = function() return table.concat(text) end }
end

describe("a progress bar", function()
  it("passes a loop's values on, and writes one line where there is no terminal", function()
    local out, seen = page(), {}
    local loader = data.DataLoader(data.ArrayDataset(nd.arange(10):reshape { 5, 2 }, nd.arange(5)), 2)
    local bar = hl.progress(loader:batches(), { desc = "epoch 1", file = out, columns = false })
    for x, y in bar do
      seen[#seen + 1] = { #x, #y }
      bar:postfix { loss = nd.array { .25 }, acc = 1 / 3 }
    end
    assert.same({ { 2, 2 }, { 2, 2 }, { 1, 1 } }, seen)
    assert.truthy(out.text():find "^epoch 1: 100%% 3/3 %[00:00, [%d.e+]+ batches/s, acc 0.3333, loss 0.25%]\n$", out.text())
  end)

  it("draws over itself on a terminal, within its width", function()
    local out = page()
    for _ in hl.progress(4, { desc = "rows", unit = "rows", file = out, columns = 60, every = 0 }) do end
    local lines = {}
    for line in out.text():gmatch "\r([^\27]*)\27%[K" do
      assert.truthy(#line < 60)
      lines[#lines + 1] = line
    end
    assert.truthy(lines[1]:find "^rows:   0%% | +| 0/4 ", lines[1])
    assert.truthy(lines[3]:find "^rows:  50%% |#+ +| 2/4 %[00:00<00:00, ", lines[3])
    assert.truthy(lines[#lines]:find "^rows: 100%% |#+| 4/4 %[00:00, ", lines[#lines])
    assert.equal("\n", out.text():sub(-1))
  end)

  it("leaves nothing where it is told so", function()
    local terminal, log = page(), page()
    for _ in hl.progress(3, { file = terminal, columns = 60, every = 0, leave = false }) do end
    assert.truthy(terminal.text():find "3/3")
    assert.equal("\r\27[K", terminal.text():sub(-4))
    for _ in hl.progress(3, { file = log, leave = false }) do end
    assert.equal("", log.text())
  end)

  it("draws seldom", function()
    local out = page()
    for _ in hl.progress(10000, { file = out, columns = 80, every = 1000 }) do end
    local _, count = out.text():gsub("\r", "")
    assert.equal(2, count)
  end)

  it("goes over numbers, lists, functions and loaders", function()
    local function total(loop)
      local sum = 0
      for x in hl.progress(loop, { disable = true }) do sum = sum + (type(x) == "number" and x or x:sum():asscalar()) end
      return sum
    end
    assert.equal(6, total(3))
    assert.equal(30, total { 10, 20 })
    assert.equal(6, total(data.DataLoader(nd.arange(4), 2)))
    assert.equal(6, total(data.DataLoader(nd.arange(4), 2):batches()))
    local n = 0
    assert.equal(3, total(function() n = n + 1 return n < 3 and n or nil end))
    assert.raises(function() hl.progress(true) end, "progress: expected a DataLoader, an iterator, a list or a number, got boolean")
  end)

  it("ends its line once, also by close", function()
    local out = page()
    do
      local bar <close> = hl.progress(5, { file = out, columns = false })
      for i in bar do if i == 3 then break end end
    end
    assert.truthy(out.text():find "^ 40%% 2/5 %[[^\n]*\n$", out.text())
  end)
end)
