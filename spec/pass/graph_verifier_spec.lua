-- graph_verifier_spec.lua - the verifier, which runs after every pass in test builds (make asan), detects each kind of
-- broken graph and memory plan. spec/native/broken.c breaks them.
local broken = assert(package.loadlib("build/spec/broken.so", "luaopen_broken"))()

local function says(what, cases)
  for _, case in ipairs(cases) do
    it(("%s: %s"):format(case[1], case[2]), function()
      local text = broken(what, case[1])
      assert.truthy(text and text:find(case[2], 1, true), tostring(text))
    end)
  end
end

describe("the verifier", function()
  it("accepts a good graph and a good memory plan", function()
    assert.is_nil(broken("graph", "good"))
    assert.is_nil(broken("plan", "good"))
  end)

  says("graph", {
    { "type", "after pass type" }, { "unknown type", "an output's type is unknown" },
    { "cycle", "an input comes after it" }, { "order", "an input comes after it" },
    { "part", "backward computes output 0 of forward" }, { "stranger", "an input is not in the graph" },
    { "index", "an input's index is out of range" }, { "references", "it has fewer references than users" },
    { "twice", "it is listed twice, or not at its" }, { "input", "2 variables for 1 inputs" },
  })
  says("plan", {
    { "overlap", "after sqrt overwrote it" }, { "half over", "after sqrt overwrote it" },
    { "too early", "after sqrt overwrote it" }, { "into an input", "writes into an input" },
    { "shared output", "output 0: elemwise_mul overwrote it" },
    { "backward", "which backward needs when it runs again" }, { "left", "which is in the arena of forward" },
  })
end)
