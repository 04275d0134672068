package blobs_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// readOnly is an S3-compatible service with one file and one incomplete upload. It denies deletes.
// It lists the file only if the field `file` is true.
type readOnly struct{ file bool }

func (s readOnly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const id, at = "0192b7e4-89ab-7cde-8123-456789abcdef", "2026-01-01T00:00:00Z"
	switch {
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `<Error><Code>AccessDenied</Code></Error>`)
	case r.URL.Query().Has("uploads"):
		fmt.Fprintf(w, `<ListMultipartUploadsResult><Upload><Key>%s</Key><UploadId>u</UploadId>`+
			`<Initiated>%s</Initiated></Upload></ListMultipartUploadsResult>`, id, at)
	case r.Method == http.MethodGet && s.file:
		fmt.Fprintf(w, `<ListBucketResult><Contents><Key>%s</Key>`+
			`<LastModified>%s</LastModified></Contents></ListBucketResult>`, id, at)
	case r.Method == http.MethodGet:
		fmt.Fprint(w, `<ListBucketResult></ListBucketResult>`)
	}
}

func TestSweep_DeletesDenied_CountsNone(t *testing.T) {
	t.Parallel()
	for name, service := range map[string]readOnly{"a file": {true}, "an incomplete upload": {false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(service)
			t.Cleanup(server.Close)
			a, err := blobs.ParseAddress("s3://bucket?region=here&endpoint=" + server.URL)
			if err != nil {
				t.Fatal(err)
			}
			b, err := blobs.OpenBucket(t.Context(), a, blobs.Keys{ID: "id", Secret: "secret"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			n, err := b.Sweep(t.Context(), 0, func(string) (bool, error) { return false, nil })
			if n != 0 || !errors.Is(err, blobs.ErrStorage) {
				t.Errorf("Sweep = %d, %v, want 0 and %v", n, err, blobs.ErrStorage)
			}
		})
	}
}
