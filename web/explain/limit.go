package explain

import (
	"context"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// checkLimits adds a reason if a limit of the kind keeps the key of the row from starting, or if the queue
// is unavailable. It reports whether it has added a reason.
func (x *explainer) checkLimits(ctx context.Context, key string) bool {
	kind, _ := x.s.Manage.Kinds.Kind(x.t.Kind) // the limits of an unregistered kind are unknown
	i, at, err := x.s.Queue.Admin().Refused(ctx, kind.Name, key, kind.LimitsOf(x.t.Tenant, x.params)...)
	if err != nil {
		x.s.Log.WarnContext(ctx, "explain: the limits of a row could not be read", "err", err)
		x.add("QUEUE_AWAY")
		return true
	}
	if i < 0 {
		return false
	}
	l := kind.Limits[i]
	if of := x.limitName(kind, l); l.AtOnce > 0 {
		x.add("LIMIT_AT_ONCE", "n", l.AtOnce, "of", of)
	} else {
		x.add("LIMIT_RATE", "n", l.Rate, "of", of, "span", x.in.Span(l.Per.Milliseconds())).At = textutil.Instant(at.UnixMilli())
	}
	return true
}

// limitName returns the name under which a limit counts the row: the kind, the tenant, or columns with the
// values of the row. Sensitive columns appear without their values.
func (x *explainer) limitName(kind jobs.Kind, l jobs.Limit) string {
	names, values := l.Columns(x.params)
	switch {
	case len(l.By) == 0:
		return x.t.Kind
	case len(names) == 0:
		return x.t.Tenant
	}
	parts := make([]string, len(names))
	for i, name := range names {
		if parts[i] = name; kind.Schema == nil || !kind.Schema.Hides(name) {
			parts[i] += " " + values[i]
		}
	}
	return strings.Join(parts, ", ")
}
