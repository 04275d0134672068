package testenv

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// initdbArgs are the arguments of initdb besides the directory.
var initdbArgs = []string{
	"-U", "postgres", "-E", "UTF8", "--no-locale", "--auth=trust", "--no-sync", "--no-instructions",
}

// initdb makes a Postgres data directory below dir, owned by the user of the server. The program
// initdb runs once for each installation of Postgres; later directories are copies of the first, as
// in Postgres's own tests.
func initdb(t T, dir string, as *syscall.Credential) {
	t.Helper()
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	program := findPostgres(t, "initdb")
	first := firstData(t, program)
	err := unpack(first, dir, as)
	if errors.Is(err, fs.ErrNotExist) {
		runInitdb(t, program, dir, as)
		err = pack(dir, first)
	}
	if err != nil {
		t.Fatalf("testenv: data directory of postgres: %v", err)
	}
}

func runInitdb(t T, program, dir string, as *syscall.Credential) {
	t.Helper()
	log := filepath.Join(dir, "initdb.log")
	proc, err := start(command{
		path: program, args: append([]string{"-D", dataDir(dir)}, initdbArgs...),
		dir: dir, stdout: log, stderr: log, as: as,
	})
	if err != nil {
		t.Fatalf("testenv: initdb: %v", err)
	}
	if !proc.wait(adminWait) || proc.status.ExitStatus() != 0 {
		text, _ := os.ReadFile(log) // the failure is reported anyway
		t.Fatalf("testenv: initdb: it failed or took over %v:\n%s", adminWait, text)
	}
}

// postgresUser returns the user for Postgres, which refuses root. Nil means the user of this
// process; root becomes the user postgres.
func postgresUser(t T) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		missing(t, "the user postgres, as whom root runs Postgres,")
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		t.Fatalf("testenv: user id of postgres: %v", err)
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		t.Fatalf("testenv: group id of postgres: %v", err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
