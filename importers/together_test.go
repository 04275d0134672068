package importers_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestAClaimLostInTheMiddle: a splitter is stopped between two chunks until another splitter has
// read the file to its end. The stopped splitter then adds no row.
func TestAClaimLostInTheMiddle(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(2000))
		task, claim := p.claim(t, time.Millisecond)
		stands, goes, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		first := true
		still := p.splitter(importers.SplitterOptions{Chunk: 300, Claim: time.Hour, Added: func() {
			if first {
				first = false
				close(stands)
				<-goes
			}
		}})
		go func() { ended <- still.Split(t.Context(), task, claim) }()
		<-stands
		if err := p.Tasks.ReleaseSplit(t.Context(), task.Num, claim); err != nil { // as if the claim had expired
			t.Fatal(err)
		}
		other, its := p.claim(t, time.Minute)
		if other.Total == 0 {
			t.Error("the first chunk is not there")
		}
		if err := p.splitter(importers.SplitterOptions{}).Split(t.Context(), other, its); err != nil {
			t.Fatal(err)
		}
		close(goes)
		if err := <-ended; !errors.Is(err, events.ErrClaimLost) {
			t.Errorf("the one that had lost its claim ended with %v", err)
		}
		if got := p.after(t, created.ID); got.Total != 2000 || got.Enqueue != 2000 || !got.TotalIsFinal {
			t.Errorf("task = %+v", got)
		}
	})
}

// TestTwoSplittersAtOnce: one splitter still uses an expired claim, and another has the new claim.
// Each row is added by one of them.
func TestTwoSplittersAtOnce(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(3000))
		ended := make(chan error, 2)
		stale, old := p.claim(t, -time.Second)
		fresh, claim := p.claim(t, time.Hour)
		split := func(task *tasks.Task, claim tasks.Claim) {
			s := p.splitter(importers.SplitterOptions{Chunk: 200, Claim: time.Hour})
			ended <- s.Split(t.Context(), task, claim)
		}
		go split(stale, old)
		go split(fresh, claim)
		lost := 0
		for range 2 {
			if err := <-ended; errors.Is(err, events.ErrClaimLost) {
				lost++
			} else if err != nil {
				t.Error(err)
			}
		}
		if lost != 1 {
			t.Errorf("%d of two lost their claim, want 1", lost)
		}
		n := int64(0)
		for e, err := range p.Events.Each(t.Context(), created.Num, events.Filter{}) {
			if n++; err != nil || e.ID.Seq() != n || e.Row != int(n)+1 {
				t.Fatalf("event %d has seq %d and row %d (%v)", n, e.ID.Seq(), e.Row, err)
			}
		}
		if got := p.after(t, created.ID); n != 3000 || got.Total != n || got.Enqueue != n {
			t.Errorf("%d events, total %d, enqueue %d", n, got.Total, got.Enqueue)
		}
	})
}

// TestTheFirstRowsRunWhileTheFileIsRead: a row has ended before the total is final.
func TestTheFirstRowsRunWhileTheFileIsRead(t *testing.T) {
	both(t, func(t *testing.T, p *splitterEnv) {
		created := p.accept(t, lines(2000))
		task, claim := p.claim(t, time.Minute)
		var midway *tasks.Task
		s := p.splitter(importers.SplitterOptions{Chunk: 300, Added: func() {
			if midway != nil {
				return
			}
			if !p.feedable(t, created.Num) {
				t.Error("the first rows are not fed")
			}
			_, err := p.Events.Record(t.Context(), []events.Move{{
				ID: events.NewID(created.Num, 1), Row: 2, From: events.Enqueue, To: events.Finish, Attempt: 1,
				StartedAt: 1, FinishedAt: 2,
			}})
			if err != nil {
				t.Error(err)
			}
			midway = p.after(t, created.ID)
		}})
		if err := s.Split(t.Context(), task, claim); err != nil {
			t.Fatal(err)
		}
		if midway == nil || midway.Finish != 1 || midway.TotalIsFinal || midway.Total >= 2000 {
			t.Errorf("midway: %+v", midway)
		}
		if got := p.after(t, created.ID); got.Finish != 1 || got.Total != 2000 || !got.TotalIsFinal {
			t.Errorf("at the end: %+v", got)
		}
	})
}
