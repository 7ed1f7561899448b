-- ops_spec.lua - what every operator must do, derived from the registry: no operator is
-- named here, and a new row in src/ops is tested at once. The row's examples are the
-- inputs; F.array in them gives arrays in one run and variables in another.
local core = require "hybridlua.core"
local examples = require "support.examples"

local LEAST = 1e-6      -- relative error of gradients in float64

for _, op in ipairs(core.op.rows()) do
  if not op.internal then
    describe(op.name, function()
      it("is documented", function()
        assert.truthy(op.doc and #op.doc > 0, "a doc")
        assert.truthy(op.example, "an example")
        for _, p in ipairs(op.params) do assert.truthy(#p.doc > 0, "a doc for " .. p.name) end
      end)
      for n, text in ipairs(examples.of(op)) do
        local title = #examples.of(op) > 1 and (" (example %d)"):format(n) or ""
        if not op.random and not op.dynamic then
          it("gives the same bits by nd and sym" .. title, function() examples.check_symbolic(op, text) end)
          it("is explained" .. title, function() examples.check_explained(text) end)
        end
        if not op.mutates then
          it("can have its outputs differentiated by" .. title, function() examples.check_by_output(text) end)
        end
        if examples.differentiable(op) then
          it("has the gradient that differences see" .. title, function() examples.check_gradient(op, text, LEAST) end)
          it("has the gradient of that gradient" .. title, function() examples.check_second_order(op, text, LEAST) end)
        end
      end
      if op.elementwise then
        it("takes empty and 0-d arrays, and broadcasts", function() examples.check_shapes(op) end)
      end
      if op.variadic then
        it("refuses a number of operands that cannot be", function() examples.check_counts(op) end)
      end
      it("names itself, the parameter, and the line in errors", function() examples.check_errors(op) end)
    end)
  end
end
