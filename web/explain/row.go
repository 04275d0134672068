package explain

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// explainer collects the reasons for the state of a row or a queue.
type explainer struct {
	s     *Service
	in    locale.Printer
	t     *tasks.Task
	e     *events.Event
	now   time.Time
	fault string // the last system fault, as the caller may read it
	out   []view.Reason

	params  json.RawMessage // params of the row, with unmasked sensitive values
	failing bool            // a Redis script that the row needs fails repeatedly
	ofKey   int64           // number of rows in Redis with the key of the row
	retryAt *string         // time of the next attempt of the first row with the key; nil if that row waits for no retry
}

// Row returns the reasons why a row has its state, in the language of v.
func (s *Service) Row(ctx context.Context, v view.Localizer, t *tasks.Task, e *events.Event) (view.Explanation, error) {
	x := &explainer{
		s: s, in: locale.Printer(v.Lang), t: t, e: v.Event(e), now: s.Now(), fault: v.Fault(e), out: []view.Reason{},
		params: json.RawMessage(e.Params),
	}
	var err error
	if e.Status.AtRest() {
		err = x.ended(ctx)
	} else {
		err = x.addOpenReasons(ctx)
	}
	return view.Explanation{EventID: e.ID.JobID(t.ID), TaskID: t.ID, Status: e.Status, Reasons: x.out}, err
}

// add adds a reason. The arguments `args` are the names and values for the text of the reason, in pairs.
func (x *explainer) add(code string, args ...any) *view.Reason {
	detail, hint := reasonWords(x.in, code, args...)
	x.out = append(x.out, view.Reason{Code: code, Detail: detail, Hint: textutil.Optional(hint)})
	return &x.out[len(x.out)-1]
}

// addOpenReasons adds the reasons for the state of a row that waits or runs.
func (x *explainer) addOpenReasons(ctx context.Context) error {
	if x.e.Status == events.Enqueue {
		if err := x.addTaskReason(ctx); err != nil {
			return err
		}
	}
	key := x.t.Tenant + "/" + x.e.Key
	if x.e.Key == "" {
		key += x.e.ID.JobID(x.t.ID)
	}
	admin := x.s.Queue.Admin()
	ctx, cancel := context.WithTimeout(ctx, x.s.Timeout)
	defer cancel()
	st, err := admin.Key(ctx, x.t.Kind, key)
	if err == nil {
		err = x.queue(ctx, &st)
	}
	if err != nil {
		x.s.Log.WarnContext(ctx, "explain: the queue of a row could not be read", "err", err)
		x.add("QUEUE_AWAY")
		if x.e.Attempt > 0 {
			x.addStartReason(x.e.NextRunAt)
		}
		return nil
	}
	x.ofKey, x.retryAt = rowsOf(&st), retryOf(&st, x.now)
	flying, ahead := placeIn(st.Busy, x.e.ID), placeIn(waitingOf(&st), x.e.ID)
	switch {
	case x.e.Status == events.Working && flying != nil:
		x.addRunningReason(&st)
	case x.e.Status == events.Working:
		x.add("RUN_LOST").At = view.InstantOf(x.e.StartedAt)
	case flying != nil && *flying == 0:
		x.add("FETCHED").Node = textutil.Optional(st.Busy.Node)
	case flying != nil:
		x.addBehindReason(st.Busy.Payloads[0].Payload, *flying)
	case ahead != nil:
		x.addQueueReason(ctx, &st, *ahead)
	default:
		return x.unfed(ctx)
	}
	return nil
}

// addTaskReason adds the reason why no row of the task may start, or else the reason why this row may not
// start yet.
func (x *explainer) addTaskReason(ctx context.Context) error {
	switch {
	case x.t.Hold != tasks.HoldNone:
		x.add("TASK_HELD")
	case x.t.Status == tasks.Paused:
		x.add("TASK_PAUSED")
	case x.t.Status == tasks.Canceling:
		x.add("TASK_CANCELING")
	case x.t.Awaits > 0:
		return x.addAwaitedReason(ctx)
	case x.t.RunAt > x.now.UnixMilli():
		at := textutil.Instant(x.t.RunAt)
		x.add("TASK_NOT_YET", "at", x.in.Time(at)).At = at
	case x.early():
		x.addStartReason(x.e.NextRunAt)
	}
	return nil
}

