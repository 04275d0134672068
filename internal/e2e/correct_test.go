//go:build chaos

package e2e

import (
	"bytes"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestKilledWhileCorrecting kills the API in the middle of a transaction while it accepts a file of
// 20,000 corrected rows, and then another API at another statement. The file is sent again: each
// row runs once more, and is written once.
func TestKilledWhileCorrecting(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	s := &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{
		s.process("api", at("decided:4")...), s.process("api"), s.process("api", at("reopened:9")...),
	}
	s.workers = []*testenv.Process{s.process("worker")}
	path := products(t, rows, func(int) string { return "3,Nobody" })
	s.id = start(t, s.apis[1].URL(), path).ID
	if v := s.until(done); v.Counts.Failed != rows {
		t.Fatalf("at first: %+v", v.Counts)
	}
	file, err := fetch(s.apis[1].URL() + "/api/v1/tasks/" + s.id + "/result?format=csv")
	if err != nil {
		t.Fatal(err)
	}
	file = bytes.ReplaceAll(file, []byte(",Nobody,"), []byte(",Acme,"))
	for i, api := range []int{0, 2, 1} {
		out, err := sendBack(s.apis[api].URL(), s.id, "products.csv", file)
		if (err == nil) != (i == 2) {
			t.Fatalf("sent %d times: %+v %v", i+1, out, err)
		}
		if i == 2 && (out.Resubmitted == 0 || out.Resubmitted >= rows || out.Resubmitted+out.Refused+out.Unchanged != rows) {
			t.Errorf("at last: %+v", out)
		}
	}
	v := s.until(func(v task) bool { return v.Done && v.Counts.Finish == rows })
	if v.Counts.Failed != 0 {
		t.Errorf("in the end: %+v", v.Counts)
	}
	recount(t, s.ledger(), v)
	s.close()
	if n, writes, _ := written(t, s.postgres); n != rows || writes != rows {
		t.Errorf("%d products, %d writes", n, writes)
	}
	if by, _ := s.attempts(); by[2] != rows {
		t.Errorf("attempts %v: each row has failed once and finished once", by)
	}
}
