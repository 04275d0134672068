package middleware

import (
	"context"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// showEvery is the shortest interval between two writes of a run's progress; showTimeout bounds one
// write, and the last round of a stop.
const (
	showEvery   = 500 * time.Millisecond
	showTimeout = 2 * time.Second
)

// progressWriter writes the progress of runs beside the commits. No handler waits for it; only the end of a
// run waits for its last progress. Progress that cannot be written is dropped: the next report
// replaces it.
type progressWriter struct {
	rec *Recorder

	mu      sync.Mutex
	words   map[*run]events.Progress // not yet taken for a write
	writing map[*run]bool
	ended   []*run // runs that wait for their last progress
	closed  bool

	wake periodic.Wake
	stop chan struct{}
	idle chan struct{}
	once sync.Once
}

func newScreen(rec *Recorder) *progressWriter {
	return &progressWriter{
		rec: rec, words: map[*run]events.Progress{}, writing: map[*run]bool{},
		wake: periodic.NewWake(), stop: make(chan struct{}), idle: make(chan struct{}),
	}
}

// show stores the progress of a run. Progress counts only for the only job of a task, so show ignores
// all jobs but the first.
func (s *progressWriter) show(x *run, p events.Progress) {
	if x.id.Seq() != 1 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.words[x] = p
	}
}

// end passes runs to the recorder; runs with unwritten progress follow after the write.
func (s *progressWriter) end(xs []*run) {
	ready := make([]*run, 0, len(xs))
	s.mu.Lock()
	for _, x := range xs {
		if _, ok := s.words[x]; (ok || s.writing[x]) && !s.closed {
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

// forget drops the progress of a run whose outcome no longer counts.
func (s *progressWriter) forget(x *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.words, x)
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

// word is the progress of a run, if any. last reports whether the run has ended.
type word struct {
	run  *run
	says *events.Progress
	last bool
}

// take removes the progress of the ended runs, and with all, of the others.
func (s *progressWriter) take(all bool) []word {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []word
	for _, x := range s.ended {
		w := word{run: x, last: true}
		if p, ok := s.words[x]; ok {
			w.says = &p
		}
		out = append(out, w)
		delete(s.words, x)
	}
	s.ended = nil
	if !all {
		return out
	}
	for x, p := range s.words {
		out = append(out, word{x, &p, false})
		s.writing[x] = true
	}
	clear(s.words)
	return out
}

// write writes the progress reports, all within showTimeout, and passes on the ended runs.
func (s *progressWriter) write(words []word) {
	ctx, cancel := context.WithTimeout(s.rec.ctx, showTimeout)
	defer cancel()
	for _, w := range words {
		if w.says != nil && ctx.Err() == nil {
			if err := s.rec.ledger.Progress(ctx, w.run.fence(), *w.says); err != nil {
				s.rec.opt.Log.Warn("progress is not shown", "job", w.run.call.ID, "err", err)
			}
		}
		if w.last {
			s.rec.end(w.run)
		}
	}
	s.written()
}

// written wakes the loop for runs that ended during a write of their progress.
func (s *progressWriter) written() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.writing)
	if len(s.ended) > 0 {
		s.wake.Signal()
	}
}

// close writes the last progress and returns. Runs that end later go directly to the recorder.
func (s *progressWriter) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.once.Do(func() { close(s.stop) })
	<-s.idle
}
