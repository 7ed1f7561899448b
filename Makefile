# hybridlua - `make help` lists the targets.

# ---- Settings ---------------------------------------------------------------------------
VERSION  = 0.1.0
CC       = gcc
MARCH    = native                 # make MARCH=x86-64-v3 for a package
PREFIX   = /usr/local
LUA      = lua5.4                 # the name of its pkg-config file, and of its program

# Functions begin on cache lines: without that an eager call can be a tenth slower, depending on their addresses.
OPTIMIZE = -O3 -march=$(strip $(MARCH)) -fno-math-errno -fno-trapping-math -falign-functions=64
# Contraction is off: results must not depend on which operations the compiler fuses.
EXACT    = -ffp-contract=off
WARN     = -Wall -Wextra -Wshadow -Wmissing-prototypes -Wno-format-truncation -Wno-type-limits -Werror=implicit-function-declaration
ifneq ($(findstring clang,$(CC)),)            # it finds its omp.h in the package libomp-dev
WARN    += -Wno-unknown-warning-option -Wno-gnu-variable-sized-type-not-at-end
endif
BUILD    = build
SANITIZE =
OPENMP   = -fopenmp
EMULATOR =                        # runs what is built for another processor than this one
V        =                        # make V=1 shows whole commands
Q        = $(if $(strip $(V)),,@)
say      = $(if $(strip $(V)),,@echo "  $(1)")

# ---- What is built ----------------------------------------------------------------------
LUA_INC  := $(shell pkg-config --cflags $(LUA) 2>/dev/null)
# The program contains Lua and exports it to C modules, such as busted's.
LUA_ARCHIVE := $(shell $(CC) -print-file-name=lib$(strip $(LUA)).a)
LUA_LIB  := -Wl,--whole-archive -l:lib$(strip $(LUA)).a -Wl,--no-whole-archive
# PNG and JPEG are supported if their libraries are installed.
PICTURES := $(foreach library,png jpeg,$(shell pkg-config --exists lib$(library) 2>/dev/null && echo $(library)))
PICTURE_INC := $(if $(PICTURES),$(shell pkg-config --cflags $(PICTURES:%=lib%)))
PICTURE_LIB := $(if $(PICTURES),$(shell pkg-config --libs $(PICTURES:%=lib%)))
PICTURE_HAS := $(if $(filter png,$(PICTURES)),-DHL_PNG) $(if $(filter jpeg,$(PICTURES)),-DHL_JPEG)
CPPFLAGS  = -Isrc $(LUA_INC) $(PICTURE_INC) $(PICTURE_HAS) -DHL_VERSION='"$(VERSION)"' -DHL_MARCH='"$(strip $(MARCH))"' -MMD -MP
# The module exports luaopen_hybridlua only, the program Lua's functions only.
VISIBLE   = -fvisibility=hidden
CFLAGS    = -std=gnu11 -g $(OPTIMIZE) $(EXACT) $(WARN) $(OPENMP) -fPIC $(VISIBLE) $(SANITIZE)
LDLIBS    = $(OPENMP) $(SANITIZE) $(PICTURE_LIB) -lz -lcjson -lm -ldl -lpthread

