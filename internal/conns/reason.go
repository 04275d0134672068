package conns

// Reason is why a connection was given up or refused.
type Reason string

// The reasons.
const (
	ClientFull Reason = "client"  // given up for another one of its client, which has as many as it may
	TableFull  Reason = "full"    // given up for a newcomer, for the server has as many as it may
	Refused    Reason = "refused" // a newcomer for which none could be given up
	Slow       Reason = "slow"    // its client took too little of an answer for too long
	Stalled    Reason = "stalled" // given up for other answers, of which too many wait
)

// Reasons returns all reasons.
func Reasons() []Reason { return []Reason{ClientFull, TableFull, Refused, Slow, Stalled} }
