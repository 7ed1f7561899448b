-- data/vision/folder.lua - ImageFolderDataset: images in a folder with one subfolder per class.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local folders = require "hybridlua.gluon.utils.folders"
local image = require "hybridlua.image"
local warn = require "hybridlua.language.warn"
local Dataset = require "hybridlua.gluon.data.dataset".Dataset

local ENDINGS = { png = true, jpg = true, jpeg = true }

--- ImageFolderDataset(root, {flag = 1, transform = nil}): the images root/CLASS/NAME.png (.jpg, .jpeg), with their
-- class as label, counted from 0 in the order of the folders' names. hl.image.imread reads them on access, with this
-- flag; transform(data, label) changes both. dataset.synsets: the class names; dataset.items: { file, label } of each
-- sample; both lists start at 1. Other files are ignored with a warning. Errors: a missing folder; a file that is not
-- an image, on access.
local ImageFolderDataset = Dataset:subclass "ImageFolderDataset"

local read = arguments.new("ImageFolderDataset", "root flag transform", { flag = 1 })

local function add_files(self, folder, label)
  for _, name in ipairs(core.file.list_folder(folder, "ImageFolderDataset")) do
    local file = folder .. "/" .. name
    if ENDINGS[(name:match "%.(%w+)$" or ""):lower()] then
      self.items[#self.items + 1] = { file, label }
    else
      warn.here("Ignoring %s, which does not end in .jpg, .jpeg or .png", file)
    end
  end
end

function ImageFolderDataset:init(...)
  local options = read(...)
  local root, flag, transform = options.root, options.flag, options.transform
  if type(root) ~= "string" then fail("ImageFolderDataset: root: expected a folder's name, got %s", type(root)) end
  checks.colour_flag("ImageFolderDataset: flag", flag)
  if transform ~= nil then checks.callable("ImageFolderDataset: transform", transform, "data and label") end
  root = folders.expanded(root):gsub("(.)/+$", "%1")
  self.synsets, self.items, self.flag, self.transform_sample = {}, {}, flag, transform
  for _, name in ipairs(core.file.list_folder(root, "ImageFolderDataset")) do
    local class = name:match "^(.*)/$"
    if class then
      add_files(self, root .. "/" .. class, #self.synsets)
      self.synsets[#self.synsets + 1] = class
    else
      warn.here("Ignoring %s/%s, which is not a directory.", root, name)
    end
  end
end

function ImageFolderDataset:__len() return #self.items end

function ImageFolderDataset:get(i)
  local item = self.items[self:check_place(i) + 1]
  local data, label = image.imread(item[1], self.flag), item[2]
  if self.transform_sample then return self.transform_sample(data, label) end
  return data, label
end

arguments.as_above(ImageFolderDataset)

return ImageFolderDataset
