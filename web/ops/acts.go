package ops

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
)

// opsAct is an act of an operator on keys of a queue. It changes the keys that the operator has
// chosen, or all keys to which it applies.
type opsAct struct {
	Verb   string      // the verb of the act on all keys, in the audit log and in the API
	chosen string      // the verb of the act on chosen keys
	list   string      // the list whose page has the button of the act
	only   queue.Query // the query of the act on all keys
	all    manage.Act  // the act on all keys
	some   manage.Act  // the act on chosen keys
}

// opsActs returns the acts that a list of keys offers, in the order of their buttons.
func opsActs(list string) []opsAct {
	failed := queue.Query{By: queue.ByRetryCount, Min: "0"}
	if list == "waiting" {
		return []opsAct{
			{"perform-all-now", "perform-now", list, queue.Query{By: queue.ByRunAt}, (*operate.Operator).PerformNow, (*operate.Operator).PerformNow},
			{"kill-failed", "kill", list, failed, (*operate.Operator).KillFailed, (*operate.Operator).Kill},
			{"delete-failed", "delete", list, failed, (*operate.Operator).DeleteFailed, (*operate.Operator).Delete},
		}
	}
	return []opsAct{
		{"requeue", "requeue", list, queue.Query{}, manage.RequeueKeys, manage.RequeueKeys},
		{"delete-dead", "delete-dead", list, queue.Query{}, (*operate.Operator).Discard, (*operate.Operator).Discard},
	}
}

// opsActOf returns the act with a verb. The second result is false for an unknown verb.
func opsActOf(verb string) (opsAct, bool) {
	for _, list := range []string{"waiting", "morgue"} {
		for _, a := range opsActs(list) {
			if a.Verb == verb {
				return a, true
			}
		}
	}
	return opsAct{}, false
}

// resultOfKeys returns the message that an act has changed `n` of the `of` selected keys.
func resultOfKeys(in locale.Printer, verb string, n, of int) string {
	if n < of {
		part := in.Text("ops.keys.part", "n", n, "of", of)
		return in.Text("ops.did."+verb, "keys", part) + " " + in.Text("ops.did.rest")
	}
	return in.Text("ops.did."+verb, "keys", in.Text("ops.keys", "n", n))
}

// opsActOnKeys serves POST /ops/queues/{queue}/acts. It answers the first request with a page that asks
// for a confirmation and shows the number of keys. The confirmed form executes the act.
func (p *Handlers) opsActOnKeys(c *gin.Context) error {
	form := request.Form(c)
	a, known := opsActOf(form.Get("act"))
	if !known || len(form["key"]) > manage.MaxActKeys {
		return problem.ErrNoPath
	}
	back := back(c, opsQueueAt(c.Param("queue"), a.list))
	in := &manage.KeysRequest{IDs: form["key"], All: form.Get("all") == "yes"}
	switch {
	case in.All && in.IDs != nil:
		return problem.BadMember("all", http.StatusUnprocessableEntity, request.Printer(c).Text("ops.keys.both"))
	case !in.All && in.IDs == nil:
		return p.Render.Done(c, back, "none", 0, 0)
	case form.Get("meant") != "yes":
		return p.askOfKeys(c, a, in)
	}
	verb, do := a.chosen, a.some
	if in.All {
		verb, do = a.Verb, a.all
	}
	out, err := p.Manage.ActOnKeys(c.Request.Context(), verb, p.Manage.NewOrder(c.Request.Context(), c.Param("queue"), in), do)
	if err != nil {
		return err
	}
	of, _ := strconv.Atoi(form.Get("of")) // without a number, 0
	return p.Render.Done(c, back, a.Verb, out.Touched, of)
}

// askOfKeys answers with the page that asks for the confirmation of an act. The page shows how many keys
// the act will change, if there are at most about maxCounted.
func (p *Handlers) askOfKeys(c *gin.Context, a opsAct, which *manage.KeysRequest) error {
	name, n, more := c.Param("queue"), len(which.IDs), false
	if which.All {
		var err error
		if n, more, err = p.countKeys(c.Request.Context(), request.Tenant(c), name, a); err != nil {
			return err
		}
	}
	request.Form(c).Set("of", strconv.Itoa(n))
	in, counted := request.Printer(c), "ops.keys"
	ask := opsAsk{Do: in.Text("ops.do."+a.Verb, "keys", in.Text("ops.keys", "n", n)), Back: back(c, opsQueueAt(name, a.list)), marked: "/ops"}
	if more {
		counted, ask.Do = "ops.keys.over", in.Text("ops.all."+a.Verb)
	}
	ask.Title = in.Text("ops.asks.title", "act", in.Text("ops.act."+a.Verb), "queue", p.queueTitle(c, name))
	ask.Text = in.Text("ops.asks."+a.Verb, "keys", in.Text(counted, "n", n), "queue", p.queueTitle(c, name))
	return p.confirm(c, ask, nil) // no function: the form is not confirmed yet
}

