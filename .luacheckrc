std = "lua54"
max_line_length = 150
unused_args = false
files["spec"] = { std = "lua54+busted" }
exclude_files = { "spec/oracle/cases.lua", "spec/support/graphs.lua" }      -- data
files["spec/support/tutorial.lua"] = { read_globals = { "FOLDER" }, ignore = { "4" } }      -- a script as a user writes it
