package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// These are the numbers of rows of the measured imports.
const (
	smallRows = 10_000
	largeRows = 500_000
)

// benchImport measures a small import from the upload to its end, in both modes, and the memory of each
// process during a large import.
func benchImport(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var out []figure
	small, err := l.sample(smallRows)
	if err != nil {
		return nil, err
	}
	for mode, start := range map[string]func() *site{"embedded": l.embedded, "real": l.real} {
		var seconds []float64
		for range runs {
			took, err := l.importOnce(ctx, start, small, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", mode, err)
			}
			seconds = append(seconds, took.Seconds())
		}
		out = append(out, figureOf("import 10,000 rows, "+mode, "s", seconds))
	}
	large, err := l.largeImport(ctx)
	return append(out, large...), err
}

// largeImport measures one large import. It runs once, because it takes long, and memory and processor
// time vary little.
func (l *lab) largeImport(ctx context.Context) ([]figure, error) {
	path, err := l.sample(largeRows)
	if err != nil {
		return nil, err
	}
	var out []figure
	var before map[string]time.Duration
	start := func() *site {
		s := l.real()
		before, err = s.spent(ctx)
		return s
	}
	took, fault := l.importOnce(ctx, start, path, func(s *site) error {
		after, err := s.spent(ctx)
		if err != nil {
			return err
		}
		out = append(out, timeFigures(before, after)...)
		for name, p := range s.procs {
			mb, err := peakRSS(p.PID())
			if err != nil {
				return err
			}
			out = append(out, figureOf("import 500,000 rows, real: peak RSS of "+name, "MB", []float64{mb}))
		}
		return nil
	})
	if err = errors.Join(err, fault); err != nil {
		return nil, err
	}
	return append(out, figureOf("import 500,000 rows, real", "s", []float64{took.Seconds()})), nil
}

// importOnce imports a file into a new service, and returns the time to the end of the task. It reads the
// end from the ledger; for an embedded service, the end is the time of the poll that reports it.
// importOnce then calls the function `after`, unless `after` is nil.
func (l *lab) importOnce(
	ctx context.Context, start func() *site, path string, after func(*site) error,
) (time.Duration, error) {
	defer l.leave(len(l.cleanup))
	s := start()
	time.Sleep(time.Second) // the processes become idle
	begun := time.Now()
	t, err := upload(s.url, path)
	if err != nil {
		return 0, err
	}
	if err := finish(s.url, t.ID, 20*time.Millisecond, func(time.Duration) {}); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	if s.ledger != "" {
		if took, err = sinceUntilEnd(ctx, s.ledger, t.ID, begun); err != nil {
			return 0, err
		}
	}
	if after != nil {
		err = after(s)
	}
	return took, err
}

// sample writes a workbook of good rows, a tenth of them with repeated keys.
func (l *lab) sample(rows int) (string, error) {
	path := filepath.Join(l.dir, fmt.Sprintf("products-%d.xlsx", rows))
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = samples.Write(f, samples.Options{Rows: rows, Repeats: rows / 10, Seed: 1})
	return path, err
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakRSS returns the peak memory of a process, in MB.
func peakRSS(pid int) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	m := highWater.FindSubmatch(b)
	if m == nil {
		return 0, fmt.Errorf("no VmHWM for %d", pid)
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024, err
}
