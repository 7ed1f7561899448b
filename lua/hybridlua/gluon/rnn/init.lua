-- gluon/rnn - recurrent layers and cells.
local rnn = {}

for _, file in ipairs { "layers", "cells" } do
  for name, layer in pairs(require("hybridlua.gluon.rnn." .. file)) do rnn[name] = layer end
end

return require "hybridlua.module"(rnn, "hybridlua.gluon.rnn", {})
