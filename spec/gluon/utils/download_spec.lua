-- download_spec.lua - gluon.utils.download and its relatives: files that are here, and errors about those that are not.
local hl = require "hybridlua"
local scratch = require "support.scratch"
local utils = hl.gluon.utils

local URL = "https://example.org/data/train.csv"

local write, read = scratch.write, scratch.read

describe("check_sha1", function()
  it("compares a file's SHA-1", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local file = folder:file "x"
    -- from FIPS 180-4's examples
    for text, hash in pairs { [""] = "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                              abc = "a9993e364706816aba3e25717850c26c9cd0d89d",
                              [("a"):rep(1000000)] = "34aa973cd4c4daa4f61eeb2bdbad27316534016f" } do
      write(file, text)
      assert.is_true(utils.check_sha1(file, hash))
      assert.is_true(utils.check_sha1(file, hash:upper()))
      assert.is_false(utils.check_sha1(file, hash:reverse()))
    end
    assert.raises(function() utils.check_sha1(file .. "x", "00") end, "check_sha1: '.*' cannot be read")
  end)

  it("is right at the ends of blocks", function()
    local folder = scratch.folder()
    finally(function() folder:remove() end)
    local file = folder:file "x"
    -- by hashlib
    for length, hash in pairs { [55] = "c1c8bbdc22796e28c0e15163d20899b65621d65a",
                                [56] = "c2db330f6083854c99d4b5bfb6e8f29f201be699",
                                [64] = "0098ba824b5c16427bd7a1122a5a442a25ec644d",
                                [65536] = "79db5888b5d38e10afbdbd14a19cd1caa9044c65" } do
      write(file, ("a"):rep(length))
      assert.is_true(utils.check_sha1(file, hash), length)
    end
  end)
end)

describe("download", function()
  local place, folder

  before_each(function()
    place = scratch.folder()
    folder = place.path
  end)
  after_each(function()
    utils.set_download_hook(nil)
    place:remove()
  end)

  it("uses a file that is here", function()
    write(folder .. "/train.csv", "abc")
    assert.equal(folder .. "/train.csv", utils.download(URL, folder))
    assert.equal(folder .. "/train.csv", utils.download(URL, { path = folder .. "/" }))
    assert.equal(folder .. "/train.csv",
      utils.download(URL, folder, { sha1_hash = "a9993e364706816aba3e25717850c26c9cd0d89d" }))
  end)

  it("copies a file from the current folder", function()
    local name = "download_spec_file.txt"
    write(name, "there")
    local _ <close> = setmetatable({}, { __close = function() os.remove(name) end })
    local path = utils.download("https://example.org/" .. name, folder .. "/new/" .. name)
    assert.equal(folder .. "/new/" .. name, path)
    assert.equal("there", read(path))
  end)

  it("says which file is missing, where from, and where to put it", function()
    assert.raises(function() utils.download(URL, folder .. "/x.csv") end,
      "download_spec.lua:%d+: download: '.*/x%.csv' is not here, and nothing is downloaded. Get it from " ..
        "https://example.org/data/train.csv and put it there, .* HYBRIDLUA_DATA; or set a function that fetches")
    write(folder .. "/x.csv", "wrong")
    assert.raises(function() utils.download(URL, folder .. "/x.csv", false, ("0"):rep(40)) end,
      "is not here with the SHA%-1 0000")
    assert.raises(function() utils.download "https://example.org/" end,
      "expected an address that ends in a file's name")
    assert.raises(function() utils.download(3) end, "download: url: expected a string, got number")
    assert.raises(function() utils.download(URL, { retries = -1 }) end, "retries: expected an integer of 0 or more")
  end)

  it("calls the script's hook for a missing file, and for overwrite", function()
    local calls = 0
    assert.is_nil(utils.set_download_hook(function(url, path)
      assert.equal(URL, url)
      calls = calls + 1
      write(path, "abc")
    end))
    local path = utils.download(URL, folder .. "/deep/er/")
    assert.equal(folder .. "/deep/er/train.csv", path)
    utils.download(URL, path)
    assert.equal(1, calls)
    utils.download(URL, path, true)
    assert.equal(2, calls)
    assert.raises(function() utils.download(URL, folder .. "/y.csv", { sha1_hash = ("0"):rep(40) }) end,
      "has another SHA%-1 than 0000")
    assert.equal("function", type(utils.set_download_hook(function() end)))
    assert.raises(function() utils.download(URL, folder .. "/z.csv") end, "the download hook did not write '.*z%.csv'")
    assert.raises(function() utils.set_download_hook(3) end, "set_download_hook: fn: expected a function")
  end)
end)

describe("MXNet's repository", function()
  it("has addresses", function()
    assert.equal("https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/", utils._get_repo_url())
    assert.equal("https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/gluon/dataset/mnist/a.gz",
      utils._get_repo_file_url("gluon/dataset/mnist", "a.gz"))
  end)
end)

describe("replace_file", function()
  it("renames", function()
    local place = scratch.folder()
    finally(function() place:remove() end)
    local folder = place.path
    write(folder .. "/a", "new")
    write(folder .. "/b", "old")
    utils.replace_file(folder .. "/a", folder .. "/b")
    assert.equal("new", read(folder .. "/b"))
    assert.raises(function() utils.replace_file(folder .. "/a", folder .. "/b") end, "replace_file: .*No such file")
  end)
end)
