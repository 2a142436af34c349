package control

import (
	"flag"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Settings are what a case chooses for an application.
type Settings struct {
	Name        string
	Address     string   // host and port at which the application is reached
	ServiceURLs []string // of the servers, without a slash at the end
	Register    bool

	RenewalInterval, LeaseDuration, FetchInterval time.Duration // whole seconds
}

// ParseFlags reads the command line. A program defines flags of its own before.
func ParseFlags() Settings {
	var s Settings
	flag.StringVar(&s.Name, "name", "", "name of the application")
	flag.StringVar(&s.Address, "address", "", "`HOST:PORT`, where the application is reached")
	urls := flag.String("service-url", "", "separated by commas")
	renewal := flag.Int("renewal-interval-seconds", 30, "")
	lease := flag.Int("lease-duration-seconds", 90, "")
	fetch := flag.Int("fetch-interval-seconds", 30, "")
	not := flag.Bool("no-register", false, "only discover others")
	flag.Parse()

	for url := range strings.SplitSeq(*urls, ",") {
		s.ServiceURLs = append(s.ServiceURLs, strings.TrimSuffix(url, "/"))
	}
	s.Register = !*not
	s.RenewalInterval = time.Duration(*renewal) * time.Second
	s.LeaseDuration = time.Duration(*lease) * time.Second
	s.FetchInterval = time.Duration(*fetch) * time.Second
	return s
}

// HostPort is the address in parts.
func (s Settings) HostPort() (host string, port int, err error) {
	host, number, err := net.SplitHostPort(s.Address)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(number); err != nil {
		return "", 0, fmt.Errorf("port of %s: %w", s.Address, err)
	}
	return host, port, nil
}

// ID is what the application calls itself.
func (s Settings) ID() string {
	host, port, _ := strings.Cut(s.Address, ":")
	return host + ":" + s.Name + ":" + port
}
