-- examples_spec.lua - the examples, run from the command line, print the promised results.
local command = require "support.command"
local scratch = require "support.scratch"
local hl = require "hybridlua"

-- Runs an example; returns its output on stdout and stderr, and its exit code.
local function example(name, ...) return command.hybridlua { "examples/" .. name .. ".lua", ... } end

local function passes(name, ...)
  local output, code = example(name, ...)
  assert.equal(0, code, output)
  return output
end

-- Checks that the text has the patterns in this order.
local function in_order(text, ...)
  local at = 1
  for _, pattern in ipairs { ... } do
    local _, stop = text:find(pattern, at)
    assert.truthy(stop, ("no '%s' in:\n%s"):format(pattern, text:sub(at)))
    at = stop + 1
  end
end

describe("examples/train.lua", function()
  it("learns the digits, with the accuracy in its last line", function()
    local began = hl.time()
    local output = passes "train"
    assert.truthy(hl.time() - began < 30)
    in_order(output, "Dense%(64 %-> 256", "1442 images to learn from, 355 to be tested on", "epoch  1   loss 1%.",
             "epoch 20   loss 0%.0",
             "trained in [%d.]+ s, hybridized", "checksum %x+", "saved ",
             "answers the same, to the bit, for all 355 test images",
             "temporary files, removed again", "5 %(100%%%)")
    local last = output:match "([^\n]*)\n$"
    local accuracy = tonumber(last:match "^test accuracy (%d+%.%d)%%$")
    assert.truthy(accuracy, last)
    assert.truthy(accuracy >= 96.5, last)
    assert.is_nil(io.open(output:match "saved%s+(%S+)", "rb"))
  end)

  it("learns them with convolutions, to the same bits without hybridize", function()
    local output = passes("train", "--net", "lenet", "--epochs", "4")
    in_order(output, "Conv2D%(1 %-> 20, kernel_size=%(3, 3%)", "MaxPool2D", "Dense%(200 %-> 256", "epoch  4",
             "trained in [%d.]+ s, hybridized", "answers the same, to the bit, for all 355 test images")
    local accuracy = tonumber(output:match "test accuracy (%d+%.%d)%%\n$")
    assert.truthy(accuracy and accuracy >= 94, output)
    local eager = passes("train", "--net", "lenet", "--epochs", "4", "--eager")
    assert.equal(output:match "checksum %x+", eager:match "checksum %x+")
  end)

  it("learns them with a ResNet, to the same bits without hybridize", function()
    local output = passes("train", "--net", "resnet", "--epochs", "3")
    in_order(output, "ResNetV1", "epoch  3", "answers the same, to the bit, for all 355 test images")
    local accuracy = tonumber(output:match "test accuracy (%d+%.%d)%%\n$")
    assert.truthy(accuracy and accuracy >= 95, output)
    local eager = passes("train", "--net", "resnet", "--epochs", "3", "--eager")
    assert.equal(output:match "checksum %x+", eager:match "checksum %x+")
  end)

  it("ends with the same bits without hybridize, and with others for another seed", function()
    local folder = scratch.folder()
    local function train(seed, out, ...)
      local output = passes("train", "--epochs", "3", "--hidden", "32", "--seed", seed, "--out", folder:file(out), ...)
      return output:match "checksum (%x+)", scratch.read(folder:file(out) .. "/digits.params")
    end
    local sum, file = train("7", "a")
    local eager_sum, eager_file = train("7", "b", "--eager")
    assert.equal(sum, eager_sum)
    assert.is_true(file == eager_file)
    assert.are_not.equal(sum, (train("8", "c")))
    assert.same({ "digits-0000.params", "digits-symbol.json", "digits.params" }, (function()
      local names = {}
      for name in scratch.run("ls " .. folder:file "a"):gmatch "%S+" do names[#names + 1] = name end
      return names
    end)())
    folder:remove()
  end)

  it("reads MNIST's files from a folder", function()
    local folder = scratch.folder()
    local below = scratch.numbers(5)
    -- images with a bright bar whose position is the class
    local function write(name, n, gzip)
      local images, labels = {}, {}
      for i = 1, n do
        local label = below(10)
        local dark, bright = ("\0"):rep(28 * 2), ("\255"):rep(28 * 2)
        images[i] = dark:rep(label) .. bright .. dark:rep(13 - label)
        labels[i] = string.char(label)
      end
      scratch.write(folder:file(name .. "-images-idx3-ubyte"),
        string.pack(">I4I4I4I4", 0x803, n, 28, 28) .. table.concat(images))
      scratch.write(folder:file(name .. "-labels-idx1-ubyte"), string.pack(">I4I4", 0x801, n) .. table.concat(labels))
      if gzip then scratch.run(("gzip '%s'/%s-*"):format(folder.path, name)) end
    end
    write("train", 600, true)
    write("t10k", 200, false)
    local output = passes("train", "--data=mnist", "--root", folder.path, "--epochs=2", "--batch-size=20",
      "--hidden=16", "--lr=0.01")
    in_order(output, "Dense%(784 %-> 16", "mnist: 600 images to learn from, 200 to be tested on",
      "test accuracy 100%.0%%\n$")
    folder:remove()
  end)

  it("explains its options, and rejects wrong ones with exit code 2", function()
    in_order(passes("train", "--help"), "^usage: ", "%-%-data NAME", "%-%-out DIR")
    for _, case in ipairs {
      { { "--epoch", "3" }, "unknown option '%-%-epoch'" }, { { "three" }, "unknown option 'three'" },
      { { "--epochs" }, "%-%-epochs needs a value" },
      { { "--epochs", "0" }, "expected an integer of 1 or more, got '0'" }, { { "--epochs=2.5" }, "got '2.5'" },
      { { "--lr", "-1" }, "%-%-lr: expected a positive number, got '%-1'" },
      { { "--data", "letters" }, "%-%-data: expected digits or mnist, got 'letters'" },
      { { "--eager=yes" }, "%-%-eager takes no value" }, { { "--root", "." }, "it goes with %-%-data mnist" },
      { { "--data", "mnist", "--root", "/nowhere" }, "not in '/nowhere'" },
      { { "--out", "/proc/nowhere" }, "cannot make the folder" } } do
      local output, code = example("train", table.unpack(case[1]))
      assert.equal(2, code, output)
      in_order(output, "train.lua: ", case[2])
      assert.is_nil(output:find "traceback")
    end
  end)
end)

describe("examples/report.lua", function()
  it("draws the loss, the answers and some digits, as text or in a file", function()
    in_order(passes("report", "--epochs", "2"), "epoch  2: loss 0%.%d+, test 0%.%d+\n", "Loss",
      "Answers, 9[%d.]+%% right", "Test digits")
    local folder = scratch.folder()
    local file = folder:file "report.svg"
    in_order(passes("report", "--epochs", "2", "--out", file), "wrote " .. file:gsub("%p", "%%%0"))
    in_order(scratch.read(file), "<svg", "training", "digit", "with answers")
    folder:remove()
  end)
end)

describe("examples/", function()
  it("curves.lua writes a log and draws it, with plain lines where there is no terminal", function()
    local folder = scratch.folder()
    local output = passes("curves", "--epochs", "3", "--out", folder.path)
    in_order(output, "digits: update 1: loss %d", "3 rows in [^\n]*curves.csv, drawn in [^\n]*curves.svg\n",
      "test accuracy %d%d%.%d%%\n$")
    assert.is_nil(output:find "\27")
    assert.truthy(scratch.read(folder:file "curves.csv"):find "^epoch,accuracy,loss\n1,0%.%d+,")
    assert.truthy(scratch.read(folder:file "curves.svg"):find "accuracy on test images")
    folder:remove()
  end)

  it("hybridize.lua shows the tutorial", function()
    local output = passes "hybridize"
    in_order(output, "<NDArray 1x2 @cpu%(0%)>", "imperatively +[%d.]+ us a call", "hybridized +[%d.]+ us a call",
             "<Symbol data>",
             "<Symbol dense2_fwd>", '"nodes"', "my_mlp%-symbol.json, my_mlp%-0000.params", "is the same:\ttrue",
             "parameters:\ttrue", "F:\thybridlua.nd", "x:\t\n%[%[", "hidden:\t\n%[%[0", "F:\thybridlua.sym",
             "x:\t<Symbol data>", "hidden:\t<Symbol hybridnet0_relu0>", "two more calls print nothing\n\n",
             "%(3, 4%): nothing printed\n  F:\thybridlua.sym",
             "three steps", "%[10%.%]\n<NDArray 1 @cpu%(0%)>", "%[6%.%]\n<NDArray 1 @cpu%(0%)>",
             "%[6%.%]\n<NDArray 1 @cpu%(0%)>\n$")
    local answers = {}
    for answer in output:match "^(.-)%-%- and faster":gmatch "%[%[.-%]%]" do answers[#answers + 1] = answer end
    assert.equal(2, #answers)
    assert.equal(answers[1], answers[2])
  end)

  it("memory.lua shows the memory of arrays, eager and planned", function()
    local output = passes "memory"
    local results = {}
    for text in output:gmatch "%[[^%]]*%]" do results[#results + 1] = text end
    assert.same({ "[3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]", "[3. 3. 3. 3. 3. 3. 3. 3. 3. 3.]" }, results)
    local function bytes(what) return tonumber(output:match(what .. " +(%d+)\n")) end
    assert.equal(320, bytes "eager: a, b, c, d")
    assert.equal(160, bytes "graph: the two inputs")
    assert.truthy(bytes "graph: workspace" + bytes "graph: the output" <= 80)
    assert.truthy(bytes "graph: beyond the inputs" <= 80)
  end)

  it("decay.lua fits the rates of a differential equation", function()
    local output = passes "decay"
    in_order(output, "rates 1%.2%d+ and 0%.[34]%d+, from %d+ evaluations", "79%.%d%% of A is gone through B")
  end)

  it("temperature.lua changes a number in each call without a new trace", function()
    local output = passes "temperature"
    in_order(output, "temperature 1%.395: 0%.", "temperature 0%.021: 0%.000 0%.", "the same bits as eager code: true",
      "traces: 1 for 50 temperatures; without scalars 3 for 3")
  end)

  it("custom_block.lua learns with a custom layer", function()
    local output = passes "custom_block"
    in_order(output, "%(1%): Residual%(\n    %(norm%): RMSNorm%(16%)", "step   0   loss 0%.9", "step 300   loss 0%.00",
      "residual0_rmsnorm0_scale")
  end)

  it("custom_function.lua learns through a custom gradient", function()
    local output = passes "custom_function"
    in_order(output, "softplus", "its gradient", "step  0   loss %d%.", "step 30   loss 0%.00", "learnt", "secret")
    local learnt, secret = output:match "learnt%s+(%b[]).*secret%s+(%b[])"
    assert.equal(secret:gsub("%-0", " 0"), learnt:gsub("%-0", " 0"))
  end)

  it("lenet.lua reads digits, the same eager and hybridized", function()
    local output = passes("lenet", "--epochs", "3")
    in_order(output, "Conv2D%(1 %-> 16", "BatchNorm%(.*in_channels=16", "epoch  1   loss %d", "epoch  3   loss 0%.[01]",
      "trained in")
    local accuracy = output:match "test accuracy (%d+%.%d)%%\n$"
    assert.is_true(tonumber(accuracy) > 95, output)
    assert.equal(accuracy, passes("lenet", "--epochs", "3", "--eager"):match "test accuracy (%d+%.%d)%%\n$")
  end)

  it("vae.lua draws digits into an image", function()
    local folder = scratch.folder()
    local file = folder:file "vae.png"
    local output = passes("vae", "--epochs", "20", "--out", file)
    in_order(output, "epoch  20   nats a digit: %d+", "trained in", "vae.png")
    local loss = tonumber(output:match "test loss (%d+%.%d+) nats a digit\n$")
    assert.truthy(loss and loss < 25.5, output)
    assert.same({ 640, 1200, 1 }, hl.image.imread(file, 0).shape)
    folder:remove()
  end)

  it("gan.lua draws digits into an image", function()
    local folder = scratch.folder()
    local file = folder:file "gan.png"
    local output = passes("gan", "--epochs", "3", "--out", file)
    in_order(output, "epoch   3   taken for real", "trained in", "gan.png")
    local drawn, real, noise = output:match "learnt from: drawn ([%d.]+), real ([%d.]+), noise ([%d.]+)\n$"
    assert.truthy(drawn and tonumber(drawn) < 0.7 * tonumber(noise) and tonumber(real) < tonumber(drawn), output)
    local sheet = hl.image.imread(file, 0)
    assert.same({ 640, 1200, 1 }, sheet.shape)
    assert.truthy(sheet:max():asscalar() > 200)
    folder:remove()
  end)

  it("detect.lua learns to find shapes, and draws frames around them", function()
    local folder = scratch.folder()
    local file = folder:file "detect.png"
    local output = passes("detect", "--epochs", "4", "--train", "160", "--test", "12", "--out", file)
    local first, last = output:match "epoch  1   loss ([%d.]+)", output:match "epoch  4   loss ([%d.]+)"
    assert.truthy(tonumber(last) < 0.75 * tonumber(first), output)
    in_order(output, "trained in", "detect.png",
      "found [%d.]+%% of the shapes, [%d.]+%% of the boxes are right, mean IoU [%d.]+\n$")
    assert.same({ 3 * 198, 4 * 198, 3 }, hl.image.imread(file).shape)
    folder:remove()
  end)

  it("classify.lua prints the classes that an exported network predicts", function()
    local folder = scratch.folder()
    passes("train", "--net", "lenet", "--epochs", "5", "--out", folder.path)
    local digits = hl.gluon.data.vision.Digits { train = false }
    scratch.write(folder:file "labels.txt", "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n")
    local right = 0
    for i = 0, 4 do
      local picture, label = digits:get(i)
      local file = folder:file "digit.png"
      hl.image.imwrite(file, picture)
      local output = passes("classify", folder:file "digits", file, "--size", "8")
      in_order(output, "digit.png: 8 x 8 pixels", "%d%%  class %d\n", "%d%%  class %d\n", "it is class %d\n$")
      if output:find(("it is class %d\n"):format(label), 1, true) then right = right + 1 end
      local named = passes("classify", folder:file "digits-symbol.json", file, "--size", "8", "--top", "2",
        "--labels", folder:file "labels.txt")
      in_order(named, "%%  %l+\n", "%%  %l+\nit is %l+\n$")
    end
    assert.truthy(right >= 4)
    local file = folder:file "digit.png"
    for _, case in ipairs {
      { {}, "expected MODEL and PICTURE, got 0 names" }, { { "a" }, "got 1 names" },
      { { folder:file "nix", file }, "nix%-symbol.json: open: No such file" },
      { { folder:file "digits", folder:file "labels.txt" }, "labels.txt: expected a PNG or JPEG picture" },
      { { folder:file "digits", file, "--size", "9", "--labels", "/nowhere" }, "%-%-labels: /nowhere: No such file" },
      { { folder:file "digits", file, "--epoch", "3" }, "digits%-0003.params: open: No such file" } } do
      local output, code = example("classify", table.unpack(case[1]))
      assert.equal(2, code, output)
      in_order(output, "classify.lua: ", case[2])
      assert.is_nil(output:find "traceback")
    end
    folder:remove()
  end)

  it("image examples explain their options", function()
    for _, name in ipairs { "vae", "gan", "detect", "classify" } do
      in_order(passes(name, "--help"), "^usage: ", "%-%-help")
      local output, code = example(name, "--epoch", "x")
      assert.equal(2, code, output)
    end
  end)

  it("loops.lua learns the same bits eager and hybridized", function()
    in_order(passes "loops", "loss 0%.0%d+, hybridized 0%.0%d+: the same bits")
  end)

  it("cannot_hybridize.lua shows each error with its line and advice", function()
    local output = passes "cannot_hybridize"
    local shown = 0
    for title, message, advice in output:gmatch "%-%- ([^\n]+)\n  error:   ([^\n]+)\n  instead: ([^\n]+)" do
      shown = shown + 1
      assert.truthy(#title > 0 and #advice > 0)
      assert.truthy(message:find "^cannot_hybridize.lua:%d+: " or message:find "upvalue log" or
        message:find "a number %(42%)", message)
    end
    assert.equal(10, shown)
    in_order(output, "asscalar%(%) needs values", "F%.where", "totable%(%)", "pairs%(x%)",
             "boolean_mask: the shape of its output depends on values",
             "x%[%.%.%.%] = %.%.%.", "add_", "self%.calls of %S+ was read, and then written", "upvalue log",
             "autograd%.Function works on arrays",
             "got a number")
  end)
end)

describe("examples/write.lua", function()
  local function last_line(output) return output:match "([^\n]*)\n$" end

  for _, model in ipairs { "lstm", "gpt" } do
    it(model .. " learns the guide's letters and writes, eager and hybridized to the same bits", function()
      local output = passes("write", "--model", model, "--steps", "40", "--write", "30", "--prompt", "local ")
      in_order(output, "%d+ characters to learn from", "learned in", "\nlocal ", "characters a second",
        model .. " after 40 steps: loss [23]%.%d+ on unseen text, checksum %x+\n$")
      local written = output:match "\n\n(local .*)\n\n%d+ characters"
      assert.equal(#"local " + 30, #written)
      local eager = passes("write", "--model", model, "--steps", "40", "--write", "30", "--eager")
      assert.equal(last_line(output), last_line(eager))
    end)

    it(model .. " continues from a save as if it had never stopped", function()
      local folder = scratch.folder()
      local stem, few = folder:file "kept", { "--tokens", "16", "--batch-size", "4", "--write", "3" }
      local whole = passes("write", "--model", model, "--steps", "9", table.unpack(few))
      local first = passes("write", "--model", model, "--steps", "4", "--save", stem, table.unpack(few))
      assert.truthy(first:find("saved " .. stem .. ".params", 1, true))
      assert.are_not.equal(last_line(whole), last_line(first))
      assert.equal(last_line(whole), last_line(passes("write", "--continue", stem, "--steps", "9", "--write", "3")))
      folder:remove()
    end)
  end

  it("writes more than its window, from a custom text, and deterministically", function()
    local folder = scratch.folder()
    local file = folder:file "text"
    scratch.write(file, ("abc "):rep(400))
    for _, model in ipairs { "lstm", "gpt" } do
      local output = passes("write", "--model", model, "--text", file, "--steps", "60", "--tokens", "12",
        "--write", "40", "--prompt", "abc ", "--temperature", "0")
      assert.truthy(output:find("\n\n" .. ("abc "):rep(11) .. "\n"), output)
    end
    folder:remove()
  end)
end)

describe("examples/ for sequences", function()
  -- Returns the number in the last line of a short run, which is the same in an eager run.
  local function number(name, pattern, ...)
    local output = passes(name, ...)
    local value = output:match(pattern .. "\n$")
    assert.truthy(value, output)
    local given = table.pack(...)
    given[given.n + 1] = "--eager"
    assert.equal(value, passes(name, table.unpack(given, 1, given.n + 1)):match(pattern .. "\n$"))
    return tonumber(value)
  end

  it("tag.lua finds the unmatched brackets", function()
    assert.truthy(number("tag", "([%d.]+)%% of the brackets of 500 new lines are tagged right", "--steps", "150") > 96)
  end)

  it("add.lua learns to add", function()
    assert.truthy(number("add", "([%d.]+)%% of 400 sums that it has never seen are right", "--steps", "600") > 90)
  end)

  it("series.lua predicts better than repeating last week's values", function()
    local output = passes("series", "--steps", "80")
    local week = tonumber(output:match "week ago +(%S+)")
    assert.truthy(number("series", "mean error of the network +(%S+)", "--steps", "80") < 0.6 * week)
  end)
end)

describe("examples/module_digits.lua", function()
  it("resumes from a checkpoint to the bit", function()
    in_order(passes("module_digits", "--quiet"), "resumed from .*-0003.params", "the same weights", "test accuracy 9%d")
  end)
end)

describe("examples/several_contexts.lua", function()
  it("ends with the same weights in one, two and four contexts", function()
    in_order(passes "several_contexts", "1 context: ", "weights within 0e%+00", "2 contexts: ", "4 contexts: ")
  end)
end)

describe("examples/np_chapters.lua", function()
  it("learns the line and the digits, from scratch and with Gluon", function()
    local text = passes "np_chapters"
    for error in text:gmatch "error of w ([%d.]+)" do assert.is_true(tonumber(error) < 0.01) end
    for percent in text:gmatch "(%d+)%%" do assert.is_true(tonumber(percent) > 90) end
  end)
end)

describe("examples with functional_call", function()
  it("maml.lua learns weights that one step adapts", function()
    local before, after = passes("maml", "300"):match "trained: loss ([%d.]+), after one step ([%d.]+)\n$"
    assert.truthy(tonumber(after) < 0.8 * tonumber(before), after)
  end)

  it("bayes_by_backprop.lua learns the digits", function()
    local accuracy = passes("bayes_by_backprop", "4"):match "test accuracy ([%d.]+)%%\n$"
    assert.truthy(tonumber(accuracy) > 88, accuracy)
  end)
end)
