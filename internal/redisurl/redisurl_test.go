package redisurl

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		got, err := Parse(url)
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
		if got, err := Parse(url); err == nil {
			t.Errorf("%s was accepted: %+v", url, got)
		}
	}
}
