package conns

import "time"

// patience is the time for which writes of a connection may still wait for the client. Each byte that the
// kernel accepts for the client increases it, up to `most`.
type patience struct {
	most, left time.Duration
}

// spend reduces the patience by the time that a write took. It adds one second for each SlowestRate
// bytes sent, up to `most`.
func (p *patience) spend(took time.Duration, sent int) {
	earned := time.Duration(sent) * time.Second / SlowestRate
	p.left = min(p.left-took+earned, p.most)
}
