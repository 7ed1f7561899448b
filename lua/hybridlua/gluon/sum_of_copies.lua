-- sum_of_copies.lua - the sum of arrays that are in several contexts: gradients and running statistics of a Parameter's
-- copies, values that are pushed to a KVStore.

--- The sum in the context ctx, added in the order of the list, so that its bits depend on nothing else.
return function(list, ctx)
  local sum = list[1]:as_in_context(ctx)
  for i = 2, #list do sum = sum + list[i]:as_in_context(ctx) end
  return sum
end
