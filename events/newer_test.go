package events_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// finishRows ends rows of a task with finish.
func finishRows(t *testing.T, db *ledger.DB, num int64, seqs ...int64) {
	t.Helper()
	var moves []events.Move
	for _, seq := range seqs {
		moves = append(moves, events.Move{ID: events.NewID(num, seq), From: events.Enqueue, To: events.Finish, Attempt: 1})
	}
	if _, err := events.New(db, events.Options{}).Record(t.Context(), moves); err != nil {
		t.Fatal(err)
	}
}

func keyed(keys ...string) (out []events.Draft) {
	for i, key := range keys {
		out = append(out, events.Draft{Row: i + 2, Key: key, Params: json.RawMessage("{}")})
	}
	return out
}

func TestNewer_RowOfTheSameLaneAndKeyFinished_IsFound(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		a, b := split(t, db, true, keyed("x", "y", "z", "")...), split(t, db, true, keyed("z", "y", "y")...)
		finishRows(t, db, b.Num, 2)
		lane := events.Lane{Tenant: "acme", Kind: "k"}
		ids := map[events.ID]events.KeyVersion{}
		for seq, key := range []string{"x", "y", "z", ""} {
			ids[events.NewID(a.Num, int64(seq)+1)] = events.KeyVersion{Key: key}
		}
		ids[events.NewID(b.Num, 3)] = events.KeyVersion{Key: "y"} // newer than what has finished
		got, err := es.Newer(t.Context(), lane, ids)
		if want := events.NewID(b.Num, 2); err != nil || len(got) != 1 || got[events.NewID(a.Num, 2)] != want {
			t.Errorf("Newer = %v, %v; want row 2 behind %d", got, err, want)
		}
		for _, other := range []events.Lane{{Tenant: "other", Kind: "k"}, {Tenant: "acme", Kind: "other"}} {
			if got, err := es.Newer(t.Context(), other, ids); err != nil || len(got) != 0 {
				t.Errorf("Newer of %v = %v, %v", other, got, err)
			}
		}
		o, err := es.Overtaken(t.Context(), a.Num)
		if err != nil || o != (events.Overtaken{Looked: 3, Superseded: 1}) {
			t.Errorf("Overtaken = %+v, %v", o, err)
		}
	})
}

// TestNewer_RowsWithVersions_GreatestVersionDecides: both forecasts agree with States.
func TestNewer_RowsWithVersions_GreatestVersionDecides(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		versions := func(drafts []events.Draft, list ...int64) []events.Draft {
			for i := range drafts {
				drafts[i].Score = &list[i]
			}
			return drafts
		}
		a := split(t, db, true, versions(keyed("x", "x", "y", "z", "z", "u"), 3, 9, 5, 7, 7, 1)...)
		b := split(t, db, true, versions(keyed("x", "y", "u"), 4, 4, 1)...)
		finishRows(t, db, a.Num, 5)
		finishRows(t, db, b.Num, 1, 2, 3)
		want := map[events.ID]events.ID{
			events.NewID(a.Num, 1): events.NewID(b.Num, 1), // version 3, then 4
			events.NewID(a.Num, 4): events.NewID(a.Num, 5), // equal versions of one task
			events.NewID(a.Num, 6): events.NewID(b.Num, 3), // equal versions of two tasks
		}
		rows, ids := map[events.ID]events.KeyVersion{}, []events.ID{}
		for i, d := range versions(keyed("x", "x", "y", "z", "z", "u"), 3, 9, 5, 7, 7, 1) {
			if id := events.NewID(a.Num, int64(i)+1); i != 4 {
				rows[id], ids = events.KeyVersion{Key: d.Key, Version: d.Score}, append(ids, id)
			}
		}
		got, err := es.Newer(t.Context(), events.Lane{Tenant: "acme", Kind: "k"}, rows)
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("Newer = %v, %v, want %v", got, err, want)
		}
		states, err := es.States(t.Context(), ids)
		for _, id := range ids {
			if err != nil || states[id].Newer != want[id] {
				t.Errorf("States of %d = %+v, %v, want newer row %d", id, states[id], err, want[id])
			}
		}
		o, err := es.Overtaken(t.Context(), a.Num)
		if err != nil || o != (events.Overtaken{Looked: 5, Superseded: 3}) {
			t.Errorf("Overtaken = %+v, %v", o, err)
		}
	})
}

