package conns

import (
	"cmp"
	"time"
)

// These are the limits of a connection, its requests and their responses. They are not configurable.
const (
	HeaderTime  = 10 * time.Second // for a head, from its first byte or the start of the connection
	HeaderBytes = 32 << 10         // of a head; net/http adds 4 KiB
	IdleTime    = 2 * time.Minute  // of a connection between two requests

	// StallTimeout is the longest time for which a client may send or read no byte of a body. The time for
	// a whole body is StallTimeout, plus one second for each SlowestRate bytes.
	StallTimeout = 30 * time.Second

	// SlowestRate is the lowest allowed rate of a client, in bytes per second: 32 kbit/s, slower than any
	// current phone network. Without this limit, a client that reads one byte every 29 seconds would hold a
	// connection for days.
	SlowestRate = 4 << 10

	JSONBytes  = 64 << 10 // of a body in JSON
	RowsBytes  = 10 << 20 // of a body in JSON with rows, which are held in memory
	FieldBytes = 64 << 10 // of a field of a form
	FormBytes  = 1 << 20  // of all fields of a form, and of the heads of its parts
)

// Limits holds the limits of a Table. A zero field means the default.
type Limits struct {
	// Connections is the maximum number of connections of a server. Default 2048.
	Connections int

	// PerAddress is the maximum number of connections of one client: an IPv4 address, or a /64 network
	// of IPv6. Default 1024, because an office of many browsers may share one address.
	PerAddress int

	// Stalled is the number of responses that may wait for their clients. If another response begins to
	// wait, the table closes a response that has waited for over a second. If no response has waited so
	// long, up to twice as many may wait. Default 512.
	Stalled int

	// StallTimeout is how long a response may wait for its client. The default is the constant
	// StallTimeout.
	StallTimeout time.Duration

	// GivenUp is called for each connection that the table closes or rejects, or whose client reads
	// too slowly. Default: none.
	GivenUp func(Reason)
}

func (l Limits) withDefaults() Limits {
	l.Connections = cmp.Or(l.Connections, 2048)
	l.PerAddress = cmp.Or(l.PerAddress, 1024)
	l.Stalled = cmp.Or(l.Stalled, 512)
	l.StallTimeout = cmp.Or(l.StallTimeout, StallTimeout)
	if l.GivenUp == nil {
		l.GivenUp = func(Reason) {}
	}
	return l
}
