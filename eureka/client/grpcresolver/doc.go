// Package grpcresolver lets gRPC clients dial instances of a Eureka registry by
// name: eureka:///ORDERS for an app, eureka:///vip/orders for a VIP.
//
//	conn, err := grpc.NewClient("eureka:///ORDERS", grpc.WithResolvers(grpcresolver.New(discovery)), …)
//
// A channel is told of the instances that are UP, at first and whenever they
// change, and spreads its calls over them (round_robin), unless the program's
// service config says otherwise. It is a module of its own, so that programs
// without gRPC need not have it.
//
// It is not for registering a gRPC server (package client does that) and not for
// probing one: whether an instance is UP is what the registry says.
package grpcresolver
