-- threads_spec.lua - parallel threads: spec/native/threads.c runs one compiled function in eight threads,
-- spec/native/scripts.c two Lua states in two. `make tsan` runs both under ThreadSanitizer.

describe("one compiled function in eight threads", function()
  for _, jit in ipairs { "off", "sync", "background" } do
    it("returns the bits of one thread, HYBRIDLUA_JIT=" .. jit, function()
      local pipe = io.popen("HYBRIDLUA_JIT=" .. jit .. " build/threads 200 2>&1")
      local said = pipe:read "a"
      local ok = pipe:close()
      assert.equal("1600 runs, 0 wrong\n", said)
      assert.truthy(ok)
    end)

    it("returns these bits while idle run states are freed, HYBRIDLUA_JIT=" .. jit, function()
      local pipe = io.popen("HYBRIDLUA_JIT=" .. jit .. " build/threads 200 starved 2>&1")
      assert.equal("1600 runs, 0 wrong\n", pipe:read "a")
      assert.truthy(pipe:close())
    end)
  end
end)

describe("two Lua states in two threads", function()
  for _, jit in ipairs { "off", "sync", "background" } do
    it("train and predict to the bits of a single one, HYBRIDLUA_JIT=" .. jit, function()
      local pipe = io.popen("HYBRIDLUA_JIT=" .. jit .. " build/scripts 10 2>&1")
      local said = pipe:read "a"
      local ok = pipe:close()
      assert.equal("20 rounds, 0 wrong\n", said)
      assert.truthy(ok)
    end)

    it("train and predict to these bits while caches are freed, HYBRIDLUA_JIT=" .. jit, function()
      local pipe = io.popen("HYBRIDLUA_JIT=" .. jit .. " build/scripts 6 starved 2>&1")
      assert.equal("12 rounds, 0 wrong\n", pipe:read "a")
      assert.truthy(pipe:close())
    end)
  end
end)
