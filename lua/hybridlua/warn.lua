-- warn.lua - warnings, on standard error: "UserWarning: ...", as MXNet's.
local warn, told = {}, {}

--- Warns by a formatted text.
function warn.now(format, ...)
  io.stdout:flush()
  io.stderr:write("UserWarning: ", format:format(...), "\n")
end

--- Once a process for each `what`.
function warn.once(what, format, ...)
  if told[what] then return end
  told[what] = true
  warn.now(format, ...)
end

return warn
