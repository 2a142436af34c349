package figure

import ("testing";"compress/flate";"bytes";"fmt";"context";"net/http/httptest")

func BenchmarkLevel(b *testing.B) {
	s, err := serve(2500)
	if err != nil { b.Fatal(err) }
	s.start(context.Background()); defer s.close()
	req := httptest.NewRequest("GET","/eureka/apps",nil); req.Header.Set("Accept","application/json")
	rec := httptest.NewRecorder(); s.api.ServeHTTP(rec, req)
	text := rec.Body.Bytes()
	for _, lv := range []int{1,2,3,4,5,6} {
		b.Run(fmt.Sprint(lv), func(b *testing.B){
			w,_ := flate.NewWriter(nil, lv)
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				n = 0
				step := len(text)/10
				for i := 0; i+step <= len(text); i += step {
					var out bytes.Buffer
					w.Reset(&out); w.Write(text[i:i+step]); w.Flush()
					n += out.Len()
				}
			}
			b.ReportMetric(float64(n), "size")
		})
	}
}
