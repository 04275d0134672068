package pages

import (
	"net/url"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// tab is the link to the rows of one state, with their number.
type tab struct {
	Name, Words, Link string
	N                 int64
	Chosen            bool
}

// chip is the link to the rows of one cause, with the number of rows that need a correction.
type chip struct {
	view.Group
	Label, Link string
	Chosen      bool
}

// choose makes the tabs and chips of the causes of a task.
func (v *repairPage) choose(t *tasks.Task, in locale.Printer, groups []view.Group) {
	var all, open, skipped int64
	for _, g := range groups {
		all, open, skipped, v.Ready = all+g.Count, open+g.Open, skipped+g.Skipped, v.Ready+g.Fixed
		one := chip{Group: g, Label: labelOf(t, textutil.Deref(g.Column))}
		q := causeQuery(g)
		v.keep(q, "q", "build", "finished_gte", "finished_lt")
		setOr(q, "resolution", string(v.Filter.Resolution))
		one.Chosen = g.Code == v.Filter.Code && textutil.Deref(g.Column) == v.Filter.Column && textutil.Deref(g.Print) == v.Filter.Print
		one.Link = v.pathOf(q)
		v.Causes = append(v.Causes, one)
	}
	for _, one := range []struct {
		name events.Resolution
		n    int64
	}{{"", all}, {events.Open, open}, {events.Fixed, v.Ready}, {events.Skipped, skipped}, {events.Superseded, t.Superseded}} {
		if one.name == events.Superseded && one.n == 0 {
			continue
		}
		q := url.Values{}
		v.keep(q, "code", "column", "fingerprint", "q", "build", "finished_gte", "finished_lt")
		setOr(q, "resolution", string(one.name))
		name, words := string(one.name), "grid."+string(one.name)
		if one.name == "" {
			name, words = "all", "repair.every"
		}
		v.Tabs = append(v.Tabs, tab{name, in.Text(words), v.pathOf(q), one.n, v.Filter.Resolution == one.name})
	}
}

// AnyCause returns the address of the rows of all causes.
func (v *repairPage) AnyCause() string {
	q := url.Values{}
	v.keep(q, "resolution", "q", "build", "finished_gte", "finished_lt")
	return v.pathOf(q)
}

// keep adds conditions of the filter to a query.
func (v *repairPage) keep(q url.Values, names ...string) {
	for _, name := range names {
		if value := v.Query.Get(name); value != "" {
			q.Set(name, value)
		}
	}
}

// setOr sets a value of a query, or removes it if it is empty.
func setOr(q url.Values, name, value string) {
	if q.Del(name); value != "" {
		q.Set(name, value)
	}
}

func (v *repairPage) pathOf(q url.Values) string {
	at := "/tasks/" + v.Task.ID + "/repair"
	if len(q) > 0 {
		at += "?" + q.Encode()
	}
	return at
}
