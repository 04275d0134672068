package events

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// insert adds the rows of c behind the first base ones of the task.
func (s *Store) insert(ctx context.Context, tx ledger.Tx, c Chunk, lane Lane, base int64) error {
	if len(c.Rows) == 0 {
		return nil
	}
	failpoint.Hit("copying")
	defer failpoint.Hit("copied")
	rows, width := make([][]any, len(c.Rows)), len(goodColumns)
	for i, r := range c.Rows {
		rows[i] = s.values(NewID(c.Num, base+int64(i)+1), lane, r)
		rows[i][4] = c.names.Stored(rows[i][4].(string))
		width = max(width, len(rows[i]))
	}
	for i := range rows {
		rows[i] = append(rows[i], make([]any, width-len(rows[i]))...)
	}
	return ledger.Insert(ctx, tx, "events", insertColumns[:width], rows)
}

// insertColumns are those of a row that is added; rows that are to run have none but the goodColumns.
var (
	goodColumns   = []string{"id", "row", "key", "status", "params", "key_hash"}
	insertColumns = append(goodColumns[:6:6],
		"code", "col", "value", "message", "hint", "fields", "result", "finished_at", "resolution")
)

// values returns the values of a row, in the order of insertColumns, without trailing nulls.
func (s *Store) values(id ID, lane Lane, r Draft) []any {
	out := []any{int64(id), r.Row, r.Key, string(Enqueue), string(r.Params), lane.Hash(r.Key)}
	f := r.Failure
	if f == nil && r.Instead != nil {
		f = r.Instead.Failure
	}
	if f == nil {
		return out
	}
	out = append(out, make([]any, len(insertColumns)-len(out))...)
	if r.Failure == nil {
		out[12], out[14] = textutil.Optional(string(r.Instead.Result)), string(Superseded)
	}
	out[3], out[13] = string(Failed), s.now().UnixMilli()
	copy(out[6:12], []any{
		textutil.Optional(f.Code), textutil.Optional(f.Column), textutil.Optional(f.Value),
		textutil.Optional(f.Message), textutil.Optional(f.Hint), textutil.Optional(f.FieldsJSON()),
	})
	return out
}

// FieldsJSON is the JSON of the columns at fault, empty if the columns of the event
// say all.
func (f *Failure) FieldsJSON() string {
	list := f.Fields
	if len(list) < 2 {
		if f.Args == "" {
			return ""
		}
		list = []Field{f.field()}
	}
	b, err := json.Marshal(list)
	if err != nil { // strings always encode
		return ""
	}
	return string(b)
}
