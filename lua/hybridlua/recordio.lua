-- recordio.lua - files of records, MXNet's .rec with its index .idx: mx.recordio.
--
-- A record is a mark, a number whose lower 29 bits are a length, the bytes, and zeros up to a multiple of 4. Where the
-- bytes contain the mark at a multiple of 4, it is left out and the record continues in another part. The upper 3 bits
-- of the number are the kind of part: the whole record (0), the first (1), a middle one (2) or the last (3).
local arguments = require "hybridlua.language.arguments"
local class = require "hybridlua.language.class"
local core = require "hybridlua.core"
local fail = require "hybridlua.language.fail"
local image = require "hybridlua.image"
local module = require "hybridlua.language.module"
local is_array, is_plain, this_process = core.array.is, core.script.is_plain, core.worker.this_process

local nd = core.op.nd
local recordio = {}

local MARK = string.pack("<I4", 0xced7230a)
local MOST = (1 << 29) - 1
local WHOLE, FIRST, BETWEEN, LAST = 0, 1, 2, 3

-- ---- Records in a file --------------------------------------------------------------------------------------------

--- MXRecordIO(uri, flag): records in the file `uri`, read one after another (flag "r") or written ("w"), from the
-- beginning. Written records are sure to be in the file after close(). Errors: a file that cannot be opened; when
-- reading, a truncated or damaged one, with the offset.
local MXRecordIO = class.root("MXRecordIO", class.new, "record")
recordio.MXRecordIO = MXRecordIO

local read_arguments = arguments.new("MXRecordIO", "uri flag")

local function check_call(self, flag)
  if not self.file then fail("%s: '%s' is closed", class.of(self).__name__, self.uri) end
  if self.flag ~= flag then
    fail("%s: '%s' is open for %s", class.of(self).__name__, self.uri, self.flag == "r" and "reading" or "writing")
  end
end

local function check_name(self, what, name)
  if type(name) ~= "string" then
    fail("%s: %s: expected a file's name, got %s", class.of(self).__name__, what, type(name))
  end
  if name:find("\0", 1, true) then
    fail("%s: %s: expected a file's name without zero bytes", class.of(self).__name__, what)
  end
end

local function open_file(self, path)
  local file, why = io.open(path, self.flag .. "b")
  if not file then fail("%s: %s", class.of(self).__name__, why) end
  return file
end

function MXRecordIO:init(...)
  local options = read_arguments(...)
  self.uri, self.flag = options.uri, options.flag
  self:open()
end

--- Opens the file again from the beginning, with the same flag; "w" empties it.
function MXRecordIO:open()
  check_name(self, "uri", self.uri)
  if self.flag ~= "r" and self.flag ~= "w" then
    fail("%s: flag: expected 'r' or 'w', got %s", class.of(self).__name__, tostring(self.flag))
  end
  self.file, self.process = open_file(self, self.uri), this_process()
end

--- Closes the file; does nothing if it is closed.
function MXRecordIO:close()
  if not self.file then return end
  local ok, why = self.file:close()
  self.file = nil
  if not ok then fail("%s: %s: %s", class.of(self).__name__, self.uri, tostring(why)) end
end
function MXRecordIO:__close() self:close() end

--- Returns to the beginning; a file open for writing becomes empty.
function MXRecordIO:reset()
  self:close()
  self:open()
end

