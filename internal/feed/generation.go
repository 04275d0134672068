package feed

import (
	"context"
	"errors"
	"strings"
	"time"
)

// errUnsure means that the feeder did not compare Redis with the ledger in time.
var errUnsure = errors.New("it is not sure that Redis is the one that was fed")

// unsureTimeout bounds how long a job waits for that comparison.
const unsureTimeout = 2 * time.Second

// Invalidate reports to the feeder that Redis may have been emptied or have lost writes. Until the
// feeder has compared Redis with the ledger again, CheckGeneration accepts no job. Call it when a
// connection reaches another Redis process, and when a shard is leased. It does not wait.
func (f *Feeder) Invalidate() {
	f.invalidated.Store(int64(time.Since(f.born)))
	f.Wake()
}

// LostWrites reports to the feeder that Redis has lost writes without a restart. The
// feeder then pushes all unfinished rows again, in order, as after a restart. LostWrites
// does not wait for that.
func (f *Feeder) LostWrites() {
	if mark := f.known.Load(); mark != nil {
		f.lost.Store(mark)
	}
	f.Invalidate()
}

// CheckGeneration decides about a job of a tenant by its mark. gone means that the job is from an
// earlier Redis: the feeder pushes its row again after the rows before it, so the caller drops the
// job. ask means that the job may be canceled, so the caller reads the ledger first. With neither, the
// job may run. CheckGeneration waits until Redis was compared with the ledger. After an error the job
// has to wait.
func (f *Feeder) CheckGeneration(ctx context.Context, tenant, mark string) (ask, gone bool, err error) {
	asked := time.Now()
	m := f.cached()
	if m == nil || m.redis != redisOf(mark) {
		// Marks change only forward, so after a poll of now a different mark is an older one.
		if m, err = f.waitFresh(ctx, asked); err != nil {
			return false, false, err
		}
	}
	switch {
	case m.redis != redisOf(mark):
		return false, true, nil
	case m.of(tenant) != mark:
		return true, false, nil
	}
	return f.stale(m), false, nil
}

// cached returns the result of the last poll; nil until Redis was compared again.
func (f *Feeder) cached() *generation {
	if m := f.generation.Load(); m != nil && int64(m.at.Sub(f.born)) > f.invalidated.Load() {
		return m
	}
	return nil
}

// waitFresh waits for a poll that began after the given time.
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

// stale reports whether the last poll is too old: tasks may have been canceled since.
func (f *Feeder) stale(m *generation) bool { return time.Since(m.at) > max(fresh, 2*f.opt.Poll) }

// redisOf returns the part of a job's mark that names the Redis it was pushed to.
func redisOf(mark string) string {
	redis, _, _ := strings.Cut(mark, ".")
	return redis
}
