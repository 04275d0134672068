package feed

// A look reads few keys, so that tests need few keys.
func init() { maxWantedKeys = 50 }
