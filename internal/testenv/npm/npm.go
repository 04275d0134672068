// Package npm installs programs for tests from the npm registry. Only one test process at a time
// installs into a folder. The package does not install Node, which `make provision` installs.
package npm

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// flags are the arguments of npm. They disable audit requests and the scripts of packages.
var flags = []string{"ci", "--no-audit", "--no-fund", "--ignore-scripts"}

// Install installs the packages in a folder's package-lock.json into its node_modules. Only one test
// process at a time installs into a folder, since npm removes the folder that another process may be
// reading. If the packages of the same lock file are already installed, Install is a no-op.
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
