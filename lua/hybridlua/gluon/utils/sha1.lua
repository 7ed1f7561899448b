-- utils/sha1.lua - the SHA-1 of a file, for gluon.utils.check_sha1 (FIPS 180-4). It is read in pieces, so memory stays
-- small; a second is enough for some megabytes.
local PIECE = 1 << 16            -- a multiple of the block size, 64

local function rotated(x, n) return (x << n | x >> 32 - n) & 0xffffffff end

-- Extends the 16 words of a block to 80.
local function extend(words)
  for i = 17, 80 do words[i] = rotated(words[i - 3] ~ words[i - 8] ~ words[i - 14] ~ words[i - 16], 1) end
end

-- Adds the block whose words these are to the state, five 32-bit numbers.
local function add_words(state, words)
  local a, b, c, d, e = state[1], state[2], state[3], state[4], state[5]
  for i = 1, 80 do
    local f, k
    if i <= 20 then f, k = d ~ b & (c ~ d), 0x5a827999
    elseif i <= 40 then f, k = b ~ c ~ d, 0x6ed9eba1
    elseif i <= 60 then f, k = b & c | d & (b | c), 0x8f1bbcdc
    else f, k = b ~ c ~ d, 0xca62c1d6 end
    local next_a = (a << 5 | a >> 27) & 0xffffffff
    next_a = next_a + f + e + k + words[i] & 0xffffffff
    a, b, c, d, e = next_a, a, (b << 30 | b >> 2) & 0xffffffff, c, d
  end
  state[1], state[2] = state[1] + a & 0xffffffff, state[2] + b & 0xffffffff
  state[3], state[4] = state[3] + c & 0xffffffff, state[4] + d & 0xffffffff
  state[5] = state[5] + e & 0xffffffff
end

local function add_blocks(state, bytes)
  for at = 1, #bytes, 64 do
    local words = { string.unpack(">I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4I4", bytes, at) }
    extend(words)
    add_words(state, words)
  end
end

--- The SHA-1 of the rest of an open file, as 40 hexadecimal digits.
return function(file)
  local state, length = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 }, 0
  local bytes
  repeat
    bytes = file:read(PIECE) or ""
    length = length + #bytes
    if #bytes == PIECE then add_blocks(state, bytes) end
  until #bytes < PIECE
  add_blocks(state, bytes .. "\x80" .. ("\0"):rep(-(#bytes + 9) % 64) .. string.pack(">I8", 8 * length))
  return ("%08x%08x%08x%08x%08x"):format(table.unpack(state))
end
