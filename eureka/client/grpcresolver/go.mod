module github.com/eurekube/eurekube/eureka/client/grpcresolver

go 1.26.0

require (
	github.com/eurekube/eurekube v0.0.0
	go.uber.org/goleak v1.3.0
	google.golang.org/grpc v1.84.0
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	golang.org/x/net v0.59.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260706201446-f0a921348800 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
)

replace github.com/eurekube/eurekube => ../../..
