-- handler.lua - the output of `make test`: each failure as it occurs, and at the end the line `N passed, N failed` for
-- CI. A run without tests counts as a failure.
return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()
  local start = os.clock()

  -- The descriptions around a test and its own: "sum has the gradient ...".
  local function full_name(element, around)
    local names = { element.name }
    while around and around.descriptor == "describe" do
      table.insert(names, 1, around.name)
      around = busted.parent(around)
    end
    return table.concat(names, " ")
  end

  local function report(kind, element, parent, message, trace)
    io.write(("\n%s: %s\n  %s\n"):format(kind, full_name(element, parent), tostring(message or ""):gsub("\n", "\n  ")))
    if trace and trace.short_src then io.write(("  at %s:%s\n"):format(trace.short_src, trace.currentline)) end
    io.flush()
  end

  -- The reasons of pending tests, and the number of tests for each.
  local reasons, counts = {}, {}
  local function count_pending(element)
    local last = handler.pendings[#handler.pendings]
    local reason = last and last.message or element.name:match "%((.*)%)$" or "no reason is given"
    reason = tostring(reason):gsub("^[^ ]+:%d+: ", "")          -- without the test's own position
    if not counts[reason] then reasons[#reasons + 1] = reason end
    counts[reason] = (counts[reason] or 0) + 1
  end

  handler.testEnd = function(element, parent, status)
    if status == "pending" then count_pending(element) end
    if status == "failure" or status == "error" then
      local list = status == "failure" and handler.failures or handler.errors
      local last = list[#list]
      if last then report(status, element, parent, last.message, last.trace) end
    elseif options.verbose then
      io.write(("%s  %s\n"):format(status == "success" and "ok" or status, full_name(element, parent)))
    end
    return nil, true
  end

  handler.error = function(element, parent, message, trace)
    if element.descriptor ~= "it" then report("error", element, parent, message, trace) end
    return nil, true
  end

  local last_file = "no file"
  handler.fileEnd = function(element)
    last_file = element.name
    if options.verbose then io.write(("-- %s\n"):format(element.name)) end
    return nil, true
  end

  handler.suiteEnd = function()
    local passed, failed = handler.successesCount, handler.failuresCount + handler.errorsCount
    if passed + failed + #reasons == 0 then failed = 1; io.write("\nerror: no test was run\n  ", last_file, "\n") end
    for _, reason in ipairs(reasons) do io.write(("\n%d pending: %s\n"):format(counts[reason], reason)) end
    io.write(("\n%.1f s of CPU\n%d passed, %d failed\n"):format(os.clock() - start, passed, failed))
    io.flush()
    return nil, true
  end

  busted.subscribe({ "test", "end" }, handler.testEnd, { predicate = handler.cancelOnPending })
  busted.subscribe({ "suite", "end" }, handler.suiteEnd)
  busted.subscribe({ "file", "end" }, handler.fileEnd)
  busted.subscribe({ "error" }, handler.error)
  return handler
end
