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

// These options of an address set the user name and the password for the sentinels.
const (
	sentinelUsername = "sentinel_username"
	sentinelPassword = "sentinel_password"
)

// dialTimeout bounds how long a connection may take to open, unless the address sets dial_timeout.
const dialTimeout = 5 * time.Second

// allowedOptions lists the options that an address may set. Retry options are excluded: a client that
// repeats a push cannot report whether Redis accepted the first push.
var allowedOptions = []string{
	"db", "protocol", "client_name", "skip_verify", sentinelUsername, sentinelPassword,
	"dial_timeout", "read_timeout", "write_timeout",
	"pool_size", "pool_timeout", "min_idle_conns", "max_idle_conns", "max_active_conns",
	"conn_max_idle_time", "conn_max_lifetime",
}

// cutOptions splits the options off the part of an address after the hosts, and validates their
// names.
func cutOptions(tail string) (path string, query url.Values, err error) {
	path, text, _ := strings.Cut(tail, "?")
	if query, err = url.ParseQuery(text); err != nil {
		return "", nil, errors.New("cannot be read: its options are not of the form name=value&name=value")
	}
	for name := range query {
		if !slices.Contains(allowedOptions, name) {
			return "", nil, fmt.Errorf("option %q cannot be set: use %s", name, strings.Join(allowedOptions, ", "))
		}
	}
	return path, query, nil
}

// cutSentinelOptions removes the credentials for sentinels from the options of a sentinel address,
// and returns them. It removes nothing in the other modes.
func cutSentinelOptions(query url.Values, mode string) url.Values {
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

// copyOptions copies the options of one server to `out`.
func copyOptions(server *redis.Options, out *redis.UniversalOptions) {
	out.Protocol, out.ClientName = server.Protocol, server.ClientName
	out.DialTimeout = cmp.Or(server.DialTimeout, dialTimeout)
	out.ReadTimeout, out.WriteTimeout = server.ReadTimeout, server.WriteTimeout
	out.PoolSize, out.PoolTimeout = server.PoolSize, server.PoolTimeout
	out.MinIdleConns, out.MaxIdleConns, out.MaxActiveConns = server.MinIdleConns, server.MaxIdleConns, server.MaxActiveConns
	out.ConnMaxIdleTime, out.ConnMaxLifetime = server.ConnMaxIdleTime, server.ConnMaxLifetime
}
