//go:build all

package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// receiver is a server that counts webhook requests by their ID, and verifies each.
type receiver struct {
	url string

	mu     sync.Mutex
	secret string
	came   map[string]int
	faults []error
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{came: map[string]int{}}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	r.url = srv.URL
	return r
}

func (r *receiver) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		err = testenv.VerifyWebhook(r.secret, req.Header, body)
	}
	if err != nil {
		r.faults = append(r.faults, err)
	}
	r.came[req.Header.Get("Webhook-Id")]++
}

// register creates a webhook for the receiver, and returns the path of its deliveries.
func (r *receiver) register(t *testing.T, url string) string {
	t.Helper()
	body := `{"url":"` + r.url + `","topics":["task.finished"]}`
	resp, err := client.Post(url+"/api/v1/webhooks", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var hook struct {
		Secret string
		Links  struct{ Deliveries string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&hook); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatal(resp.Status, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secret = hook.Secret
	return url + hook.Links.Deliveries
}

// delivered waits until the only delivery has arrived, and returns it.
func delivered(t *testing.T, path string) (d delivery) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		var page struct{ Items []delivery }
		get(t, path, &page)
		if len(page.Items) > 1 {
			t.Fatalf("one end of a task has %d deliveries", len(page.Items))
		}
		if len(page.Items) == 1 && page.Items[0].State == "delivered" {
			return page.Items[0]
		}
		d = delivery{}
	}
	t.Fatal("the webhook was not told in time")
	return d
}

type delivery struct {
	State     string
	Tries     int
	MessageID string `json:"message_id"`
}

// TestAWebhookWhoseDelivererIsKilled kills a worker at a moment between the last commit and the record of the
// delivery. The receiver gets one request. If the worker is killed between the response and the record,
// another worker sends the request again, with the same ID.
func TestAWebhookWhoseDelivererIsKilled(t *testing.T) {
	t.Parallel()
	for moment, times := range map[string]int{"committed": 1, "routed": 1, "claimed": 1, "sent": 2} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			h := newDeployment(t)
			h.env = append(h.env, "WEBHOOK_ALLOW_PRIVATE=true")
			api, r := h.api(), newReceiver(t)
			deliveries := r.register(t, api.URL())
			victim := testenv.StartProcess(t, testenv.Binary(t, "./cmd/worker"),
				append([]string{"FAILPOINT=" + moment}, h.env...))
			id := start(t, api.URL(), oneRow(t)).ID
			if code := victim.Wait(); code != -1 {
				t.Fatalf("the worker ended with %d, and was not killed", code)
			}
			h.worker()
			d := delivered(t, deliveries)
			if v := follow(t, api.URL(), id, done); v.Status != "finished" {
				t.Errorf("the task is %s", v.Status)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if len(r.came) != 1 || r.came[d.MessageID] != times || len(r.faults) > 0 || d.Tries != 1 {
				t.Errorf("came %v times, want %d of %s; %v; %+v", r.came, times, d.MessageID, r.faults, d)
			}
		})
	}
}

func oneRow(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(path, []byte("SKU,Name,Price,Brand\nA,a,1.50,Acme\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
