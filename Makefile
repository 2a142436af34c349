# Eurekube. `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Tools and test programs are built once into CACHE; removing it is harmless.
CACHE := $(CURDIR)/.cache
BIN := $(CACHE)/bin
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X github.com/eurekube/eurekube/internal/buildinfo.version=$(VERSION)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: build
build: ## build bin/eurekube, a static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/eurekube ./cmd/eurekube

.PHONY: run
run: ## serve the demo manifests on :8761, without any cluster
	@echo 'Serving the pods of deploy/demo. Once it is compiled, in another terminal:'
	@echo '  curl http://localhost:8761/eureka/apps'
	@echo "  curl -H 'Accept: application/json' http://localhost:8761/eureka/apps/delta"
	@echo '  curl http://localhost:8081/pods      # what is listed, what is not and why'
	@echo 'Change a file of deploy/demo and read again. Spring: eureka.client.serviceUrl.defaultZone=http://localhost:8761/eureka/'
	go run ./cmd/eurekube serve --manifests deploy/demo

.PHONY: test
test: verify-format vet test-unit test-charts e2e ## all checks

.PHONY: verify-format
verify-format: ## fail when a Go file is not formatted (update-format mends it)
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run make update-format:"; echo "$$unformatted"; exit 1; fi

.PHONY: update-format
update-format: ## format all Go files
	gofmt -w $$(git ls-files '*.go')

.PHONY: vet
vet: ## go vet of every module
	go vet ./...
	cd bench && go vet ./...

.PHONY: test-unit
test-unit: ## unit tests with the race detector
	go test -race ./...

.PHONY: update-docs
update-docs: ## write docs/flags.md and docs/metrics.md from the code
	go test ./cmd/eurekube/app -run Document -update