PROGRAM_C := src/main.c src/bind/host/line_edit.c     # what only the program has: it needs libedit
PROGRAM_O  = $(PROGRAM_C:src/%.c=$(BUILD)/%.o) $(BUILD)/chunks.o
MODULE_C  := $(filter-out $(PROGRAM_C),$(sort $(wildcard src/*/*.c src/*/*/*.c)))
MODULE_O   = $(MODULE_C:src/%.c=$(BUILD)/%.o) $(BUILD)/embedded.o $(BUILD)/prelude.o $(BUILD)/plain_texts.o
LUA_FILES := $(shell tools/lua_files.sh)
# The engine without Lua, for programs in C.
ENGINE_O   = $(filter $(addprefix $(BUILD)/,base/% tensor/% state/% ir/% kernels/% ops/% plain/% pass/% exec/%),$(MODULE_O)) $(BUILD)/prelude.o $(BUILD)/plain_texts.o
# C programs and modules of the specs: a terminal, eight threads, modules that inspect the engine (a fork, malloc, passes,
# rows) and hosts.
SPEC_MODULES := forked broken rows heap chains host states winograd products expressions plain updates
SPEC_TOOLS := build/spec/pty build/threads build/scripts build/guarded $(SPEC_MODULES:%=$(BUILD)/spec/%.so)

all: hybridlua $(BUILD)/hybridlua.so $(SPEC_TOOLS)

hybridlua: $(BUILD)/hybridlua
	@cp --remove-destination $< $@     # which may be running

$(BUILD)/hybridlua: $(PROGRAM_O) $(MODULE_O)
	$(call say,LD $@)
	$(Q)$(CC) -rdynamic -o $@ $^ $(LUA_LIB) $(LDLIBS) -ledit

# For plain lua5.4: LUA_CPATH=build/?.so lua5.4 script.lua. Lua unloads modules when it ends, while threads of OpenMP may
# still wait in OpenMP's code, so this module is never unloaded.
$(BUILD)/hybridlua.so: $(MODULE_O)
	$(call say,LD $@)
	$(Q)$(CC) -shared -Wl,-Bsymbolic -Wl,-z,nodelete -o $@ $^ $(LDLIBS)

# The program with one mistake of src/base/settings/fault_injection.h: build/fault-NAME/hybridlua. Only the sources that
# contain mistakes are compiled again.
FAULTS  := twice heads deferred scope written order views reported stale untied clusters
FAULT_C := $(shell grep -l '"base/settings/fault_injection.h"' $(MODULE_C))
FAULT_PROGRAMS := $(FAULTS:%=$(BUILD)/fault-%/hybridlua)

define fault_rules
$(BUILD)/fault-$(1)/%.o: src/%.c Makefile
	@mkdir -p $$(@D)
	$$(call say,CC $$< with fault $(1))
	$$(Q)$$(CC) $$(CPPFLAGS) $$(CFLAGS) -DHL_FAULT=$(1) -c $$< -o $$@

$(BUILD)/fault-$(1)/hybridlua: $(FAULT_C:src/%.c=$(BUILD)/fault-$(1)/%.o) $(PROGRAM_O) $(filter-out $(FAULT_C:src/%.c=$(BUILD)/%.o),$(MODULE_O))
	$$(call say,LD $$@)
	$$(Q)$$(CC) -rdynamic -o $$@ $$^ $$(LUA_LIB) $$(LDLIBS) -ledit
endef
$(foreach fault,$(FAULTS),$(eval $(call fault_rules,$(fault))))

# The program that verifies each pass, and that functions called by Lua enter the engine state: build/verify/hybridlua.
# Only the sources with such checks are compiled again.
VERIFY_C := $(sort $(shell grep -l -e HL_VERIFY -e '"base/assert.h"' $(MODULE_C)) \
              $(shell grep -l 'engine_now()' $(filter src/ir/% src/exec/%,$(MODULE_C))) $(filter src/bind/%,$(MODULE_C)))
VERIFY_O = $(VERIFY_C:src/%.c=$(BUILD)/verify/%.o) $(filter-out $(VERIFY_C:src/%.c=$(BUILD)/%.o),$(MODULE_O))
$(BUILD)/verify/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC $< verifying)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -DHL_VERIFY -c $< -o $@

$(BUILD)/verify/hybridlua: $(VERIFY_O) $(PROGRAM_O)
	$(call say,LD $@)
	$(Q)$(CC) -rdynamic -o $@ $^ $(LUA_LIB) $(LDLIBS) -ledit

# A test program whose functions forget to enter the engine state.
$(BUILD)/verify/unentered: spec/native/unentered.c $(VERIFY_O)
	$(call say,LD $@)
	$(Q)$(CC) -rdynamic $(CPPFLAGS) $(CFLAGS) -DHL_VERIFY -o $@ $^ $(LUA_LIB) $(LDLIBS)

faults: $(FAULT_PROGRAMS) $(BUILD)/verify/hybridlua $(BUILD)/verify/unentered

# Compiled again when one of these libraries was installed or removed.
$(filter $(BUILD)/io/picture/picture_%.o,$(MODULE_O)): $(BUILD)/pictures
$(BUILD)/pictures: always
	@mkdir -p $(@D)
	@echo '$(PICTURES)' | cmp -s - $@ || echo '$(PICTURES)' > $@

# Elementwise integer arithmetic wraps around.
$(BUILD)/ops/%.o $(BUILD)/kernels/%.o: CFLAGS += -fwrapv

# gcc prefers vectors of 32 bytes to those of 64. Wide ones speed up loops with much arithmetic per element, such as
# exponentials, but not those that mostly load and store, and they slow down short loops.
ifneq ($(filter x86_64-%,$(shell $(CC) -dumpmachine)),)
WIDE = kernels/nn/dense_kernels kernels/nn/activation_kernels kernels/nn/softmax_kernels \
       kernels/elementwise/unary_kernels \
       kernels/random/dropout_kernels kernels/random/distributions_kernels kernels/random/shuffle_kernels \
       kernels/random/categories_kernels \
       kernels/loops/random_mask kernels/sequence/attention_loops kernels/sequence/rnn_cells
$(WIDE:%=$(BUILD)/%.o): CFLAGS += -mprefer-vector-width=512
endif

$(BUILD)/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/embedded.c: tools/embed.sh tools/lua_files.sh $(LUA_FILES)
	@mkdir -p $(@D)
	$(call say,EMBED lua/)
	$(Q)tools/embed.sh $(LUA_FILES) > $@

# The headers at the beginning of every generated kernel, in the order of their includes.
MATH = scalar_bits double_functions gamma_functions typed_functions
PRELUDE = $(MATH:%=src/base/math/%.h) src/base/math/tree_sum.h
$(BUILD)/prelude.c: tools/embed_c.sh $(PRELUDE)
	@mkdir -p $(@D)
	$(call say,EMBED $(PRELUDE))
	$(Q)tools/embed_c.sh $(PRELUDE) > $@

# The plain texts (src/ir/plain.h).
PLAIN_H := $(filter-out src/plain/plain_registry.h,$(sort $(wildcard src/plain/*/*.h)))
$(BUILD)/plain_texts.c: tools/embed_plain.sh $(PLAIN_H)
	@mkdir -p $(@D)
	$(call say,EMBED src/plain/)
	$(Q)tools/embed_plain.sh $(PLAIN_H) > $@

