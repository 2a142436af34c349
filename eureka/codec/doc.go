// Package codec turns the words of package eureka into the bytes that Eureka
// clients read, and what they send back into words: JSON and XML, each full
// and compact.
//
// Encoders append to a slice of the caller's, never fail and always leave a
// well-formed document, whatever text an instance carries. Full documents are
// those of Spring Cloud's server byte for byte, but for the order of metadata
// (sorted here). Decoders are lenient: they skip what they do not know, and
// name the field when what they do know cannot be read.
//
// It is not for choosing a form (package api does, from the request), for
// keeping encoded answers (package snapshot) or for judging whether an
// instance is complete enough to be registered. It holds no state: everything
// here may be called by many goroutines at once, as long as nobody changes
// the instances meanwhile.
package codec
