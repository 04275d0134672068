package middleware

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// showEvery is the interval between two writes of the progress of running jobs. showTimeout bounds the time
// of all statements of one write.
const (
	showEvery   = 500 * time.Millisecond
	showTimeout = 2 * time.Second
)

// progressWriter writes the progress of runs to the ledger, in its own goroutine. Handlers do not wait for
// it, but the commit of a run's outcome waits for the run's last progress. If a write fails, the progress
// is dropped.
type progressWriter struct {
	rec *Recorder

	mu        sync.Mutex
	unwritten map[*run]events.Progress // not yet taken for a write
	writing   map[*run]bool
	ended     []*run // runs that wait for their last progress
	closed    bool

	wake periodic.Wake
	stop chan struct{}
	idle chan struct{}
	once sync.Once
}

func newProgressWriter(rec *Recorder) *progressWriter {
	return &progressWriter{
		rec: rec, unwritten: map[*run]events.Progress{}, writing: map[*run]bool{},
		wake: periodic.NewWake(), stop: make(chan struct{}), idle: make(chan struct{}),
	}
}

// show stores the progress of a run for the next write. The ledger stores progress only of tasks with
// one job, so show ignores jobs other than the first. After close, show is a no-op.
func (s *progressWriter) show(x *run, p events.Progress) {
	if x.id.Seq() != 1 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.unwritten[x] = p
	}
}

// end passes ended runs to the recorder. Runs with unwritten progress follow after the write.
func (s *progressWriter) end(xs []*run) {
	ready := make([]*run, 0, len(xs))
	s.mu.Lock()
	for _, x := range xs {
		if _, ok := s.unwritten[x]; (ok || s.writing[x]) && !s.closed {
			s.ended = append(s.ended, x)
		} else {
			ready = append(ready, x)
		}
	}
	waiting := len(s.ended) > 0
	s.mu.Unlock()
	s.rec.end(ready...)
	if waiting {
		s.wake.Signal()
	}
}

// forget drops the unwritten progress of a run whose outcome is not recorded.
func (s *progressWriter) forget(x *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unwritten, x)
}

func (s *progressWriter) loop() {
	defer close(s.idle)
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.write(s.take(true))
		case <-s.wake:
			s.write(s.take(false))
		case <-s.stop:
			s.write(s.take(false))
			return
		}
	}
}

// report holds the unwritten progress of a run, if there is any. The field `last` reports whether the run has
// ended.
type report struct {
	run      *run
	progress *events.Progress
	last     bool
}

// take removes and returns the reports of the ended runs. If `all` is true, it also takes the
// reports of the other runs.
func (s *progressWriter) take(all bool) []report {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []report
	for _, x := range s.ended {
		w := report{run: x, last: true}
		if p, ok := s.unwritten[x]; ok {
			w.progress = &p
		}
		out = append(out, w)
		delete(s.unwritten, x)
	}
	s.ended = nil
	if !all {
		return out
	}
	for x, p := range s.unwritten {
		out = append(out, report{x, &p, false})
		s.writing[x] = true
	}
	clear(s.unwritten)
	return out
}

// write writes reports to the ledger, for at most showTimeout together, and passes the ended runs
// to the recorder.
func (s *progressWriter) write(reports []report) {
	ctx, cancel := context.WithTimeout(s.rec.ctx, showTimeout)
	defer cancel()
	for _, w := range reports {
		if w.progress != nil && ctx.Err() == nil {
			if err := s.rec.ledger.Progress(ctx, w.run.fence(), *w.progress); err != nil {
				s.rec.opt.Log.Warn("progress is not stored", "job", w.run.call.ID, "err", err)
			}
		}
		if w.last {
			s.rec.end(w.run)
		}
	}
	s.writeEnded()
}

// writeEnded records the end of a write, and wakes the loop for runs that ended during the write.
func (s *progressWriter) writeEnded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.writing)
	if len(s.ended) > 0 {
		s.wake.Signal()
	}
}

// close ends the loop after a last write. The method `end` then passes runs to the recorder without a write
// of their progress.
func (s *progressWriter) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.once.Do(func() { close(s.stop) })
	<-s.idle
}