# Compiled by the program's own Lua library: see tools/chunks.c.
$(BUILD)/chunks: tools/chunks.c $(wildcard $(LUA_ARCHIVE))
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(LUA_INC) -O1 $(WARN) -o $@ $< $(LUA_LIB) -lm -ldl

$(BUILD)/chunks.c: $(BUILD)/chunks tools/lua_files.sh $(LUA_FILES)
	$(call say,COMPILE lua/)
	$(Q)$(strip $(EMULATOR)) $< $(LUA_FILES) > $@.new && mv $@.new $@

$(BUILD)/embedded.o $(BUILD)/prelude.o $(BUILD)/plain_texts.o $(BUILD)/chunks.o: %.o: %.c Makefile
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) -O0 -fPIC $(VISIBLE) $(SANITIZE) -c $< -o $@

build/spec/pty: spec/native/pty.c
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) -O1 $(WARN) -o $@ $< -lutil

$(BUILD)/threads: spec/native/threads.c $(ENGINE_O)
	$(call say,LD $@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/scripts: spec/native/scripts.c $(MODULE_O)
	$(call say,LD $@)
	$(Q)$(CC) -rdynamic $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LUA_LIB) $(LDLIBS)

# The program with GPUs whose memory only their kernels can touch.
$(BUILD)/guarded: spec/native/guarded.c $(PROGRAM_O) $(MODULE_O)
	$(call say,LD $@)
	$(Q)$(CC) -rdynamic $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LUA_LIB) $(LDLIBS) -ledit

