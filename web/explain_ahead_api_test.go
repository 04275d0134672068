package web_test

import (
	"strings"
	"testing"
)

// TestExplain_TaskWaitsBehindAnother_NamesIt tests a task with rows to feed, and one whose file is
// not read.
func TestExplain_TaskWaitsBehindAnother_NamesIt(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	first := d.acme.imported("No,tel\nX,+14155550177\nY,+14155550178\n")
	later := d.acme.imported("No,tel\nZ,+14155550177\n")
	d.split()
	d.acme.why(first+".2", "NO_WORKER", "NOT_FED")
	r := d.acme.why(later+".1", "NO_WORKER", "BEHIND_TASK")
	if r["behind"] != first || r["place"] != 2.0 || !strings.Contains(r["detail"].(string), "“a.csv” comes first: 2 rows are pushed") {
		t.Errorf("behind a task: %v", r)
	}
	fine(t, d.db.Write.Exec("UPDATE rollcall.feeds SET unfed = 0, reading = TRUE WHERE task_num = (SELECT num FROM rollcall.tasks WHERE id = ?)", first).Error)
	r = d.acme.why(later+".1", "NO_WORKER", "BEHIND_FILE")
	if r["behind"] != first || !strings.Contains(r["detail"].(string), "The file of the task “a.csv” is read first") {
		t.Errorf("behind a file: %v", r)
	}
}
