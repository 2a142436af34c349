package httpserver

import (
	"log"
	"strings"

	"k8s.io/klog/v2"
)

// connectionLog takes what net/http says of single connections: failed TLS
// handshakes, broken framing. Strangers cause it, port scans and load balancer
// probes above all, so it stays out of the log an administrator reads. A
// handler that panicked is told the same way, but is our own fault.
func connectionLog(logger klog.Logger) *log.Logger {
	return log.New(connectionWriter{logger}, "", 0)
}

type connectionWriter struct{ logger klog.Logger }

// Write makes one log entry of one message.
func (w connectionWriter) Write(message []byte) (int, error) {
	cause := strings.TrimSpace(string(message))
	if strings.HasPrefix(cause, "http: panic serving") {
		w.logger.Error(nil, "Handler panicked", "cause", cause)
	} else {
		w.logger.V(2).Info("Connection failed", "cause", cause)
	}
	return len(message), nil
}
