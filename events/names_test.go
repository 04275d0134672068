package events_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/tasks"
)

// FuzzNames: params are read back byte for byte, except that a list gets a blank in front.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":"1"}`, `{"a":"1","b":"2","c":"3"}`, `{"b":"2"}`, `{"c":"3","a":"1"}`, `{"a":1,"b":[1,{"x":"]"}]}`, `{"a":"1","a":"2"}`,
		`["a"]`, `[`, ` `, ``, `{"a":,"b":2}`, `{"a":"\"\\","b":"}"}`, `{"a" : 1}`, `{"a":1]`, `{"a":1}x`, `{"a":[1}`, `{"":""}`, `null`,
	} {
		f.Add(s, `{"a":"x","b":"y","c":"z"}`)
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, params, other string) {
		want := params
		if strings.HasPrefix(params, "[") {
			want = " " + params
		}
		for _, of := range [][]string{{other, params}, {params, other}, {other}, nil} {
			if stored, got := events.StoredAndBack(params, of...); got != want || len(stored) > len(want) {
				t.Errorf("%q beside %q is stored as %q and read as %q", params, other, stored, got)
			}
		}
	})
}

// named holds rows with similar members, and their form in the table.
var named = []struct{ params, stored string }{
	{`{"article number":"A-1","description":"Widget","price in EUR":"9.90"}`, `["A-1","Widget","9.90"]`},
	{`{"article number":"A-2","price in EUR":"1"}`, `["A-2",,"1"]`},
	{`{"price in EUR":1.5,"remark":{"of":["Ann","Bob"]}}`, `[,,1.5,{"of":["Ann","Bob"]}]`},
	{`{"description":"first","article number":"A-3"}`, `{"description":"first","article number":"A-3"}`},
	{`{}`, `{}`},
	{`["A-4","Widget","9.90"]`, ` ["A-4","Widget","9.90"]`},
	{`{"a member that no other row has":1}`, `{"a member that no other row has":1}`},
}

// addNamed adds a task with the rows of named in two chunks. The last two have failed.
func addNamed(t *testing.T, db *ledger.DB, es *events.Store) *tasks.Task {
	t.Helper()
	ts := tasks.New(db, tasks.Options{})
	task := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open}
	if err := ts.Create(t.Context(), task, 0); err != nil {
		t.Fatal(err)
	}
	var rows []events.Draft
	for i, r := range named {
		d := events.Draft{Key: "k", Params: json.RawMessage(r.params)}
		if i >= len(named)-2 {
			d.Failure = &events.Failure{Code: "X", Message: "it is wrong"}
		}
		rows = append(rows, d)
	}
	for _, c := range []events.Chunk{{Num: task.Num, Rows: rows[:4], Count: true}, {Num: task.Num, Rows: rows[4:], Count: true, Final: true}} {
		if _, err := es.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return task
}

func TestAppend_RowsWithTheSameMembers_AreStoredWithoutTheirNames(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		task := addNamed(t, db, events.New(db, events.Options{}))
		var got, want []string
		if err := db.Read.Raw("SELECT params FROM rollcall.events WHERE id > ? ORDER BY id", task.Num<<32).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		for _, r := range named {
			want = append(want, r.stored)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
	})
}

// TestReaders_RowsStoredWithoutNames_HaveThem calls each method that returns params.
func TestReaders_RowsStoredWithoutNames_HaveThem(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		ctx, es := t.Context(), events.New(db, events.Options{})
		task := addNamed(t, db, es)
		list, err := es.List(ctx, task.Num, events.Filter{})
		params := paramsOf{t: t, task: task}
		params.check("List", list, err, 1, 2, 3, 4, 5, 6, 7)
		params.pending(es, pending.Page{Rows: 100, Bytes: 1 << 20}, 1, 2, 3, 4, 5)
		params.pending(es, pending.Page{Rows: 100, Bytes: len(named[0].params) + 1}, 1, 2)
		some, err := es.Some(ctx, task.Num, []int64{2, 3})
		params.check("Some", some, err, 2, 3)
		bad, err := es.Bad(ctx, task.Num, events.Filter{Limit: 9})
		params.check("Bad", bad, err, 6, 7)
		one, err := es.Get(ctx, events.NewID(task.Num, 2))
		params.check("Get", []events.Event{*one}, err, 2)
		held, last, err := pending.New(es).HeldRows(ctx, params.ids(1, 2, 3), len(named[0].params)+1)
		params.check("HeldRows", []events.Event{held[params.ids(1)[0]].Event, held[params.ids(2)[0]].Event}, err, 1, 2)
		if last != params.ids(2)[0] || len(held) != 2 {
			t.Errorf("HeldRows read %d rows up to %d", len(held), last)
		}
		for _, id := range params.ids(1, 3) {
			record(t, db, events.Move{ID: id, From: events.Enqueue, To: events.Working, Attempt: 1})
			record(t, db, events.Move{ID: id, From: events.Working, FromAttempt: 1, To: events.Error, Attempt: 1, FinishedAt: 1})
		}
		ended, err := es.Exhausted(ctx, task.Num, []int64{1, 3})
		params.check("Exhausted", ended, err, 1, 3)
		params.resubmitted(es, 3)
	})
}

// paramsOf is a check of the params of rows of a task.
type paramsOf struct {
	t    *testing.T
	task *tasks.Task
}

func (p paramsOf) ids(seqs ...int64) (ids []events.ID) {
	for _, seq := range seqs {
		ids = append(ids, events.NewID(p.task.Num, seq))
	}
	return ids
}

func (p paramsOf) check(reader string, list []events.Event, err error, seqs ...int64) {
	p.t.Helper()
	var got, want []string
	for _, e := range list {
		got = append(got, strings.TrimPrefix(e.Params, " "))
	}
	for _, seq := range seqs {
		want = append(want, named[seq-1].params)
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		p.t.Errorf("%s: %v, params (-want +got):\n%s", reader, err, diff)
	}
}

// pending checks a page of waiting rows, read as one range and as two.
func (p paramsOf) pending(es *events.Store, page pending.Page, seqs ...int64) {
	p.t.Helper()
	of := func(after, last int64) events.Range { return events.Range{Num: p.task.Num, After: after, Last: last} }
	for _, ranges := range [][]events.Range{{of(0, 7)}, {of(0, 1), of(1, 7)}} {
		back, read, err := pending.New(es).Pending(p.t.Context(), ranges, page)
		var list []events.Event
		for _, b := range back {
			list = append(list, b.Event)
		}
		p.check("Pending", list, err, seqs...)
		if len(seqs) == 2 && read[len(read)-1] != 2 {
			p.t.Errorf("Pending read up to %d, want 2", read)
		}
	}
}

// resubmitted resubmits a row in error, and checks the methods that read it then.
func (p paramsOf) resubmitted(es *events.Store, seq int64) {
	p.t.Helper()
	id := p.ids(seq)[0]
	e, err := es.Get(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	_, err = decisions.New(es).Decide(p.t.Context(), decisions.Review{Num: p.task.Num, By: "ann", Rows: []decisions.Decision{
		{ID: id, Version: e.Version, Resolution: events.Resubmitted},
	}})
	if err != nil {
		p.t.Fatal(err)
	}
	states, err := es.States(p.t.Context(), []events.ID{id})
	p.check("States", []events.Event{{Params: states[id].Params}}, err, seq)
	back, err := pending.New(es).Resubmitted(p.t.Context(), p.task.Num, 7, 10)
	if len(back) != 1 {
		p.t.Fatalf("Back = %+v, %v", back, err)
	}
	p.check("Back", []events.Event{back[0].Event}, err, seq)
}
