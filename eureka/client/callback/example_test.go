package callback_test

import (
	"context"
	"fmt"
	"net/http"
	"os/signal"
	"syscall"

	"github.com/eurekube/eurekube/eureka/client/callback"
)

// A program that requires LogService and is told where it is.
func Example() {
	service, err := callback.New(callback.Config{
		Registry: "http://eurekube:3000/services",
		Registration: callback.Registration{
			ServiceName:      "GradingService",
			ServiceURL:       "http://10.1.0.7:6000",
			RequiredServices: []string{"LogService"},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	http.Handle("/", service.Handler())
	http.HandleFunc("/grades", func(w http.ResponseWriter, _ *http.Request) {
		log, err := service.GetProvider("LogService")
		fmt.Fprintln(w, log, err)
	})
	go http.ListenAndServe(":6000", nil) //nolint:errcheck // a real program ends by it

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := service.Run(ctx); err != nil {
		fmt.Println(err)
	}
}
