package settings

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/periodic"
)

// expiryTick is the interval at which the embedded Redis deletes expired Redis keys. A Redis key may
// expire up to two ticks too early. For leases this is safe: a node stops using a lease an eighth of its
// length before its end. On a slow machine, Redis keys may expire too late.
const expiryTick = 100 * time.Millisecond

// EmbeddedRedis starts a Redis on loopback that only this process can use. It returns a client and a
// function that stops both.
func EmbeddedRedis() (redis.UniversalClient, func() error, error) {
	m := miniredis.NewMiniRedis()
	password := rand.Text()
	m.RequireAuth(password)
	if err := m.StartAddr("127.0.0.1:0"); err != nil {
		return nil, nil, err
	}
	stopExpiry := expireKeys(m)
	rdb := redis.NewClient(&redis.Options{
		Addr: m.Addr(), Password: password, ContextTimeoutEnabled: true,
	})
	return rdb, func() error {
		stopExpiry()
		err := rdb.Close()
		m.Close()
		return err
	}, nil
}

// expireKeys deletes expired Redis keys at the interval expiryTick, until the caller calls `stop`.
// miniredis itself would visit every Redis key at every command, which is too slow for a queue of a
// thousand shards.
func expireKeys(m *miniredis.Miniredis) (stop func()) {
	last := time.Now()
	return periodic.Beside(context.Background(), expiryTick, func(context.Context) {
		now := time.Now()
		m.FastForward(min(now.Sub(last), 2*expiryTick))
		last = now
	})
}