# Modules that inspect the engine contain a copy of it. They are never unloaded, since one remains Lua's allocator.
$(BUILD)/spec/broken.so $(BUILD)/spec/rows.so $(BUILD)/spec/expressions.so $(BUILD)/spec/updates.so: $(ENGINE_O)
$(BUILD)/spec/%.so: spec/native/%.c
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CC) -O1 $(EXACT) $(WARN) -Wno-missing-prototypes -Isrc $(LUA_INC) -MMD -MP -fPIC -shared -Wl,-z,nodelete -o $@ \
	  $(filter %.c %.o,$^) -Wl,--as-needed $(LDLIBS)

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d)

# ---- Using it -----------------------------------------------------------------------------

# Builds on all cores, unless make has an option -j.
MAKE_ALL  = $(MAKE) $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
BUILD_ALL = $(MAKE_ALL) all

# The main job, from a fresh machine: installs what is missing, builds, trains.
train:
	tools/setup.sh build
	$(BUILD_ALL)
	./hybridlua examples/train.lua

# The tests, from a fresh machine: installs what is missing, builds (the programs with mistakes, too), runs the specs.
test:
	tools/setup.sh test
	$(BUILD_ALL) faults
	tools/test.sh

# One or two specs of every layer, in less than ten seconds.
smoke:
	tools/setup.sh test
	$(BUILD_ALL)
	tools/test.sh smoke

# The specs as other processors run them; .ci/run does this after `make test`.
variants:
	tools/setup.sh test
	$(BUILD_ALL) faults
	tools/test.sh variants

# Program and module for another processor, in a folder of their own: make for-x86-64-v3.
for-%:
	$(MAKE_ALL) MARCH=$* BUILD=build/$* build/$*/hybridlua build/$*/hybridlua.so

# The same for arm64, by the cross compiler and the libraries of `tools/setup.sh arm64`; tools/arm64.sh runs it. Specs
# find it as ./hybridlua in build/arm64/tree, and in build/spec there what they load into it.
ARM64      = build/arm64
ARM64_ROOT = $(CURDIR)/$(ARM64)/root
for-arm64:
	PKG_CONFIG_SYSROOT_DIR=$(ARM64_ROOT) PKG_CONFIG_LIBDIR=$(ARM64_ROOT)/usr/lib/aarch64-linux-gnu/pkgconfig \
	  $(MAKE_ALL) CC='aarch64-linux-gnu-gcc --sysroot=$(ARM64_ROOT)' MARCH=armv8-a BUILD=$(ARM64) EMULATOR=tools/arm64.sh \
	  $(ARM64)/hybridlua $(ARM64)/hybridlua.so $(SPEC_MODULES:%=$(ARM64)/spec/%.so)
	@mkdir -p $(ARM64)/tree
	@cd $(ARM64)/tree && ln -sfn ../../../tools/arm64.sh hybridlua && ln -sfn .. build && \
	  for each in .busted bench docs examples lua spec src tools; do ln -sfn ../../../$$each $$each; done

# A few specs on arm64, under qemu, and a comparison of its checksums with this processor's; .ci/run does this after
# `make variants`.
arm64:
	tools/setup.sh arm64
	$(BUILD_ALL)
	$(MAKE) for-arm64
	tools/test.sh arm64

# Everything that must hold before a change lands.
check: lint docs-check test

# Checks that need no build.
lint:
	tools/setup.sh check
	$(MAKE) strict
	CC='$(CC)' $(strip $(LUA)) tools/layers.lua
	$(strip $(LUA)) tools/words/words.lua --limit 40
	find lua spec examples tools bench -name '*.lua' | xargs -P "$$(nproc)" -n 60 luacheck -q
	tools/format.sh format-check

# Lists functions that call libm's exp, log and others; spec/program/lint_spec.lua checks the same.
libm: $(ENGINE_O)
	$(strip $(LUA)) tools/libm_calls.lua $(BUILD)

