# Every task of Glasshouse. `make` alone prints help; V=1 shows the commands.
#
# Needs GNU make and, on Debian and Ubuntu, nothing else: what a task lacks is installed from the
# distribution and from npm; elsewhere it says what to install. Products go to build/ (one folder per
# flavour, with dependency files: nothing ever needs `clean`) and to dist/ (the site).

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
MAKEFLAGS += --no-builtin-rules --no-print-directory -j$(JOBS)
Q := $(if $(V),,@)

# ---- Sources -------------------------------------------------------------------------------------

C_SOURCES   := $(sort $(wildcard c/*/*.c))
C_HEADERS   := $(sort $(wildcard c/*/*.h tests/c/*.h tests/fuzz/*.h))
CLI_MAIN    := $(sort $(wildcard c/cli/train_gpt*.c))
ENGINE      := $(filter-out $(CLI_MAIN),$(C_SOURCES))
C_TESTS     := $(sort $(wildcard tests/c/test_*.c tests/bench/*.c tests/fuzz/*.c))
SITE_INPUTS := $(shell find web public c/formats/templates -type f 2>/dev/null)

# ---- Flags ---------------------------------------------------------------------------------------

# The same bits everywhere: no contraction to fused multiply-add, no reassociation. Without errno the
# square root is the machine's own instruction; nothing else of libm is used.
EXACT    := -ffp-contract=off -fno-fast-math -fno-math-errno
WARNINGS := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wold-style-definition -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 -Werror
COMMON   := -std=c11 -Ic -Ibuild/include $(EXACT) $(WARNINGS) -MMD -MP

CLANG     ?= clang
# LLVM's own linker is quicker, where there is one. (Emscripten needs it, hence Debian has it.)
LLD        = $(if $(wildcard $(addsuffix /ld.lld,$(subst :, ,$(PATH)))),-fuse-ld=lld)
SANITIZER := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

THREADS   := -DGPT_THREADS -pthread
# Without asserts some names go unused.
NO_ASSERTS := -DNDEBUG -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable
NATIVE    := -O3 $(NO_ASSERTS) $(THREADS)
# Of debug information what names the line of a fault: the rest takes time to write and to link.
DEBUG     := -gline-tables-only
SANITIZE  := -O1 $(DEBUG) $(SANITIZER) $(THREADS)
RACES     := -O1 $(DEBUG) -fsanitize=thread $(THREADS)
DOUBLE    := -O1 $(DEBUG) $(SANITIZER) -DGPT_REAL_DOUBLE
# An engine that is newer by three invented options.
LATER     := -O1 $(DEBUG) $(SANITIZER) -include tests/c/later_options.h
# Words to compare with come from dictionaries: watching every comparison would take half the time.
FUZZED    := -O2 -g $(SANITIZER) -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
COVERED   := -O1 -g -fprofile-instr-generate -fcoverage-mapping
# Asserts would print, and printing needs imports.
WASM_C    := -O3 -msimd128 $(NO_ASSERTS)

# What runs once or a few times, or only calls the arithmetic of a model: small rather than fast.
# (emcc reads -Os as both of these flags.)
COLD := $(wildcard c/api/*.c c/runs/*.c c/formats/*.c) $(filter-out %/tensor_file.c,$(wildcard c/io/*.c)) \
        $(addprefix c/,base/json.c base/error.c base/text_buffer.c fit/fit.c fit/text_statistics.c \
          infer/probe.c infer/sampler.c model/architecture.c model/model.c recipe/changes.c \
          recipe/config.c recipe/left_out.c tape/tape.c text/bpe.c text/bpe_files.c text/bpe_words.c \
          text/ngram.c text/pretokenizer.c text/text_index.c text/vocabulary_parts.c \
          $(addprefix train/,dataset.c left_out_parts.c memorising.c optimizer.c snapshot.c text_matches.c \
            trainer.c training_index.c baselines.c))
$(foreach folder,wasm wasm-threads,$(COLD:%.c=build/$(folder)/%.o)): SMALL := -Os -fno-inline-functions

# No JavaScript glue. Only flags that emcc 3.1.6 and today's emsdk both know. Memory starts small and
# grows when asked; a trainer has a lower limit of its own. One page less than 4 GB, so that the size
# of the memory in bytes is always a 32-bit number.
WASM_MAX_MEMORY := 4294901760
WASM_LINK := -O3 -msimd128 -sSTANDALONE_WASM --no-entry -sALLOW_MEMORY_GROWTH=1 \
             -sINITIAL_MEMORY=4194304 -sMAXIMUM_MEMORY=$(WASM_MAX_MEMORY) -sTOTAL_STACK=262144

# The second artifact: the same sources, with a memory that is imported and shared. Each thread sets
# its own stack, hence the exported pointer. Only the pool needs atomics; elsewhere bulk memory would
# turn every short memset into a call out of the module. Only sources that include the kernels or the
# pool see -DGPT_THREADS: the other objects are those of the first module.
WITH_POOL := "kernels/|"base/pool\.h|"tape/ops_internal\.h
THREADED  := $(shell grep -lE '^.include ($(WITH_POOL))' $(ENGINE) /dev/null)
ifneq (,$(filter-out c/kernels/% c/tape/ops_internal.h,$(shell grep -lE '^.include ($(WITH_POOL))' $(filter c/%,$(C_HEADERS)) /dev/null)))
  $(error Headers that include the kernels or the pool belong to WITH_POOL)
endif
WASM_SHARED       := -matomics -mbulk-memory
WASM_THREADS_C    := $(WASM_C) -mmutable-globals -DGPT_THREADS
WASM_THREADS_LINK := $(WASM_LINK) $(WASM_SHARED) -sIMPORTED_MEMORY=1 -Wl,--shared-memory \
                     -Wl,--export=__stack_pointer
build/wasm-threads/c/base/pool.o: WASM_THREADS_C += $(WASM_SHARED)

# Debian's emcc finds the parser it needs from -O2 on only when told where Debian keeps it; another
# emcc brings its own.
EMCC ?= emcc
EMCC_ENV = $(if $(wildcard /usr/share/nodejs/acorn),NODE_PATH=/usr/share/nodejs)

# A newer Node that set-up took from npm comes first, once it is there.
export PATH := $(CURDIR)/build/node/node_modules/.bin:$(PATH)
BIN := node_modules/.bin

# ---- Rules: engine -------------------------------------------------------------------------------

TIDY       := build/tidy$(if $(LONG),-long)
objects    = $(patsubst %.c,build/$(1)/%.o,$(2))
say        = @$(if $(V),true,echo "  $(1)  $@") && mkdir -p $(@D)
WASM           := build/wasm/glasshouse.wasm
WASM_THREADS   := build/wasm-threads/glasshouse.wasm
# In the order of the sources: it is the order of the functions in the module.
WASM_THREADS_OBJECTS := $(foreach source,$(ENGINE),$(call objects,wasm$(if $(filter $(source),$(THREADED)),-threads),$(source)))
WASM_QUESTIONS := build/wasm-questions/glasshouse.wasm

# Texts of the command line as string literals: its help, and the templates of the texts beside
# exported models.
LITERALS := $(patsubst c/%,build/include/%.inc,$(wildcard c/cli/*.txt c/formats/templates/*))

build/include/%.inc: c/% Makefile
	$(call say,TEXT )
	$(Q)sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< >$@

$(foreach part,arguments export,build/native/c/cli/train_gpt_$(part).o $(TIDY)/c/cli/train_gpt_$(part).ok): $(LITERALS)

build/native/%.o: %.c Makefile
	$(call say,CC   )
	$(Q)$(CC) $(COMMON) $(NATIVE) -c $< -o $@

# $(call flavour,folder,flags,sources): objects for tests, compiled by Clang; the engine's as a few
# units (tests/units.mjs), because a start of the compiler takes longer than a source. A name of one
# source may hide one of another there: the other builds warn of what hides within a source.
UNITS := unit_1 unit_2 unit_3 unit_4
units  = $(UNITS:%=build/$(1)/%.o)

define flavour
build/$(1)/%.o: %.c Makefile | check-tools
	$$(call say,CLANG)
	$$(Q)$$(CLANG) $$(COMMON) -Itests/c $(2) -c $$< -o $$@

build/$(1)/unit_%.o: build/$(1)/unit_%.c Makefile | check-tools
	$$(call say,CLANG)
	$$(Q)$$(CLANG) $$(COMMON) -Wno-shadow $(2) -c $$< -o $$@

$(UNITS:%=build/$(1)/%.c): build/$(1)/units ;

build/$(1)/units: $(3) $(wildcard c/*/) tests/units.mjs Makefile | build-tools
	$$(call say,UNITS)
	$$(Q)node tests/units.mjs $(UNITS:%=build/$(1)/%.c) -- $(3) && touch $$@
endef
# The gradients in double precision need no text; what tests races and later options opens no file of
# another program.
IN_DOUBLE := $(filter-out %_simd.c,$(wildcard $(addprefix c/,base/*.c kernels/*.c tape/*.c recipe/*.c model/*.c)))
NO_FORMATS := $(filter-out c/fit/% c/api/gpt_formats.c c/api/gpt_fit.c $(filter-out c/formats/gpt2.c c/formats/gpt2_index.c c/formats/gpt2_names.c,$(wildcard c/formats/*.c)),$(ENGINE))
$(eval $(call flavour,sanitize,$(SANITIZE),$(ENGINE)))
$(eval $(call flavour,double,$(DOUBLE),$(IN_DOUBLE)))
$(eval $(call flavour,later,$(LATER),$(NO_FORMATS)))
$(eval $(call flavour,races,$(RACES),$(NO_FORMATS)))
$(eval $(call flavour,fuzz,$(FUZZED),$(ENGINE)))
$(eval $(call flavour,covered,$(COVERED),$(ENGINE)))

# The clang behind emcc, with the flags that emcc gives it: without emcc's Python, which takes longer
# to start than a file takes to compile.
EMCLANG := build/wasm/clang

$(EMCLANG): Makefile $(wildcard $(shell command -v $(EMCC))) | build-tools
	$(call say,FLAGS)
	$(Q)clang="$$($(EMCC:%emcc=%em-config) LLVM_ROOT)/clang" && flags="$$($(EMCC_ENV) $(EMCC) --cflags)" && \
	  printf '#!/bin/sh\nexec "%s" %s "$$@"\n' "$$clang" "$$flags" >$@ && chmod +x $@

build/wasm/%.o: %.c Makefile $(EMCLANG)
	$(call say,EMCC )
	$(Q)$(EMCLANG) $(COMMON) $(WASM_C) $(SMALL) -c $< -o $@

build/wasm-threads/%.o: %.c Makefile $(EMCLANG)
	$(call say,EMCC )
	$(Q)$(EMCLANG) $(COMMON) $(WASM_THREADS_C) $(SMALL) -c $< -o $@

# The export list is read off public headers: the name before the first parenthesis of every line
# that begins with GPT_API. (A folder counts as newer when a source goes away: then it links again.)
exports_of = _malloc,_free$$(awk '/^GPT_API/ { split($$0, part, "("); \
  n = split(part[1], word, /[ *]+/); printf ",_%s", word[n] }' $(1))
HEADERS := c/api/gpt.h c/api/gpt_files.h
exports = $(call exports_of,$(HEADERS))

$(WASM): $(call objects,wasm,$(ENGINE)) $(HEADERS) Makefile $(wildcard c/*/) | build-tools
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_LINK) -sEXPORTED_FUNCTIONS=$(exports) $(filter %.o,$^) -o $@

QUESTIONS_HEADERS := $(HEADERS) c/api/gpt_formats.h c/api/gpt_past.h c/api/gpt_trace.h

# The same with what only questions about the text need: nothing of it is in the first download.
$(WASM_QUESTIONS): $(call objects,wasm,$(ENGINE)) $(QUESTIONS_HEADERS) Makefile $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_LINK) \
	  -sEXPORTED_FUNCTIONS=$(call exports_of,$(QUESTIONS_HEADERS)) $(filter %.o,$^) -o $@

$(WASM_THREADS): $(WASM_THREADS_OBJECTS) $(HEADERS) Makefile $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_THREADS_LINK) -sEXPORTED_FUNCTIONS=$(exports) $(filter %.o,$^) -o $@

