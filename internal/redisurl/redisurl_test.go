package redisurl

import (
	"reflect"
	"testing"
	"time"

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

// TestParse_Options_AreCarriedOrRefused parses addresses with options.
func TestParse_Options_AreCarriedOrRefused(t *testing.T) {
	t.Parallel()
	got, err := Parse("redis+sentinel://u:p@a:1/main/3?sentinel_username=s&sentinel_password=q%26&pool_size=7&read_timeout=9s&client_name=x")
	if err != nil {
		t.Fatal(err)
	}
	if got.SentinelUsername != "s" || got.SentinelPassword != "q&" || got.Username != "u" || got.DB != 3 ||
		got.PoolSize != 7 || got.ReadTimeout != 9*time.Second || got.ClientName != "x" || got.DialTimeout != dialTimeout {
		t.Errorf("options of sentinels: %+v", got)
	}
	for _, option := range allowedOptions {
		value := map[string]string{"client_name": "x", "db": "1", "skip_verify": "true"}[option]
		if value == "" {
			value = "3"
		}
		before, _ := Parse("rediss+sentinel://a:1/main")
		after, err := Parse("rediss+sentinel://a:1/main?" + option + "=" + value)
		if err != nil || reflect.DeepEqual(before, after) {
			t.Errorf("option %s changes nothing: %v", option, err)
		}
	}
	for _, tail := range []string{"?max_retries=3", "?unknown=1", "?pool_size=many", "?a=%zz", "?sentinel_password=q"} {
		if got, err := Parse("redis://h" + tail); err == nil {
			t.Errorf("%s was accepted: %+v", tail, got)
		}
	}
}
