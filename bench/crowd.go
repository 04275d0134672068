package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// These are the number of connections that poll one task, and the number of all their polls per second.
const (
	crowdSize = 64
	crowdPace = 17_000
)

// crowd polls a path of a service over crowdSize connections, at a steady rate, until ctx ends. It
// returns the sorted durations of the polls.
func crowd(ctx context.Context, base, path string) ([]time.Duration, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	var took []time.Duration
	for range crowdSize {
		all.Go(func() {
			one, fault := pollSteadily(ctx, u.Host, path)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, one...)
			if fault != nil {
				err = fault
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took, err
}

// pollSteadily polls over one connection. A late poll is sent at once; missed polls are dropped.
func pollSteadily(ctx context.Context, host, path string) (took []time.Duration, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, host)
	in := bufio.NewReader(conn)
	tick := time.NewTicker(time.Second * crowdSize / crowdPace)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return took, nil
		case <-tick.C:
		}
		begun := time.Now()
		if _, err := conn.Write(request); err != nil {
			return took, err
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return took, err
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			return took, fmt.Errorf("%s: %w", resp.Status, err)
		}
		took = append(took, time.Since(begun))
	}
}
