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

// firstData returns the path of the archive with the first data directory of an installation of
// Postgres. Its name depends on all inputs of the directory: the program initdb, its arguments, and
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

// pack writes the data directory below dir to an archive, whole or not at all. Concurrent processes
// replace each other's archives.
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

// unpack restores the data directory of an archive below dir. Like lockFolder it uses system calls:
// the archive is not an input of the running test.
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
