package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// unique creates a task whose keys must be unique. S1 has finished, and S2 and S3 are invalid.
func unique(t *testing.T, url string) (l *lab, id string) {
	t.Helper()
	l = newLabOn(t, url)
	id = l.accepted("p.csv", heads+"S1,a,1,Acme\nS2,b,-2,Acme\nS3,c,-3,Acme\n", `{"duplicates":"error"}`)
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.pass(1000)
	return l, id
}

// TestCorrections_RowsOntoOneKey_AreJudgedAsByRepair moves two rows onto one key in one
// file: one of them runs, as after the same edit by bulk repair.
func TestCorrections_RowsOntoOneKey_AreJudgedAsByRepair(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := unique(t, url)
		repaired := l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"SKU":"Z","Price":"1"}},"dry_run":true}`)
		repaired.says("matched", 2, "changed", 2, "valid", 1, "still_invalid", 1)

		content := l.edited(id, "S2,b,-2", "Z,b,1", "S3,c,-3", "Z,c,1")
		want := map[string]int{"matched": 3, "changed": 2, "resubmitted": 1, "still_invalid": 1, "unchanged": 1}
		l.correct(id, "p.csv", content, field("dry_run", "true")).counts(http.StatusOK, want)
		r := l.correct(id, "p.csv", content)
		r.counts(http.StatusAccepted, want)
		for _, text := range []string{`"code":"DUPLICATE_KEY"`, `"column":"SKU"`, `"event_id":"` + id + `.3"`, "Row 3 has the same key"} {
			if !strings.Contains(r.body, text) {
				t.Errorf("the answer does not say %s: %s", text, r.body)
			}
		}
		l.look("/api/v1/events/"+id+".2").says("status", "enqueue", "key", "Z", "params.Price", "1")
		l.look("/api/v1/events/"+id+".3").says("status", "failed", "code", "DUPLICATE_KEY", "key", "Z", "params.Price", "1")
		l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 0, "still_invalid", 1)
	})
}

// TestCorrections_KeyOfAFinishedRow_StaysInvalid moves a row onto the key of a finished row. The row stays
// invalid until a later file gives it another key.
func TestCorrections_KeyOfAFinishedRow_StaysInvalid(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := unique(t, url)
		want := map[string]int{"matched": 3, "changed": 1, "still_invalid": 1, "unchanged": 2}
		r := l.correct(id, "p.csv", l.edited(id, "S2,b,-2", "S1,b,2"))
		r.counts(http.StatusAccepted, want)
		if !strings.Contains(r.body, `"code":"DUPLICATE_KEY"`) {
			t.Errorf("the answer does not say why: %s", r.body)
		}
		r = l.correct(id, "p.csv", l.edited(id, "S1,b,2", "S1,b,3"))
		r.counts(http.StatusAccepted, want)
		r = l.correct(id, "p.csv", l.edited(id, "S1,b,3", "S4,b,3"))
		r.counts(http.StatusAccepted, map[string]int{"matched": 3, "changed": 1, "resubmitted": 1, "unchanged": 2})
	})
}

// TestCorrections_SwappedKeys_BothRun: each of two rows leaves the key that the other wants.
func TestCorrections_SwappedKeys_BothRun(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := unique(t, url)
		content := l.edited(id, "S2,b,-2", "S3,b,2", "S3,c,-3", "S2,c,3")
		want := map[string]int{"matched": 3, "changed": 2, "resubmitted": 2, "unchanged": 1}
		l.correct(id, "p.csv", content, field("dry_run", "true")).counts(http.StatusOK, want)
		l.correct(id, "p.csv", content).counts(http.StatusAccepted, want)
		l.look("/api/v1/events/"+id+".2").says("status", "enqueue", "key", "S3")
		l.look("/api/v1/events/"+id+".3").says("status", "enqueue", "key", "S2")
	})
}

// TestCorrections_OneKeyFarApart_IsFoundByADryRunToo moves two rows onto one key. Different transactions validate
// these rows.
func TestCorrections_OneKeyFarApart_IsFoundByADryRunToo(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		text := heads
		for i := range 1100 {
			text += fmt.Sprintf("S%d,a,-1,Acme\n", i)
		}
		id := l.accepted("p.csv", text, `{"duplicates":"error"}`)
		l.split()
		content := l.edited(id, "S0,a,-1", "Z,a,1", "S1099,a,-1", "Z,a,1")
		want := map[string]int{"matched": 1100, "changed": 2, "resubmitted": 1, "still_invalid": 1, "unchanged": 1098}
		l.correct(id, "p.csv", content, field("dry_run", "true")).counts(http.StatusOK, want)
		l.correct(id, "p.csv", content).counts(http.StatusAccepted, want)
	})
}

// TestKeys_RowThatHeldOne_MakesRoom: rows 2 and 4 are invalid, because rows 1 and 3 have the same keys. They run
// after row 1 gets another key and row 3 is skipped. Row 3 is then a duplicate when it is reopened.
func TestKeys_RowThatHeldOne_MakesRoom(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"S1,a,-1,Acme\nS1,b,2,Acme\nS2,c,-3,Acme\nS2,d,4,Acme\n", `{"duplicates":"error"}`)
		l.split()
		l.pass(1000)
		l.look("/api/v1/events/"+id+".2").says("code", "DUPLICATE_KEY")
		l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 0, "still_invalid", 4)

		l.patch(id+".1", `"1"`, `{"params":{"SKU":"S9"}}`).says("key", "S9", "code", "PRICE_NOT_POSITIVE")
		l.review(id, "skip", `{"ids":["`+id+`.3"]}`).says("done", 1)
		l.review(id, "resubmit", `{"filter":{},"dry_run":true}`).says("valid", 2, "still_invalid", 1)
		l.review(id, "resubmit", `{"filter":{}}`).says("resubmitted", 2, "still_invalid", 1)

		l.review(id, "skip", `{"ids":["`+id+`.3"],"state":"open"}`).says("done", 1)
		l.look("/api/v1/events/"+id+".3").says("resolution.state", "open", "code", "DUPLICATE_KEY")
		l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"Price":"1"}}}`).says("resubmitted", 1, "still_invalid", 1)
	})
}

// TestCorrections_RowTooLarge_IsRefused: the row keeps its values.
func TestCorrections_RowTooLarge_IsRefused(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", strings.TrimSpace(heads)+",a,b,c,d,e,f,g\nS1,a,-1,Acme,1,1,1,1,1,1,1\n", "")
		l.split()
		many := strings.Repeat(","+strings.Repeat("x", 30_000), 7)
		want := map[string]int{"matched": 1, "changed": 1, "refused": 1}
		content := l.edited(id, "-1,Acme,1,1,1,1,1,1,1", "-1,Acme"+many)
		l.correct(id, "p.csv", content, field("dry_run", "true")).counts(http.StatusOK, want)
		r := l.correct(id, "p.csv", content)
		r.counts(http.StatusAccepted, want)
		if !strings.Contains(r.body, `"code":"ROW_TOO_LARGE"`) {
			t.Errorf("the answer does not say why: %s", r.body)
		}
		l.look("/api/v1/events/"+id+".1").says("code", "PRICE_NOT_POSITIVE", "params.a", "1", "version", 1)
	})
}
