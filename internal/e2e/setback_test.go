//go:build all

package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// rolling is a deployment whose ledger is set back again and again.
type rolling struct {
	*deployment
	api       *testenv.Process
	workers   []*testenv.Process
	db        *ledger.DB
	keys      []string
	emptied   bool // Redis is emptied at the same time
	restarted bool // all processes are killed before the ledger is set back, and start again afterwards
}

// newRolling starts an API and two workers.
func newRolling(t *testing.T) *rolling {
	t.Helper()
	r := &rolling{deployment: newDeployment(t), keys: keysOfAShard(40)}
	r.env = append(r.env, "LEASE=1s")
	r.begin()
	db, err := ledger.Open(t.Context(), r.postgres, ledger.Options{MaxConns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	r.db = db
	writeLog(t, db)
	return r
}

func (r *rolling) begin() {
	r.t.Helper()
	r.api = r.deployment.api()
	r.workers = []*testenv.Process{r.worker(), r.worker()}
}

// back starts an import, and remembers the ledger when `ended` of its rows have ended. It sets the ledger back to
// that moment when `more` further rows have ended. Another import, accepted in between, is lost.
func (r *rolling) back(ended, more int) {
	r.t.Helper()
	file := keyedFile(r.t, r.keys)
	first := start(r.t, r.api.URL(), file).ID
	follow(r.t, r.api.URL(), first, processed(ended))
	moment := ledgers.Remember(r.t, r.postgres, "catalogue")
	lost := start(r.t, r.api.URL(), file).ID
	follow(r.t, r.api.URL(), first, processed(ended+more))
	r.setBack(moment)
	begun := time.Now()
	ids := []string{first, start(r.t, r.api.URL(), file).ID}
	r.ends(ids)
	if took := time.Since(begun); took > 2*time.Minute {
		r.t.Errorf("all was well after %v", took)
	}
	r.lastInOrder(ids)
	resp, err := client.Get(r.api.URL() + "/api/v1/tasks/" + lost)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotFound {
		r.t.Errorf("the task that is lost: %s", resp.Status)
	}
}

// ends waits until every row of the imports has finished according to the ledger, because polls may
// be answered from memory for a moment. Then it runs verify.
func (r *rolling) ends(ids []string) {
	r.t.Helper()
	for end, n := time.Now().Add(patience), 0; n < len(ids); time.Sleep(20 * time.Millisecond) {
		err := r.db.Read.Raw("SELECT count(*) FROM rollcall.tasks WHERE id IN ? AND finished_at > 0 AND finish = ?",
			ids, keyedRows()).Scan(&n).Error
		if err != nil || time.Now().After(end) {
			r.t.Fatalf("%d of %d imports have ended, %v", n, len(ids), err)
		}
	}
	if code, out := r.verify(); code != 0 {
		r.t.Errorf("verify, exit code %d:\n%s", code, out)
	}
}

// setBack sets the ledger back, and empties Redis and restarts processes if the variant requires
// it.
func (r *rolling) setBack(moment *ledgers.Moment) {
	r.t.Helper()
	if r.restarted {
		for _, p := range append(r.workers, r.api) {
			p.Kill()
		}
	}
	moment.SetBack()
	if r.emptied {
		(&scene{deployment: r.deployment}).cli("flushall")
	}
	if r.restarted {
		r.begin()
	}
}

// lastInOrder compares the last write of each row. Within a key, these writes must be in the order of
// the rows, and the last write of the key must be that of its newest row.
func (r *rolling) lastInOrder(ids []string) {
	r.t.Helper()
	var log []struct{ SKU, JobID string }
	if err := r.db.Read.Raw("SELECT sku, job_id FROM catalogue_log ORDER BY num").Scan(&log).Error; err != nil {
		r.t.Fatal(err)
	}
	last, writer := map[int]int{}, map[string]int{}
	for at, one := range log {
		id, _, _ := strings.Cut(one.JobID, ".")
		if writer[one.SKU] = 0; !slices.Contains(ids, id) {
			continue // the task was lost, or belongs to an earlier call of back
		}
		row := place(r.t, ids, one.JobID)
		last[row], writer[one.SKU] = at, row
	}
	rows, wrong, example := keyedRows(), 0, ""
	for i, key := range r.keys {
		before := -1
		for row := i + 1; row <= len(ids)*rows; row += len(r.keys) {
			if at, ran := last[row]; !ran || at < before {
				wrong++
				example += fmt.Sprintf("\n%s: row %d at %d (ran: %t), the rows before it until %d", key, row, at, ran, before)
			}
			before = max(before, last[row])
		}
		if want := (len(ids)*rows-i-1)/len(r.keys)*len(r.keys) + i + 1; writer[key] != want {
			r.t.Errorf("%s: row %d was written last, want %d", key, writer[key], want)
		}
	}
	if wrong > 0 {
		r.t.Errorf("%d rows of 2 tasks of %d were not written, or last behind a newer row of their key:%s",
			wrong, rows, example[:min(len(example), 2000)])
	}
}

// variants runs a test with Redis kept and emptied, and with processes that continue and that are
// restarted.
func variants(t *testing.T, story func(r *rolling, seed uint64)) {
	t.Parallel()
	for i := range 4 {
		emptied, restarted := i&1 != 0, i&2 != 0
		t.Run(fmt.Sprintf("emptied %t restarted %t", emptied, restarted), func(t *testing.T) {
			t.Parallel()
			r := newRolling(t)
			r.emptied, r.restarted = emptied, restarted
			story(r, uint64(i))
		})
	}
}

// TestSetBack_ThreeMoments_AllEndsInOrder sets a ledger back at the start, in the middle and at the
// end of an import.
func TestSetBack_ThreeMoments_AllEndsInOrder(t *testing.T) {
	variants(t, func(r *rolling, _ uint64) {
		rows, begin := keyedRows(), 0 // at row 0 the file is still being read, and another process continues the read only after 15 s
		if r.emptied != r.restarted {
			begin = rows / 10
		}
		r.back(begin, rows/3)
		r.back(rows/3, rows/4)
		r.back(rows*4/5, rows/5)
	})
}
