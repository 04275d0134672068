package rollcall_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

// TestSettings_MaxRowsAndColumns_BindUploadsOfAPIAndWorkers sends files at and above the limits.
// The API counts rows in JSON and columns, the workers count the rows of files.
func TestSettings_MaxRowsAndColumns_BindUploadsOfAPIAndWorkers(t *testing.T) {
	t.Parallel()
	send := worker.Define("letters.send", func(context.Context, *worker.Job[letter]) error { return nil })
	s, err := rollcall.New(t.Context(), rollcall.Options{
		Kinds: worker.NewRegistry(send), DataDir: t.TempDir(), Settings: map[string]string{"MAX_ROWS": "2", "MAX_COLUMNS": "2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() { stop(); _ = errors.Join(<-ended, s.Close()) })

	const two, three = `{"To":"a@b.example"},{"To":"b@b.example"}`, `{"To":"a@b.example"},{"To":"b@b.example"},{"To":"c@b.example"}`
	sendRows := func(rows string) (int, sent) {
		return post(t, s, "application/json", []byte(`{"kind":"letters.send","rows":[`+rows+`]}`))
	}
	sendFile := func(text string) (int, sent) {
		form, kind := fileForm(t, text)
		return post(t, s, kind, form)
	}
	for name, tt := range map[string]struct {
		send    func(string) (int, sent)
		content string
		status  int
		code    string // of the response, or else of the task
	}{
		"rows in JSON at the limit":     {sendRows, two, http.StatusAccepted, ""},
		"rows in JSON above the limit":  {sendRows, three, http.StatusRequestEntityTooLarge, "TOO_MANY_ROWS"},
		"columns of a file above":       {sendFile, "To,Note,More\na@b.example,1,2\n", http.StatusRequestEntityTooLarge, "TOO_MANY_COLUMNS"},
		"rows and columns of a file at": {sendFile, "To,Note\na@b.example,1\nb@b.example,2\n", http.StatusAccepted, ""},
		"rows of a file above":          {sendFile, "To\na@b.example\nb@b.example\nc@b.example\n", http.StatusAccepted, "TOO_MANY_ROWS"},
	} {
		status, got := tt.send(tt.content)
		code := got.Code
		if status == http.StatusAccepted {
			code = codeOfTask(t, s, got.ID)
		}
		if status != tt.status || code != tt.code {
			t.Errorf("%s: %d %q, want %d %q", name, status, code, tt.status, tt.code)
		}
	}
}

// sent is a created task or a problem.
type sent struct{ ID, Code string }

func post(t *testing.T, s *rollcall.Service, contentType string, body []byte) (int, sent) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/api/v1/tasks", bytes.NewReader(body))
	r.RemoteAddr = "127.0.0.1:4000"
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	var got sent
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return w.Code, got
}

// fileForm returns an upload form with a CSV file, and its content type.
func fileForm(t *testing.T, text string) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	err := form.WriteField("kind", "letters.send")
	part, err2 := form.CreateFormFile("file", "letters.csv")
	_, err3 := part.Write([]byte(text))
	if err := errors.Join(err, err2, err3, form.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), form.FormDataContentType()
}

// codeOfTask waits for a task and returns the code of its problem, if any.
func codeOfTask(t *testing.T, s *rollcall.Service, id string) string {
	t.Helper()
	ref := s.Client().Find("default", id)
	_, err := ref.Wait(t.Context())
	task, err2 := ref.Get(t.Context())
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if task.Problem == nil {
		return ""
	}
	return task.Problem.Code
}
