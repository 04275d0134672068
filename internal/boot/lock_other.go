//go:build !unix

package boot

// lockDir does nothing on systems without flock: do not start two embedded services on one folder
// there.
func lockDir(string) (release func() error, err error) { return func() error { return nil }, nil }
