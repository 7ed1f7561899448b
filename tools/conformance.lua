-- conformance.lua - the page docs/conformance.md: hybridlua's results, in all modes (spec/support/oracle.lua), compared
-- with MXNet 1.9.1's (spec/oracle).
--   make conformance        (hybridlua tools/conformance.lua [FILE]: prints the page if there is no FILE)
-- The page lists cases that exceed their tolerance or raise an error; the program then fails.
package.path = "spec/?.lua;" .. package.path

local core = require "hybridlua.core"
local hl = require "hybridlua"
local oracle = require "support.oracle"

local WAYS = { "called", "evaluated", "bound", "hybridized", "reloaded" }

-- The largest difference of two arrays, and the largest share of the case's tolerance; two NaNs, or two equal
-- infinities, do not differ.
local function difference(case, actual, expected)
  if actual.dtype ~= expected.dtype or tostring(actual.shape) ~= tostring(expected.shape) then
    return math.huge, math.huge
  end
  local a, b = actual:astype("float64"):reshape { -1 }, expected:astype("float64"):reshape { -1 }
  if a.size == 0 then return 0, 0 end
  local same = a:equal(b) + (a:not_equal(a) * b:not_equal(b))
  local apart = hl.nd.where(same, a:zeros_like(), (a - b):abs())
  local allowed = hl.nd.where(same, a:ones_like(), b:abs() * case.rtol + case.atol)
  local share = apart:max():asscalar() == 0 and 0 or (apart / allowed):max():asscalar()
  return apart:max():asscalar(), share == share and share or math.huge
end

-- Runs one case in one way; returns its largest difference, share and number of arrays, or its error as a fourth value.
local function try(case, way, file)
  local ok, result = pcall(oracle[way], case, file)
  if not ok then return math.huge, math.huge, 0, tostring(result):match "[^\n]*" end
  local most, share, arrays = 0, 0, 0
  oracle.each(case, result, function(actual, expected)
    local apart, of_allowed = difference(case, actual, expected)
    most, share, arrays = math.max(most, apart), math.max(share, of_allowed), arrays + 1
  end)
  if #result.outputs ~= case.outputs then share = math.huge end
  return most, share, arrays
end

-- The results of all cases by operator, sorted by name.
local function run(file)
  local by_name, rows = {}, {}
  for _, case in ipairs(oracle.cases) do
    local row = by_name[case.op]
    if not row then
      row = { name = case.op, cases = 0, arrays = 0, most = 0, share = 0, remarks = {}, ways = {} }
      by_name[case.op], rows[#rows + 1] = row, row
    end
    row.cases = row.cases + 1
    if case.note then row.remarks[case.note] = true end
    for _, way in ipairs(oracle.ways(case)) do
      local most, share, arrays, message = try(case, way, file)
      row.most, row.share, row.arrays = math.max(row.most, most), math.max(row.share, share), row.arrays + arrays
      row.ways[way] = (row.ways[way] or 0) + 1
      if share > 1 then row.remarks[("**%s, %s: %s**"):format(case.name, way, message or "exceeds its tolerance")] = true end
    end
  end
  table.sort(rows, function(a, b) return a.name < b.name end)
  return rows
end

local function remarks_of(row)
  local list = {}
  for remark in pairs(row.remarks) do list[#list + 1] = remark:gsub("[|\n]", " ") end
  table.sort(list)
  if not row.ways.bound then table.insert(list, 1, "eager only: the shape of its output depends on values") end
  return table.concat(list, "; ")
end

local function page(rows)
  local lines, totals, failed = {}, { cases = 0 }, 0
  local function add(text, ...) lines[#lines + 1] = select("#", ...) > 0 and text:format(...) or text end
  for _, row in ipairs(rows) do
    totals.cases = totals.cases + row.cases
    for way, n in pairs(row.ways) do totals[way] = (totals[way] or 0) + n end
    if row.share > 1 then failed = failed + 1 end
  end
  add "# Conformance"
  add ""
  add "This page compares hybridlua's results with MXNet 1.9.1's: outputs, gradients, and inputs that an operator writes to,"
  add "for the cases in `spec/oracle`. `make conformance` regenerates it; `make test` runs every case too"
  add "(`spec/ops/oracle_spec.lua`)."
  add ""
  local info = core.host.info()
  add("Machine and versions: %s; hybridlua %s, %s -march=%s, %s.", info.cpu, info.version, "gcc " .. info.compiler, info.march,
    info.blas)
  add ""
  add "| way | meaning | cases |"
  add "|---|---|---:|"
  for i, text in ipairs {
    "called by a script, `nd.X(...)`, recorded and differentiated", "MXNet's graph, `sym.load_json(text):eval{...}`",
    "the same graph with `bind`, forward and backward", "called in a hybridized HybridBlock",
    "MXNet's graph, saved by hybridlua and loaded with `SymbolBlock.imports`",
  } do
    add("| %s | %s | %d of %d |", WAYS[i], text, totals[WAYS[i]] or 0, totals.cases)
  end
  add ""
  add "Evaluation is prediction, so it omits cases in training mode. An error is the largest difference of an element in any"
  add "way; its share is relative to the case's tolerance (rtol and atol, in `spec/oracle/cases.lua`)."
  add ""
  add "| operator | cases | arrays compared | largest error | of the tolerance | remarks |"
  add "|---|---:|---:|---:|---:|---|"
  for _, row in ipairs(rows) do
    add("| %s | %d | %d | %s | %s | %s |", row.name, row.cases, row.arrays, row.most == 0 and "0" or ("%.1e"):format(row.most),
      row.share == math.huge and "-" or ("%.0f%%"):format(row.share * 100), remarks_of(row))
  end
  add ""
  add("%d operators, %d cases; %d operators outside their tolerance.", #rows, totals.cases, failed)
  return table.concat(lines, "\n") .. "\n", failed
end

local graph_file = os.tmpname()
local text, failed = page(run(graph_file))
os.remove(graph_file)
if arg[1] then
  local out = assert(io.open(arg[1], "w"))
  assert(out:write(text))
  assert(out:close())
else
  io.write(text)
end
os.exit(failed == 0, true)
