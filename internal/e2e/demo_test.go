//go:build all

package e2e

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestDemo_RunningService_HasLivingDataOfThreeTenants checks what each tenant sees after api demo.
func TestDemo_RunningService_HasLivingDataOfThreeTenants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url := embedded(t, dir).URL()
	fill := exec.CommandContext(t.Context(), testenv.Binary(t, "./cmd/api"), "demo", "--url", url)
	fill.Env = append(fill.Environ(), "DATA_DIR="+dir)
	var notes strings.Builder
	fill.Stderr = &notes
	out, err := fill.Output()
	if err != nil {
		t.Fatalf("api demo: %v\n%s", err, notes.String())
	}
	keys := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			keys[fields[0]] = fields[1]
		}
	}
	if len(keys) != 4 || !strings.Contains(notes.String(), "/sign-in") {
		t.Fatalf("api demo prints\n%s%s", out, notes.String())
	}
	for _, tenant := range []string{"acme", "globex", "initech"} {
		looksAlive(t, url, keys[tenant])
	}
}

// getAs reads a path of the API with a key.
func getAs(t *testing.T, key, url string, v any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(v); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, res.Status, err)
	}
}

// looksAlive checks that a tenant has tasks in several states, webhooks and schedules.
func looksAlive(t *testing.T, url, key string) {
	t.Helper()
	var list struct {
		Items []struct {
			Name, Type, Status string
			Counts             struct{ Failed, Error, Finish int }
		}
	}
	getAs(t, key, url+"/api/v1/tasks", &list)
	seen := map[string]bool{}
	for _, task := range list.Items {
		c := task.Counts
		seen["runs"] = seen["runs"] || task.Name == "Stock count.csv" && (task.Status == "running" || task.Status == "splitting")
		seen["to correct"] = seen["to correct"] || task.Name == "Spring prices.csv" && c.Failed > 0 && c.Error == 1
		seen["repaired"] = seen["repaired"] || task.Name == "New arrivals.csv" && c.Finish > 30
		seen["export"] = seen["export"] || task.Type == "export"
	}
	for _, path := range []string{"webhooks", "schedules"} {
		var some struct{ Items []struct{ ID string } }
		getAs(t, key, url+"/api/v1/"+path, &some)
		seen[path] = len(some.Items) > 0
	}
	for _, want := range []string{"runs", "to correct", "repaired", "export", "webhooks", "schedules"} {
		if !seen[want] {
			t.Errorf("a tenant has no task or record %q: %+v", want, list.Items)
		}
	}
}
