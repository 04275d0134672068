package testenv

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
)

// npmFlags of an installation: nothing is reported to the registry, and no script of a package runs.
var npmFlags = []string{"ci", "--no-audit", "--no-fund", "--ignore-scripts"}

// InstallNPM installs the packages of a folder's package-lock.json into its node_modules. Test
// processes take turns, since npm removes the folder that another process may be reading. A lock
// file that is already installed is not installed again.
func InstallNPM(t T, dir string) {
	t.Helper()
	unlock, err := lockFolder(dir)
	if err != nil {
		t.Fatalf("testenv: lock %s: %v", dir, err)
	}
	defer unlock()
	want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	installed := filepath.Join(dir, "node_modules", ".installed")
	if have, err := os.ReadFile(installed); err == nil && bytes.Equal(have, want) {
		return
	}
	cmd := exec.Command("npm", npmFlags...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testenv: npm ci in %s: %v\n%s", dir, err, out)
	}
	if err := os.WriteFile(installed, want, 0o600); err != nil {
		t.Fatalf("testenv: %v", err)
	}
}
