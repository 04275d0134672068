package rowacts

import (
	"encoding/json"
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/review"
)

// Name is the name of the kind, of its queue and of its metrics.
const Name = "rollcall.row-acts"

// MaxTasks is the maximum number of tasks that one act concerns. MaxBytes is the maximum size of
// the params of all its rows, in bytes. The params of each row hold the whole act.
const (
	MaxTasks = 20_000
	MaxBytes = 32 << 20
)

// ErrTooLarge means that an act exceeds MaxTasks or MaxBytes.
var ErrTooLarge = errors.New("the act is too large for a task")

// Cancel is a selection of waiting rows to cancel.
type Cancel struct {
	Filter events.Filter `json:"filter"`
	Query  string        `json:"query"` // a text that the row must contain
	By     string        `json:"by"`
	Detail audit.Detail  `json:"detail"`
}

// Order holds an act on rows of tasks. Exactly one of Bulk and Cancel is set.
type Order struct {
	Bulk   *review.BulkAction `json:"bulk,omitempty"`
	Cancel *Cancel            `json:"cancel,omitempty"`
}

// params are the params of a row: the act, and the id of the task that the row is for. Processes of two
// versions may share them, so a new version may only add members.
type params struct {
	Task string `json:"task"`
	Order
}

// drafts returns a draft of a row for each task, or ErrTooLarge.
func (o Order) drafts(ids []string) ([]events.Draft, error) {
	if len(ids) > MaxTasks {
		return nil, ErrTooLarge
	}
	out, bytes := make([]events.Draft, len(ids)), 0
	for i, id := range ids {
		text, err := json.Marshal(params{id, o})
		if err != nil {
			return nil, err
		}
		if bytes += len(text); bytes > MaxBytes {
			return nil, ErrTooLarge
		}
		out[i] = events.Draft{Row: i + 1, Key: id, Params: text}
	}
	return out, nil
}
