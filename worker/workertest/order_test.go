package workertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// failureRecorder records the failures of a check.
type failureRecorder struct {
	testing.TB
	failures []string
}

func (e *failureRecorder) Helper() {}

func (e *failureRecorder) Errorf(format string, args ...any) {
	e.failures = append(e.failures, fmt.Sprintf(format, args...))
}

// TestCheckOrder_WrongRuns_AreReported passes runs in an order that the service never makes. Each run is seq, begin, end.
func TestCheckOrder_WrongRuns_AreReported(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		runs [][3]int
		want string
	}{
		"one after another":          {[][3]int{{1, 1, 2}, {2, 3, 4}, {3, 5, 6}}, ""},
		"again after a crash":        {[][3]int{{1, 1, 2}, {2, 3, 4}, {1, 5, 6}, {2, 7, 8}}, ""},
		"side by side":               {[][3]int{{1, 1, 3}, {2, 2, 4}}, "began before"},
		"the younger first":          {[][3]int{{2, 1, 2}, {1, 3, 4}}, "row 2 ran before row 1"},
		"the older again and alone":  {[][3]int{{1, 1, 2}, {2, 3, 4}, {1, 5, 6}}, "row 2 ran before row 1"},
		"one that runs still counts": {[][3]int{{1, 1, 2}, {2, 3, 0}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &failureRecorder{TB: t}
			h := &Harness{t: e, trace: newTrace()}
			for i, r := range tt.runs {
				h.trace.visits = append(h.trace.visits, &visit{
					batch: i, begun: r[1], ended: r[2],
					call: &jobs.Call{ID: fmt.Sprintf("t.%d", r[0]), TaskID: "t", Kind: "k", Key: "a", Row: r[0]},
				})
			}
			h.CheckOrder()
			found := slices.ContainsFunc(e.failures, func(s string) bool { return strings.Contains(s, tt.want) })
			if (tt.want == "") != (len(e.failures) == 0) || tt.want != "" && !found {
				t.Errorf("got %q, want %q", e.failures, tt.want)
			}
		})
	}
}
