-- threads_spec.lua - a compiled graph belongs to no thread: spec/support/threads.c runs one from eight at once.
-- `make tsan` runs the same under ThreadSanitizer.

describe("one compiled graph in eight threads", function()
  for _, jit in ipairs { "off", "sync", "background" } do
    it("gives the bits of one thread, HYBRIDLUA_JIT=" .. jit, function()
      local pipe = io.popen("HYBRIDLUA_JIT=" .. jit .. " build/threads 200 2>&1")
      local said = pipe:read "a"
      local ok = pipe:close()
      assert.equal("1600 runs, 0 wrong\n", said)
      assert.truthy(ok)
    end)
  end
end)
