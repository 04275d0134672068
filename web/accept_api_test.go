package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestAccept_FailedRows_NeedNoCorrection accepts rows. The row, its explanation, the audit log and the
// result name the user and the reason. An accepted row does not run until a user opens it again.
func TestAccept_FailedRows_NeedNoCorrection(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l, id := brokenOn(t, url)
		l.patch(id+".2", `"1"`, `{"resolution":"accepted"}`).refuses(422, "INVALID_FIELD", "/note")
		l.review(id, "skip", `{"filter":{},"state":"accepted","note":" "}`).refuses(422, "INVALID_FIELD", "/note")
		l.patch(id+".2", `"1"`, `{"resolution":"accepted","note":"Entered by hand"}`).
			says("status", "failed", "resolution.state", "accepted", "resolution.by", "local", "resolution.note", "Entered by hand")
		l.look("/api/v1/tasks/"+id).says("counts.skipped", 1, "counts.failed", 3, "done", true)
		r := l.review(id, "skip", `{"ids":["`+id+`.3"],"state":"accepted","note":"Not sold"}`)
		r.says("act", "accept", "done", 1)
		l.why(id+".3", "FAILED", "ACCEPTED")
		if got := l.why(id+".3", "FAILED", "ACCEPTED")["detail"]; got != "local has accepted the row as it is: Not sold" {
			t.Errorf("the row is explained by %v", got)
		}
		l.review(id, "resubmit", `{"filter":{},"dry_run":true}`).says("matched", 1, "done", 0, "resubmitted", 0)
		l.review(id, "skip", `{"filter":{},"dry_run":true}`).says("matched", 1)
		list, _ := l.look("/api/v1/tasks/" + id + "/errors?resolution=accepted").items()
		if len(list) != 2 {
			t.Errorf("accepted rows: %v", list)
		}
		result := l.look("/api/v1/tasks/" + id + "/result?format=csv").body
		tells(t, result, "accepted", "local: Entered by hand", "local: Not sold")
		if strings.Count(result, "accepted") != 2 {
			t.Errorf("the result: %s", result)
		}
		tells(t, l.page("/tasks/"+id), "1 row accepted as it is")
		entries, _ := l.look("/api/v1/tasks/" + id + "/audit").items()
		if e := entries[0]; e["act"] != "accept" || e["note"] != "Not sold" || e["by"] != "local" {
			t.Errorf("the audit: %v", e)
		}
		l.agrees(id)

		undo := r.object()["act_id"].(string)
		l.postTo("/api/v1/tasks/"+id+"/undo", `{"act_id":"`+undo+`"}`).says("done", 1)
		l.look("/api/v1/events/"+id+".3").says("resolution.state", "open")
		l.review(id, "skip", `{"ids":["`+id+`.2"],"state":"open"}`).says("done", 1)
		l.look("/api/v1/tasks/"+id).says("counts.skipped", 0)
		l.agrees(id)
	})
}

// TestAccept_OnThePageOfARow_NeedsAReason accepts a row on its page. The page then offers to put the row back.
func TestAccept_OnThePageOfARow_NeedsAReason(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	at := "/tasks/" + id + "/rows/2"
	if r := l.submits(at, "version", "1", "act", "accept"); r.status != http.StatusUnprocessableEntity {
		t.Errorf("without a reason: %d", r.status)
	}
	tells(t, l.submits(at, "version", "1", "act", "accept", "note", "Entered by hand").body, "Row 3 is accepted as it is.", "Accepted", "Put this row back")
	tells(t, l.submits(at, "version", "2", "act", "open").body, "Accept as it is")
	l.look("/api/v1/events/"+id+".2").says("resolution.state", "open")
}

// TestAccept_RowsOfARepairPage_NeedAReason: accepted rows have an undo, and a list of their own.
func TestAccept_RowsOfARepairPage_NeedAReason(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	at := "/tasks/" + id + "/repair"
	act := []string{"act", "accept", "id", id + ".2", "id", id + ".3"}
	for _, note := range []string{"", " "} {
		r := l.submits(at, append(act, "note", note)...)
		if tells(t, r.body, "Enter a reason."); r.status != http.StatusUnprocessableEntity {
			t.Errorf("with the reason %q: %d", note, r.status)
		}
	}
	act = append(act, "note", "Entered by hand")
	tells(t, l.submits(at, act...).body, "Accept 2 rows as they are?", "Reason: Entered by hand", "Accept 2 rows")
	l.look("/api/v1/tasks/"+id).says("counts.skipped", 0)
	accepted := l.submits(at, append(act, "go", "1")...).body
	tells(t, accepted, "2 rows are accepted as they are.", "Undo", "Left out 2", "Accepted")
	l.look("/api/v1/events/"+id+".3").says("resolution.state", "accepted", "resolution.note", "Entered by hand")

	page := l.page(at + "?resolution=accepted")
	tells(t, page, "3 Accepted", "4 Accepted")
	if !strings.Contains(page, "resolution=accepted") || strings.Contains(page, id+".1\"") {
		t.Errorf("the list of accepted rows:\n%s", words(page))
	}
	undo := regexp.MustCompile(`name="act_id" value="(\w+)"`).FindStringSubmatch(accepted)
	if undo == nil {
		t.Fatal("the message has no undo")
	}
	l.submits(at, "act", "undo", "act_id", undo[1], "go", "1")
	l.look("/api/v1/events/"+id+".3").says("resolution.state", "open")
	if strings.Contains(l.page(at), "resolution=accepted") {
		t.Error("a tab of accepted rows, and none is")
	}
}

// TestPatch_EachResolutionOfTheContract_IsTaken: the contract offers no resolution that the service refuses.
func TestPatch_EachResolutionOfTheContract_IsTaken(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", heads+"S,,1,Acme\n", "")
	l.split()
	offered, _ := contract().at("components", "schemas", "EventPatch", "properties", "resolution")["enum"].([]any)
	if len(offered) < 5 {
		t.Fatalf("the contract offers %v", offered)
	}
	for _, one := range offered {
		tag := l.look("/api/v1/events/" + id + ".1").header.Get("ETag")
		l.patch(id+".1", tag, fmt.Sprintf(`{"resolution":%q,"note":"n"}`, one)).is(http.StatusOK)
	}
}
