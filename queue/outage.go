package queue

import (
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// outageQuiet is the time in which a refusal of Redis is not logged again.
const outageQuiet = time.Minute

// outage notes the refusals of Redis, such as LOADING, that concern all shards at once
// and are logged once for all of them.
type outage struct {
	mu   sync.Mutex
	last map[string]time.Time // time of the last one, by its first word
}

// begins reports whether to log err: it is no refusal, or the first for a while.
func (o *outage) begins(err error) bool {
	for _, word := range refusals {
		if redis.HasErrorPrefix(err, word) {
			return o.first(word)
		}
	}
	return true
}

func (o *outage) first(word string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, last := time.Now(), o.last[word]
	if o.last == nil {
		o.last = make(map[string]time.Time)
	}
	o.last[word] = now
	return now.Sub(last) > outageQuiet
}
