-- live_spec.lua - hl.plot.live: curves on a terminal, above a progress bar, and lines in a file.
local hl = require "hybridlua"
local command = require "support.command"
local page = require "support.kept_output"
local at_terminal = command.at_terminal(it, pending)

describe("a live curve", function()
  it("writes plain lines to a file: the first, one per interval, the last", function()
    local out = page()
    local live = hl.plot.live { title = "net", file = out, columns = false, every = 1000 }
    for i = 1, 50 do live:add { loss = 1 / i, accuracy = hl.nd.array { i / 50 } } end
    live:close()
    live:close()
    assert.equal("net: update 1: accuracy 0.02, loss 1\nnet: update 50: accuracy 1, loss 0.02\n", out.text())
  end)

  it("draws its curves with the last values in a terminal", function()
    local out = page()
    local live = hl.plot.live { file = out, columns = 60, rows = 5, every = 0, color = false }
    for i = 1, 3 do live:add { loss = i } end
    live:close()
    assert.truthy(out.text():find "┌" and out.text():find "loss 3" and out.text():find "update")
    assert.is_nil(out.text():find "\27")
    for line in out.text():gmatch "[^\n]+" do assert.is_true(utf8.len(line) < 60) end
  end)

  it("keeps extremes of any number of values in bounded memory", function()
    local live = hl.plot.live { file = page(), columns = false, every = 1e9 }
    for i = 1, 20000 do live:add { loss = i == 777 and 9 or i == 15001 and -9 or i % 2 } end
    local mark = live:figure().all[1].marks[1]
    assert.is_true(#mark.xs <= 1024)
    local found = {}
    for i, y in ipairs(mark.ys) do found[y] = mark.xs[i] end
    assert.equal(777, found[9])
    assert.equal(15001, found[-9])
    for i = 2, #mark.xs do assert.is_true(mark.xs[i] > mark.xs[i - 1]) end
  end)

  it("rejects what is not a value", function()
    local live = hl.plot.live { file = page(), columns = false }
    local function message(...)
      local _, text = pcall(live.add, live, ...)
      return tostring(text)
    end
    assert.truthy(message(3):find("expected a table such as {loss = 0.5}, got number", 1, true))
    assert.truthy(message({ loss = "a" }):find("loss: expected a number or an array of one element, got string", 1,
      true))
    assert.truthy(message({ 1 }):find("expected names of values", 1, true))
    assert.truthy(message({ loss = 1 }, { y = 2 }):find("plot.live: add: unknown option 'y'", 1, true))
    live:add({ loss = 1 }, { x = 50 }):add({ loss = 2 }, 60)
    assert.same({ 50, 60 }, live:figure().all[1].marks[1].xs)
    local _, text = pcall(hl.plot.live, { yscale = "lgo" })
    assert.truthy(tostring(text):find("plot.live: yscale: expected 'linear' or 'log', got 'lgo'", 1, true))
  end)

  at_terminal("stays below output and finished bars, above the running bar", function()
    local script = command.file [[
      local hl = require "hybridlua"
      local live <close> = hl.plot.live { every = 0, rows = 2 }
      for epoch = 1, 2 do
        for i in hl.progress(2, { desc = "epoch " .. epoch, every = 0 }) do
          live:add { loss = i }
          if i == 2 then print "between" end
        end
      end
      live:close()
      print "done"]]
    local output = command.terminal("expect 20000 done\n", "/nowhere", script):gsub("\r\n", "\n")
    assert.truthy(output:find("\r\27%[%d+A\27%[Jbetween\n"), output)
    assert.truthy(output:find("\r\27%[%d+A\27%[J\repoch 1: 100%% [^\n]*\n"), output)
    local last = output:match "^.*(epoch 2: 100%%.*)$"
    assert.truthy(last:find "┌.*┐.*loss.*done\n", last)
  end)

  it("has no control codes in a pipe", function()
    local script = command.file [[
      local hl = require "hybridlua"
      local live <close> = hl.plot.live { every = 1000 }
      for i in hl.progress(3, { desc = "steps" }) do live:add { loss = i } end]]
    local output = command.run(command.program .. " " .. script .. " 2>&1")
    assert.truthy(output:find "^update 1: loss 1\nsteps: 100%% 3/3 [^\n]*\nupdate 3: loss 3\n$", output)
  end)
end)
