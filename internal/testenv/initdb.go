package testenv

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// initdbArgs are the arguments of initdb besides the directory.
var initdbArgs = []string{
	"-U", "postgres", "-E", "UTF8", "--no-locale", "--auth=trust", "--no-sync", "--no-instructions",
}

// initdb makes a Postgres data directory below `dir`, owned by the user `as`. It runs the program initdb
// only for the first directory of an installation of Postgres. Later directories are copies of the
// first, as in Postgres's own tests.
func initdb(t T, dir string, as *syscall.Credential) {
	t.Helper()
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			t.Fatalf("testenv: %v", err)
		}
	}
	program := FindPostgres(t, "initdb")
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

// postgresUser returns the user that Postgres runs as. If this process is root, this is the user
// postgres, since Postgres refuses to run as root. Nil means the user of this process.
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

// firstData returns the path of the archive with the first data directory of an installation of Postgres.
// The name of the archive depends on all inputs of the directory: the program initdb, its arguments, and
// the time zone of the machine.
func firstData(t T, program string) string {
	t.Helper()
	info, err := os.Stat(program)
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	zone, _ := os.Readlink("/etc/localtime") // without it the time zone is UTC
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %v %q %q %q",
		program, info.Size(), info.ModTime(), initdbArgs, os.Getenv("TZ"), zone))
	return filepath.Join(buildDir(t, "postgres"), fmt.Sprintf("%x.tar", sum[:8]))
}

// pack writes the data directory below `dir` to an archive. A rename makes the complete archive visible
// at once. Concurrent processes replace each other's archive.
func pack(dir, archive string) error {
	f, err := os.CreateTemp(filepath.Dir(archive), "part-")
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(f.Name()) // after the rename there is no file
	cmd := exec.Command("tar", "-C", dir, "-cf", "-", filepath.Base(dataDir(dir)))
	cmd.Stdout = f
	if err := errors.Join(run(cmd), f.Chmod(0o644)); err != nil { // all users of the machine may read it
		return err
	}
	return os.Rename(f.Name(), archive)
}

// unpack restores the data directory of an archive, and puts it below `dir`. Without the archive it returns
// fs.ErrNotExist. Like LockFolder it uses system calls, so that the archive does not count as an input of the
// running test.
func unpack(archive, dir string, as *syscall.Credential) error {
	fd, err := syscall.Open(archive, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), archive)
	defer f.Close()
	cmd := exec.Command("tar", "-xpf", "-")
	cmd.Dir, cmd.Stdin = dir, f
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	return run(cmd)
}

// run runs a program to its end. Its error contains the program's error output.
func run(cmd *exec.Cmd) error {
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, &text)
	}
	return nil
}
