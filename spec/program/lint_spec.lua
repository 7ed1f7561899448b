-- lint_spec.lua - the parts of the lint: names of operators read from the sources (tools/row_names.lua) agree with the
-- program, wrong pages of folders are found (tools/folder_pages.lua), and calls of libm in objects
-- (tools/libm_calls.lua).
local core = require "hybridlua.core"
local scratch = require "support.scratch"

describe("the names that lint reads from src/ops", function()
  local read = dofile "tools/row_names.lua"()
  local have = {}
  for _, op in ipairs(core.op.rows()) do
    for _, name in ipairs { op.name, table.unpack(op.aliases) } do have[name] = true end
  end

  it("include all rows", function()
    -- rows for numbers bound at run time are derived from others in the registry
    for name in pairs(have) do
      local of = name:match "^_bound_(.*)$"
      assert.truthy(read[name] or of and (read[of] or read["_" .. of]), name)
    end
  end)

  it("are all names of rows, except gradients that are not made", function()
    for name in pairs(read) do assert.truthy(have[name] or core.op.row(name) or name:find "^_backward_", name) end
  end)
end)

describe("the check of folder pages", function()
  -- A tree of two rooms: b includes a/c; a has no sources.
  local rank = { ["a/c"] = 1, b = 2, [""] = 3 }
  local includes = { ["a/c"] = {}, b = { ["a/c"] = true }, [""] = { b = true } }
  local good = {
    [""] = "# src\n\nAll.\n\nIncludes: b.\nFolders: a, b.\nRead first: `main.c`, `a/c/c.h`.\n",
    a = "# src/a\n\nA group.\n\nFolders: c.\nRead first: `c/c.h`.\n",
    ["a/c"] = "# src/a/c\n\nSee `b/b.c`.\n\nIncludes: nothing.\nRead first: `c.h`.\n",
    b = "# src/b\n\nA word in quotes: `Op`.\n\nIncludes:\na/c.\nRead first: `b.c`.\n"
  }
  local folder

  before_each(function()
    folder = scratch.folder()
    scratch.run(("mkdir -p '%s/src/a/c' '%s/src/b'"):format(folder.path, folder.path))
    for _, file in ipairs { "main.c", "a/c/c.h", "b/b.c" } do scratch.write(folder:file("src/" .. file), "") end
  end)

  after_each(function() folder:remove() end)

  -- Returns the complaints about a tree with the good pages, some of them changed or (false) missing.
  local function breaches(changed)
    local list = {}
    for name, text in pairs(good) do
      if changed[name] ~= nil then text = changed[name] end
      local page = folder:file(name == "" and "src/README.md" or "src/" .. name .. "/README.md")
      if text then scratch.write(page, text) end
    end
    dofile "tools/folder_pages.lua".check(folder:file "src", rank, includes, function(...)
      list[#list + 1] = string.format(...)
    end)
    return (table.concat(list, "\n"):gsub(folder.path:gsub("%p", "%%%0") .. "/", ""))
  end

  it("accepts correct pages", function() assert.equal("", breaches {}) end)

  it("rejects a missing page, a long page, and a page without a file to read first", function()
    assert.equal("src/b/README.md: missing; each folder of src has one", breaches { b = false })
    assert.equal("src/a/README.md: 11 lines; at most 10", breaches { a = good.a .. "\n\n\n\n\n" })
    assert.equal("src/a/README.md: expected a line 'Read first: `FILE`.'",
      breaches { a = good.a:gsub("Read first", "Read") })
  end)

  it("rejects names of files that do not exist", function()
    assert.equal("src/b/README.md: there is no c.c", breaches { b = good.b:gsub("b%.c", "c.c") })
    assert.equal("src/a/README.md: there is no c/d/", breaches { a = good.a:gsub("group", "group `c/d/`") })
    assert.equal("", breaches { a = good.a:gsub("group", "`x.grad`, `a = b/c`, `*.c`") })
  end)

  it("rejects rooms that the files do not include, and missing rooms that they do", function()
    assert.equal("src/a/c/README.md: expected 'Includes: nothing.', got 'Includes: b.'",
      breaches { ["a/c"] = good["a/c"]:gsub("nothing", "b") })
    assert.equal("src/b/README.md: expected 'Includes: a/c.', got 'Includes: nothing.'",
      breaches { b = good.b:gsub("\na/c", " nothing") })
    assert.equal("src/a/README.md: expected no line Includes, got 'Includes: b.'",
      breaches { a = good.a .. "Includes: b.\n" })
  end)

  it("rejects folders in another order than that of inclusion", function()
    assert.equal("src/README.md: expected 'Folders: a, b.', got 'Folders: b, a.'",
      breaches { [""] = good[""]:gsub("a, b", "b, a") })
  end)
end)

describe("#once the built objects", function()
  if not scratch.is_first_pass then return end

  it("call libm for rows of float64 only", function()
    local output, code = scratch.run "lua5.4 tools/libm_calls.lua build"
    assert.equal(0, code, output)
  end)
end)
