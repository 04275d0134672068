package boot

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
	bad := Config{
		Listen: "0.0.0.0:80", DatabaseURL: "mysql://x", BlobURL: "s3://bucket", Concurrency: 0, Lease: 0,
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

func TestRedisOptions(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		addrs   []string
		master  string
		cluster bool
		tls     bool
		db      int
	}{
		"redis://h:1/2":                       {addrs: []string{"h:1"}, db: 2},
		"rediss://u:p@h":                      {addrs: []string{"h:6379"}, tls: true},
		"redis://[::1]":                       {addrs: []string{"[::1]:6379"}},
		"h:1":                                 {addrs: []string{"h:1"}},
		"a:1,b,c:3":                           {addrs: []string{"a:1", "b:6379", "c:3"}, cluster: true},
		"redis+cluster://a:1":                 {addrs: []string{"a:1"}, cluster: true},
		"redis+sentinel://u:p@a:1,b:2/main/3": {addrs: []string{"a:1", "b:2"}, master: "main", db: 3},
	}
	for url, want := range tests {
		got, err := redisOptions(url)
		if err != nil {
			t.Errorf("%s: %v", url, err)
			continue
		}
		if diff := cmp.Diff(want.addrs, got.Addrs); diff != "" || got.MasterName != want.master ||
			got.IsClusterMode != want.cluster || (got.TLSConfig != nil) != want.tls || got.DB != want.db {
			t.Errorf("%s = %+v", url, got)
		}
	}
	for _, url := range []string{"unix:///run/redis.sock", "http://h", "redis+sentinel://h", "redis+magic://h"} {
		if got, err := redisOptions(url); err == nil {
			t.Errorf("%s was accepted: %+v", url, got)
		}
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
