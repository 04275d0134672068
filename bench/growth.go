package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// These are the sizes of the bench growth, which fills a ledger with imports, a partition for each day.
const (
	growthDays   = 90
	growthDaily  = 20 // imports a day
	growthReads  = 100
	vacuumAtMost = 2 * time.Hour // the longest wait until Postgres has vacuumed each partition
)

// growth is a service whose ledger grows.
type growth struct {
	*site
	*waits
	sample string // path of the imported file
	rows   int    // number of rows of each import
	task   int64  // number of the first import, from which the others are copied
	old    string // id of an import of the oldest day
	out    []figure
}

// benchGrowth measures a ledger with the imports of 90 days; --rows sets the number of their rows. It
// measures the empty ledger, the full ledger, and the ledger after retention has deleted the imports. It
// runs once, whatever --runs is.
func benchGrowth(ctx context.Context, l *lab, _ int) ([]figure, error) {
	defer l.leave(len(l.cleanup))
	g, err := l.grown(ctx)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{
		g.first, g.looks("empty"), g.fill, g.vacuumed, g.looks("full"), g.expire, g.looks("purged"),
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return g.out, nil
}

// grown starts the service, and returns a growth without figures.
func (l *lab) grown(ctx context.Context) (*growth, error) {
	g := &growth{site: l.sharing(testenv.Postgres(l), 1, 0), rows: l.rows / growthDays / growthDaily}
	var err error
	if g.sample, err = l.sample(g.rows); err == nil {
		g.waits, err = l.openLedger(ctx, g.ledger)
	}
	return g, err
}

func (g *growth) add(name, unit string, value float64) {
	g.out = append(g.out, figureOf("growth, "+name, unit, []float64{value}))
}

// first imports the file from which the imports of all days are copied.
func (g *growth) first(ctx context.Context) error {
	took, err := g.imported()
	if err != nil {
		return err
	}
	g.add(fmt.Sprintf("first import of %d rows", g.rows), "s", took.Seconds())
	return g.db.Pool.QueryRow(ctx, "SELECT num, id FROM rollcall.tasks").Scan(&g.task, &g.old)
}

// imported imports the file through the service, and returns the duration.
func (g *growth) imported() (time.Duration, error) {
	begun := time.Now()
	t, err := upload(g.url, g.sample)
	if err == nil {
		err = finish(g.url, t.ID, 5*time.Millisecond, func(time.Duration) {})
	}
	return time.Since(begun), err
}

// looks returns a step that measures sizes, reads and an import. The argument `when` is the state of the
// ledger.
func (g *growth) looks(when string) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := g.sizes(ctx, when); err != nil {
			return err
		}
		for _, r := range []struct{ name, path string }{
			{"list of 50 tasks", "tasks?limit=50"},
			{"poll of the oldest task", "tasks/" + g.old},
			{"page of 50 rows of it", "tasks/" + g.old + "/events?limit=50"},
		} {
			p50, p99, err := g.reads("/api/v1/" + r.path)
			if err != nil {
				return err
			}
			g.add(when+": "+r.name+", p50", "ms", ms(p50))
			g.add(when+": "+r.name+", p99", "ms", ms(p99))
		}
		took, err := g.imported()
		g.add(fmt.Sprintf("%s: import of %d rows with known keys", when, g.rows), "s", took.Seconds())
		return err
	}
}

// reads measures growthReads reads of a path. It accepts status 410, which a purged task returns.
func (g *growth) reads(path string) (p50, p99 time.Duration, err error) {
	var took []time.Duration
	for range growthReads {
		begun := time.Now()
		resp, err := client.Get(g.url + path)
		if err != nil {
			return 0, 0, err
		}
		_, err = io.Copy(io.Discard, resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			return 0, 0, err
		}
		if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusGone {
			return 0, 0, fmt.Errorf("growth: %s: %s", path, resp.Status)
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*99/100], nil
}
