package doctor

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/settings"
)

// TestDoctor_MissingFolder_IsFineOnlyForOneProcess: several processes share the folder of files, so none of
// them may create it in the place of a disk that is not mounted.
func TestDoctor_MissingFolder_IsFineOnlyForOneProcess(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "none")
	shared := settings.Config{DataDir: dir, DatabaseURL: "postgres://db", RedisURL: "redis://r"}
	bucket, folder := shared, shared
	bucket.BlobURL, folder.BlobURL = "s3://files?endpoint=http://127.0.0.1:1&region=r", "file://"+dir
	for name, one := range map[string]struct {
		cfg  settings.Config
		want string
	}{
		"embedded":                   {settings.Config{DataDir: dir}, "ok    files"},
		"several processes":          {shared, "warn  files"},
		"a folder that is named":     {folder, "warn  files"},
		"temporary files, of a node": {bucket, "ok    temporary files"},
	} {
		var out bytes.Buffer
		d := &checkup{cfg: one.cfg, out: &out}
		d.files(t.Context())
		if !strings.Contains(out.String(), one.want) || !strings.Contains(out.String(), "no folder "+dir) {
			t.Errorf("%s: %s", name, out.String())
		}
		if d.ill && one.cfg.BlobURL != bucket.BlobURL {
			t.Errorf("%s: it fails", name)
		}
	}
}
