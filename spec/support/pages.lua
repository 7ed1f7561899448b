-- pages.lua - reading of the Markdown pages: code blocks, links and file names.
local pages = {}

--- The pages at the root and in docs, in order of their names. CHANGELOG.md is left out, since it names former files.
function pages.list()
  local list = { "CONTRIBUTING.md", "README.md", "SECURITY.md" }
  local pipe = assert(io.popen "find docs -name '*.md' | LC_ALL=C sort")
  for file in pipe:lines() do list[#list + 1] = file end
  pipe:close()
  return list
end

--- A page's lines as { {text=, language=}, ... }, with the language of the surrounding code block ("" if it has none,
-- nil outside). Fences are outside.
function pages.read(file)
  local lines, language = {}, nil
  for text in io.lines(file) do
    local fence = text:match "^```(.*)$"
    lines[#lines + 1] = { text = text, language = not fence and language or nil }
    if fence then language = not language and fence or nil end
  end
  return lines
end

--- The page's Lua blocks as one program with the page's line numbers, and its expected output { {line=, text=}, ... }
-- from nonempty comments "--> text". nil if the page has no Lua block.
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

--- The page's shell commands: { {line=, text=, expected = {...}}, ... }. A line "#> text" is output of the previous
-- command; other comments are skipped.
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

--- Does a printed line match an expected one? White space is normalized; "..." matches anything.
function pages.agree(printed, expected)
  local function plain(text) return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end
  local pattern = plain(expected):gsub("%.%.%.", "\0"):gsub("%p", "%%%0"):gsub("%z", ".*")
  return plain(printed):find("^" .. pattern .. "$") ~= nil
end

--- The first difference between an output and the expected one, as text, or nil. Empty lines of the output are skipped.
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

local function anchor(heading)
  return (heading:lower():gsub("[^%w%s_-]", ""):gsub("%s", "-"))
end

function pages.anchors(lines)
  local set = {}
  for _, line in ipairs(lines) do
    local heading = not line.language and line.text:match "^#+%s+(.-)%s*$"
    if heading then set[anchor(heading)] = true end
  end
  return set
end

--- A page's relative links: { {line=, file=, anchor=}, ... }; file "" is the page itself.
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

--- The project's files and folders that a page names in `backticks` outside code blocks.
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