// maxCounted is the number of keys at which countKeys stops counting.
const maxCounted = 10_000

// countKeys counts the keys of a tenant that an act on all keys would change. It stops at about
// maxCounted keys. The result `more` reports whether there are more than n keys.
func (p *Handlers) countKeys(
	ctx context.Context, tenant, name string, a opsAct,
) (n int, more bool, err error) {
	q, list := a.only, p.Queue.Admin().Waiting
	if a.list == "morgue" {
		list = p.Queue.Admin().Morgue
	}
	if q.By == queue.ByRunAt {
		q.Min = strconv.FormatInt(p.Now().UnixMilli()+1, 10)
	}
	q.Prefix, q.Limit, q.Each = tenant+"/", 1000, 1
	for {
		page, err := list(ctx, name, q)
		if err = p.Manage.IgnoreNewQueue(name, err); err != nil {
			return n, more, err
		}
		n += len(page.Keys)
		if q.Cursor = page.Cursor; q.Cursor == "" || n >= maxCounted {
			return n, q.Cursor != "", nil
		}
	}
}

// opsControlQueue returns the handler of POST /ops/queues/{queue}/control/pause, /control/resume or
// /control/reshard.
func (p *Handlers) opsControlQueue(verb string) route.Handler {
	return func(c *gin.Context) error { return p.controlQueue(c, verb) }
}

// controlQueue pauses, resumes or reshards a queue if the user has confirmed the form. Otherwise, it
// answers with the page that asks for the confirmation. It returns a problem for an invalid number of
// shards.
func (p *Handlers) controlQueue(c *gin.Context, verb string) error {
	st, err := p.Manage.KnownQueue(c.Request.Context(), c.Param("queue"))
	if err != nil {
		return err
	}
	shards, _ := strconv.Atoi(request.Form(c).Get("shards")) // without a number, out of range
	in := request.Printer(c)
	if err := manage.CheckShards(shards); err != nil && verb == "reshard" {
		return problem.BadField("shards", in.Text("ops.control.shards", "n", queue.MaxShards))
	}
	ask := opsAsk{Do: in.Text("ops.do.control."+verb, "name", p.queueTitle(c, st.Name)), Back: back(c, opsQueueAt(st.Name, "")), Note: verb == "pause", marked: "/ops"}
	ask.Title = ask.Do
	ask.Text = in.Text("ops.control.asks."+verb,
		"n", st.Length, "busy", st.Busy, "shards", shards, "before", len(st.Shards))
	return p.confirm(c, ask, func() (err error) {
		if verb == "reshard" {
			_, err = p.Manage.Reshard(c.Request.Context(), st, shards)
		} else {
			_, err = p.Manage.PauseQueue(c.Request.Context(), st, verb == "pause", request.Form(c).Get("note"))
		}
		return seeOther(c, ask.Back, err)
	})
}

// back returns the path to redirect to after an act. If the form contains a path of the operators' pages
// without parameters, back returns that path. Otherwise, it returns `usual`.
func back(c *gin.Context, usual string) string {
	if to := request.Form(c).Get("to"); to == "/ops" || strings.HasPrefix(to, "/ops/") && !strings.Contains(to, "?") {
		return render.Inside(to)
	}
	return usual
}

// seeOther redirects to a path if err is nil. Otherwise, it returns err.
func seeOther(c *gin.Context, to string, err error) error {
	if err == nil {
		c.Redirect(http.StatusSeeOther, to)
	}
	return err
}

// opsControlNode serves POST /ops/nodes/{node}/drain and /undrain.
func (p *Handlers) opsControlNode(c *gin.Context) error {
	n, err := p.Manage.Node(c.Request.Context(), c.Param("node"))
	if err != nil {
		return err
	}
	shards := 0
	for _, list := range n.Shards {
		shards += len(list)
	}
	verb := c.Param("act")
	if verb != "drain" && verb != "undrain" {
		return problem.ErrNoPath
	}
	in := request.Printer(c)
	ask := opsAsk{Do: in.Text("ops.do.control."+verb, "name", render.Shown(n.Name)), Back: back(c, "/ops/nodes"), marked: "/ops/nodes"}
	ask.Title = ask.Do
	ask.Text = in.Text("ops.control.asks."+verb, "n", shards, "running", n.Running)
	return p.confirm(c, ask, func() error {
		_, err := p.Manage.DrainNode(c.Request.Context(), n, verb == "drain")
		return seeOther(c, ask.Back, err)
	})
}
