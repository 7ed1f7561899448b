-- damage_spec.lua - damaged files never crash or hang a load: every truncation, every flipped bit, and random damage.
-- A damaged .params file that hybridlua wrote is always rejected.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local scratch = require "support.scratch"
local nd, sym = hl.nd, hl.sym

local RANDOM = tonumber(os.getenv "HYBRIDLUA_DAMAGES" or 2000)     -- random damages per kind of file
local SLOWEST = 1                                                  -- CPU seconds allowed for a damaged file

describe("damaged files", function()
  local folder
  setup(function() folder = scratch.folder() end)
  teardown(function() folder:remove() end)

  local arrays = { ["arg:weight"] = nd.array { { 1, 2, 3 }, { 4, 5, 6 } },
    ["aux:n"] = nd.array({ 7 }, { dtype = "int64" }) }

  local function saved(name, data)
    nd.save(folder:file(name), data)
    return scratch.read(folder:file(name))
  end

  local function picture(name) return scratch.read("spec/oracle/pictures/" .. name) end

  -- For each kind of file: the function that loads it from a text, and a small valid file.
  local function from_file(load, name) return function(text) return load(scratch.write(folder:file(name), text)) end end
  local kinds = {
    { name = ".params", load = nd.load_frombuffer, good = function() return saved("x.params", arrays) end,
      never = true },
    { name = ".params list", load = nd.load_frombuffer,
      good = function() return saved("l.params", { nd.ones { 3 }, nd.zeros {} }) end,
      never = true },
    { name = ".npy", load = nd.load_frombuffer, good = function() return saved("x.npy", arrays["arg:weight"]) end },
    { name = ".npz", load = nd.load_frombuffer, good = function() return saved("x.npz", arrays) end },
    { name = ".npz, deflated", load = nd.load_frombuffer,
      good = function() return scratch.read "spec/oracle/legacy/ab.npz" end },
    { name = "MXNet's .params", load = nd.load_frombuffer,
      good = function() return scratch.read "spec/oracle/legacy/dtypes.params" end },
    { name = "symbol", load = sym.load_json, good = function()
      local x = sym.var("x", { shape = { 0, 4 } })
      return sym.Group { sym.sum(sym.relu(x, { name = "r" }), { axis = { 0, 1 }, keepdims = true, name = "s" }),
        x + 2 }:tojson()
    end },
    { name = "idx", load = from_file(core.file.read_idx, "x.idx"),
      good = function() return string.pack(">BBBBI4I4", 0, 0, 12, 2, 2, 3) ..
      ("\1\2\3\4"):rep(6) end },
    { name = "csv", load = from_file(core.file.read_csv, "x.csv"),
      good = function() return "1,2,3\n4,5,6\n-7e1,.8,nan\n" end },
    { name = "csv.gz", load = from_file(core.file.read_csv, "x.csv.gz"), good = function()
      scratch.run(("gzip -f -k '%s'"):format(scratch.write(folder:file "y.csv", ("1,2,3\n4,5,6\n"):rep(50))))
      return scratch.read(folder:file "y.csv.gz")
    end },
    { name = "PNG", load = hl.image.imdecode, good = function() return picture "palette.png" end },
    { name = "PNG, interlaced", load = from_file(hl.image.imread, "x.png"),
      good = function() return picture "interlaced.png" end },
    { name = "JPEG", load = hl.image.imdecode, good = function() return picture "gray.jpg" end },
    { name = "JPEG, progressive", load = from_file(hl.image.imread, "x.jpg"),
      good = function() return picture "progressive.jpg" end },
  }

  -- Loads a damaged text: the result is an error with a message, or any value.
  local function try(kind, text, what)
    local start = os.clock()
    local ok, result = pcall(kind.load, text)
    assert.truthy(os.clock() - start < SLOWEST, what)
    if ok then return true end
    assert.equal("string", type(result))
    assert.truthy(result:find ": ", what)
    return false
  end

  for _, kind in ipairs(kinds) do
    describe(kind.name, function()
      it("load or are rejected if cut off anywhere", function()
        local good = kind.good()
        assert.truthy(try(kind, good, "undamaged"))
        for n = 0, #good - 1 do
          local taken = try(kind, good:sub(1, n), "cut to " .. n)
          if kind.name ~= "csv" then assert.falsy(taken, "cut to " .. n) end
        end
      end)

      it("load or are rejected with any bit flipped", function()
        local good = kind.good()
        for at = 1, #good do
          for bit = 0, 7 do
            local flipped = good:sub(1, at - 1) .. string.char(good:byte(at) ~ (1 << bit)) .. good:sub(at + 1)
            local taken = try(kind, flipped, ("bit %d of byte %d"):format(bit, at - 1))
            if kind.never then assert.falsy(taken, ("bit %d of byte %d was not noticed"):format(bit, at - 1)) end
          end
        end
      end)

      it("load or are rejected with random damage", function()
        local good, below = kind.good(), scratch.numbers(#kind.name)
        for i = 1, RANDOM do
          local bad = scratch.damage(good, below)
          if below(3) == 0 and #bad > 0 then bad = scratch.damage(bad, below) end
          local taken = try(kind, bad, "damage " .. i)
          -- a checksum of 0 means none, as in MXNet's own files
          local says_none = bad:sub(9, 16) == ("\0"):rep(8)
          if kind.never and bad ~= good and not says_none then
            assert.falsy(taken, "damage " .. i .. " was not noticed")
          end
        end
      end)
    end)
  end

  it("and valid ones survive any failing allocation", function()
    local x = sym.var("x", { shape = { 0, 4 }, attr = { __mood__ = "good" } })
    local graph = sym.Group { sym.sum(sym.relu(x, { name = "r" }), { axis = { 0, 1 }, name = "s" }), x + 2 }
    local old = '{"nodes": [{"op": "null", "name": "x", "attr": {"lr_mult": "2"}, "inputs": []}, ' ..
      '{"op": "relu", "name": "r", "attr": {"data_lr_mult": "3"}, "inputs": []}], "arg_nodes": [0], "heads": [[1, 0]]}'
    local text, params, npz, npy = graph:tojson(), saved("x.params", arrays), saved("x.npz", arrays),
      saved("x.npy", nd.ones { 2, 2 })
    local deflated, csv = scratch.read "spec/oracle/files/deflated.npz",
      scratch.write(folder:file "x.csv", "1,2\n3,4\n")
    scratch.run(("gzip -f -k '%s'"):format(csv))
    local jobs = {
      function() return graph:tojson() end,
      function() return sym.load_json(text):tojson() end,
      function() return sym.load_json(old):tojson() end,
      function() return nd.load_frombuffer(params)["aux:n"]:tobytes() end,
      function() return nd.load_frombuffer(npz)["aux:n"]:tobytes() end,
      function() return nd.load_frombuffer(npy):tobytes() end,
      function() return nd.load_frombuffer(deflated).w:tobytes() end,
      function() nd.save(folder:file "y.params", arrays) return scratch.read(folder:file "y.params") end,
      function() nd.save(folder:file "y.npz", arrays) return scratch.read(folder:file "y.npz") end,
      function() nd.save(folder:file "y.npy", nd.ones { 2 }) return scratch.read(folder:file "y.npy") end,
      function() graph:save(folder:file "y.json") return scratch.read(folder:file "y.json") end,
      function() return core.file.read_csv(csv):tobytes() end,
      function() return hl.image.imread("spec/oracle/pictures/palette.png", 0):tobytes() end,
      function() return hl.image.imread "spec/oracle/pictures/ink.jpg":tobytes() end,
      function()
        hl.image.imwrite(folder:file "y.png", nd.ones({ 3, 4 }, { dtype = "uint8" }))
        return scratch.read(folder:file "y.png")
      end,
      function() return core.file.read_csv(csv .. ".gz"):tobytes() end,
    }
    for i, job in ipairs(jobs) do
      local expected, n, left = job(), 0, 0
      while left == 0 do                      -- until the job makes fewer than n allocations
        n = n + 1
        core.host.memory_options { fail_after = n }
        local ok, result = pcall(job)
        left = core.host.memory_options { fail_after = 0 }
        if ok then assert.equal(expected, result) else assert.truthy(result:find "out of memory",
          ("job %d, allocation %d: %s"):format(i, n, result)) end
        assert.truthy(n < 3000)
      end
      assert.truthy(n > 2)
    end
  end)
end)
