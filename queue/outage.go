package queue

import (
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// outageQuiet is how long repetitions of a refusal by Redis are not logged.
const outageQuiet = time.Minute

// outage tracks the refusals of Redis, such as LOADING, that concern all shards at once and are
// logged once.
type outage struct {
	mu   sync.Mutex
	last map[string]time.Time // time of the last one, by its first word
}

// begins reports whether to log err. It returns false for a refusal that was logged within
// outageQuiet.
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
