-- log.lua - loggers: MXNet's mx.log, and what Module and callbacks write to; TrainingLog, files of a
-- training loop's numbers. Lines of loggers go to standard error, or to a file; unlike in Python, the root logger shows
-- information from the start.
local arguments = require "hybridlua.language.arguments"
local checks = require "hybridlua.language.argument_checks"
local class = require "hybridlua.language.class"
local fail = require "hybridlua.language.fail"

local log = { DEBUG = 10, INFO = 20, WARNING = 30, ERROR = 40, CRITICAL = 50, NOTSET = 0 }

local Logger = class.root("Logger", class.new, "logger")
log.Logger = Logger

local read_logger = arguments.new("Logger", "name level", { level = log.INFO })

--- Logger(name, {level = log.INFO}): writes lines of this level and above; see getLogger.
function Logger:init(...)
  local options = read_logger(...)
  self.name, self.level = options.name, checks.number("Logger: level", options.level)
end

--- Sets the lowest level of lines to write, such as log.WARNING.
function Logger:setLevel(level) self.level = checks.number("Logger.setLevel: level", level) end

arguments.methods(Logger, "Logger.", { setLevel = "level" })

-- Adds a method that writes a line: logger:info(text), logger:info(format, ...).
local function define(method, level, before)
  local read = arguments.new("Logger." .. method, "msg")
  Logger[method] = function(self, msg, ...)
    if type(msg) ~= "string" then msg = checks.string(("Logger.%s: msg"):format(method), read(msg, ...).msg) end
    if level < self.level then return end
    local text = select("#", ...) > 0 and msg:format(...) or msg
    io.stdout:flush()
    local file = self.file or io.stderr
    file:write(before, text, "\n")
    file:flush()
  end
end

define("debug", log.DEBUG, "")
define("info", log.INFO, "")
define("warning", log.WARNING, "WARNING: ")
define("error", log.ERROR, "ERROR: ")
define("critical", log.CRITICAL, "CRITICAL: ")

local loggers = {}

--- getLogger(name, {filename = nil, filemode = "a", level = nil}): the logger of this name, one for each name; without
-- a name the root logger, which Module and the callbacks use. filename: the file to write to, instead of standard
-- error. level: the lowest level of lines to write (a new logger's is log.INFO). Methods: logger:info(format, ...),
-- debug, warning, error, critical; setLevel(level). Errors: a file that cannot be opened.
local function getLogger(name, filename, filemode, level)
  if name ~= nil then checks.string("log.getLogger: name", name) end
  local logger = loggers[name or "root"] or Logger(name or "root")
  loggers[name or "root"] = logger
  if filename ~= nil then
    local file, why = io.open(checks.string("log.getLogger: filename", filename), filemode or "a")
    if not file then fail("log.getLogger: filename: %s", why) end
    logger.file = file
  end
  if level ~= nil then logger:setLevel(level) end
  return logger
end

log.getLogger = arguments.taking("log.getLogger", "name filename filemode level", getLogger)
log.get_logger = log.getLogger

--- The logger given as an option, or the root logger. `what`: the option's name in errors.
function log._of(what, logger)
  if logger == nil then return log.getLogger() end
  if type(logger) ~= "table" or not logger.info or not logger.warning then
    fail("%s: expected a logger of hl.log.getLogger, got %s", what, type(logger))
  end
  return logger
end

--- The rows of a training log; see training_log.lua.
log.read_training = arguments.taking("log.read_training", "path format", function(path, format)
  return require("hybridlua.training_log")._read(path, format)
end)

return require "hybridlua.language.module"(log, "hybridlua.log", { TrainingLog = "hybridlua.training_log" })
