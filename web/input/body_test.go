package input

import (
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

func TestBodyReader_SlowBody_HasADeadline(t *testing.T) {
	t.Parallel()
	b := &BodyReader{patience: 30 * time.Second, begun: time.Unix(1000, 0)}
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
