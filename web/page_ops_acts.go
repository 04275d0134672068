package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// opsAct is what an operator can do to keys of a queue: those that are chosen, or
// all that it can be done to.
type opsAct struct {
	Verb   string      // as the audit and the API have it, if all are meant
	chosen string      // its verb for keys that are chosen
	list   string      // of which list it is
	only   queue.Query // which of the list, if all are meant
	all    act         // on all that it can be done to
	some   act         // on keys that are chosen
}

// opsActs are the acts of a list, in the order of their buttons.
func opsActs(list string) []opsAct {
	failed := queue.Query{By: queue.ByRetryCount, Min: "0"}
	if list == "waiting" {
		return []opsAct{
			{"perform-all-now", "perform-now", list, queue.Query{By: queue.ByRunAt}, (*operate.Desk).PerformNow, (*operate.Desk).PerformNow},
			{"kill-failed", "kill", list, failed, (*operate.Desk).KillFailed, (*operate.Desk).Kill},
			{"delete-failed", "delete", list, failed, (*operate.Desk).DeleteFailed, (*operate.Desk).Delete},
		}
	}
	return []opsAct{
		{"requeue", "requeue", list, queue.Query{}, requeueKeys, requeueKeys},
		{"delete-dead", "delete-dead", list, queue.Query{}, (*operate.Desk).Discard, (*operate.Desk).Discard},
	}
}

// opsActOf is the act of a verb.
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

// saidOfKeys says what an act has done, of how many keys that were meant.
func (in tongue) saidOfKeys(verb string, n, of int) string {
	if n < of {
		part := in.say("ops.keys.part", "n", n, "of", of)
		return in.say("ops.did."+verb, "keys", part) + " " + in.say("ops.did.rest")
	}
	return in.say("ops.did."+verb, "keys", in.say("ops.keys", "n", n))
}

// opsActOnKeys serves POST /ops/queues/{queue}/acts: asks with how many keys it
// is about, and acts when that is meant.
func (p *pages) opsActOnKeys(c *gin.Context) error {
	form := formOf(c)
	a, known := opsActOf(form.Get("act"))
	if !known || len(form["key"]) > maxActKeys {
		return problem.ErrNoPath
	}
	back := opsQueueAt(c.Param("queue"), a.list)
	in := &keysRequest{IDs: form["key"], All: form.Get("all") == "yes"}
	switch {
	case in.All && in.IDs != nil:
		return problem.BadMember("all", http.StatusUnprocessableEntity, tongueOf(c).say("ops.keys.both"))
	case !in.All && in.IDs == nil:
		return p.done(c, back, "none", 0, 0)
	case form.Get("meant") != "yes":
		return p.askOfKeys(c, a, in)
	}
	verb, do := a.chosen, a.some
	if in.All {
		verb, do = a.Verb, a.all
	}
	out, err := p.actOn(c, verb, p.order(c, in), do)
	if err != nil {
		return err
	}
	of, _ := strconv.Atoi(form.Get("of")) // without it, none
	return p.done(c, back, a.Verb, out.Touched, of)
}

// askOfKeys asks whether an act is meant, and counts what it is about.
func (p *pages) askOfKeys(c *gin.Context, a opsAct, which *keysRequest) error {
	name, n, more := c.Param("queue"), len(which.IDs), false
	if which.All {
		var err error
		if n, more, err = p.countKeys(c.Request.Context(), p.tenant(c), name, a); err != nil {
			return err
		}
	}
	formOf(c).Set("of", strconv.Itoa(n))
	in, counted := tongueOf(c), "ops.keys"
	ask := opsAsk{Do: in.say("ops.do."+a.Verb, "keys", in.say("ops.keys", "n", n)), Back: opsQueueAt(name, a.list), door: "/ops"}
	if more {
		counted, ask.Do = "ops.keys.over", in.say("ops.all."+a.Verb)
	}
	ask.Title = in.say("ops.asks.title", "act", in.say("ops.act."+a.Verb), "queue", shown(name))
	ask.Text = in.say("ops.asks."+a.Verb, "keys", in.say(counted, "n", n), "queue", shown(name))
	return p.confirmed(c, ask, nil) // it was not confirmed yet
}

// maxCounted is the most keys that are counted before an act.
const maxCounted = 10_000

// countKeys counts what an act would touch if all were meant.
func (p *pages) countKeys(
	ctx context.Context, tenant, name string, a opsAct,
) (n int, more bool, err error) {
	q, list := a.only, p.opt.Queue.Admin().Waiting
	if a.list == "morgue" {
		list = p.opt.Queue.Admin().Morgue
	}
	if q.By == queue.ByRunAt {
		q.Min = strconv.FormatInt(p.opt.Now().UnixMilli()+1, 10)
	}
	q.Prefix, q.Limit, q.Each = tenant+"/", 1000, 1
	for {
		page, err := list(ctx, name, q)
		if err = p.unlessFresh(name, err); err != nil {
			return n, more, err
		}
		n += len(page.Keys)
		if q.Cursor = page.Cursor; q.Cursor == "" || n >= maxCounted {
			return n, q.Cursor != "", nil
		}
	}
}

// opsTurnQueue serves POST /ops/queues/{queue}/turn/pause, /turn/resume and
// /turn/reshard.
func (p *pages) opsTurnQueue(verb string) handler {
	return func(c *gin.Context) error { return p.askToTurn(c, verb) }
}

// askToTurn turns a queue if that is meant; else it asks.
func (p *pages) askToTurn(c *gin.Context, verb string) error {
	st, err := p.wholeQueue(c)
	if err != nil {
		return err
	}
	shards, _ := strconv.Atoi(formOf(c).Get("shards")) // without a number, out of range
	in := tongueOf(c)
	if err := checkShards(shards); err != nil && verb == "reshard" {
		return problem.BadField("shards", in.say("ops.turn.shards", "n", queue.MaxShards))
	}
	ask := opsAsk{Do: in.say("ops.turn." + verb), Back: opsQueueAt(st.Name, ""), door: "/ops"}
	ask.Title = in.say("ops.turn.queue", "act", ask.Do, "name", shown(st.Name))
	ask.Text = in.say("ops.turn.asks."+verb,
		"n", st.Length, "busy", st.Busy, "shards", shards, "before", len(st.Shards))
	return p.confirmed(c, ask, func() (err error) {
		if verb == "reshard" {
			_, err = p.cutQueue(c, st, shards)
		} else {
			_, err = p.turnQueue(c, st, verb == "pause")
		}
		return seeOther(c, ask.Back, err)
	})
}

// seeOther leads to a page after an act that went well.
func seeOther(c *gin.Context, to string, err error) error {
	if err == nil {
		c.Redirect(http.StatusSeeOther, to)
	}
	return err
}

// opsTurnNode serves POST /ops/nodes/{node}/drain and /undrain.
func (p *pages) opsTurnNode(c *gin.Context) error {
	n, err := p.nodeOf(c)
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
	in := tongueOf(c)
	ask := opsAsk{Do: in.say("ops.turn." + verb), Back: "/ops/nodes", door: "/ops/nodes"}
	ask.Title = in.say("ops.turn.node", "act", ask.Do, "name", shown(n.Name))
	ask.Text = in.say("ops.turn.asks."+verb, "n", shards, "running", n.Running)
	return p.confirmed(c, ask, func() error {
		_, err := p.turnNode(c, n, verb == "drain")
		return seeOther(c, ask.Back, err)
	})
}
