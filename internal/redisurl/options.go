package redisurl

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Options of addresses of sentinels: the credentials of the sentinels themselves.
const (
	sentinelUsername = "sentinel_username"
	sentinelPassword = "sentinel_password"
)

// dialTimeout bounds how long a connection may take to open, unless the address sets it.
const dialTimeout = 5 * time.Second

// carried lists the options that an address may set. Retry options are excluded: a client that
// repeats a push cannot report whether the first one was accepted.
var carried = []string{
	"db", "protocol", "client_name", "skip_verify", sentinelUsername, sentinelPassword,
	"dial_timeout", "read_timeout", "write_timeout",
	"pool_size", "pool_timeout", "min_idle_conns", "max_idle_conns", "max_active_conns",
	"conn_max_idle_time", "conn_max_lifetime",
}

// cutOptions splits the options off an address without its hosts, and validates their names.
func cutOptions(tail string) (path string, query url.Values, err error) {
	path, text, _ := strings.Cut(tail, "?")
	if query, err = url.ParseQuery(text); err != nil {
		return "", nil, errors.New("cannot be read: its options are not of the form name=value&name=value")
	}
	for name := range query {
		if !slices.Contains(carried, name) {
			return "", nil, fmt.Errorf("option %q cannot be set: use %s", name, strings.Join(carried, ", "))
		}
	}
	return path, query, nil
}

// sentinelOwn removes the credentials of sentinels from the options of their address, and returns
// them.
func sentinelOwn(query url.Values, mode string) url.Values {
	own := url.Values{}
	if mode != "sentinel" {
		return own // the driver rejects them
	}
	for _, name := range []string{sentinelUsername, sentinelPassword} {
		own.Set(name, query.Get(name))
		query.Del(name)
	}
	return own
}

// carry copies the options of an address for one server.
func carry(one *redis.Options, out *redis.UniversalOptions) {
	out.Protocol, out.ClientName = one.Protocol, one.ClientName
	out.DialTimeout = cmp.Or(one.DialTimeout, dialTimeout)
	out.ReadTimeout, out.WriteTimeout = one.ReadTimeout, one.WriteTimeout
	out.PoolSize, out.PoolTimeout = one.PoolSize, one.PoolTimeout
	out.MinIdleConns, out.MaxIdleConns, out.MaxActiveConns = one.MinIdleConns, one.MaxIdleConns, one.MaxActiveConns
	out.ConnMaxIdleTime, out.ConnMaxLifetime = one.ConnMaxIdleTime, one.ConnMaxLifetime
}
