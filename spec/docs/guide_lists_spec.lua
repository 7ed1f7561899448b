-- guide_lists_spec.lua - the guide's lists of optimizers, losses, metrics, schedules and cells are complete, and their
-- names exist; its list of missing features has no name that exists; its pages begin and end alike. README's table of
-- folders is complete.
local hl = require "hybridlua"
local class = require "hybridlua.language.class"
local scratch = require "support.scratch"

-- The text of a page from a heading to the next one of the same or a higher level.
local function section(page, heading)
  local text = scratch.read("docs/guide/" .. page)
  local first = assert(text:find("\n" .. heading .. "\n", 1, true), heading)
  local level = #heading:match "^#+"
  local last = #text
  for at, marks in text:sub(first + #heading):gmatch "()\n(#+) " do
    if #marks <= level then
      last = first + #heading + at - 1
      break
    end
  end
  return text:sub(first, last)
end

-- The names of the classes of a module: { name = class }.
local function classes(module)
  local list = {}
  for name, value in pairs(module) do if class.is_class(value) then list[name] = value end end
  return list
end

-- Is the name a word of the text?
local function says(text, name) return (" " .. text .. " "):find("%f[%w_]" .. name .. "%f[^%w_]") ~= nil end

local function check(text, names)
  local missing = {}
  for _, name in ipairs(names) do if not says(text, name) then missing[#missing + 1] = name end end
  table.sort(missing)
  assert.equal("", table.concat(missing, " "))
end

-- The paragraphs of a section before its first code block.
local function before_code(text) return text:match "^(.-)```" or text end

describe("docs/guide/training.md", function()
  it("lists all optimizers by the names that create accepts", function()
    local text, names = before_code(section("training.md", "## Optimizers")), {}
    for name in pairs(classes(hl.optimizer)) do
      if name ~= "Optimizer" and name ~= "Updater" and name ~= "Test" then names[#names + 1] = name:lower() end
    end
    assert.is_true(#names >= 18)
    check(text, names)
    for name in text:match "^(.-)All accept":gmatch "`(%w+)`" do assert.truthy(hl.optimizer.create(name), name) end
  end)

  it("lists all losses and no others", function()
    local text, names = before_code(section("training.md", "## Losses")), {}
    for name in pairs(classes(hl.gluon.loss)) do names[#names + 1] = name end
    assert.is_true(#names >= 17)
    check(text, names)
    for name in text:gmatch "%f[%w](%u%w*Loss)%f[%W]" do assert.truthy(hl.gluon.loss[name], name) end
  end)

  it("lists all metrics and no others", function()
    local text, names = before_code(section("training.md", "## Metrics")), {}
    for name in pairs(classes(hl.metric)) do names[#names + 1] = name end
    assert.is_true(#names >= 19)
    check(text, names)
    for name in text:match "^.-\n(%u.-);":gmatch "%u%w+" do assert.truthy(hl.metric[name], name) end
  end)

  it("lists all schedules", function()
    local names = {}
    for name in pairs(classes(hl.lr_scheduler)) do if name ~= "LRScheduler" then names[#names + 1] = name end end
    assert.is_true(#names >= 5)
    check(section("training.md", "## Learning rate schedules"), names)
  end)
end)

describe("docs/guide/sequences.md", function()
  it("lists all cells and layers", function()
    local text, names = scratch.read "docs/guide/sequences.md", {}
    for name in pairs(classes(hl.gluon.rnn)) do
      if not says("RecurrentCell ModifierCell", name) then names[#names + 1] = name end
    end
    assert.is_true(#names >= 13)
    check(text, names)
  end)
end)

describe("docs/guide/mxnet.md", function()
  it("lists missing features and no existing operator", function()
    local text = section("mxnet.md", "## Missing features")
    for _, name in ipairs { "executor_manager", "test_utils", "amp", "onnx", "quantization", "sparse",
                            "float16", "DeformablePSROIPooling", "mrcnn_mask_target" } do
      assert.truthy(says(text, (name:gsub("%.", "%%."))), name)
    end
    local operators = text:match "and these operators:(.-)```"
    local count = 0
    for name in operators:gmatch "%f[%w_]([%w_]+)%f[^%w_]" do
      -- Operators have an underscore or an uppercase letter inside, which English words lack.
      if name:find "_%w" or name:find "%l%u" or name:find "^%u%u" then
        assert.is_nil(rawget(hl.nd, name), name)
        assert.is_nil(rawget(hl.nd.contrib, name), name)
        count = count + 1
      end
    end
    assert.is_true(count > 5, count)
    for name in text:gmatch "`mx%.([%w_.]+)`" do
      assert.is_true(name == "test_utils" or not hl.has(name), name)
    end
  end)
end)

describe("README's table of folders", function()
  local table_text = assert(scratch.read("README.md"):match "\n## Where things are\n(.-)\n## ")

  -- A row may name the folders one level below its own; those below these are on their own pages.
  for _, root in ipairs { "src", "lua/hybridlua" } do
    it("names every folder in " .. root, function()
      local folders = scratch.run("cd '" .. root .. "' && find . -mindepth 1 -maxdepth 2 -type d | LC_ALL=C sort")
      local missing, count = {}, 0
      for path in folders:gmatch "%./([^\n]+)" do
        local above, name = path:match "^(.-)/?([^/]+)$"
        local row = above == "" and table_text or table_text:match("\n| `" .. root .. "/" .. above .. "`[^\n]*")
        if not (row or ""):find("[`/]" .. name .. "`") then missing[#missing + 1] = path end
        count = count + 1
      end
      assert.truthy(count > 5, count)
      assert.equal("", table.concat(missing, " "))
    end)
  end
end)

describe("README's table of times", function()
  it("has the figures of docs/performance.md", function()
    local measured, n = scratch.read "docs/performance.md":match "<!%-%- bench/peers %-%->\n(.-)<!%-%- end", 0
    for row in scratch.read "README.md":gmatch "\n(| [^\n]+x%) |)" do
      assert.truthy(measured:find(row, 1, true), row)
      n = n + 1
    end
    assert.equal(5, n)
  end)
end)

-- The files of the guide's pages, in the order of docs/guide.md.
local function pages_in_order()
  local list = {}
  for file in scratch.read("docs/guide.md"):gmatch "\n%- %[[^%]]*%]%(guide/([%w_]+%.md)%)" do list[#list + 1] = file end
  return list
end

describe("page of the guide", function()
  local files = pages_in_order()
  assert(#files >= 19)
  for i, file in ipairs(files) do
    it("begins with an example and ends with the next page, in " .. file, function()
      local text = scratch.read("docs/guide/" .. file)
      local first, code = text:match "^# [^\n]+\n\n(.-)\n\n```%a+\n(.-)\n```\n"
      assert.truthy(first and not first:find("\n#", 1, true), "no example before the first heading")
      assert.truthy(code:find("print", 1, true), code)
      local following = files[i + 1] or "../ops.md"
      assert.truthy(text:match("\n\nNext: [^\n]*%]%(" .. following:gsub("%p", "%%%0") .. "%)[^\n]*\n$"), following)
    end)
  end
end)
