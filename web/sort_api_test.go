package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
)

// TestSort_Tasks_OldestFirst: pages continue, and new tasks come at the end.
func TestSort_Tasks_OldestFirst(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var want []string
	for range 5 {
		want = append(want, l.accepted("a.csv", rows(1), ""))
	}
	for _, limit := range []int{1, 2, 5, 500} {
		path := fmt.Sprintf("/api/v1/tasks?limit=%d&sort=", limit)
		if got := l.through(path+"created_at", "id", func() {}); !slices.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v", limit, got, want)
		}
		newest := slices.Clone(want)
		slices.Reverse(newest)
		if got := l.through(path+"-created_at", "id", func() {}); !slices.Equal(got, newest) {
			t.Errorf("limit %d: %v, want %v", limit, got, newest)
		}
	}
	added := 0
	got := l.through("/api/v1/tasks?limit=2&sort=created_at&kind=products.import", "id", func() {
		if added++; added == 1 {
			want = append(want, l.accepted("later.csv", rows(1), ""))
		}
	})
	if !slices.Equal(got, want) {
		t.Errorf("with a task that comes meanwhile: %v, want %v", got, want)
	}
}

// TestSort_Rows_LastFirst tests all rows and bad rows, with several filters.
func TestSort_Rows_LastFirst(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,no,Acme\n,c,-1,X\nD,d,4,Acme\nA,e,5,X\n", "")
	l.split()
	l.move(id, events.Finish, nil, 1)
	l.move(id, events.Error, &events.Failure{Code: "SYSTEM_ERROR", Message: "ours"}, 4)
	path := "/api/v1/tasks/" + id
	for query, want := range map[string][]string{
		"/events?sort=row":                                            {"2", "3", "4", "5", "6"},
		"/events?sort=-row":                                           {"6", "5", "4", "3", "2"},
		"/events?sort=-row&limit=2":                                   {"6", "5", "4", "3", "2"},
		"/events?sort=-row&limit=1&key=A":                             {"6", "2"},
		"/events?sort=-row&limit=1&status=failed,error":               {"5", "4", "3"},
		"/events?sort=-row&limit=1&q=not%20a%20number":                {"3"},
		"/events?sort=-row&limit=2&q=a":                               l.through(path+"/events?q=a&sort=row", "row", func() {}),
		"/events?sort=-row&limit=1&finished_gte=2026-01-01T00:00:00Z": {"5", "4", "3", "2"},
		"/events?sort=-row&row_gte=4&limit=2":                         {"6", "5", "4"},
		"/errors?sort=-row&limit=1":                                   {"5", "4", "3"},
		"/errors?sort=-row&status=failed":                             {"4", "3"},
		"/errors?sort=row&limit=2":                                    {"3", "4", "5"},
	} {
		got := l.through(path+query, "row", func() {})
		if query == "/events?sort=-row&limit=2&q=a" {
			slices.Reverse(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: rows %v, want %v", query, got, want)
		}
	}
	_, next := l.look(path + "/events?sort=-row&limit=2").items()
	for _, order := range []string{"", "sort=row&"} {
		l.look(path+"/events?"+order+"cursor="+url.QueryEscape(next)).refuses(http.StatusBadRequest, "BAD_CURSOR")
	}
	l.look(path+"/errors?sort=-row&cursor="+url.QueryEscape(next)).refuses(http.StatusBadRequest, "BAD_CURSOR")
}

// TestSort_ChangesOfAPage_ComeInItsOrder: a refresh of a page in descending order returns the changed
// rows in that order.
func TestSort_ChangesOfAPage_ComeInItsOrder(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(20), "")
	l.split()
	page := l.table(id, "limit=5&sort=-row")
	page.refreshes(nil, nil)
	l.move(id, events.Finish, nil, 3, 17, 19)
	page.refreshes([]int{19, 17}, nil)
	bad := l.table(id, "limit=5&sort=-row&status=finish")
	l.move(id, events.Finish, nil, 18, 20, 16)
	bad.refreshes([]int{20, 18, 16}, []int{3})
}
