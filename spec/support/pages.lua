-- pages.lua - reading the Markdown pages: their blocks of code, links and names of files.
local pages = {}

--- The pages at the root and in docs, in order of their names. CHANGELOG.md is left out: it names files of the past.
function pages.list()
  local list = { "CONTRIBUTING.md", "README.md", "SECURITY.md" }
  local pipe = assert(io.popen "find docs -name '*.md' | LC_ALL=C sort")
  for file in pipe:lines() do list[#list + 1] = file end
  pipe:close()
  return list
end

--- A page's lines, each with the language of the block of code that it is in ("" for a block
-- without one, nil outside): { {text=, language=}, ... }. The fences themselves are outside.
function pages.read(file)
  local lines, language = {}, nil
  for text in io.lines(file) do
    local fence = text:match "^```(.*)$"
    lines[#lines + 1] = { text = text, language = not fence and language or nil }
    if fence then language = not language and fence or nil end
  end
  return lines
end

--- The page's Lua blocks as one program whose lines have the page's numbers, and what it is to
-- print: { {line=, text=}, ... }, from comments "--> text" (empty lines do not count). nil if it has no Lua block.
function pages.program(lines)
  local code, expected, any = {}, {}, false
  for i, line in ipairs(lines) do
    local is_lua = line.language == "lua"
    any = any or is_lua
    code[i] = is_lua and line.text or ""
    local text = is_lua and line.text:match "%-%->%s?(.*)$"
    if text and text:find "%S" then expected[#expected + 1] = { line = i, text = text } end
  end
  return any and table.concat(code, "\n") or nil, expected
end

--- The page's shell commands: { {line=, text=, expected = {...}}, ... }; "#> text" is printed by the
-- command before, other comments are comments.
function pages.commands(lines)
  local commands = {}
  for i, line in ipairs(lines) do
    if line.language == "sh" and line.text:find "%S" then
      local printed = line.text:match "^#>%s?(.*)$"
      if printed then table.insert(commands[#commands].expected, { line = i, text = printed })
      elseif not line.text:match "^#" then commands[#commands + 1] = { line = i, text = line.text:gsub("%s+#.*$", ""),
          expected = {} } end
    end
  end
  return commands
end

--- Does a printed line agree with an expected one? Runs of blanks are one; "..." is anything.
function pages.agree(printed, expected)
  local function plain(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end
  local pattern = plain(expected):gsub("%.%.%.", "\0"):gsub("%p", "%%%0"):gsub("%z", ".*")
  return plain(printed):find("^" .. pattern .. "$") ~= nil
end

--- The first difference between an output and what was expected, as text; nil if there is none.
-- Empty lines of the output do not count.
function pages.difference(output, expected, file)
  local at = 0
  for line in output:gmatch "[^\n]+" do
    if line:find "%S" then
      at = at + 1
      local wanted = expected[at]
      if not wanted then return ("%s: printed more than the page says: %s"):format(file, line) end
      if not pages.agree(line, wanted.text) then
        return ("%s:%d: the page says: %s\n  printed: %s"):format(file, wanted.line, wanted.text, line)
      end
    end
  end
  if at < #expected then
    return ("%s:%d: was not printed: %s"):format(file, expected[at + 1].line, expected[at + 1].text)
  end
end

--- The anchor that a heading has.
local function anchor(heading)
  return (heading:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-"))
end

--- The anchors of a page.
function pages.anchors(lines)
  local set = {}
  for _, line in ipairs(lines) do
    local heading = not line.language and line.text:match "^#+%s+(.-)%s*$"
    if heading then set[anchor(heading)] = true end
  end
  return set
end

--- Relative links: { {line=, file=, anchor=}, ... }; file "" is the page itself.
function pages.links(lines)
  local links = {}
  for i, line in ipairs(lines) do
    if not line.language then
      for target in line.text:gsub("`[^`]*`", ""):gmatch "%]%(([^)]*)%)" do
        if not target:match "^%a+:" then
          local file, place = target:match "^([^#]*)#?(.*)$"
          links[#links + 1] = { line = i, file = file, anchor = place ~= "" and place or nil }
        end
      end
    end
  end
  return links
end

--- Names of files and folders of this project in `backticks`, outside of blocks.
function pages.named_files(lines)
  local names = {}
  for i, line in ipairs(lines) do
    if not line.language then
      for name in line.text:gmatch "`([^`]*)`" do
        local in_project = name:match "^src/" or name:match "^lua/" or name:match "^spec/" or name:match "^docs/" or
          name:match "^tools/"
          or name:match "^examples/" or name:match "^bench/"
        if in_project and name:match "^[%w_./-]+$" then names[#names + 1] = { line = i, name = name } end
      end
    end
  end
  return names
end

return pages
