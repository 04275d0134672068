//go:build all

package scripts

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"testing"
)

// moduleOf writes a module that calls a function of the given version of example.com/lib, and returns
// the folder of the module.
func moduleOf(t *testing.T, version, function string) string {
	t.Helper()
	return folder(t, map[string]string{
		"go.mod":                        "module example.com/app\n\ngo 1.26\n\nrequire example.com/lib " + version + "\n",
		"main.go":                       "package main\n\nimport \"example.com/lib\"\n\nfunc main() { lib." + function + "() }\n",
		"vendor/modules.txt":            "# example.com/lib " + version + "\n## explicit; go 1.26\nexample.com/lib\n",
		"vendor/example.com/lib/lib.go": "package lib\n\nfunc Leak() { println(1) }\n\nfunc Keep() { println(2) }\n",
	})
}

// mirror serves files as vuln.go.dev does: compressed, with .gz after the name.
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
