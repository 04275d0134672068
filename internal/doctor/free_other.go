//go:build !unix

package doctor

// freeBytes always returns false, because this system has no statfs.
func freeBytes(string) (int64, bool) { return 0, false }
