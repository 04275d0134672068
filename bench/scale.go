package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// scaleRows is the number of rows of the imports that the workers share.
const scaleRows = 50_000

// benchScale measures one import with 1, 2 and 4 worker processes beside one API. The handlers wait 10
// ms, as if for another service, or do nothing. Without a wait, the cores of the machine limit the rate.
func benchScale(ctx context.Context, l *lab, runs int) ([]figure, error) {
	path, err := l.sample(scaleRows)
	if err != nil {
		return nil, err
	}
	var out []figure
	for _, takes := range []time.Duration{10 * time.Millisecond, 0} {
		rates := map[int][]float64{}
		for range runs {
			for _, n := range []int{1, 2, 4} {
				start := func() *site { return l.spread(n, takes) }
				took, err := l.importOnce(ctx, start, path, nil)
				if err != nil {
					return nil, fmt.Errorf("%d workers, %v: %w", n, takes, err)
				}
				rates[n] = append(rates[n], scaleRows/took.Seconds())
			}
		}
		for _, n := range []int{1, 2, 4} {
			name := fmt.Sprintf("scale, handlers of %v, workers: %d", takes, n)
			out = append(out, figureOf(name, "rows/s", rates[n]).above("1 worker", median(rates[1])))
		}
	}
	return out, nil
}

// spread is like real, with n worker processes whose handlers wait for `takes`.
func (l *lab) spread(n int, takes time.Duration) *site {
	return l.sharing(testenv.Postgres(l), n, takes)
}

// sharing is like spread, with an existing ledger, and with the settings `further` of the programs.
func (l *lab) sharing(url string, n int, takes time.Duration, further ...string) *site {
	redis := testenv.StartRedis(l, "--appendonly", "yes")
	env := []string{
		"LISTEN=127.0.0.1:0", "DATABASE_URL=" + url, "REDIS_URL=" + redis.URL(),
		"BLOB_URL=file://" + l.TempDir(), "TAKES=" + takes.String(),
	}
	env = append(env, further...)
	api := testenv.StartProcess(l, l.program("service"), env, "api")
	s := &site{
		url: api.URL(), procs: map[string]*testenv.Process{"api": api}, ledger: url, redis: redis.Addr(),
	}
	for i := range n {
		name := "worker"
		if i > 0 {
			name = fmt.Sprintf("worker %d", i+1)
		}
		s.procs[name] = testenv.StartProcess(l, l.program("service"), env, "worker")
	}
	return s
}
