//go:build all

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// example is the address of the service in the docs.
const example = "http://127.0.0.1:8080"

// TestDocs_Commands_RunAndAnswerAsWritten runs the blocks of each page whose language is "sh", in
// order, in one shell and with a service for the page. The output of a block must contain the json
// and text blocks behind it. Pages of docs/run have Postgres and Redis, the others the embedded
// service.
func TestDocs_Commands_RunAndAnswerAsWritten(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, pattern := range []string{"README.md", "docs/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			steps := stepsOf(string(text))
			if len(steps) == 0 {
				continue
			}
			pages++
			t.Run(strings.TrimPrefix(name, root+"/"), func(t *testing.T) {
				t.Parallel()
				url, env := serviceFor(t, name)
				follows(t, root, steps, url, env)
			})
		}
	}
	if pages < 8 {
		t.Errorf("only %d pages have commands", pages)
	}
}

// serviceFor starts the service that a page describes, and returns its address and its settings.
func serviceFor(t *testing.T, page string) (url string, env []string) {
	t.Helper()
	if !strings.Contains(page, "/docs/run/") {
		dir := t.TempDir()
		return embedded(t, dir).URL(), []string{"DATA_DIR=" + dir}
	}
	h := newDeployment(t)
	api := h.api()
	h.worker()
	return api.URL(), h.env
}

// follows runs the steps of a page in a folder with the samples of the project.
func follows(t *testing.T, root string, steps []step, url string, env []string) {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	for from, to := range map[string]string{
		filepath.Join(root, "testdata"):   filepath.Join(dir, "testdata"),
		testenv.Binary(t, "./cmd/api"):    filepath.Join(bin, "rollcall-api"),
		testenv.Binary(t, "./cmd/worker"): filepath.Join(bin, "rollcall-worker"),
	} {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, to); err != nil {
			t.Fatal(err)
		}
	}
	var script strings.Builder
	script.WriteString("set -eu -o pipefail\n")
	for i, s := range steps {
		script.WriteString("printf '\\036" + strconv.Itoa(i) + "\\n'\n" + strings.ReplaceAll(s.commands, example, url))
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script.String())
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "PATH="+bin+":"+postgresBin()+":"+os.Getenv("PATH"))
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	printed := strings.Split(string(out), "\036")[1:]
	if err != nil || len(printed) != len(steps) {
		t.Fatalf("%d of %d blocks ran: %v\n%s\n%s", len(printed), len(steps), err, &faults, out)
	}
	for i, s := range steps {
		_, text, _ := strings.Cut(printed[i], "\n")
		for _, wrong := range s.differs(text) {
			t.Errorf("after\n%s%s", s.commands, wrong)
		}
	}
}

// postgresBin returns the folder of the newest programs of Postgres that Debian has installed, or "".
func postgresBin() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is right
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}