# No warnings in any source, with and without the checks of test builds; on all cores.
strict:
	$(call say,CC -Werror)
	$(Q)for verify in '' -DHL_VERIFY; do \
	  printf '%s\n' $(PROGRAM_C) $(MODULE_C) | xargs -P "$$(nproc)" -n 16 \
	    $(CC) -fsyntax-only $(filter-out -MMD -MP,$(CPPFLAGS)) $(CFLAGS) $$verify -Werror || exit 1; \
	done
	$(Q)$(CC) -fsyntax-only $(filter-out -MMD -MP -DHL_PNG -DHL_JPEG,$(CPPFLAGS)) $(CFLAGS) -Werror $(wildcard src/io/picture/picture_*.c)

# No warnings in these sources: make strict-some SOME="src/base/map.c" (tools/hooks/pre-commit).
SOME =
strict-some:
	$(Q)$(if $(strip $(SOME)),$(CC) -fsyntax-only $(filter-out -MMD -MP,$(CPPFLAGS)) $(CFLAGS) -Werror $(SOME))

# C by .clang-format, Lua by stylua.toml: format rewrites files, format-check names those that differ. A formatter is
# skipped, with a message, if it is not installed in the version that its settings name. CLANG_FORMAT and STYLUA name
# programs that are not on PATH.
CLANG_FORMAT ?=
STYLUA       ?=
format format-check:
	CLANG_FORMAT='$(strip $(CLANG_FORMAT))' STYLUA='$(strip $(STYLUA))' tools/format.sh $@

# Installs tools/hooks in this clone: checks of staged files and of the subject before every commit.
hooks:
	git config core.hooksPath tools/hooks

# Writes the compiler command of every source to build/compile_commands.json, for clangd and other tools.
compile_commands.json:
	@mkdir -p $(BUILD)
	$(call say,LIST $(BUILD)/$@)
	$(Q)$(MAKE) --no-print-directory -nB V=1 all $(BUILD)/ulp build/bench/limits.so > $(BUILD)/commands
	$(Q)CC='$(CC)' tools/compile_commands.sh < $(BUILD)/commands > $(BUILD)/$@

# ASan and UBSan over all specs.
asan: all $(SPEC_TOOLS)
	tools/setup.sh test
	$(MAKE) BUILD=build/asan OPTIMIZE='-O1 -march=$(strip $(MARCH)) -fno-math-errno -fno-trapping-math -fno-omit-frame-pointer' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined -DHL_VERIFY' build/asan/hybridlua
	tools/test.sh asan

# ThreadSanitizer: eight threads run one compiled function, and two threads run a Lua state each, operator by operator and
# fused; loops are threaded too. It does not support OpenMP, so OpenBLAS has one thread in this build.
tsan:
	tools/setup.sh test
	$(MAKE_ALL) BUILD=build/tsan OPENMP=-Wno-unknown-pragmas SANITIZE=-fsanitize=thread \
	  OPTIMIZE='-O1 -march=$(strip $(MARCH)) -fno-math-errno -fno-trapping-math' build/tsan/threads build/tsan/scripts
	for jit in off sync background; do for run in threads 'threads 200 starved' scripts 'scripts 4 starved'; do \
	  HYBRIDLUA_JIT=$$jit HYBRIDLUA_CACHE=build/kernels build/tsan/$$run || exit 1; done; done

# COUNT random graphs, or whole programs with KIND=programs, starting with SEED: eager against compiled in every mode, to
# the bit.
KIND  = graphs
COUNT = 20000
SEED  = 1
fuzz: all
	./hybridlua spec/support/fuzz_main.lua $(KIND) $(COUNT) $(SEED)

# docs writes the generated pages, docs-check compares them with the files.
docs: all
	./hybridlua tools/docs.lua write

docs-check: all
	./hybridlua tools/docs.lua check

# Writes the page that compares MXNet's results with ours.
conformance: all
	./hybridlua tools/conformance.lua docs/conformance.md

