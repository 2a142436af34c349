package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// grade logs a line every now and then.
func grade(ctx context.Context, registry, address string, every time.Duration) error {
	p, err := newProgram(ctx, registry, address, "GradingService", "LogService")
	if err != nil {
		return err
	}
	return p.run(ctx, "/grades", http.NotFound, func(ctx context.Context) error {
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(every):
			}
			if log, err := p.log(ctx, fmt.Sprintf("graded student %d", n)); err != nil {
				fmt.Println("not logged:", err)
			} else {
				fmt.Println("logged through", log)
			}
		}
	})
}

// log sends a line to a log service and returns which.
func (p *program) log(ctx context.Context, line string) (url string, err error) {
	url, err = p.GetProvider("LogService")
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/log", strings.NewReader(line))
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", url, response.Status)
	}
	return url, nil
}
