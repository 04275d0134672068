package housetest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	env "github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestExamples_InAModuleOutside_Compile copies the examples of the published packages, and package
// client, into another module, and compiles them against this one. Go runs offline, because the test
// needs no module beyond those of this one. It links nothing, and does not vet, which would read all
// modules.
func TestExamples_InAModuleOutside_Compile(t *testing.T) {
	t.Parallel()
	dir := outsideFolder(t)
	for _, pattern := range []string{
		"worker/example*_test.go", "worker/workertest/example*_test.go", "worker/rollcall/example*_test.go",
		"queue/example*_test.go", "client/example*_test.go",
	} {
		copied(t, dir, pattern)
	}
	copied(t, dir, "client/*.go")
	for name, old := range map[string]string{"go.mod": "go.mod", "go.sum": "go.sum"} {
		text, err := os.ReadFile(filepath.Join("../..", old))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), outsideModule(t, name, string(text)))
	}
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-test", race(), "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod "+os.Getenv("GOFLAGS"), "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// outsideFolder returns an empty folder outside the project. Each run of this checkout gets the same folder, since
// Go compiles a package again if its folder is another one. Runs at the same time wait for each other.
func outsideFolder(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(os.TempDir(), fmt.Sprintf("rollcall-outside-%.8x", sha256.Sum256([]byte(root))))
	if err := os.MkdirAll(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	unlock, err := env.LockFolder(shared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	dir := filepath.Join(shared, "module")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// race returns the flag with which Go finds the packages that it has compiled for this test.
func race() string {
	info, ok := debug.ReadBuildInfo()
	on := ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
	return "-race=" + strconv.FormatBool(on)
}

// outsideModule returns the go.mod of the other module. It changes no file of the project.
func outsideModule(t *testing.T, name, text string) string {
	t.Helper()
	if name != "go.mod" {
		return text
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text = strings.Replace(text, "module "+module, "module example.com/outside", 1)
	return text + "\nrequire " + module + " v0.0.0\n\nreplace " + module + " => " + root + "\n"
}

// copied copies the files that match a pattern, at least one.
func copied(t *testing.T, dir, pattern string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../..", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, strings.TrimPrefix(name, "../../"))
		if strings.HasPrefix(pattern, "client/*") {
			to = filepath.Join(dir, "copy", filepath.Base(name))
		}
		if strings.HasSuffix(to, "_test.go") && strings.Contains(to, "/copy/") {
			continue // tests of the package start servers of this module
		}
		if strings.Contains(string(text), module+"/internal/") {
			t.Errorf("%s imports an internal package", name)
		}
		write(t, to, string(text))
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
