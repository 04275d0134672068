package pages

import (
	"net/url"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/view"
)

// uncounted is the value of tab.N if the rows of the tab are not counted.
const uncounted = -1

// tab is a link to the rows in one state. N is the number of these rows, or the constant uncounted if
// they are not counted.
type tab struct {
	Name, Words, Link string
	N                 int64
	Chosen            bool
}

// chip is a link to the rows of one error group, with the number of rows that need a correction.
type chip struct {
	view.Group
	Label, Link string
	Chosen      bool
}

// choose adds the tabs and the chips to the page, and sets which of them are chosen.
func (v *repairPage) choose(t *tasks.Task, in locale.Printer, groups []view.Group) {
	var all, open, skipped, faults int64
	for _, g := range groups {
		all, open, skipped, v.Facts.Ready = all+g.Count, open+g.Open, skipped+g.Skipped, v.Facts.Ready+g.Fixed
		if g.Status == events.Error {
			faults += g.Open
		}
		if g.Fault != nil {
			g.Fault = new(events.WithoutPlainType(*g.Fault))
		}
		one := chip{Group: g, Label: view.Heading(t, textutil.Deref(g.Column))}
		q := causeQuery(g)
		v.keep(q, "q", "build", "finished_gte", "finished_lt")
		if v.Filter.Resolution != "" { // without it, the list has the rows that the chip counts
			setOr(q, "resolution", string(v.Filter.Resolution))
		}
		one.Chosen = g.Code == v.Filter.Code && textutil.Deref(g.Column) == v.Filter.Column && textutil.Deref(g.Print) == v.Filter.Print
		one.Link = v.pathOf(q)
		v.Causes = append(v.Causes, one)
	}
	for _, one := range []struct {
		name events.Resolution
		n    int64
	}{{"", all}, {events.Open, open}, {events.Fixed, v.Facts.Ready}, {events.Skipped, skipped}, {events.Accepted, uncounted}, {events.Superseded, t.Superseded}} {
		some := one.n > 0 || one.name == events.Accepted && skipped > 0
		if (one.name == events.Accepted || one.name == events.Superseded) && !some && one.name != v.Filter.Resolution {
			continue
		}
		q := url.Values{}
		v.keep(q, "code", "column", "fingerprint", "q", "build", "finished_gte", "finished_lt")
		setOr(q, "resolution", string(one.name))
		name, words := string(one.name), "grid."+string(one.name)
		switch {
		case one.name == "":
			name, words = "all", "repair.every"
		case one.name == events.Open && faults > 0:
			words = "repair.faults"
		}
		v.Tabs = append(v.Tabs, tab{name, in.Text(words), v.pathOf(q), one.n, v.Filter.Resolution == one.name})
	}
}

// Counted reports whether the tab has a number.
func (t tab) Counted() bool { return t.N != uncounted }

// AnyCause returns the path of the page without a filter by error group.
func (v *repairPage) AnyCause() string {
	q := url.Values{}
	v.keep(q, "resolution", "q", "build", "finished_gte", "finished_lt")
	return v.pathOf(q)
}

// keep copies the named parameters of the filter into a query.
func (v *repairPage) keep(q url.Values, names ...string) {
	for _, name := range names {
		if value := v.Query.Get(name); value != "" {
			q.Set(name, value)
		}
	}
}

// setOr sets a parameter of a query; an empty value removes it.
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