# With both, for the package in Node.
WASM_PACKAGE := build/wasm-package/glasshouse.wasm

$(WASM_PACKAGE): $(WASM_THREADS_OBJECTS) $(QUESTIONS_HEADERS) Makefile $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_THREADS_LINK) \
	  -sEXPORTED_FUNCTIONS=$(call exports_of,$(QUESTIONS_HEADERS)) $(filter %.o,$^) -o $@

# Both once more with the benchmark's own C.
BENCH := build/bench/bench.wasm build/bench/bench-threads.wasm

build/bench/bench.wasm: $(call objects,wasm,$(ENGINE) tests/bench/bench.c) $(HEADERS) Makefile $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_LINK) -sEXPORTED_FUNCTIONS=$(exports) $(filter %.o,$^) -o $@

build/bench/bench-threads.wasm: $(WASM_THREADS_OBJECTS) build/wasm-threads/tests/bench/bench.o $(HEADERS) Makefile $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(EMCC_ENV) $(EMCC) $(WASM_THREADS_LINK) -sEXPORTED_FUNCTIONS=$(exports) $(filter %.o,$^) -o $@

# iconv is part of the C library but on macOS.
ICONV := $(if $(filter Darwin,$(shell uname -s)),-liconv)

# No libm: were anything of it used, this would not link.
build/train_gpt: $(call objects,native,$(ENGINE) $(CLI_MAIN)) $(wildcard c/*/)
	$(call say,LINK )
	$(Q)$(CC) $(NATIVE) $(filter %.o,$^) $(ICONV) -o $@

# Tests alone get libm, as something to compare with.
build/sanitize/tests/c/%: build/sanitize/tests/c/%.o $(call units,sanitize)
	$(call say,LINK )
	$(Q)$(CLANG) $(SANITIZE) $(LLD) $(filter %.o,$^) -lm -o $@

# Fuzz targets: with libFuzzer to search, and with a main of ours to run the corpus as a test.
build/fuzz/%: build/fuzz/tests/fuzz/%.o $(call units,fuzz)
	$(call say,LINK )
	$(Q)$(CLANG) $(SANITIZER) -fsanitize=fuzzer $(filter %.o,$^) -lm -o $@

build/sanitize/tests/fuzz/fuzz_%: build/sanitize/tests/fuzz/fuzz_%.o build/sanitize/tests/fuzz/replay.o \
    $(call units,sanitize)
	$(call say,LINK )
	$(Q)$(CLANG) $(SANITIZE) $(LLD) $(filter %.o,$^) -lm -o $@

build/covered/%: build/covered/tests/fuzz/%.o build/covered/tests/fuzz/replay.o \
    $(call units,covered)
	$(call say,LINK )
	$(Q)$(CLANG) $(COVERED) $(filter %.o,$^) -lm -o $@

# Programs about threads are also run under the detector of data races.
build/races/tests/c/%: build/races/tests/c/%.o $(call units,races)
	$(call say,LINK )
	$(Q)$(CLANG) $(RACES) $(LLD) $(filter %.o,$^) -lm -o $@

# One test puts its own malloc before the real one, to refuse memory and threads; only Linux's linker can do that,
# and tests/stages/c.mjs leaves the test out elsewhere.
ifeq ($(shell uname -s),Linux)
build/sanitize/tests/c/test_allocation: private SANITIZE += \
    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=pthread_create
endif

build/later/tests/c/%: build/later/tests/c/%.o $(call units,later)
	$(call say,LINK )
	$(Q)$(CLANG) $(SANITIZER) $(LLD) $(filter %.o,$^) -lm -o $@

build/double/tests/c/%: build/double/tests/c/%.o $(call units,double)
	$(call say,LINK )
	$(Q)$(CLANG) $(SANITIZER) $(LLD) $(filter %.o,$^) -lm -o $@

-include $(shell find build -name '*.d' -not -path '*/node_modules/*' 2>/dev/null)

# ---- Rules: site ---------------------------------------------------------------------------------

MODULES := node_modules/.package-lock.json

$(MODULES): package.json package-lock.json .npmrc | build-tools
	$(call say,NPM  )
	$(Q)npm ci --ignore-scripts --loglevel=error && touch $@

# The forms for other pages, the library and its types, side by side: the site serves them under embed/,
# and npm packs them.
PACKAGE    := build/package/package.json
EMBEDDABLE = $(filter-out %.json %.md %/LICENSE %/types,$(wildcard build/package/*))

$(PACKAGE): $(WASM) $(WASM_QUESTIONS) $(WASM_PACKAGE) $(MODULES) $(SITE_INPUTS) $(wildcard c/*/*) vite.embed.config.ts tsconfig.json
	$(call say,VITE )
	$(Q)rm -rf $(@D) && mkdir -p $(@D)/texts && for form in library worker frame element widget offline; do \
	  $(BIN)/vite build --config vite.embed.config.ts --mode $$form --logLevel warn || exit 1; done
	$(Q)$(BIN)/tsc -p web/package && node web/package/reachable-types.mjs $(@D)/types
	$(Q)cp $(WASM_QUESTIONS) LICENSE web/package/README.md $(@D) && cp public/texts/*.txt $(@D)/texts && \
	  cp $(WASM_PACKAGE) $(@D)/glasshouse-threads.wasm && \
	  cp web/package/package.json $@

dist/index.html: $(WASM) $(WASM_THREADS) $(WASM_QUESTIONS) $(MODULES) $(SITE_INPUTS) $(PACKAGE) vite.config.ts tsconfig.json
	$(call say,VITE )
	$(Q)$(BIN)/vite build --logLevel warn && mkdir -p dist/embed && \
	  cp -R $(EMBEDDABLE) dist/embed && touch $@

# The page of component tests. Put in place whole, so that a run of them never finds half of it.
COMPONENT := build/component/index.html

$(COMPONENT): $(MODULES) $(SITE_INPUTS) $(shell find tests/component/stage -type f 2>/dev/null) $(wildcard tests/recordings/*.ts) tsconfig.json
	$(call say,VITE )
	$(Q)$(BIN)/vite build --config tests/component/stage/vite.config.ts --logLevel error --outDir $(CURDIR)/build/component-new && \
	  rm -rf build/component && mv build/component-new build/component && touch $@

# ---- Targets -------------------------------------------------------------------------------------

PORT ?= 8080
# The longest first: none of them ends alone.
CHECKS := check-typescript check-tidy check-format check-cppcheck check-c-format check-paths check-words
TEST_RUN = CHECKS="$(CHECKS)" ONLY="$(ONLY)" node tests/run.mjs

.PHONY: help setup build-tools check-tools torch-tools wasm site package run dist dev cli check $(CHECKS) \
        test test-all test-fast test-c test-node test-component test-browser recordings test-torch test-large test-receipts test-builds test-kill test-bits soak \
        lessons bench bench-browser bench-peers bench-page bench-modules bench-decode bench-load \
        fuzz fuzz-corpus fuzz-coverage coverage-tools fixtures pictures compare-pictures format clean

help: ## this text
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: build-tools check-tools $(MODULES) ## install what the other targets need (they do so themselves)

wasm: $(WASM) $(WASM_THREADS) $(WASM_QUESTIONS) ## compile the engine to build/wasm/, with threads to build/wasm-threads/, with the index of the text to build/wasm-questions/

site: dist/index.html ## build the page into dist/

run: site ## serve the built page with its real headers (PORT=8080)
	@CI=1 exec $(BIN)/vite preview --port $(PORT)

package: $(PACKAGE) ## build the npm package and the forms for other pages into build/package/

dist: site ## build dist/, a folder for any static host, at any path (ORIGIN=https://… names it in the policy)
	$(Q)sed "/Content-Security-Policy:/s|'self'|'self'$(ORIGIN:%= %)|g" public/_headers >dist/_headers
	@echo "dist/ is ready: put it on any static host, under any path."
	@echo "Where response headers can be set, dist/_headers lists them; it works without them."

dev: $(WASM) $(WASM_THREADS) $(WASM_QUESTIONS) $(MODULES) ## serve the page from its sources, reloading on change
	@$(BIN)/vite

ifneq ($(CLI_MAIN),)
cli: build/train_gpt ## build the native command line, build/train_gpt
else
cli:
	@echo "There is no command line (c/cli/train_gpt.c)."
endif

test: setup torch-tools ## checks, native tests under sanitizers, Node, parts of the page, browser (12 minutes on two cores)
	@$(TEST_RUN)

# Every test at its full length. The other variables are those of browser tests that have lengths of their own.
ALL := LONG=1 LARGE=1 BUILDS=1 LESSONS=all KILLS=$(or $(KILLS),200) SOAK_MINUTES=$(or $(MINUTES),30)

test-all: setup torch-tools ## the same at full length: lessons, PyTorch, foreign programs, bundlers, kills, soak
	@$(ALL) $(TEST_RUN)

# Formatting, types and lint; C under sanitizers without the fuzz corpus; Node without other programs.
test-fast: setup ## what needs no browser and no other program
	@FAST=1 CHECKS="check-typescript check-c-format check-format check-paths check-words" ONLY="$(ONLY)" \
	  node tests/run.mjs check c node

test-c: build-tools check-tools ## native tests of the engine (ONLY=text picks files, here and below)
	@$(TEST_RUN) c

test-node: setup ## tests of the real module in Node
	@$(TEST_RUN) node

test-browser: setup ## tests of the built page in Chromium, and of what browsers differ in, in Firefox and WebKit
	@$(TEST_RUN) browser

test-component: setup ## tests of single instruments on recorded runs, in Chromium
	@$(TEST_RUN) component

recordings: setup wasm $(COMPONENT) ## make the recordings of component tests anew, with the engine
	@rm -rf tests/recordings/data build/recordings
	@RECORD=1 $(BIN)/vitest run --project=component --maxWorkers=1

pictures: setup site ## take the pictures of the README anew, and draw the icons of the installed app
	@TAKE_PICTURES=1 $(BIN)/vitest run tests/browser/pictures.test.ts

test-torch: setup torch-tools ## tests of the way on into PyTorch, which it installs (146 MB, 634 MB unpacked)
	@LONG=1 ONLY=torch node tests/run.mjs node

test-large: setup ## fine-tune a full-size GPT-2, in Node and in Chromium (6 GB of memory, a minute)
	@LONG=1 LARGE=1 ONLY=large node tests/run.mjs node browser

test-receipts: check-tools ## verify the receipts of a thousand runs made at random (half a minute)
	@$(MAKE) --no-print-directory build/sanitize/tests/c/test_receipt_runs
	@build/sanitize/tests/c/test_receipt_runs 1000

test-builds: setup site ## build the package's snippets with Vite 7, webpack, esbuild, Rollup and Next too (fetches them, two minutes)
	@BUILDS=1 $(BIN)/vitest run --project=browser tests/browser/builds.test.ts

test-kill: setup site ## kill page, worker and browser 200 times (KILLS=n), a save in the middle (half an hour)
	@KILLS=$(or $(KILLS),200) $(BIN)/vitest run --project=browser tests/browser/kills.test.ts

soak: setup site ## train 200,000 steps in Node and half an hour in Chromium: memory stays flat
	@LONG=1 SOAK_STEPS=$(or $(STEPS),200000) $(BIN)/vitest run --project=node-alone tests/soak.test.ts
	@SOAK_MINUTES=$(or $(MINUTES),30) $(BIN)/vitest run --project=browser tests/browser/soak.test.ts

# ONLY=text picks targets by their names, as it picks test files. A target may have a dictionary of its own.
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*$(ONLY)*.c)))
FUZZ_RUNS    ?= 1000000
# A parser that takes a hundred times its input's size, or seconds, has a fault.
FUZZ_LIMITS  := -max_len=8192 -timeout=20 -malloc_limit_mb=256 -rss_limit_mb=1024

fuzz: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) ## search for inputs that break a parser (FUZZ_RUNS=1000000, ONLY=json)
	$(Q)for target in $(FUZZ_TARGETS); do mkdir -p build/fuzz/found/$$target; \
	  log=build/fuzz/$$target.log; \
	  dict=tests/fuzz/$$target.dict; [ -f $$dict ] || dict=tests/fuzz/json.dict; \
	  build/fuzz/fuzz_$$target -runs=$(FUZZ_RUNS) $(FUZZ_LIMITS) -dict=$$dict \
	    -print_final_stats=1 -artifact_prefix=build/fuzz/fault-$$target- \
	    build/fuzz/found/$$target tests/fuzz/corpus/$$target >$$log 2>&1 \
	    || { tail -n 60 $$log; exit 1; }; \
	  awk -v target=$$target '/number_of_executed_units/ { n = $$2 } /average_exec_per_sec/ { s = $$2 } \
	    END { printf "%-14s %10d executions, %d a second, no fault\n", target, n, s }' $$log; \
	done

# Of two inputs that reach the same places the smaller one is kept.
fuzz-corpus: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) ## add to the corpus what `make fuzz` found and it lacks
	$(Q)for target in $(FUZZ_TARGETS); do mkdir -p build/fuzz/found/$$target; \
	  build/fuzz/fuzz_$$target -merge=1 -use_counters=0 tests/fuzz/corpus/$$target \
	    build/fuzz/found/$$target 2>&1 | sed -n "s/^MERGE-OUTER: [0-9]* new files/$$target: &/p"; \
	done

# The files that read what a person or another program wrote.
PARSERS := c/base/json.c c/base/utf8.c c/base/lines.h c/base/text_buffer.c c/io/safetensors.c c/io/tensor_file.c \
           c/io/checkpoint.c c/io/checkpoint_write.c c/formats/gpt2.c c/formats/gpt2_index.c c/formats/gpt2_names.c c/runs/run_file.c c/api/gpt_load.c c/api/gpt_save.c c/recipe/config.c \
           c/text/bpe.c c/text/bpe_files.c c/text/vocabulary_parts.c c/text/pretokenizer.c c/text/tokenizer.c \
           c/text/tokenizer_bpe.c c/train/dataset.c c/infer/sampler.c c/io/receipt.c \
           c/io/json_values.c c/fit/text_statistics.c c/text/suffix_array.c c/text/text_index.c \
           c/train/text_matches.c $(addprefix c/formats/,export_model.c gguf_header.c gguf_read.c gguf_vocabulary.c import.c llmc.c pickle.c pickle_objects.c tokenizer_json.c torch.c zip.c)

fuzz-coverage: coverage-tools $(FUZZ_TARGETS:%=build/covered/fuzz_%) ## lines of each parser that the corpus reaches; fails below 90 %
	$(Q)for target in $(FUZZ_TARGETS); do LLVM_PROFILE_FILE=build/covered/$$target.profraw \
	  build/covered/fuzz_$$target >/dev/null 2>&1 || exit 1; done
	$(Q)llvm-profdata merge -o build/covered/all.profdata $(FUZZ_TARGETS:%=build/covered/%.profraw)
	$(Q)llvm-cov report -instr-profile=build/covered/all.profdata build/covered/fuzz_$(firstword $(FUZZ_TARGETS)) \
	  $(patsubst %,-object build/covered/fuzz_%,$(wordlist 2,99,$(FUZZ_TARGETS))) $(PARSERS) \
	  | awk '$$1 ~ /\.[ch]$$/ { printf "%-28s %5d lines %8s\n", $$1, $$8, $$10; if ($$10 + 0 < 90) low = 1 } \
	    END { exit low }'

bench: build-tools $(BENCH) build/train_gpt ## measure the engine in Node, against the machine's own peak, and the command line beside it; writes build/bench.json
	@node tests/bench/node.mjs
	@node tests/bench/native.mjs

bench-browser: build-tools $(BENCH) ## the same in Chromium, Firefox and WebKit, whichever are installed
	@node tests/bench/browser.mjs

# Ours and these packages, in one run: taken from npm when this is asked for, and needed by nothing else.
PEERS := @tensorflow/tfjs@4.22.0 @tensorflow/tfjs-backend-wasm@4.22.0 @jax-js/jax@0.1.25

bench-peers: build-tools $(BENCH) build/peers/tfjs.mjs ## our step beside those of TensorFlow.js, jax-js and PyTorch, in Node and Chromium (fetches them)
	@node tests/bench/peers/main.mjs

build/peers/package-lock.json: Makefile | build-tools
	$(call say,NPM  )
	$(Q)echo '{ "private": true }' >$(@D)/package.json && \
	  npm install --prefix $(@D) --ignore-scripts --no-audit --no-fund --loglevel=error $(PEERS) && touch $@

# As one module for pages, which cannot find packages by their names. (jax-js is that already.)
build/peers/tfjs.mjs: build/peers/package-lock.json | $(MODULES)
	$(call say,BUNDLE)
	$(Q)printf "export * from '%s';\nexport * as wasm from '%s';\n" \
	  @tensorflow/tfjs @tensorflow/tfjs-backend-wasm >$(@D)/tfjs-entry.mjs && \
	  $(BIN)/rolldown $(@D)/tfjs-entry.mjs --platform browser --file $@ >/dev/null

bench-page: setup site wasm ## the page at size L beside the bare engine in the same Chromium, its pauses, its start
	@BENCH_PAGE=1 $(BIN)/vitest run --project=browser --reporter=dot tests/browser/bench-page.test.ts

bench-modules: $(BENCH) # what the benchmarks run, and a test of them

test-bits: setup ## longer runs in every engine, with every number of threads: the same bits
	@LONG=1 ONLY=bits node tests/run.mjs c node browser

bench-decode: setup $(BENCH) ## speed of decoding a full-size GPT-2, against the memory's own speed
	$(Q)$(BIN)/rolldown tests/bench/decode.ts --platform node --file build/bench/decode.mjs \
	  --log-level silent && node build/bench/decode.mjs

lessons: setup wasm ## compute the numbers that the lessons for teachers name, and make their runs on the page
	$(Q)LONG=1 WRITE_LESSONS=1 $(BIN)/vitest run --project=node tests/lessons.test.ts
	$(Q)$(MAKE) --no-print-directory site
	$(Q)LESSONS=all $(BIN)/vitest run --project=browser tests/browser/lessons.test.ts

bench-load: setup site ## how a first visit goes: first paint, ready to train, bytes
	@BENCH_LOAD=1 $(BIN)/vitest run --project browser tests/browser/load.test.ts

fixtures: torch-tools ## write the fixtures under tests/fixtures anew (with Debian's PyTorch)
	$(Q)for script in fixtures gpt2_tiny microgpt_oracle torch_files; do \
	  /usr/bin/python3 tests/generate/$$script.py || exit 1; done

check: $(CHECKS) ## formatting, static analysis, types, lint

format: check-tools $(MODULES) ## rewrite the sources in the project's format
	$(Q)clang-format -i $(C_SOURCES) $(C_HEADERS) $(C_TESTS) /dev/null
	$(Q)$(BIN)/prettier --write --log-level warn $(PRETTIER)

clean: ## remove build/ and dist/
	rm -rf build dist

BASE ?= ca373f4f
compare-pictures: site ## compare pictures of the page, phone and desk, with those of a revision (BASE=ca373f4f, ONLY=phone; half an hour)
	@node tests/pictures/compare.mjs $(BASE)

# ---- Checks --------------------------------------------------------------------------------------

PRETTIER := --no-error-on-unmatched-pattern '*.{ts,js}' 'web/**/*.{ts,tsx,css}' 'tests/**/*.{ts,mjs}'

