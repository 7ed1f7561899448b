-- program_blocks.lua - the functions of random programs: blocks with children and parameters,
-- compiled functions, and the bodies of all of them.
local control = require "support.program_control"
local values = require "support.program_values"

local blocks = {}

-- ---- Bodies -------------------------------------------------------------------------------------------

local Body = {}
Body.__index = Body

--- The lines of the current function. pool: the values so far; leaves: reachable arrays from outside; children:
-- callable blocks; k: the name of a number among its arguments.
function blocks.body(g)
  return setmetatable({ g = g, pool = {}, leaves = {}, children = {}, nodes = {}, depth = 0 }, Body)
end

--- A function inside this one, with the same numbers.
function Body:inside()
  local inner = blocks.body(self.g)
  inner.k, inner.flag, inner.depth = self.k, self.flag, self.depth + 1
  return inner
end

function Body:add(node) self.nodes[#self.nodes + 1] = node end

--- A value, recent ones more often; with a shape if one is given (nil if there is none).
function Body:operand(shape)
  local g = self.g
  local list = #self.leaves > 0 and (#self.pool == 0 or g:one_in(4)) and self.leaves or self.pool
  if not shape then return list[#list - g.below(g:one_in(2) and math.min(#list, 3) or #list)] end
  local alike = {}
  for _, from in ipairs { list, list == self.pool and self.leaves or self.pool } do
    for _, v in ipairs(from) do if values.same_shape(v.shape, shape) then alike[#alike + 1] = v end end
    if #alike > 0 then return g:pick(alike) end
  end
end

-- Binds an expression's results to names; they become values.
function Body:bind(e)
  local names = {}
  for i, shape in ipairs(e.shapes) do
    names[i] = self.g:name "v"
    if type(shape[1]) == "table" then
      for k, part in ipairs(shape) do
        self.pool[#self.pool + 1] = { expr = ("%s[%d]"):format(names[i], k), shape = part }
      end
    else
      self.pool[#self.pool + 1] = { expr = names[i], shape = shape }
    end
  end
  return table.concat(names, ", ")
end

function Body:local_line(text, e)
  local simpler = {}
  local names = self:bind(e)
  for i, s in ipairs(e.simpler or {}) do simpler[i] = ("local %s = %s"):format(names, s) end
  if e.text and text ~= e.text then table.insert(simpler, 1, ("local %s = %s"):format(names, e.text)) end
  return { text = ("local %s = %s"):format(names, text), simpler = simpler }
end

-- autograd.pause, train_mode or predict_mode around an expression.
function Body:in_mode(e, mode)
  if self.g:one_in(3) then
    local names = self:bind(e)
    self:add { text = "local " .. names }
    return { head = "do local _ <close> = autograd." .. mode .. "()", body = { { text = names .. " = " .. e.text } },
      tail = "end", open = true }
  end
  return self:local_line(("autograd.%s(function() return %s end)"):format(mode, e.text), e)
end

function Body:condition()
  local list = { "autograd.is_training()", "autograd.is_recording()" }
  if self.k then list[#list + 1] = self.k .. " > 1" end
  if self.flag then list[#list + 1] = self.flag .. " > 1" end
  if #self.pool > 0 and self.g.on.breaks and self.depth == 0 then
    for _ = 1, 2 do list[#list + 1] = ("%s:sum():asscalar() > 0"):format(self:operand().expr) end
  end
  if #self.pool > 0 and not self.g.on.batch then list[#list + 1] = ("#%s.shape > 1"):format(self.pool[1].expr) end
  return self.g:pick(list)
end

-- An if or a loop that computes another value of some shape.
function Body:flow()
  local g = self.g
  if g:one_in(2) then
    local e = values.expression(self)
    local other = e and #e.shapes == 1 and type(e.shapes[1][1]) ~= "table" and e.simpler[1]
    if not other then return false end
    local name = g:name "v"
    self:add { text = ("local %s = %s"):format(name, other) }
    self:add { head = ("if %s then"):format(self:condition()), body = { { text = ("%s = %s"):format(name, e.text) } },
      tail = "end", open = true }
    self.pool[#self.pool + 1] = { expr = name, shape = e.shapes[1] }
    return true
  end
  local start = self:operand()
  local name = g:name "v"
  local forms = { "F.tanh(%s) + " .. start.expr, "%s * 0.5 - F.sin(%s)" }
  for _, c in ipairs(self.children) do
    local square = c.kind == "dense" and #start.shape == 2 and start.shape[2] == c.units and
      (c.features or c.units) == c.units
    if square or c.kind == "same" and values.fits(c, start) then
      if c.kind == "dense" and (not g.on.batch or c.units % g.B ~= 0) then c.features = c.units end
      if c.kind == "same" or c.features == c.units then
        forms[#forms + 1] = c.expr .. "(%s)"
        forms[#forms + 1] = c.expr .. "(%s) * 0.7"
      end
    end
  end
  local times = self.k and g:one_in(2) and self.k or tostring(1 + g.below(3))
  self:add { text = ("local %s = %s"):format(name, start.expr) }
  self:add { head = ("for _ = 1, %s do"):format(times), simpler = { "for _ = 1, 2 do", "for _ = 1, 1 do" },
             body = { { text = ("%s = %s"):format(name, (g:pick(forms):gsub("%%s", name))) } }, tail = "end",
             open = true }
  self.pool[#self.pool + 1] = { expr = name, shape = start.shape }
  return true
end

-- Values read, printed and written.
function Body:read()
  local g, v = self.g, self:operand()
  if g:one_in(3) then return self:add { text = ('note("inside", %s)'):format(v.expr) } end
  if self.counts and g:one_in(2) then
    return self:add { text = ('note("inside", %s) self.calls = (self.calls or 0) + 1 note("calls", self.calls)')
      :format(v.expr) }
  end
  local name = g:name "v"
  if g:one_in(2) then
    self:add { text = ("local %s = %s * F.tanh(%s:sum()):asscalar()"):format(name, v.expr, self:operand().expr) }
  else
    self:add { text = ("local %s = %s:detach():copy() %s:add_(1)"):format(name, v.expr, name) }
  end
  self.pool[#self.pool + 1] = { expr = name, shape = v.shape }
end

local CHAIN = { "F.tanh(%s)", "%s * 0.7", "%s + 0.25", "F.relu(%s)", "F.square(%s) * 0.5", "-%s", "F.sigmoid(%s)",
  "%s / 3", "F.exp(%s * 0.1)", "F.softmax(%s)", "F.expand_dims(%s, { axis = 0 }):squeeze { axis = 0 }",
  "%s:reshape { -1 }:reshape_like(%s)", "%s:detach() + 0.5" }

-- Consecutive operators, which are lazy if the block reads values; returns their result and an intermediate value.
function Body:chain(v)
  local g = self.g
  local first, last
  for _ = 1, 1 + g.below(6) do
    local before = last or v.expr
    last = g:name "v"
    local text, other = g:pick(CHAIN):gsub("%%s", before), self:operand()
    if g:one_in(4) and values.same_shape(other.shape, v.shape) then
      text = ("%s %s %s"):format(text, g:pick { "+", "*", "-" }, other.expr)
    end
    self:add { text = ("local %s = %s"):format(last, text) }
    if not first or g:one_in(3) then first = last end
  end
  return first, last
end

-- Code that may come between lazy operators and the use of their values. (#log is the same in all runs, and changes.)
local BETWEEN = {
  'if #log % 3 == 0 then note("at times", FIRST) end',
  'if #log % 5 == 0 then note("seldom", FIRST) end',
  'if log.aside then note("aside", log.aside) end log.aside = FIRST',
  "if not autograd.is_recording() then OTHER:add_(0.5) end",
  "if not autograd.is_recording() then OTHER[{}] = 0.25 end",
  "if not autograd.is_recording() then OTHER:reshape { -1 }:add_(OTHER:reshape { -1 }) end",
  "if not autograd.is_recording() then F.square(OTHER, { out = OTHER }) end",
  "if not autograd.is_recording() then FIRST:reshape { -1 }:add_(1) end",
  "if not autograd.is_recording() then LAST[{}] = FIRST * 2 end",
  'pcall(function() log.aside = F.tanh(LAST) * 2 error "meant" end)',
  'note(tostring(select(2, pcall(function() return LAST + nd.ones { 97, 89 } end))))',
  "FIRST = coroutine.wrap(function() coroutine.yield(F.tanh(FIRST) * 2) end)()",
  "autograd.pause(function() log.aside = F.exp(FIRST * 0.1) + LAST end)",
  "local _ = F.tanh(FIRST) * 3",
  "LAST = LAST * (0.5 + F.tanh(FIRST:sum()):asscalar() * 0.1)",
  "LAST = LAST + F.Dropout(FIRST, { p = 0.5 })",
  'local r = LAST:reshape { -1 } note("base", LAST) ' ..
    'if not autograd.is_recording() and #log % 3 == 0 then LAST:add_(1) note("view", r) end',
  'local r = FIRST * 1 local s = (FIRST + 1):reshape { -1 } note("sum", s + 1) ' ..
    'if not autograd.is_recording() and #log % 3 == 0 then s:add_(1) note("view", s) note("other", r) end',
  'collectgarbage "step"',
}

-- Consecutive operators, such code, and a line that reads a value, so that the block surely runs in segments.
function Body:deferred()
  local g, v = self.g, self:operand()
  if type(v.shape[1]) == "table" then return end
  local read, again = { text = ('note("on the way", %s)'):format(self:operand().expr) }, self:operand()
  local before = not g:one_in(3)
  if before then self:add(read) end
  local first, last = self:chain(v)
  if not before then self:add(read) end
  for _ = 1, 1 + g.below(2) do
    self:add { text = (g:pick(BETWEEN):gsub("FIRST", first):gsub("LAST", last):gsub("OTHER", again.expr)) }
  end
  self.pool[#self.pool + 1] = { expr = last, shape = v.shape }
  if g:one_in(2) then self:add { text = ('note("deferred", %s)'):format(g:pick { first, last }) } end
end

--- Adds one line, or a few.
function Body:statement()
  local g = self.g
  if g.on.breaks and self.depth == 0 and #self.pool > 0 then
    local fn = g:one_in(8) and self.read or g:one_in(6) and self.deferred
    if fn then
      self.reads = true
      return fn(self)
    end
  end
  if g.on.flow and g:one_in(6) and self:flow() then return end
  if g.on.control and g:one_in(4) and control.statement(self) then return end
  local e = values.expression(self)
  if not e then return end
  if g.on.unused and g:one_in(7) then return self:add { text = "local _ = " .. e.text } end
  if g.on.pause and g:one_in(5) then return self:add(self:in_mode(e, "pause")) end
  if g.on.modes and g:one_in(5) then return self:add(self:in_mode(e, g:pick { "train_mode", "predict_mode" })) end
  self:add(self:local_line(e.text, e))
end

-- A value that combines all values of a list with the shape of the last one.
function Body:gather(list)
  local shape, words = list[#list].shape, {}
  for _, v in ipairs(list) do
    if values.same_shape(v.shape, shape) then
      words[#words + 1] = self.g:pick { "%s", "%s", "%s * 0.7" }:format(v.expr)
    end
  end
  if #words < 2 then return end
  self:add(self:local_line(table.concat(words, self.g:pick { " + ", " + ", " * " }),
    { shapes = { shape }, simpler = { list[#list].expr } }))
end

--- Some lines, with calls of the children among them, usually all of one.
function Body:fill(n)
  local g = self.g
  for _ = 1, n do self:statement() end
  if g.on.calls and #self.children > 0 then
    local results = {}
    for _ = 1, 2 + g.below(3) do
      local e = values.call(self)
      if e then
        self:add(self:local_line(e.text, e))
        results[#results + 1] = self.pool[#self.pool]
      end
    end
    if #results > 0 and not g:one_in(4) then self:gather(results) end
    if g:one_in(2) then self:statement() end
  end
end

-- One result: usually the last value, sometimes a view, an argument or a parameter.
function Body:result(last)
  local g = self.g
  local v = last and self.pool[#self.pool] or self:operand()
  if g.on.views and g:one_in(3) then
    local e = values.view(self, self:operand())
    if e then return { expr = e.text, shape = e.shapes[1] } end
  end
  return v
end

--- The return line, and the shapes of its results.
function Body:finish()
  local g, words, shapes = self.g, {}, {}
  local n = g.on.heads and 1 + g.below(3) or g:one_in(5) and 2 or 1
  for i = 1, n do
    local v = self:result(i == 1)
    if g.on.tables and g:one_in(3) then
      local w = self:result(false)
      words[i], shapes[i] = ("{ %s, %s }"):format(v.expr, w.expr), { v.shape, w.shape }
    else
      words[i], shapes[i] = v.expr, v.shape
    end
  end
  self:add { before = "return ", list = words, least = 1 }
  return shapes
end

-- ---- Children --------------------------------------------------------------------------------------------

local function dense_text(g, c)
  local options = {}
  if not c.deferred then options[#options + 1] = ("in_units = %d"):format(c.features or g.N) end
  if c.activation then options[#options + 1] = ("activation = %q"):format(c.activation) end
  if c.params then options[#options + 1] = ("params = %s"):format(c.params) end
  if c.bias == false then options[#options + 1] = "use_bias = false" end
  if g.dtype ~= "float32" then options[#options + 1] = ("dtype = %q"):format(g.dtype) end
  return ("nn.Dense(%d%s)"):format(c.units, #options > 0 and ", {" .. table.concat(options, ", ") .. "}" or "")
end

--- A Dense layer, whose in_units are fixed by its first use. line() writes it.
function blocks.dense(g, expr)
  local c = { expr = expr, kind = "dense", units = g:pick { g.N, g.N, g.M, 1 },
              deferred = g.on.deferred and not g:one_in(4),
              activation = g:one_in(4) and g:pick { "tanh", "relu", "sigmoid" } or nil, bias = not g:one_in(3) }
  c.weight = ".weight"
  function c.line() return dense_text(g, c) end
  return c
end

-- A container: its first layer fixes in_units for the rest.
local function sequential(g, expr)
  local first, c = blocks.dense(g), { expr = expr, kind = "dense", units = g:pick { g.N, g.M }, deferred = true }
  local last = { units = c.units, deferred = g.on.deferred, bias = true, features = first.units }
  local plain = g.on.breaks and g:one_in(2) and g:pick { "Plain()", "nn.Lambda(function(a) return a * 2 end)" }
  local middle = plain or g:pick { 'nn.Activation "tanh"', g.on.random and "nn.Dropout(0.5)" or "nn.Swish()",
    "nn.PReLU()", "nn.Flatten()" }
  local longer = g.on.breaks and g:one_in(2)
  local function more()                            -- a plain Block, and layers that are compiled together
    if not longer then return "" end
    local s = g.shared
    local tied = g.on.tied and s and s.units == c.units and s.features == c.units and s.bias and not s.deferred
    local text = dense_text(g, { units = c.units, features = c.units, params = tied and "shared.params" or nil })
    return (", Plain(), %s, nn.Swish(), %s"):format(text, text)
  end
  if g.dtype ~= "float32" and middle == "nn.PReLU()" then middle = "nn.Swish()" end
  function c.line()
    first.features = c.features
    return ("nn.HybridSequential():add(%s, %s, %s%s)"):format(dense_text(g, first), middle, dense_text(g, last),
      more())
  end
  c.sequential, c.reads = true, plain or longer
  return c
end

local SAME = { "nn.Swish()", 'nn.Activation "tanh"', "nn.GELU()",
  "nn.HybridLambda(function(F, a) return F.tanh(a) * 2 end)" }

local PLAIN = { "Plain()", 'nn.Lambda "tanh"', 'nn.Sequential():add(nn.Activation "tanh", Plain(), nn.Swish())',
  'nn.HybridSequential():add(nn.Swish(), nn.GELU(), Plain(), nn.Activation "tanh", nn.Dropout(0.5))' }

local function draw_child(g, expr, depth)
  if g.on.nested and depth > 0 and g:one_in(3) then
    local made = blocks.class(g, { { g.B, g.N } }, depth - 1)
    return { expr = expr, kind = "block", inputs = made.inputs, outputs = made.outputs, takes_k = made.takes_k,
             children = made.children, reads = made.reads,
             line = function() return made.name .. "()" end }
  end
  if g.shared and g:one_in(3) then
    local c = { expr = expr }
    if g.on.tied then c.params = "shared.params" end           -- another layer with the same parameters
    function c.line() return c.params and dense_text(g, c) or g.shared.expr end
    return setmetatable(c, { __index = g.shared, __newindex = g.shared })
  end
  if g.on.breaks and g:one_in(4) then
    local text = g:pick(PLAIN)
    return { expr = expr, kind = "same", reads = true, line = function() return text end }
  end
  if g.on.convolutions and g:one_in(2) then
    local text = ("Filters(%d, %q)"):format(g:pick { 3, 32, 32 }, g.dtype)
    return { expr = expr, kind = "same", full = true, weight = ".conv.weight", line = function() return text end }
  end
  if g:one_in(5) then return sequential(g, expr) end
  if g:one_in(5) then
    local text = g:pick(SAME)
    if g.on.random and g:one_in(2) then text = "nn.Dropout(0.5)" end
    return { expr = expr, kind = "same", line = function() return text end }
  end
  return blocks.dense(g, expr)
end

-- ---- Classes -----------------------------------------------------------------------------------------------

local function child_line(c)
  local made = c.line()
  local field = c.expr:match "%.(.*)"
  local first, parts = made:match "^(nn%.HybridSequential%(%)):add(%b())$"
  if first then return ("self.%s = %s self.%s:add%s"):format(field, first, field, parts) end
  return ("self.%s = %s"):format(field, made)
end

local function own_parameters(b, g, params)
  if not g.on.own then return end
  for i = 1, 1 + g.below(2) do
    local shape = g:pick { { g.N }, { 1 }, { 1, g.N }, { g.N, g.N } }
    local name = "w" .. i
    params[i] = { name = name, shape = shape }
    b.leaves[#b.leaves + 1] = { expr = "p." .. name, shape = shape }
    if g.on.data then b.leaves[#b.leaves + 1] = { expr = ("self.%s:data()"):format(name), shape = shape } end
  end
end

local function captures(b, g)
  if not g.on.captures then return end
  for _ = 1, 1 + g.below(2) do
    local a = g:array(g:pick { { g.N }, { 1, g.N }, { g.N, g.N }, not g.on.batch and { g.B, g.N } or { 1 } })
    b.leaves[#b.leaves + 1] = { expr = a.name, shape = a.shape }
  end
end

-- Adds reads of children's weights by data().
local function children_data(b, g)
  if not g.on.data then return end
  for _, c in ipairs(b.children) do
    if c.kind == "dense" and not c.deferred and not c.sequential and g:one_in(2) then
      c.features = c.features or g.N
      b.leaves[#b.leaves + 1] = { expr = c.expr .. ".weight:data()", shape = { c.units, c.features } }
    end
  end
end

local function arguments(b, g, inputs)
  local words = {}
  for i, shape in ipairs(inputs) do
    words[i] = "a" .. i - 1
    b.pool[i] = { expr = words[i], shape = shape }
  end
  if g.on.numbers and g:one_in(2) then
    b.k = "k"
    words[#words + 1] = "k"
  end
  return words
end

-- The lines of init: children, parameters, fields.
local function init_node(g, name, b, params, fields)
  local body = {}
  for _, c in ipairs(b.children) do if c.line then body[#body + 1] = { text = child_line(c) } end end
  for _, p in ipairs(params) do
    local made = ("self.params:get(%q, {shape = %s, dtype = %q})"):format(p.name, values.shape_text(p.shape), g.dtype)
    body[#body + 1] = { text = ("self.%s = %s"):format(p.name, made) }
  end
  for _, line in ipairs(fields) do body[#body + 1] = { text = line } end
  return { head = ("function %s:init()"):format(name), body = body, tail = "end" }
end

-- Does it read values, or call a block that does?
local function reads(b)
  for _, c in ipairs(b.children) do if c.reads then return true end end
  return b.reads
end

--- A class of blocks for inputs of some shapes; its lines are added to g.classes. Returns { name, inputs, outputs,
-- takes_k, params, children, reads }.
function blocks.class(g, inputs, depth)
  local name, b, params, fields = g:name "N", blocks.body(g), {}, {}
  local words = arguments(b, g, inputs)
  b.counts = true
  for i = 1, 1 + g.below(2) do b.children[i] = draw_child(g, "self.c" .. i - 1, depth) end
  if #g.functions > 0 and g:one_in(3) then b.children[#b.children + 1] = g:pick(g.functions) end
  own_parameters(b, g, params)
  captures(b, g)
  children_data(b, g)
  if g.on.flow and g:one_in(2) then
    b.flag = "self.flag"
    fields[1] = "self.flag = " .. 1 + g.below(2)
  end
  if g.on.captures and g:one_in(4) then
    local a = g:array { g.N }
    fields[#fields + 1] = "self.buffer = " .. a.name
    b.leaves[#b.leaves + 1] = { expr = "self.buffer", shape = a.shape }
  end
  b:fill(1 + g.below(5))
  for _, c in ipairs(b.children) do
    if c.kind == "dense" and not c.features and not g:one_in(4) then
      local e = values.call(b, c)
      if e then b:add(b:local_line(e.text, e)) end
    end
  end
  local outputs = b:finish()
  if #params > 0 then words[#words + 1] = "p" end
  g.classes[#g.classes + 1] = { text = ("local %s = gluon.HybridBlock:subclass %q"):format(name, name) }
  g.classes[#g.classes + 1] = init_node(g, name, b, params, fields)
  g.classes[#g.classes + 1] = { head = ("function %s:hybrid_forward(%s)"):format(name,
    table.concat({ "F", table.unpack(words) }, ", ")),
                                body = b.nodes, tail = "end" }
  return { name = name, inputs = inputs, outputs = outputs, takes_k = b.k ~= nil, params = params,
    children = b.children, flag = b.flag, reads = reads(b) }
end

--- A compiled function; its lines are added to `nodes`. Returns the argument for values.call.
function blocks.compiled(g, inputs, nodes, reachable)
  local name, b = g:name "fn", blocks.body(g)
  local words = arguments(b, g, inputs)
  captures(b, g)
  for _, leaf in ipairs(reachable.leaves or {}) do b.leaves[#b.leaves + 1] = leaf end
  for _, c in ipairs(reachable.children or {}) do b.children[#b.children + 1] = c end
  b:fill(1 + g.below(4))
  local outputs = b:finish()
  local head = ("local %s = compile(function(%s)"):format(name, table.concat({ "F", table.unpack(words) }, ", "))
  nodes[#nodes + 1] = { head = head, body = b.nodes, tail = "end)" }
  return { expr = name, kind = "block", inputs = inputs, outputs = outputs, takes_k = b.k ~= nil, children = b.children,
    compiled = true, reads = reads(b) }
end

return blocks
