-- folder_pages.lua - checks the README.md of every folder of src, and the names of files on other pages.
--
-- check(src, rank, includes, complain): the page of a folder has at most ten lines; every file and folder that it names
-- in backquotes exists, in its folder, in src or in the repository; and these sentences, each at the beginning of a
-- line, are right:
--   Includes: base, tensor.     the rooms that files of the folder include, in the order of ROOMS, or "nothing".
--                               Left out if the folder has no sources of its own
--   Folders: jit, program.      the folders inside, in the same order. Left out if there are none
--   Read first: `run_op.h`.     where to begin
-- Its arguments:
--   src        path of the folder of sources
--   rank       { [room] = its place in the order }, "" for src itself
--   includes   { [room] = { [room that it includes] = true } }, of every room with sources
--   complain   is called with a format and its values for each breach
--
-- names(page, places, complain): every file that the page names in backquotes exists below one of the places, which end
-- in a slash or are "".
--
-- tools/layers.lua calls both, and spec/program/lint_spec.lua tests them.
local pages = {}
local MOST_LINES = 10

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

-- The place of a folder: its own, or that of the first room in it.
local function place_of(folder, rank)
  local first = rank[folder]
  for room, at in pairs(rank) do
    if room:sub(1, #folder + 1) == folder .. "/" and (not first or at < first) then first = at end
  end
  return first or math.huge
end

-- The names of a set as the page lists them.
local function listed(set, rank, prefix)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local at, other = place_of(prefix .. a, rank), place_of(prefix .. b, rank)
    if at ~= other then return at < other end
    return a < b
  end)
  return #names > 0 and table.concat(names, ", ") or "nothing"
end

-- Does it look like the name of a file or folder, unlike hl.compile or x.grad?
local ENDINGS = { c = true, h = true, lua = true, md = true, sh = true, py = true }
local function is_path(name)
  return name:match "^[%w_./-]+$" and (name:find "/" or ENDINGS[name:match "%.(%w+)$"]) and name ~= "/"
end

function pages.names(page, places, complain)
  local file = assert(io.open(page))
  local text = file:read "a"
  file:close()
  for name in text:gmatch "`([^`\n]*)`" do
    if is_path(name) then
      local found = false
      for _, place in ipairs(places) do found = found or exists(place .. name) end
      if not found then complain("%s: there is no %s", page, name) end
    end
  end
end

function pages.check(src, rank, includes, complain)
  local folders, order = { [""] = {} }, { "" }      -- by path from src: the names of the folders inside
  local pipe = io.popen("find '" .. src .. "' -mindepth 1 -type d | sort")
  for path in pipe:lines() do
    local folder = path:sub(#src + 2)
    local parent, name = folder:match "^(.*)/([^/]*)$"
    folders[folder], order[#order + 1] = {}, folder
    folders[parent or ""][name or folder] = true
  end
  pipe:close()
  for _, folder in ipairs(order) do
    local inside = folders[folder]
    local page = (folder == "" and src or src .. "/" .. folder) .. "/README.md"
    local file = io.open(page)
    if not file then
      complain("%s: missing; each folder of src has one", page)
    else
      local text = file:read "a"
      file:close()
      local _, n = text:gsub("\n", "")
      if n > MOST_LINES then complain("%s: %d lines; at most %d", page, n, MOST_LINES) end
      pages.names(page, { page:match "^(.*/)", src .. "/", src:match "^(.*/)" or "" }, complain)
      local function check_line(key, wanted)
        local line = ("\n" .. text):match("\n(" .. key .. ":%s[^.]*%.)\n")
        line = line and line:gsub("%s+", " ")
        if line ~= wanted then
          complain("%s: expected %s, got %s", page, wanted and "'" .. wanted .. "'" or "no line " .. key,
            line and "'" .. line .. "'" or "no such line")
        end
      end
      check_line("Includes", includes[folder] and ("Includes: %s."):format(listed(includes[folder], rank, "")))
      check_line("Folders", next(inside) and
        ("Folders: %s."):format(listed(inside, rank, folder == "" and "" or folder .. "/")))
      if not text:find "\nRead first: `[^\n]*%.\n" then complain("%s: expected a line 'Read first: `FILE`.'", page) end
    end
  end
end

return pages
