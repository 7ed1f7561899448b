-- graph_breaks.lua - compares networks that run in segments, hybridize{breaks = true}, with eager ones: results and
-- gradients to the bit, random numbers, and the notes that their Lua code takes.
local assert = require "luassert"
local hl = require "hybridlua"
local core = require "hybridlua.core"
local autograd, gluon = hl.autograd, hl.gluon
local Block, HybridBlock = gluon.Block, gluon.HybridBlock

local breaks = {}

local notes             -- of the current net

--- Begins a new list of notes.
function breaks.reset_notes() notes = {} end

function breaks.noted() return notes end

--- Takes a note of x; reads the values of an array.
local function note(what, x)
  notes[#notes + 1] = what .. (core.array.is(x) and (": " .. x:tobytes()) or x ~= nil and ": " .. tostring(x) or "")
end
breaks.note = note

local function gradients(net, into)
  for name, param in net:collect_params():items() do
    if param.grad_req ~= "null" then into[name:gsub("^[^_]*%d+_", "")] = param:grad() end
  end
  return into
end

local function arrays_of(results)
  local list = {}
  local function visit(x)
    if core.array.is(x) then list[#list + 1] = x
    elseif type(x) == "table" then for _, item in ipairs(x) do visit(item) end end
  end
  visit(results)
  return list
end

--- Runs use(net, i) on the net from make(), eagerly and then with hybridize{breaks = true}: `calls` times, alternating
-- between all modes. Both must have the same notes, results and gradients to the bit, and random stream.
function breaks.same(make, use, calls, options)
  local logs = {}
  for k = 1, 2 do
    hl.random.seed(7)
    notes = {}
    local net = make()
    net:initialize(hl.init.Normal(1))
    if k == 2 then
      local given = { breaks = true }
      for key, value in pairs(options or {}) do given[key] = value end
      net:hybridize(given)
    end
    local log = { net = net, notes = notes, calls = {} }
    for i = 1, calls or 6 do
      local mode = i % 3
      local call = {}
      local function run() call.results = arrays_of { use(net, i) } return call.results end
      if mode == 0 then run()
      else
        local heads = autograd.record(run, { train_mode = mode == 1 })
        local taped = {}
        for _, head in ipairs(heads) do if core.autograd.on_tape(head) then taped[#taped + 1] = head end end
        if #taped > 0 then autograd.backward(taped) end
        call.gradients = gradients(net, {})
        for _, param in net:collect_params():items() do
          if param.grad_req ~= "null" then param:set_data(param:data() - param:grad() * 0.01) end
        end
      end
      call.random = table.pack(core.random.state())
      log.calls[i] = call
    end
    logs[k] = log
  end
  local eager, broken = logs[1], logs[2]
  assert.same(eager.notes, broken.notes)
  for i, a in ipairs(eager.calls) do
    local b = broken.calls[i]
    assert.equal(#a.results, #b.results)
    for k, x in ipairs(a.results) do assert.bits(b.results[k], x) end
    for name, x in pairs(a.gradients or {}) do assert.bits(b.gradients[name], x) end
    assert.same(a.random, b.random)
  end
  return broken.net
end

--- The kinds of operations in a net's code, except its own operators.
function breaks.kinds(net)
  local list = {}
  for _, segment in ipairs(net:explain("table").segments) do
    if segment.kind ~= "operators" then list[#list + 1] = segment.kind end
  end
  return table.concat(list, " ")
end

--- A class of HybridBlocks with the hybrid_forward fn.
function breaks.class(fn, init)
  local Net = HybridBlock:subclass "Net"
  Net.init = init
  Net.hybrid_forward = fn
  return Net
end

--- A plain Block that reads values.
local Plain = Block:subclass "Plain"
function Plain:forward(x)
  self.calls = (self.calls or 0) + 1
  note("plain " .. self.calls, x)
  return x * (1 + x:sum():tanh():asscalar())
end
breaks.Plain = Plain

return breaks
