package importers

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Run reads files until `ctx` ends, several at the same time: see SplitterOptions.Files. It then
// releases the claims of the files being read, and returns. The tenant with the fewest rows read, in
// relation to its weight, is served next. Run searches for files immediately when it receives from
// `notify`.
func (s *Splitter) Run(ctx context.Context, notify <-chan string) {
	var busy sync.WaitGroup
	defer busy.Wait()
	periodic.Loop{
		Every: s.opt.Poll, Wake: s.wake, Notify: notify, Log: s.opt.Log, Failed: "claiming a file to read failed",
	}.Run(ctx, func(ctx context.Context) error {
		for {
			began, err := s.begin(ctx, &busy)
			if err != nil || !began {
				return err
			}
		}
	})
}

// begin starts to read the next file, if a file waits and the process may read one more. It reports
// whether it has started to read a file.
func (s *Splitter) begin(ctx context.Context, busy *sync.WaitGroup) (bool, error) {
	t, claim, err := s.picker.Next(ctx, s.opt.Claim)
	if err != nil || t == nil {
		return false, err
	}
	busy.Go(func() {
		defer s.wake.Signal()
		defer s.picker.Leave(t.Tenant)
		s.splitFile(ctx, t, claim)
	})
	return true, nil
}

// splitFile reads a file. If `ctx` has ended, it releases the claim. After any other error except a lost
// claim, it keeps the claim, so that the next attempt starts only after the claim has expired. It then
// pauses for SplitterOptions.Poll. Without the pause, the process would try one file after another while
// a store is unreachable.
func (s *Splitter) splitFile(ctx context.Context, t *tasks.Task, claim tasks.Claim) {
	begun := time.Now()
	err := s.Split(ctx, t, claim)
	s.opt.Split(Split{t.ID, begun, time.Since(begun), err})
	switch {
	case err == nil || errors.Is(err, events.ErrClaimLost):
	case ctx.Err() != nil:
		s.giveBack(ctx, t, claim)
	default:
		s.opt.Log.Error("reading a file failed", "err", err)
		periodic.Pause(ctx, s.opt.Poll)
	}
}

// giveBack releases the claim of a file, so that another process can continue at once.
func (s *Splitter) giveBack(ctx context.Context, t *tasks.Task, claim tasks.Claim) {
	if err := s.tasks.ReleaseSplit(ctx, t.Num, claim); err != nil {
		s.opt.Log.Error("releasing the claim of a file failed", "err", err)
	}
}
