//go:build outside

package deployments_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"testing"
	"time"
)

// counts holds the numbers of rows of a task that have ended.
type counts struct{ Finish, Failed int }

// imported sends a file of products to a service, waits until the task is done and returns its counts.
func imported(t *testing.T, url, key, rows string) counts {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("kind", "products.import") // a buffer takes everything
	part, err := form.CreateFormFile("file", "products.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write([]byte(rows))
	_ = form.Close()
	var task struct{ ID string }
	requested(t, http.MethodPost, url+"/api/v1/tasks", key, form.FormDataContentType(), &body, &task)
	for end := time.Now().Add(within2m); ; time.Sleep(50 * time.Millisecond) {
		var poll struct {
			Done   bool
			Counts counts
		}
		requested(t, http.MethodGet, url+"/api/v1/tasks/"+task.ID, key, "", http.NoBody, &poll)
		if poll.Done {
			return poll.Counts
		}
		if time.Now().After(end) {
			t.Fatalf("the import is not done after %v: %+v", within2m, poll.Counts)
		}
	}
}

// requested makes a request, which must succeed, and decodes the response.
func requested(t *testing.T, method, url, key, media string, body io.Reader, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d %s, %v", method, url, resp.StatusCode, text, err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
}
