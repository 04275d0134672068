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

// Bounds of the records of failed scripts.
const (
	faultBytes  = 500              // of the text of an error
	faultLogged = time.Minute      // between two records of one fault in the log
	faultNoted  = 5 * time.Second  // between two notes of one fault in Redis
	faultKept   = 24 * time.Hour   // since the last fault of all
	faultRepeat = 30 * time.Second // a fault seen within this time repeats
)

// ScriptFault is a script that fails in Redis. The cause is the script, the data or the rights of the
// Redis user. An unreachable or full Redis is not a ScriptFault. The script changed nothing, or the
// next run repairs its result. Keys of its shard may stop while it repeats.
type ScriptFault struct {
	Queue  string    `json:"queue"`
	Shard  string    `json:"shard"`  // as on the wake channel; "" = the whole queue
	Script string    `json:"script"` // name of its file
	Err    string    `json:"error"`
	Since  time.Time `json:"since"`
	Last   time.Time `json:"last"`
	Count  int64     `json:"count"` // since Since, in the reporting process
}

// Repeats reports whether the fault was seen less than 30 seconds before now. A needed script is
// retried at least every 5 seconds.
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

// isScriptFault reports whether err comes from a script, so that a repeated call fails, too.
func isScriptFault(err error) bool {
	var told redis.Error
	if !errors.As(err, &told) {
		return false
	}
	text := told.Error()
	return strings.HasPrefix(text, "ERR ") && !strings.HasPrefix(text, "ERR max number of clients") ||
		strings.HasPrefix(text, "WRONGTYPE ") || strings.HasPrefix(text, "NOPERM ")
}
