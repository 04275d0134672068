package conns

// Reason is the reason why a connection was closed or rejected.
type Reason string

// These are the reasons for Limits.GivenUp. A connection that net/http closes, for example after IdleTime,
// has no Reason.
const (
	ClientFull Reason = "client"  // closed for another connection of its client, since the client is at its limit
	TableFull  Reason = "full"    // closed for a new connection, since the server is at its limit
	Refused    Reason = "refused" // a new connection was rejected, since no other connection could be closed for it
	Slow       Reason = "slow"    // its client read a response too slowly for too long
	Stalled    Reason = "stalled" // closed because too many responses are stalled
)

// Reasons returns all reasons.
func Reasons() []Reason { return []Reason{ClientFull, TableFull, Refused, Slow, Stalled} }
