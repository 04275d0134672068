//go:build outside

package scripts

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// firstRow bounds the time from an archive to the first imported row.
const firstRow = 10 * time.Second

// linked checks that a program for Linux is static, stripped and small.
func linked(t *testing.T, name string, program []byte) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := f.ImportedLibraries()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("%s needs a loader: %v", name, p.Type)
		}
	}
	if len(libraries) > 0 || f.Section(".symtab") != nil || f.Section(".debug_info") != nil || err != nil && len(libraries) > 0 {
		t.Errorf("%s is not static and stripped: %v", name, libraries)
	}
	if len(program) > maxProgram {
		t.Errorf("%s has %d bytes, more than %d", name, len(program), maxProgram)
	}
}

// unpacked unpacks an archive with tar and returns the folder of the programs.
func unpacked(t *testing.T, archive []byte) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "tar", "-C", dir, "-xzf", "-")
	cmd.Stdin = bytes.NewReader(archive)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	folders, err := filepath.Glob(dir + "/rollcall-*")
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	return folders[0]
}

// importsSoon unpacks an archive, starts its API and imports a file, all within firstRow. It then checks
// that /healthz has the version and the commit of the release, and that the attempt has this commit.
func importsSoon(t *testing.T, archive []byte) {
	t.Helper()
	begin := time.Now()
	dir := unpacked(t, archive)
	p := testenv.StartProcess(t, filepath.Join(dir, "api"), []string{"LISTEN=127.0.0.1:0", "DATA_DIR=" + t.TempDir()})
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("kind", "products.import") // a buffer takes everything
	part, err := form.CreateFormFile("file", "products.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(part, "SKU,Name,Price,Brand\nA,a,1,Acme\n")
	_ = form.Close()
	resp, err := http.Post(p.URL()+"/api/v1/tasks", form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var task struct {
		ID     string
		Counts struct{ Finish int }
	}
	if err := json.NewDecoder(resp.Body).Decode(&task); err != nil {
		t.Fatal(err)
	}
	for task.Counts.Finish == 0 && time.Since(begin) < firstRow {
		time.Sleep(20 * time.Millisecond)
		get(t, p.URL()+"/api/v1/tasks/"+task.ID, &task)
	}
	took := time.Since(begin)
	t.Logf("from the archive to the first imported row: %v", took)
	if task.Counts.Finish == 0 {
		t.Errorf("no row was imported within %v", firstRow)
	}
	var health struct{ Version, Commit string }
	get(t, p.URL()+"/healthz", &health)
	var row struct{ Attempts []struct{ Build string } }
	get(t, p.URL()+"/api/v1/events/"+task.ID+".1", &row)
	if health.Version != "v9.9.9" || health.Commit == "" || len(row.Attempts) != 1 || row.Attempts[0].Build != health.Commit {
		t.Errorf("/healthz: %+v, the row: %+v", health, row)
	}
}

// get decodes the response of a request, which must succeed.
func get(t *testing.T, url string, into any) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", url, resp.StatusCode, err)
	}
}

// TestPackage_OfTheTypeScriptClient_CanBePublished builds the npm package and lists what it would contain.
func TestPackage_OfTheTypeScriptClient_CanBePublished(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "client")
	if err := os.CopyFS(dir, os.DirFS("../clients/typescript")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"npm", "install", "--no-audit", "--no-fund"}, {"npm", "run", "check"}} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	cmd := exec.CommandContext(t.Context(), "npm", "pack", "--dry-run", "--json", "--ignore-scripts")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	var packed []struct {
		Name, Version string
		Files         []struct{ Path string }
	}
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 || packed[0].Name != "rollcall-client" {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	for _, want := range []string{"LICENSE", "README.md", "dist/client.js", "dist/client.d.ts", "dist/schema.d.ts", "src/client.ts"} {
		found := false
		for _, f := range packed[0].Files {
			found = found || f.Path == want
		}
		if !found {
			t.Errorf("the package lacks %s:\n%s", want, out)
		}
	}
}
