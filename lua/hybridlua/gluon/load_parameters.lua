-- load_parameters.lua - loads arrays from a file into parameters, all of them or none.
--
-- Everything that does not fit is found before anything is written. The error begins with MXNet's text for the first
-- problem; if there are more, a list of all follows.
local fail = require "hybridlua.language.fail"

local loading = {}

local MOST = 8           -- listed problems of each kind

local TITLES = { missing = "missing in the file", extra = "only in the file", misfit = "of another shape or dtype",
                 elsewhere = "initialized in other contexts" }

local function list_text(problems, kind)
  local texts, n = {}, 0
  for _, problem in ipairs(problems) do
    if problem.kind == kind then
      n = n + 1
      if n <= MOST then texts[n] = problem.short end
    end
  end
  if n == 0 then return "" end
  return ("\n  %s: %s%s"):format(TITLES[kind], table.concat(texts, ", "),
    n > MOST and (", and %d more"):format(n - MOST) or "")
end

local function refuse(problems)
  local first = problems[1].text
  if #problems == 1 then fail("%s", first) end
  fail("%s\n%d parameters do not fit in all:%s%s%s%s", first, #problems, list_text(problems, "missing"),
       list_text(problems, "extra"), list_text(problems, "misfit"), list_text(problems, "elsewhere"))
end

--- Writes `arrays`, by name, into the parameters of `entries`, { { name, parameter }, ... }. words.missing(name) and
-- words.extra(name) return the texts of errors. Options: allow_missing, ignore_extra, cast_dtype, dtype_source, ctx. A
-- parameter with several names needs only one of them. Errors: missing or unexpected names, other shapes or dtypes;
-- then nothing is written.
function loading.load(entries, arrays, options, words)
  local by_name, held, problems = {}, {}, {}
  local function note(kind, short, text) problems[#problems + 1] = { kind = kind, short = short, text = text } end
  for _, entry in ipairs(entries) do
    by_name[entry[1]] = entry[2]
    if arrays[entry[1]] then held[entry[2]] = true end
  end
  for _, entry in ipairs(entries) do
    if not held[entry[2]] and not options.allow_missing then note("missing", entry[1], words.missing(entry[1])) end
  end
  local names = loading.sorted_keys(arrays)
  for _, name in ipairs(names) do
    local param = by_name[name]
    local short, text, kind
    if param then short, text, kind = param:misfit(arrays[name], options) end
    if text then note(kind or "misfit", ("%s %s"):format(name, short), text) end
    if not param and not options.ignore_extra then note("extra", name, words.extra(name)) end
  end
  if #problems > 0 then refuse(problems) end
  for _, name in ipairs(names) do
    if by_name[name] then by_name[name]:load_init(arrays[name], options) end
  end
end

--- The keys of a table, sorted.
function loading.sorted_keys(t)
  local list = {}
  for key in pairs(t) do list[#list + 1] = key end
  table.sort(list)
  return list
end

--- A list of names as "'a', 'b'".
function loading.quoted(list)
  local texts = {}
  for i, name in ipairs(list) do texts[i] = "'" .. name .. "'" end
  return table.concat(texts, ", ")
end

return loading
