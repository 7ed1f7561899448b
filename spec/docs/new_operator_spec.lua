-- new_operator_spec.lua - the new operator of docs/adding_an_operator.md, made in a copy of the tree: one file of
-- src/ops and one of src/kernels change.
local command = require "spec.support.command"
local pages = require "spec.support.pages"

local function read(name)
  local f <close> = assert(io.open(name))
  return f:read "a"
end

local function write(name, text)
  local f <close> = assert(io.open(name, "w"))
  f:write(text)
end

-- The page's insertions: { file =, where = "before" or "after", anchor =, text = }
local function insertions()
  local list, current = {}, nil
  for _, line in ipairs(pages.read "docs/adding_an_operator.md") do
    local file, where, anchor = line.text:match "^/%* insert into (%S+) (%l+): (.+) %*/$"
    if line.language ~= "c" then
      current = nil
    elseif file then
      current = { file = file, where = where, anchor = anchor, text = "" }
      list[#list + 1] = current
    elseif current then
      current.text = current.text .. line.text .. "\n"
    end
  end
  return list
end

describe("an operator added as docs/adding_an_operator.md says", function()
  local tree = os.tmpname()
  os.remove(tree)

  it("needs one file of src/ops and one of src/kernels", function()
    local out, code = command.run("mkdir " .. tree .. " && cp -a Makefile .busted src lua tools spec docs " .. tree ..
      " && find build -maxdepth 3 '(' -name '*.o' -o -name '*.d' -o -name '*.c' -o -name pictures ')'" ..
      " -not -path 'build/*/*/*/*' -print0 | tar -c --null -T - | tar -x -C " .. tree)
    assert.equal(0, code, out)
    local changed = {}
    for _, insertion in ipairs(insertions()) do
      local file = tree .. "/" .. insertion.file
      local before = read(file)
      local first, last = before:find(insertion.anchor .. "\n", 1, true)
      assert.truthy(first, insertion.file .. " has no line " .. insertion.anchor)
      local at = insertion.where == "before" and first - 1 or last
      local after = before:sub(1, at) .. insertion.text .. before:sub(at + 1)
      write(file, after)
      changed[insertion.file] = true
    end
    local names = {}
    for name in pairs(changed) do names[#names + 1] = name end
    table.sort(names)
    assert.equal(2, #names)
    assert.match("^src/kernels/", names[1])
    assert.match("^src/ops/", names[2])
    out, code = command.run("cd " .. tree .. " && make -s hybridlua")
    assert.equal(0, code, out)
  end)

  it("has its results, its gradient and its errors", function()
    local script = command.file [[
      local hl = require "hybridlua"
      local nd, autograd = hl.nd, hl.autograd
      local a, b = nd.array { 1, 2 }, nd.array { 3, 4 }
      a:attach_grad()
      autograd.record(function() return (nd.interleave(a, b) * nd.array { 1, 10, 100, 1000 }):sum() end):backward()
      print(table.concat(nd.interleave(a, b):totable(), " "), table.concat(a.grad:totable(), " "))
      print(table.concat(hl.compile(function(F, x, y) return F.interleave(x, y) end)(a, b):totable(), " "))
      print(pcall(nd.interleave, a, nd.array { { 1 } }))
    ]]
    local out, code = command.run(tree .. "/hybridlua " .. script)
    assert.equal(0, code, out)
    assert.match("^1.0 3.0 2.0 4.0\t1.0 100.0\n1.0 3.0 2.0 4.0\nfalse\t.-:8: interleave: b: expected shape ", out)
  end)

  it("passes the derived tests", function()
    local out, code = command.run("cd " .. tree ..
      " && ./hybridlua /usr/bin/busted spec/ops/ops_spec.lua --filter=interleave")
    assert.equal(0, code, out)
    assert.match("%f[%d][1-9]%d* passed, 0 failed", out)
    command.run("rm -rf " .. tree)
  end)
end)
