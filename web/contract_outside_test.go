//go:build outside

package web_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/npm"
	"github.com/rollcall-dev/rollcall/web"
)

// runIn runs a command in a folder and returns its output.
func runIn(t *testing.T, dir string, env []string, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

// document writes the contract, as it is served and as it is written, into a folder.
func document(t *testing.T, dir string) (served, written string) {
	t.Helper()
	text, err := web.Contract()
	fine(t, err)
	served, written = filepath.Join(dir, "openapi.json"), filepath.Join(dir, "openapi.yaml")
	fine(t, os.WriteFile(served, text, 0o600))
	fine(t, os.WriteFile(written, web.ContractText(), 0o600))
	return served, written
}

// TestContract_GeneratedGoClient_WalksTheMainStory generates a Go client with a common generator,
// and imports a file with it.
func TestContract_GeneratedGoClient_WalksTheMainStory(t *testing.T) {
	t.Parallel()
	tool, dir := "../tools/oapi-codegen", t.TempDir()
	served, written := document(t, dir)
	client := filepath.Join(dir, "rollcall", "client.go")
	fine(t, os.Mkdir(filepath.Dir(client), 0o700))
	plain := []string{"GOFLAGS=-mod=mod"}
	runIn(t, tool, []string{"GOFLAGS="}, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "rollcall", "-o", client, served)
	for from, to := range map[string]string{"go.mod": "go.mod", "go.sum": "go.sum", "testdata/walk.go": "walk.go"} {
		text, err := os.ReadFile(filepath.Join(tool, from))
		fine(t, err)
		fine(t, os.WriteFile(filepath.Join(dir, to), text, 0o600))
	}
	api := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"), []string{"LISTEN=127.0.0.1:0", "DATA_DIR=data"})
	file, err := filepath.Abs("../testdata/products.xlsx")
	fine(t, err)
	text, err := web.ContractAsRead()
	fine(t, err)
	read := filepath.Join(dir, "read.json")
	fine(t, os.WriteFile(read, text, 0o600))
	out := runIn(t, dir, plain, "go", "run", ".", api.URL(), file, read, written)
	if !strings.Contains(out, "walked") {
		t.Errorf("the walk says %q", out)
	}
}

// TestContract_Linters_FindNothing runs Redocly's and Stoplight's linters. tools/npm has their rules and
// the exceptions, each with its reason.
func TestContract_Linters_FindNothing(t *testing.T) {
	t.Parallel()
	served, _ := document(t, t.TempDir())
	npm.Install(t, "../tools/npm")
	runIn(t, "../tools/npm", nil, "npx", "--no-install", "redocly", "lint", "--config", "redocly.yaml", "--max-problems", "50", served)
	runIn(t, "../tools/npm", nil, "npx", "--no-install", "spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", served)
}

// TestWorkbooks_OtherReaders_OpenThem: exceljs, openpyxl and LibreOffice read the result, and exceljs and
// openpyxl the template.
func TestWorkbooks_OtherReaders_OpenThem(t *testing.T) {
	t.Parallel()
	l, path := finished(t)
	dir := t.TempDir()
	save := func(name, path string) string {
		r := l.look(path)
		r.is(http.StatusOK)
		file := filepath.Join(dir, name)
		fine(t, os.WriteFile(file, []byte(r.body), 0o600))
		return file
	}
	result, template := save("result.xlsx", path+"?format=xlsx"), save("template.xlsx", "/api/v1/kinds/products.import/template")
	npm.Install(t, "../tools/npm")
	for _, command := range [][]string{{"node", "read.mjs"}, {"/usr/bin/python3", "read.py"}} {
		rows := runIn(t, "../tools/npm", nil, append(command, result)...)
		for _, text := range []string{`"=1+1"`, `"Price: \"no\" is not a number"`, `"=ours"`, `"Aisle"`} {
			if !strings.Contains(rows, text) {
				t.Errorf("%s reads no %s: %s", command[1], text, rows)
			}
		}
		if head := runIn(t, "../tools/npm", nil, append(command, template)...); !strings.Contains(head, `"SKU"`) {
			t.Errorf("%s reads the template as %s", command[1], head)
		}
	}
	runIn(t, dir, nil, "soffice", "-env:UserInstallation=file://"+dir+"/profile", "--headless", "--convert-to", "csv", "--outdir", dir, result)
	text, err := os.ReadFile(filepath.Join(dir, "result.csv"))
	fine(t, err)
	if !strings.Contains(string(text), "=1+1") || strings.Count(string(text), "\n") != 7 {
		t.Errorf("LibreOffice reads %s", text)
	}
}
