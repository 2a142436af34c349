package codec_test

import (
	"fmt"
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// application is one with size instances as pods have them.
func application(size int) *eureka.Application {
	app := &eureka.Application{Name: "ORDERS"}
	for n := range size {
		ip := fmt.Sprintf("10.0.%d.%d", n/256, n%256)
		i := orders()
		i.ID, i.HostName, i.IPAddr = ip+":orders:8080", ip, ip
		i.HomePageURL, i.StatusPageURL, i.HealthCheckURL = "http://"+ip+":8080/", "http://"+ip+":8081/actuator/info", "http://"+ip+":8081/actuator/health"
		i.Metadata = map[string]string{
			"version": "1.0", "management.port": "8081", "namespace": "shop", "zone": "eu-1a", "pod": fmt.Sprintf("orders-7d4b9c-%05d", n),
		}
		app.Instances = append(app.Instances, i)
	}
	return app
}

// TestEncodersDoNotAllocate holds them to growing the slice that they are
// given.
func TestEncodersDoNotAllocate(t *testing.T) {
	app := application(8)
	app.Instances[0].DataCenterInfo = eureka.DataCenterInfo{Name: eureka.DataCenterAmazon, Metadata: map[string]string{"instance-id": "i-1", "ami-id": "a"}}
	apps := &eureka.Applications{Applications: []eureka.Application{*app}}
	status := &codec.StatusInfo{Instance: app.Instances[0], GeneralStats: []codec.Stat{{Name: "num-of-cpus", Value: "2"}}}
	dst := make([]byte, 0, 1<<20)
	for f := range codec.Form(codec.Forms) {
		for name, encode := range map[string]func(){
			"AppendInstance":     func() { f.AppendInstance(dst, app.Instances[0]) },
			"AppendApplication":  func() { f.AppendApplication(dst, app) },
			"AppendApplications": func() { f.AppendApplications(dst, apps) },
			"AppendStatusInfo":   func() { f.AppendStatusInfo(dst, status) },
		} {
			if allocs := testing.AllocsPerRun(20, encode); allocs != 0 {
				t.Errorf("%v.%s allocates %v times, want 0", f, name, allocs)
			}
		}
	}
}

func BenchmarkAppendListed(b *testing.B) {
	app := application(64)
	for f := range codec.Form(codec.Forms) {
		body := f.AppendListed(nil, app)
		dst := make([]byte, 0, len(body))
		b.Run(fmt.Sprintf("form=%v/instances=64", f), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				f.AppendListed(dst, app)
			}
		})
		// The floor: the same bytes copied.
		b.Run(fmt.Sprintf("form=%v/instances=64/copy", f), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				dst = append(dst[:0], body...)
			}
		})
	}
}

func BenchmarkDecodeInstance(b *testing.B) {
	for _, f := range []codec.Form{codec.JSON, codec.XML} {
		body := f.AppendInstance(nil, application(1).Instances[0])
		b.Run(fmt.Sprintf("form=%v", f), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := codec.DecodeInstance(f, body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
