package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestEmbedded_QueueOfAThousandShards_Works gives the queue of the sample worker 1,024 shards in
// the embedded service. In `make test-all` it has 256 shards, because beside the race detector of
// other tests a round of 1,024 takes minutes.
func TestEmbedded_QueueOfAThousandShards_Works(t *testing.T) {
	t.Parallel()
	shards := 1024
	if testenv.All && !testenv.Chaos {
		shards = 256
	}
	path, want := sample(t, samples.Options{Rows: 150, Format: "csv", Seed: 1})
	dir := t.TempDir()
	p := embedded(t, dir)
	at := p.URL() + "/api/v1/queues/products.import"
	follow(t, p.URL(), start(t, p.URL(), path).ID, done)
	// A slow program answers 503, which does not end the wait.
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		resp, err := client.Post(at+"/reshard", "application/json", strings.NewReader(fmt.Sprintf(`{"shards":%d}`, shards)))
		if err == nil {
			_ = resp.Body.Close()
		}
		if err == nil && resp.StatusCode == http.StatusOK {
			break
		}
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || time.Now().After(end) {
			t.Fatalf("reshard: %v, %v", resp, err)
		}
	}
	settled := func() bool {
		var q struct {
			Resharding bool
			Shards     int
		}
		body, err := fetch(at)
		return err == nil && json.Unmarshal(body, &q) == nil && !q.Resharding && q.Shards == shards
	}
	// Each round of so many shards takes seconds.
	for end := time.Now().Add(2 * patience); !settled(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the older shards are not retired")
		}
	}
	page := func() error {
		_, err := fetch(p.URL() + "/ops/queues/products.import")
		return err
	}
	for end := time.Now().Add(patience); page() != nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the page of the queue: %v", page())
		}
	}
	v := follow(t, p.URL(), start(t, p.URL(), path).ID, done)
	if v.Counts.Finish != want.Rows {
		t.Errorf("%+v, want %d rows to finish", v.Counts, want.Rows)
	}
	p.Term()
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
	}
}
