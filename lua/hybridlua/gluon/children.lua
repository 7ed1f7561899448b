-- children.lua - the ordered children of a block, including those in plain tables.
--
-- A block's slots are its fields that hold a block or a plain table, and the blocks added by register_child, in the
-- order of assignment; blocks that one line of the script makes and assigns (self.a, self.b = A(), B(), which Lua
-- executes from right to left) are in the order of creation. A table's slot stands for the blocks in it: 1 to #t first,
-- then other keys by their text, at any depth, under names such as "layers.1". Tables are searched whenever the
-- children are needed, so they may be filled later.
local script = require "hybridlua.language.script_line"

local children = {}

local function is_plain(x) return type(x) == "table" and getmetatable(x) == nil end

local function ordered_keys(t)
  local n, keys, others = #t, {}, {}
  for i = 1, n do keys[i] = i end
  for key in pairs(t) do
    if not (math.type(key) == "integer" and key >= 1 and key <= n) then others[#others + 1] = key end
  end
  table.sort(others, function(a, b)
    if type(a) == "number" and type(b) == "number" then return a < b end
    return tostring(a) < tostring(b)
  end)
  return table.move(others, 1, #others, #keys + 1, keys)
end

--- Calls visit(name, value, table, key) for the values in a plain table, and in the plain tables inside it, for which
-- `is` holds.
function children.each_in_table(t, name, is, visit, seen)
  seen = seen or {}
  if seen[t] then return end
  seen[t] = true
  for _, key in ipairs(ordered_keys(t)) do
    local value, path = t[key], ("%s.%s"):format(name, tostring(key))
    if is_plain(value) then children.each_in_table(value, path, is, visit, seen)
    elseif is(value) then visit(path, value, t, key) end
  end
end

-- The index of a new slot: last, except that blocks made and assigned by one line are in order of creation.
local function new_place(slots, slot)
  local at = #slots + 1
  while slot.line and at > 1 and slots[at - 1].line == slot.line and slots[at - 1].serial > slot.serial do
    at = at - 1
  end
  return at
end

--- Puts a block or a plain table into the slot of this name, or into a new one; any other value removes the slot. made:
-- { serial =, lines = }, how a field's block was created; nil to append. Returns "new", "changed" or "gone" and the
-- slot's index; nil if nothing changes.
function children.put(slots, name, value, block, made)
  local kept = (block or is_plain(value)) and value or nil
  for i, slot in ipairs(slots) do
    if slot.name == name then
      if not kept then return "gone", i, table.remove(slots, i) end
      slot.value, slot.block = kept, block
      return "changed", i
    end
  end
  if not kept then return nil end
  local slot, line = { name = name, value = kept, block = block }, made and script.line()
  if line and made.lines[line] then slot.line, slot.serial = line, made.serial end
  local at = new_place(slots, slot)
  table.insert(slots, at, slot)
  return "new", at
end

--- Does any slot hold a table?
function children.any_table(slots)
  for _, slot in ipairs(slots) do if not slot.block then return true end end
  return false
end

-- Is `self` the block or one of its descendants?
local function leads_back(block, self)
  if block == self then return true end
  for _, slot in ipairs(getmetatable(block).store._slots) do
    if slot.block and leads_back(slot.value, self) then return true end
  end
  return false
end

--- The children in the slots, { { name =, value = }, ... }. A block in a table is left out if it is a child already, or
-- if it contains this one.
function children.list(self, slots, is_block)
  local list, taken = {}, {}
  for _, slot in ipairs(slots) do if slot.block then taken[slot.value] = true end end
  for _, slot in ipairs(slots) do
    if slot.block then
      list[#list + 1] = slot
    else
      children.each_in_table(slot.value, slot.name, is_block, function(name, block)
        if taken[block] or leads_back(block, self) then return end
        taken[block] = true
        list[#list + 1] = { name = name, value = block, held = true }
      end)
    end
  end
  return list
end

--- Do two lists name the same children?
function children.same(a, b)
  if #a ~= #b then return false end
  for i, entry in ipairs(a) do if entry.value ~= b[i].value or entry.name ~= b[i].name then return false end end
  return true
end

return children
