package main

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// benchImportSample measures a small import whose rows the sample worker writes to the catalogue, from
// the upload to its end. It measures one process, and one API with two workers.
func benchImportSample(ctx context.Context, l *lab, runs int) ([]figure, error) {
	file, err := l.sample(smallRows)
	if err != nil {
		return nil, err
	}
	var out []figure
	for mode, start := range map[string]func() *site{"embedded": l.embeddedSample, "real, 2 workers": l.realSample} {
		var seconds []float64
		for range runs {
			took, err := l.importOnce(ctx, start, file, nil)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", mode, err)
			}
			seconds = append(seconds, took.Seconds())
		}
		out = append(out, figureOf("import 10,000 rows of the sample, "+mode, "s", seconds))
	}
	return out, nil
}

// withSample is the setting with which the program service runs the sample worker.
const withSample = "SAMPLE=true"

// embeddedSample starts the service with the sample worker in one process.
func (l *lab) embeddedSample() *site {
	env := []string{"LISTEN=127.0.0.1:0", "DATA_DIR=" + l.TempDir(), withSample}
	p := testenv.StartProcess(l, l.program("service"), env, "api")
	return &site{url: p.URL(), procs: map[string]*testenv.Process{"service": p}}
}

// realSample starts one API and two worker processes with the sample worker.
func (l *lab) realSample() *site { return l.sharing(testenv.Postgres(l), 2, 0, withSample) }
