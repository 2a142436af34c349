package registry

import "slices"

// claimSet is a set of claims in no particular order. Most hold one or two, so
// that a list is the smallest; but strangers may register any number of ids at
// one endpoint or one id in any number of apps, so that a large one has an index.
// The zero value is empty.
type claimSet struct {
	list []*claim
	at   map[*claim]int // where each is in list; nil while list is short
}

// searchable is how many claims are found faster by looking at each.
const searchable = 16

func (s *claimSet) add(c *claim) {
	if s.find(c) >= 0 {
		return
	}
	s.list = append(s.list, c)
	switch {
	case s.at != nil:
		s.at[c] = len(s.list) - 1
	case len(s.list) > searchable:
		s.at = make(map[*claim]int, 2*len(s.list))
		for i, c := range s.list {
			s.at[c] = i
		}
	}
}

func (s *claimSet) remove(c *claim) {
	i := s.find(c)
	if i < 0 {
		return
	}
	last := len(s.list) - 1
	moved := s.list[last]
	s.list[i], s.list[last] = moved, nil
	s.list = s.list[:last]
	if s.at != nil {
		s.at[moved] = i
		delete(s.at, c) // which moved may be
	}
}

// find is where c is in the list, less than 0 if it is not.
func (s *claimSet) find(c *claim) int {
	if s.at == nil {
		return slices.Index(s.list, c)
	}
	if i, ok := s.at[c]; ok {
		return i
	}
	return -1
}
