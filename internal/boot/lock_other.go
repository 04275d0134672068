//go:build !unix

package boot

// lockDir does nothing, because this system has no flock. Users must not start two embedded services with
// the same data folder.
func lockDir(string) (release func() error, err error) { return func() error { return nil }, nil }
