-- libm_calls.lua - reports calls of libm functions on which a float32 must not depend: `libm_calls.lua FOLDER` reads
-- the relocations of all objects below FOLDER. exp, log, pow, sin, ... differ in their last bits between versions of
-- libm and processors; base/math replaces them. A function may call them if its name ends in _f64 (float64 rows use
-- libm) or if it is listed here with a reason. Exact functions of libm (fma, fmod, floor, rint, ldexp, ...) are
-- allowed.
local folder = assert(arg[1], "usage: libm_calls.lua FOLDER")

local ROUNDED = {}
for name in ([[exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan sincos asin acos atan atan2 sinh cosh tanh
  asinh acosh atanh cbrt hypot erf erfc tgamma lgamma lgamma_r j0 j1 jn y0 y1 yn]]):gmatch "%S+" do
  for _, ending in ipairs { "", "f", "l" } do ROUNDED[name .. ending] = true end
end

local ALLOWED = {}

local wrong, seen = 0, 0
local function read(object)
  local tool = assert(io.popen(("objdump -dr '%s/%s'"):format(folder, object)))
  local inside = "?"
  for line in tool:lines() do
    inside = line:match "^%x+ <(.*)>:$" or inside
    local called = line:match "%sR_[%w_]+%s+([%w_]+)"
    if called and ROUNDED[called] and not inside:find "_f64" then
      local what = ("%s %s %s"):format(object, inside:gsub("%..*", ""), called)
      if not ALLOWED[what] then
        io.stderr:write(("%s: %s calls libm's %s; base/math has one with the same bits everywhere\n"):format(
          object, inside, called))
        wrong = wrong + 1
      end
    end
  end
  assert(tool:close(), "objdump failed")
end

for object in assert(io.popen(("cd '%s' && find base tensor state ir kernels ops pass exec -name '*.o'"):format(folder))):lines() do
  read(object)
  seen = seen + 1
end
if seen == 0 then io.stderr:write(("%s holds no objects; run make first\n"):format(folder)) end
os.exit(wrong == 0 and seen > 0)
