//go:build all

package e2e

import (
	"encoding/csv"
	"io"
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestKillsWhileAFileIsRead kills a process that reads a file. In `make chaos` it kills one before it
// copies rows, one before it commits them, and one after the commit. No row is lost or stored twice. No
// row runs, because one of them is invalid, and a user has to decide first.
func TestKillsWhileAFileIsRead(t *testing.T) {
	t.Parallel()
	moments := []string{"copying:3", "copied:2", "chunk:3"}
	if !testenv.Chaos {
		moments = moments[1:2] // after each kill, the next worker must wait until a claim expires
	}
	rows := long(100_000)
	s, file := newScene(t, samples.Options{Rows: rows, Format: "csv", Seed: 7, Invalid: 1, Repeats: 500})
	s.open(at(moments[0])...)
	for range s.workers[1:] { // the next reader dies at the next moment
		s.workers[len(s.workers)-1].Kill()
		s.workers = s.workers[:len(s.workers)-1]
	}
	s.id = start(t, s.apis[0].URL(), file, `{"on_invalid":"block"}`).ID
	for i := range moments {
		s.fallen(s.workers[i])
		var env []string
		if i+1 < len(moments) {
			env = at(moments[i+1])
		}
		s.workers = append(s.workers, s.process("worker", env...))
	}
	v := s.until(func(v task) bool { return v.Counts.TotalIsFinal })
	if v.Status != "paused" || v.Problem == nil || v.Problem.Code != "ROWS_INVALID" ||
		v.Counts.Total != rows || v.Counts.Enqueue != rows-1 || v.Counts.Failed != 1 {
		t.Errorf("read: %s %+v, problem %+v", v.Status, v.Counts, v.Problem)
	}
	s.everyRowOnce(file)
	s.close()
}

// everyRowOnce compares the ledger with the file: each row has its place and its key, and none has
// run.
func (s *scene) everyRowOnce(file string) {
	s.t.Helper()
	f, err := os.Open(file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	records := csv.NewReader(f)
	if _, err := records.Read(); err != nil { // the headings
		s.t.Fatal(err)
	}
	rows, err := s.ledger().Read.Raw("SELECT row, key, attempt FROM rollcall.events ORDER BY id").Rows()
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var row, attempt int
		var key string
		if err := rows.Scan(&row, &key, &attempt); err != nil {
			s.t.Fatal(err)
		}
		record, err := records.Read()
		if err != nil {
			s.t.Fatalf("event %d is of no record: %v", n+1, err)
		}
		if line, _ := records.FieldPos(0); row != line || key != record[0] || attempt != 0 {
			s.t.Fatalf("event %d is row %d with key %q at attempt %d, want row %d with %q", n+1, row, key,
				attempt, line, record[0])
		}
	}
	if _, err := records.Read(); err != io.EOF {
		s.t.Errorf("a record behind the last event: %v", err)
	}
	var effects int
	err = s.ledger().Read.Raw("SELECT count(*) FROM catalogue").Scan(&effects).Error
	if err != nil || effects != 0 {
		s.t.Errorf("%d effects, want none (%v)", effects, err)
	}
}
