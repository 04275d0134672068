//go:build all

package scripts

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// advisories are a database of one invented vulnerability, laid out as vuln.go.dev is:
// example.com/lib before 1.2.4 must not be asked for Leak.
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

// moduleOf writes a module that calls a function of example.com/lib, of a version, and
// returns its folder.
func moduleOf(t *testing.T, version, function string) string {
	t.Helper()
	return folder(t, map[string]string{
		"go.mod":                        "module example.com/app\n\ngo 1.26\n\nrequire example.com/lib " + version + "\n",
		"main.go":                       "package main\n\nimport \"example.com/lib\"\n\nfunc main() { lib." + function + "() }\n",
		"vendor/modules.txt":            "# example.com/lib " + version + "\n## explicit; go 1.26\nexample.com/lib\n",
		"vendor/example.com/lib/lib.go": "package lib\n\nfunc Leak() { println(1) }\n\nfunc Keep() { println(2) }\n",
	})
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

// mirror serves files as vuln.go.dev does: each compressed, its name with .gz behind it.
func mirror(t *testing.T, files map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, text := range files {
			if r.URL.Path == "/"+name+".gz" {
				_, _ = w.Write(compressed(text)) // a client that has gone reports it itself
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

func compressed(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text)) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}
