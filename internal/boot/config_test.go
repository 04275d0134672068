package boot

import (
	"strings"
	"testing"
	"time"
)

func TestCheckTellsEveryFault(t *testing.T) {
	t.Parallel()
	good := Config{
		Listen: "127.0.0.1:0", DataDir: "data", Concurrency: 1, Lease: time.Second, MaxUpload: 1,
		Retention: 90,
	}
	if err := good.Check(Role{API: true}); err != nil {
		t.Errorf("the embedded mode: %v", err)
	}
	bucket := good
	bucket.BlobURL, bucket.S3ID = "s3://bucket/prefix?endpoint=http://minio:9000", "key"
	if err := bucket.Check(Role{API: true}); err == nil || !strings.Contains(err.Error(), "AWS_SECRET_ACCESS_KEY") {
		t.Errorf("a key without a secret: %v", err)
	}
	bucket.S3Secret = "secret"
	if err := bucket.Check(Role{API: true}); err != nil {
		t.Errorf("a bucket: %v", err)
	}
	bad := Config{
		Listen: "80", DatabaseURL: "mysql://x", BlobURL: "s3://bucket?endpoint=minio:9000", Concurrency: 0, Lease: 0,
	}
	err := bad.Check(Role{API: true})
	if err == nil {
		t.Fatal("no fault found")
	}
	for _, want := range []string{"REDIS_URL", "postgres://", "BLOB_URL", "CONCURRENCY", "LISTEN", "RETENTION"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not told: %v", want, err)
		}
	}
	if err := good.Check(Role{Workers: true}); err == nil {
		t.Error("a worker without servers was accepted")
	}
}

func TestADataFolderIsForOneProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	release, err := lockDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockDir(dir); err == nil {
		t.Error("a second process got the folder")
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if release, err = lockDir(dir); err != nil {
		t.Errorf("the folder is not free after its release: %v", err)
	} else if err := release(); err != nil {
		t.Error(err)
	}
}
