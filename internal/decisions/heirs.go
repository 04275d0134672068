package decisions

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// withHeirs adds a decision for each heir. For an undo, it first calls lastHeirs, which may remove decisions.
// A decision, such as a skip or a new key, may take a key from the row that counted for the key. The heir is
// then the next row of this key that was invalid or superseded because of another row. The heir becomes
// fixed, or open if it has other faults. withHeirs adds open heirs to Review.Heirs.
func withHeirs(ctx context.Context, tx ledger.Tx, r Review, lane events.Lane, list []decided) ([]decided, error) {
	keys := leftKeys(r.Keys, list)
	if len(keys) == 0 {
		return list, nil
	}
	at := list[0].now
	found, err := r.withKeys(ctx, tx, lane, keys)
	if err != nil {
		return nil, err
	}
	if list, err = lastHeirs(ctx, tx, r, list, found, keys); err != nil {
		return nil, err
	}
	ids := heirs(r.Keys, list, found, keys)
	if len(ids) == 0 {
		return list, nil
	}
	rows, err := readDecided(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		old := rows[id]
		list = append(list, inherit(old, r.By, at))
		if r.Heirs != nil && old.State() == events.Open {
			r.Heirs[id] = true
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list, nil
}

// leftKeys returns the keys that rows held before the decisions and no longer hold after them. It returns
// none under a rule that lets all rows of a key count.
func leftKeys(rule KeyRule, list []decided) (keys []string) {
	if rule != OneRow && !rule.Supersedes() {
		return nil
	}
	for i := range list {
		old, now := &list[i].old, &list[i].new
		if rule.counts(old) && (now.Key != old.Key || !rule.counts(now)) {
			keys = append(keys, old.Key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// withKeys returns the rows of the task that have one of the keys. It loads only the fields that the
// methods of KeyRule need.
func (r *Review) withKeys(ctx context.Context, tx ledger.Tx, lane events.Lane, keys []string) (out []events.Event, err error) {
	text := holdersSQL
	if r.Hashed {
		text = keyedSQL
	}
	err = keyed(ctx, tx, text, wantKeys(r.Num, lane, keys), func(e events.Event) { out = append(out, e) })
	return out, err
}

// heirs returns the rows that count for the keys after the decisions. It leaves out rows that already have
// a decision. The argument `found` holds the rows of the keys in the ledger.
func heirs(rule KeyRule, list []decided, found []events.Event, keys []string) (out []Decision) {
	known := map[events.ID]bool{}
	for i := range list {
		known[list[i].ID] = true
	}
	rows := byKey(list, found)
	for _, key := range keys {
		if e := rule.next(rows[key]); e != nil && !known[e.ID] {
			out = append(out, Decision{ID: e.ID})
		}
	}
	return out
}

// byKey groups the rows by the keys that they have after the decisions.
func byKey(list []decided, found []events.Event) map[string][]events.Event {
	known, rows := map[events.ID]bool{}, map[string][]events.Event{}
	for i := range list {
		e := list[i].new
		known[e.ID] = true
		rows[e.Key] = append(rows[e.Key], e)
	}
	for _, e := range found {
		if !known[e.ID] {
			rows[e.Key] = append(rows[e.Key], e)
		}
	}
	return rows
}

// next returns the heir of a key: the row that counts for the key from now on, or nil if there is none. The
// argument `rows` holds the rows of the key; next sorts them.
func (r KeyRule) next(rows []events.Event) *events.Event {
	sort.Slice(rows, func(i, j int) bool { return rows[i].ID < rows[j].ID })
	return r.heir(rows)
}

// inherit returns the decision by which a displaced row counts for its key.
func inherit(old events.Event, by string, now int64) decided {
	d := decided{Decision: Decision{ID: old.ID, Version: old.Version, Resolution: events.Fixed}, at: -1, old: old, new: old, now: now}
	e := &d.new
	rest := slices.DeleteFunc(old.Faults(), func(f events.Field) bool {
		return f.Code == events.CodeDuplicateKey || f.Code == events.CodeSuperseded
	})
	if len(rest) > 0 {
		d.Resolution = events.Open
	}
	e.SetFailure(failureOf(rest))
	res := events.Resolution(d.Resolution.Stored())
	e.Resolution, e.ResolvedBy, e.ResolvedAt, e.ResolutionNote = &res, &by, &d.now, nil
	text := fmt.Sprintf("%s, because no other row has its key any more, by %s", d.Resolution, by)
	notes := append(d.missingNotes(), events.Note{
		At: now, Attempt: e.Attempt, Status: e.Status, Text: events.StorableText(text),
		Act: "inherit", By: events.StorableText(by),
	})
	e.Messages = textutil.Optional(events.NoteLines(notes))
	return d
}

// failureOf returns a failure with these faults, or nil if there are none.
func failureOf(list []events.Field) *events.Failure {
	if len(list) == 0 {
		return nil
	}
	f := list[0]
	return &events.Failure{
		Code: f.Code, Column: f.Column, Value: f.Value, Message: f.Message, Hint: f.Hint, Args: f.Args, Fields: list,
	}
}
