package queue

import (
	"errors"
	"testing"
)

func TestRunID(t *testing.T) {
	t.Parallel()
	if got := runID("# Server\r\nredis_version:7.0.15\r\nrun_id:abc\r\nport:1\r\n"); got != "abc" {
		t.Errorf("runID = %q, want abc", got)
	}
	if got := runID("# Server\r\n"); got != "" {
		t.Errorf("runID of nothing = %q", got)
	}
	for text, want := range map[string]bool{
		"section (server) is not supported":                             true,
		"NOPERM this user has no permissions to run the 'info' command": true,
		"LOADING Redis is loading the dataset in memory":                false,
		"dial tcp: connection refused":                                  false,
	} {
		if got := refusesInfo(errors.New(text)); got != want {
			t.Errorf("refusesInfo(%q) = %v", text, got)
		}
	}
}