# Prints a checksum of the bits of each subject, or, with OLD=program, the subjects that differ from an older build. The
# older program runs the script of its own tree, because internal names may have changed.
checksum: all
	./hybridlua tools/checksum.lua > build/checksum.txt
	$(if $(OLD),cd $(dir $(OLD)) && ./$(notdir $(OLD)) tools/checksum.lua > $(CURDIR)/build/checksum.old.txt; \
	  diff $(CURDIR)/build/checksum.old.txt $(CURDIR)/build/checksum.txt,@cat build/checksum.txt)

# Checks that bits do not depend on the compiler, the width of vectors, threads, OpenBLAS or the mode. Makes a build for
# each, which takes minutes to hours; SMALL=small chooses sizes for a slow machine.
SMALL =
same-bits:
	tools/one_order.sh $(SMALL)

# BENCH="--only softmax --threads 2": the options of bench/run.lua.
BENCH =
bench: all build/bench/limits.so
	./hybridlua bench/run.lua $(BENCH)

# Draws the pictures of docs/gallery.md and README.
gallery: all
	tools/gallery.sh docs/pictures

# Compares this build with an older one: medians of PAIRS alternating runs.
OLD   =
PAIRS = 30
bench-against: all build/bench/limits.so
	./hybridlua bench/against.lua $(OLD) $(PAIRS) $(BENCH)

# Compares ways to write a hybridized call with the plainest one: medians of ROUNDS rounds.
ROUNDS = 30
bench-calls: all
	HYBRIDLUA_JIT=sync ./hybridlua bench/calls.lua $(ROUNDS)

# Counts the instructions of calls, in an x86-64-v3 build of this tree and in an older one, OLD=program; needs valgrind.
bench-instructions: for-x86-64-v3
	bench/instructions.sh build/x86-64-v3/hybridlua $(OLD)

# Compares the memory of hybridized and eager programs of several sizes; MEMORY="small turns": small sizes, one case.
MEMORY =
bench-memory: all
	./hybridlua bench/memory.lua $(MEMORY)

# Compares float32 products with OpenBLAS's, with HYBRIDLUA_NUM_THREADS threads; PRODUCTS="--only LSTM" chooses some. For
# another processor: make bench-products BUILD=build/v3 MARCH=x86-64-v3, with OPENBLAS_CORETYPE=Haswell.
PRODUCTS =
bench-products: $(BUILD)/bench/products
	$(BUILD)/bench/products $(PRODUCTS)

bench-product-errors: $(BUILD)/bench/product_errors
	$<

$(BUILD)/bench/products $(BUILD)/bench/product_errors: $(BUILD)/bench/%: bench/%.c $(ENGINE_O)
	@mkdir -p $(@D)
	$(call say,LD $@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $^ $(LDLIBS)

build/bench/limits.so: bench/limits.c $(PRELUDE) Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(filter-out $(VISIBLE),$(CFLAGS)) -shared -o $@ $< -ldl

# ---- Checks and measurements -------------------------------------------------------------
# The accuracy of every float32 function over all inputs, in half an hour on one core. ULP="-every 97" takes a sample, in
# seconds; ULP=-time compares speed with libm's.
ULP =
ulp: $(BUILD)/ulp
	$(BUILD)/ulp $(ULP)

$(BUILD)/ulp: tools/ulp.c $(PRELUDE) Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDLIBS)

# Random float32 products against the plain loop of spec/native/product_plain.h, to the bit.
random-products: all
	HYBRIDLUA_PRODUCTS=10000 ./hybridlua "$$(command -v busted)" spec/kernels/matmul/product_order_spec.lua

clean:
	rm -rf build hybridlua

