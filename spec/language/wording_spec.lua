-- wording_spec.lua - errors and warnings in the words of Lua, not of Python.
local hl = require "hybridlua"
local command = require "support.command"
local nd, gluon = hl.nd, hl.gluon

-- Patterns of Python code. PRINTED lists texts that print as in MXNet, such as Conv2D(.., bias=False).
local PYTHON = { "%w=True", "%w=False", "got None", "expected None", "must be None", "``", "`[%w_.]+`",
                 "Please first call", "%f[%w]block%.%w+%(", "%f[%w]net%.%w+%(%)", "%f[%w]trainer%.%w+%(",
                 "mx%.%w+%.%w+", "the later does" }
local PRINTED = { ["bias=False"] = true }

-- Calls visit with each quoted text in a line that is not a comment.
local function each_text(line, visit)
  if line:match "^%s*%-%-" or line:match "^%s*/?%*" then return end
  for text in line:gmatch '"([^"]*)"' do visit(text) end
end

describe("errors and warnings", function()
  it("contain no Python code", function()
    local names = command.run "find lua src -name '*.lua' -o -name '*.c'"
    local n, found = 0, {}
    for name in names:gmatch "[^\n]+" do
      local number = 0
      for line in io.lines(name) do
        number = number + 1
        each_text(line, function(text)
          n = n + 1
          for _, pattern in ipairs(PYTHON) do
            local doc = pattern:sub(1, 1) == "`" and name:find "^src/ops"      -- help texts of rows are Markdown
            if text:find(pattern) and not PRINTED[text] and not doc then
              found[#found + 1] = ("%s:%d: %s"):format(name, number, text)
            end
          end
        end)
      end
    end
    assert.is_true(n > 1000)
    assert.same({}, found)
  end)

  it("begin with what to write for the most common mistake", function()
    local net = gluon.nn.Dense(2, { in_units = 2 })
    assert.raises(function() net(nd.ones { 1, 2 }) end,
      "wording_spec.lua:%d+: Call net:initialize%(%) first: Parameter 'dense%d+_weight' has not been initialized")
    local file = command.file ""
    net:initialize()
    nd.save(file .. ".params", { weight = nd.ones { 2, 2 } })
    assert.raises(function() net:load_parameters(file .. ".params") end, "Set allow_missing = true to ignore")
    os.remove(file .. ".params")
    assert.raises(function() net:export "x" end, "export: call net:hybridize%(%) and then net%(x%) once first")
  end)
end)

describe("HYBRIDLUA_DISABLE=1", function()
  it("allows the export of a called network", function()
    local folder = os.tmpname()
    os.remove(folder)
    command.run("mkdir " .. folder)
    local script = command.file(([[
      local hl = require "hybridlua"
      local nd, nn = hl.nd, hl.gluon.nn
      hl.random.seed(5)
      local net = nn.HybridSequential()
      net:add(nn.Dense(3, {activation = "relu"}), nn.BatchNorm(), nn.Dense(2))
      net:initialize()
      net:hybridize()
      local x = nd.random.uniform{shape = {4, 5}}
      local y = net(x)
      net:export("%s/net")
      local back = hl.gluon.SymbolBlock.imports("%s/net-symbol.json", "data", "%s/net-0000.params")
      assert(back(x):tobytes() == y:tobytes())
      io.open("%s/" .. (os.getenv "HYBRIDLUA_DISABLE" or "0"), "w"):write(io.open("%s/net-symbol.json"):read "a")
    ]]):gsub("%%s", folder))
    for _, value in ipairs { "0", "1" } do
      local output, code = command.run(("HYBRIDLUA_DISABLE=%s %s %s"):format(value, command.program, script))
      assert.equal(0, code, output)
    end
    assert.equal("", (command.run(("cmp %s/0 %s/1"):format(folder, folder))))
    command.run("rm -r " .. folder)
  end)
end)
