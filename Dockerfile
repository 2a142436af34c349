# The compiler runs on the builder's own platform and makes the binary for the
# wanted one; nothing is emulated.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=""
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X github.com/eurekube/eurekube/internal/buildinfo.version=$VERSION" \
    -o /out/eurekube ./cmd/eurekube

# No shell, no package manager; certificates and time zones only.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /out/eurekube /eurekube
# A number, since the kubelet cannot see from a name that it is not root.
USER 65532:65532
EXPOSE 8761 8081
ENTRYPOINT ["/eurekube"]
CMD ["serve"]
