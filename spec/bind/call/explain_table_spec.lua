-- explain_table_spec.lua - the fields of explain's table: scripts and the text form read them by name.
local hl = require "hybridlua"
local nd, autograd = hl.nd, hl.autograd

-- The sorted names of a table's fields; numbers are left out.
local function fields(t)
  local list = {}
  for name in pairs(t) do if type(name) == "string" then list[#list + 1] = name end end
  table.sort(list)
  return table.concat(list, " ")
end

describe("explain's table", function()
  local f = hl.compile(function(F, x, w) return F.softmax(F.dot(x, w) + 1):sum() end)
  local x, w = nd.ones { 4, 4 }, nd.ones { 4, 4 }
  w:attach_grad()
  for _ = 1, 2 do autograd.record(function() return f(x, w) end):backward() end
  local trace = f:explain({ format = "table" }).traces[1]

  it("has the fields of a compiled function", function()
    assert.equal("dropped graph hits made max_plans name plans", fields(trace.compiled))
  end)

  it("has the fields of a specialization", function()
    local have = fields(trace.compiled.plans[1])
    for name in ("arena_bytes eager_bytes eager_nodes forward_instructions fuse_seconds graph groups hits " ..
        "input_bytes inputs instructions kernels output_bytes record runs saved_bytes seconds sharing tier train " ..
        "values"):gmatch "%S+" do
      assert.truthy((" " .. have .. " "):find(" " .. name .. " ", 1, true), name)
    end
  end)

  it("agrees with the sizes of inputs and outputs", function()
    local g = hl.compile(function(F, a, b) return F.dot(a, b) + 1 end)
    g(nd.ones { 4, 3 }, nd.ones { 3, 2 })
    local plan = g:explain({ format = "table" }).traces[1].compiled.plans[1]
    assert.equal((4 * 3 + 3 * 2) * 4, plan.input_bytes)
    assert.equal(4 * 2 * 4, plan.output_bytes)
  end)
end)
