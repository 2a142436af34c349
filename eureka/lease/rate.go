package lease

// minute turns a count that only grows into how much it grew within the last
// minute, from one sample a second.
type minute struct {
	second int64      // of the latest sample
	totals [60]uint64 // at each of the last 60 seconds
	before uint64     // at the second before those
}

// grown takes the sample of a second, which must not be before the latest one,
// and returns the growth within the 60 seconds up to it. Two samples may fall
// into one second, and seconds may be left out, when the sweep is held up.
func (m *minute) grown(second int64, total uint64) uint64 {
	latest := m.totals[m.second%int64(len(m.totals))]
	for m.second < second {
		m.second++
		slot := &m.totals[m.second%int64(len(m.totals))]
		m.before, *slot = *slot, latest
	}
	m.totals[m.second%int64(len(m.totals))] = total
	return total - m.before
}
