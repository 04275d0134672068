package web

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogProbe_ManyProbes_OneLineASecond: callers of an open path do not fill the log.
func TestLogProbe_ManyProbes_OneLineASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := &Server{opt: Options{Log: slog.New(slog.NewTextHandler(&out, nil))}}
		for range 3 {
			for range 100 {
				s.logProbe(t.Context(), "not ready", errors.New("away"))
			}
			time.Sleep(probeLine)
		}
		if n := strings.Count(out.String(), "not ready"); n != 3 {
			t.Errorf("%d lines, want 3", n)
		}
	})
}
