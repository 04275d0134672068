package boot

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

func TestDoctor_FilesThatOthersRead_AreNamed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	cfg := settings.Config{DataDir: dir, Concurrency: 1, Prefix: "p"}
	s, err := Open(t.Context(), cfg, noKinds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	d := desk{t, settings.Config{
		Listen: "127.0.0.1:0", DataDir: dir, Concurrency: 2, Lease: 10e9, MaxUpload: 1, Retention: 90, Prefix: "p",
	}}
	found := func() map[string]any {
		t.Helper()
		lines, _ := d.ask("doctor") // the test reads only the line about file modes
		for _, line := range lines {
			if line["check"] == "file modes" {
				return line
			}
		}
		t.Fatalf("no word of modes: %v", lines)
		return nil
	}
	if line := found(); line["state"] != "ok" {
		t.Errorf("as they were made: %v", line)
	}
	for name, mode := range map[string]os.FileMode{".": 0o750, "rollcall.db": 0o644} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	line := found()
	text, _ := line["found"].(string)
	if line["state"] != "warn" || !strings.Contains(text, "rollcall.db has mode 0644") || !strings.Contains(text, "data has mode 0750") {
		t.Errorf("opened to others: %v", line)
	}
}
