package testenv

import (
	"os"
	"syscall"
	"testing"
)

const (
	memoryDir  = "/dev/shm" // on Linux a file system in memory
	memoryRoom = 2 << 30    // least free bytes for its use; containers have 64 MB of it
)

// memoryRoot makes a directory in memory and returns its path. It returns root if there is too
// little room, in `make chaos`, whose ledgers are large, and in programs that measure.
func memoryRoot(root string) (string, error) {
	var stat syscall.Statfs_t
	if !testing.Testing() || Chaos || syscall.Statfs(memoryDir, &stat) != nil ||
		int64(stat.Bavail)*int64(stat.Bsize) < memoryRoom {
		return root, nil
	}
	dir, err := os.MkdirTemp(memoryDir, "rollcall-test-")
	if err != nil {
		return root, nil // no access
	}
	return dir, os.Chmod(dir, 0o755) // the user postgres must enter it
}
