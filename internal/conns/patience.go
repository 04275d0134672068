package conns

import "time"

// patience is how long the writes of a connection may still wait for the client. What the
// client takes restores it, up to the most.
type patience struct {
	most, left time.Duration
}

// spend notes a write that took a time and sent so many bytes.
func (p *patience) spend(took time.Duration, sent int) {
	earned := time.Duration(sent) * time.Second / SlowestRate
	p.left = min(p.left-took+earned, p.most)
}
