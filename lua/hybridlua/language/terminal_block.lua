-- language/terminal_block.lua - what stays at the bottom of the terminal while a loop runs, on standard error: the
-- lines of a panel (plot/live.lua) and, below them, the line of a bar (progress.lua). Output of print and io.write on
-- the terminal appears above both. The panel has _lines() and the bar _line().
local core = require "hybridlua.core"

-- on: the bar and the panel; height: lines of the panel on the screen, above the cursor's; open: an unfinished line was
-- written after the block, which is drawn again once it has ended.
local block = { on = setmetatable({}, { __mode = "v" }), height = 0 }

local function erased()
  if block.height == 0 then return "\r\27[K" end
  local up = block.height
  block.height = 0
  return ("\r\27[%dA\27[J"):format(up)
end

--- Removes the block from the screen.
function block.erase()
  if block.open then return end
  io.stderr:write(erased())
  io.stderr:flush()
end

--- Draws the panel, and the bar below it, again.
function block.draw()
  if block.open then return end
  local parts = {}
  if block.on.panel then
    if block.height > 0 then parts[1] = ("\r\27[%dA"):format(block.height) end
    local lines = block.on.panel:_lines()
    for _, line in ipairs(lines) do parts[#parts + 1] = line .. "\27[K\n" end
    parts[#parts + 1] = "\27[J"
    block.height = #lines
  end
  if block.on.bar then parts[#parts + 1] = "\r" .. block.on.bar:_line() .. "\27[K" end
  io.stderr:write(table.concat(parts))
  io.stderr:flush()
end

--- Draws the bar's line, or the panel too if it is not on the screen.
function block.draw_bar()
  if block.on.panel and block.height == 0 then return block.draw() end
  if block.open then return end
  io.stderr:write("\r", block.on.bar:_line(), "\27[K")
  io.stderr:flush()
end

--- Leaves the panel on the screen, without changing it any more.
function block.leave_panel()
  block.draw()
  block.on.panel, block.height = nil, 0
end

-- Whether the line below the block is free after this output.
local function ends_line(...)
  local text = table.concat({ ... })
  if text == "" then return not block.open end
  return text:sub(-1) == "\n"
end

-- Writes with `write` on an empty line, and draws the block again below.
local function write_above(write, whole, ...)
  block.erase()
  local results = table.pack(write(...))
  io.stdout:flush()
  block.open = not whole
  block.draw()
  return table.unpack(results, 1, results.n)
end

local hooked

--- Wraps print and io.write, if standard output is a terminal too.
function block.hook()
  if hooked or not core.host.is_terminal(1) then return end
  hooked = true
  local print_, write_ = print, io.write
  function _G.print(...)
    if not (block.on.bar or block.on.panel) then return print_(...) end
    return write_above(print_, true, ...)
  end
  function _G.io.write(...)
    if not (block.on.bar or block.on.panel) or io.output() ~= io.stdout then return write_(...) end
    local good, whole = pcall(ends_line, ...)                      -- wrong values are rejected by write
    return write_above(write_, good and whole, ...)
  end
end

return block
