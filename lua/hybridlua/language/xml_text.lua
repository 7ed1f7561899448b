-- xml_text.lua - text within SVG and graphviz's HTML: characters that begin tags and entities are written as entities.
local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

return function(text) return (text:gsub("[&<>]", ENTITIES)) end
