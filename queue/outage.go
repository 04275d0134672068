package queue

import (
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// outageQuiet is the time without a refusal of one type after which the next refusal of this type is
// logged.
const outageQuiet = time.Minute

// outage holds the times of the last refusals of Redis that concern all shards at once, such as LOADING.
// Each type of refusal is logged once per outage.
type outage struct {
	mu   sync.Mutex
	last map[string]time.Time // time of the last refusal, by its first word
}

// begins reports whether to log err. It returns false if a refusal of the same type occurred less than
// outageQuiet before, whether or not that refusal was logged.
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
