//go:build all

package browser

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/rollcall-dev/rollcall/client"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestWebhook_Signature_IsThatOfTheStandard verifies a request with the library of Standard
// Webhooks. It is in this module because only this module may have libraries of test programs.
func TestWebhook_Signature_IsThatOfTheStandard(t *testing.T) {
	t.Parallel()
	got := make(chan error, 10)
	secret := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		key := <-secret
		secret <- key
		wh, bad := standardwebhooks.NewWebhook(key)
		if err == nil && bad == nil {
			err = wh.Verify(body, r.Header)
		}
		got <- err
	}))
	t.Cleanup(receiver.Close)
	api := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"),
		[]string{"LISTEN=127.0.0.1:0", "DATA_DIR=data", "WEBHOOK_ALLOW_PRIVATE=true"})
	made, err := http.Post(api.URL()+"/api/v1/webhooks", "application/json",
		strings.NewReader(`{"url":"`+receiver.URL+`","topics":["task.finished"]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer made.Body.Close()
	var hook struct{ Secret string }
	if err := json.NewDecoder(made.Body).Decode(&hook); err != nil || hook.Secret == "" {
		t.Fatal(made.Status, err)
	}
	secret <- hook.Secret
	_, err = dial(t, api.URL()).Upload(t.Context(), client.Upload{
		Kind: "products.import", FileName: "a.csv", File: strings.NewReader("SKU,Name,Price\nA,a,1\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-got:
		if err != nil {
			t.Errorf("the library of the standard refuses the request: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("no request came")
	}
}
