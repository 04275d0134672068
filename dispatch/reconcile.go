package dispatch

import (
	"context"

	"github.com/google/uuid"
)

// Mark is that of the Redis in use, as the ledger knows it; empty while that is
// not sure. Jobs that were pushed under another mark may have run.
func (f *Feeder) Mark() string {
	if mark := f.mark.Load(); mark != nil {
		return *mark
	}
	return ""
}

// reconcile looks whether Redis is the one that was fed, and has not been
// restarted since: the mark names its processes too, for what they wrote last
// may be gone. If the mark is missing or another, everything that was fed and
// is not at rest is fed again. Redis is marked last, so a crash in between
// repeats the work. It returns false while another process is at it: nothing
// may be fed then.
func (f *Feeder) reconcile(ctx context.Context) (ready bool, err error) {
	got, err := f.client.Mark(ctx)
	if err != nil {
		return false, err
	}
	self, err := f.client.Identity(ctx)
	if err != nil {
		return false, err
	}
	want, err := f.tasks.RedisMark(ctx)
	if err != nil {
		return false, err
	}
	if want != "" && got == want+"@"+self {
		f.mark.Store(&want)
		return true, nil
	}
	f.mark.Store(nil)
	next := uuid.NewString()
	won, err := f.tasks.Rebuild(ctx, want, next)
	if err != nil || !won {
		return false, err
	}
	if want != "" {
		f.opt.Log.Info("not the Redis that was fed, or restarted: feeding again what is not at rest")
	}
	if err := f.client.SetMark(ctx, next+"@"+self); err != nil {
		return false, err
	}
	f.mark.Store(&next)
	return true, nil
}
