package feed_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
)

// run records the outcome of a job, as the recorder does. A job of a lost Redis is dropped, and a
// job that may have run before runs only if the ledger allows it.
func (h *hand) run(d *queue.Delivery, to events.Status) (id events.ID, ran bool, err error) {
	env, err := jobs.Unpack(d.Payload)
	if err != nil {
		return 0, false, err
	}
	ask, gone, err := h.stands(env)
	if err != nil || gone {
		return env.Event, false, err
	}
	states, err := h.f.Events.States(h.f.t.Context(), []events.ID{env.Event})
	if err != nil {
		return env.Event, false, err
	}
	is := states[env.Event]
	if is.Status == events.Enqueue && is.Canceling && (ask || d.Redelivered > 0) {
		return env.Event, false, h.record(is, events.Canceled)
	}
	if (ask || d.Redelivered > 0) && is.Status != events.Enqueue {
		return env.Event, false, nil
	}
	return env.Event, true, h.record(is, to)
}

// stands compares the mark of a job with the marks in the ledger.
func (h *hand) stands(env jobs.Envelope) (ask, gone bool, err error) {
	now, err := lanes.New(h.f.Tasks).Generations(h.f.t.Context())
	if err != nil {
		return false, false, err
	}
	cancels, err := lanes.New(h.f.Tasks).CancelEpochs(h.f.t.Context())
	mark := now.Redis
	if n := cancels[env.Tenant]; n > 0 {
		mark += "." + strconv.FormatInt(n, 10)
	}
	redis, _, _ := strings.Cut(env.Mark, ".")
	return env.Mark != mark, redis != now.Redis, err
}

// record records the outcome of a row. It returns an error if the row has ended before: the worker
// should have read the row from the ledger.
func (h *hand) record(is events.State, to events.Status) error {
	m := events.Move{ID: is.ID, From: events.Enqueue, FromAttempt: is.Attempt, To: to, Attempt: is.Attempt + 1}
	if to == events.Canceled {
		m.Attempt = is.Attempt
	} else if to != events.Finish {
		m.Failure = &events.Failure{Code: "X"}
	}
	if to == events.Enqueue {
		m.NextRunAt = time.Now().UnixMilli()
	}
	made, err := h.f.Events.Record(h.f.t.Context(), []events.Move{m})
	if err == nil && !made[0] {
		err = fmt.Errorf("row %d is %s, and its job did not ask", is.ID, is.Status)
	}
	return err
}
