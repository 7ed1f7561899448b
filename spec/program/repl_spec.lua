-- repl_spec.lua - the results of lines at the prompt: values, tables, locals, errors.
local command = require "support.command"
local prompt = require "support.prompt"

local at_terminal = command.at_terminal(it, pending)

describe("the REPL", function()
  local terminal = prompt.new(before_each, after_each)
  local session = terminal.session

  at_terminal("prints the values of expressions", function()
    session [[
      > 40 + 2
      42
      > = 40 + 3
      43
      > 1, nil, 'a' .. 'b'
      1	nil	ab
      > 40 + 4 -- why
      44
      > x = 40 + 5
      > x
      45
      > print 'printed'
      printed
      > nil
      nil
      > ('%d'):format(46)
      46
      > if x then return 40 + 7 end
      47
    ]]
  end)

  at_terminal("prints nothing after a semicolon", function()
    session [[
      > print('ran' .. 1) return 600 + 66
      666
      > 600 + 66;
      > = 600 + 66 ; -- silent
      > 1 + 1; -- silent too, and no error
      > 'en' .. 'd'
      [never 666]
      [never near]
      end
    ]]
  end)

  at_terminal("prints tables with their entries, and arrays like MXNet", function()
    session [=[
      > {1, 'two', {3}, x = nd.ones{2, 3}, [true] = {}}
      {1, "two", {3}, [true] = {}, x = NDArray 2x3 float32}
      > t = {} t.t = t return t
      {t = {...}}
      > nd.array{{1, 2}, {3, 4}}
      [[1. 2.]
      ...[3. 4.]]
      <NDArray 2x2 @cpu(0)>
      > setmetatable({}, {__tostring = function() return 'an object' end})
      an object
      > local big = {} for i = 1, 1000 do big[i] = i end return big
      {
      ...1, 2, 3,
      ..., 40,
      ...960 more
      }
      > return {('a'):rep(50), list = {('b'):rep(50)}}
      {
      ..."aaa
      ...list = {"bbb
    ]=]
  end)

  at_terminal("continues reading until a line is complete", function()
    session [[
      > for i = 1, 2 do
      >> print('line ' .. i)
      >> end
      line 1
      line 2
      > s = "a\
      >> b"
      > #s + 100
      103
      > 1 +
      >> 98
      99
      > f(
      >> <C-c>
      ...^C
      > 7 * 7
      49
    ]]
  end)

  at_terminal("keeps locals for later lines", function()
    session [[
      > local a, b <const> = 1, 20
      > local function count() a = a + 1 return a end
      > count() + count()
      5
      > a = 100
      > count()
      101
      > local a = a + b
      > a, count()
      121	102
      > b = 3
      ...attempt to assign to const variable 'b'
      > b
      20
      > local fact; fact = function(n) return n == 0 and 1 or n * fact(n - 1) end
      > fact(5)
      120
      > do local hidden = 1 end if true then local hidden = 2 end
      > hidden
      nil
      > local early = 5 return early * 5
      25
      > early * 6
      30
      > local x <close> = setmetatable({}, {__close = function() print 'closed now' end})
      closed now
      > type(x)
      table
      > local lost = 1 error 'no'
      ...no
      > lost
      nil
      > local many = 1; local many = 2
      > many * 11
      22
      > print(_G.a, _G.many)
      nil	nil
      > :who
      local a
      local count
    ]]
  end)

  at_terminal("reports errors with the user's lines, and continues", function()
    local output = session [[
      > function f() error 'oops' end
      > function g() f() end
      > g()
      stdin:1: oops
      ...in function 'f'
      > nd.exp(5)
      stdin:1: exp: data: expected
      > error({})
      (error object is a table value)
      > error(setmetatable({}, {__tostring = function() return 'own text' end}))
      own text
      > x y
      ...near 'y'
      > 9 * 9
      81
    ]]
    assert.falsy(output:find "repl.lua")
    assert.falsy(output:find "hybridlua:")
  end)

  at_terminal("reports an endless recursion quickly, and continues", function()
    session [[
      > function f() return 1 + f() end
      > f()
      stdin:1: stack overflow
      stack traceback:
      ...skipping
      > coroutine.wrap(f)()
      ...stack overflow
      > 6 * 9
      54
    ]]
  end)

  at_terminal("restores the modes after an error", function()
    session [[
      > autograd.record(function() error 'e1' end)
      stdin:1: e1
      > autograd.is_recording(), autograd.is_training()
      false	false
      > autograd.set_recording(true) error 'e2'
      stdin:1: e2
      > autograd.is_recording()
      false
      > autograd.set_training(true);
      > error 'e3'
      stdin:1: e3
      > autograd.is_training()
      true
    ]]
  end)

  at_terminal("shows the typed line in an error", function()
    session [[
      > foo.bar
      stdin:1: attempt to index a nil value (global 'foo')
      > foo.bar.baz -- why
      stdin:1: attempt to index a nil value (global 'foo')
      > 1 +
      >> foo.bar
      stdin:2: attempt to index a nil value (global 'foo')
      > foo.bar, 1;
      stdin:1: attempt to index a nil value (global 'foo')
      > local x = foo.bar
      stdin:1: attempt to index a nil value (global 'foo')
    ]]
  end)

  at_terminal("loads files, and starts after a script", function()
    local file = command.file "loaded = (loaded or 0) + 1 print('times', loaded, ...) return 'value'"
    session([[
      > loaded + 10
      11
      > :load ]] .. file .. [[

      times	2	an_arg
      value
      > :load no/such
      ...no/such
      > 1 + 1
      2
    ]], { arguments = "-i " .. file .. " an_arg" })
  end)

  at_terminal("ends at Ctrl-D, :quit and os.exit", function()
    session("> <C-d>", { exit = 0 })
    session("> :quit", { exit = 0 })
    session("> os.exit(7)", { exit = 7 })
  end)

  it("reads from a pipe", function()
    local output, code = command.hybridlua({ "-i" },
      "local a = 6\na * 7\nfor i = 1, 2 do\nprint(i)\nend\nerror 'e'\n'after'\n")
    assert.equal(0, code)
    assert.truthy(output:find "> > 42\n> >> >> 1\n2\n> ", output)
    assert.truthy(output:find "stdin:1: e\n", output)
    assert.truthy(output:find "> after\n> \n$", output)
  end)
end)
