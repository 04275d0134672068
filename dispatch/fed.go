package dispatch

import (
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Fed tells of rows of one kind that were pushed to the queue at once.
type Fed struct {
	Kind  string
	Jobs  map[string]int // by id of their task
	Began time.Time      // of the reading, by this machine's clock
	Took  time.Duration
}

// tally counts rows by the id of their task.
func tally(rows []events.Back, feeds map[int64]tasks.Feed) map[string]int {
	out := map[string]int{}
	for i := range rows {
		out[feeds[rows[i].ID.Num()].TaskID]++
	}
	return out
}
