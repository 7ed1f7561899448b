-- utils/download.lua - gluon.utils.download without a network: it finds files that are already on this machine, and its
-- error says which file to get, from where, and where to put it. A script may set a function that fetches.
local core = require "hybridlua.core"
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local sha1_of = require "hybridlua.gluon.utils.sha1"

local downloads = {}

local hook           -- the script's function, or nil

--- set_download_hook(fn): from now on download calls fn(url, path) for a file that is not here; fn writes the file
-- `path`, for example by os.execute(("curl -fLo '%s' '%s'"):format(path, url)). nil: none, as at the start. Returns the
-- function before.
function downloads.set_download_hook(fn)
  if fn ~= nil then checks.callable("set_download_hook: fn", fn, "a URL and a path") end
  local before = hook
  hook = fn
  return before
end

--- check_sha1(filename, sha1_hash): whether the file's SHA-1 is this one (40 hexadecimal digits). Errors: a file that
-- cannot be read.
function downloads.check_sha1(filename, sha1_hash)
  checks.string("check_sha1: filename", filename)
  checks.string("check_sha1: sha1_hash", sha1_hash)
  local file <close> = io.open(filename, "rb") or fail("check_sha1: '%s' cannot be read", filename)
  return sha1_of(file) == sha1_hash:lower()
end

--- replace_file(src, dst): renames a file; dst is replaced if it exists.
function downloads.replace_file(src, dst)
  checks.string("replace_file: src", src)
  checks.string("replace_file: dst", dst)
  local ok, why = os.rename(src, dst)
  if not ok then fail("replace_file: %s", why) end
end

--- The address of MXNet's files: MXNET_GLUON_REPO or MXNet 1.9.1's, with / at the end.
function downloads._get_repo_url()
  local url = os.getenv "MXNET_GLUON_REPO" or "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"
  return url:sub(-1) == "/" and url or url .. "/"
end

--- The address of a file of MXNet's: namespace "gluon/dataset/mnist", filename "train-images-idx3-ubyte.gz".
function downloads._get_repo_file_url(namespace, filename)
  checks.string("_get_repo_file_url: namespace", namespace)
  checks.string("_get_repo_file_url: filename", filename)
  return ("%s%s/%s"):format(downloads._get_repo_url(), namespace, filename)
end

local function is_right(file, sha1_hash)
  return core.file.exists(file) and (sha1_hash == nil or downloads.check_sha1(file, sha1_hash))
end

-- Other places for a file: the current folder and HYBRIDLUA_DATA.
local function elsewhere(name, path, sha1_hash)
  for _, folder in ipairs { ".", os.getenv "HYBRIDLUA_DATA" } do
    local file = folder .. "/" .. name
    if file ~= path and file ~= "./" .. path and is_right(file, sha1_hash) then return file end
  end
end

local EXAMPLE = "gluon.utils.set_download_hook(function(url, path) " ..
  [[os.execute(("curl -fLo '%s' '%s'"):format(path, url)) end)]]

local function fetch(caller, url, path, sha1_hash)
  folders.make(caller, folders.of(path))
  hook(url, path)
  if not core.file.exists(path) then fail("%s: the download hook did not write '%s'", caller, path) end
  if not is_right(path, sha1_hash) then
    fail("%s: '%s' has another SHA-1 than %s: the file is incomplete, or another version", caller, path, sha1_hash)
  end
  return path
end

--- Finds or fetches the file `path` of this address, and returns the path. caller: the function, in errors.
function downloads.to(caller, url, path, overwrite, sha1_hash)
  if hook and overwrite then return fetch(caller, url, path, sha1_hash) end
  if is_right(path, sha1_hash) then return path end
  local name = folders.last_part(path)
  local other = elsewhere(name, path, sha1_hash)
  if other then
    folders.make(caller, folders.of(path))
    folders.copy(caller, other, path)
    return path
  end
  if hook then return fetch(caller, url, path, sha1_hash) end
  fail("%s: '%s' is not here%s, and nothing is downloaded. Get it from %s and put it there, in the current folder " ..
    "or in the folder of the environment variable HYBRIDLUA_DATA; or set a function that fetches: %s", caller, path,
    core.file.exists(path) and (" with the SHA-1 %s"):format(sha1_hash) or "", url, EXAMPLE)
end

--- download(url, path = nil, overwrite = false, sha1_hash = nil, retries = 5, verify_ssl = true): the path of the file
-- of this address. path: a file, or a folder for the address's last part; nil: the current folder. Nothing is
-- downloaded: a file with that name and hash in `path`, in the current folder or in the folder HYBRIDLUA_DATA (an
-- environment variable) is used, and copied to `path`. If a script called set_download_hook, its function fetches the
-- file; it is also called for a file that is here if overwrite is true. retries and verify_ssl are for the hook's own
-- use. Errors: a missing file, with its address and where to put it.
function downloads.download(url, path, overwrite, sha1_hash, retries)
  checks.string("download: url", url)
  if path ~= nil then checks.string("download: path", path) end
  if sha1_hash ~= nil then checks.string("download: sha1_hash", sha1_hash) end
  if retries ~= nil then checks.whole("download: retries", retries, 0) end
  local name = folders.last_part(url)
  path = path and folders.expanded(path) or name
  if path:find "/$" or folders.names(path) then path = path:gsub("(.)/+$", "%1") .. "/" .. name end
  if folders.last_part(path) == "" then
    fail("download: url: expected an address that ends in a file's name, or a path, got '%s'", url)
  end
  return downloads.to("download", url, path, overwrite, sha1_hash)
end

arguments.functions(downloads, "", {
  download = "url path overwrite sha1_hash retries verify_ssl", check_sha1 = "filename sha1_hash",
  replace_file = "src dst", _get_repo_url = "", _get_repo_file_url = "namespace filename", set_download_hook = "fn",
})

return downloads
