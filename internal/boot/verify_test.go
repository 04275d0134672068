package boot

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

func TestNothingIsVerifiedWhereThereIsNoLedger(t *testing.T) {
	t.Parallel()
	cfg := settings.Config{
		Listen: "127.0.0.1:0", DataDir: t.TempDir(), Concurrency: 1, Lease: time.Second,
		MaxUpload: 1, Retention: 90,
	}
	err := Verification{}.Run(t.Context(), cfg, settings.Terminal{Stdout: io.Discard, Stderr: io.Discard, Log: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("Verify of an empty folder: %v", err)
	}
	if made, err := os.ReadDir(cfg.DataDir); err != nil || len(made) > 0 {
		t.Errorf("it made %v there, %v", made, err)
	}
}
