package testenv

import (
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// initdb makes a Postgres data directory below dir, which it hands to the user
// that will run the server.
func initdb(t T, dir string, as *syscall.Credential) {
	t.Helper()
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	log := filepath.Join(dir, "initdb.log")
	proc, err := start(command{
		path: findPostgres(t, "initdb"),
		args: []string{
			"-D", dataDir(dir), "-U", "postgres", "-E", "UTF8", "--no-locale",
			"--auth=trust", "--no-sync", "--no-instructions",
		},
		dir: dir, stdout: log, stderr: log, as: as,
	})
	if err != nil {
		t.Fatalf("testenv: initdb: %v", err)
	}
	if !proc.wait(adminWait) || proc.status.ExitStatus() != 0 {
		text, _ := os.ReadFile(log) // the failure is told anyway
		t.Fatalf("testenv: initdb: it failed or took over %v:\n%s", adminWait, text)
	}
}

// postgresUser returns whom to run Postgres as, since it refuses root: nil
// means as we are, and root becomes the user postgres.
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
