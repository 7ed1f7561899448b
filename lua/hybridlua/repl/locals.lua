-- locals.lua - keeps a `local` typed at the prompt for later lines.
--
-- In Lua a chunk's locals end with the chunk. So each line is compiled inside a function whose upvalues are the locals
-- of earlier lines:
--
--     local x; local y <const> = {}; return function(__keep, ...)  LINE  ;__keep(function() return z end) end
--
-- x and y are the known locals that the line mentions. Before the function runs, its upvalues are joined
-- (debug.upvaluejoin) to the variables themselves, so assignments and closures of all lines share one variable, as in a
-- script. z is a local that the line declares outside every block. __keep is called at the end of the line, or before
-- its return, and its closure holds the new variables. A failed line declares nothing. <close> variables are closed at
-- the end of their line, and stay as constants. (A comment at the end of LINE is removed, since the text after it must
-- be on LINE's last line, where an interrupt may happen.)
local scan = require "hybridlua.repl.scan".scan_code

local Locals = {}
Locals.__index = Locals

function Locals.new()
  return setmetatable({ variables = {} }, Locals)    -- by name: { closure, upvalue's number, constant }
end

local opens = { ["function"] = true, ["do"] = true, ["if"] = true, ["repeat"] = true }
local closes = { ["end"] = true, ["until"] = true }

-- The names after a `local` at token i: name [<attribute>] {, name [<attribute>]}
local function names_after(tokens, i, declared)
  repeat
    local name = tokens[i + 1]
    if not name or name.kind ~= "name" then return end
    local attribute = tokens[i + 2] and tokens[i + 2].text == "<" and tokens[i + 3].text
    declared[#declared + 1] = { name = name.text, constant = attribute == "const" or attribute == "close" }
    i = i + (attribute and 5 or 2)
  until not tokens[i] or tokens[i].text ~= ","
end

-- The locals that a chunk declares outside every block, and the position of its own `return`, if any.
local function declarations(tokens)
  local declared, depth, return_at = {}, 0, nil
  for i, token in ipairs(tokens) do
    if token.kind == "keyword" then
      if depth == 0 and token.text == "local" then
        names_after(tokens, tokens[i + 1] and tokens[i + 1].text == "function" and i + 1 or i, declared)
      elseif depth == 0 and token.text == "return" then
        return_at = token.first
      end
      depth = depth + (opens[token.text] and 1 or closes[token.text] and -1 or 0)
    end
  end
  return declared, return_at
end

-- "local x; local y <const> = {};" for the known locals among the tokens.
function Locals:header(tokens)
  local lines, done = {}, {}
  for _, token in ipairs(tokens) do
    local variable = token.kind == "name" and not done[token.text] and self.variables[token.text]
    if variable then
      done[token.text] = true
      lines[#lines + 1] = ("local %s%s; "):format(token.text, variable.constant and " <const> = {}" or "")
    end
  end
  return table.concat(lines)
end

-- Joins the upvalues of a line's function, or of any function, to the known locals.
function Locals:join(fn)
  for i = 1, math.huge do
    local name = debug.getupvalue(fn, i)
    if not name then return fn end
    local variable = self.variables[name]
    if variable then debug.upvaluejoin(fn, i, variable.closure, variable.number) end
  end
end

-- Stores the variables of a line; a constant folded by the compiler has no upvalue.
function Locals:keep(closure, declared)
  local number_of = {}
  for i = 1, math.huge do
    local name = debug.getupvalue(closure, i)
    if not name then break end
    number_of[name] = i
  end
  local values = table.pack(closure())
  for i, entry in ipairs(declared) do
    local value = values[i]
    local number = number_of[entry.name]
    self.variables[entry.name] = { closure = number and closure or function() return value end, number = number or 1,
                                   constant = entry.constant }
  end
end

local function compile_within(self, tokens, body)
  local text = ("%sreturn function(__keep, ...) %s end"):format(self:header(tokens), body)
  local maker, message = load(text, "=stdin", "t")
  if not maker then return nil, message end
  return self:join(maker())
end

--- Compiles an expression list to a function that returns a packed table. (Errors have the right line: the call of the
-- expression is not a tail call, and the bracket after it is on its last line.)
function Locals:compile_expression(text)
  local tokens = scan(text)
  local last = tokens[#tokens]
  local fn, message = compile_within(self, tokens, ("return __keep(%s)"):format(text:sub(1, last and last.last or 0)))
  if not fn then return nil, message end
  return function(...)
    local values = fn(table.pack, ...)
    return values
  end
end

--- Compiles a statement list to a function that returns a packed table of the line's values.
function Locals:compile_statements(text)
  local tokens = scan(text)
  local declared, return_at = declarations(tokens)
  local names = {}
  for i, entry in ipairs(declared) do names[i] = entry.name end
  local keep = #names > 0 and (" ;__keep(function() return %s end) "):format(table.concat(names, ", ")) or ""
  local code = text:sub(1, tokens[#tokens].last)
  local body = return_at and code:sub(1, return_at - 1) .. keep .. code:sub(return_at) or code .. keep
  local fn, message = compile_within(self, tokens, body)
  local function keep_all(closure) self:keep(closure, declared) end
  return fn and function(...) return table.pack(fn(keep_all, ...)) end, message
end

--- The value of a local: true, value; nothing if there is no such local.
function Locals:get(name)
  local variable = self.variables[name]
  if not variable then return end
  local _, value = debug.getupvalue(variable.closure, variable.number)
  return true, value
end

--- The names, sorted.
function Locals:names()
  local names = {}
  for name in pairs(self.variables) do names[#names + 1] = name end
  table.sort(names)
  return names
end

return Locals
