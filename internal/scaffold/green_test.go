//go:build all

package scaffold

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestWrite_Worker_ItsTestIsGreen runs the test of a written worker, in a module of its own. It needs
// no module beyond those of this one, so Go stays offline. With the race detector in both, Go finds the
// packages that it has compiled for this test.
func TestWrite_Worker_ItsTestIsGreen(t *testing.T) {
	t.Parallel()
	r := request(t, "invoices.book", invoices)
	if _, err := Write(r); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			const module = "github.com/rollcall-dev/rollcall"
			text = []byte(strings.Replace(string(text), "module "+module, "module example.com/shop", 1) +
				"\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n")
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(r.Dir), name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-vet=off", "-race="+strconv.FormatBool(testenv.Race), "./...")
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod "+os.Getenv("GOFLAGS"), "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "--- PASS") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
