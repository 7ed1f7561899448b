-- effects_spec.lua - side effects of calls: writing to inputs, drawing random numbers.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

-- The arrays and options of a step of n weights with momentum.
local function momenta(n)
  local arrays, options = {}, { lrs = {}, wds = {}, momentum = 0.9, num_weights = n }
  for i = 1, n do
    arrays[#arrays + 1] = nd.array { 1, 2 }
    arrays[#arrays + 1] = nd.array { 1, 1 }
    arrays[#arrays + 1] = nd.array { 1, 1 }
    options.lrs[i], options.wds[i] = 0.1, 0
  end
  return arrays, options
end

local function call(F, arrays, options)
  local all = table.move(arrays, 1, #arrays, 1, {})
  all[#all + 1] = options
  return F.multi_sgd_mom_update(table.unpack(all))
end

describe("a step of many weights", function()
  for _, case in ipairs { { weights = 12, at = 12 }, { weights = 64, at = 1 }, { weights = 64, at = 12 },
      { weights = 64, at = 64 } } do
    it(("reports to backward that it wrote momentum %d of %d"):format(case.at, case.weights), function()
      local arrays, options = momenta(case.weights)
      local x, momentum = nd.array { 1, 1 }, arrays[3 * case.at]
      x:attach_grad()
      local y = autograd.record(function() return (x * momentum):sum() end)
      call(nd, arrays, options)
      assert.allclose(momentum, { 0.8, 0.8 })                         -- 0.9 momentum - lr grad
      assert.raises(function() y:backward() end, "was overwritten in place")
    end)

    it(("reports to backward that compiled code wrote momentum %d of %d"):format(case.at, case.weights),
      function()
      local arrays, options = momenta(case.weights)
      local step = hl.compile(function(F, ...) return call(F, { ... }, options)[1] end)
      local x, momentum = nd.array { 1, 1 }, arrays[3 * case.at]
      x:attach_grad()
      local y = autograd.record(function() return (x * momentum):sum() end)
      step(table.unpack(arrays))
      assert.allclose(momentum, { 0.8, 0.8 })
      assert.raises(function() y:backward() end, "was overwritten in place")
    end)
  end
end)

-- An array's bytes and its number of writes.
local function snapshot(arrays)
  local list = {}
  for i, x in ipairs(arrays) do list[i] = { bytes = x:tobytes(), version = core.array.write_count(x) } end
  return list
end

local NOTHING = { draws = false, writes = {} }

-- Calls f, a call of the row, and checks that its writes and draws are those that the row declares.
local function watched(row, f, train, seen)
  return function(...)
    local says, arrays = (row.random or row.mutates) and core.op.effects(row.name, train, ...) or NOTHING, {}
    for _, x in ipairs { ... } do if core.array.is(x) then arrays[#arrays + 1] = x end end
    local before, _, drawn = snapshot(arrays), core.random.state()
    local results = table.pack(f(...))
    local _, drawn_after = core.random.state()
    for i, x in ipairs(snapshot(arrays)) do
      local writes, what = says.writes[i] or false, ("%s: input %d: "):format(row.name, i)
      assert.equal(writes, x.version ~= before[i].version, what .. "version")
      assert.equal(writes, x.bytes ~= before[i].bytes, what .. "bytes")
      seen.wrote = seen.wrote or writes
    end
    assert.equal(says.draws, drawn ~= drawn_after, row.name .. ": draws")
    seen.drew, seen.calls = seen.drew or says.draws, seen.calls + 1
    return table.unpack(results, 1, results.n)
  end
end

-- A table like nd that checks calls of the row.
local function watching(row, F, train, seen, prefix)
  return setmetatable({}, { __index = function(_, name)
    local f = F[name]
    if type(f) == "table" then return watching(row, f, train, seen, name .. ".") end
    local found = core.op.row(prefix .. name)
    return found and found.name == row.name and watched(row, f, train, seen) or f
  end })
end

describe("the declared effects of a row match its examples:", function()
  for _, row in ipairs(core.op.rows()) do
    if row.example and not row.internal then
      it(row.name, function()
        local seen = { calls = 0 }
        for _, train in ipairs { false, true } do
          for text in row.example:gmatch "[^\n]+" do
            local example = assert(load("local F = ...; return " .. text, "=example"))
            local function run() example(watching(row, nd, train, seen, "")) end
            if train then autograd.train_mode(run) else run() end
          end
        end
        if row.mutates then assert.truthy(seen.wrote, "no example writes") end
        if row.random then assert.truthy(seen.drew, "no example draws") end
      end)
    end
  end
end)

describe("compiled code that writes in place", function()
  local options = { lr = 0.1, momentum = 0.9 }
  local function step(F, w, g, m) F.sgd_mom_update(w, g, m, options) end

  local blocks = {
    ["into a constant"] = function(F, _, w, g) return F.sgd_mom_update(w, g, F.zeros { 2 }, options) end,
    ["into one of two equal values"] = function(F, _, w, g)
      local one, other = F.zeros { 2 }, F.zeros { 2 }
      step(F, w, g, one)
      return one, other, other + 1
    end,
    ["into a part of a constant"] = function(F, _, w, g)
      local whole = F.zeros { 4 }
      step(F, w, g, whole["1:3"])
      return whole, whole + 1
    end,
    ["into what a cast was made of"] = function(F, m, w, g)
      local before = F.cast(m, { dtype = "float32" })
      step(F, w, g, m)
      return before, m + 1
    end,
    ["into a cast"] = function(F, m, w, g)
      local cast = F.cast(m, { dtype = "float32" })
      step(F, w, g, cast)
      return cast, m + 1
    end,
    ["into a Dropout outside training"] = function(F, m, w, g)
      local same = F.Dropout(m)
      step(F, w, g, same)
      return same, m + 1
    end,
    ["into what is read before and after"] = function(F, m, w, g)
      local y = m * 2
      local before = y + 1
      step(F, w, g, y)
      return before, y + 1, y
    end,
    ["into an input by a view of it"] = function(F, m, w, g)
      local column = m:reshape { 2, 1 }
      step(F, w, g, column:reshape { 2 })
      return column, m + 1
    end,
  }
  for name, block in pairs(blocks) do
    it(name .. " matches eager code at each call", function()
      local compiled = hl.compile(block)
      for _ = 1, 3 do
        local m, n = nd.array { 1, 3 }, nd.array { 1, 3 }
        local w, g = nd.array { 1, 2 }, nd.array { 1, 1 }
        local expected, got = table.pack(block(nd, m, w, g)), table.pack(compiled(n, w, g))
        assert.equal(expected.n, got.n)
        for i = 1, expected.n do assert.bits(expected[i], got[i]) end
        assert.bits(m, n)
      end
    end)
  end

  -- Products whose gradient, of w or of m, needs m.
  local products = {
    ["before the write"] = { refused = true, function(F, m, w, g) local z = w * m; step(F, w, g, m); return z end },
    ["after the write"] = { refused = false, function(F, m, w, g) step(F, w, g, m); return w * m end },
    ["by a view before the write"] = { refused = true, function(F, m, w, g)
      local z = w * m
      step(F, w:reshape { 2, 1 }, g:reshape { 2, 1 }, m:reshape { 2, 1 })
      return z
    end },
    ["of a value inside before the write"] = { refused = true, function(F, m, w, g)
      local y = m * 2
      local z = y * w
      step(F, w, g, y)
      return z
    end },
    ["of a value inside after the write"] = { refused = false,
      function(F, m, w, g) local y = m * 2; step(F, w, g, y); return y * w end },
  }
  for name, case in pairs(products) do
    it(("writing to a value that backward needs, read %s: %s"):format(name, case.refused and "refused" or "computed"),
      function()
      local function gradient(f)
        local m, w, g = nd.array { 1, 3 }, nd.array { 1, 2 }, nd.array { 1, 1 }
        w:attach_grad()
        local y = autograd.record(function() return f(m, w, g) end)
        local ok, text = pcall(y.backward, y)
        return ok and w.grad, not ok and text
      end
      local block = case[1]
      local expected, refused = gradient(function(...) return block(nd, ...) end)
      local got, refused_too = gradient(hl.compile(block))
      assert.equal(case.refused, refused ~= false)
      assert.equal(refused, refused_too)
      if expected then assert.bits(expected, got) else assert.truthy(refused:find "was overwritten in place") end
    end)
  end
end)

describe("an ordered operator", function()
  local ordered = assert(package.loadlib("build/spec/rows.so", "luaopen_rows"))().ordered
  for _, fused in ipairs { false, true } do
    it("runs once, in the script's order, used or not, " .. (fused and "fused" or "by operators"), function()
      local notes, was_fused = ordered(fused)
      assert.equal("1 2 2 3 4 5 ", notes)
      assert.equal(fused, was_fused)
    end)
  end
end)
