package blobs_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/blobs"
)

// TestAServiceThatRefuses is told by what can be done about it.
func TestAServiceThatRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, code string
		status     int
		want, not  error
	}{
		{"no room, as MinIO says it", "XMinioStorageFull", 507, blobs.ErrFull, blobs.ErrAway},
		{"a quota", "QuotaExceeded", 403, blobs.ErrFull, blobs.ErrAway},
		{"a wrong key", "AccessDenied", 403, blobs.ErrStorage, blobs.ErrAway},
		{"a fault of its own", "NotImplemented", 501, blobs.ErrAway, blobs.ErrFull},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodHead {
					return // the bucket is there
				}
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte("<Error><Code>" + tt.code + "</Code></Error>")) // or the test fails
			}))
			defer srv.Close()
			b := bucket(t, "s3://files/some/where?region=r&endpoint="+srv.URL)
			_, err := b.Put(t.Context(), strings.NewReader("x"), 5)
			if !errors.Is(err, tt.want) || !errors.Is(err, blobs.ErrStorage) || errors.Is(err, tt.not) {
				t.Errorf("Put = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]blobs.Address{
		"s3://files":                                           {Bucket: "files"},
		"s3://files/a/b/?region=eu-central-1":                  {Bucket: "files", Prefix: "a/b/", Region: "eu-central-1"},
		"s3://files?endpoint=http://minio:9000":                {Bucket: "files"},
		"s3://files?endpoint=https://s3.example.com/&region=x": {Bucket: "files", Region: "x"},
	} {
		got, err := blobs.ParseAddress(text)
		if err != nil || got.Bucket != want.Bucket || got.Prefix != want.Prefix || got.Region != want.Region {
			t.Errorf("ParseAddress(%s) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "s3:files", "s3://", "s3://key:secret@files", "s3://files:9000", "s3://files?path_style=1",
		"s3://files?endpoint=minio:9000", "s3://files?endpoint=http://minio/files", "gs://files",
	} {
		if a, err := blobs.ParseAddress(text); err == nil {
			t.Errorf("ParseAddress(%s) = %+v", text, a)
		}
	}
}
