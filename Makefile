# hybridlua - `make help` lists the targets.

# ---- Settings ---------------------------------------------------------------------------
VERSION  = 0.1.0
CC       = gcc
MARCH    = native                 # make MARCH=x86-64-v3 for a package
PREFIX   = /usr/local
LUA      = lua5.4                 # the name of its pkg-config file, and of its program

OPTIMIZE = -O3 -march=$(strip $(MARCH)) -fno-math-errno -fno-trapping-math
# Bits must not depend on what the compiler merges: contraction is off everywhere.
EXACT    = -ffp-contract=off
WARN     = -Wall -Wextra -Wno-format-truncation -Wno-type-limits
BUILD    = build
SANITIZE =

# ---- What is built ----------------------------------------------------------------------
LUA_INC  := $(shell pkg-config --cflags $(LUA) 2>/dev/null)
LUA_LIB  := -Wl,--whole-archive -l:lib$(strip $(LUA)).a -Wl,--no-whole-archive
CPPFLAGS  = -Isrc $(LUA_INC) -DHL_VERSION='"$(VERSION)"' -DHL_MARCH='"$(strip $(MARCH))"' -MMD -MP
CFLAGS    = -std=gnu11 -g $(OPTIMIZE) $(EXACT) $(WARN) -fopenmp -fPIC $(SANITIZE)
LDLIBS    = -fopenmp $(SANITIZE) -lz -lcjson -lm -ldl -lpthread

PROGRAM_C := src/main.c src/bind/lineedit.c     # what only the program has: it needs libedit
MODULE_C := $(filter-out $(PROGRAM_C),$(sort $(wildcard src/*/*.c)))
LUA_FILES := $(sort $(shell find lua -name '*.lua'))
MODULE_O := $(MODULE_C:src/%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
PROGRAM_O := $(PROGRAM_C:src/%.c=$(BUILD)/%.o)

all: hybridlua $(BUILD)/hybridlua.so $(BUILD)/spec/pty $(BUILD)/spec/forked.so

hybridlua: $(BUILD)/hybridlua
	@cp $< $@

# The program holds Lua itself and lets C modules (busted's) find it there.
$(BUILD)/hybridlua: $(PROGRAM_O) $(MODULE_O)
	$(CC) -rdynamic -o $@ $^ $(LUA_LIB) $(LDLIBS) -ledit

$(BUILD)/hybridlua.so: $(MODULE_O)
	$(CC) -shared -o $@ $^ $(LDLIBS)

# Elementwise integer arithmetic wraps around.
$(BUILD)/ops/%.o: CFLAGS += -fwrapv

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/embedded.c: tools/embed.sh $(LUA_FILES)
	@mkdir -p $(@D)
	tools/embed.sh $(LUA_FILES) > $@

$(BUILD)/embedded.o: $(BUILD)/embedded.c
	$(CC) $(CPPFLAGS) -O0 -fPIC $(SANITIZE) -c $< -o $@

# What the specs need: a terminal, and a fork.
$(BUILD)/spec/pty: spec/support/pty.c
	@mkdir -p $(@D)
	$(CC) -O1 $(WARN) -o $@ $< -lutil

$(BUILD)/spec/forked.so: spec/support/forked.c
	@mkdir -p $(@D)
	$(CC) -O1 $(WARN) $(LUA_INC) -fPIC -shared -o $@ $<

-include $(MODULE_O:.o=.d) $(PROGRAM_O:.o=.d)

clean:
	rm -rf build hybridlua

.PHONY: all clean
