package workertest

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// TestJobs_JobRunsAgain_IsLeftOut has a job run to its end, and begin once more: until that run has
// ended, the trace does not list the job.
func TestJobs_JobRunsAgain_IsLeftOut(t *testing.T) {
	tr := newTrace()
	one, two := &jobs.Call{ID: "one", TaskID: "t"}, &jobs.Call{ID: "two", TaskID: "t"}
	tr.begin([]*jobs.Call{one})()
	tr.begin([]*jobs.Call{two})()
	end := tr.begin([]*jobs.Call{one})
	if got := tr.jobs(); len(got) != 1 || got[0].job() != "two" {
		t.Errorf("%d jobs have ended while one runs again, want only two", len(got))
	}
	end()
	if got := tr.jobs(); len(got) != 2 || got[1].job() != "one" {
		t.Errorf("%d jobs have ended, want two, the one that ran again last", len(got))
	}
}
