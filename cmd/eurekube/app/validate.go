package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
)

// minIdleTimeout is longer than Netflix clients keep a connection, 45 s
// (protocol section 6.7): the side that hangs up has to be theirs.
const minIdleTimeout = 46 * time.Second

// Validate returns every mistake at once, joined, each with the flag as it was
// typed, its value and the bound. It looks at files and directories that flags
// name. It is for options that Parse has filled.
func (o *Options) Validate() error {
	return errors.Join(
		o.validateSources(),
		o.validateNames("namespaces", o.Namespaces, validation.IsDNS1123Label),
		o.validatePrefixes(),
		o.validateAddresses(),
		o.validateDurations(),
		o.validateTLS(),
		o.validateSelfRegistration(),
		o.validateBridge(),
		o.validateWebhook(),
	)
}

func (o *Options) validateSources() error {
	sources := o.Sources()
	if sources == (Sources{}) {
		if o.misread {
			return nil // --manifest for --manifests is one mistake, not two
		}
		return errors.New("nowhere to find pods: give --kubeconfig FILE (or set KUBECONFIG), give --manifests DIR, or run in a cluster with a service account")
	}
	var mistakes []error
	if sources.APIServer {
		if _, err := o.RestConfig(); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	if sources.Manifests {
		if _, err := os.ReadDir(o.Manifests); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("manifests"), err))
		}
	}
	return errors.Join(mistakes...)
}

func (o *Options) validatePrefixes() error {
	if len(o.LabelPrefixes) == 0 {
		return fmt.Errorf("%s: without a prefix no pod can opt in", o.typed("label-prefix"))
	}
	return o.validateNames("label-prefix", o.LabelPrefixes, validation.IsDNS1123Subdomain)
}

func (o *Options) validateNames(flag string, names []string, check func(string) []string) error {
	var mistakes []error
	seen := map[string]bool{}
	for _, name := range names {
		if problems := check(name); len(problems) > 0 {
			mistakes = append(mistakes, fmt.Errorf("%s: %q: %s", o.typed(flag), name, strings.Join(problems, "; ")))
		}
		if seen[name] {
			mistakes = append(mistakes, fmt.Errorf("%s: %q is there twice", o.typed(flag), name))
		}
		seen[name] = true
	}
	return errors.Join(mistakes...)
}

// validateAddresses tells of addresses that are none and of two that are one.
func (o *Options) validateAddresses() error {
	type listener struct {
		flag, address string
		host          string
		port          uint16
	}
	all := []listener{{flag: "listen", address: o.Listen}, {flag: "admin-listen", address: o.AdminListen}}
	if o.Bridge.has(bridgeCallback) {
		all = append(all, listener{flag: "callback-listen", address: o.Bridge.CallbackListen})
	}
	var mistakes []error
	var known []listener
	for _, l := range all {
		var err error
		l.host, l.port, err = splitAddress(l.address)
		if err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed(l.flag), err))
			continue
		}
		for _, other := range known {
			if l.port == other.port && l.port != 0 && (l.host == other.host || l.host == "" || other.host == "") {
				mistakes = append(mistakes, fmt.Errorf("%s and %s are the same address", o.typed(other.flag), o.typed(l.flag)))
			}
		}
		known = append(known, l)
	}
	return errors.Join(mistakes...)
}

// splitAddress returns the parts of host:port; the host is empty for all
// addresses of the machine.
func splitAddress(address string) (host string, port uint16, err error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, errors.New("is not host:port, such as :8761")
	}
	number, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("port %q is not a number from 0 to 65535", portText)
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = ""
	}
	return host, uint16(number), nil
}

func (o *Options) validateDurations() error {
	var mistakes []error
	atLeast := func(flag string, value, bound time.Duration) {
		if value < bound {
			mistakes = append(mistakes, fmt.Errorf("%s is shorter than %s", o.typed(flag), bound))
		}
	}
	atLeast("publish-holdoff", o.PublishHoldoff, 0)
	atLeast("publish-max-holdoff", o.PublishMaxHoldoff, 0)
	if o.PublishHoldoff > o.PublishMaxHoldoff {
		mistakes = append(mistakes, fmt.Errorf("%s is longer than %s", o.typed("publish-holdoff"), o.typed("publish-max-holdoff")))
	}
	atLeast("drain", o.Drain, 0)
	atLeast("header-timeout", o.HeaderTimeout, time.Millisecond)
	atLeast("write-timeout", o.WriteTimeout, time.Millisecond)
	if o.IdleTimeout < minIdleTimeout {
		mistakes = append(mistakes, fmt.Errorf("%s is shorter than %s: clients keep connections for 45s and lose a request on one that the server closed first",
			o.typed("idle-timeout"), minIdleTimeout))
	}
	return errors.Join(mistakes...)
}

func (o *Options) validateTLS() error {
	switch {
	case o.TLSCert == "" && o.TLSKey == "":
		return nil
	case o.TLSKey == "":
		return fmt.Errorf("%s needs --tls-key", o.typed("tls-cert"))
	case o.TLSCert == "":
		return fmt.Errorf("%s needs --tls-cert", o.typed("tls-key"))
	}
	if _, err := tls.LoadX509KeyPair(o.TLSCert, o.TLSKey); err != nil {
		return fmt.Errorf("%s with %s: %w", o.typed("tls-cert"), o.typed("tls-key"), err)
	}
	return nil
}
