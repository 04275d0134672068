package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// modulePath is the module whose programs [Binary] builds.
const modulePath = "github.com/rollcall-dev/rollcall"

// binaries holds the path of each program that this process has built.
var binaries = struct {
	sync.Mutex
	paths map[string]string
}{paths: map[string]string{}}

// Binary builds a main package of the project and returns the program's path.
// pkg is relative to the project's root, such as "./cmd/api", wherever the test
// lies. It is built once per process, with the race detector if the caller
// has it, and removed with the process. tags are build tags, such as that of
// package failpoint.
func Binary(t T, pkg string, tags ...string) string {
	t.Helper()
	binaries.Lock()
	defer binaries.Unlock()
	name := strings.Join(append(tags, pkg), " ")
	if path, ok := binaries.paths[name]; ok {
		return path
	}
	path := filepath.Join(newDir(t, "bin"), filepath.Base(pkg))
	// As the Makefile builds: what it has built is not built again.
	args := []string{"build", "-o", path, "-tags", strings.Join(append(tags, "nomsgpack"), ",")}
	if Race {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, pkg)...)
	cmd.Dir = projectRoot(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testenv: build %s: %v\n%s", pkg, err, out)
	}
	binaries.paths[name] = path
	return path
}

// projectRoot is the nearest directory upwards that holds the project's
// go.mod. (Nested modules, such as bench, lie below it.)
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
