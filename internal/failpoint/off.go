//go:build !failpoints

package failpoint

import "time"

// Hit is the moment called name.
func Hit(string) {}

// Skewed is what a wrong wall clock would say at t.
func Skewed(t time.Time) time.Time { return t }
