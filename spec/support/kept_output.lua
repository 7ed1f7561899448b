-- kept_output.lua - a file for output that a spec reads back: file.text().
return function()
  local text = {}
  return { write = function(_, ...) for i = 1, select("#", ...) do text[#text + 1] = (select(i, ...)) end end,
           flush = function() end,
           text = function() return table.concat(text) end }
end
