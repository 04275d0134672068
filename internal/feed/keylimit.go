package feed

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
)

// These constants bound how many rows of one key wait in Redis. A key is fast if it is wanted again within
// fastKey, and otherwise slow. A slow key has the fewest rows, so that it takes little of the window of its
// lane. A fast key has enough rows for the time until the next push.
const (
	leastOfKey  = 2                      // the least limit
	mostOfKey   = 256                    // the greatest limit of a slow key
	fastOfKey   = 512                    // the greatest limit of a fast key
	bytesOfKey  = 256 << 10              // the most bytes of a key
	keysOfLane  = 32                     // a slow key gets the window divided by this number
	fewerKeys   = 8                      // the same divisor, if handlers get all jobs of a key in one call
	fastKey     = 200 * time.Millisecond // a key that is wanted again within this time is fast
	keysTracked = 4096                   // the most keys of a lane whose last limits are stored
)

// keyPace holds the last limit of a key with held rows, and when it was set.
type keyPace struct {
	limit int
	at    time.Time // when the limit was set
}

// limit returns how many rows of a slow key of a lane may wait in Redis. A key is slow if it is not wanted
// again within fastKey.
func (p *windows) limit(fl *laneWindow) int {
	window, keys := min(fl.window, p.maxInRedis(fl), orUnlimited(fl.tenant), orUnlimited(fl.slots)), int64(keysOfLane)
	if fl.together {
		keys = fewerKeys
	}
	return fl.fitting(int(min(max(window/keys, leastOfKey), mostOfKey)))
}

// resubmittedKeyLimit returns how many rows of a key may wait in Redis if a resubmitted row is pushed.
// The row may come before all of them, so this limit exceeds the usual one by up to the size of a
// HeldGroup.
func (p *windows) resubmittedKeyLimit(fl *laneWindow) int {
	return p.limit(fl) + fl.fitting(lanes.GroupRows)
}

// fitting reduces a limit to the number of rows that fit into bytesOfKey, but to no less than
// leastOfKey.
func (fl *laneWindow) fitting(limit int) int {
	if fl.bytes == 0 {
		return limit
	}
	return max(min(limit, int(bytesOfKey/fl.bytes)), leastOfKey)
}

// keyLimit returns and stores the limit of a wanted key. It doubles the last limit if that was set less
// than fastKey ago, and otherwise halves it. The result is at least p.limit, which is also the first limit.
// A higher limit is at most fastOfKey, half of the tenant's slots, and the rows that fit into bytesOfKey.
func (p *windows) keyLimit(fl *laneWindow, key string, now time.Time) int {
	base, last := p.limit(fl), fl.keys[key]
	k := base
	if last.limit > 0 && now.Sub(last.at) < fastKey {
		k = min(2*last.limit, fastOfKey)
	} else if last.limit > 0 {
		k = last.limit / 2
	}
	k = max(min(fl.fitting(k), int(min(orUnlimited(fl.slots)/2, fastOfKey))), base) // a raised limit leaves half of the slots to other keys
	if fl.keys == nil || len(fl.keys) >= keysTracked {
		fl.keys = map[string]keyPace{}
	}
	fl.keys[key] = keyPace{k, now}
	return k
}
