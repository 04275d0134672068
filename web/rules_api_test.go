package web

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
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
		if p, _ := problem.Of((&Server{}).broken(tt.err)); p.Status != tt.status || p.Code != tt.code {
			t.Errorf("%v: %d %s, want %+v", tt.err, p.Status, p.Code, tt)
		}
	}
}

// TestPatience: no read may wait longer than the patience, nor all of them
// longer than the least rate allows.
func TestPatience(t *testing.T) {
	t.Parallel()
	b := &body{patience: 30 * time.Second, begun: time.Unix(1000, 0)}
	for _, tt := range []struct{ got, at, want int64 }{
		{0, 1000, 1030},
		{0, 1029, 1030},
		{100 * conns.SlowestRate, 1000, 1030},
		{100 * conns.SlowestRate, 1100, 1130},
		{100 * conns.SlowestRate, 1120, 1130},
		{1 << 40, 90_000, 90_030},
	} {
		b.got = tt.got
		if end := b.deadline(time.Unix(tt.at, 0)).Unix(); end != tt.want {
			t.Errorf("%d bytes at %d: deadline %d, want %d", tt.got, tt.at, end, tt.want)
		}
	}
}
