package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// yard is a depot on a real Redis. Its keys A to D have failed and wait for a retry, and F has not
// run. Another tenant has a key A that has failed.
type yard struct {
	*depot
	opt redis.Options
	pre string // of the names in Redis
}

func newYard(t *testing.T) *yard {
	t.Helper()
	at, err := redis.ParseURL(testenv.Redis(t))
	fine(t, err)
	at.ContextTimeoutEnabled = true
	y := &yard{opt: *at, pre: testenv.Prefix(t)}
	y.depot = newDepotOn(t, ledgers.SQLite(t), func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, idle), worker.Define("idle", idle)))
		o.Queue = queue.NewClient(y.client(t), queue.ClientOptions{Prefix: y.pre, Queues: o.Kinds.Queues(), Now: o.Now})
	})
	y.acme.imported("No,tel\nC,+14155550171\nD,+14155550172\n")
	y.split()
	y.feed()
	y.fail("acme/A", "acme/B", "acme/C", "acme/D", "globex/A")
	y.acme.imported("No,tel\nF,+14155550173\n")
	y.split()
	y.feed()
	return y
}

func (y *yard) client(t *testing.T) *redis.Client {
	rdb := redis.NewClient(&y.opt)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// fail runs all due jobs, which fail, until the keys have failed.
func (y *yard) fail(keys ...string) {
	y.t.Helper()
	s := queue.NewServer(y.client(y.t.(*testing.T)), queue.ServerOptions{
		Prefix: y.pre, Node: "n1", Lease: 10 * time.Second, Poll: 20 * time.Millisecond, Now: y.clock,
	}, queue.Worker{
		Queue: patients, RetryIn: func(int) time.Duration { return time.Hour },
		Handle: func(context.Context, *queue.Batch) error { return errors.New("the machine is down") },
	})
	fine(y.t, s.Start(y.t.Context()))
	defer s.Stop()
	y.until("the keys have failed", func() bool {
		list, err := y.depot.lab.opt.Queue.Admin().KeySummaries(y.t.Context(), patients, keys...)
		return err == nil && !slices.ContainsFunc(list, func(s queue.KeySummary) bool { return !s.Failed })
	})
}

// stands returns the states of all keys and rows.
func (y *yard) stands() string {
	y.t.Helper()
	var b strings.Builder
	keys := []string{"acme/A", "acme/B", "acme/C", "acme/D", "acme/F", "globex/A"}
	list, err := y.depot.lab.opt.Queue.Admin().KeySummaries(y.t.Context(), patients, keys...)
	fine(y.t, err)
	for i, s := range list {
		fmt.Fprintf(&b, "%s %+v\n", keys[i], s)
	}
	var rows []map[string]any
	fine(y.t, y.db.Read.Raw("SELECT id, status, attempt, version FROM rollcall.events ORDER BY id").Scan(&rows).Error)
	return b.String() + fmt.Sprint(rows)
}

// acts performs an act as a dry run and then really. It checks that both have the same answer, and that
// the dry run changes nothing.
func (y *yard) acts(path, which string, touched int, missing ...string) {
	y.t.Helper()
	before := y.stands()
	for _, dry := range []bool{true, false} {
		r := y.acme.postTo(queuesPath+"/"+patients+path, fmt.Sprintf(`{%s,"dry_run":%t}`, which, dry))
		r.is(http.StatusOK)
		o := r.object()
		if o["touched"] != float64(touched) || o["dry_run"] != dry || fmt.Sprint(o["not_found"]) != fmt.Sprint(missing) {
			y.t.Errorf("%s %s (dry run: %t) = %s, want %d touched and %v not found", path, which, dry, r.body, touched, missing)
		}
		if now := y.stands(); dry && now != before {
			y.t.Errorf("a dry run of %s %s changed\n%s\nto\n%s", path, which, before, now)
		}
	}
}

// where checks which of the keys are in a state.
func (y *yard) where(is func(queue.KeySummary) bool, want string) {
	y.t.Helper()
	keys, found := []string{"acme/A", "acme/B", "acme/C", "acme/D", "acme/F", "globex/A"}, []string{}
	list, err := y.depot.lab.opt.Queue.Admin().KeySummaries(y.t.Context(), patients, keys...)
	fine(y.t, err)
	for i, s := range list {
		if is(s) {
			found = append(found, keys[i])
		}
	}
	if got := strings.Join(found, " "); got != want {
		y.t.Errorf("they are %q, want %q", got, want)
	}
}

func isLater(s queue.KeySummary) bool   { return s.Later }
func isDead(s queue.KeySummary) bool    { return s.Dead }
func isWaiting(s queue.KeySummary) bool { return s.Waiting }

// TestActsOnKeys_ChosenKeys_TouchThoseOnly performs each act, as a dry run and really, on named
// keys and then on all. Keys of another tenant stay.
func TestActsOnKeys_ChosenKeys_TouchThoseOnly(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	const named, all = `"ids":["A","F","none","A"]`, `"all":true`

	y.acts("/perform-all-now", named, 1, "F", "none")
	y.where(isLater, "acme/B acme/C acme/D globex/A")
	y.acts("/perform-all-now", all, 3)
	y.where(isLater, "globex/A")

	y.acts("/kill-failed", named, 1, "F", "none")
	y.where(isDead, "acme/A")
	y.acts("/kill-failed", all, 3)
	y.where(isDead, "acme/A acme/B acme/C acme/D")
	var begun int64
	fine(t, y.db.Read.Raw("SELECT count(*) FROM rollcall.events WHERE status = 'error' AND attempt > 0").Scan(&begun).Error)
	if begun != 0 {
		t.Errorf("%d rows that never began have an attempt", begun)
	}
	y.where(isWaiting, "acme/F globex/A")

	y.acts("/morgue/requeue", named, 1, "F", "none")
	y.where(isDead, "acme/B acme/C acme/D")
	y.acts("/morgue/requeue", all, 3)
	y.where(isDead, "")
	y.feed()
	y.fail("acme/A", "acme/B", "acme/C", "acme/D", "acme/F")

	y.acts("/delete-failed", `"ids":["A","none"]`, 1, "none")
	y.where(isWaiting, "acme/B acme/C acme/D acme/F globex/A")
	y.acts("/kill-failed", `"ids":["B","C","D"]`, 3)
	y.acts("/delete-failed", all, 1)
	y.where(isWaiting, "globex/A")

	y.acts("/morgue/delete", `"ids":["B","F"]`, 1, "F")
	y.where(isDead, "acme/C acme/D")
	y.acts("/morgue/delete", all, 2)
	y.where(isDead, "")
	y.where(isWaiting, "globex/A")

	list, _ := y.acme.look("/api/v1/audit").items()
	if len(list) != 12 || list[11]["act"] != "create-key" || list[0]["act"] != "delete-dead" || list[0]["touched"] != 2.0 || list[0]["detail"] != nil ||
		!strings.Contains(fmt.Sprint(list[1]["detail"]), "B F") {
		t.Errorf("the audit tells %v", list)
	}
}

// TestActsOnKeys_KeysNotSaid_Refused: the request has neither keys nor all, both, no keys, too many
// keys, or keys in another member, which was once ignored.
func TestActsOnKeys_KeysNotSaid_Refused(t *testing.T) {
	t.Parallel()
	y := newYard(t)
	before := y.stands()
	many := `{"ids":["` + strings.Repeat(`A","`, 1000) + `A"]}`
	for _, path := range []string{"/perform-all-now", "/kill-failed", "/delete-failed", "/morgue/requeue", "/morgue/delete"} {
		at := queuesPath + "/" + patients + path
		for body, says := range map[string]string{
			`{}`: "selects no keys", `{"dry_run":true}`: "selects no keys", `{"all":false}`: "selects no keys",
			`{"ids":null}`: "selects no keys", `{"ids":["A"],"all":true}`: "not both", `{"ids":[],"all":true}`: "not both",
			`{"ids":[]}`: "1 to 1000 entries", many: "1 to 1000 entries", `{"keys":["A"]}`: "There are: ids, all, dry_run",
			`{"ids":["A"],"All":true}`: "Unknown field", `{"all":"yes"}`: "cannot be a string",
		} {
			y.acme.postTo(at, body).refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", says)
		}
		y.acme.call(http.MethodPost, at, "").refuses(http.StatusUnprocessableEntity, "INVALID_FIELD", "selects no keys")
		y.acme.call(http.MethodPost, at+"?all=true", "").refuses(http.StatusBadRequest, "INVALID_PARAMETER", "?all")
		y.acme.call(http.MethodPost, at, "all=true", "Content-Type", formType).refuses(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	}
	if now := y.stands(); now != before {
		t.Errorf("refused requests changed\n%s\nto\n%s", before, now)
	}
}
