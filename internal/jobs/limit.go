package jobs

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
)

// ByTenant is the member of Limit.By that stands for the tenant of a job.
const ByTenant = "/tenant"

// Limit is a bound on the jobs of a kind over all processes.
type Limit struct {
	// AtOnce is how many jobs may run at the same time; 0 means no limit.
	AtOnce int

	// Rate is how many jobs may start within any span of the duration Per; 0 means no limit.
	Rate int
	Per  time.Duration

	// By lists the names of columns. Jobs of a tenant that have equal values in these columns share the
	// limit. With ByTenant alone, all jobs of a tenant share it. If By is empty, all jobs of the kind
	// share it.
	By []string
}

// LimitsOf returns the limits of a job of a tenant, in the order of the kind's limits.
func (k Kind) LimitsOf(tenant string, params json.RawMessage) []queue.Limit {
	out := make([]queue.Limit, len(k.Limits))
	for i, l := range k.Limits {
		out[i] = queue.Limit{Scope: l.scope(tenant, params), AtOnce: l.AtOnce, Rate: l.Rate, Per: l.Per}
	}
	return out
}

// scope returns the scope in which the limit counts a job: the tenant, and the names in Limit.By with
// their values. It is empty if Limit.By is empty.
func (l Limit) scope(tenant string, params json.RawMessage) string {
	if len(l.By) == 0 {
		return ""
	}
	parts := []string{strconv.Quote(tenant)}
	names, values := l.Columns(params)
	for i, name := range names {
		parts = append(parts, strconv.Quote(name), strconv.Quote(values[i]))
	}
	return strings.Join(parts, " ")
}

// Columns returns the names in the field By, without ByTenant, and their values in `params`.
func (l Limit) Columns(params json.RawMessage) (names, values []string) {
	var cells map[string]json.RawMessage
	_ = json.Unmarshal(params, &cells) // if params is not an object, each value is empty
	for _, name := range l.By {
		if name != ByTenant {
			names, values = append(names, name), append(values, plainText(cells[name]))
		}
	}
	return names, values
}

// plainText returns a JSON string as its trimmed text, null as "", and other JSON unchanged.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	return strings.TrimSpace(text)
}
