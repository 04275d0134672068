package ops

import (
	"time"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// countedLately is how old a count may be without its age being shown.
const countedLately = 5 * time.Second

// counted returns when something was counted; nil if that was a moment ago.
func (p *Handlers) counted(at time.Time) *string {
	if p.Now().Sub(at) < countedLately {
		return nil
	}
	return textutil.Instant(at.UnixMilli())
}
