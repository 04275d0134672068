//go:build unix

package doctor

import "syscall"

// freeBytes returns the number of free bytes on the disk of a folder; false if it is unknown.
func freeBytes(dir string) (int64, bool) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
