-- options.lua - a script's command-line options:
--
--   local options = hl.options{epochs = {10, "passes over the data"}, lr = 0.1, data = "digits", eager = false}
--   hybridlua train.lua --epochs 20 --lr=0.05 --eager      -> options.epochs == 20
--
-- The default's type determines how a value is read. Wrong options end the script with a message and exit status 2.
local arguments = require "hybridlua.language.arguments"
local fail = require "hybridlua.language.fail"
local nearest = require "hybridlua.language.nearest_name"
local script = require "hybridlua.language.script_line"

local TYPES = { integer = true, number = true, string = true, boolean = true }
local WORDS = { integer = "N", number = "X", string = "NAME" }          -- placeholders of values in the help
local FIELDS = { [1] = true, [2] = true, type = true, doc = true, choices = true, least = true, above = true,
  word = true }

local read_settings = arguments.new("options", { "about", "words" })

-- ---- The script's table -------------------------------------------------------------------------

local function type_of(value)
  if type(value) == "number" then return math.type(value) == "integer" and "integer" or "number" end
  return type(value)
end

-- An entry of the script's table: a default, or {default, doc, choices =, least =, above =, type =, word =}.
local function entry_of(name, given)
  if type(name) ~= "string" or not name:find "^%a[%w_]*$" then
    fail("options: expected names as keys, got %s", tostring(name))
  end
  if name == "help" then fail "options: help: every script has --help already" end
  local entry = type(given) == "table" and given or { given }
  for key in pairs(entry) do
    if not FIELDS[key] then
      fail("options: %s: unknown field '%s'%s", name, tostring(key), nearest.hint(tostring(key), FIELDS))
    end
  end
  local kind = entry.type or type_of(entry[1])
  if not TYPES[kind] then
    fail("options: %s: expected a number, a string or a boolean as default, or type = 'integer', 'number', 'string' " ..
      "or 'boolean', got %s", name, kind)
  end
  return { name = name, flag = "--" .. name:gsub("_", "-"), default = entry[1], type = kind,
           doc = entry.doc or entry[2] or "",
           choices = entry.choices, least = entry.least, above = entry.above, word = entry.word or WORDS[kind] }
end

-- The options by flag, and in the order of names.
local function entries_of(spec)
  local by_flag, list = {}, {}
  for name, given in pairs(spec) do
    local entry = entry_of(name, given)
    by_flag[entry.flag], list[#list + 1] = entry, entry
    if entry.type == "boolean" and entry.default then entry.flag = "--no-" .. entry.flag:sub(3) end
  end
  for _, entry in ipairs(list) do by_flag[entry.flag] = entry end
  table.sort(list, function(a, b) return a.name < b.name end)
  return by_flag, list
end

-- ---- Values -------------------------------------------------------------------------------------

local function expected_of(entry)
  if entry.choices then return table.concat(entry.choices, " or ") end
  local kind = entry.type == "integer" and "an integer" or entry.type == "number" and "a number" or "a text"
  if entry.above == 0 and entry.type == "number" then return "a positive number" end
  if entry.above then return ("%s above %s"):format(kind, entry.above) end
  return entry.least and ("%s of %s or more"):format(kind, entry.least) or kind
end

local function one_of(choices, value)
  for _, choice in ipairs(choices) do if choice == value then return true end end
  return false
end

-- Converts a text to a value; nil if the option does not allow it.
local function value_of(entry, text)
  local value = text
  if entry.type == "integer" then value = math.tointeger(tonumber(text))
  elseif entry.type == "number" then value = tonumber(text) and tonumber(text) + 0.0 end
  if value == nil or value == "" then return nil end
  if entry.type == "number" and (value ~= value or math.abs(value) == math.huge) then return nil end
  if entry.choices and not one_of(entry.choices, value) then return nil end
  if entry.least and value < entry.least or entry.above and value <= entry.above then return nil end
  return value
end

-- ---- Help ---------------------------------------------------------------------------------------

local function script_name() return arg and arg[0] or "script" end

local function help_text(list, about)
  local rows, width = {}, #"--help"
  for i, entry in ipairs(list) do
    local flag = entry.flag .. (entry.word and " " .. entry.word or "")
    local default = entry.type ~= "boolean" and entry.default ~= nil and ("default: %s"):format(entry.default) or nil
    local choices = entry.choices and table.concat(entry.choices, ", ") or nil
    local more = choices and default and choices .. "; " .. default or choices or default
    rows[i] = { flag, entry.doc .. (more and (entry.doc ~= "" and " (%s)" or "%s"):format(more) or "") }
    width = math.max(width, #flag)
  end
  rows[#rows + 1] = { "--help", "this text" }
  local lines = { ("usage: hybridlua %s [options]"):format(script_name()) }
  if about then lines[2] = about end
  for _, row in ipairs(rows) do
    lines[#lines + 1] = (("  %%-%ds  %%s"):format(width):format(row[1], row[2]):gsub("%s+$", ""))
  end
  return table.concat(lines, "\n") .. "\n"
end

-- Ends the script; outside the main script, as in a module or a test of it, it raises an ordinary error.
local function refuse(text, ...)
  if select("#", ...) > 0 then text = text:format(...) end
  if not script.is_main() then fail("%s", text) end
  io.stderr:write(script_name():match "[^/]*$", ": ", text, "\nTry --help.\n")
  os.exit(2, true)
end

-- ---- Command line -------------------------------------------------------------------------------

local function unknown(word, flag, by_flag)
  local name = flag and nearest.find(flag, by_flag)
  refuse("unknown option '%s'%s", flag or word, name and ("; did you mean '%s'?"):format(name) or "")
end

--- hl.options{name = default, name = {default, "description"}, ...}: the options on the script's command line, by name.
-- They are written `--name value` or `--name=value`; a - in a flag matches _ in a name. The default, an integer, a
-- number (0.1, 1.0) or a string, determines the type; false makes a flag `--name`, true a flag `--no-name`. Fields in
-- braces: choices = {"a", "b"}; least = 1 or above = 0 for numbers; type = "integer" or another type, for an option
-- without a default (nil if absent); word, the value's placeholder in the help. `--help` prints all this. Unknown
-- options and wrong values end the script with exit status 2 (in a module they are errors). settings: {about = a line
-- for the help, words = a list in place of arg}. Returns the table, and a function refuse(format, ...) that ends the
-- script in the same way.
return function(spec, settings)
  if type(spec) ~= "table" then fail("options: expected a table of options, got %s", type(spec)) end
  settings = read_settings(settings or {})
  local by_flag, list = entries_of(spec)
  local options, words, i = {}, settings.words or arg or {}, 1
  for _, entry in ipairs(list) do options[entry.name] = entry.default end
  while words[i] do
    local flag, equals, text = words[i]:match "^(%-%-[^=]+)(=?)(.*)$"
    if flag == "--help" and equals == "" then
      io.write(help_text(list, settings.about))
      os.exit(0, true)
    end
    local entry = flag and by_flag[flag:gsub("_", "-")] or unknown(words[i], flag, by_flag)
    if entry.type == "boolean" then
      if equals ~= "" then refuse("%s takes no value", flag) end
      options[entry.name] = flag:gsub("_", "-") ~= "--no-" .. entry.name:gsub("_", "-")
    else
      if equals == "" then
        i = i + 1
        text = words[i] or refuse("%s needs a value", flag)
      end
      local value = value_of(entry, text)
      if value == nil then refuse("%s: expected %s, got '%s'", flag, expected_of(entry), text) end
      options[entry.name] = value
    end
    i = i + 1
  end
  return options, refuse
end