# Each begins with `true` so that it also passes while there is nothing to look at.
check-c-format: check-tools
	$(Q)true $(if $(C_SOURCES),&& clang-format --dry-run -Werror $(C_SOURCES) $(C_HEADERS) $(C_TESTS))

check-cppcheck: check-tools $(LITERALS)
	$(Q)mkdir -p build/cppcheck && true $(if $(C_SOURCES),&& cppcheck --quiet --std=c11 -Ic -Ibuild/include \
	  --enable=warning$(comma)performance$(comma)portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem --cppcheck-build-dir=build/cppcheck -j $(JOBS) $(C_SOURCES))
comma := ,

# With clang's static analyzer among its checks, and with threads. One stamp for each file: only what
# changed is analysed again. Nine tenths of the time are the analyzer's, on paths through functions: it
# ends at 20,000 states of a function; with LONG=1 (make test-all) at its own limit.
TIDY_STATES := $(if $(LONG),225000,20000)
check-tidy: $(patsubst %.c,$(TIDY)/%.ok,$(C_SOURCES))

$(TIDY)/%.ok: %.c $(C_HEADERS) .clang-tidy | check-tools
	$(call say,TIDY )
	$(Q)clang-tidy --quiet --warnings-as-errors='*' $< -- -std=c11 -Ic -Ibuild/include $(EXACT) $(THREADS) \
	  -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_STATES) 2>$@.log \
	  || { grep -v 'warnings generated' $@.log; exit 1; }
	@touch $@

