package feed

import "time"

// Pushed is a group of rows of one kind that were pushed to the queue at once.
type Pushed struct {
	Kind  string
	Jobs  map[string]int // number of jobs, by task id
	Began time.Time      // start of the read of the rows, by this machine's clock
	Took  time.Duration  // from the start of the read to the end of the push
}
