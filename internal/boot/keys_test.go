package boot

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// stopper is a log writer that ends the process at the first line, which reports that the process
// listens.
type stopper struct{ stop context.CancelFunc }

func (s stopper) Write(p []byte) (int, error) { s.stop(); return len(p), nil }

// TestRun_OthersReachTheAPI_NeedsAKey: they reach it by its address, or through a proxy that passes
// the name of HOSTS or PUBLIC_URL.
func TestRun_OthersReachTheAPI_NeedsAKey(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*settings.Config){
		"LISTEN":     func(c *settings.Config) { c.Listen = "0.0.0.0:0" },
		"HOSTS":      func(c *settings.Config) { c.Hosts = []string{"localhost:80", "tasks.example.com:80"} },
		"PUBLIC_URL": func(c *settings.Config) { c.OIDC.PublicURL = "https://tasks.example.com" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings.Config{
				Listen: "127.0.0.1:0", DataDir: t.TempDir() + "/new", Concurrency: 1, Lease: time.Second,
				MaxUpload: 1, Retention: 90, Prefix: "rollcall",
			}
			set(&cfg)
			needsKey(t, cfg)
		})
	}
}

// needsKey checks that the API starts only once a key exists.
func needsKey(t *testing.T, cfg settings.Config) {
	t.Helper()
	run := func() error {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		kinds := settings.Fixed(jobs.NewRegistry())
		return Run(ctx, cfg, settings.Role{API: true}, kinds, stopper{stop}, slog.New(slog.DiscardHandler))
	}
	if err := run(); !errors.Is(err, ErrOpen) {
		t.Fatalf("without a key: %v", err)
	}
	err := Keys(t.Context(), cfg, func(ctx context.Context, m operate.Makers) error {
		_, _, err := m.Access.Create(ctx, "ann", access.Draft{Tenant: "default", Name: "first", Role: access.Admin})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run(); err != nil {
		t.Errorf("with a key: %v", err)
	}
}

func TestLoopback(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1:80": true, "127.1.2.3:0": true, "[::1]:80": true, "localhost:80": true, "LOCALHOST:80": true, "localhost.:80": true,
		":80": false, "0.0.0.0:80": false, "[::]:80": false, "192.0.2.1:80": false,
		"localhost.example:80": false, "app.localhost:80": false, "80": false, "": false,
	} {
		if settings.Loopback(addr) != want {
			t.Errorf("loopback(%q) = %v", addr, !want)
		}
	}
}

func TestKeysReadTheirOwnLedgerOnly(t *testing.T) {
	t.Parallel()
	cfg := settings.Config{DatabaseURL: "mysql://x", DataDir: t.TempDir()}
	f := func(context.Context, operate.Makers) error { return io.ErrUnexpectedEOF }
	if err := Keys(t.Context(), cfg, f); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Keys of no ledger: %v", err)
	}
	cfg.DatabaseURL = ""
	if err := Keys(t.Context(), cfg, f); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("what f returned became %v", err)
	}
}
