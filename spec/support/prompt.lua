-- prompt.lua - sessions at the prompt: specs write them as on the screen, and they are typed into a terminal
-- (spec/native/pty.c).
local assert = require "luassert"
local command = require "support.command"

local SOON = 20000       -- ms; long enough for a busy slow machine
local SERVED = 200       -- ms; limit for the answer to Ctrl-C

local keys = { Enter = "\\r", Tab = "\\t", Up = "\\e[A", BS = "\\x7f", ["C-c"] = "\\x03", ["C-d"] = "\\x04",
  ["C-r"] = "\\x12" }

-- A line of a session as commands for pty.c:
--   > text, >> text   typed at that prompt, with Enter unless it ends in <C-c>, <C-d> or <wait>
--   [300] text        typed after this many ms, whatever is on the screen
--   [size 30]         sets the terminal's width
--   [never text]      must not be output after the last expected text
--   ...text           expected anywhere in a line
--   text              expected at the beginning of a line
local function commands_of(line, within)
  local prompt, typed = line:match "^(>>?) ?(.*)$"
  local pause, late = line:match "^%[(%d+)%] (.*)$"
  local word, rest = line:match "^%[(%a+) (.*)%]$"
  if word then return word .. " " .. rest end
  if prompt or pause then
    local enter = prompt and not typed:find "<C%-[cd]>$" and not typed:find "<wait>$"
    local text = (typed or late):gsub("\\", "\\\\"):gsub("<wait>$", ""):gsub("<([%a-]+)>", keys) ..
      (enter and "\\r" or "")
    return (prompt and ("expect %d %s "):format(SOON, prompt) or "wait " .. pause) .. "\nsend " .. text
  end
  return ("expect %d %s"):format(within, line:match "^%.%.%.(.*)$" or "\\n" .. line)
end

local prompt = {}

--- For the tests of a file, with busted's functions: { state = the folder of the history, session =, history = }.
function prompt.new(before_each, after_each)
  local self = {}

  before_each(function()
    self.state = os.tmpname()
    os.remove(self.state)
  end)

  after_each(function() os.execute("rm -rf " .. command.quote(self.state)) end)

  --- Plays a session and returns all output. It ends with Ctrl-D at the prompt, or by itself with the code
  -- options.exit. Text expected right after <C-c> must come within SERVED ms.
  function self.session(text, options)
    options = options or {}
    local script, within = {}, SOON
    for line in text:gmatch "[^\n]+" do
      script[#script + 1] = commands_of(line:match "^%s*(.*)$", within)
      within = line:find "<C%-c>$" and SERVED or SOON
    end
    if not options.exit then script[#script + 1] = commands_of("> <C-d>") end
    local output, code =
      command.terminal(table.concat(script, "\n") .. "\n", self.state, options.arguments, options.before)
    assert.equal(0, code, output)
    assert.truthy(output:find("\nexit " .. (options.exit or 0) .. "\n", 1, true), output)
    return output
  end

  function self.history()
    local f = assert(io.open(self.state .. "/hybridlua/history"))
    local text = f:read "a"
    f:close()
    return text
  end

  return self
end

return prompt
