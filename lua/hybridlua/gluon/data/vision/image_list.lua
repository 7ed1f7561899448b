-- data/vision/image_list.lua - ImageListDataset: images named by a list file or a list.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local image = require "hybridlua.image"
local list_lines = require "hybridlua.image.list_lines"
local Dataset = require "hybridlua.gluon.data.dataset".Dataset
local is_plain = core.script.is_plain

local nd = core.op.nd

local ImageListDataset = Dataset:subclass "ImageListDataset"

local read = arguments.new("ImageListDataset", "root imglist[] flag", { root = ".", flag = 1 })

local function label_of(what, list)
  if #list == 0 then fail("%s: expected a label and a file's name, got no label", what) end
  for _, x in ipairs(list) do checks.number(what, x) end
  return #list == 1 and list[1] or nd.array(list)
end

-- { file, label } from { label, ..., file }.
local function item_of(what, fields)
  local n = #fields
  if n < 2 or type(fields[n]) ~= "string" then fail("%s: expected labels and a file's name", what) end
  local labels = is_plain(fields[1]) and fields[1] or table.move(fields, 1, n - 1, 1, {})
  return { fields[n], label_of(what, labels) }
end

local function read_file(path)
  local items = {}
  for number, fields in list_lines("ImageListDataset: imglist", path) do
    table.remove(fields, 1)                                 -- the image's number
    for i = 1, #fields - 1 do fields[i] = tonumber(fields[i]) or fields[i] end
    items[#items + 1] = item_of(("ImageListDataset: %s:%d"):format(path, number), fields)
  end
  return items
end

--- ImageListDataset(root = ".", imglist, {flag = 1}): the images that a list names, and their labels: a number, or an
-- NDArray if there are several. imglist: a list of {label, file}, or a .lst file with lines of a number, labels and a
-- file, with tabs between them. Files are relative to root; hl.image.imread reads them on access, with this flag.
-- dataset.items: { file, label } of each sample, from 1.
function ImageListDataset:init(...)
  local options = read(...)
  local list = options.imglist
  self.root = folders.expanded(checks.string("ImageListDataset: root", options.root))
  self.flag, self.items = checks.colour_flag("ImageListDataset: flag", options.flag), {}
  if type(list) == "string" then
    self.items = read_file(list)
  elseif is_plain(list) then
    for i, entry in ipairs(list) do
      local what = ("ImageListDataset: imglist[%d]"):format(i)
      if not is_plain(entry) then fail("%s: expected {label, file}, got %s", what, type(entry)) end
      self.items[i] = item_of(what, entry)
    end
  else
    fail("ImageListDataset: imglist: expected a .lst file's name or a list, got %s", type(list))
  end
end

function ImageListDataset:__len() return #self.items end

function ImageListDataset:get(i)
  local item = self.items[self:check_place(i) + 1]
  return image.imread(self.root .. "/" .. item[1], self.flag), item[2]
end

arguments.as_above(ImageListDataset)

return ImageListDataset
