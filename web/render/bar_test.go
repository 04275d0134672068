package render_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/render"
)

func TestBar_FewRowsOfMany_PartsAreVisibleAndFillTheBar(t *testing.T) {
	t.Parallel()
	for _, c := range []tasks.Counts{
		{Total: 1_000_000, Finish: 999_998, Failed: 1, Error: 1},
		{Total: 3, Finish: 1, Failed: 1, Error: 1},
		{Total: 1000, Error: 1, Enqueue: 999},
		{Total: 10, Enqueue: 10},
		{},
	} {
		var card render.TaskCard
		card.Counts.Counts = c
		at, parts := 0.0, card.Bar(render.TaskFacts{})
		for _, p := range parts {
			x, width := number(t, p.X), number(t, p.Width)
			if width < 0.59 || x < at-0.01 || x+width > 100.01 {
				t.Errorf("%+v: %+v begins before %.2f, is narrow or ends outside", c, p, at)
			}
			at = x + width
		}
		if c.Total > 0 && c.Enqueue == 0 && at < 99.98 {
			t.Errorf("%+v: the parts end at %.2f", c, at)
		}
	}
}

func number(t *testing.T, percent string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.TrimSuffix(percent, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
