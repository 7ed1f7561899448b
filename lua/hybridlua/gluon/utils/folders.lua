-- utils/folders.lua - paths of files and folders, for data sets, downloads and checkpoints.
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"

local folders = {}

local function quoted(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

--- A path with ~ as the home folder.
function folders.expanded(path) return (path:gsub("^~%f[/\0]", os.getenv "HOME" or "~")) end

--- The last part of a path or URL: "c" of "a/b/c".
function folders.last_part(path) return path:match "[^/]*$" end

--- The folder of a file: "a/b" of "a/b/c", "" of "c".
function folders.of(path) return path:match "^(.*)/[^/]*$" or "" end

--- The names in a folder, those of folders with / at the end; nil if there is no such folder.
function folders.names(path)
  local ok, names = pcall(core.file.list_folder, path, "list")
  return ok and names or nil
end

--- Runs a shell command whose %s are these texts, quoted; returns whether it succeeded.
function folders.run(command, ...)
  local texts = { ... }
  for i, text in ipairs(texts) do texts[i] = quoted(text) end
  return os.execute(command:format(table.unpack(texts))) == true
end

--- Makes a folder and those around it, unless it exists.
function folders.make(who, path)
  if path == "" or folders.names(path) then return end
  if not folders.run("mkdir -p -- %s 2>/dev/null", path) then
    fail("%s: the folder '%s' cannot be made", who, path)
  end
end

--- Copies a file. The copy appears under its name only when it is complete.
function folders.copy(who, from, to)
  local input <close> = io.open(from, "rb") or fail("%s: '%s' cannot be read", who, from)
  local temporary = ("%s.%d.part"):format(to, core.worker.this_process())
  local output, why = io.open(temporary, "wb")
  if not output then fail("%s: %s", who, why) end
  local ok, bytes, broken = true, input:read(1 << 20)
  while ok and bytes do
    ok, bytes, broken = output:write(bytes), input:read(1 << 20)
  end
  ok = output:close() and ok                            -- close writes the last bytes, and may fail, too
  if broken or not ok or not os.rename(temporary, to) then
    os.remove(temporary)
    if broken then fail("%s: '%s' cannot be read", who, from) end
    fail("%s: '%s' cannot be written", who, to)
  end
end

return folders
