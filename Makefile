# `make` alone prints what there is. Every target can be called from a fresh clone; `setup` runs first where it must.
.DEFAULT_GOAL := help
.PHONY: help setup models demo test simulate example-host check-oracle format check-format mutants soak sanitize bench bench-peers bench-growth check-bench check-instructions \
	bench-budgets docs clean

SWIFT_SOURCES := Package.swift Sources Schema Tests docs/ExampleHost/Package.swift docs/ExampleHost/Sources
PRODUCT := .build/release/capture-ledger

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing: Debian packages, and into .runtime a library, face models and the tests' Python modules
	@.ci/setup

demo: setup ## build for release and run one whole session, offline first, against the sandbox
	swift build -c release --product capture-ledger
	swift build -c release --product capture-ledger-decoder
	$(PRODUCT) demo

# The random tests take this seed, so that a red run is about the change; `make soak` draws fresh ones.
SEED ?= 20261130
# One after the other: many tests wait for processes of their own, and side by side they take each other's threads.
test: setup check-oracle check-bench ## build everything and run every test
	swift build --build-tests
	CAPTURE_LEDGER_SEED=$(SEED) swift test --skip-build --disable-xctest --no-parallel
	CAPTURE_LEDGER_SEED=$(SEED) $(MAKE) example-host
	$(MAKE) simulate

KILLS ?= 50
example-host: setup ## build the example host outside the project, and kill it KILLS (50) times at random moments
	swift build --product capture-ledger
	swift build --package-path docs/ExampleHost
	python3 Tests/example_host.py --kiosk docs/ExampleHost/.build/debug/kiosk --onlooker docs/ExampleHost/.build/debug/onlooker \
		--tool .build/debug/capture-ledger --kills $(KILLS)

SEEDS ?= 20000
JOBS ?= 2
simulate: setup ## live through SEEDS (20000) simulated days of delivery on JOBS (2) threads; a broken promise prints its seed
	swift build -c release --product delivery-simulator
	.build/release/delivery-simulator --seeds $(SEEDS) --jobs $(JOBS)

check-oracle: setup ## run the oracle's own tests
	python3 Tests/oracle_tests.py

format: ## rewrite the sources in the project's format
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

check-format: ## fail where the sources are not in the project's format
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

mutants: setup ## break the product in every way that Tests/Mutants names; fail when a test does not notice
	Tests/Mutants/run

SOAK_SECONDS ?= 600
soak: setup ## run the random tests, and simulated days, for SOAK_SECONDS (600) each with fresh seeds, printed where they fail
	CAPTURE_LEDGER_SOAK_SECONDS=$(SOAK_SECONDS) swift test --disable-xctest --filter 'PropertyTests|RandomSessionTests|KillTests|ByteFlipTests'
	swift build -c release --product delivery-simulator
	.build/release/delivery-simulator --from $$(date +%s)000000 --seeds 1000000000 --jobs $(JOBS) --seconds $(SOAK_SECONDS)

SANITIZED := .build/thread-sanitizer
sanitize: setup ## run the public library's tests under ThreadSanitizer; a data race fails them
	swift build --build-tests --sanitize=thread --scratch-path $(SANITIZED)
	$$(dirname "$$(readlink -f "$$(command -v swift)")")/clang -shared -fPIC -O1 -o $(SANITIZED)/mutex.so Tests/Sanitizer/mutex.c
	LD_PRELOAD=$(CURDIR)/$(SANITIZED)/mutex.so swift test --skip-build --sanitize=thread --scratch-path $(SANITIZED) \
		--disable-xctest --no-parallel --filter PublicLibraryTests

PLAIN := .build/bench/plain
$(PLAIN): $(wildcard Tests/Bench/*.c Tests/Bench/*.h)
	@mkdir -p $(@D)
	$${CC:-cc} -O2 -Wall -Wextra -Werror -std=c11 -D_GNU_SOURCE -pthread -o $@ $(filter %.c,$^) -lsqlite3 -lcrypto

ROUNDS ?= 3
SECONDS ?= 0.7
BENCH ?=
bench: setup $(PLAIN) ## measure the product beside plain C by turns, ROUNDS (3) rounds of SECONDS (0.7); BENCH= takes more options
	swift build -c release --product capture-ledger
	swift build -c release --product capture-ledger-decoder
	python3 Tests/Bench/run.py --product $(PRODUCT) --plain $(PLAIN) --rounds $(ROUNDS) --seconds $(SECONDS) $(BENCH)

SYNCS := .build/bench/syncs.so
$(SYNCS): Tests/Bench/peers/syncs.c
	@mkdir -p $(@D)
	$${CC:-cc} -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -shared -fPIC -o $@ $< -ldl

PEERS ?=
bench-peers: setup $(PLAIN) $(SYNCS) ## measure the product beside other event stores by turns; what is not to be had is named; PEERS= takes options
	@.ci/setup peers
	swift build -c release --product capture-ledger
	python3 Tests/Bench/peers/run.py --product $(PRODUCT) --plain $(PLAIN) --syncs $(SYNCS) --rounds $(ROUNDS) --seconds $(SECONDS) $(PEERS)

SIZES ?= 10000,1000000,10000000
bench-growth: setup $(PLAIN) ## measure the same on ledgers of SIZES events (10 thousand, 1 and 10 million; up to 7 GB of disk)
	swift build -c release --product capture-ledger
	python3 Tests/Bench/growth.py --product $(PRODUCT) --plain $(PLAIN) --sizes $(SIZES)

check-bench: setup ## run the tests of what the benchmarks print
	python3 Tests/Bench/tests.py

check-instructions: setup ## count the instructions of fixed work with valgrind; fail where it takes more than Tests/Bench/budgets.json allows
	swift build -c release --product fixed-work
	python3 Tests/Bench/instructions.py

bench-budgets: setup ## count the same and keep the figures as the new budgets
	swift build -c release --product fixed-work
	python3 Tests/Bench/instructions.py --accept

models: ## train the reference models anew (about an hour; needs a CPython 3.11 with venv, fonts-ocr-b, fonts-dejavu-core)
	@Sources/ReferenceModels/Training/make

docs: setup ## build the reference of the public libraries; a warning is an error
	.ci/docs

clean: ## remove what was built and installed into this folder
	rm -rf .build .runtime docs/ExampleHost/.build
