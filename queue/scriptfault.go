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

// Bounds of what is kept of scripts that fail.
const (
	faultBytes  = 500              // of the text of an error
	faultLogged = time.Minute      // between two records of one fault in the log
	faultNoted  = 5 * time.Second  // between two notes of one fault in Redis
	faultKept   = 24 * time.Hour   // since the last fault of all
	faultRepeat = 30 * time.Second // within which a fault that repeats is seen again
)

// ScriptFault is a script that Redis does not run to its end: not a Redis that is
// away or full, but an error of the script, of the data or of the rights of the
// user. The script changed nothing, or leaves what the next run mends; keys of its
// shard may stand still while it repeats.
type ScriptFault struct {
	Queue  string    `json:"queue"`
	Shard  string    `json:"shard"`  // as on the wake channel; "" = the whole queue
	Script string    `json:"script"` // name of its file
	Err    string    `json:"error"`
	Since  time.Time `json:"since"`
	Last   time.Time `json:"last"`
	Count  int64     `json:"count"` // since Since, in the process that tells it
}

// Repeats reports whether the fault was seen less than 30 seconds before now: a
// script that is needed is tried at least every 5 seconds.
func (f ScriptFault) Repeats(now time.Time) bool { return now.Sub(f.Last) < faultRepeat }

// ScriptFaults returns the scripts of a queue that have failed since a time, the
// latest first.
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

// isScriptFault reports whether an error is that of a script: a repeated call will
// fail, too.
func isScriptFault(err error) bool {
	var told redis.Error
	if !errors.As(err, &told) {
		return false
	}
	text := told.Error()
	return strings.HasPrefix(text, "ERR ") && !strings.HasPrefix(text, "ERR max number of clients") ||
		strings.HasPrefix(text, "WRONGTYPE ") || strings.HasPrefix(text, "NOPERM ")
}
