package feed

import (
	"context"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/pending"
)

// noteLost finds the rows that are pushed a second time although a finished newer row of their key has
// overtaken them. An earlier Redis had lost the jobs of these rows. noteLost records them in the ledger
// and in b.lost. A worker then reads the state of such a row before it runs the row.
func (f *Feeder) noteLost(ctx context.Context, b *batch) error {
	lost, err := f.pending.Passed(ctx, b.firsts())
	if err != nil || len(lost) == 0 {
		return err
	}
	if lost, err = f.pending.Passed(ctx, b.alike(lost)); err != nil {
		return err
	}
	b.lost = map[events.ID]bool{}
	for _, id := range lost {
		if _, err := f.events.NoteStray(ctx, id, f.generation.Load().redis); err != nil {
			return err
		}
		b.lost[id] = true
	}
	return nil
}

type keyOfTask struct {
	num int64
	key string
}

func keyOfRow(row *pending.Row) keyOfTask { return keyOfTask{row.ID.Num(), row.Key} }

// firsts returns the first row of each key and task. If no newer row has overtaken this row, none
// has overtaken the later rows of the key and task. Resubmitted rows and rows without a key are
// left out.
func (b *batch) firsts() (ids []events.ID) {
	seen := map[keyOfTask]bool{}
	for i := range b.rows {
		row := &b.rows[i]
		if of := keyOfRow(row); row.Key != "" && row.Since < 0 && !seen[of] {
			seen[of] = true
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// alike returns the rows in `ids` and, for each of them, the later rows of its key and task in the
// batch. Resubmitted rows are left out.
func (b *batch) alike(ids []events.ID) (out []events.ID) {
	some, keys := map[events.ID]bool{}, map[keyOfTask]bool{}
	for _, id := range ids {
		some[id] = true
	}
	for i := range b.rows {
		row := &b.rows[i]
		if keys[keyOfRow(row)] = keys[keyOfRow(row)] || some[row.ID]; keys[keyOfRow(row)] && row.Since < 0 {
			out = append(out, row.ID)
		}
	}
	return out
}
