-- training_log_spec.lua - hl.log.TrainingLog: rows written, continued and read back, in CSV and JSON lines.
local hl = require "hybridlua"

local function content(path)
  local file <close> = io.open(path, "rb")
  return file:read "a"
end

describe("a training log", function()
  local base = os.tmpname()
  local csv, jsonl = base .. ".csv", base .. ".jsonl"
  after_each(function()
    os.remove(csv)
    os.remove(jsonl)
  end)
  teardown(function() os.remove(base) end)

  it("is a CSV file with a header, epoch and update first", function()
    local log = hl.log.TrainingLog(csv)
    log:add { loss = 0.5, epoch = 1, update = 10, accuracy = hl.nd.array { 0.25 } }
    log:add { epoch = 2, update = 20, loss = 1 / 3 }
    log:close()
    assert.equal("epoch,update,accuracy,loss\n1,10,0.25,0.5\n2,20,,0.3333333333333333\n", content(csv))
    assert.same({ { epoch = 1, update = 10, accuracy = 0.25, loss = 0.5 }, { epoch = 2, update = 20, loss = 1 / 3 } },
      hl.log.read_training(csv))
  end)

  it("continues a file with its header", function()
    for epoch = 1, 2 do
      local log <close> = hl.log.TrainingLog(csv)
      log:add { epoch = epoch, loss = 1.5 }
    end
    assert.equal("epoch,loss\n1,1.5\n2,1.5\n", content(csv))
    do
      local log <close> = hl.log.TrainingLog(csv, { append = false, columns = { "loss", "epoch" } })
      log:add { epoch = 3 }
    end
    assert.equal("loss,epoch\n,3\n", content(csv))
  end)

  it("is one JSON object per line, whose names may differ", function()
    do
      local log <close> = hl.log.TrainingLog(jsonl)
      log:add { loss = 0.25, note = 'a "b"\n' }
      log:add { epoch = 1, good = true }
    end
    assert.equal('{"loss": 0.25, "note": "a \\"b\\"\\n"}\n{"epoch": 1, "good": true}\n', content(jsonl))
    assert.same({ { loss = 0.25, note = 'a "b"\n' }, { epoch = 1, good = true } }, hl.log.read_training(jsonl))
  end)

  it("keeps texts, infinities and NaN", function()
    for _, path in ipairs { csv, jsonl } do
      do
        local log <close> = hl.log.TrainingLog(path)
        log:add { a = 'x,"y"\nz', b = math.huge, c = -math.huge, d = 0 / 0, e = "1", f = 1e-300 }
      end
      local row = hl.log.read_training(path)[1]
      assert.same({ 'x,"y"\nz', math.huge, -math.huge, "1", 1e-300 }, { row.a, row.b, row.c, row.e, row.f })
      assert.is_true(row.d ~= row.d)
    end
  end)

  it("rejects unknown columns, values and files", function()
    local log <close> = hl.log.TrainingLog(csv)
    log:add { loss = 1 }
    local function message(fn)
      local good, text = pcall(fn)
      assert.is_false(good)
      return tostring(text)
    end
    assert.truthy(message(function() log:add { los = 1 } end):find("unknown column 'los'", 1, true))
    assert.truthy(message(function() log:add { loss = hl.nd.ones { 2 } } end):find("got an array of 2", 1, true))
    assert.truthy(message(function() log:add(3) end):find("expected a table such as {loss = 0.5}, got number", 1, true))
    assert.truthy(message(function() hl.log.TrainingLog "run.txt" end):find(
      "log.TrainingLog: format: expected 'csv' or 'jsonl', got 'txt'", 1, true))
    assert.truthy(message(function() hl.log.read_training "/none.csv" end):find("log.read_training: path: ", 1, true))
    log:close()
    assert.truthy(message(function() log:add { loss = 1 } end):find("is closed", 1, true))
  end)
end)