# Installs program and module, stripped, and the man page; in SHARE the license, the pages with the editor types, the
# examples, and the digits, which the program finds relative to its own place.
SHARE = $(DESTDIR)$(PREFIX)/share/hybridlua
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/lua/5.4 $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(SHARE)/data $(SHARE)/docs/guide $(SHARE)/docs/pictures $(SHARE)/docs/types $(SHARE)/examples
	install -s hybridlua $(DESTDIR)$(PREFIX)/bin/hybridlua
	install -s $(BUILD)/hybridlua.so $(DESTDIR)$(PREFIX)/lib/lua/5.4/hybridlua.so
	install -m 644 docs/hybridlua.1 $(DESTDIR)$(PREFIX)/share/man/man1/hybridlua.1
	install -m 644 examples/data/digits.csv.gz $(SHARE)/data/digits.csv.gz
	install -m 644 README.md LICENSE $(SHARE)
	install -m 644 docs/*.md $(SHARE)/docs
	install -m 644 docs/guide/*.md $(SHARE)/docs/guide
	install -m 644 docs/pictures/* $(SHARE)/docs/pictures
	install -m 644 docs/types/*.lua $(SHARE)/docs/types
	install -m 644 examples/*.lua $(SHARE)/examples

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/hybridlua $(DESTDIR)$(PREFIX)/lib/lua/5.4/hybridlua.so
	rm -f $(DESTDIR)$(PREFIX)/share/man/man1/hybridlua.1
	rm -rf $(DESTDIR)$(PREFIX)/share/hybridlua

help:
	@echo "make            builds ./hybridlua and build/hybridlua.so"
	@echo "make train      installs what is missing, builds, trains on the digits"
	@echo "make test       installs what is missing, builds, runs the specs"
	@echo "make smoke      builds, runs one or two specs of every layer, in less than ten seconds"
	@echo "make variants   the specs for x86-64-v2 and v3 and with other BLAS kernels"
	@echo "make arm64      builds for arm64 by a cross compiler, runs a few specs under qemu, compares checksums"
	@echo "make check      lint, generated docs, tests: before every change lands"
	@echo "make asan       the specs under ASan and UBSan"
	@echo "make tsan       one compiled function in eight threads, and two Lua states in two, under ThreadSanitizer"
	@echo "make fuzz       COUNT=20000 random graphs (KIND=programs: programs) from SEED=1 on, compiled against eager"
	@echo "make checksum   checksums of results; OLD=program: results that differ from those of an older build"
	@echo "make same-bits  one checksum of rows and trainings by gcc, clang, AVX2, AVX-512, any number of threads"
	@echo "make gallery    draws the pictures of docs/gallery.md by the examples"
	@echo "make bench      timings, each against the machine's own limit (BENCH=--help for options)"
	@echo "make bench-against OLD=program  the rows of make bench, this build beside an older one"
	@echo "make bench-calls             ways to write a hybridized call beside the plainest one"
	@echo "make bench-instructions OLD=program  instructions of calls, by valgrind; both builds for x86-64-v3"
	@echo "make bench-memory            the memory of hybridized programs of several sizes beside eager ones"
	@echo "make ulp        accuracy of the scalar functions over all float32 (half an hour)"
	@echo "make docs       writes docs/ops.md and the editor types; docs-check compares them"
	@echo "make conformance  docs/conformance.md: what MXNet 1.9.1 computed beside what hybridlua does"
	@echo "make lint       no warnings, include directions, names and exits, file sizes, luacheck, layout"
	@echo "make format     lays out C and Lua by .clang-format and stylua.toml; format-check names what differs"
	@echo "make hooks      checks of staged files and of the subject before every commit in this clone"
	@echo "make compile_commands.json  build/compile_commands.json: the command of every source, for clangd"
	@echo "make install    into PREFIX=$(PREFIX); uninstall removes it"
	@echo "make clean      removes everything that was built"
	@echo ""
	@echo "make V=1 ...    shows whole commands; MARCH=x86-64-v3: for other processors than this one"

.PHONY: always all faults train test smoke variants for-arm64 arm64 check lint libm strict strict-some format \
        format-check hooks compile_commands.json asan tsan fuzz docs docs-check conformance checksum same-bits bench \
        bench-against gallery bench-calls bench-instructions bench-memory bench-products bench-product-errors \
        random-products ulp clean install uninstall help
