-- module - networks as Symbols with parameters, an optimizer and a training loop: MXNet's mx.mod (mx.module).
local parts = {}
for name, file in pairs { BaseModule = "base_module", Module = "symbol_module", BucketingModule = "bucketing_module",
                          SequentialModule = "sequential_module", PythonModule = "python_module",
                          PythonLossModule = "python_loss_module" } do
  parts[name] = "hybridlua.module." .. file
end

return require "hybridlua.language.module"({}, "hybridlua.module", parts)
