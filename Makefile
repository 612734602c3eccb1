# llmsize: everything a contributor runs. `make help` lists it.
# Needs Go and Node; the rest (npm packages, Go modules, a browser) is fetched on first use and kept.

.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-print-directory

# Go, npm and the browser keep files under HOME; where there is none they get a folder of ours.
HOME_OK := $(shell [ -n "$$HOME" ] && [ -d "$$HOME" ] && [ -w "$$HOME" ] && echo yes)
ifneq ($(HOME_OK),yes)
export HOME := $(CURDIR)/.cache/home
$(shell mkdir -p "$(HOME)")
endif

# Tests write thousands of small files, which cost far less in memory than on a disk. They go there where 2 GB are free (a tenth
# is needed) and programs may run; TMPDIR, where it is set, stays.
MEMORY = $(if $(TMPDIR),,$(shell [ "$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }')" -gt 2000000 ] 2>/dev/null && \
	f=$$(mktemp -p /dev/shm 2>/dev/null) && cp /bin/sh $$f && chmod +x $$f && $$f -c : 2>/dev/null && echo TMPDIR=/dev/shm; rm -f "$$f"))

STAMP := node_modules/.package-lock.llmsize.json
FUZZTIME ?= 10s

.PHONY: help serve test build check tinygo audit fuzz fuzz-minute bench screenshots calibrate oracle clean deps tools versions npm generator deploy vet

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: deps ## build the site, serve it on localhost, rebuild when a file changes
	@go run ./build serve

test: deps vet ## run everything that must pass: vet, tests, WebAssembly, the site in a browser
	@echo "test: the site in a browser and, beside it, Go packages; they are named when the site is done (three to four minutes)"
	@# The site takes longest, so it begins: it waits for its pages at times, and the others fill the gaps.
	@$(MEMORY) GOGC=400 GOMEMLIMIT=3GiB go test -timeout 20m ./site ./...
	@echo "test: all passed"

build: deps ## build the site into dist/
	@go run ./build build

check: deps ## check the scripts' types, and the built site: links, ids, markup, sizes
	@node_modules/.bin/tsc
	@go run ./build check

tinygo: tools ## get TinyGo, which makes the WebAssembly about fifteen times smaller
	@build/toolchain/tinygo.sh >/dev/null

audit: build ## slower checks: Lighthouse, the W3C checker, govulncheck, Firefox, where they can be had; thousands of hostile links
	@go run ./build audit
	@go test -count=1 ./site -run '^TestHostileLinks$$' -hostile 5000

fuzz: tools ## run each fuzz target for FUZZTIME (10s)
	@go run ./build fuzz -each $(FUZZTIME)

fuzz-minute: tools ## run all fuzz targets together for a minute
	@go run ./build fuzz -all 1m

bench: deps ## run the benchmarks, which fail where something is slower than it may be
	@go test -run '^$$' -bench . -benchmem -p 1 ./...

screenshots: build ## pictures of the built site, for people to look at
	@go run ./build screenshots -tasks

calibrate: tools ## fit content/engines to the measured runs of build/accuracy/rates
	@go run ./build calibrate

oracle: tools ## build the fixtures anew with transformers (Python, about twenty minutes)
	@build/oracle/run.sh

clean: ## remove what was built here (npm packages and the machine's cache stay)
	rm -rf dist .cache

vet: tools
	@echo "vet: native and WebAssembly"
	@go vet ./...
	@GOOS=js GOARCH=wasm go vet $$(go list ./wasm/... ./core/... ./site/... | grep -vE '/(core|site)$$')

# The host's build: the pinned versions or nothing, TinyGo's release or nothing, then the site. Without
# TinyGo the page's programs are fifteen times as large, which nobody should get unasked: LLMSIZE_WASM=go asks for it.
deploy: versions
	@[ "$$LLMSIZE_WASM" = go ] || build/toolchain/tinygo.sh --release-only >/dev/null || \
	  { echo "deploy: no TinyGo, so nothing is built. LLMSIZE_WASM=go builds with Go, into files fifteen times the size." >&2; exit 1; }
	@LLMSIZE_WASM=$${LLMSIZE_WASM:-tinygo} $(MAKE) build

versions: tools
	@want=go$$(cat .go-version); \
	  for got in $$(go env GOVERSION) $$(sed -n 's/^ *GO_VERSION *= *"\(.*\)".*/go\1/p' netlify.toml); do \
	  [ "$$got" = "$$want" ] || { echo "versions: Go or netlify.toml says $$got, .go-version says $$want" >&2; exit 1; }; done
	@want=$$(sed -n 's/^ *NODE_VERSION *= *"\(.*\)".*/v\1/p' netlify.toml); got=$$(node --version); \
	  [ "$$got" = "$$want" ] || { echo "versions: Node is $$got, netlify.toml says $$want" >&2; exit 1; }
	@echo "versions: $$(go env GOVERSION), node $$(node --version)"

# What a fresh machine lacks. Each step prints one line, and only when it does something; packages come
# over the network while the generator compiles.
deps: tools
	@$(MAKE) -j2 npm generator

npm:
	@cmp -s package-lock.json $(STAMP) || { \
	  echo "npm: installing the packages of package-lock.json (about 70 MB)"; \
	  npm ci --no-fund --no-audit --loglevel=error </dev/null >/dev/null && cp package-lock.json $(STAMP); }

generator:
	@GOPROXY=off go list -deps -test ./build/... >/dev/null 2>&1 || { echo "go: fetching modules"; go mod download; }
	@[ -d .cache/wasm ] || echo "go: compiling the generator (about a minute the first time)"
	@go list -export ./build >/dev/null

tools:
	@command -v go >/dev/null || { echo "Go is missing. Get it: https://go.dev/dl/ (or: brew install go, apt-get install golang)" >&2; exit 1; }
	@command -v node >/dev/null || { echo "Node is missing. Get it: https://nodejs.org/en/download (or: brew install node, apt-get install nodejs)" >&2; exit 1; }
	@command -v npm >/dev/null || { echo "npm is missing. It comes with Node: https://nodejs.org/en/download (or: apt-get install npm)" >&2; exit 1; }
