// Package npm installs the programs that tests take from the registry of npm. Test processes that
// need the same folder take turns. It does not install Node: make provision does.
package npm

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// flags of an installation: without reports to the registry, and without scripts of packages.
var flags = []string{"ci", "--no-audit", "--no-fund", "--ignore-scripts"}

// Install installs the packages of a folder's package-lock.json into its node_modules. Test
// processes take turns, since npm removes the folder that another process may be reading. A lock
// file that is already installed is not installed again.
func Install(t testenv.T, dir string) {
	t.Helper()
	unlock, err := testenv.LockFolder(dir)
	if err != nil {
		t.Fatalf("npm: lock %s: %v", dir, err)
	}
	defer unlock()
	want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		t.Fatalf("npm: %v", err)
	}
	installed := filepath.Join(dir, "node_modules", ".installed")
	if have, err := os.ReadFile(installed); err == nil && bytes.Equal(have, want) {
		return
	}
	cmd := exec.Command("npm", flags...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("npm ci in %s: %v\n%s", dir, err, out)
	}
	if err := os.WriteFile(installed, want, 0o600); err != nil {
		t.Fatalf("npm: %v", err)
	}
}