# Types and lint in one process, which computes types once.
check-typescript: $(MODULES)
	$(Q)node tests/typescript.mjs

check-format: $(MODULES)
	$(Q)$(BIN)/prettier --check --log-level warn $(PRETTIER)

# Phrases that a reader has to decode ("there is none", "whoever"), in code and on the page. At most ten
# exceptions, each a piece of its line.
RIDDLES := there (is|are) none|\bso many|so-manieth|\bone.s own|whoever|\bwhat (it|there) is\b|none of theirs|\
  those of the page that|is no news|as if it had not been|\blest\b|\b[Ss]hall\b
RIDDLES_ALLOWED := what it is (given|asked for|told|called)
check-words:
	$(Q)! grep -rnEi '$(subst | ,|,$(strip $(RIDDLES)))' c web tests --include=*.[ch] --include=*.ts --include=*.tsx --include=*.mjs --include=*.css \
	  --exclude-dir=docs | grep -viE '$(RIDDLES_ALLOWED)'
# Comments take at most 100 columns; tables and examples, which are indented, may take more.
	$(Q)! grep -rnE '^ *(//|/\*|\*) ?.{97,}' c web tests --include=*.[ch] --include=*.ts --include=*.tsx --include=*.mjs --include=*.css \
	  --exclude-dir=docs | grep -E '^[^:]+:[0-9]+:.{101,}' | grep -vE ':[0-9]+: *\*  |// *(prettier|eslint)|\\$$'

# No file may know the machine that it was written on, nor the lock file a download address. (The
# brackets keep the pattern from finding itself.)
check-paths:
	$(Q)! grep -rnIE '(^|[^[:alnum:]_.-])/([r]oot|[h]ome|[w]ork|[U]sers)/[[:alnum:]_.-]+' . \
	  --exclude-dir=.git --exclude=.git --exclude-dir=node_modules --exclude-dir=build --exclude-dir=dist \
	  --exclude-dir=texts
	$(Q)! grep -nE '"resolved": *"' package-lock.json

# ---- Set-up --------------------------------------------------------------------------------------

# What looks for tools, and installs or names what is missing.
SETUP := EMCC='$(EMCC)' CLANG='$(CLANG)' sh tests/setup.sh

# One after the other: apt-get has one lock.
build-tools:
	@$(SETUP) build

check-tools: | build-tools
	@$(SETUP) check

coverage-tools: | check-tools
	@$(SETUP) coverage

# Never a reason to fail: what PyTorch computed is committed, only the tests that run it are skipped.
torch-tools: | check-tools
	@$(SETUP) torch || echo "Without PyTorch the tests that run it are skipped."
