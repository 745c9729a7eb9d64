# Gleaner. `make` alone lists the targets.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c

# The go command leaves folders called testdata, and those that begin with a dot, out of ./...: their programs are named.
DIRS := . testdata/gen testdata/pythontest $(patsubst %/,%,$(sort $(dir $(wildcard .tools/*/*.go .tools/*/*/*.go))))
# The package whose tests take longest, since they wait for servers and locks, is begun first; all others are done beside it.
PKGS := ./pipelines/ingest ./... $(addprefix ./,$(filter-out .,$(DIRS)))
TOOL := go tool -modfile=.tools/tools.mod

# Copies of the checkout, in which the pages of docs are tested, find in the build cache what was compiled here.
export GOFLAGS := -trimpath $(GOFLAGS)

FUZZTIME ?= 10s
PARALLEL ?= 4
COUNT    ?= 10
BENCH    ?= .
WARCS    ?=
PDFS     ?=
RAW      ?= ../shared/corpora/warc/raw
RUNS     ?= 5
MIME     ?= ../shared/corpora/mime
FEEDS    ?= ../shared/corpora/feeds/feedparser-half.tar.gz
PYTHON   ?= python3
PACKAGES ?= $(or $(TMPDIR),/tmp)/tagger-packages
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
MANDIR   ?= dist/man
CHROMIUM ?= $(firstword $(foreach p,chromium chromium-browser google-chrome,$(shell command -v $(p))))

# Reads `go test -list` and prints "package name" lines; go test prints a package's names before its ok line.
LISTED := awk '/^(Test|Fuzz)/ { n[++c] = $$1 } /^ok/ { for (i = 1; i <= c; i++) print $$2, n[i]; c = 0 }'

.DEFAULT_GOAL := help
.PHONY: help build release wheels man site weight worker dataflow-template test tested shared arm64 test-slow attacks check fmt fmt-check fix-check lint race fuzz bench xss bench-records damage mime feeds doctext language golden demo train tagger meaning

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## compile everything
	go build $(PKGS)

worker: ## build for clusters, into bin/: ingest, Beam's boot program, and the scripts that start workers
	CGO_ENABLED=0 GOOS=linux go build $(RELEASE) -o bin/ ./pipelines/ingest
	CGO_ENABLED=0 GOOS=linux go build $(RELEASE) -o bin/boot github.com/apache/beam/sdks/v2/go/container
	cp docs/clusters/flink/start docs/clusters/flink/worker bin/

# The folder of a Flex Template, and the name of its image in a registry.
TEMPLATE ?= dist/dataflow
IMAGE    ?=

dataflow-template: ## build a Flex Template of Dataflow into TEMPLATE (dist/dataflow): template.json, and image/ for docker build -t IMAGE
	@test -n '$(IMAGE)' || { echo 'no IMAGE: name the image in your registry, as europe-west1-docker.pkg.dev/my-project/gleaner/ingest:1' >&2; exit 1; }
	mkdir -p '$(TEMPLATE)/image'
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build $(RELEASE) -o '$(TEMPLATE)/image/' ./pipelines/ingest
	cp pipelines/ingest/dataflow/Dockerfile '$(TEMPLATE)/image/'
	{ printf '{"image": "%s", "sdkInfo": {"language": "GO"}, "metadata": ' '$(IMAGE)'; \
		cat pipelines/ingest/dataflow/metadata.json; echo '}'; } >'$(TEMPLATE)/template.json'

# Without the tag, Google's library brings gRPC's service mesh along, which nothing here uses: 53 packages.
# TAGS leaves parts out, such as noiceberg,nos3: docs/install.md has what each costs.
TAGS    ?=
COMMA   := ,
RELEASE := -trimpath -tags disable_grpc_modules$(addprefix $(COMMA),$(TAGS)) -ldflags='-s -w'

VERSION := $(shell sed -n 's/^const Release = "\(.*\)"$$/\1/p' pipelines/cli/version.go)

# The commit's time, which is that of all packed files.
STAMP := $(shell git log -1 --format=%ct)
# A path of the key that signs the checksums, as ssh-keygen makes it; without it nothing is signed.
SIGN  ?=

# Builds gleaner for the platform $p with further tags into a folder below bin/, and sets $out to its path.
BUILD = out="bin/$(1)/gleaner-$${p/\//-}"; case "$$p" in windows/*) out="$$out.exe";; esac; \
	CGO_ENABLED=0 GOOS="$${p%/*}" GOARCH="$${p\#*/}" go build $(subst modules,modules$(addprefix $(COMMA),$(2)),$(RELEASE)) \
	-o "$$out" ./pipelines/gleaner

# From a clean checkout the same bytes come out anywhere: no paths, no symbols, and of the clock only the commit's time.
release: ## pack gleaner for PLATFORMS into dist/: archives, .deb, wheels, bills of materials, checksums, signed by SIGN
	@test -z "$$(git status --porcelain)" || { echo 'the checkout has changes: releases are made of commits' >&2; exit 1; }
	@echo 'Gleaner $(VERSION)'
	rm -rf dist bin/extras && mkdir -p dist bin/extras/completions
	$(MAKE) --no-print-directory man MANDIR=bin/extras/man
	for s in bash zsh fish; do bin/gleaner completion $$s >bin/extras/completions/gleaner.$$s; done
	for p in $(PLATFORMS); do \
		$(call BUILD,release) && go run ./.tools/sbom "$$out" > "dist/gleaner-$(VERSION)-$${p/\//-}.cdx.json" && \
		go run ./.tools/release -version '$(VERSION)' -time $(STAMP) -platform "$$p" -extras bin/extras "$$out"; \
	done
	$(MAKE) --no-print-directory wheels
	cd dist && LC_ALL=C && sha256sum gleaner* > SHA256SUMS
	test -z '$(SIGN)' || ssh-keygen -q -Y sign -f '$(SIGN)' -n gleaner-release dist/SHA256SUMS

# Windows on arm64 runs the wheel for amd64.
WHEELS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64

# With the tag, Arrow has the JSON encoder of Go and not one of its own: 3 MB. Iceberg's libraries do not build with it.
LESS := $(COMMA)arrow_json_stdlib

# The wheel gleaner has what a laptop needs, and gleaner-cluster the rest but for Iceberg's libraries.
wheels: ## build the wheels gleaner and gleaner-cluster for Python into dist/, for WHEELS, with PYTHON (python3), and check them
	mkdir -p bin dist && '$(PYTHON)' -m venv bin/wheels && bin/wheels/bin/pip install -q --require-hashes -r .tools/wheels/requirements.txt
	for p in $(WHEELS); do \
		$(call BUILD,laptop,local$(LESS)); \
		.tools/wheels/build.sh bin/wheels/bin/python '$(VERSION)' "$$out" "$$p" dist; \
		$(call BUILD,cluster,noiceberg$(LESS)); \
		.tools/wheels/build.sh bin/wheels/bin/python '$(VERSION)' "$$out" "$$p" dist gleaner-cluster; \
	done
	bin/wheels/bin/twine check --strict dist/*.whl
	for w in dist/*-manylinux*.whl; do bin/wheels/bin/auditwheel show "$$w"; done

man: ## write the manual pages of gleaner and its commands into MANDIR (dist/man)
	mkdir -p '$(MANDIR)' && go build $(RELEASE) -o bin/ ./pipelines/gleaner
	bin/gleaner man >'$(MANDIR)/gleaner.1'
	bin/gleaner man | sed -n '/^\.BR gleaner/ { s/^[^-]*-\([^ ]*\) .*/\1/; s/\\-/ /g; p }' | while read -r c; do \
		bin/gleaner man $$c >"$(MANDIR)/gleaner-$${c// /-}.1"; done

site: ## make the documentation as a site that needs no network, in dist/site
	mkdir -p bin && '$(PYTHON)' -m venv bin/site && bin/site/bin/pip install -q --require-hashes -r .tools/site/requirements.txt
	NO_MKDOCS_2_WARNING=1 bin/site/bin/mkdocs build --strict -q -f .tools/site/mkdocs.yml

weight: ## measure programs that import packages of ours, and the commands, beside their budgets
	go run ./.tools/weight

# Linters beside tests, since neither keeps both processors busy. Where one fails the other goes on to its end. What both
# need is compiled before: on a new machine tests that wait for commands would else wait for the compiler beside linters.
test: ## what a change must pass: format, linters, every test; ends with how many were skipped, and why
	go build -o /dev/null ./pipelines/gleaner
	+$(MAKE) --no-print-directory -j2 lint tested shared arm64

# Tests that start processes and servers mostly wait, so there are more packages at a time than processors; vet is lint's.
# Symbols are for debuggers: without them linking, of 150 programs, takes half the time.
tested:
	go test -json -vet=off -ldflags='-s -w' -p $(PARALLEL) -parallel $(PARALLEL) -timeout 30m $(PKGS) | go run ./.tools/tested

# What several goroutines share: readers of archives, extractors, and the server with its collections and jobs. It begins
# when the linters have ended, beside tests that wait. `make race` is for all packages, and takes far longer.
shared:
	go test -race -vet=off -ldflags='-s -w' -p 1 -timeout 10m -run '_concurrent$$' ./io/archive ./transforms/enrich
	go test -race -vet=off -ldflags='-s -w' -p 2 -timeout 10m ./pipelines/server ./pipelines/server/shelf ./pipelines/server/jobs
	go test -race -vet=off -ldflags='-s -w' -timeout 10m -run '^Test(Search_|Entities|Jobs_|Job_)' ./pipelines/server/view

# Packages with assembly for arm64, run by qemu-user where the processor is another.
arm64:
	@if test "$$(go env GOHOSTARCH)" = arm64; then exec=; elif command -v qemu-aarch64 >/dev/null; then exec='-exec=qemu-aarch64'; \
	else echo 'no qemu-aarch64 (in Debian: qemu-user): tests of assembly for arm64 are skipped'; exit 0; fi; \
	set -x; GOARCH=arm64 CGO_ENABLED=0 go test -vet=asmdecl $$exec ./transforms/entity/tagger/model

test-slow: ## the tests that take minutes: Spark, 100 kills, 50 commits by each of three processes
	GLEANER_SLOW=1 go test -vet=off -timeout 60m $(PKGS)

attacks: ## list the tests that prove a number of the issue on attacks: TestAttackNN_…
	@grep -rhoE '^func TestAttack[0-9]+_\w+' --include='*_test.go' . | sed 's/^func //' | sort

check: test fix-check race ## the same, what go fix would modernise, and every test under the race detector

fmt: ## format and modernise the source
	$(TOOL) gofumpt -w $(DIRS)
	go fix $(PKGS)

fmt-check:
	@echo 'gofumpt -l'; found="$$($(TOOL) gofumpt -l $(DIRS))"; echo -n "$${found:+$$found$$'\n'}"; test -z "$$found"

fix-check:
	go fix -diff $(PKGS)

lint: fmt-check
	go vet $(PKGS)
	go vet -tags local ./pipelines/gleaner
	go vet -tags noiceberg,nos3 ./pipelines/gleaner
	go test -tags local ./io/lake
	$(TOOL) staticcheck -checks all,-ST1000 $(PKGS)
	$(TOOL) errcheck -exclude .tools/errcheck.txt $(PKGS)
	@echo 'deadcode -test'; found="$$($(TOOL) deadcode -test $(PKGS))"; echo -n "$${found:+$$found$$'\n'}"; test -z "$$found"

race:
	go test -race -timeout 40m $(PKGS)

fuzz: ## run every fuzz target for FUZZTIME (10s)
	@list="$$(go test -list '^Fuzz' $(PKGS) | $(LISTED))"; \
	while read -r pkg name; do \
		test -n "$$name" || continue; \
		echo "$$pkg $$name"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x "$$pkg" </dev/null; \
	done <<< "$$list"

bench: ## run the benchmarks that match BENCH (all) COUNT (10) times and keep the figures in bench.txt for benchstat
	go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) $(PKGS) | tee bench.txt
	$(TOOL) benchstat bench.txt

xss: ## show the vectors of transforms/sanitize to a Chromium (CHROMIUM, or on the PATH), as they are and sanitised
	@test -n '$(CHROMIUM)' || { echo 'no Chromium: install one (in Debian: chromium), or set CHROMIUM to its path' >&2; exit 1; }
	CHROMIUM='$(CHROMIUM)' go test -count 1 -v -timeout 20m -run '^TestHTML_browser$$' ./transforms/sanitize

bench-records: ## compare record reading with its peers over WARCS, a folder of .warc.gz files, in RUNS (5) rounds
	go run ./.tools/records -warcs '$(WARCS)' -raw '$(RAW)' -runs $(RUNS)

damage: ## read damaged archives, with FastWARC and warcio beside, which PYTHON (python3) has
	go run ./.tools/damage -peers '$(PYTHON)'

mime: ## compare media types with libmagic (file) and Apache Tika (java, mvn) over MIME, a folder with truth.tsv and docs
	go test ./transforms/mimetype -run '^TestDetect_corpus$$' -count 1 -timeout 30m -v -peers -corpus '$(abspath $(MIME))'

feeds: ## compare the reading of feeds with feedparser 6, which PYTHON (python3) has, over FEEDS, a .tar.gz
	go run ./.tools/feeds -feeds '$(FEEDS)' -python '$(PYTHON)'

language: ## compare language detection with lingua-go and CLD2 (pycld2), which PYTHON (python3) has
	go run ./.tools/language -python '$(PYTHON)'

doctext: ## compare the text of PDF files with that of pdftotext: PDFS, a folder, or those of the corpora
	go test -count 1 -v -run '^TestRead_corpus$$' ./transforms/doctext/pdf -args -pdfs '$(abspath $(PDFS))'

train: ## train the main-text model anew from ../shared/corpora, with the packages of .tools/train/maintext/requirements.txt
	python3 .tools/train/maintext/train.py ../shared/corpora/maintext "$${TMPDIR:-/tmp}/maintext-train"

tagger: ## train the model of names anew from ../shared/corpora, and packages that are fetched to PACKAGES
	.tools/train/tagger/packages.sh '$(PACKAGES)'
	go run ./.tools/train/tagger -packages '$(PACKAGES)' -cut '$(PACKAGES)/learn'
	'$(PACKAGES)/venv/bin/python' .tools/train/tagger/teacher/teach.py '$(PACKAGES)/bert' '$(PACKAGES)/learn'
	'$(PACKAGES)/venv/bin/python' .tools/train/tagger/teacher/pupil.py '$(PACKAGES)/learn'
	go run ./.tools/train/tagger -packages '$(PACKAGES)' -nets '$(PACKAGES)/learn/nets'

meaning: ## make the table of transforms/meaning from the packages of .tools/meaning/requirements.txt, with PYTHON (python3)
	$(PYTHON) .tools/meaning/distill.py transforms/meaning/standard
	go run ./.tools/pack transforms/meaning/standard/table.[0-9]

golden: ## rewrite the golden files of the pipelines
	go test ./pipelines/ingest -run '[Gg]olden' -rewrite

demo: ## read the archives in testdata and write to out/
	go run ./pipelines/ingest --runner=direct
