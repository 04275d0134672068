package feed

import (
	"context"
	"errors"
	"strings"
	"time"
)

// errUnsure means that the feeder did not compare Redis with the ledger in time.
var errUnsure = errors.New("the feeder could not compare Redis with the ledger in time")

// unsureTimeout bounds how long a job waits until the feeder has compared Redis with the ledger.
const unsureTimeout = 2 * time.Second

// Invalidate reports to the feeder that Redis may have been emptied or have lost writes. Until the
// feeder has compared Redis with the ledger again, CheckGeneration lets no job run. Call it when a
// connection reaches another Redis process, and when a shard is leased. Invalidate does not block.
func (f *Feeder) Invalidate() {
	f.invalidated.Store(int64(time.Since(f.born)))
	f.Wake()
}

// LostWrites reports to the feeder that Redis has lost writes without a restart. The feeder then
// pushes all unfinished rows again, in order, as after a restart. LostWrites does not block.
func (f *Feeder) LostWrites() {
	if mark := f.known.Load(); mark != nil {
		f.lost.Store(mark)
	}
	f.Invalidate()
}

// CheckGeneration compares the mark of a job with the marks of the last poll. If the result `gone`
// is true, the job was pushed to an earlier Redis. The caller then drops the job, and the feeder
// pushes its row again, in order. If the result `ask` is true, the caller reads the state of the
// row before it runs the job. For example, the task may be canceled. If neither is true, the job
// may run.
//
// CheckGeneration waits up to unsureTimeout for a new poll if the last poll is not valid or does
// not match. After an error the job must not run.
func (f *Feeder) CheckGeneration(ctx context.Context, tenant, mark string) (ask, gone bool, err error) {
	asked := time.Now()
	m := f.cached()
	if m == nil || m.redis != redisOf(mark) {
		// Redis gets only newer marks. If the marks still differ after a new poll, the mark of the job
		// is the older one.
		if m, err = f.waitFresh(ctx, asked); err != nil {
			return false, false, err
		}
	}
	switch {
	case m.redis != redisOf(mark):
		return false, true, nil
	case m.markFor(tenant) != mark:
		return true, false, nil
	}
	return f.stale(m), false, nil
}

// cached returns the result of the last poll. It returns nil if this poll could not compare Redis with
// the ledger, or began before the last Invalidate.
func (f *Feeder) cached() *generation {
	if m := f.generation.Load(); m != nil && int64(m.at.Sub(f.born)) > f.invalidated.Load() {
		return m
	}
	return nil
}

// waitFresh waits for a poll that began after the given time. It returns errUnsure after
// unsureTimeout, or when `ctx` ends.
func (f *Feeder) waitFresh(ctx context.Context, asked time.Time) (*generation, error) {
	ctx, cancel := context.WithTimeout(ctx, unsureTimeout)
	defer cancel()
	for f.Wake(); ; {
		if m := f.cached(); m != nil && m.at.After(asked) {
			return m, nil
		}
		select {
		case <-ctx.Done():
			return nil, errUnsure
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// stale reports whether the last poll is older than PollValidity: tasks may have been canceled since.
func (f *Feeder) stale(m *generation) bool { return time.Since(m.at) > PollValidity(f.opt.Poll) }

// PollValidity returns how long the result of a poll is valid for a feeder that polls at the given
// interval. During this time, jobs run without a check in the ledger. A process may thus miss a cancel for
// at most this time.
func PollValidity(interval time.Duration) time.Duration { return max(2*time.Second, 2*interval) }

// redisOf returns the part of a job's mark that identifies the Redis to which the job was pushed.
func redisOf(mark string) string {
	redis, _, _ := strings.Cut(mark, ".")
	return redis
}
