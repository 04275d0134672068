// Package redisurl parses the address of a Redis server in the forms that operators write:
//
//	redis://user:password@host:6379/0   one server; rediss:// with TLS
//	host:6379,host:6379                 a cluster, like redis+cluster://
//	redis+sentinel://host,host/name     the master with this name at the sentinels
//
// Options follow a "?", as in go-redis. The variable `allowedOptions` lists them; any other option is an
// error.
//
// A client of one server or of sentinels does not retry a command without a reply, but returns an
// error. A client of a cluster retries such a command up to 3 times, unless the NoRetry method of the
// command returns true. A command ends at the latest with its context.
package redisurl

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Parse parses an address. It does no I/O.
func Parse(text string) (*redis.UniversalOptions, error) {
	opt, err := parse(text)
	if err != nil {
		return nil, err
	}
	opt.ContextTimeoutEnabled = true
	opt.MaxRetries = -1 // callers that push must detect lost replies; on a cluster they send commands with NoRetry
	return opt, nil
}

func parse(text string) (*redis.UniversalOptions, error) {
	if !strings.Contains(text, "://") {
		addrs := withPorts(strings.Split(text, ","))
		return &redis.UniversalOptions{Addrs: addrs, IsClusterMode: len(addrs) > 1}, nil
	}
	scheme, rest, _ := strings.Cut(text, "://")
	base, mode, _ := strings.Cut(scheme, "+")
	if base != "redis" && base != "rediss" {
		return nil, fmt.Errorf("%q is not known: want redis or rediss", scheme)
	}
	hosts, tail := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		hosts, tail = rest[:i], rest[i:]
	}
	tail, query, err := cutOptions(tail)
	if err != nil {
		return nil, err
	}
	user, hosts := cutUser(hosts)
	addrs := strings.Split(hosts, ",")
	name := ""
	if mode == "sentinel" {
		parts := strings.SplitN(strings.Trim(tail, "/"), "/", 2)
		if name = parts[0]; name == "" {
			return nil, errors.New("the name of the sentinels' master is missing: redis+sentinel://host,host/name")
		}
		tail = "/" + strings.Join(parts[1:], "")
	}
	own := cutSentinelOptions(query, mode)
	server, err := redis.ParseURL(base + "://" + user + addrs[0] + tail + "?" + query.Encode())
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	if mode != "" && mode != "cluster" && mode != "sentinel" {
		return nil, fmt.Errorf("%q is not known", scheme)
	}
	out := &redis.UniversalOptions{
		Addrs: withPorts(addrs), MasterName: name, IsClusterMode: mode == "cluster" || name == "" && len(addrs) > 1,
		Username: server.Username, Password: server.Password, DB: server.DB, TLSConfig: sharedTLS(server.TLSConfig),
		SentinelUsername: own.Get(sentinelUsername), SentinelPassword: own.Get(sentinelPassword),
	}
	copyOptions(server, out)
	return out, nil
}

// sharedTLS returns a copy of a TLS configuration for several hosts, or nil for nil. The client
// verifies the certificate of each host against the name of that host.
func sharedTLS(c *tls.Config) *tls.Config {
	if c == nil {
		return nil
	}
	c = c.Clone()
	c.ServerName = ""
	return c
}

func cutUser(hosts string) (user, rest string) {
	if i := strings.LastIndexByte(hosts, '@'); i >= 0 {
		return hosts[:i+1], hosts[i+1:]
	}
	return "", hosts
}

func hasPort(addr string) bool {
	_, _, err := net.SplitHostPort(addr)
	return err == nil
}

func withPorts(addrs []string) []string {
	out := make([]string, len(addrs))
	for i, a := range addrs {
		if out[i] = a; !hasPort(a) {
			out[i] = net.JoinHostPort(strings.Trim(a, "[]"), "6379")
		}
	}
	return out
}
