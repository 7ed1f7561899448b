-- dot_text.lua - graphs in DOT, graphviz's language.
local counted = require "hybridlua.language.plural"
local drawn = require "hybridlua.viz.drawn_graph"
local escaped = require "hybridlua.language.xml_text"

local KINDS, kind_of = drawn.KINDS, drawn.kind_of

local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n") .. '"' end

-- Shortens a long path: "train.lua:12".
local function short_line(line) return line:match "([^/]*)$" end

local function label_of(node)
  local lines = { node.op == "variable" and (node.name ~= "" and node.name or "variable") or node.op }
  if node.op ~= "variable" and node.name ~= "" then lines[#lines + 1] = node.name end
  if node.params ~= "" then lines[#lines + 1] = #node.params > 60 and node.params:sub(1, 57) .. "..." or node.params end
  lines[#lines + 1] = table.concat(node.types, ", ")
  local place = {}
  if node.line ~= "" and node.op ~= "variable" then place[1] = short_line(node.line) end
  place[#place + 1] = node.place
  if #place > 0 then lines[#lines + 1] = table.concat(place, "   ") end
  for i, line in ipairs(lines) do lines[i] = i == 1 and ("<b>%s</b>"):format(escaped(line)) or escaped(line) end
  return "<" .. table.concat(lines, "<br/>") .. ">"
end

-- attributes: graphviz's attributes for all nodes, by name; inputs keep their shape.
local function node_text(node, id, attributes)
  local kind = kind_of(node)
  local shape = node.op == "variable" and "ellipse" or node.op == "constant" and "note" or "box"
  local style = shape == "box" and "filled,rounded" or "filled"
  if node.backward then style = style .. ",dashed" end
  if not attributes then
    local tight = node.op == "variable" and ', margin="0.01,0.01", fontsize=9' or ""       -- weights take much width
    return ("%s [label=%s, shape=%s, style=%s, fillcolor=%s%s]"):format(id(node.id), label_of(node), shape,
      quoted(style), quoted(kind.colour), tight)
  end
  local all, names, texts = { shape = shape, style = style, fillcolor = kind.colour }, {}, {}
  for name, value in pairs(attributes) do if name ~= "shape" or shape == "box" then all[name] = value end end
  for name in pairs(all) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do texts[i] = name .. "=" .. quoted(all[name]) end
  return ("%s [label=%s, %s]"):format(id(node.id), label_of(node), table.concat(texts, ", "))
end

-- Nodes of one group are in a box; the lists of nodes by group, in order of their first node.
local function groups_of(g)
  local groups, by_number = {}, {}
  for _, node in ipairs(g.nodes) do
    local number = node.group
    local group = number and by_number[number]
    if not group then
      group = { number = number, nodes = {} }
      groups[#groups + 1] = group
      if number then by_number[number] = group end
    end
    group.nodes[#group.nodes + 1] = node
  end
  return groups
end

local function add_nodes(lines, g, id, hidden, attributes)
  for _, group in ipairs(groups_of(g)) do
    if group.number then
      lines[#lines + 1] = ('    subgraph %s { label=""; style="filled,rounded"; color="#8aa4c8"; ' ..
        'fillcolor="#f2f6fc";'):format(quoted(("cluster_%s_%d"):format(id "", group.number)))
      -- a node, not the box's label: arrows go around nodes
      lines[#lines + 1] = ("    { rank=same; %s; %s [shape=plain, label=%s] }"):format(id(group.nodes[1].id),
        id("fused" .. group.number),
        quoted(("fused kernel %d: %s"):format(group.number, counted(#group.nodes, "operator"))))
    end
    for _, node in ipairs(group.nodes) do
      if not hidden[node.id] then lines[#lines + 1] = "    " .. node_text(node, id, attributes) end
    end
    if group.number then lines[#lines + 1] = "    }" end
  end
end

local function add_edges(lines, g, id, hidden)
  for _, node in ipairs(g.nodes) do
    for _, input in ipairs(node.inputs) do
      if not hidden[input.node] then
        local several = #g.nodes[input.node + 1].types > 1
        local label = several and (" [label=%d, fontsize=9]"):format(input.output) or ""
        lines[#lines + 1] = ("    %s -> %s%s"):format(id(input.node), id(node.id), label)
      end
    end
  end
  for i, output in ipairs(g.outputs) do
    local name, title = id("out" .. i), output.title or "output " .. i - 1
    lines[#lines + 1] = ("    %s [label=%s, shape=plain, fontsize=10]"):format(name, quoted(title))
    lines[#lines + 1] = ("    %s -> %s"):format(id(output.node), name)
  end
end

local function add_legend(lines, graphs)
  local used, cells = {}, {}
  for _, g in ipairs(graphs) do for _, node in ipairs(g.nodes) do used[kind_of(node).name] = true end end
  for _, kind in ipairs(KINDS) do
    if used[kind.name] then
      cells[#cells + 1] = ('<td bgcolor="%s">%s%s</td>'):format(kind.colour,
        kind.name == "kernel" and "hand-written<br/>" or "", kind.name)
    end
  end
  if #cells == 0 then return end
  lines[#lines + 1] = ('  legend [shape=plain, fontsize=9, label=<<table border="0" cellborder="1" cellspacing="3" '
    .. 'color="#999999"><tr>%s</tr></table>>]'):format(table.concat(cells))
  return "legend"
end

-- Places the first nodes of each graph below a node; `one`: only the very first, which makes room for the rest.
local function put_below(lines, above, graphs, hidden, one)
  for i, g in ipairs(graphs) do
    local gone = hidden and hidden(g) or {}
    for _, node in ipairs(g.nodes) do
      local first = true
      for _, input in ipairs(node.inputs) do first = first and (gone[input.node] or false) end
      if first and not gone[node.id] then
        lines[#lines + 1] = ("  %s -> %s [style=invis]"):format(above, quoted(("g%d_%s"):format(i, node.id)))
        if one then break end
      end
    end
  end
end

local function put_after(lines, graphs, hidden)
  if not graphs[2] then return end
  lines[#lines + 1] = "  between [style=invis, shape=point]"
  for i = 1, #graphs[1].outputs do lines[#lines + 1] = ('  "g1_out%d" -> between [style=invis]'):format(i) end
  local second = {}
  put_below(second, "between", graphs, hidden)
  for _, line in ipairs(second) do if line:find('"g2_', 1, true) then lines[#lines + 1] = line end end
end

-- The DOT text of graphs (drawn_graph.lua). hidden(g) -> the ids of nodes to leave out; below: place the second graph
-- below the first; attributes: see node_text.
return function(graphs, title, hidden, below, attributes)
  local lines = { "digraph {", ("  label=%s; labelloc=t; fontsize=14"):format(quoted(title)),
    '  graph [fontname="Helvetica", nodesep=0.3, ranksep=0.35]',
    '  node [fontname="Helvetica", fontsize=10, margin="0.2,0.08"]',
    '  edge [color="#555555", arrowsize=0.7]' }
  for i, g in ipairs(graphs) do
    local function id(node) return quoted(("g%d_%s"):format(i, node)) end
    local plain = function(node) return node == "" and "g" .. i or id(node) end
    local gone = hidden and hidden(g) or {}
    lines[#lines + 1] = ("  subgraph cluster_g%d { label=%s; color=\"#bbbbbb\"; fontsize=11;"):format(i,
      quoted(g.title))
    add_nodes(lines, g, plain, gone, attributes)
    add_edges(lines, g, id, gone)
    lines[#lines + 1] = "  }"
  end
  local legend = add_legend(lines, graphs)
  if legend then put_below(lines, legend, below and { graphs[1] } or graphs, hidden, true) end
  if below then put_after(lines, graphs, hidden) end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n") .. "\n"
end
