package dispatch

import (
	"context"

	"github.com/google/uuid"
)

// reconcile looks whether Redis is the one that was fed. If it lacks the mark,
// it was wiped, or is another: everything not at rest is fed again. The mark
// is given to Redis last, so a crash in between repeats the work. It returns
// false while another process is at it: nothing may be fed then.
func (f *Feeder) reconcile(ctx context.Context) (ready bool, err error) {
	got, err := f.client.Mark(ctx)
	if err != nil {
		return false, err
	}
	want, err := f.tasks.RedisMark(ctx)
	if err != nil || got == want && want != "" {
		return err == nil, err
	}
	next := uuid.NewString()
	won, err := f.tasks.Rebuild(ctx, want, next)
	if err != nil || !won {
		return false, err
	}
	if want != "" {
		f.opt.Log.Warn("redis lost its data: feeding again what is not at rest")
	}
	return true, f.client.SetMark(ctx, next)
}
