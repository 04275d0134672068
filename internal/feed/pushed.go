package feed

import "time"

// Pushed describes rows of one kind that were pushed to the queue at once.
type Pushed struct {
	Kind  string
	Jobs  map[string]int // by id of their task
	Began time.Time      // start of the read, by this machine's clock
	Took  time.Duration
}