local function put(self, kind, bytes)
  local ok, why = self.file:write(MARK, string.pack("<I4", kind << 29 | #bytes), bytes, ("\0"):rep(-#bytes % 4))
  if not ok then fail("%s: %s: %s", class.of(self).__name__, self.uri, why) end
end

-- The position of the next mark at a multiple of 4, from `from` on.
local function find_mark(bytes, from)
  local at = from
  repeat
    at = bytes:find(MARK, at, true)
    if not at or (at - 1) % 4 == 0 then return at end
    at = at + 1
  until false
end

--- Adds a record with the bytes of a string.
function MXRecordIO:write(buf)
  check_call(self, "w")
  if type(buf) ~= "string" then fail("%s.write: buf: expected a string, got %s", class.of(self).__name__, type(buf)) end
  if #buf > MOST then fail("%s.write: buf: expected at most %d bytes, got %d", class.of(self).__name__, MOST, #buf) end
  local from, kind = 1, WHOLE
  for at in function() return find_mark(buf, from) end do
    put(self, kind == WHOLE and FIRST or BETWEEN, buf:sub(from, at - 1))
    from, kind = at + #MARK, LAST
  end
  put(self, kind, buf:sub(from))
end

local function damaged(self, at, what, ...)
  fail("%s: %s: offset %d: " .. what, class.of(self).__name__, self.uri, at, ...)
end

-- The head of the next part: its offset, kind and number of bytes; nil at the end of the file.
local function next_head(self)
  local at = self.file:seek()
  local head = self.file:read(8)
  if not head then return nil end
  if #head < 8 then damaged(self, at, "expected a record, got the end (the file is cut off)") end
  if head:sub(1, 4) ~= MARK then damaged(self, at, "expected the mark of a record, got other bytes") end
  local number = string.unpack("<I4", head, 5)
  return at, number >> 29, number & MOST
end

-- The next part: its kind and bytes; nil at the end of the file.
local function next_part(self)
  local at, kind, length = next_head(self)
  if not at then return nil end
  local left = self.file:seek "end" - at - 8
  self.file:seek("set", at + 8)
  if length + -length % 4 > left then
    damaged(self, at, "expected a record of %d bytes, got %d (the file is cut off)", length, left)
  end
  local bytes = length > 0 and self.file:read(length) or ""
  self.file:seek("cur", -length % 4)
  return kind, bytes, at
end

--- The next record as a string; nil after the last one.
function MXRecordIO:read()
  check_call(self, "r")
  local kind, bytes, at = next_part(self)
  if kind == nil or kind == WHOLE then return bytes end
  local parts = { bytes }
  if kind ~= FIRST then damaged(self, at, "expected the beginning of a record, got part %d of one", kind) end
  repeat
    kind, bytes, at = next_part(self)
    if kind ~= BETWEEN and kind ~= LAST then
      damaged(self, at or self.file:seek(), "expected the next part of a record, got %s",
        kind == nil and "the end (the file is cut off)" or "a new one")
    end
    parts[#parts + 1] = bytes
  until kind == LAST
  return table.concat(parts, MARK)
end

-- ---- Indexed files ------------------------------------------------------------------------------------------------

--- MXIndexedRecordIO(idx_path, uri, flag): records with integer keys, in any order; the file idx_path has the offset of
-- each. record.keys: the list of keys; record.idx: the offset of each.
local MXIndexedRecordIO = MXRecordIO:subclass "MXIndexedRecordIO"
recordio.MXIndexedRecordIO = MXIndexedRecordIO

local read_indexed = arguments.new("MXIndexedRecordIO", "idx_path uri flag")

function MXIndexedRecordIO:init(...)
  local options = read_indexed(...)
  check_name(self, "idx_path", options.idx_path)
  self.idx_path, self.uri, self.flag = options.idx_path, options.uri, options.flag
  self:open()
end

local function read_index(self, file)
  local number = 0
  for line in file:lines() do
    number = number + 1
    local key, at = line:match "^%s*(%-?%d+)%s+(%d+)%s*$"
    key, at = math.tointeger(key), math.tointeger(at)
    if not key or not at then
      fail("MXIndexedRecordIO: %s:%d: expected a key and an offset, got '%s'", self.idx_path, number, line:sub(1, 40))
    end
    self.idx[key], self.keys[#self.keys + 1] = at, key
  end
end

function MXIndexedRecordIO:open()
  MXRecordIO.open(self)
  self.idx, self.keys = {}, {}
  local file = open_file(self, self.idx_path)
  if self.flag == "w" then
    self.index_file = file
  else
    local _ <close> = file
    read_index(self, file)
  end
end

function MXIndexedRecordIO:close()
  local index_file = self.index_file
  self.index_file = nil
  if index_file then index_file:close() end
  MXRecordIO.close(self)
end
--- Moves to the record with a key, which read() then returns. Errors: a missing key.
function MXIndexedRecordIO:seek(idx)
  check_call(self, "r")
  local at = self.idx[idx]
  if not at then fail("MXIndexedRecordIO: %s: there is no key %s", self.idx_path, tostring(idx)) end
  -- a DataLoader's worker would share its position in the file with others, so it opens the file again
  if self.process ~= this_process() then self.file, self.process = open_file(self, self.uri), this_process() end
  self.file:seek("set", at)
end

--- The offset of the next record to write, in bytes.
function MXIndexedRecordIO:tell()
  check_call(self, "w")
  return self.file:seek()
end

--- The record with a key.
function MXIndexedRecordIO:read_idx(idx)
  self:seek(idx)
  return self:read()
end

--- Adds a record under a key, an integer.
function MXIndexedRecordIO:write_idx(idx, buf)
  local key = math.tointeger(idx)
  if not key then fail("MXIndexedRecordIO.write_idx: idx: expected an integer, got %s", tostring(idx)) end
  local at = self:tell()
  self:write(buf)
  local ok, why = self.index_file:write(("%d\t%d\n"):format(key, at))
  if not ok then fail("MXIndexedRecordIO: %s: %s", self.idx_path, why) end
  self.idx[key], self.keys[#self.keys + 1] = at, key
end

-- The offsets of all records of a file, which is read from one head to the next.
local function offsets_of(self)
  local offsets = {}
  self.file:seek "set"
  for at, kind, length in next_head, self do
    if kind == WHOLE or kind == FIRST then offsets[#offsets + 1] = at end
    self.file:seek("set", at + 8 + length + -length % 4)
  end
  return offsets
end

-- A record file without an index, with the numbers of the records as keys, from 0; like an MXIndexedRecordIO.
local Unindexed = MXIndexedRecordIO:subclass "UnindexedRecords"

function Unindexed:init(uri)
  self.uri, self.idx_path, self.flag = uri, uri, "r"
  self:open()
end

function Unindexed:open()
  MXRecordIO.open(self)
  self.idx, self.keys = {}, {}
  for i, at in ipairs(offsets_of(self)) do self.idx[i - 1], self.keys[i] = at, i - 1 end
end

function recordio._without_index(uri) return Unindexed(uri) end

-- ---- Contents of records ------------------------------------------------------------------------------------------

--- IRHeader(flag, label, id, id2): the header of a record's bytes, a table with these fields. label: a number, or a
-- list or NDArray of numbers; flag is then their count.
function recordio.IRHeader(flag, label, id, id2) return { flag = flag, label = label, id = id, id2 = id2 } end

local HEADER = "<I4fI8I8"

local function header_field(header, name, place)
  local value = header[name]
  if value == nil then value = header[place] end
  if value == nil then value = 0 end
  if name ~= "label" and not math.tointeger(value) then
    fail("recordio.pack: header: expected an integer as %s, got %s", name, tostring(value))
  end
  return name == "label" and value or math.tointeger(value)
end

--- pack(header, s): a record's bytes, from an IRHeader (or a list of its four values) and a string.
function recordio.pack(header, s)
  if not is_plain(header) then fail("recordio.pack: header: expected an IRHeader, got %s", type(header)) end
  if type(s) ~= "string" then fail("recordio.pack: s: expected a string, got %s", type(s)) end
  local label = header_field(header, "label", 2)
  local id, id2 = header_field(header, "id", 3), header_field(header, "id2", 4)
  if type(label) == "number" then return string.pack(HEADER, 0, label, id, id2) .. s end
  local labels = nd.array(label, { dtype = "float32" })
  return string.pack(HEADER, labels.size, 0, id, id2) .. labels:tobytes() .. s
end

--- unpack(s): the IRHeader and the rest of a record's bytes. label is a number, or an NDArray of flag numbers. Errors:
-- a string that is too short.
function recordio.unpack(s)
  if type(s) ~= "string" then fail("recordio.unpack: s: expected a string, got %s", type(s)) end
  local size = string.packsize(HEADER)
  if #s < size then fail("recordio.unpack: s: expected %d bytes or more, got %d", size, #s) end
  local flag, label, id, id2, at = string.unpack(HEADER, s)
  if flag > 0 then
    if #s < size + 4 * flag then
      fail("recordio.unpack: s: expected %d labels, got %d bytes after the header", flag, #s - size)
    end
    at = at + 4 * flag
    label = nd.from_bytes(s:sub(size + 1, at - 1), { flag }, "float32")
  end
  return recordio.IRHeader(flag, label, id, id2), s:sub(at)
end

--- pack_img(header, img, {quality = 95, img_fmt = ".png"}): packs an image, uint8 (height, width, channels), blue first
-- as in MXNet (from OpenCV), as the bytes of a PNG file. Errors: another img_fmt, such as JPEG.
function recordio.pack_img(header, img, quality, img_fmt)
  if quality ~= nil and type(quality) ~= "number" then
    fail("recordio.pack_img: quality: expected a number, got %s", type(quality))
  end
  if img_fmt ~= nil and (type(img_fmt) ~= "string" or img_fmt:lower() ~= ".png") then
    fail("recordio.pack_img: img_fmt: expected '.png', which is lossless, got %s: no other format is written",
      tostring(img_fmt))
  end
  if is_array(img) and img.ndim == 3 and img.shape[3] == 3 then img = img:flip { axis = 2 } end
  return recordio.pack(header, core.file.encode_picture(img))
end

--- unpack_img(s, {iscolor = -1}): the IRHeader and the image of a record, blue first; iscolor = 0: gray.
function recordio.unpack_img(s, iscolor)
  if iscolor ~= nil and iscolor ~= -1 and iscolor ~= 0 and iscolor ~= 1 then
    fail("recordio.unpack_img: iscolor: expected -1, 0 or 1, got %s", tostring(iscolor))
  end
  local header, bytes = recordio.unpack(s)
  return header, image.imdecode(bytes, { flag = iscolor == 0 and 0 or 1, to_rgb = false })
end

arguments.functions(recordio, "recordio.", {
  IRHeader = "flag label[] id id2", pack = "header s", unpack = "s", pack_img = "header img quality img_fmt",
  unpack_img = "s iscolor",
})
arguments.methods(MXRecordIO, "MXRecordIO.", { write = "buf", read = "", open = "", close = "", reset = "" })
arguments.methods(MXIndexedRecordIO, "MXIndexedRecordIO.", { seek = "idx", tell = "", read_idx = "idx",
                                                             write_idx = "idx buf" })
arguments.as_above(MXIndexedRecordIO)

return module(recordio, "hybridlua.recordio")
