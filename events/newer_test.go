package events_test

import (
	"encoding/json"
	"fmt"
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
		ids := map[events.ID]string{}
		for seq, key := range []string{"x", "y", "z", ""} {
			ids[events.NewID(a.Num, int64(seq)+1)] = key
		}
		ids[events.NewID(b.Num, 3)] = "y" // newer than what has finished
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

// TestNewer_ManyRows_ReadsTheIndexOfKeys checks the plans of Postgres and SQLite.
func TestNewer_ManyRows_ReadsTheIndexOfKeys(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		var keys []string
		for i := range manyRows {
			keys = append(keys, fmt.Sprint(i))
		}
		task := split(t, db, true, keyed(keys...)...)
		how, index := "EXPLAIN QUERY PLAN ", `INDEX events_key_idx \(key_hash=\?`
		if db.Pool != nil {
			how, index = "EXPLAIN ", `Index Cond: .*key_hash = `
			if _, err := db.Pool.Exec(t.Context(), "ANALYZE rollcall.events"); err != nil {
				t.Fatal(err)
			}
		}
		low := int64(events.NewID(task.Num, 0))
		for text, args := range map[string]ledger.Args{
			events.NewerSQL:     {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low},
			events.KeyBeforeSQL: {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low + 1<<32, "most": 50},
			events.KeyBehindSQL: {"hash": events.Lane{Tenant: "acme", Kind: "k"}.Hash("7"), "key": "7", "id": low, "most": 50},
			events.OvertakenSQL: {"num": task.Num, "low": low, "high": low + 1<<32 - 1, "most": 1000},
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
