package feed

// A look reads few keys, so that tests need not have many.
func init() { maxWantedKeys = 50 }
