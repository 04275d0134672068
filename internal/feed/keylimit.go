package feed

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// Bounds of the rows of one key that wait in Redis. A slow key has the fewest rows in Redis, so it
// takes little of the window of its lane. A fast key has enough rows to stay busy until the next push.
const (
	leastOfKey  = 2
	mostOfKey   = 256
	fastOfKey   = 512
	bytesOfKey  = 256 << 10
	keysOfLane  = 32 // a slow key gets this part of the window
	fewerKeys   = 8  // the same if handlers get all jobs of a key in one call
	fastKey     = 200 * time.Millisecond
	keysTracked = 4096
)

// keyPace is the last limit of a key with held rows, and its time.
type keyPace struct {
	limit int
	at    time.Time // of its last limit
}

// limit returns how many rows of a key of a lane may wait in Redis, unless the key is fast.
func (p *windows) limit(fl *laneWindow) int {
	window, keys := min(fl.window, p.most(fl), most(fl.tenant), most(fl.slots)), int64(keysOfLane)
	if fl.together {
		keys = fewerKeys
	}
	return fl.fitting(int(min(max(window/keys, leastOfKey), mostOfKey)))
}

// resubmittedKeyLimit returns how many rows of a key may wait in Redis before a resubmitted row joins
// them. The row may belong in front of all of them, so a run of such rows exceeds the limit.
func (p *windows) resubmittedKeyLimit(fl *laneWindow) int {
	return p.limit(fl) + fl.fitting(lanes.RunRows)
}

// fitting reduces a limit to the number of rows that fit into bytesOfKey.
func (fl *laneWindow) fitting(limit int) int {
	if fl.bytes == 0 {
		return limit
	}
	return max(min(limit, int(bytesOfKey/fl.bytes)), leastOfKey)
}

// keyLimit returns and stores the limit of a wanted key. It doubles the last limit if it was set less
// than fastKey ago, else halves it. The result is at least p.limit.
func (p *windows) keyLimit(fl *laneWindow, key string, now time.Time) int {
	base, last := p.limit(fl), fl.keys[key]
	k := base
	if last.limit > 0 && now.Sub(last.at) < fastKey {
		k = min(2*last.limit, fastOfKey)
	} else if last.limit > 0 {
		k = last.limit / 2
	}
	k = max(min(fl.fitting(k), int(min(most(fl.slots)/2, fastOfKey))), base) // of few slots, some are for other keys
	if fl.keys == nil || len(fl.keys) >= keysTracked {
		fl.keys = map[string]keyPace{}
	}
	fl.keys[key] = keyPace{k, now}
	return k
}
