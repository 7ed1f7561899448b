-- printed_loops_spec.lua - every expression and fold of the registry, printed as C99: compilers accept the text without
-- warnings and extensions, and its loops have the bits of the program's own, at any optimisation level, over special
-- values, the whole range of a type and moderate numbers. Also the errors of texts that are not expressions.
local c99 = require "support.c99"
local scratch = require "support.scratch"
local expressions = assert(package.loadlib("build/spec/expressions.so", "luaopen_expressions"))()

-- The module with the program's loops is built for this processor in all runs (#once).
describe("C99 printed from the registry", function()
  local folder = scratch.folder()
  local source, source_of_few = folder.path .. "/loops.c", folder.path .. "/few.c"
  teardown(function() folder:remove() end)
  expressions.write(source)
  expressions.write(source_of_few, true)

  for _, compiler in ipairs(c99.compilers()) do
    it(("has the bits of the program's loops if compiled by %s #once"):format(compiler), function()
      -- Optimising takes long, and depends on the types little.
      local few = c99.optimises(compiler)
      local library = c99.compile("printed_loops", few and source_of_few or source, compiler)
      local loops, elements, differing = expressions.compare(library, few)
      assert.same({}, differing)
      assert.is_true(loops > (few and 300 or 700))
      assert.is_true(elements > 1e6)
    end)
  end

  it("uses no extension of GNU C", function() assert.is_nil(c99.extension(assert(io.open(source)):read "a")) end)
end)

describe("A text that is not an expression", function()
  for text, message in pairs {
    ["a +"] = "expected an operand at ''",
    ["a + q"] = "expected an operand at 'q'",
    ["foo(a)"] = "expected a scalar function at 'foo(a)'",
    ["power(a)"] = "expected two arguments at 'power(a)'",
    ["exp(a, b)"] = "expected one argument at 'exp(a, b)'",
    ["(a"] = "expected ) at ''",
    ["a ? b"] = "expected : at ''",
    ["a b"] = "expected an operator or the end at 'b'",
  } do
    it(("is refused: %s"):format(text), function()
      assert.equal(("expression '%s': %s"):format(text, message), expressions.parse(text))
    end)
  end
end)
