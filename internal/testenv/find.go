package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// postgresDirs are patterns of the program directories of Postgres on several systems. Each match holds one
// major version.
var postgresDirs = [...]string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// findProgram returns the path of a program. The argument `name` is its name in $PATH, or its path. If
// the program is not installed, findProgram fails the test.
func findProgram(t T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, name)
	}
	return path
}

// FindPostgres returns the path of a Postgres program. If POSTGRES_BIN is set, it returns the program in this
// directory. Otherwise it returns the program of the newest version in postgresDirs or, if these have none,
// the program in $PATH.
func FindPostgres(t T, name string) string {
	t.Helper()
	if dir := os.Getenv("POSTGRES_BIN"); dir != "" {
		return findProgram(t, filepath.Join(dir, name))
	}
	var found []string
	for _, dir := range postgresDirs {
		paths, _ := filepath.Glob(filepath.Join(dir, name)) // the patterns are well formed
		found = append(found, paths...)
	}
	if len(found) == 0 {
		return findProgram(t, name)
	}
	return slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
}

// majorVersion returns the number in the directory name of a Postgres program, or 0.
func majorVersion(path string) int {
	home := filepath.Base(filepath.Dir(filepath.Dir(path)))
	n, err := strconv.Atoi(home[strings.LastIndexAny(home, "@-")+1:])
	if err != nil {
		return 0
	}
	return n
}

func missing(t T, name string) {
	t.Helper()
	t.Fatalf("testenv: %s is not installed; `make test` installs what tests need"+
		" (or run scripts/provision.sh)", name)
}
