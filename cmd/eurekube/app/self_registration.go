package app

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/internal/auth"
)

// SelfRegistration is what an operator decides about instances that register
// themselves and about whoever writes.
type SelfRegistration struct {
	// Mode says who may register.
	Mode lease.Mode
	// ClaimNames keeps the apps, VIP names and ids of pods to those pods.
	ClaimNames bool
	// PreservationThreshold is the share of leases, from 0 to 1, that must not be
	// overdue for leases to expire; 0 is no self-preservation. It lasts
	// PreservationCeiling at most.
	PreservationThreshold float64
	PreservationCeiling   time.Duration
	// MaxBody is the longest body of a request in bytes.
	MaxBody int64
	// AuthFile holds the users that may write, empty for everybody. With
	// AuthReads reads are theirs alone too.
	AuthFile  string
	AuthReads bool
	// OverridesConfigMap is the ConfigMap that keeps overrides of pods, as name or
	// namespace/name; empty for none.
	OverridesConfigMap string
}

func newSelfRegistration() SelfRegistration {
	return SelfRegistration{
		Mode:                  lease.ModeOn,
		PreservationThreshold: 0.85,
		PreservationCeiling:   time.Hour,
		MaxBody:               1 << 20,
		OverridesConfigMap:    "eurekube-overrides",
	}
}

func (s *SelfRegistration) addFlags(fs *pflag.FlagSet) {
	fs.Var(oneOf(&s.Mode, lease.ModeOn, lease.ModePodsOnly, lease.ModeOff), "self-registration", "`on|pods-only|off`: who may register itself: everybody, only the applications of listed pods, or nobody")
	fs.BoolVar(&s.ClaimNames, "claim-names", s.ClaimNames, "reserve the applications, VIP names and ids of pods for those pods: nobody else registers under them, and only they and users of --auth-file change them")
	fs.Float64Var(&s.PreservationThreshold, "self-preservation-threshold", s.PreservationThreshold, "`share` of the leases, from 0 to 1, that must not be overdue: while fewer are on time and three or more are overdue, none expires; 0 switches self-preservation off")
	fs.DurationVar(&s.PreservationCeiling, "self-preservation-ceiling", s.PreservationCeiling, "longest that self-preservation lasts")
	fs.Var((*size)(&s.MaxBody), "max-body", "longest body of a request, as sent and when unpacked")
	fs.StringVar(&s.AuthFile, "auth-file", s.AuthFile, "`file` of the users that may write, user:password or htpasswd's bcrypt; a change takes effect within 10 s; without a file everybody may write")
	fs.BoolVar(&s.AuthReads, "auth-reads", s.AuthReads, "let only the users of --auth-file read as well")
	fs.StringVar(&s.OverridesConfigMap, "overrides-configmap", s.OverridesConfigMap, "`[namespace/]name` of the ConfigMap where overrides of pods outlive a restart; empty, or without an API server, they do not")
}

// minBody is less than the smallest registration that Spring's clients send.
const minBody = 1 << 10

func (o *Options) validateSelfRegistration() error {
	s := &o.SelfRegistration
	var mistakes []error
	if !(s.PreservationThreshold >= 0 && s.PreservationThreshold <= 1) { // NaN is not either
		mistakes = append(mistakes, fmt.Errorf("%s is not from 0 to 1", o.typed("self-preservation-threshold")))
	}
	if s.PreservationCeiling < 0 {
		mistakes = append(mistakes, fmt.Errorf("%s is shorter than 0s; --self-preservation-threshold=0 switches it off", o.typed("self-preservation-ceiling")))
	}
	if s.MaxBody < minBody {
		mistakes = append(mistakes, fmt.Errorf("%s is less than 1Ki: no registration fits", o.typed("max-body")))
	}
	switch {
	case s.AuthFile != "":
		if _, err := auth.Open(s.AuthFile); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("auth-file"), err))
		}
	case s.AuthReads:
		mistakes = append(mistakes, fmt.Errorf("%s needs --auth-file", o.typed("auth-reads")))
	}
	if s.keepsOverrides() {
		if _, err := namespacedName(s.OverridesConfigMap, "any"); err != nil {
			mistakes = append(mistakes, fmt.Errorf("%s: %w", o.typed("overrides-configmap"), err))
		}
	}
	return errors.Join(mistakes...)
}

// keepsOverrides reports whether overrides are to outlive the process. Without
// self-registration nobody can change an override, and none is in force.
func (s *SelfRegistration) keepsOverrides() bool {
	return s.OverridesConfigMap != "" && s.Mode != lease.ModeOff
}

// namespacedName reads name or namespace/name; own is the namespace of a name that
// says none.
func namespacedName(text, own string) (types.NamespacedName, error) {
	namespace, name, found := strings.Cut(text, "/")
	if !found {
		namespace, name = own, namespace
	}
	if problems := validation.IsDNS1123Label(namespace); len(problems) > 0 {
		return types.NamespacedName{}, fmt.Errorf("namespace %q: %s", namespace, strings.Join(problems, "; "))
	}
	if problems := validation.IsDNS1123Subdomain(name); len(problems) > 0 {
		return types.NamespacedName{}, fmt.Errorf("name %q: %s", name, strings.Join(problems, "; "))
	}
	return types.NamespacedName{Namespace: namespace, Name: name}, nil
}
