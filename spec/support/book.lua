-- book.lua - for the specs of a textbook's code cells (spec/np/book_*_spec.lua): each chapter runs in np's mode with
-- the same seed; checks of shapes and values.
local hl = require "hybridlua"
local assert = require "luassert"

local book = {}

--- Describes a chapter. describe, setup, teardown: busted's.
function book.chapter(describe, setup, teardown)
  return function(title, body)
    describe(title, function()
      setup(function() hl.npx.set_np() hl.random.seed(1) end)
      teardown(function() hl.npx.reset_np() end)
      body()
    end)
  end
end

function book.shape(x, ...) assert.same({ ... }, table.move(x.shape, 1, #x.shape, 1, {})) end

function book.close(x, want) assert.allclose(x:as_nd_ndarray(), want, 1e-4) end

return book
