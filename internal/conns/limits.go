package conns

import (
	"cmp"
	"time"
)

// Limits of one request and its answer. No setting changes them.
const (
	HeaderTime  = 10 * time.Second // from the first byte of a head, or of a connection, to its end
	HeaderBytes = 32 << 10         // of a head; net/http adds 4 KiB
	IdleTime    = 2 * time.Minute  // of a connection between two requests

	// Patience is how long a client may neither send nor take a byte of a body. Beside it, a
	// body may take one second for each SlowestRate bytes.
	Patience = 30 * time.Second

	// SlowestRate is in bytes a second: 32 kbit/s, less than any phone network of today. Without
	// it, a client that takes a byte every 29 seconds keeps a connection for days.
	SlowestRate = 4 << 10

	JSONBytes  = 64 << 10 // of a body in JSON
	RowsBytes  = 10 << 20 // of a body in JSON with rows, which are held in memory
	FieldBytes = 64 << 10 // of a field of a form
	FormBytes  = 1 << 20  // of all fields of a form, and of the heads of its parts
)

// Limits bounds the connections of a Table. Zero values are replaced by the defaults.
type Limits struct {
	// Connections is how many a server has at once. Default 2048.
	Connections int

	// PerAddress is how many one client has at once: an IPv4 address, or a network /64 of IPv6.
	// Default 1024, for an office of some hundred browsers behind one address.
	PerAddress int

	// Stalled is how many connections may wait for over a second for their clients to take more
	// of an answer; twice as many may wait at all. Default 512.
	Stalled int

	// Patience is that of answers. Default Patience.
	Patience time.Duration

	// GivenUp is called once for each connection that is given up or refused. Default: nothing.
	GivenUp func(Reason)
}

func (l Limits) withDefaults() Limits {
	l.Connections = cmp.Or(l.Connections, 2048)
	l.PerAddress = cmp.Or(l.PerAddress, 1024)
	l.Stalled = cmp.Or(l.Stalled, 512)
	l.Patience = cmp.Or(l.Patience, Patience)
	if l.GivenUp == nil {
		l.GivenUp = func(Reason) {}
	}
	return l
}
