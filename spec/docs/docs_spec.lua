-- docs_spec.lua - the pages are true: their code runs and prints the expected output, their links and files exist, and
-- they list the program's options and variables.
local command = require "support.command"
local pages = require "support.pages"
local scratch = require "support.scratch"

local program = scratch.absolute(command.program)
local root = scratch.absolute "."

local function text_of(file) return scratch.read(file) end

local function folder_of(file) return file:match "^(.*/)" or "" end

local function exists(path)
  local _, code = scratch.run("test -e '" .. path .. "'")
  return code == 0
end

-- ---- Code -----------------------------------------------------------------------------------

-- README prints a generated kernel, so its calls wait for the compiler; the other pages run without kernels.
local JIT = { ["README.md"] = "sync" }

-- Runs the Lua of a page in a new folder, as the script PAGE.lua.
local function run_page(file, code)
  local folder = scratch.folder()
  local name = file:match "([^/]*)%.md$" .. ".lua"
  scratch.write(folder:file(name), code)
  local output, status = scratch.run(("cd '%s' && HYBRIDLUA_DATA='%s/examples/data' HYBRIDLUA_JIT=%s '%s' %s"):format(
    folder.path, root, JIT[file] or "off", program, name))
  folder:remove()
  return output, status
end

describe("page code", function()
  for _, file in ipairs(pages.list()) do
    local code, expected = pages.program(pages.read(file))
    if code then
      it("runs and prints the expected output, in " .. file, function()
        local output, status = run_page(file, code)
        local difference = pages.difference(output, expected, file)
        assert.truthy(status == 0, file .. ": " .. output:sub(-2000))
        assert.falsy(difference, difference)
      end)
    end
  end
end)

-- ---- Commands -------------------------------------------------------------------------------

local function make_targets()
  local targets = {}
  for line in io.lines "Makefile" do
    local target = line:match "^([%w_-]+):[^=]*$" or line:match "^([%w_-]+):$"
    if target then targets[target] = true end
  end
  return targets
end

-- Checks for each kind of command of a page; `rest` is the text after its first word.
local check = {}

function check.make(rest, where)
  local targets = make_targets()
  for word in rest:gmatch "%S+" do
    if not word:find "=" and not word:match "^-" then
      assert.truthy(targets[word], where .. ": there is no make target " .. word)
    end
  end
end

local function nothing() end
check.git, check.cd, check["apt-get"], check.sudo, check.man = nothing, nothing, nothing, nothing, nothing

-- Should the command be run: the program's with -e, --help-op and the like, or Lua's?
local function is_run(text)
  return text:find("./hybridlua -", 1, true) or text:find("lua5.4 -e", 1, true)
end

local function first_word(text) return text:match "^(%S+)" end

