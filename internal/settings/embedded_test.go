package settings

import (
	"testing"
	"time"
)

// TestEmbeddedRedis_KeyExpires_IsGone sets one key that expires soon and one that does not.
func TestEmbeddedRedis_KeyExpires_IsGone(t *testing.T) {
	t.Parallel()
	rdb, stop, err := EmbeddedRedis()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}()
	ctx := t.Context()
	begun := time.Now()
	if err := rdb.Set(ctx, "short", 1, 300*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	if err := rdb.Set(ctx, "long", 1, time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	for rdb.Exists(ctx, "short").Val() == 1 {
		if time.Since(begun) > time.Minute {
			t.Fatal("the key never expires")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if took := time.Since(begun); took < 100*time.Millisecond {
		t.Errorf("a key of 300 ms is gone after %v", took)
	}
	if rdb.Exists(ctx, "long").Val() != 1 {
		t.Error("a key of an hour is gone")
	}
}
