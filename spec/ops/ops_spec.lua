-- ops_spec.lua - tests of every operator, derived from the registry: no operator is named here, so a new row in src/ops
-- is tested too. The row's examples are the inputs; F.array in them is an array in one run and a variable in another.
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
          it("has the same bits in nd and sym" .. title, function() examples.check_symbolic(op, text) end)
          it("has an explanation" .. title, function() examples.check_explained(text) end)
        end
        if not op.mutates then
          it("has a gradient for each output" .. title, function() examples.check_by_output(text) end)
        end
        if examples.differentiable(op) then
          it("has a correct gradient" .. title, function() examples.check_gradient(op, text, LEAST) end)
          it("has a correct second-order gradient" .. title,
            function() examples.check_second_order(op, text, LEAST) end)
        end
      end
      if op.elementwise then
        it("accepts empty and 0-d arrays, and broadcasts", function() examples.check_shapes(op) end)
      end
      if op.variadic then
        it("rejects a wrong number of operands", function() examples.check_counts(op) end)
      end
      it("reports its name, the parameter, and the line in errors", function() examples.check_errors(op) end)
    end)
  end
end
