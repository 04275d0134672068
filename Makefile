# The time that `make fuzz` gives each target.
FUZZTIME ?= 30s

# Gin's MessagePack is not used, and takes half a minute to compile.
TAGS = nomsgpack

# The compiler and the linker collect garbage less often, which saves a seventh of their processor time.
# The build cache does not depend on it: plain go commands use what make has compiled.
export GOFLAGS += -tags=$(TAGS) '-toolexec=env GOGC=400'

# The tiers of the tests; CONTRIBUTING.md says what belongs where.
test-all cover: TAGS = nomsgpack,all
chaos vet lint: TAGS = nomsgpack,all,chaos
deployments-test: TAGS = nomsgpack,outside
screenshots: TAGS = nomsgpack,all,screenshots

TOOL = go tool -modfile=tools/go.mod
CHECKS = inherit,ST1000,ST1020,ST1021,ST1022

.DEFAULT_GOAL := help
.PHONY: help run provision test test-all check vet lint vuln notices release cover fuzz bench chaos deployments-test screenshots

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

# The program takes the place of the shell: on Ctrl-C it ends with 0, and make has no error to report.
run: ## run the embedded service: API, dashboard and workers in one process
	@go build -ldflags='-s -w' -o .build/run/api ./cmd/api && exec .build/run/api

provision: ## install what the tests start: Redis, Postgres, nginx, Chromium, Firefox, Node and npm, a C compiler
	./scripts/provision.sh

# The packages that take longest; they begin first.
LONGEST = ./internal/e2e ./internal/feed ./web ./queue

# The number of packages whose tests run at the same time, on any machine. The tests mostly wait for
# servers; with more packages, the longest tests would get too little processor time. The race
# detector needs more processor time, so fewer packages run with it.
BESIDE = 4
RACE_BESIDE = 2

# The packages of the programs are compiled first, and linked by the tests that start programs. Otherwise
# such a test would compile them at the same time as go test. With the race detector they are compiled
# both with and without it, because few tests start programs that have it. The tests of web/browser do not
# have it: they only start programs.
COMPILE = go list -export -deps

# The tests of web/browser run at the same time as the others. They are a module of their own, and the
# cache of test results ignores files outside the module of a test: without -count=1 they would not run
# again after a change of the pages.
test: provision ## run the tests that every change must pass; installs the programs that they start
	$(COMPILE) ./cmd/... >/dev/null
	(cd web/browser && go test -vet=off -count=1 -timeout 15m ./...) & failed=0; \
	go test -p $(BESIDE) -vet=off -timeout 15m $(LONGEST) ./... || failed=1; \
	wait $$! && exit $$failed

# The libraries for SQLite and Lua are compiled without the race detector, which would make them several
# times slower. Do not add a package that uses generic code of the standard library, such as sync.Map: the
# linker may then use its copy without the detector for all packages, and the detector reports false races.
# atexit_sleep_ms=0: by default, each process with the detector waits one second at its end.
RACE_FLAGS = GORACE=atexit_sleep_ms=0 GOFLAGS="$$GOFLAGS -gcflags=github.com/ncruces/go-sqlite3-wasm/...=-race=false -gcflags=github.com/yuin/gopher-lua/...=-race=false"
test-all: provision ## run all tests except the longest, with the race detector
	GOFLAGS=-tags=nomsgpack $(COMPILE) ./cmd/... >/dev/null
	$(RACE_FLAGS) $(COMPILE) -race ./cmd/... >/dev/null
	(cd web/browser && go test -vet=off -count=1 -timeout 30m ./...) & failed=0; \
	$(RACE_FLAGS) go test -race -p $(RACE_BESIDE) -vet=off -count=1 -timeout 30m $(LONGEST) ./... || failed=1; \
	wait $$! && exit $$failed

vet: ## vet the module, and the nested modules with code of their own: web/browser, tools, tools/contract, bench
	go vet ./...
	cd web/browser && go vet ./...
	cd tools && go vet ./...
	cd tools/contract && go vet ./...
	@if [ -f bench/go.mod ]; then echo "cd bench && go vet ./..."; cd bench && go vet ./...; fi

