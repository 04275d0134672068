package testenv

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// firstData returns the path of the archive that holds the first data directory of an
// installation of Postgres. Its name changes with all that the directory depends on: the
// program initdb, its arguments, and the time zone of the machine.
func firstData(t T, program string) string {
	t.Helper()
	info, err := os.Stat(program)
	if err != nil {
		t.Fatalf("testenv: %v", err)
	}
	zone, _ := os.Readlink("/etc/localtime") // a machine without it lives in UTC
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %v %q %q %q",
		program, info.Size(), info.ModTime(), initdbArgs, os.Getenv("TZ"), zone))
	return filepath.Join(buildDir(t, "postgres"), fmt.Sprintf("%x.tar", sum[:8]))
}

// pack writes the data directory below dir to an archive, which is there whole or not at
// all. Processes that do so at the same time replace each other's.
func pack(dir, archive string) error {
	f, err := os.CreateTemp(filepath.Dir(archive), "part-")
	if err != nil {
		return err
	}
	defer f.Close()
	defer os.Remove(f.Name()) // after the rename there is none
	cmd := exec.Command("tar", "-C", dir, "-cf", "-", filepath.Base(dataDir(dir)))
	cmd.Stdout = f
	if err := errors.Join(run(cmd), f.Chmod(0o644)); err != nil { // all users of the machine may read it
		return err
	}
	return os.Rename(f.Name(), archive)
}

// unpack makes the data directory of an archive below dir. It opens the archive as
// lockFolder does: the archive is no input of the running test.
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

// run runs a program to its end. Its error holds what the program wrote.
func run(cmd *exec.Cmd) error {
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, &text)
	}
	return nil
}
