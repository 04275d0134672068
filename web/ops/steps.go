package ops

import (
	"slices"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsStep is one past or future step in the history of a job.
type opsStep struct {
	render.Chapter
	No          string // number of an attempt
	Soon        bool   // the step is in the future
	Waited, Ran string // waiting time before an attempt, and its running time
	Share       string // share of the waiting time, in percent
	Rest        string // share of the running time, in percent
}

// steps returns the steps of a job, newest first. They are future retries, attempts with their waiting and
// running times, messages, and decisions of users. The oldest step is the acceptance of the job into the ledger.
// The push to Redis comes just before the first attempt.
func steps(in locale.Printer, story []render.Chapter, row *view.Event, t *tasks.Task) []opsStep {
	out := []opsStep{{Chapter: render.Chapter{
		At: textutil.Instant(t.CreatedAt), Words: in.Text("ops.step.accepted", "row", row.Row), Tone: render.ToneWait,
	}}}
	before := t.CreatedAt
	for _, ch := range story {
		step := opsStep{Chapter: ch}
		if a := ch.Attempt; a != nil && a.Attempt > 0 {
			if out[0].No == "" && a.QueuedAt != nil && before == t.CreatedAt {
				out = append(out, opsStep{Chapter: render.Chapter{At: a.QueuedAt, Words: in.Text("ops.step.queued"), Tone: render.ToneWait}})
			}
			step.No = strconv.Itoa(a.Attempt)
			step.setTimes(in, before, a)
			before = max(unixMS(a.EndedAt), before)
		}
		out = append(out, step)
	}
	out = append(out, futureSteps(in, row)...)
	slices.Reverse(out)
	return out
}

// setTimes sets the waiting time before an attempt, and its running time. It sets neither for an attempt
// without a start, and no running time for an attempt without an end.
func (s *opsStep) setTimes(in locale.Printer, before int64, a *view.Attempt) {
	began, ended := unixMS(a.StartedAt), unixMS(a.EndedAt)
	if began == 0 {
		return
	}
	waited := max(began-before, 0)
	s.Waited = in.Span(waited)
	if ended == 0 {
		return
	}
	ran := max(ended-began, 0)
	s.Ran = in.Span(ran)
	share := 100.0
	if waited+ran > 0 {
		share = min(max(100*float64(waited)/float64(waited+ran), 0.6), 99.4)
	}
	s.Share, s.Rest = strconv.FormatFloat(share, 'f', 1, 64), strconv.FormatFloat(100-share, 'f', 1, 64)
}

// futureSteps returns the next attempts of a job that waits for a retry; nil for other jobs.
func futureSteps(in locale.Printer, row *view.Event) []opsStep {
	if row.Status.AtRest() || row.NextRunAt == nil || row.Attempt == 0 {
		return nil
	}
	next, last := row.Attempt+1, row.MaxAttempts
	words := in.Text("ops.step.next", "n", next)
	if next >= last {
		words = in.Text("ops.step.last", "n", next)
	}
	out := []opsStep{{Chapter: render.Chapter{At: row.NextRunAt, Words: words, Tone: render.ToneWait}, No: strconv.Itoa(next), Soon: true}}
	if next < last {
		out = append(out, opsStep{Chapter: render.Chapter{
			Words: in.Text("ops.step.more", "n", last-next), Note: in.Text("ops.step.more.about"), Tone: render.ToneWait,
		}, No: strconv.Itoa(last), Soon: true})
	}
	return out
}

// unixMS converts an RFC 3339 time to unix ms. It returns 0 for nil or an invalid time.
func unixMS(text *string) int64 {
	at, err := time.Parse(time.RFC3339, textutil.Deref(text))
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}
