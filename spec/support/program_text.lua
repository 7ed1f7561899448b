-- program_text.lua - a program as a tree of lines, which can be written as Lua and reduced.
--
-- A node is one of
--   { text, simpler = {texts} }                     a line, and its replacements
--   { before, list = {words}, after, least = n }    a line with a list, of which n words must remain
--   { head, body = {nodes}, tail, open = true }     lines around others; open: the body can be used alone
--   { head, body, between, other = {nodes}, tail }  two bodies
-- with need = true if the node must remain. each_reduction records reductions in the marks gone, as, without and
-- opened.
local program_text = {}

local function list_text(node)
  local words = {}
  for i, word in ipairs(node.list) do if not (node.without and node.without[i]) then words[#words + 1] = word end end
  return node.before .. table.concat(words, ", ") .. (node.after or "")
end

local function write(nodes, indent, lines)
  for _, node in ipairs(nodes) do
    if not node.gone then
      if node.text then lines[#lines + 1] = indent .. (node.as and node.simpler[node.as] or node.text)
      elseif node.list then lines[#lines + 1] = indent .. list_text(node)
      elseif node.opened then write(node.body, indent, lines)
      else
        lines[#lines + 1] = indent .. (node.as and node.simpler[node.as] or node.head)
        write(node.body, indent .. "  ", lines)
        if node.other then
          lines[#lines + 1] = indent .. node.between
          write(node.other, indent .. "  ", lines)
        end
        lines[#lines + 1] = indent .. node.tail
      end
    end
  end
end

--- The nodes as Lua.
function program_text.write(nodes)
  local lines = {}
  write(nodes, "", lines)
  return table.concat(lines, "\n") .. "\n"
end

-- Sets a mark of a node while the program still fails.
local function mark(t, key, value, try)
  local before = t[key]
  t[key] = value
  if try() then return true end
  t[key] = before
  return false
end

local function live(nodes)
  local list = {}
  for _, node in ipairs(nodes) do if not node.gone then list[#list + 1] = node end end
  return list
end

-- Drops half of the nodes, then quarters and so on; finally single ones, the later ones first.
local function drop_nodes(nodes, try)
  local smaller, size = false, #live(nodes)
  while size >= 1 do
    local list = live(nodes)
    for last = #list, 1, -size do
      local part = {}
      for i = math.max(1, last - size + 1), last do if not list[i].need then part[#part + 1] = list[i] end end
      for _, node in ipairs(part) do node.gone = true end
      if #part > 0 and try() then smaller = true
      else for _, node in ipairs(part) do node.gone = nil end end
    end
    if size == 1 then break end
    size = (size + 1) // 2
  end
  return smaller
end

local function simplify(node, try)
  local smaller = false
  if node.body and node.open and not node.opened then smaller = mark(node, "opened", true, try) or smaller end
  for i = 1, not node.as and node.simpler and #node.simpler or 0 do
    if mark(node, "as", i, try) then smaller = true break end
  end
  if node.list then
    node.without = node.without or {}
    local left = 0
    for i = 1, #node.list do if not node.without[i] then left = left + 1 end end
    for i = #node.list, 1, -1 do
      if left > (node.least or 0) and not node.without[i] and mark(node.without, i, true, try) then
        smaller, left = true, left - 1
      end
    end
  end
  return smaller
end

--- For common.reduce: applies all reductions that try() allows; returns true if there was one.
function program_text.each_reduction(nodes, try)
  local smaller = drop_nodes(nodes, try)
  for i = #nodes, 1, -1 do
    local node = nodes[i]
    if not node.gone then
      if simplify(node, try) then smaller = true end
      if node.body and program_text.each_reduction(node.body, try) then smaller = true end
      if node.other and program_text.each_reduction(node.other, try) then smaller = true end
    end
  end
  return smaller
end

return program_text
