package worker

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// AtOnce limits the jobs of the kind that run at once, over all processes. With ByTenant, each tenant has
// its own limit; with columns, each value.
func AtOnce(n int, by ...string) Option {
	return func(s *spec) { s.Limits = append(s.Limits, jobs.Limit{AtOnce: n, By: by}) }
}

// Rate allows n starts in any span of length `per`, with `by` as in AtOnce.
func Rate(n int, per time.Duration, by ...string) Option {
	return func(s *spec) { s.Limits = append(s.Limits, jobs.Limit{Rate: n, Per: per, By: by}) }
}

// These are the bounds of a limit. Redis stores each start within a span, so it needs memory for them.
const (
	maxLimit = 10_000
	maxSpan  = 24 * time.Hour
)

// mustLimit panics if a limit is out of bounds, counts by an unknown column, is set twice, or
// belongs to a kind of DefineTx.
func (s *spec) mustLimit() {
	seen := map[string]bool{}
	for _, l := range s.Limits {
		names, _ := l.Columns(nil)
		id := fmt.Sprintf("%v %t %q", l.Per, len(l.By) > 0, names)
		switch {
		case s.Tx:
			panic(fmt.Sprintf("worker: %s: a kind of DefineTx cannot have limits", s.Name))
		case l.AtOnce+l.Rate < 1 || l.AtOnce+l.Rate > maxLimit:
			panic(fmt.Sprintf("worker: %s: a limit must be from 1 to %d", s.Name, maxLimit))
		case l.Rate > 0 && (l.Per < time.Millisecond || l.Per > maxSpan):
			panic(fmt.Sprintf("worker: %s: the span of a rate must be from 1ms to %v", s.Name, maxSpan))
		case seen[id]:
			panic(fmt.Sprintf("worker: %s: two limits have the same span and count by the same columns", s.Name))
		}
		seen[id] = true
		for _, name := range l.By {
			s.mustCount(name)
		}
	}
}

// mustCount panics unless `name` is ByTenant or a column. In a kind without columns, `name` may be
// any text that does not begin with a slash.
func (s *spec) mustCount(name string) {
	if name == ByTenant || s.Schema == nil && !strings.HasPrefix(name, "/") {
		return
	}
	named := func(f rowschema.Field) bool { return f.Name == name }
	if s.Schema == nil || !slices.ContainsFunc(s.Schema.Fields, named) {
		panic(fmt.Sprintf("worker: %s: a limit counts by %q, which is not a column", s.Name, name))
	}
}
