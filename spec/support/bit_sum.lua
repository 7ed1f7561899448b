-- bit_sum.lua - a checksum of arrays over their dtypes, shapes and elements' bits; all NaNs are equal.
local bit_sum = {}
bit_sum.__index = bit_sum

-- By dtype: string.unpack's format of an element, its size in bytes, and the bits of infinity; larger values are NaNs.
local FLOATS = {
  float16 = { "I2", 2, 0x7C00 },
  float32 = { "I4", 4, 0x7F800000 },
  float64 = { "i8", 8, 0x7FF0000000000000 },
}
local PRIME = 0x100000001B3
local TOGETHER = 64                      -- elements per call of string.unpack

function bit_sum.new() return setmetatable({ hash = 0xCBF29CE484222325 }, bit_sum) end

--- One step of FNV-1a by words; the shift mixes high bits into low ones.
function bit_sum:word(bits)
  local h = (self.hash ~ bits) * PRIME
  self.hash = h ~ (h >> 29)
end

function bit_sum:text(text)
  self:word(#text)
  for i = 1, #text do self:word(text:byte(i)) end
end

--- Adds an array. All NaNs count as one, since their sign and payload depend on the processor.
function bit_sum:array(x)
  self:text(("%s (%s)"):format(x.dtype, table.concat(x.shape, ", ")))
  local bytes, float = x:tobytes(), FLOATS[x.dtype]
  if not float then return self:text(bytes) end
  local one, size, infinity = table.unpack(float)
  local magnitude, many, hash = infinity | (infinity - 1), "<" .. one:rep(TOGETHER), self.hash
  local at, step = 1, size * TOGETHER
  while at <= #bytes do
    if at + step > #bytes + 1 then many, step = "<" .. one, size end
    local words = { string.unpack(many, bytes, at) }
    for i = 1, #words - 1 do             -- the last one is the next element's position
      local bits = words[i]
      if bits & magnitude > infinity then bits = -1 end
      local h = (hash ~ bits) * PRIME
      hash = h ~ (h >> 29)
    end
    at = at + step
  end
  self.hash = hash
end

function bit_sum:list(arrays) for _, x in ipairs(arrays) do self:array(x) end end

--- Adds a table of arrays with integer keys, in the order of keys.
function bit_sum:by_number(arrays)
  local numbers = {}
  for i in pairs(arrays) do numbers[#numbers + 1] = i end
  table.sort(numbers)
  for _, i in ipairs(numbers) do
    self:word(i)
    self:array(arrays[i])
  end
end

function bit_sum:hex() return ("%016x"):format(self.hash) end

return bit_sum
