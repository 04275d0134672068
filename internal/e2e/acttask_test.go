//go:build all

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// brandless writes the files of n imports of 20 products each, whose brand is unknown.
func brandless(t *testing.T, n int) (paths []string) {
	t.Helper()
	for i := range n {
		var b bytes.Buffer
		b.WriteString("SKU,Name,Price,Brand\n")
		for row := range 20 {
			fmt.Fprintf(&b, "P%d-%d,n,3,Nobody\n", i, row)
		}
		paths = append(paths, filepath.Join(t.TempDir(), fmt.Sprintf("products%d.csv", i)))
		if err := os.WriteFile(paths[i], b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// acting returns a scene with imports, and with workers that die at failpoints.
func acting(t *testing.T, moments []string, ended func(task) bool, options string) (s *scene, ids []string) {
	t.Helper()
	s = &scene{deployment: newDeployment(t)}
	s.apis = []*testenv.Process{s.process("api"), s.process("api")}
	s.workers = []*testenv.Process{s.process("worker")}
	for _, path := range brandless(t, 12) {
		ids = append(ids, start(t, s.apis[0].URL(), path, options).ID)
	}
	for _, s.id = range ids {
		s.until(ended)
	}
	s.workers[0].Term()
	if code := s.workers[0].Wait(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	s.workers = nil
	for _, moment := range moments {
		s.workers = append(s.workers, s.process("worker", at(moment)...))
	}
	return s, ids
}

// act starts an act on rows of all tasks as a task, and waits until the act is done. A new worker
// continues when those with failpoints have died.
func (s *scene) act(path, body string) {
	s.t.Helper()
	s.id = must(s.t, 202, "POST", s.apis[1].URL()+"/api/v1/rows/"+path, "", body)["id"].(string)
	for _, p := range s.workers {
		s.fallen(p)
	}
	s.workers = []*testenv.Process{s.process("worker")}
	if v := s.until(done); v.Counts.Finish != 12 {
		s.t.Errorf("the act ended with %+v, want 12 finished rows, one for each task", v.Counts)
	}
}

// TestActAsTask_WorkersKilled_EachRowRunsOnce resubmits the corrected rows of twelve imports. Two
// workers are killed in the transaction of a decision, each at another statement.
func TestActAsTask_WorkersKilled_EachRowRunsOnce(t *testing.T) {
	t.Parallel()
	s, ids := acting(t, []string{"decided:2", "reopened:3"}, done, "")
	s.act("resubmit", `{"as_task":true,"kind":"products.import","filter":{},"patch":{"set":{"Brand":"Acme"}}}`)
	for _, s.id = range ids {
		v := s.until(func(v task) bool { return v.Done && v.Counts.Finish == 20 })
		if v.Counts.Failed != 0 || v.Outcome != "success" {
			t.Errorf("task %s: %+v, want 20 finished rows", s.id, v.Counts)
		}
	}
	s.close()
	if n, writes, _ := written(t, s.postgres); n != 240 || writes != 240 {
		t.Errorf("%d products and %d writes, want 240: each row runs once after the act", n, writes)
	}
}

// TestActAsTask_WorkersKilledWhileTheyCancel_NoRowRuns cancels the rows of twelve imports that
// start in the future. Two workers are killed meanwhile.
func TestActAsTask_WorkersKilledWhileTheyCancel_NoRowRuns(t *testing.T) {
	t.Parallel()
	s, ids := acting(t, []string{"withdrawing:1", "withdrawing:3"}, func(v task) bool { return v.Counts.Enqueue == 20 },
		`{"run_at":"`+time.Now().Add(24*time.Hour).UTC().Format(time.RFC3339)+`"}`)
	s.act("cancel", `{"as_task":true,"filter":{}}`)
	for _, s.id = range ids {
		if v := s.until(done); v.Counts.Canceled != 20 {
			t.Errorf("task %s: %+v, want 20 canceled rows", s.id, v.Counts)
		}
	}
	s.close()
	if n, writes, _ := written(t, s.postgres); n+writes > 0 {
		t.Errorf("%d products and %d writes of canceled rows", n, writes)
	}
}
