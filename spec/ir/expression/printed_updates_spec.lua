-- printed_updates_spec.lua - every update rule of the registry, printed as C99 from its tree: compilers accept the text
-- without warnings and extensions, and its loops give the bits of the kernels, for weights and states, special values,
-- clipping on and off, any number of elements. Also the errors of texts that are not lists of assignments.
local c99 = require "support.c99"
local scratch = require "support.scratch"
local updates = assert(package.loadlib("build/spec/updates.so", "luaopen_updates"))()

-- The module with the program's kernels is built for this processor in all runs (#once).
describe("C99 printed from update rules", function()
  local folder = scratch.folder()
  local source = folder.path .. "/updates.c"
  teardown(function() folder:remove() end)
  local written = updates.write(source)

  for _, compiler in ipairs(c99.compilers()) do
    it(("has the bits of the kernels if compiled by %s #once"):format(compiler), function()
      local loops, elements, differing = updates.compare(c99.compile("printed_updates", source, compiler))
      assert.same({}, differing)
      assert.equal(written, loops)
      assert.is_true(loops >= 34)
      assert.is_true(elements > 1e6)
    end)
  end

  it("uses no extension of GNU C", function() assert.is_nil(c99.extension(assert(io.open(source)):read "a")) end)

  it("misses no row that is computed element by element", function() assert.same({}, updates.unwritten()) end)
end)

describe("A text that is not a list of assignments", function()
  for text, message in pairs {
    ["w + m;"] = "assignments 'w + m;': expected a name and = at 'w + m;'",
    ["= m;"] = "assignments '= m;': expected a name and = at '= m;'",
    ["s = m;"] = "assignments 's = m;': expected a new name or an operand at 's = m;'",
    ["d = w; d = m;"] = "assignments 'd = w; d = m;': expected a new name or an operand at 'd = m;'",
    ["w = w + m"] = "expression 'w = w + m': expected an operator or ; at ''",
    ["w = q;"] = "expression 'w = q;': expected an operand at 'q;'",
    ["w = d; d = m;"] = "expression 'w = d; d = m;': expected an operand at 'd; d = m;'",
  } do
    it(("is refused: %s"):format(text), function() assert.equal(message, updates.parse(text)) end)
  end

  it("is not one that uses new names and changes operands", function()
    assert.is_nil(updates.parse "k = 1 - s; d = (double)(k); m = k * m; w = w + m * K(d);")
    assert.is_nil(updates.parse "")
  end)
end)
