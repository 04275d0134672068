package dispatch

// A look reads few keys, so that tests need not have many.
func init() { wantedKeys = 50 }
