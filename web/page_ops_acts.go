package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/operate"
	"github.com/rollcall-dev/rollcall/queue"
)

// opsAct is what an operator can do to keys of a queue: those that are chosen, or
// all that it can be done to.
type opsAct struct {
	Verb   string      // as the audit and the API have it, if all are meant
	Words  string      // of its button
	All    string      // of its button for all
	chosen string      // its verb for keys that are chosen
	list   string      // of which list it is
	only   queue.Query // which of the list, if all are meant
	means  string      // what becomes of keys
	did    string      // what has become of them
	do     act
}

// opsActs are the acts of a list, in the order of their buttons.
func opsActs(list string) []opsAct {
	failed := queue.Query{By: queue.ByRetryCount, Min: "0"}
	if list == "waiting" {
		return []opsAct{
			{
				"perform-all-now", "Perform now", "Perform all now", "perform-now", list,
				queue.Query{By: queue.ByRunAt},
				"made due now. Retry counts stay.", "made due", (*operate.Desk).PerformAll,
			},
			{
				"kill-failed", "Kill", "Kill all that failed", "kill", list, failed,
				"moved to the morgue with all jobs, whose rows end as errors.", "killed", (*operate.Desk).KillFailed,
			},
			{
				"delete-failed", "Delete", "Delete all that failed", "delete", list, failed,
				"deleted with all jobs, whose rows end as canceled. This cannot be undone.", "deleted",
				(*operate.Desk).DeleteFailed,
			},
		}
	}
	return []opsAct{
		{
			"requeue", "Requeue", "Requeue all", "requeue", list,
			queue.Query{},
			"brought back from the morgue. The rows are resubmitted, with all retries; those of canceled tasks stay.",
			"requeued", (*operate.Desk).Requeue,
		},
		{
			"delete-dead", "Delete", "Delete all", "delete-dead", list,
			queue.Query{},
			"deleted from the morgue. The rows stay as errors, and can be resubmitted.", "deleted",
			(*operate.Desk).Discard,
		},
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
func saidOfKeys(verb string, n, of int) string {
	a, known := opsActOf(verb)
	switch {
	case !known:
		return ""
	case n < of:
		return fmt.Sprintf("%d of %d keys %s. The others had run meanwhile, or could not be.", n, of, a.did)
	}
	return fmt.Sprintf("%s %s.", keysOf(n, false), a.did)
}

// opsActOnKeys serves POST /ops/queues/{queue}/acts: asks with how many keys it
// is about, and acts when that is meant.
func (p *pages) opsActOnKeys(c *gin.Context) error {
	form, err := p.shortForm(c)
	if err != nil {
		return err
	}
	name := c.Param("queue")
	a, known := opsActOf(form.Get("act"))
	if !known || len(form["key"]) > maxActKeys {
		return errNoPath
	}
	back := opsQueueAt(name, a.list)
	keys := form["key"]
	if form.Get("all") == "yes" {
		keys = nil
	} else if len(keys) == 0 {
		return p.done(c, back, "none", 0, 0)
	}
	if form.Get("meant") != "yes" {
		return p.askOfKeys(c, form, a, keys)
	}
	verb := a.Verb
	if keys != nil {
		verb = a.chosen
	}
	n, err := p.actOn(c, verb, keys, a.do)
	if err != nil {
		return err
	}
	of, _ := strconv.Atoi(form.Get("of")) // without it, none
	return p.done(c, back, a.Verb, n, of)
}

// askOfKeys asks whether an act is meant, and counts what it is about.
func (p *pages) askOfKeys(c *gin.Context, form url.Values, a opsAct, keys []string) error {
	name, n, more := c.Param("queue"), len(keys), false
	if keys == nil {
		var err error
		if n, more, err = p.countKeys(c.Request.Context(), p.tenant(c), name, a); err != nil {
			return err
		}
	}
	form.Set("of", strconv.Itoa(n))
	ask := opsAsk{
		opsFrame: p.opsFrame(c, a.Words+" in "+shown(name), "/ops"), Do: a.Words, Back: opsQueueAt(name, a.list),
		Text: fmt.Sprintf("%s of your tenant in %s, to be %s", keysOf(n, more), shown(name), a.means),
	}
	_, err := p.meant(c, form, ask)
	return err
}

// keysOf is a number of keys in words.
func keysOf(n int, more bool) string {
	words := fmt.Sprintf("%d keys", n)
	if n == 1 {
		words = "1 key"
	}
	if more {
		words = "More than " + words
	}
	return words
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
func (p *pages) opsTurnQueue(c *gin.Context) error {
	form, err := p.shortForm(c)
	if err != nil {
		return err
	}
	st, err := p.ownQueue(c)
	if err != nil {
		return err
	}
	back := opsQueueAt(st.Name, "")
	ask := opsAsk{opsFrame: p.opsFrame(c, "", "/ops"), Back: back}
	shards, _ := strconv.Atoi(form.Get("shards")) // without a number, out of range
	switch c.Param("act") {
	case "pause":
		ask.Title, ask.Do = "Pause "+shown(st.Name), "Pause it"
		ask.Text = fmt.Sprintf("Nothing more of it is started, for all tenants: %s wait. What runs ends (%d). Imports go on being taken.",
			keysOf(int(st.Length), false), st.Busy)
	case "resume":
		ask.Title, ask.Do = "Resume "+shown(st.Name), "Resume it"
		ask.Text = keysOf(int(st.Length), false) + " wait."
	case "reshard":
		if err := checkShards(shards); err != nil {
			return err
		}
		ask.Title, ask.Do = "Reshard "+shown(st.Name), "Reshard it"
		ask.Text = fmt.Sprintf("The queue gets %d shards instead of %d, while it works. %s move, in their order.",
			shards, len(st.Shards), keysOf(int(st.Length), false))
	default:
		return errNoPath
	}
	if yes, err := p.meant(c, form, ask); !yes {
		return err
	}
	verb := c.Param("act")
	if verb == "reshard" {
		_, err = p.cutQueue(c, st, shards)
	} else {
		_, err = p.turnQueue(c, st, verb == "pause")
	}
	if err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, back)
	return nil
}

// opsTurnNode serves POST /ops/nodes/{node}/drain and /undrain.
func (p *pages) opsTurnNode(c *gin.Context) error {
	form, err := p.shortForm(c)
	if err != nil {
		return err
	}
	n, err := p.ownNode(c)
	if err != nil {
		return err
	}
	shards := 0
	for _, list := range n.Shards {
		shards += len(list)
	}
	ask := opsAsk{opsFrame: p.opsFrame(c, "Drain "+shown(n.Name), "/ops/nodes"), Do: "Drain it", Back: "/ops/nodes"}
	ask.Text = fmt.Sprintf("The node gives its %d shards to the others once what it runs has ended (%d), and takes none "+
		"until it is undrained.", shards, n.Running)
	drain := c.Param("act") == "drain"
	if !drain {
		if c.Param("act") != "undrain" {
			return errNoPath
		}
		ask.Title, ask.Do, ask.Text = "Undrain "+shown(n.Name), "Undrain it", "The node takes its share of the shards again."
	}
	if yes, err := p.meant(c, form, ask); !yes {
		return err
	}
	if _, err := p.turnNode(c, n, drain); err != nil {
		return err
	}
	c.Redirect(http.StatusSeeOther, "/ops/nodes")
	return nil
}
