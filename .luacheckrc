std = "lua54"
max_line_length = 150
unused_args = false
files["spec"] = { std = "lua54+busted" }
exclude_files = { "spec/oracle/cases.lua" }      -- data