describe("page command", function()
  for _, file in ipairs(pages.list()) do
    for _, c in ipairs(pages.commands(pages.read(file))) do
      local where = ("%s:%d"):format(file, c.line)
      it("works or names an existing target or file, in " .. where .. ": " .. c.text, function()
        if is_run(c.text) then
          local output, status = scratch.run((c.text:gsub("build/%?%.so", command.build .. "/?.so"):gsub("%./hybridlua",
            command.program)))
          assert.equal(0, status, where .. ": " .. output)
          if #c.expected > 0 then
            local lines = {}
            for line in output:gmatch "[^\n]+" do if #lines < #c.expected then lines[#lines + 1] = line end end
            local difference = pages.difference(table.concat(lines, "\n"), c.expected, file)
            assert.falsy(difference, difference)
          end
          return
        end
        local word = first_word(c.text)
        if word == "./hybridlua" or word:find "/" then
          local path = c.text:match "^%./hybridlua%s+(%S+)" or word
          assert.truthy(exists(path) or path == "./hybridlua", where .. ": there is no " .. path)
          return
        end
        assert.truthy(check[word], where .. ": no check exists for the command " .. word)
        check[word](c.text:sub(#word + 1), where)
      end)
    end
  end
end)

-- ---- Links and files ---------------------------------------------------------------------------

describe("#once page links", function()
  for _, file in ipairs(pages.list()) do
    it("lead to existing files and headings, in " .. file, function()
      local lines = pages.read(file)
      for _, link in ipairs(pages.links(lines)) do
        local target = link.file == "" and file or folder_of(file) .. link.file
        local where = ("%s:%d"):format(file, link.line)
        assert.truthy(exists(target), where .. ": there is no " .. target)
        if link.anchor and target:match "%.md$" then
          assert.truthy(pages.anchors(link.file == "" and lines or pages.read(target))[link.anchor],
            where .. ": no heading #" .. link.anchor)
        end
      end
      for _, named in ipairs(pages.named_files(lines)) do
        assert.truthy(exists(named.name), ("%s:%d: there is no %s"):format(file, named.line, named.name))
      end
    end)
  end
end)

-- ---- Generated pages -----------------------------------------------------------------------------

describe("#once generated pages", function()
  it("match the program", function()
    local output, status = scratch.run(command.program .. " tools/docs.lua check")
    assert.equal(0, status, output)
  end)

  it("are compared line by line", function()
    local folder = scratch.folder()
    scratch.run(("cp -r docs lua src tools '%s' && sed -i '3s/.*/changed/' '%s/docs/ops.md'"):format(folder.path,
      folder.path))
    local output, status = scratch.run(("cd '%s' && '%s' tools/docs.lua check"):format(folder.path, program))
    folder:remove()
    assert.equal(1, status)
    assert.truthy(output:find("docs/ops.md:3: ", 1, true), output)
    assert.truthy(output:find("is:        changed", 1, true), output)
  end)

  it("are valid Lua if they are types", function()
    for _, file in ipairs { "docs/types/hybridlua.lua", "docs/types/operators.lua" } do
      local chunk, message = loadfile(file)
      assert.truthy(chunk, message)
      chunk()
    end
  end)

  it("have the options of every constructor for editors, with existing types", function()
    local text = command.run(command.program .. " -e " .. command.quote [[package.path = "tools/?.lua;" .. package.path
      local types = require "docs.types" io.write(types.operators(), types.modules())]])
    local function fields_of(class)
      local block, fields = text:match("\n%-%-%-@class " .. class:gsub("%p", "%%%0") .. "%.options\n(.-)\n\n"), {}
      assert.truthy(block, class)
      for name, kind in block:gmatch '%-%-%-@field ["%[]*([%w_]+)["%]]*%? ([^\n]*)' do fields[name] = kind end
      return fields
    end
    local dense = fields_of "hl.gluon.nn.Dense"
    assert.equal("integer", dense.units)
    assert.equal("boolean Default: true.", dense.use_bias)
    assert.truthy(dense.activation:find("'relu'", 1, true))
    assert.truthy(text:find("\n---@overload fun(options: hl.gluon.nn.Dense.options): hl.gluon.nn.Dense\n", 1, true))
    assert.equal("number Default: 0.999.", fields_of("hl.optimizer.Adam").beta2)
    local trainer = fields_of "hl.gluon.Trainer"
    assert.truthy(trainer.optimizer:find("'adam'", 1, true) and
      trainer.optimizer_params:find("hl.optimizer.Adam.options", 1, true))
    assert.truthy(fields_of("hl.gluon.data.DataLoader").last_batch:find("'keep'", 1, true))

    -- All classes with a reader of arguments: layers, losses, datasets, metrics and others.
    local arguments, count = require "hybridlua.language.arguments", 0
    for _, path in ipairs { "gluon", "gluon.nn", "gluon.loss", "gluon.data", "gluon.data.vision", "optimizer", "metric",
                             "lr_scheduler",
                             "initializer" } do
      local module = require("hybridlua." .. path)
      for name, cls in pairs(module) do
        local reader = type(cls) == "table" and rawget(cls, "subclass") and cls.__name__ == name and
          arguments.reader_of(cls)
        local alias = text:find(("\nhl.%s.%s = hl."):format(path, name), 1, true)
        if reader and not alias then
          local fields = fields_of(("hl.%s.%s"):format(path, name))
          for _, option in ipairs(reader.names) do assert.truthy(fields[option], name .. ": " .. option) end
          count = count + 1
        end
      end
    end
    assert.truthy(count > 60, count)

    local known = {}
    for name in text:gmatch "%-%-%-@class ([%w_.]+)" do known[name] = true end
    for name in text:gmatch "%-%-%-@alias ([%w_.]+)" do known[name] = true end
    for line in text:gmatch "%-%-%-@[fpor][ivea][^\n]*" do
      for name in line:gmatch "%f[%w]hl%.[%w_.]*[%w_]" do assert.truthy(known[name], name .. " in " .. line) end
    end
  end)

  it("list every operator that is not internal", function()
    local ops = text_of "docs/ops.md"
    for _, op in ipairs(require "hybridlua.core".op.rows()) do
      if not op.internal then assert.truthy(ops:find("\n### " .. op.name .. "\n", 1, true), op.name) end
    end
  end)
end)

-- ---- Options and variables ---------------------------------------------------------------------------

local usage = command.run(command.program .. " --help")

-- Options of the usage text, with their dashes.
local function options_of_usage()
  local list = {}
  for option in usage:gmatch "\n  (%-[%w-]*)" do list[#list + 1] = option end
  return list
end

-- Environment variables of hybridlua that the sources read.
local function variables_of_sources()
  local found, list = {}, {}
  local text = scratch.run [[grep -rhoE '"HYBRIDLUA_[A-Z_]+"' src lua]]
  for name in text:gmatch "HYBRIDLUA_[A-Z_]+" do found[name] = true end
  for name in pairs(found) do list[#list + 1] = name end
  table.sort(list)
  return list, found
end

-- Only the project's own tests need these.
local FOR_TESTS = { HYBRIDLUA_GC = true }

describe("#once docs/conformance.md", function()
  it("lists every operator of the oracle with its cases, none of which exceeds its tolerance", function()
    local cases, on_page = {}, {}
    for _, case in ipairs(require "support.oracle".cases) do cases[case.op] = (cases[case.op] or 0) + 1 end
    for line in io.lines "docs/conformance.md" do
      local name, n, share = line:match "^| ([%w_]+) | (%d+) | %d+ | [^|]+ | (%d+)%% |"
      if name then
        on_page[name] = tonumber(n)
        assert.truthy(tonumber(share) <= 100, line)
      end
    end
    assert.same(cases, on_page)
  end)
end)

describe("#once the man page and docs/guide/program.md", function()
  local man = text_of("docs/hybridlua.1"):gsub("\\%-", "-")
  local guide = text_of "docs/guide/program.md"

  it("name every option of the program and no other", function()
    local known = {}
    for _, option in ipairs(options_of_usage()) do
      known[option] = true
      assert.truthy(guide:find("| `" .. option, 1, true), "guide: " .. option)
      assert.truthy(man:find("\n%.B[IR]* \"?" .. option:gsub("%p", "%%%0") .. "%f[^%w-]"), "man page: " .. option)
    end
    assert.truthy(#options_of_usage() >= 11)
    for option in man:match "%.SH OPTIONS.-%.SH":gmatch "\n%.B[IR]* (%-[%w-]*)" do
      assert.truthy(known[option], "no option: " .. option)
    end
    for option in guide:gmatch "\n| `(%-[%w-]*)" do assert.truthy(known[option], "no option: " .. option) end
  end)

  it("name every environment variable that the sources read and no other", function()
    local list, found = variables_of_sources()
    assert.truthy(#list >= 5)
    for _, name in ipairs(list) do
      if not FOR_TESTS[name] then
        assert.truthy(guide:find("| `" .. name .. "`", 1, true), "guide: " .. name)
        assert.truthy(man:find("\n.B " .. name .. "\n", 1, true), "man page: " .. name)
      end
    end
    for _, file in ipairs(pages.list()) do
      for name in text_of(file):gmatch "HYBRIDLUA_[A-Z_]+" do
        assert.truthy(found[name], file .. ": nothing reads " .. name)
      end
    end
    for name in man:gmatch "HYBRIDLUA_[A-Z_]+" do assert.truthy(found[name], "man page: nothing reads " .. name) end
  end)
end)

-- ---- Adding an operator ------------------------------------------------------------------------------

-- Each block of C in the page begins with the name of its file; new_operator_spec.lua inserts the others.
describe("#once docs/adding_an_operator.md", function()
  it("quotes lines of the sources", function()
    local source, name, shown = nil, nil, 0
    for i, line in ipairs(pages.read "docs/adding_an_operator.md") do
      if line.language ~= "c" then
        source, name = nil, nil
      elseif line.text:match "^/%* insert into " or line.text:match "^/%* new file " then
        name = "inserted"
      elseif name == "inserted" then
        shown = shown + 0
      elseif not source then
        name = line.text:match "^/%* (src/%S+) %*/$"
        assert.truthy(name, ("line %d: a block of C must begin with the name of its file"):format(i))
        source = text_of(name)
      elseif line.text:find "%S" and not line.text:match "^%s*%.%.%.$" then
        shown = shown + 1
        assert.truthy(source:find("\n" .. line.text .. "\n", 1, true),
          ("line %d: not in %s: %s"):format(i, name, line.text))
      end
    end
    assert.truthy(shown > 10)
  end)
end)
