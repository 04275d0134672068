package web

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/web/problem"
)

func TestBroken_Error_IsOfTheBodyOrOfTheStorage(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("blobs: put: %w: %w", blobs.ErrStorage, syscall.ENOSPC)
	for _, tt := range []struct {
		err    error
		status int
		code   string
	}{
		{full, 507, "STORAGE_FULL"},
		{fmt.Errorf("%w: x", blobs.ErrStorage), 500, "INTERNAL"},
		{syscall.ECONNRESET, 400, "MALFORMED_BODY"},
	} {
		if p, _ := problem.Of((&Server{}).intake.BodyProblem(tt.err)); p.Status != tt.status || p.Code != tt.code {
			t.Errorf("%v: %d %s, want %+v", tt.err, p.Status, p.Code, tt)
		}
	}
}
