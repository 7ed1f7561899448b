-- gluon/rnn - recurrent layers and cells.
local rnn = {}

local function take(parts) for name, part in pairs(parts) do rnn[name] = part end end

for _, file in ipairs { "layers", "recurrent_cell", "cells", "modifiers" } do
  take(require("hybridlua.gluon.rnn." .. file))
end
take(require("hybridlua.gluon.rnn.stacks").cells)

return require "hybridlua.language.module"(rnn, "hybridlua.gluon.rnn", {})
