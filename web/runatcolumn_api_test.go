package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// startRows are rows with these times: in two hours, none, in the past, no time but a text, in three hours, and
// none. The last two rows have keys of earlier rows. The clock of a lab starts at 05:06:07 UTC on 4 March 2026.
const startRows = "SKU,Name,Price,Brand,Begin\n" +
	"S1,a,1,Acme,2026-03-04 07:06\n" +
	"S2,b,1,Acme,\n" +
	"S3,c,1,Acme,2026-03-01\n" +
	"S4,d,1,Acme,soon\n" +
	"S2,e,1,Acme,2026-03-04T09:06:00+01:00\n" +
	"S1,f,1,Acme,\n"

// TestRunAtColumn_OfAFile_DelaysEachRow: a cell that contains no time makes its row invalid.
func TestRunAtColumn_OfAFile_DelaysEachRow(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", startRows, `{"run_at_column":"Begin"}`)
	l.split()
	l.feed()
	l.why(id+".1", "WAITS_FOR_ITS_TIME", "NO_WORKER")
	l.why(id+".2", "NO_WORKER", "DUE")
	l.why(id+".3", "NO_WORKER", "DUE")
	bad := l.look("/api/v1/events/" + id + ".4").object()
	if bad["status"] != "failed" || bad["code"] != "INVALID_DATE" || bad["column"] != "Begin" || bad["value"] != "soon" {
		t.Errorf("the row without a time is %v", bad)
	}
	l.why(id+".5", "WAITS_FOR_ITS_TIME", "NO_WORKER", "BEHIND_ROW")
	if r := l.why(id+".6", "NO_WORKER", "BEHIND_ROW"); r["place"] != 1.0 {
		t.Errorf("the row behind the delayed one of its key: %v", r)
	}
	l.rowStarts(id+".1", "2026-03-04T07:06:00.000Z", "The row starts at 4 Mar 2026, 07:06 UTC.")
	l.pass(2 * time.Hour)
	l.feed()
	l.why(id+".1", "NO_WORKER", "DUE")
	l.why(id+".6", "NO_WORKER", "BEHIND_ROW")
	l.why(id+".5", "WAITS_FOR_ITS_TIME", "NO_WORKER", "BEHIND_ROW")
}

// TestRunAtColumn_CorrectedRow_WaitsForItsTime: a text that is no time is rejected again. A row
// that gets a time runs at this time.
func TestRunAtColumn_CorrectedRow_WaitsForItsTime(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("p.csv", startRows, `{"run_at_column":"Begin"}`)
	l.split()
	l.feed()
	l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"Begin":"later"}}}`).says("resubmitted", 0, "still_invalid", 1)
	l.review(id, "resubmit", `{"filter":{},"patch":{"set":{"Begin":"2026-03-04 07:06"}}}`).says("resubmitted", 1, "still_invalid", 0)
	l.feed()
	l.why(id+".4", "WAITS_FOR_ITS_TIME", "NO_WORKER")
	l.rowStarts(id+".4", "2026-03-04T07:06:00.000Z", "The row starts at 4 Mar 2026, 07:06 UTC.")
	l.pass(2 * time.Hour)
	l.feed()
	l.why(id+".4", "NO_WORKER", "DUE")
}

// rowStarts checks the start time of a row in the API and on its page.
func (l *lab) rowStarts(id, at, says string) {
	l.t.Helper()
	if got := l.look("/api/v1/events/" + id).object()["next_run_at"]; got != at {
		l.t.Errorf("%s runs at %v, want %s", id, got, at)
	}
	list := l.look("/api/v1/events/" + id + "/explain").object()["reasons"].([]any)
	if first := list[0].(map[string]any); first["detail"] != says || first["at"] != at {
		l.t.Errorf("%s is explained by %v, want %q", id, first, says)
	}
}

// TestRunAtColumn_RowsInJSON_AreDelayed: rows in JSON can use a column of the kind.
func TestRunAtColumn_RowsInJSON_AreDelayed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.postJSON("/tasks", `{"kind":"products.import","options":{"run_at_column":"Start"},"rows":[
		{"SKU":"S1","Name":"a","Price":1,"Brand":"Acme","Start":"2026-03-05"}]}`)
	r.is(http.StatusAccepted)
	id := r.object()["id"].(string)
	l.split()
	l.feed()
	l.why(id+".1", "WAITS_FOR_ITS_TIME", "NO_WORKER")
	page := string(l.look("/tasks/" + id + "/rows/1").body)
	if !strings.Contains(page, "The row starts at") {
		t.Error("the page of the row does not show when it starts:", page)
	}
}

// TestRunAtColumn_NotInTheFile_IsRejected tests a file without the column, and an open task.
func TestRunAtColumn_NotInTheFile_IsRejected(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.upload("p.csv", startRows, `{"run_at_column":"Beginn"}`).refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "run_at_column")
	l.postJSON("/tasks", `{"kind":"products.import","open":true,"options":{"run_at_column":"Start"}}`).
		refuses(http.StatusUnprocessableEntity, "INVALID_OPTIONS", "run_at_column")
}