// TestOvertaken_ResubmittedRows_AgreesWithStates: rows that run anyway do not count. For the others,
// newer rows of their own task count.
func TestOvertaken_ResubmittedRows_AgreesWithStates(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		es := events.New(db, events.Options{})
		one, two := int64(1), int64(2)
		rows := keyed("x", "y", "y", "z", "z", "u", "u")
		rows[3].Score, rows[4].Score = &one, &two
		a, b := split(t, db, true, rows...), split(t, db, true, keyed("x")...)
		redisMark(t, db, "m")
		fine(t, db.Write.Exec("UPDATE rollcall.tasks SET late = 1 WHERE num = ?", a.Num).Error)
		for _, seq := range []int64{1, 2, 4} {
			noteStray(t, db, events.NewID(a.Num, seq), "m", true)
		}
		finishRows(t, db, a.Num, 3, 5, 7)
		finishRows(t, db, b.Num, 1)
		for anyway, want := range map[bool]int64{true: 0, false: 3} {
			fine(t, db.Write.Exec("UPDATE rollcall.refeed SET anyway = ? WHERE task_num = ?", anyway, a.Num).Error)
			found := int64(0)
			for _, seq := range []int64{1, 2, 4, 6} {
				if newerOf(t, db, events.NewID(a.Num, seq)) != 0 {
					found++
				}
			}
			o, err := es.Overtaken(t.Context(), a.Num)
			if err != nil || o.Looked != 4 || o.Superseded != want || found != want {
				t.Errorf("anyway %v: Overtaken = %+v, %v, and States finds %d; want %d", anyway, o, err, found, want)
			}
		}
	})
}

// TestNewer_ManyRows_ReadsTheIndexOfKeys checks the plans of Postgres and SQLite.
func TestNewer_ManyRows_ReadsTheIndexOfKeys(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		var keys []string
		for i := range manyRows {
			keys = append(keys, fmt.Sprint(i))
		}
		task := split(t, db, true, keyed(keys...)...)
		how, index := "EXPLAIN QUERY PLAN ", `INDEX events_(key|finished_score)_idx \(key_hash=\?`
		if db.Pool != nil {
			how, index = "EXPLAIN ", `Index Cond: .*key_hash = `
			if _, err := db.Pool.Exec(t.Context(), "ANALYZE rollcall.events"); err != nil {
				t.Fatal(err)
			}
		}
		low := int64(events.NewID(task.Num, 0))
		for text, args := range map[string]ledger.Args{
			events.NewerSQL:        {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low},
			events.NewerVersionSQL: {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low, "version": 7},
			events.KeyBeforeSQL:    {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low + 1<<32, "most": 50},
			events.KeyBehindSQL:    {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low, "most": 50},
			events.OvertakenSQL:    {"num": task.Num, "low": low, "high": low + 1<<32 - 1, "most": 1000},
		} {
			plan := planOf(t, db, how+text, args)
			if !regexp.MustCompile(index).MatchString(plan) {
				t.Errorf("no index of keys is read:\n%s", plan)
			}
		}
	})
}

// planOf returns the answer of the database to EXPLAIN.
func planOf(t *testing.T, db *ledger.DB, text string, args ledger.Args) string {
	t.Helper()
	var lines []string
	err := db.View(t.Context(), func(tx ledger.Tx) error {
		return tx.Query(t.Context(), text, args, func(scan ledger.Scan) error {
			var line string
			var a, b, c int
			into := []any{&line}
			if db.Pool == nil {
				into = []any{&a, &b, &c, &line}
			}
			err := scan(into...)
			lines = append(lines, line)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// TestList_RowsOfABuild_ReadsARangeOfThePrimaryKey checks the plans of Postgres and SQLite.
func TestList_RowsOfABuild_ReadsARangeOfThePrimaryKey(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := split(t, db, true, keyed(make([]string, manyRows)...)...)
		how, index := "EXPLAIN QUERY PLAN ", `SEARCH .*USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)`
		if db.Pool != nil {
			how, index = "EXPLAIN ", `Index Cond: \(\(.*id > .*\) AND \(.*id < `
			if _, err := db.Pool.Exec(t.Context(), "ANALYZE rollcall.events"); err != nil {
				t.Fatal(err)
			}
		}
		es := events.New(db, events.Options{})
		for _, ran := range []events.Ran{{Build: "b1"}, {From: 1000, To: 2000}, {Build: "b1", From: 1000}} {
			plan := planOf(t, db, how+es.ListSQL(t.Context(), task.Num, events.Filter{Ran: ran, After: int64(manyRows / 2), UpTo: int64(manyRows * 3 / 5), Limit: 500}), nil)
			if !regexp.MustCompile(index).MatchString(plan) {
				t.Errorf("%+v does not read a range of the primary key:\n%s", ran, plan)
			}
		}
	})
}
