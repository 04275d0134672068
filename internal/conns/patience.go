package conns

import "time"

// patience is how long the writes of a connection may still wait for the client. Bytes that the
// client reads restore it, up to most.
type patience struct {
	most, left time.Duration
}

// spend updates the patience after a write that took a time and sent so many bytes.
func (p *patience) spend(took time.Duration, sent int) {
	earned := time.Duration(sent) * time.Second / SlowestRate
	p.left = min(p.left-took+earned, p.most)
}
