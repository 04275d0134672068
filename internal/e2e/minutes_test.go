package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStart_UntilTheFirstRequest_LogsNothingMore checks that the address is the last line of a
// start, also if the service continues a task.
func TestStart_UntilTheFirstRequest_LogsNothingMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	slow := filepath.Join(dir, "slow.csv")
	if err := os.WriteFile(slow, []byte("SKU,Name,Price,Note\n"+strings.Repeat("A,a,1,!slow\n", 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"new", "with a task"} {
		p := embedded(t, dir)
		url := p.URL()
		before := p.Stderr()
		owned(t, url)
		if after := p.Stderr(); after != before {
			t.Errorf("%s: after the address, the log continues:\n%s", state, strings.TrimPrefix(after, before))
		}
		start(t, url, slow)
		p.Term()
		if code := p.Wait(); code != 0 {
			t.Errorf("%s: exit code %d", state, code)
		}
		lines := strings.Split(strings.TrimSpace(p.Stderr()), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(last, "stopped: accepted tasks are stored") {
			t.Errorf("%s: the last line is %q", state, last)
		}
		if len(p.Stdout()) != 1 {
			t.Errorf("%s: stdout has %q", state, p.Stdout())
		}
	}
}

// owned waits until the process has leased all shards of the sample kind.
func owned(t *testing.T, url string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var shards struct{ Items []struct{ Owner *string } }
		get(t, url+"/api/v1/queues/products.import/shards", &shards)
		n := 0
		for _, s := range shards.Items {
			if s.Owner != nil && *s.Owner != "" {
				n++
			}
		}
		if n > 0 && n == len(shards.Items) {
			return
		}
	}
	t.Fatal("no process leases the shards")
}
