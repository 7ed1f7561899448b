-- printed_loops_spec.lua - every expression and fold of the registry, printed as C99: compilers accept the text without
-- warnings and extensions, and its loops have the bits of the program's own, at any optimisation level, over special
-- values, the whole range of a type and moderate numbers. Also the errors of texts that are not expressions.
local compilers = require "support.compilers"
local kept_objects = require "support.kept_objects"
local scratch = require "support.scratch"
local expressions = assert(package.loadlib("build/spec/expressions.so", "luaopen_expressions"))()

local FLAGS = "-std=c99 -pedantic -Wall -Wextra -Werror"

describe("C99 printed from the registry", function()
  local folder = scratch.folder()
  local source, source_of_few = folder.path .. "/loops.c", folder.path .. "/few.c"
  teardown(function() folder:remove() end)
  expressions.write(source)
  expressions.write(source_of_few, true)

  local function check(compiler, few, least)
    local library = kept_objects.compile("printed_loops", few and source_of_few or source, compiler, FLAGS)
    local loops, elements, differing = expressions.compare(library, few)
    assert.same({}, differing)
    assert.is_true(loops > least)
    assert.is_true(elements > 1e6)
  end

  for _, compiler in ipairs(compilers.list()) do
    it(("has the bits of the program's loops if compiled by %s -O0"):format(compiler), function()
      check(compiler .. " -O0", false, 700)
    end)

    -- Optimising takes long, and depends on the types little.
    it(("has these bits, optimised by %s #once"):format(compiler), function() check(compiler .. " -O3", true, 300) end)
  end

  it("uses no extension of GNU C", function()
    local text = assert(io.open(source)):read "a"
    assert.is_nil(text:find("({", 1, true))
    assert.is_nil(text:find("_Generic", 1, true))
    assert.is_nil(text:find("__typeof__", 1, true))
  end)
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
