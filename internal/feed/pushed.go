package feed

import "time"

// Pushed describes one push of rows of a kind to the queue.
type Pushed struct {
	Kind  string
	Jobs  map[string]int // number of jobs, by task id
	Began time.Time      // start of the read of the rows, by this machine's clock
	Took  time.Duration  // from the start of the read to the end of the push
}
