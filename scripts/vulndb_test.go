package scripts

import (
	"os"
	"path/filepath"
	"testing"
)

// found is the exit code of vuln.sh for a module with a known vulnerability.
const found = 3

// advisories is a database of one invented vulnerability in the layout of vuln.go.dev: Leak of
// example.com/lib before 1.2.4 must not be called.
var advisories = map[string]string{
	"index/db.json": `{"modified":"2026-11-01T00:00:00Z"}`,
	"index/modules.json": `[{"path":"example.com/lib","vulns":[
		{"id":"GO-2026-9999","modified":"2026-11-01T00:00:00Z","fixed":"1.2.4"}]}]`,
	"ID/GO-2026-9999.json": `{"schema_version":"1.3.1","id":"GO-2026-9999",
		"modified":"2026-11-01T00:00:00Z","published":"2026-11-01T00:00:00Z",
		"summary":"Invented leak","details":"Leak leaks.",
		"affected":[{"package":{"name":"example.com/lib","ecosystem":"Go"},
			"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.2.4"}]}],
			"ecosystem_specific":{"imports":[{"path":"example.com/lib","symbols":["Leak"]}]}}],
		"database_specific":{"url":"https://example.com/GO-2026-9999"}}`,
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
