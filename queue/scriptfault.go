package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// These are the bounds of the records of failed scripts.
const (
	faultBytes  = 500              // of the text of an error
	faultLogged = time.Minute      // between two records of one fault in the log
	faultNoted  = 5 * time.Second  // between two notes of one fault in Redis
	faultKept   = 24 * time.Hour   // until all faults of a queue expire, after the last one
	faultRepeat = 30 * time.Second // longest pause between two failures of a fault that repeats
)

// ScriptFault is a script that fails in Redis, because of its source, the data or the rights of the
// Redis user. An unreachable or full Redis is not a ScriptFault. A failed script has changed
// nothing, or its next run repairs the result. Keys of its shard may not run while the fault
// repeats.
type ScriptFault struct {
	Queue  string    `json:"queue"`
	Shard  string    `json:"shard"`  // name of the shard; "" = the whole queue
	Script string    `json:"script"` // name of its file
	Err    string    `json:"error"`
	Since  time.Time `json:"since"`
	Last   time.Time `json:"last"`
	Count  int64     `json:"count"` // failures since Since, in the process that reported them
}

// Repeats reports whether the fault last occurred less than 30 seconds before `now`. As long as the
// server needs a failed script, it runs the script again at least every 5 seconds.
func (f ScriptFault) Repeats(now time.Time) bool { return now.Sub(f.Last) < faultRepeat }

// ScriptFaults returns the scripts of a queue that have failed since a time, the latest first.
func (a *Admin) ScriptFaults(ctx context.Context, queue string, since time.Time) ([]ScriptFault, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	all, err := a.rdb.HVals(ctx, a.keys.faults(queue)).Result()
	if err != nil {
		return nil, fmt.Errorf("queue: faults of %q: %w", queue, err)
	}
	var list []ScriptFault
	for _, text := range all {
		var f ScriptFault
		if json.Unmarshal([]byte(text), &f) == nil && !f.Last.Before(since) {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(x, y ScriptFault) int { return y.Last.Compare(x.Last) })
	return list, nil
}

// isScriptFault reports whether err is an error of a script, so that a repeated call would fail,
// too.
func isScriptFault(err error) bool {
	var answer redis.Error
	if !errors.As(err, &answer) {
		return false
	}
	text := answer.Error()
	return strings.HasPrefix(text, "ERR ") && !strings.HasPrefix(text, "ERR max number of clients") ||
		strings.HasPrefix(text, "WRONGTYPE ") || strings.HasPrefix(text, "NOPERM ")
}
