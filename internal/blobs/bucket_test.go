//go:build outside

package blobs_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func init() {
	shelves["bucket"] = func(t *testing.T) *shelf {
		_, address, path := testenv.StartS3(t)
		return &shelf{t, bucket(t, address), path}
	}
}

// bucket opens the bucket of a real S3 service.
func bucket(t *testing.T, address string) *blobs.Bucket {
	t.Helper()
	a, err := blobs.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	keys := blobs.Keys{ID: testenv.S3ID, Secret: testenv.S3Secret}
	b, err := blobs.OpenBucket(t.Context(), a, keys, folder(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
