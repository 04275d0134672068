package ops

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/view"
)

// opsQueuePage holds the data of the page of one queue.
type opsQueuePage struct {
	opsFrame
	Queue   opsQueueRow
	Tabs    []opsLink
	Shards  opsShardMap
	History opsHistory
}

// opsQueueAt returns the path of a part of a queue's page. An empty part means the page of the queue.
func opsQueueAt(queue, part string) string {
	at := "/ops/queues/" + url.PathEscape(queue)
	if part != "" {
		at += "/" + part
	}
	return at
}

// queueTitle returns the title of a queue, which is the title of its kind, in the user's language.
func (p *Handlers) queueTitle(c *gin.Context, name string) string {
	return render.Shown(p.Kinds.Title(string(request.Printer(c)), name))
}

// opsTabs returns the tabs of a queue's page. The argument `part` names the open tab.
func opsTabs(in locale.Printer, queue, part string) (out []opsLink) {
	for _, tab := range []opsLink{
		{At: "", Words: in.Text("ops.tab.overview")},
		{At: "waiting", Words: in.Text("ops.tab.waiting")},
		{At: "busy", Words: in.Text("ops.tab.busy")},
		{At: "morgue", Words: in.Text("ops.tab.morgue")},
		{At: "keys", Words: in.Text("ops.tab.keys")},
	} {
		out = append(out, opsLink{opsQueueAt(queue, tab.At), tab.Words, tab.At == part})
	}
	return out
}

// opsQueue serves GET /ops/queues/{queue}.
func (p *Handlers) opsQueue(c *gin.Context) error {
	state, err := p.Explain.QueueState(c.Request.Context(), string(request.Printer(c)), c.Param("queue"))
	if err != nil {
		return err
	}
	st := state.Stats
	v := opsQueuePage{
		opsFrame: p.opsFrame(c, p.queueTitle(c, st.Name), "/ops"), History: p.history(),
		Tabs: opsTabs(request.Printer(c), st.Name, ""), Shards: opsShardMap{st.Name, view.OfShards(st)},
	}
	v.Refresh = true
	if v.Queue, err = p.opsQueueRow(c, &state.Queue, &v.History, nil); err != nil {
		return err
	}
	v.Queue.Stalled = state.Stalled
	counts, err := p.inErrorByQueue(c)
	if err != nil {
		return err
	}
	v.Queue.InError = counts[st.Name]
	v.Queue.State = v.Queue.State.withErrors(v.in, &state.Queue, v.Queue.InError)
	return p.Render.Page(c, http.StatusOK, "ops_queue.html", v)
}

// ControlAt returns the path of acts on the whole queue. The template appends the name of an act.
func (v opsQueuePage) ControlAt() string { return opsQueueAt(v.Queue.Name, "control") + "/" }
