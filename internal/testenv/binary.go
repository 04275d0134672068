package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
)

// modulePath is the module whose programs [Binary] builds.
const modulePath = "github.com/rollcall-dev/rollcall"

// binaries holds the path of each program built by this process.
var binaries = struct {
	sync.Mutex
	paths map[string]string
}{paths: map[string]string{}}

// Binary builds a main package of the project and returns the program's path. pkg is relative to
// the project's root, such as "./cmd/api". The program is linked for package failpoint, and with
// the race detector if the caller has it. All test processes share the program; an up-to-date one
// is not built again.
//
// The sources of the program count as inputs of the test: after a change of one, the go command
// runs the test again.
func Binary(t T, pkg string) string {
	t.Helper()
	binaries.Lock()
	defer binaries.Unlock()
	if path, ok := binaries.paths[pkg]; ok {
		return path
	}
	root := projectRoot(t)
	path := filepath.Join(binaryDir(t), filepath.Base(pkg))
	build(t, root, path, pkg)
	if err := readSources(root, pkg); err != nil {
		t.Fatalf("testenv: sources of %s: %v", pkg, err)
	}
	binaries.paths[pkg] = path
	return path
}

// binaryDir returns the folder of the programs.
func binaryDir(t T) string {
	t.Helper()
	if Race {
		return buildDir(t, "race")
	}
	return buildDir(t, "plain")
}

// buildDir makes a folder for files shared by test processes, which git and the go command ignore.
func buildDir(t T, name string) string {
	t.Helper()
	dir := filepath.Join(projectRoot(t), ".build", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("testenv: %v", err)
	}
	return dir
}

// build links the program. Other test processes wait, since they need the same file.
func build(t T, root, path, pkg string) {
	t.Helper()
	unlock, err := LockFolder(filepath.Dir(path))
	if err != nil {
		t.Fatalf("testenv: lock the programs: %v", err)
	}
	defer unlock()
	args := []string{"build", "-tags=nomsgpack", "-buildvcs=false", "-ldflags", "-s -w " + failpoint.LinkFlag, "-o", path}
	if Race {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testenv: build %s: %v\n%s", pkg, err, out)
	}
}

// LockFolder locks a folder for this process. It uses system calls, since files that a test opens
// through package os count as its inputs.
func LockFolder(dir string) (unlock func(), err error) {
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX); err != nil {
		return nil, err
	}
	return func() { _ = syscall.Close(fd) }, nil
}

// sourceList prints the folder and the files of each package of the project that a program
// contains.
const sourceList = `{{if not .Standard}}{{if .Module.Main}}{{.Dir}}
{{range .GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$.Dir}}/{{.}}
{{end}}{{end}}{{end}}`

// readSources opens each source file of a program and reads each folder, so that the go command
// records them as inputs of the running test.
func readSources(root, pkg string) error {
	cmd := exec.Command("go", "list", "-deps", "-f", sourceList, pkg)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	names := append(strings.Split(strings.TrimSpace(string(out)), "\n"), filepath.Join(root, "go.mod"))
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		_ = f.Close() // it was only opened for the record
	}
	return nil
}

// projectRoot returns the nearest directory upwards with the project's go.mod. (Nested modules,
// such as bench, are below it.)
func projectRoot(t T) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod")) // most have none
		if first, _, _ := strings.Cut(string(text), "\n"); first == "module "+modulePath {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatalf("testenv: %s does not lie in the project", here)
		}
	}
}
