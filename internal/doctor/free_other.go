//go:build !unix

package doctor

// freeBytes returns false: this system has no such call.
func freeBytes(string) (int64, bool) { return 0, false }