lint: ## find unformatted files and likely mistakes
	@unformatted=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$unformatted" ]; then echo "run gofumpt on:"; echo "$$unformatted"; exit 1; fi
	$(TOOL) staticcheck -checks $(CHECKS) ./...
	cd web/browser && go tool -modfile=../../tools/go.mod staticcheck -checks $(CHECKS) ./...

vuln: ## search for known vulnerabilities that the code reaches, in vuln.go.dev or GOVULNDB
	@./scripts/vuln.sh

# What a release is built for.
PLATFORMS = linux/amd64 linux/arm64 darwin/arm64

notices: ## write THIRD_PARTY_NOTICES, the licences of all that the programs contain
	@mkdir -p .build
	cd tools && go run ./notices $(PLATFORMS) >../.build/notices
	mv .build/notices THIRD_PARTY_NOTICES

# VERSION is what git describe prints, unless set. VULN=unchecked releases although vuln.sh could not check.
release: ## build the archives of a release into dist: programs, licences, lists of parts, checksums
	./scripts/release.sh $(PLATFORMS)

cover: provision ## print the share of the statements of each package that the tests reach
	@./scripts/cover.sh

check: ## run the checks besides the tests: tidy modules, vet, lint, the contract of the last tag
	go mod tidy -diff
	cd web/browser && go mod tidy -diff
	cd tools && go mod tidy -diff
	cd tools/kustomize && go mod tidy -diff
	cd tools/sbom && go mod tidy -diff
	cd tools/manifests && go mod tidy -diff
	cd tools/contract && go mod tidy -diff
	cd tools/oapi-codegen && go mod tidy -diff
	@if [ -f bench/go.mod ]; then echo "cd bench && go mod tidy -diff"; cd bench && go mod tidy -diff; fi
	$(MAKE) vet lint
	./scripts/contract.sh

deployments-test: ## run the tests that need root, or programs that take minutes to build or install: machines of their own, Postgres 14 to 18, kustomize, Prometheus, buildah, an S3 service, an upgrade and back, a release, linters and a generator of clients
	./scripts/provision.sh deployments
	go test -count=1 -v -timeout 20m ./deployments
	go test -count=1 -timeout 20m ./internal/blobs
	go test -count=1 -timeout 20m -run '^TestBucket$$|^TestUpgrade_' ./internal/e2e
	go test -count=1 -v -timeout 20m ./internal/testenv/machines
	go test -count=1 -v -timeout 40m -parallel 1 -run '^TestMachines_' ./internal/e2e
	./scripts/databases.sh
	go test -count=1 -v -timeout 30m ./scripts
	go test -count=1 -v -timeout 20m -run '^TestContract_(Generated|Linters)|^TestWorkbooks_' ./web

fuzz: ## fuzz every target for FUZZTIME (30s) each
	./scripts/fuzz.sh $(FUZZTIME)

bench: provision ## run the benchmarks on servers of their own: make bench, or make bench NAMES="import poll"
	cd bench && go run . $(NAMES)

# The jobs that `make chaos` sends through workers that are killed and stopped.
CHAOSJOBS = 1000000

chaos: provision ## test every fault at full length, and CHAOSJOBS (1000000) jobs of the queue
	go test -count=1 -v -timeout 60m ./internal/e2e
	command -v soffice >/dev/null || apt-get install -y --no-install-recommends libreoffice-calc-nogui
	go test -tags=$(TAGS),libreoffice -count=1 -v -run '^TestLibreOfficeReadsTheSame$$' ./exporters
	go test -count=1 -v -timeout 60m ./internal/feed
	cd web/browser && go test -count=1 -v -timeout 20m -run '^TestPages$$' .
	QUEUE_CHAOS_JOBS=$(CHAOSJOBS) go test -count=1 -v -timeout 60m -run '^Test(Chaos|Push|Script)' ./queue

screenshots: provision ## save a picture of every page in ./screenshots, and check each page with axe
	fc-list :lang=zh 2>/dev/null | grep -q . || apt-get install -y --no-install-recommends fontconfig fonts-noto-cjk
	cd web/browser && go test -count=1 -timeout 20m -run '^TestScreenshots$$' .
