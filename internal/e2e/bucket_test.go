//go:build outside

package e2e

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestBucket runs processes that share only servers: files are in a bucket of a real S3 service,
// which is unavailable for a while. This service takes minutes to build, so `make deployments-test`
// runs the test.
func TestBucket(t *testing.T) {
	t.Parallel()
	service, address, folder := testenv.StartS3(t)
	h := newDeployment(t)
	h.env = append(h.env, "BLOB_URL="+address, "AWS_ACCESS_KEY_ID="+testenv.S3ID, "AWS_SECRET_ACCESS_KEY="+testenv.S3Secret)
	own := func(program string) *testenv.Process { // no folder is shared
		return testenv.StartProcess(t, testenv.Binary(t, program), append(h.env, "DATA_DIR="+t.TempDir()))
	}
	one, other := own("./cmd/api"), own("./cmd/api")
	worker := own("./cmd/worker")
	path, want := sample(t, samples.Options{
		Rows: 20_000, Format: "xlsx", Seed: 3, Invalid: 75, Failing: 45, Errors: 3,
	})
	v := start(t, one.URL(), path)
	worker.Kill() // while it reads the file
	worker = own("./cmd/worker")
	v = follow(t, other.URL(), v.ID, done)
	verdict(t, h.postgres, v, want)
	sent, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content := other.URL() + "/api/v1/files/" + v.Source.FileID + "/content"
	if got, err := fetch(content); err != nil || !bytes.Equal(got, sent) {
		t.Errorf("the file came back with %d bytes, want %d: %v", len(got), len(sent), err)
	}
	if got := ranged(t, content, "bytes=100-199"); !bytes.Equal(got, sent[100:200]) {
		t.Errorf("a range of the file is %q, want %q", got, sent[100:200])
	}

	h.doctor(0, `"check":"bucket","state":"ok"`)
	path, _ = sample(t, samples.Options{Rows: 300, Format: "csv", Seed: 5})
	service.Stop()
	h.doctor(1, `"check":"bucket","state":"fail"`)
	refusedUpload(t, one.URL(), path, http.StatusServiceUnavailable)
	service.Start()
	deadline := time.Now().Add(patience)
	resp, body := upload(t, one.URL(), path)
	for resp.StatusCode != http.StatusAccepted {
		if time.Now().After(deadline) {
			t.Fatalf("the service is back, and still %s %s", resp.Status, body)
		}
		resp, body = upload(t, one.URL(), path)
	}
	follow(t, one.URL(), taskIDs(t, one.URL())[0], done)
	files := slices.DeleteFunc(filesIn(t, folder), func(name string) bool { return name[0] == '.' }) // the S3 service hides its own files with a dot
	if len(files) != 2 {
		t.Errorf("the bucket has %v, want the files of two tasks", files)
	}
	if strings.Contains(one.Stderr()+worker.Stderr(), testenv.S3Secret) {
		t.Error("the secret of the bucket was logged")
	}
}

// doctor checks the exit code and the output of "worker doctor".
func (h *deployment) doctor(code int, want string) {
	h.t.Helper()
	p := testenv.StartProcess(h.t, testenv.Binary(h.t, "./cmd/worker"), h.env, "doctor", "--json")
	if got, out := p.Wait(), strings.Join(p.Stdout(), "\n"); got != code || !strings.Contains(out, want) {
		h.t.Errorf("doctor ends with %d and tells\n%s\nwant %d and %s", got, out, code, want)
	}
}

// ranged reads a part of a file.
func ranged(t *testing.T, url, bytes string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Range", bytes)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		t.Fatalf("a range was answered with %s", resp.Status)
	}
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
