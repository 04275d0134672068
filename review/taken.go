package review

import (
	"context"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// taken finds which other row of a task has a key, where each may stand once only.
type taken struct {
	find func(key string) ([]events.Event, error)
	rows map[string][]holder // by key; those that an edit of this press has given it, too
}

type holder struct {
	id  events.ID
	row int
}

// takenIn is nil for a task in which a key may stand more than once.
func (d *Desk) takenIn(ctx context.Context, t *tasks.Task) *taken {
	if t.Options["duplicates"] != "error" {
		return nil
	}
	return &taken{rows: map[string][]holder{}, find: func(key string) ([]events.Event, error) {
		return d.events.List(ctx, t.Num, events.Filter{Key: key, Limit: 2})
	}}
}

// by is the number of another row that has the key, 0 if there is none: from then on
// e has it.
func (t *taken) by(key string, e *events.Event) (row int, err error) {
	list, known := t.rows[key]
	if !known {
		rows, err := t.find(key)
		if err != nil {
			return 0, err
		}
		for _, r := range rows {
			list = append(list, holder{r.ID, r.Row})
		}
	}
	for _, h := range list {
		if h.id != e.ID {
			return h.row, nil
		}
	}
	t.rows[key] = []holder{{e.ID, e.Row}}
	return 0, nil
}

// twice is the fault of a row whose key another one has, if a key may stand once only:
// one that was edited, or that was found to be so before it ran.
func (j *judge) twice(e *events.Event, key string) ([]events.Field, error) {
	before := e.Attempt > 0 && e.Code != nil && *e.Code == duplicateKey
	if j.taken == nil || key == "" || key == e.Key && !before {
		return nil, nil
	}
	row, err := j.taken.by(key, e)
	if err != nil || row == 0 {
		return nil, err
	}
	return []events.Field{worker.Say(
		events.Field{Column: j.keyColumn(), Value: key, Code: duplicateKey}, "row.duplicate", "n", strconv.Itoa(row),
	)}, nil
}

func (j *judge) keyColumn() string {
	for i := range j.kind.Schema.Fields {
		if f := &j.kind.Schema.Fields[i]; f.Key && j.key == "" {
			return f.Name
		}
	}
	return j.key
}
