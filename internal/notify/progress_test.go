package notify_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWebhook_Progress_HasCountsAndPercentUnderOneID: a receiver gets the counts and the percentage of
// each tenth. After a lost response it gets them again with the same ID.
func TestWebhook_Progress_HasCountsAndPercentUnderOneID(t *testing.T) {
	offices(t, func(o *office) {
		hook, all := o.webhook("acme", "/progress", tasks.TopicProgress), o.webhook("acme", "/all")
		ends := make([]events.Status, 20)
		for i := range ends {
			ends[i] = events.Working
		}
		task := o.end("acme", nil, ends...)
		finish := func(from, to int64) {
			var moves []events.Move
			for seq := from; seq <= to; seq++ {
				moves = append(moves, events.Move{
					ID: events.NewID(task.Num, seq), From: events.Working, FromAttempt: 1, To: events.Finish, Attempt: 1, FinishedAt: 1,
				})
			}
			if made, err := o.Events.Record(o.t.Context(), moves); err != nil || !made[0] {
				o.t.Fatal(made, err)
			}
		}
		finish(1, 7)
		o.inbox.answers(func(http.ResponseWriter, message) { panic(http.ErrAbortHandler) })
		o.deliver() // the response is lost
		o.inbox.answers(nil)
		o.pass(time.Minute)
		o.deliver()
		finish(8, 20)
		o.deliverAtOnce()
		id := fmt.Sprintf("msg_%s_task_progress_1_30", task.ID)
		want := map[string]int{"/progress " + id: 2, fmt.Sprintf("/all msg_%s_task_finished_1", task.ID): 1}
		o.same("webhooks "+hook.ID+" and "+all.ID, want, o.inbox.counts())
		body := o.inbox.all()[0].verify(o.t, hook.Secret)
		data := body["data"].(map[string]any)
		counts, progress := data["task"].(map[string]any)["counts"].(map[string]any), data["progress"].(map[string]any)
		if body["type"] != tasks.TopicProgress || counts["finish"] != 7.0 || counts["working"] != 13.0 || progress["processed"] != 7.0 || progress["percent"] != 35.0 {
			o.t.Errorf("body = %v", body)
		}
		if d := o.log(hook); d.State != notify.StateDelivered || len(d.Log()) != 2 || d.Topic != tasks.TopicProgress {
			o.t.Errorf("delivery = %+v", d)
		}
	})
}
