package web_test

import (
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestDedup_AnotherFileCameBetween_ImportsAgain: the rows of the first file were replaced
// by those of the second.
func TestDedup_AnotherFileCameBetween_ImportsAgain(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		const reuse = `{"dedup":"reuse"}`
		v1, v2 := heads+"S1,a,1,Acme\n", heads+"S1,a,2,Acme\n"
		first := l.accepted("p.csv", v1, reuse)
		l.upload("p.csv", v1, reuse).says("id", first, "deduplicated", true)
		second := l.accepted("p.csv", v2, reuse)
		third := l.accepted("p.csv", v1, reuse)
		if third == first || third == second {
			t.Errorf("the first file is the task %s again", third)
		}
		l.upload("p.csv", v1, reuse).says("id", third, "deduplicated", true)
		l.upload("p.csv", v1, `{"dedup":"reject"}`).refuses(http.StatusConflict, "DUPLICATE_FILE", third)
	})
}

// TestBlockedTask_InvalidRowsAreRepaired_HasNoProblem: the task stays paused.
func TestBlockedTask_InvalidRowsAreRepaired_HasNoProblem(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		id := l.accepted("p.csv", heads+"S1,a,1,Acme\nS2,a,-1,Acme\nS3,a,-1,Acme\n", `{"on_invalid":"block"}`)
		l.split()
		l.patch(id+".2", `"1"`, `{"params":{"Price":"4"}}`).is(http.StatusOK)
		l.look("/api/v1/tasks/"+id).says("status", "paused", "problem.code", "ROWS_INVALID")
		l.review(id, "skip", `{"ids":["`+id+`.3"]}`).says("done", 1)
		l.look("/api/v1/tasks/"+id).says("status", "paused", "problem", nil)
		l.call(http.MethodPost, "/api/v1/tasks/"+id+"/resume", "").says("status", "running", "problem", nil)
	})
}
