-- plural.lua - "1 hit", "2 hits": a number with its noun.
return function(n, word) return ("%d %s%s"):format(n, word, n == 1 and "" or "s") end
