//go:build unix

package boot

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockDir locks the data folder for this process. It returns an error if another process has the
// lock. If the process dies, the kernel releases the lock.
func lockDir(dir string) (release func() error, err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // the error of Flock is reported
		return nil, fmt.Errorf("%s is in use by another process: stop that one, or set DATA_DIR to another folder", dir)
	}
	return f.Close, nil
}
