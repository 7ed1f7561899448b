-- new_operator_spec.lua - the new operators of docs/adding_an_operator.md, made in a copy of the tree. One file of
-- src/ops and one of src/kernels change for each; a plain text is one file and a row.
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

-- What the page adds, by the heading above it: { heading = { { file =, where = "before", "after" or nil, anchor =,
-- text = }, ... } }; without `where` the file is new.
local function additions()
  local by_heading, heading, current = {}, nil, nil
  for _, line in ipairs(pages.read "docs/adding_an_operator.md") do
    if not line.language then heading = line.text:match "^#+ (.+)$" or heading end
    local file, where, anchor = line.text:match "^/%* insert into (%S+) (%l+): (.+) %*/$"
    file = file or line.text:match "^/%* new file (%S+) %*/$"
    if line.language ~= "c" then
      current = nil
    elseif file then
      current = { file = file, where = where, anchor = anchor, text = "" }
      by_heading[heading] = by_heading[heading] or {}
      table.insert(by_heading[heading], current)
    elseif current then
      current.text = current.text .. line.text .. "\n"
    end
  end
  return by_heading
end

local function add(tree, addition)
  local file = tree .. "/" .. addition.file
  if not addition.where then return write(file, addition.text) end
  local before = read(file)
  local first, last = before:find(addition.anchor .. "\n", 1, true)
  assert.truthy(first, addition.file .. " has no line " .. addition.anchor)
  local at = addition.where == "before" and first - 1 or last
  write(file, before:sub(1, at) .. addition.text .. before:sub(at + 1))
end

-- The folders of src whose files a heading changes, once per file, in order.
local function folders(list)
  local seen, names = {}, {}
  for _, addition in ipairs(list) do
    if not seen[addition.file] then names[#names + 1] = addition.file:match "^src/(%l+)/" end
    seen[addition.file] = true
  end
  table.sort(names)
  return names
end

describe("#once operators added as docs/adding_an_operator.md says", function()
  local tree = os.tmpname()
  os.remove(tree)

  it("need one file of src/ops and one of src/kernels", function()
    local out, code = command.run("mkdir " .. tree .. " && cp -a Makefile .busted src lua tools spec docs " .. tree ..
      " && find build -maxdepth 3 '(' -name '*.o' -o -name '*.d' -o -name '*.c' -o -name pictures ')'" ..
      " -not -path 'build/*/*/*/*' -print0 | tar -c --null -T - | tar -x -C " .. tree)
    assert.equal(0, code, out)
    local added = additions()
    for _, list in pairs(added) do for _, addition in ipairs(list) do add(tree, addition) end end
    assert.same({ "kernels", "ops" }, folders(added["One of your own"]))
    assert.same({ "kernels", "ops" }, folders(added["One with a state"]))
    assert.same({ "plain", "plain" }, folders(added["One with a plain text"]))
    out, code = command.run("cd " .. tree .. " && make -s hybridlua build/spec/rows.so build/spec/plain.so")
    assert.equal(0, code, out)
  end)

  it("have their results, gradients and errors", function()
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

  it("write their states in training, compiled as well as eager", function()
    local script = command.file [[
      local hl = require "hybridlua"
      local nd, autograd = hl.nd, hl.autograd
      local scaled = hl.compile(function(F, x, largest) return F.running_scale(x, largest) end)
      for _, f in ipairs { nd.running_scale, scaled } do
        local x, largest = nd.array { 1, -4 }, nd.array { 2 }
        x:attach_grad()
        print(f(x, largest):totable()[2], largest:asscalar())
        autograd.record(function() return f(x, largest) end):backward()
        print(x.grad:totable()[1], largest:asscalar())
      end
      print(table.concat(hl.sym.running_scale(hl.sym.var "x", { name = "s" }):list_auxiliary_states(), " "))
    ]]
    local out, code = command.run(tree .. "/hybridlua " .. script)
    assert.equal(0, code, out)
    assert.equal("-2.0\t2.0\n0.25\t4.0\n-2.0\t2.0\n0.25\t4.0\ns_largest\n", out)
  end)

  it("pass the derived tests", function()
    local specs = "./hybridlua /usr/bin/busted spec/ops/ops_spec.lua spec/ops/effects_spec.lua --filter="
    for _, name in ipairs { "interleave", "running_scale" } do
      local out, code = command.run("cd " .. tree .. " && " .. specs .. name)
      assert.equal(0, code, out)
      assert.match("%f[%d][1-9]%d* passed, 0 failed", out)
    end
  end)

  it("have their kernels held to the plain text", function()
    local out, code = command.run("cd " .. tree .. " && " ..
      "PLAIN_ROW=interleave$ ./hybridlua /usr/bin/busted --exclude-tags=once spec/plain/plain_texts_spec.lua")
    assert.equal(0, code, out)
    assert.match("%f[%d]1 passed, 0 failed", out)
    command.run("rm -rf " .. tree)
  end)
end)
