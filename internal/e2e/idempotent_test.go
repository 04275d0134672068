//go:build all

package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestARepeatedRequestAfterAKill kills an API process between the effect of a request and its
// answer. The same request, sent to another process, is answered, and nothing is stored twice.
func TestARepeatedRequestAfterAKill(t *testing.T) {
	t.Parallel()
	s := &scene{deployment: newDeployment(t)}
	s.env = append(s.env, "LEASE=1s")
	post := func(to *testenv.Process, path, key, body string) (int, string, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to.URL()+"/api/v1"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", key)
		resp, err := client.Do(req)
		if err != nil {
			return 0, "", err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text), err
	}
	heir, first, second := s.process("api"), s.process("api", at("accepted")...), s.process("api", at("appended")...)
	dies := func(victim *testenv.Process, path, key, body string) {
		if status, text, err := post(victim, path, key, body); err == nil {
			t.Fatalf("the process did not die: %d %s", status, text)
		}
	}
	answered := func(path, key, body string) string {
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			status, text, err := post(heir, path, key, body)
			if err == nil && status == http.StatusAccepted {
				return text
			}
			if err != nil || status != http.StatusConflict {
				t.Fatalf("%d %s, %v", status, text, err)
			}
		}
		t.Fatal("the claim of the dead was never free")
		return ""
	}
	rows := `"rows":[{"SKU":"A","Name":"a","Price":"1"},{"SKU":"B","Name":"b","Price":"1"}]}`
	dies(first, "/tasks", "task", `{"kind":"products.import",`+rows)
	var open task
	if err := json.Unmarshal([]byte(answered("/tasks", "open", `{"kind":"products.import","open":true}`)), &open); err != nil {
		t.Fatal(err)
	}
	path := "/tasks/" + open.ID + "/jobs"
	dies(second, path, "jobs", "{"+rows)
	answered("/tasks", "task", `{"kind":"products.import",`+rows)
	if text := answered(path, "jobs", "{"+rows); !strings.Contains(text, open.ID+".1") || !strings.Contains(text, open.ID+".2") {
		t.Errorf("the rows are not reported: %s", text)
	}
	var list struct{ Items []task }
	if get(t, heir.URL()+"/api/v1/tasks", &list); len(list.Items) != 2 {
		t.Errorf("%d tasks, want 2", len(list.Items))
	}
	if s.id, s.apis = open.ID, []*testenv.Process{heir, heir}; s.until(func(v task) bool { return true }).Counts.Total != 2 {
		t.Error("rows were added twice")
	}
}
