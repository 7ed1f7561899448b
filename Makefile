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
# The program holds Lua itself and lets C modules (busted's) find it there.
LUA_LIB  := -Wl,--whole-archive -l:lib$(strip $(LUA)).a -Wl,--no-whole-archive
CPPFLAGS  = -Isrc $(LUA_INC) -DHL_VERSION='"$(VERSION)"' -DHL_MARCH='"$(strip $(MARCH))"' -MMD -MP
CFLAGS    = -std=gnu11 -g $(OPTIMIZE) $(EXACT) $(WARN) -fopenmp -fPIC $(SANITIZE)
LDLIBS    = -fopenmp $(SANITIZE) -lz -lcjson -lm -ldl -lpthread

MODULE_C  := $(sort $(wildcard src/*/*.c))
MODULE_O   = $(MODULE_C:src/%.c=$(BUILD)/%.o) $(BUILD)/embedded.o
LUA_FILES := $(sort $(shell find lua -name '*.lua'))

all: hybridlua $(BUILD)/hybridlua.so

hybridlua: $(BUILD)/hybridlua
	@cp $< $@

$(BUILD)/hybridlua: $(BUILD)/main.o $(MODULE_O)
	$(CC) -rdynamic -o $@ $^ $(LUA_LIB) $(LDLIBS) -ledit

# For plain lua5.4: LUA_CPATH=build/?.so lua5.4 script.lua
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

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)

# ---- Using it -----------------------------------------------------------------------------

# The main job, from a fresh machine: installs what is missing, builds, trains.
train:
	tools/setup.sh build
	$(MAKE) all
	./hybridlua examples/train.lua

# The tests, from a fresh machine: installs what is missing, builds, runs the specs.
test:
	tools/setup.sh test
	$(MAKE) all
	tools/test.sh

# Everything that must hold before a change lands.
check: lint docs-check test

lint:
	tools/setup.sh check
	$(MAKE) all
	./hybridlua tools/layers.lua
	luacheck -q lua spec examples tools bench

# ASan and UBSan over all specs.
asan:
	tools/setup.sh test
	$(MAKE) BUILD=build/asan OPTIMIZE='-O1 -march=$(strip $(MARCH)) -fno-math-errno -fno-trapping-math -fno-omit-frame-pointer' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -DHL_VERIFY' build/asan/hybridlua
	tools/test.sh asan

# Generated pages: written anew, or (docs-check) compared with what is there.
docs: all
	./hybridlua tools/docs.lua write

docs-check: all
	./hybridlua tools/docs.lua check

bench: all
	./hybridlua bench/run.lua

clean:
	rm -rf build hybridlua

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/lua/5.4
	install hybridlua $(DESTDIR)$(PREFIX)/bin/hybridlua
	install $(BUILD)/hybridlua.so $(DESTDIR)$(PREFIX)/lib/lua/5.4/hybridlua.so

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/hybridlua $(DESTDIR)$(PREFIX)/lib/lua/5.4/hybridlua.so

help:
	@echo "make            builds ./hybridlua and build/hybridlua.so"
	@echo "make train      installs what is missing, builds, trains on the digits"
	@echo "make test       installs what is missing, builds, runs the specs"
	@echo "make check      lint, generated docs, tests: all that must hold"
	@echo "make asan       the specs under ASan and UBSan"
	@echo "make bench      timings, each against the machine's own limit"
	@echo "make docs       writes docs/ops.md and the editor types anew"
	@echo "make lint       include directions, file sizes, luacheck"
	@echo "make install    into PREFIX=$(PREFIX); uninstall takes it back"
	@echo "make clean"

.PHONY: all train test check lint asan docs docs-check bench clean install uninstall help
