package web

import "time"

// countedLately is how old a count may be without its age being shown.
const countedLately = 5 * time.Second

// counted returns when something was counted; nil if that was a moment ago.
func (p *pages) counted(at time.Time) *string {
	if p.opt.Now().Sub(at) < countedLately {
		return nil
	}
	return instant(at.UnixMilli())
}
