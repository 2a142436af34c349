package geerpc

import "fmt"

// SelectMode is how [Discovery.Get] chooses.
type SelectMode int

// The modes, by GeeRPC's names.
const (
	// RandomSelect chooses any server.
	RandomSelect SelectMode = iota
	// RoundRobinSelect chooses one after the other, beginning anywhere.
	RoundRobinSelect
)

func errUnknownMode(mode SelectMode) error {
	return fmt.Errorf("select mode %d does not exist", int(mode))
}