// addAwaitedReason adds the reason that the task starts after other tasks. The reason names the other tasks
// that are not done. If all are done, it adds no reason.
func (x *explainer) addAwaitedReason(ctx context.Context) error {
	open, err := x.s.Tasks.Awaited(ctx, x.t.Num)
	if err != nil || len(open) == 0 {
		return err
	}
	names := make([]string, len(open))
	for i, t := range open {
		names[i] = cmp.Or(t.Name, t.ID)
	}
	if list := strings.Join(names, ", "); x.t.AfterWell {
		x.add("AFTER_SUCCESS", "tasks", list)
	} else {
		x.add("AFTER_TASKS", "tasks", list)
	}
	return nil
}

func (x *explainer) addRunningReason(st *queue.KeyState) {
	r := x.add("RUNNING")
	r.At, r.Node = view.InstantOf(x.e.StartedAt), textutil.Optional(st.Busy.Node)
}

// addQueueReason adds the reason why a row waits in Redis. The argument `ahead` is the number of waiting
// rows of the same key before this row.
func (x *explainer) addQueueReason(ctx context.Context, st *queue.KeyState, ahead int64) {
	if !st.Stranded && st.Busy == nil && ahead == 0 {
		if x.checkLimits(ctx, st.Waiting.Key) {
			return
		}
	}
	switch {
	case st.Stranded:
		x.add("STRANDED")
	case st.Busy != nil:
		x.addBehindReason(st.Busy.Payloads[0].Payload, ahead+int64(st.Busy.Count))
	case ahead > 0:
		x.addBehindReason(st.Waiting.Payloads[0].Payload, ahead)
	case st.Waiting.RunAt.After(x.now):
		at := st.Waiting.RunAt.UnixMilli()
		x.addStartReason(&at)
	case !x.failing:
		x.add("DUE")
	}
}

// addStartReason adds the reason that the row waits for the start time of its first run or of its retry. It
// adds nothing if the time is nil.
func (x *explainer) addStartReason(at *int64) {
	switch {
	case at == nil:
	case x.e.Attempt > 0:
		x.add("WAITS_FOR_RETRY", "attempt", x.e.Attempt, "why", x.fault).At = textutil.Instant(*at)
	default:
		start := textutil.Instant(*at)
		x.add("WAITS_FOR_ITS_TIME", "at", x.in.Time(start)).At = start
	}
}

// addBehindReason adds the reason that rows of the same key come first. The argument `ahead` is the number
// of these rows, and `payload` is the job of the first of them. The reason names the first row if it
// belongs to the same tenant. If the first row waits for a retry, the reason has the time of the retry.
func (x *explainer) addBehindReason(payload []byte, ahead int64) {
	r := x.add("BEHIND_ROW", "key", x.e.Key, "n", ahead)
	r.Place, r.At = &ahead, x.retryAt
	if env, err := jobs.Unpack(payload); err == nil && env.Tenant == x.t.Tenant {
		r.Behind = textutil.Optional(env.Event.JobID(env.TaskID))
	}
}

// retryOf returns the start time of the retry for which the first row of a key waits; nil if it waits for
// none.
func retryOf(st *queue.KeyState, now time.Time) *string {
	if st.Busy != nil || st.Waiting == nil || st.Waiting.RetryCount < 0 || !st.Waiting.RunAt.After(now) {
		return nil
	}
	return textutil.Instant(st.Waiting.RunAt.UnixMilli())
}

// rowsOf returns the number of rows of a key in Redis, waiting and in flight.
func rowsOf(st *queue.KeyState) (n int64) {
	if st.Busy != nil {
		n += int64(st.Busy.Count)
	}
	if st.Waiting != nil {
		n += int64(st.Waiting.Count)
	}
	return n
}

// waitingOf returns the waiting payloads of a key in the type that placeIn accepts; nil if there are none.
func waitingOf(st *queue.KeyState) *queue.BusyKey {
	if st.Waiting == nil {
		return nil
	}
	return &queue.BusyKey{KeyInfo: *st.Waiting}
}

// placeIn returns the number of payloads before a row in a list of payloads; nil if the complete list
// lacks the row. If an incomplete list lacks the row, placeIn returns the length of the list.
func placeIn(k *queue.BusyKey, id events.ID) *int64 {
	if k == nil {
		return nil
	}
	i := slices.IndexFunc(k.Payloads, func(p queue.PayloadInfo) bool {
		env, err := jobs.Unpack(p.Payload)
		return err == nil && env.Event == id
	})
	n := int64(i)
	switch {
	case i >= 0:
		return &n
	case k.Count > len(k.Payloads): // the row may be among the payloads that are not listed
		n = int64(len(k.Payloads))
		return &n
	}
	return nil
}
