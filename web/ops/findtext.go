package ops

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/request"
)

// One page of the search reads at most textTasks tasks and about textRows rows. It reads textPage rows
// at a time.
const (
	textTasks = 200
	textRows  = 10_000
	textPage  = 1000
)

// textSearch is a search for a text in the rows of a tenant that failed or are in error, newest tasks
// first. It reads these rows from an index.
type textSearch struct {
	text  string
	kind  string    // kind of the tasks; "": all kinds
	print string    // fingerprint of the system error; "": all errors
	at    events.ID // the search continues after this row; 0: from the newest task
	most  int       // greatest number of rows that the search returns
	next  events.ID // the next page begins after this row; 0: the search is complete

	found []opsFound
	read  int
}

// findText runs the search `s`, and stores the results in `s`.
func (p *Handlers) findText(c *gin.Context, s *textSearch) error {
	before, after := s.at.Num()+1, s.at.Seq()
	if s.at == 0 {
		before = 0
	}
	list, next, err := p.Tasks.Search(c.Request.Context(), request.Tenant(c), tasks.Search{Kind: s.kind, Before: before, Limit: textTasks})
	if err != nil {
		return err
	}
	for i := range list {
		t := &list[i]
		if t.Num != s.at.Num() {
			after = 0
		}
		if done, err := p.findIn(c, s, t, after); done || err != nil {
			return err
		}
	}
	if next > 1 {
		s.next = events.NewID(next-1, 0)
	}
	return nil
}

// findIn searches one task, after the row with the seq `after`. If the page is full, or the search has read
// textRows rows, findIn sets s.next and returns true.
func (p *Handlers) findIn(c *gin.Context, s *textSearch, t *tasks.Task, after int64) (done bool, err error) {
	filter := events.Filter{Limit: textPage, Print: s.print}
	if s.print != "" {
		filter.Statuses = []events.Status{events.Error}
	}
	if t.Failed+t.Error == 0 || s.print != "" && t.Error == 0 {
		return false, nil
	}
	v := p.Locale.Localizer(c, t)
	match := review.Matcher(v.Kind, s.text)
	for {
		filter.After = after
		page, err := p.Events.Bad(c.Request.Context(), t.Num, filter)
		if err != nil {
			return false, err
		}
		for i := range page {
			e := &page[i]
			after, s.read = e.ID.Seq(), s.read+1
			if match(e) || s.inFault(v.Fault(e)) {
				s.found = append(s.found, p.foundRow(c, v, t.Name, e.ID.JobID(t.ID), e))
			}
			if len(s.found) >= s.most {
				s.next = e.ID
				return true, nil
			}
		}
		switch {
		case s.read >= textRows:
			s.next = events.NewID(t.Num, after)
			return true, nil
		case len(page) < textPage:
			return false, nil
		}
	}
}

// inFault reports whether a system fault contains the text of the search. It ignores case.
func (s *textSearch) inFault(fault string) bool {
	return fault != "" && strings.Contains(strings.ToLower(fault), strings.ToLower(s.text))
}
