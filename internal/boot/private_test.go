package boot

import (
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

func TestService_NewFolders_AreForItsUserAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	cfg := settings.Config{DataDir: dir, Concurrency: 1, Prefix: "p"}
	s, err := Open(t.Context(), cfg, noKinds, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() })
	if _, err := s.app.files.Put(t.Context(), strings.NewReader("x"), 10); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 4 {
		t.Errorf("%d files and folders seen: %v", seen, err)
	}
}
