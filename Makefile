# Eurekube. `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Heavy dependencies, and those of few, stay out of the product's module.
MODULES := . bench charts/charttest e2e e2e/clients/go eureka/client/grpcresolver
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X github.com/eurekube/eurekube/internal/buildinfo.version=$(VERSION)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: build
build: ## build bin/eurekube, a static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/eurekube ./cmd/eurekube

.PHONY: run
run: build ## serve the demo manifests on :8761, without any cluster
	@echo 'Serving the pods of deploy/demo. In another terminal:'
	@echo '  curl http://localhost:8761/eureka/apps'
	@echo "  curl -H 'Accept: application/json' http://localhost:8761/eureka/apps/delta"
	@echo '  curl -N "http://localhost:8761/eureka/stream?full=true"   # who comes and goes, until Ctrl-C'
	@echo '  curl http://localhost:8081/pods      # what is listed, what is not and why'
	@echo 'Change a file of deploy/demo and read again. Spring: eureka.client.serviceUrl.defaultZone=http://localhost:8761/eureka/'
	@exec bin/eurekube serve --manifests deploy/demo --drain 0s

.PHONY: test
test: verify-format vet test-unit test-bench test-charts e2e ## all checks

.PHONY: verify-format
verify-format: ## fail when a Go file is not formatted (update-format mends it)
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run make update-format:"; echo "$$unformatted"; exit 1; fi

.PHONY: update-format
update-format: ## format all Go files
	gofmt -w $$(git ls-files '*.go')

.PHONY: vet
vet: ## go vet of every module
	@for module in $(MODULES); do echo "go vet: $$module"; (cd $$module && go vet ./...); done

.PHONY: test-unit
test-unit: ## unit tests with the race detector
	go test -race -timeout 20m ./...
	cd eureka/client/grpcresolver && go test -race -timeout 2m ./...

.PHONY: test-bench
test-bench: ## each benchmark's harness at a small size
	cd bench && go test -timeout 5m ./...

.PHONY: bench
bench: ## the figures that must be reached, as a table; some minutes
	cd bench && go run ./cmd/mustreach

# Go's test cache does not see the files that helm reads.
.PHONY: test-charts
test-charts: ## chart, plain manifests, demo and image, with Helm
	cd charts/charttest && go test -count=1 -timeout 20m ./...

.PHONY: e2e
e2e: ## cases on a real etcd and kube-apiserver; the first build takes minutes
	cd e2e && go test -count=1 -timeout 90m ./address ./binaries ./flat ./process ./recorder ./suite ./devcluster ./cases

.PHONY: clients
clients: ## real clients as processes; needs Java 17 and Maven, Node 20, Python 3
	cd e2e && go test -count=1 -timeout 90m -parallel 3 -v ./springserver ./acceptance ./differential ./goclient ./clients

.PHONY: differential
differential: ## the same requests to Spring's Eureka servers and to eurekube; needs Java 17 and Maven
	cd e2e && go test -count=1 -timeout 60m -v ./differential

.PHONY: update-compatibility
update-compatibility: ## write docs/compatibility.md from what real clients do
	cd e2e && go test -count=1 -timeout 90m -parallel 3 -run '^Test(Clients|SpringServerAsPeer)$$' ./clients -update

.PHONY: devcluster
devcluster: ## a control plane to play with, until Ctrl-C
	cd e2e && exec "$$(go run ./binaries/cmd/devcluster-path)"

.PHONY: deploy-manifests
deploy-manifests: ## render deploy/kubernetes from the chart
	cd charts/charttest && go test -count=1 -run '^TestManifestsAreCurrent$$' -update .

.PHONY: update-chart-readme
update-chart-readme: ## write the chart's README from its values
	cd charts/charttest && go test -count=1 -run '^TestReadmeIsCurrent$$' -update .

.PHONY: update-docs
update-docs: ## write docs/flags.md and docs/metrics.md from the code
	go test ./cmd/eurekube/app -run Document -update
