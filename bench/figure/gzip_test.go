package figure_test

import (
	"fmt"
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
	"github.com/eurekube/eurekube/eureka/codec"
)

func BenchmarkGzip(b *testing.B) {
	for _, form := range []codec.Form{codec.JSON, codec.XML} {
		for _, instances := range []int{1_000, 10_000, 50_000} {
			b.Run(fmt.Sprintf("%v/instances=%d", form, instances), func(b *testing.B) {
				var got figure.GzipSize
				for b.Loop() {
					var err error
					if got, err = figure.MeasureGzip(quiet(b), instances, form); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(got.Ratio(), "ratio")
				b.ReportMetric(float64(got.Body), "body-bytes")
				b.ReportMetric(float64(got.Text), "text-bytes")
			})
		}
	}
}

func TestMeasureGzip(t *testing.T) {
	got, err := figure.MeasureGzip(quiet(t), small, codec.JSON)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ratio() <= 0.5 || got.Body >= got.Text {
		t.Errorf("MeasureGzip = %+v, want a body smaller than the text and about as large as the stream", got)
	}
}
