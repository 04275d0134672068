package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// table is a simulation of a frontend that shows a page of rows and reads only its changes.
type table struct {
	l       *lab
	path    string // with the filter
	version string
	rows    map[string]map[string]any // by id
}

func (l *lab) table(id, filter string) *table {
	l.t.Helper()
	t := &table{l: l, path: "/api/v1/tasks/" + id + "/events?" + filter, rows: map[string]map[string]any{}}
	t.refresh()
	return t
}

// refresh reads the changes, and returns the seqs of the added or changed rows and of the removed rows.
func (t *table) refresh() (changed, gone []int) {
	t.l.t.Helper()
	r := t.l.look(t.path + "&since=" + url.QueryEscape(t.version))
	list, _ := r.items()
	o := r.object()
	for _, row := range list {
		t.rows[row["id"].(string)] = row
		changed = append(changed, int(row["seq"].(float64)))
	}
	left, _ := o["gone"].([]any)
	if (o["gone"] != nil) != (t.version != "") {
		t.l.t.Errorf("gone = %v", o["gone"])
	}
	for _, id := range left {
		gone = append(gone, int(t.rows[id.(string)]["seq"].(float64)))
		delete(t.rows, id.(string))
	}
	t.version = o["version"].(string)
	return changed, gone
}

// current compares the table with the page.
func (t *table) current() {
	t.l.t.Helper()
	list, _ := t.l.look(t.path).items()
	want := map[string]map[string]any{}
	for _, row := range list {
		want[row["id"].(string)] = row
	}
	if diff := cmp.Diff(want, t.rows); diff != "" {
		t.l.t.Fatalf("the table is not the page (-page +table):\n%s", diff)
	}
}

// refreshes checks what a refresh brings.
func (t *table) refreshes(changed, gone []int) {
	t.l.t.Helper()
	c, g := t.refresh()
	if !slices.Equal(c, changed) || !slices.Equal(g, gone) {
		t.l.t.Errorf("%s: changed %v and gone %v, want %v and %v", t.path, c, g, changed, gone)
	}
	t.current()
}

func TestOnlyWhatHasChangedOfAPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(100), "")
	l.split()
	page := l.table(id, "limit=10")
	next := l.look("/api/v1/tasks/" + id + "/events?limit=10").object()["next_cursor"].(string)
	second := l.table(id, "limit=10&cursor="+url.QueryEscape(next))
	bad := l.table(id, "status=failed,error")
	page.refreshes(nil, nil)

	l.move(id, events.Working, nil, 3, 12)
	l.move(id, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Message: "no such brand"}, 5, 15, 50)
	page.refreshes([]int{3, 5}, nil)
	second.refreshes([]int{12, 15}, nil)
	bad.refreshes([]int{5, 15, 50}, nil)
	page.refreshes(nil, nil)

	l.postTo("/api/v1/tasks/"+id+"/skip", fmt.Sprintf(`{"ids":["%s.15"]}`, id)).is(200)
	second.refreshes([]int{15}, nil)
	l.postTo("/api/v1/tasks/"+id+"/resubmit", fmt.Sprintf(`{"ids":["%s.5"]}`, id)).is(202)
	page.refreshes([]int{5}, nil)
	bad.refreshes([]int{15}, []int{5})

	version := fmt.Sprint(l.task(id).Version)
	page.version = version // of the task
	page.refreshes(nil, nil)
	l.move(id, events.Finish, nil, 1)
	page.version = version
	if c, _ := page.refresh(); len(c) != 10 {
		t.Errorf("of a task that has changed since its version, %v come", c)
	}
	page.current()
}

// TestAChangeWhileAPageIsRead changes a row between the read of the task and the read of its rows.
func TestAChangeWhileAPageIsRead(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(3), "")
	l.split()
	page := l.table(id, "limit=10")
	page.version = fmt.Sprint(l.task(id).Version) // of the task
	var armed atomic.Bool
	armed.Store(true)
	fine(t, l.db.Read.Callback().Query().Before("gorm:query").Register("meanwhile", func(tx ledger.Gorm) {
		if tx.Statement.Table == "events" && armed.CompareAndSwap(true, false) {
			l.move(id, events.Finish, nil, 2)
		}
	}))
	page.refresh()
	if armed.Load() {
		t.Error("nothing came between")
	}
	page.current()
	page.refreshes(nil, nil)
}

// TestATableIsNeverLeftBehind: after any changes, and any number of refreshes, the table equals the
// page.
func TestATableIsNeverLeftBehind(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	dice := rand.New(rand.NewPCG(seed, 0))
	l := newLab(t)
	id := l.accepted("a.csv", rows(20), "")
	l.split()
	all, waiting := l.table(id, "limit=500"), l.table(id, "status=enqueue")
	left := seqs(20)
	for len(left) > 0 {
		for range 1 + dice.IntN(3) {
			if len(left) == 0 {
				break
			}
			i := dice.IntN(len(left))
			to := []events.Status{events.Finish, events.Working, events.Failed}[dice.IntN(3)]
			l.move(id, to, map[bool]*events.Failure{true: {Code: "X", Message: "x"}}[to == events.Failed], left[i])
			left = slices.Delete(left, i, i+1)
		}
		for _, one := range []*table{all, waiting} {
			if dice.IntN(2) == 0 {
				one.refresh()
				one.current()
			}
		}
	}
	all.refresh()
	all.current()
	if t.Failed() {
		t.Logf("seed %d", seed)
	}
}

func TestSinceThatIsNone(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(2), "")
	l.split()
	path := "/api/v1/tasks/" + id + "/events?since="
	for _, bad := range []string{
		"x", "-1", "1.5", "v!", "vAA", "vgICAgICAgICAgAE", "v_w", "v" + strings.Repeat("AQEB", 3000), "99999999999999999999",
	} {
		l.look(path+url.QueryEscape(bad)).refuses(400, "INVALID_PARAMETER", `"pointer":"?since"`)
	}
	other := l.accepted("b.csv", rows(2), "")
	l.split()
	theirs := l.look("/api/v1/tasks/" + other + "/events").object()["version"].(string)
	l.look(path+theirs).refuses(400, "INVALID_PARAMETER", `"pointer":"?since"`)
	l.look("/api/v1/tasks/"+id+"/errors?since=1").refuses(400, "INVALID_PARAMETER", `There are: status`)
	l.look("/api/v1/tasks/"+id+"/events?since=1&since=2").refuses(400, "INVALID_PARAMETER", `"pointer":"?since"`, "Send it once")
}
