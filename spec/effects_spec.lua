-- effects_spec.lua - what calls do besides computing their outputs: writing into inputs, drawing random numbers.
local hl = require "hybridlua"
local core = require "hybridlua.core"
local nd, autograd = hl.nd, hl.autograd

-- The arrays of a step of n weights with momentum, and its options.
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
  for _, case in ipairs { { weights = 12, at = 12 }, { weights = 64, at = 1 }, { weights = 64, at = 12 }, { weights = 64, at = 64 } } do
    it(("that writes momentum %d of %d is seen by backward"):format(case.at, case.weights), function()
      local arrays, options = momenta(case.weights)
      local x, momentum = nd.array { 1, 1 }, arrays[3 * case.at]
      x:attach_grad()
      local y = autograd.record(function() return (x * momentum):sum() end)
      call(nd, arrays, options)
      assert.allclose(momentum, { 0.8, 0.8 })                         -- 0.9 momentum - lr grad
      assert.raises(function() y:backward() end, "was overwritten in place")
    end)

    it(("that writes momentum %d of %d inside compiled code is seen by backward outside"):format(case.at, case.weights), function()
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

-- An array's bytes and how often it was written to.
local function snapshot(arrays)
  local list = {}
  for i, x in ipairs(arrays) do list[i] = { bytes = x:tobytes(), version = core.version(x) } end
  return list
end

local NOTHING = { draws = false, writes = {} }

-- f, a call of the row, watched: what it writes to and whether it draws must be what the row says of it.
local function watched(row, f, train, seen)
  return function(...)
    local says, arrays = (row.random or row.mutates) and core.effects(row.name, train, ...) or NOTHING, {}
    for _, x in ipairs { ... } do if core.is_array(x) then arrays[#arrays + 1] = x end end
    local before, _, drawn = snapshot(arrays), core.random_state()
    local results = table.pack(f(...))
    local _, drawn_after = core.random_state()
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

-- A table like nd, in which calls of the row are watched.
local function watching(row, F, train, seen, prefix)
  return setmetatable({}, { __index = function(_, name)
    local f = F[name]
    if type(f) == "table" then return watching(row, f, train, seen, name .. ".") end
    local found = core.op(prefix .. name)
    return found and found.name == row.name and watched(row, f, train, seen) or f
  end })
end

describe("what a row says of its effects is what its examples do:", function()
  for _, row in ipairs(core.ops()) do
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
