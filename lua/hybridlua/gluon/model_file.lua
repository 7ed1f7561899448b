-- model_file.lua - Block:save(prefix) and Block:load(prefix): prefix-model.json lists the blocks by class and position,
-- as in MXNet; prefix-model.params has the parameters by structural name.
local core = require "hybridlua.core"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local python = require "hybridlua.language.python_text"

local model_file = {}

-- The JSON entry "dense1": {...} of a block; blocks are counted depth first.
local function entry_of(block, counter)
  local key = class.of(block).__name__:lower() .. counter.n
  local names, inner = {}, {}
  for i, child in ipairs(block:_list_children()) do
    counter.n = counter.n + 1
    names[i] = python.json(child.value.name) .. ": " .. python.json(child.name)
    inner[i] = ", " .. entry_of(child.value, counter)
  end
  local hybrid = block.hybrid_forward and ', "hybridized": false' or ""
  return ('%s: {"orig_name": %s%s, "children": {%s}%s}'):format(python.json(key), python.json(block.name), hybrid,
    table.concat(names, ", "), table.concat(inner))
end

local function check_prefix(what, prefix) checks.string(("Block.%s: prefix"):format(what), prefix) end

--- Writes both files, each atomically; the parameters first.
function model_file.save(block, prefix)
  check_prefix("save", prefix)
  block:save_parameters(prefix .. "-model.params")
  core.file.save_text(prefix .. "-model.json", "{" .. entry_of(block, { n = 0 }) .. "}")
end

--- Loads the parameters into the same network, built again by the same code. Its blocks keep their names, because
-- parameters are found by position; hybridize() is left to the caller.
function model_file.load(block, prefix)
  check_prefix("load", prefix)
  block:load_parameters(prefix .. "-model.params")
end

return model_file
