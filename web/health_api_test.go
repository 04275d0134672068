package web_test

import (
	"net/http"
	"testing"

	release "github.com/rollcall-dev/rollcall/internal/version"
)

// TestHealth_ReportsTheVersion: operators see which version serves an address.
func TestHealth_ReportsTheVersion(t *testing.T) {
	t.Parallel()
	r := newLab(t).look("/healthz")
	r.is(http.StatusOK)
	if v := r.object(); v["version"] != release.Number() || v["commit"] != release.Commit() {
		t.Errorf("/healthz: %s", r.body)
	}
}
