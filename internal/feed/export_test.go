package feed

// init lets a poll read few keys, so that tests need few keys.
func init() { maxWantedKeys = 50 }
