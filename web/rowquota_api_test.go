package web_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestTheQuotaOfRowsHolds: concurrent requests that add rows to several tasks cannot exceed the quota of
// rows of the tenant.
func TestTheQuotaOfRowsHolds(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		l.call(http.MethodPut, "/api/v1/tenants/default/limits", `{"rows":25}`, "Content-Type", jsonType).is(http.StatusOK)
		var open []string
		for range 2 {
			open = append(open, l.postTo("/api/v1/tasks", `{"kind":"products.import","open":true}`).object()["id"].(string))
		}
		row := `{"SKU":"A","Name":"n","Price":"1","Brand":"Acme"}`
		body := `{"rows":[` + strings.Repeat(row+",", 4) + row + `]}`
		var added, refused atomic.Int64
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				r, err := l.try(http.MethodPost, "/api/v1/tasks/"+open[i%2]+"/jobs", strings.NewReader(body), "Content-Type", jsonType)
				switch {
				case err == nil && r.status == http.StatusAccepted:
					added.Add(1)
				case err == nil && r.status == http.StatusTooManyRequests && strings.Contains(r.body, "ROW_QUOTA"):
					refused.Add(1)
				default:
					t.Error(err, r.status, r.body)
				}
			})
		}
		all.Wait()
		if total := l.task(open[0]).Total + l.task(open[1]).Total; added.Load() != 5 || refused.Load() != 7 || total != 25 {
			t.Errorf("%d added, %d refused, %d rows are there: want 5, 7, 25", added.Load(), refused.Load(), total)
		}
	})
}
