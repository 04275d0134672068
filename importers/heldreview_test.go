package importers_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/recount"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
)

// mend repairs the bad rows of a task, and resubmits them.
func (p *splitterEnv) mend(t *testing.T, num int64) (made []bool, err error) {
	t.Helper()
	bad, err := p.Events.Bad(t.Context(), num, events.Filter{})
	if err != nil || len(bad) == 0 {
		t.Fatalf("%d bad rows, %v", len(bad), err)
	}
	r := decisions.Review{Num: num, By: "ann"}
	for _, e := range bad {
		r.Rows = append(r.Rows, decisions.Decision{
			ID: e.ID, Version: e.Version, Resolution: events.Resubmitted,
			Edit: &decisions.Edit{Params: []byte(`{"SKU":"s0"}`), Key: "s0"},
		})
	}
	return decisions.New(p.Events).Decide(t.Context(), r)
}

// TestRepairedWhileTheFileIsRead: an invalid row is repaired and resubmitted before the file has
// been read to its end. Held rows keep waiting, and then run, because no row is invalid any more.
// Another invalid row holds them as before.
func TestRepairedWhileTheFileIsRead(t *testing.T) {
	tests := map[string]struct {
		opt    importers.Options
		tail   string
		status tasks.Status
	}{
		"the file is right by now":               {importers.Options{OnInvalid: importers.Block}, "", tasks.Running},
		"all rows are right by now":              {importers.Options{Mode: importers.AllOrNothing}, "", tasks.Running},
		"another is wrong: somebody has to look": {importers.Options{OnInvalid: importers.Block}, ",1,x\n", tasks.Paused},
		"another is wrong: none ever runs":       {importers.Options{Mode: importers.AllOrNothing}, ",1,x\n", tasks.Canceling},
	}
	both(t, func(t *testing.T, p *splitterEnv) {
		for name, tt := range tests {
			text := strings.Replace(lines(900), "Colour\n", "Colour\n,1,x\n", 1) + tt.tail
			created := p.accept(t, text, asked(tt.opt))
			p.halfway(t, created)
			if made, err := p.mend(t, created.Num); err != nil || !made[0] {
				t.Fatal(made, err)
			}
			if got := p.after(t, created.ID); got.Failed != 0 || got.TotalIsFinal || got.Status.Done() ||
				got.Enqueue != got.Total || p.feedable(t, created.Num) {
				t.Errorf("%s: halfway, %+v", name, got)
			}
			p.splitInPieces(t, created.ID)
			got := p.after(t, created.ID)
			if fed := p.feedable(t, created.Num); got.Status != tt.status || fed != (tt.status == tasks.Running) ||
				(got.Problem == nil) != (tt.tail == "") || got.Enqueue != 901 {
				t.Errorf("%s: %s with problem %+v, %d wait, fed %t", name, got.Status, got.Problem, got.Enqueue, fed)
			}
			p.sound(t, created.Num)
		}
	})
}

// sound compares the counts of a task with its rows.
func (p *splitterEnv) sound(t *testing.T, num int64) {
	t.Helper()
	a, err := recount.New(p.Events).Audit(t.Context(), num)
	if err != nil || len(a.Differences()) != 0 {
		t.Errorf("task %d: %v %v", num, a.Differences(), err)
	}
}

// TestABlockedTaskIsRepaired: all its rows wait, also repaired ones, until a user resumes it. Then
// all run, and the task has no problem any more.
func TestABlockedTaskIsRepaired(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(90)+",1,x\n", asked(importers.Options{OnInvalid: importers.Block}))
		p.splitInPieces(t, created.ID)
		if made, err := p.mend(t, created.Num); err != nil || !made[0] {
			t.Fatal(made, err)
		}
		got := p.after(t, created.ID)
		if got.Status != tasks.Paused || p.feedable(t, created.Num) || got.Enqueue != 91 || got.Round != 2 {
			t.Errorf("repaired: %+v", got)
		}
		if err := p.Tasks.Resume(t.Context(), "acme", created.ID); err != nil {
			t.Fatal(err)
		}
		feeds, err := lanes.New(p.Tasks).Feeds(t.Context())
		if err != nil || len(feeds) != 1 || feeds[0].Unfed != 90 || feeds[0].Resubmitted != 1 {
			t.Errorf("feeds %+v, %v", feeds, err)
		}
		if got := p.after(t, created.ID); got.Status != tasks.Running || got.Problem != nil {
			t.Errorf("resumed: %s, problem %+v", got.Status, got.Problem)
		}
		p.sound(t, created.Num)
	})
}

// TestAFileThatWasRefusedStaysSo: none of its rows runs, even if they are resubmitted, if no row
// was valid, or if the end of the file is damaged.
func TestAFileThatWasRefusedStaysSo(t *testing.T) {
	tests := map[string]struct {
		opt  importers.Options
		text string
	}{
		"no row is valid": {importers.Options{Mode: importers.AllOrNothing}, "SKU,Stock\na,x\n"},
		"a damaged end":   {importers.Options{OnInvalid: importers.Block}, "SKU,Stock\na,x\nb,\"never closed\n"},
	}
	both(t, func(t *testing.T, p *splitterEnv) {
		for name, tt := range tests {
			created := p.accept(t, tt.text, asked(tt.opt))
			task, claim := p.claim(t, time.Minute)
			if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), task, claim); err != nil {
				t.Fatal(err)
			}
			_, err := p.mend(t, created.Num)
			got := p.after(t, created.ID)
			if !errors.Is(err, events.ErrClosed) || got.Status != tasks.Failed || got.Failed != 1 || !review.Closed(got) {
				t.Errorf("%s: %v, %+v", name, err, got)
			}
		}
	})
}
