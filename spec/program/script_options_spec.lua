-- script_options_spec.lua - hl.options, which parses a script's command line.
local command = require "support.command"
local hl = require "hybridlua"

local SCRIPT = [[
local hl = require "hybridlua"
local options, refuse = hl.options({
  epochs = { 10, "number of epochs", least = 1 },
  lr = 0.1,
  data = { "digits", "which images", choices = { "digits", "mnist" } },
  batch_size = { 32, word = "COUNT" },
  eager = { false, "without hybridize" },
  shuffle = true,
  out = { type = "string", doc = "where to" },
}, { about = "Trains." })
local names = {}
for name in pairs(options) do names[#names + 1] = name end
table.sort(names)
for _, name in ipairs(names) do io.write(name, "=", tostring(options[name]), " ") end
print()
if options.data == "mnist" and options.eager then refuse("%s and %s", "mnist", "eager") end
]]

local script = command.file(SCRIPT)
local function run(...) return command.hybridlua { script, ... } end

local function prints(expected, ...)
  local output, code = run(...)
  assert.equal(0, code, output)
  assert.equal(expected .. " \n", output)
end

local function refused(text, ...)
  local output, code = run(...)
  assert.equal(2, code, output)
  assert.equal(("%s: %s\nTry --help.\n"):format(script:match "[^/]*$", text), output)
end

local DEFAULT = "batch_size=32 data=digits eager=false epochs=10 lr=0.1 shuffle=true"

describe("hl.options", function()
  it("returns the defaults and the values of the command line", function()
    prints(DEFAULT)
    prints("batch_size=8 data=mnist eager=false epochs=3 lr=1.0 out=a b shuffle=false",
      "--epochs", "3", "--lr=1", "--data=mnist", "--batch-size", "8", "--no-shuffle", "--out", "a b")
    prints("batch_size=4 data=digits eager=true epochs=10 lr=-0.5 out=x=y shuffle=true",
      "--batch_size=16", "--batch-size=4", "--eager", "--lr", "-0.5", "--out=x=y", "--shuffle")
  end)

  it("distinguishes integers and numbers", function()
    local options = hl.options({ n = 1, x = 1.0, s = "1" }, { words = { "--n", "7", "--x", "7", "--s", "7" } })
    assert.equal("integer", math.type(options.n))
    assert.equal("float", math.type(options.x))
    assert.same({ n = 7, x = 7.0, s = "7" }, options)
    assert.same({ n = 1 }, hl.options({ n = 1 }, { words = {} }))
  end)

  it("explains the options, and ends", function()
    local output, code = run("--epochs", "2", "--help", "--nonsense")
    assert.equal(0, code)
    assert.equal(([[
usage: hybridlua %s [options]
Trains.
  --batch-size COUNT  default: 32
  --data NAME         which images (digits, mnist; default: digits)
  --eager             without hybridize
  --epochs N          number of epochs (default: 10)
  --lr X              default: 0.1
  --out NAME          where to
  --no-shuffle
  --help              this text
]]):format(script), output)
  end)

  it("ends with status 2 and advice for a wrong command line", function()
    refused("unknown option '--epoch'; did you mean '--epochs'?", "--epoch", "3")
    refused("unknown option '--bath-size'; did you mean '--batch-size'?", "--bath-size=3")
    refused("unknown option '--zzzzzzzz'", "--zzzzzzzz")
    refused("unknown option 'three'", "three")
    refused("unknown option '-e'", "-e")
    refused("--epochs needs a value", "--epochs")
    refused("--epochs: expected an integer of 1 or more, got '0'", "--epochs", "0")
    refused("--epochs: expected an integer of 1 or more, got '2.5'", "--epochs=2.5")
    refused("--batch-size: expected an integer, got 'many'", "--batch-size", "many")
    refused("--lr: expected a number, got 'nan'", "--lr", "nan")
    refused("--lr: expected a number, got ''", "--lr=")
    refused("--data: expected digits or mnist, got 'letters'", "--data", "letters")
    refused("--eager takes no value", "--eager=yes")
  end)

  it("lets the script reject values in the same way", function()
    local output, code = run("--data=mnist", "--eager")
    assert.equal(2, code)
    assert.truthy(output:find(": mnist and eager\nTry --help.\n", 1, true), output)
  end)

  it("raises errors if the script is not its caller", function()
    assert.raises(function() hl.options({ n = 1 }, { words = { "--m", "2" } }) end,
                  "^spec/program/script_options_spec.lua:%d+: unknown option '%-%-m'")
    assert.raises(function() hl.options({ n = 1 }, { words = { "--n", "x" } }) end,
      "%-%-n: expected an integer, got 'x'$")
  end)

  it("rejects mistakes in its table of options", function()
    local function raises(text, ...)
      local spec, settings = ...
      assert.raises(function() hl.options(spec, settings) end, "^spec/program/script_options_spec.lua:%d+: " .. text)
    end
    raises("options: expected a table of options, got nil", nil)
    raises("options: out: expected a number, a string or a boolean as default, or type = .*, got nil", { out = {} })
    raises("options: f: expected a number, .*, got function", { f = print })
    raises("options: n: unknown field 'leest'; did you mean 'least'%?", { n = { 1, leest = 0 } })
    raises("options: help: every script has %-%-help already", { help = false })
    raises("options: expected names as keys, got 1", { "epochs" })
    raises("options: unknown option 'abaut'; did you mean 'about'%?", { n = 1 }, { abaut = "" })
  end)
end)
