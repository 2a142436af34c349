package codec_test

import (
	"encoding/binary"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// fuzzBytes hands out what a fuzzer wrote. At its end everything is zero.
type fuzzBytes []byte

func (b *fuzzBytes) take(n int) []byte {
	n = min(n, len(*b))
	part := (*b)[:n]
	*b = (*b)[n:]
	return part
}

func (b *fuzzBytes) number() uint64 {
	var eight [8]byte
	copy(eight[:], b.take(8))
	return binary.LittleEndian.Uint64(eight[:])
}

func (b *fuzzBytes) small(below int) int {
	if len(*b) == 0 {
		return 0
	}
	return int(b.take(1)[0]) % below
}

func (b *fuzzBytes) text() string { return string(b.take(b.small(12))) }

func (b *fuzzBytes) texts() map[string]string {
	m := make(map[string]string)
	for range b.small(5) {
		m[b.text()] = b.text()
	}
	return m
}

func (b *fuzzBytes) port() eureka.Port {
	return eureka.Port{Number: int(uint16(b.number())), Enabled: b.small(2) == 1}
}

// instance makes an instance of any text and numbers.
func (b *fuzzBytes) instance() *eureka.Instance {
	dataCenters := []string{"", eureka.DataCenterMyOwn, eureka.DataCenterNetflix, eureka.DataCenterAmazon}
	actions := []eureka.ActionType{"", eureka.ActionAdded, eureka.ActionModified, eureka.ActionDeleted}
	return &eureka.Instance{
		Metadata: b.texts(), ID: b.text(), HostName: b.text(), App: strings.ToUpper(b.text()), IPAddr: b.text(),
		DataCenterInfo: eureka.DataCenterInfo{Name: dataCenters[b.small(len(dataCenters))], Metadata: b.texts()},
		Status:         eureka.Statuses[b.small(len(eureka.Statuses))], OverriddenStatus: eureka.Statuses[b.small(len(eureka.Statuses))],
		Port: b.port(), SecurePort: b.port(), CountryID: int(int32(b.number())),
		SID: b.text(), AppGroupName: b.text(), VIPAddress: b.text(), SecureVIPAddress: b.text(), ASGName: b.text(),
		HomePageURL: b.text(), StatusPageURL: b.text(), HealthCheckURL: b.text(), SecureHealthCheckURL: b.text(),
		IsCoordinatingDiscoveryServer: b.small(2) == 1,
		LastUpdatedTimestamp:          int64(b.number()), LastDirtyTimestamp: int64(b.number()),
		ActionType: actions[b.small(len(actions))],
		Lease: eureka.Lease{
			RenewalIntervalInSecs: int(int32(b.number())), DurationInSecs: int(int32(b.number())),
			RegistrationTimestamp: int64(b.number()), LastRenewalTimestamp: int64(b.number()),
			EvictionTimestamp: int64(b.number()), ServiceUpTimestamp: int64(b.number()),
		},
	}
}
