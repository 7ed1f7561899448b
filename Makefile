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

MODULE_C := $(sort $(wildcard src/*/*.c))
LUA_FILES := $(sort $(shell find lua -name '*.lua'))
MODULE_O := $(MODULE_C:src/%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
MAIN_O   := $(BUILD)/main.o

all: hybridlua $(BUILD)/hybridlua.so

hybridlua: $(BUILD)/hybridlua
	@cp $< $@

# The program holds Lua itself and lets C modules (busted's) find it there.
$(BUILD)/hybridlua: $(MAIN_O) $(MODULE_O)
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

-include $(MODULE_O:.o=.d) $(MAIN_O:.o=.d)

# ---- Checks and measurements -------------------------------------------------------------
# The accuracy of every float32 function over all inputs: half an hour of one core, with
# ULP="-every 97" a sample in seconds; with ULP=-time their speed beside libm's.
ULP =
ulp: $(BUILD)/ulp
	$(BUILD)/ulp $(ULP)

$(BUILD)/ulp: tools/ulp.c src/base/scalar.h Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDLIBS)

clean:
	rm -rf build hybridlua

.PHONY: all clean ulp
