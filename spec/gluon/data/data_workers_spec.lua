-- data_workers_spec.lua - DataLoader's num_workers: batches from worker processes equal those of this process, in order
-- and to the bit; errors are passed on. However a loop ends, no process, file or memory is left.
-- luacheck: ignore 512
local hl = require "hybridlua"
local core = require "hybridlua.core"
local command = require "support.command"
local scratch = require "support.scratch"
local nd, gluon = hl.nd, hl.gluon
local data, nn = gluon.data, gluon.nn

local function line_of(file)
  local handle <close> = io.open(file)
  return handle and handle:read "l"
end

-- The number of this process's workers, counted as children with its name; running compilers have another.
local function count_children()
  local pipe = io.popen "cat /proc/$PPID/task/*/children"
  local n, name = 0, line_of "/proc/self/comm"
  for pid in pipe:read "a":gmatch "%d+" do
    if line_of(("/proc/%s/comm"):format(pid)) == name then n = n + 1 end
  end
  pipe:close()
  return n
end

-- The number of open files that workers share with this process.
local function open_files()
  local pipe = io.popen "ls -l /proc/$PPID/fd | grep -c -e socket: -e memfd:"
  local n = tonumber(pipe:read "a")
  pipe:close()
  return n
end

local function everything(loader)
  local list = {}
  for first, second in loader:batches() do
    list[#list + 1] = first:tobytes() .. tostring(first.shape) .. first.dtype
    if second ~= nil then list[#list + 1] = core.array.is(second) and second:tobytes() or tostring(second) end
  end
  return list
end

describe("a DataLoader's workers", function()
  local x, y = nd.arange(46):reshape { 23, 2 }, nd.arange(23, { dtype = "int32" })
  local function random_transform(a, b) return a + nd.random.normal { shape = { 2 } }, b end

  it("produce the same batches, order and random numbers as without workers", function()
    local sets = {
      plain = function() return data.ArrayDataset(x, y) end,
      random = function() return data.ArrayDataset(x, y):transform(random_transform) end,
      list = function() return data.SimpleDataset { 1, 2, 3, 4, 5, 6, 7 } end,
      whole = function()
        return data.ArrayDataset(nd.random.randint(0, 255, { shape = { 9, 4, 4, 3 } }):astype "uint8", nd.arange(9))
          :transform_first(data.vision.transforms.ToTensor())
      end,
      network = function()                      -- products, dropout and a hybridized block
        local net = nn.HybridSequential()
        net:add(nn.Dense(300, { activation = "tanh" }), nn.Dense(200))
        net:initialize()
        net:hybridize()
        net(nd.ones { 300, 40 })
        return data.ArrayDataset(nd.random.normal { shape = { 5, 300, 40 } }, nd.arange(5)):transform_first(net)
      end,
    }
    local options = { { shuffle = true }, { last_batch = "discard", shuffle = true }, { last_batch = "rollover" } }
    for name, make in pairs(sets) do
      for _, how in ipairs(options) do
        local expected
        for n = 0, 4 do
          for _, prefetch in ipairs(n == 0 and { false } or { 0, 1, 9 }) do
            hl.random.seed(11)
            local loader = data.DataLoader(make(), 2, { num_workers = n, prefetch = prefetch or nil,
              shuffle = how.shuffle, last_batch = how.last_batch })
            local got = { everything(loader), everything(loader), nd.random.uniform { shape = { 1 } }:tobytes() }
            expected = expected or got
            assert.same(expected, got, ("%s, %d workers, prefetch %s"):format(name, n, tostring(prefetch)))
          end
        end
      end
    end
    assert.equal(0, count_children())
  end)

  it("draw new numbers in each pass, and the same for equal seeds", function()
    local function passes(n)
      hl.random.seed(5)
      local loader = data.DataLoader(data.ArrayDataset(x, y):transform(random_transform), 4, { num_workers = n })
      return everything(loader), everything(loader)
    end
    local first, second = passes(2)
    assert.not_same(first, second)
    assert.same(first, (passes(1)))
    assert.not_same(first[1], first[3])
  end)

  it("send every kind of value that a batch may hold", function()
    local sent = { nd.ones({ 2, 0 }, { dtype = "int8" }), 3, 2.5, -1e300, "a\0b", true, false,
      { 1, { 2, "x" }, name = nd.arange(3), [2.5] = false } }
    local function given(n)
      local results = {}
      local loader = data.DataLoader({ 1, 2 }, 1, { num_workers = n, batchify_fn = function(s)
        return nd.full({ 1 }, s[1], { ctx = hl.cpu(1) }), nil, table.unpack(sent)
      end })
      for i, batch in pairs(loader) do results[i + 1] = batch end
      return results
    end
    local here, there = given(0), given(1)
    assert.equal(2, #there)
    for i = 1, 2 do
      local a, b = here[i], there[i]
      assert.bits(a[1], b[1])
      assert.equal(hl.cpu(1), b[1].context)
      assert.is_nil(b[2])
      assert.bits(a[3], b[3])
      for k = 4, 9 do assert.equal(math.type(a[k]), math.type(b[k])) assert.equal(a[k], b[k]) end
      assert.same({ 2, "x" }, b[10][2])
      assert.same({ 0, 1, 2 }, b[10].name:totable())
      assert.is_false(b[10][2.5])
    end
    local loader = data.DataLoader({ 1 }, 1, { num_workers = 1, batchify_fn = function() return print end })
    assert.raises(function() everything(loader) end, "DataLoader: a worker cannot send a function: expected NDArrays")
  end)

  it("use the script's values from the start of the pass", function()
    local scale, seen = 1, {}
    local loader = data.DataLoader(data.ArrayDataset(x, y):transform(function(a, b) return a * scale, b end), 23,
      { num_workers = 2 })
    for _, s in ipairs { 1, 3 } do
      scale = s
      for a in loader do seen[#seen + 1] = a[{ 1, 0 }]:asscalar() end
    end
    assert.same({ 2, 6 }, seen)
  end)

  it("send batches of growing size", function()
    local loader = data.DataLoader({ 1, 200, 30000, 5, 2000000, 7 }, 1, { num_workers = 2, prefetch = 3,
      batchify_fn = function(s) return nd.full({ s[1] }, s[1]) end })
    local sizes = {}
    for a in loader do
      assert.equal(a.size, a[a.size - 1]:asscalar())
      assert.equal(a.size, a[0]:asscalar())
      sizes[#sizes + 1] = a.size
    end
    assert.same({ 1, 200, 30000, 5, 2000000, 7 }, sizes)
  end)

  it("pass on an error with its line, and end", function()
    local function failing(what)
      return data.SimpleDataset { 1, 2, 3, 4, 5 }:transform(function(a)
        if a == 4 then error(what) end
        return a
      end)
    end
    local texts = {}
    for n = 0, 3 do
      local taken = 0
      local ok, message = pcall(function()
        for _ in data.DataLoader(failing "boom", 1, { num_workers = n }) do taken = taken + 1 end
      end)
      assert.is_false(ok)
      assert.equal(3, taken)
      texts[n + 1] = message
      assert.equal(0, count_children())
    end
    assert.truthy(texts[1]:find "data_workers_spec.lua:%d+: boom$", texts[1])
    for n = 1, 3 do assert.equal(texts[1], texts[n + 1]) end
    local shapes = { nd.ones { 2 }, nd.ones { 3 } }
    for n = 0, 1 do
      assert.raises(function() everything(data.DataLoader(shapes, 2, { num_workers = n })) end,
        "data_workers_spec.lua:%d+: batchify: expected samples of one shape, got %(2,%) and %(3,%)")
      local ok, value = pcall(everything, data.DataLoader(failing { code = 7 }, 1, { num_workers = n }))
      assert.is_false(ok)
      assert.equal(7, value.code)
    end
  end)

  it("are reported if killed or late", function()
    local function loader(code, options)
      options.num_workers = 2
      options.batchify_fn = function(s)
        if s[1] == 2 then os.execute(code) end
        return nd.full({ 1 }, s[1])
      end
      return data.DataLoader({ 1, 2, 3, 4 }, 1, options)
    end
    local ok, message = pcall(everything, loader("kill -9 $PPID", {}))
    assert.is_false(ok)
    assert.truthy(message:find "data_workers_spec.lua:%d+: DataLoader: worker 2 was killed by signal 9, at batch 1$",
      message)
    assert.equal(0, count_children())
    local began = hl.time()
    ok, message = pcall(everything, loader("sleep 20", { timeout = 0.3 }))
    assert.is_false(ok)
    assert.truthy(message:find("DataLoader: worker 2 timed out after 0.3 seconds", 1, true), message)
    assert.truthy(hl.time() - began < 10)
    assert.equal(0, count_children())
  end)

  it("leave nothing behind if a loop is left", function()
    local loader = data.DataLoader(data.ArrayDataset(x, y):transform(random_transform), 2, { num_workers = 2 })
    local function leave_all()
      for _ in loader:batches() do break end
      assert.equal(0, count_children())
      for _ in hl.progress(loader:batches(), { disable = true }) do break end
      for _ in hl.progress(loader, { disable = true }) do break end
      assert.equal(0, count_children())
      pcall(function() for _ in loader:batches() do error "enough" end end)
      assert.equal(0, count_children())
      for _ in loader do break end
      for _ in pairs(loader) do break end
      collectgarbage()
      assert.equal(0, count_children())
      for _ in loader do break end
      for _ in loader:batches() do assert.equal(2, count_children()) break end     -- a new pass ends the previous one
      assert.equal(0, count_children())
    end
    leave_all()
    local before = open_files()
    for _ = 1, 5 do leave_all() end
    assert.equal(before, open_files())
  end)

  it("work in nested loops", function()
    local loader = data.DataLoader(data.ArrayDataset(x, y):transform(random_transform), 8, { num_workers = 2 })
    local pairs_ = 0
    for a in loader do
      for b in loader do
        assert.same({ a.shape[2], b.shape[2] }, { 2, 2 })
        pairs_ = pairs_ + 1
      end
    end
    assert.equal(9, pairs_)
    assert.equal(0, count_children())
  end)

  it("do not change the threads of this process", function()
    local threads = core.host.threads()
    core.host.threads(2)
    local a = nd.random.normal { shape = { 400, 400 } }
    local before = nd.dot(a, a)
    local loader = data.DataLoader({ 1, 2, 3 }, 1, { num_workers = 2, batchify_fn = function()
      return nd.dot(a, a) + core.host.threads()
    end })
    local count = 0
    for product in loader do
      assert.allclose(product - 1, before, 1e-4, 1e-4)
      assert.bits(before, nd.dot(a, a))
      count = count + 1
    end
    assert.equal(3, count)
    core.host.threads(threads)
  end)

  it("build batches while the loop is busy", function()
    local folder = scratch.folder()
    local marked = data.SimpleDataset { 1, 2, 3, 4, 5 }:transform(function(a)
      scratch.write(folder:file(("made%d"):format(a)), "")
      return a
    end)
    local function is_made(n)
      local file <close> = io.open(folder:file(("made%d"):format(n)))
      return file ~= nil
    end
    local function becomes_made(n)                              -- a busy machine may need up to a minute
      for _ = 1, 1200 do
        if is_made(n) then return true end
        os.execute "sleep 0.05"
      end
      return false
    end
    for num_workers = 0, 2 do
      for n = 1, 5 do os.remove(folder:file(("made%d"):format(n))) end
      for _ in data.DataLoader(marked, 1, { num_workers = num_workers }):batches() do
        if num_workers == 0 then assert.is_false(is_made(2)) else assert.is_true(becomes_made(2)) end
        break
      end
    end
    folder:remove()
  end)

  it("end with the script, however it ends #once", function()
    local function run(ending)
      local folder = scratch.folder()
      local script = scratch.write(folder:file "s.lua", ([[
        local hl = require "hybridlua"
        local data = hl.gluon.data
        local marks = data.SimpleDataset{1, 2, 3, 4, 5, 6, 7, 8}:transform(function(a)
          os.execute("echo $PPID >> %s/pids")
          if a > 2 then os.execute "sleep 0.3" end
          return a
        end)
        io.write "once "
        for x in data.DataLoader(marks, 1, {num_workers = 2}) do %s end
      ]]):format(folder.path, ending))
      local output = scratch.run(("timeout -s INT 5 %s %s %s"):format(command.foreground, command.program, script))
      scratch.run "sleep 0.5"
      local alive = {}
      for pid in scratch.read(folder:file "pids"):gmatch "%d+" do
        local stat <close> = io.open(("/proc/%s/stat"):format(pid))
        local state = stat and stat:read "a":match "%) (%u)"            -- Z: already ended, not yet reaped by init
        if pid ~= "1" and state and state ~= "Z" then alive[#alive + 1] = pid end
      end
      folder:remove()
      assert.same({}, alive, ending)
      return output
    end
    for _, ending in ipairs { "break", "error 'enough'", "os.exit(3)", "os.exit(3, true)", "" } do
      assert.equal(1, select(2, run(ending):gsub("once ", "")), ending)
    end
    run "os.execute 'kill -9 $PPID'"
    local output = run "os.execute 'kill -INT $PPID; sleep 1'"
    assert.truthy(output:find "interrupted at", output)
  end)

  it("do not block Ctrl-C while a batch is awaited #once", function()
    local folder = scratch.folder()
    local script = scratch.write(folder:file "s.lua", [[
      local hl = require "hybridlua"
      local slow = hl.gluon.data.SimpleDataset{1, 2}:transform(function(a) os.execute "sleep 30" return a end)
      for x in hl.gluon.data.DataLoader(slow, 1, {num_workers = 2}) do end
    ]])
    local began = hl.time()
    local output, code = scratch.run(("timeout -s INT 3 %s %s %s"):format(command.foreground, command.program,
      script))
    assert.truthy(output:find "interrupted at .*s.lua:3", output)
    assert.truthy(code ~= 0)
    assert.truthy(hl.time() - began < 25)
    folder:remove()
  end)

  it("are rejected in a traced block", function()
    local loader = data.DataLoader({ 1, 2 }, 1, { num_workers = 1 })
    local net = nn.HybridLambda(function(_, a)
      for _ in loader do a = a + 1 end
      return a
    end)
    net:hybridize()
    assert.raises(function() net(nd.ones { 1 }) end, "a loop over a DataLoader with num_workers%(%) in a traced block")
  end)
end)
