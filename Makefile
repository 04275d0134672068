# The time that `make fuzz` gives each target.
FUZZTIME ?= 30s

# Gin's MessagePack is used by nobody here, and takes half a minute to compile.
export GOFLAGS += -tags=nomsgpack

VETBENCH = if [ -f bench/go.mod ]; then echo "cd bench && go vet -race ./..."; cd bench && go vet -race ./...; fi
TOOL = go tool -modfile=tools/go.mod
GOLANGCI = go tool -modfile=tools/golangci/go.mod golangci-lint
CHECKS = inherit,ST1000,ST1020,ST1021,ST1022

.DEFAULT_GOAL := help
.PHONY: help run provision build vet test lint vuln cover check fuzz bench chaos screenshots upgrade deployments-test

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

run: ## run the embedded service: API, dashboard and workers in one process
	go run ./cmd/api

provision: ## install what the tests start: Redis, Postgres, Chromium, Firefox, Node and npm, a C compiler
	./scripts/provision.sh

# SQLite's own code, C turned into Go, is tested by others and the race detector makes
# it several times slower; it looks at everything around it.
# Nobody debugs the binaries of tests, and without DWARF each is linked a second faster.
build vet test: export GOFLAGS += -gcflags=github.com/ncruces/go-sqlite3-wasm/...=-race=false -ldflags=-w

# With -race, so that the tests find their dependencies built.
build:
	go build -race ./...

vet: build ## build and vet everything, nested modules too
	go vet -race ./...
	@$(VETBENCH)

# What vet looks for is looked for by go test, which reads everything but once.
test: provision build ## run all tests, installing what they need
	go test -race -vet=all -count=1 -p 2 -timeout 11m ./...

lint: ## find unformatted files and likely mistakes; the first time golangci-lint is built, for minutes
	@unformatted=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "run gofumpt on:"; echo "$$unformatted"; exit 1; fi
	$(TOOL) staticcheck -checks $(CHECKS) ./...
	$(GOLANGCI) run

# govulncheck ends with 3 if it has found something.
vuln: ## look for known vulnerabilities that the code reaches; asks vuln.go.dev, or GOVULNDB
	@$(TOOL) govulncheck ./... || { code=$$?; \
	if [ $$code -ne 3 ]; then echo "make vuln: not checked: nothing is known, neither good nor bad" >&2; fi; exit $$code; }

cover: provision ## which statements all tests together reach, by package
	@./scripts/cover.sh

check: ## everything that must hold before a commit: tidy modules, lint, the benches built, tests
	go mod tidy -diff
	cd tools && go mod tidy -diff
	cd tools/golangci && go mod tidy -diff
	cd tools/kustomize && go mod tidy -diff
	@if [ -f bench/go.mod ]; then echo "cd bench && go mod tidy -diff"; cd bench && go mod tidy -diff; fi
	$(MAKE) lint vet test

deployments-test: ## build every Kubernetes folder with kustomize itself; the first time it is compiled, for a minute
	go test -tags kustomize -count=1 -v -run '^TestKustomize_' ./deployments

fuzz: ## fuzz every target for FUZZTIME (30s) each
	./scripts/fuzz.sh $(FUZZTIME)

bench: provision ## measure on private servers: make bench, or make bench NAMES="import poll"
	cd bench && go run . $(NAMES)

# The jobs that `make chaos` sends through workers that are killed and stopped.
CHAOSJOBS = 1000000

chaos: provision ## break everything: all faults of an import, and CHAOSJOBS (1000000) jobs of the queue
	CHAOS=1 go test -count=1 -v -timeout 30m -run '^(TestFaults|TestKillsWhileAFileIsRead|TestDiskFull|TestBucket|TestRoundTrip|Test.*Killed.*)$$' ./internal/e2e
	command -v soffice >/dev/null || apt-get install -y --no-install-recommends libreoffice-calc-nogui
	go test -tags libreoffice -count=1 -v -run '^TestLibreOfficeReadsTheSame$$' ./exporters
	CHAOS=1 go test -count=1 ./internal/blobs
	CHAOS=1 go test -count=1 -timeout 30m -run 'OneScriptRefused|RefusedByTurns' ./dispatch
	QUEUE_CHAOS_JOBS=$(CHAOSJOBS) go test -count=1 -v -timeout 60m -run '^TestChaos$$' ./queue

# The version that `make upgrade` begins with: a tag, a branch or a commit.
FROM ?= HEAD~1

screenshots: provision ## picture every page into ./screenshots, and have axe judge it
	fc-list :lang=zh 2>/dev/null | grep -q . || apt-get install -y --no-install-recommends fontconfig fonts-noto-cjk
	go test -tags screenshots -count=1 -timeout 20m -run '^TestScreenshots$$' ./web/browser

upgrade: provision ## upgrade a running service to this version, process by process: make upgrade FROM=v1.2.3
	UPGRADE_FROM=$(FROM) go test -tags upgrade -count=1 -v -timeout 10m -run '^TestRollingUpgrade$$' ./internal/e2e
