package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// SampleEvery is the interval of the samples of a queue. SamplesKept is how long they are kept.
const (
	SampleEvery = time.Minute
	SamplesKept = time.Hour
)

// Sample holds the figures of a queue at one time.
type Sample struct {
	At                                  time.Time // to the millisecond; one sample per minute
	Length, Retries, Busy, MorgueLength int64
	Lag                                 time.Duration // to the millisecond; see Note
	Processed, Failed                   int64         // since the queue was created
}

func (s Sample) minute() time.Time { return s.At.Truncate(SampleEvery) }

// sampleForm is the format of a stored sample. It begins with the time, so no two samples have the
// same text.
const sampleForm = "%d %d %d %d %d %d %d %d"

// Lags is a function that returns, by queue, how long the oldest job outside Redis has waited.
type Lags func(context.Context) (map[string]time.Duration, error)

// Record stores the figures of all queues every minute until ctx ends. It passes `lags` to Note. Several
// processes may call it: Note skips a minute that is already stored.
func (a *Admin) Record(ctx context.Context, lags Lags) {
	for ctx.Err() == nil {
		if err := a.Note(ctx, lags); err != nil && ctx.Err() == nil {
			a.client.opt.Log.Warn("statistics of the queues are not stored", "err", err)
		}
		now := a.client.opt.Now()
		select {
		case <-ctx.Done():
		case <-time.After(now.Truncate(SampleEvery).Add(SampleEvery).Sub(now)):
		}
	}
}

// Note stores the figures of all queues for the current minute, unless they are already stored. The lag
// of a queue is its lag in Redis, or the value that `lags` returns if that is longer. `lags` may be nil.
func (a *Admin) Note(ctx context.Context, lags Lags) error {
	queues, err := a.Queues(ctx)
	if err != nil {
		return err
	}
	var faults []error
	var more map[string]time.Duration
	if lags != nil {
		if more, err = lags(ctx); err != nil {
			faults = append(faults, err)
		}
	}
	for _, queue := range queues {
		if err := a.note(ctx, queue, more[queue]); err != nil {
			faults = append(faults, fmt.Errorf("queue: note figures of %q: %w", queue, err))
		}
	}
	return errors.Join(faults...)
}

func (a *Admin) note(ctx context.Context, queue string, lag time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	now := a.client.opt.Now()
	key, minute := a.keys.history(queue), now.Truncate(SampleEvery)
	if n, err := a.rdb.ZCount(ctx, key, millis(minute), millis(minute)).Result(); err != nil || n > 0 {
		return err
	}
	st, err := a.Stats(ctx, queue)
	if err != nil {
		return unlessUnknown(err)
	}
	text := fmt.Sprintf(sampleForm, now.UnixMilli(), st.Length, st.Retries, st.Busy, st.MorgueLength,
		max(st.Lag, lag).Milliseconds(), st.Processed, st.Failed)
	_, err = a.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.ZAdd(ctx, key, redis.Z{Score: float64(minute.UnixMilli()), Member: text})
		p.ZRemRangeByScore(ctx, key, "-inf", millis(minute.Add(-SamplesKept)))
		return nil
	})
	return err
}

// History returns the stored samples of a queue from the minute of the given time on, oldest first.
// Minutes without a sample are missing. If Redis lost its data, all earlier minutes are missing.
func (a *Admin) History(ctx context.Context, queue string, since time.Time) ([]Sample, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := a.rdb.ZRangeByScore(ctx, a.keys.history(queue),
		&redis.ZRangeBy{Min: millis(since.Truncate(SampleEvery)), Max: "+inf"}).Result()
	if err != nil {
		return nil, fmt.Errorf("queue: history of %q: %w", queue, err)
	}
	out := make([]Sample, 0, len(list))
	for _, text := range list {
		var s Sample
		var at, lag int64
		_, err := fmt.Sscanf(text, sampleForm, &at, &s.Length, &s.Retries, &s.Busy, &s.MorgueLength,
			&lag, &s.Processed, &s.Failed)
		s.At, s.Lag = time.UnixMilli(at), time.Duration(lag)*time.Millisecond
		if err != nil || len(out) > 0 && s.minute().Equal(out[len(out)-1].minute()) {
			continue // written by another version, or a second sample of the same minute
		}
		out = append(out, s)
	}
	return out, nil
}
