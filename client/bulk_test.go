package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rollcall-dev/rollcall/client"
)

// TestBulkAction_RowsNotSaid_MakesNoRequest: an empty list of IDs does not mean all rows.
func TestBulkAction_RowsNotSaid_MakesNoRequest(t *testing.T) {
	t.Parallel()
	asked := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the service was asked: %s %s", r.Method, r.URL)
	}))
	defer asked.Close()
	c, err := client.New(asked.URL, client.Options{})
	fine(t, err)
	for _, act := range []func(context.Context, string, client.BulkAction) (*client.Outcome, error){c.RepairAll, c.Resubmit, c.Skip} {
		for _, p := range []client.BulkAction{
			{},
			{IDs: []string{}},
			{IDs: []string{"a"}, All: true},
			{Filter: client.Filter{Code: "X"}, All: true},
			{Filter: client.Filter{Code: "X"}, IDs: []string{"a"}},
		} {
			if _, err := act(t.Context(), "id", p); !errors.Is(err, client.ErrSelection) {
				t.Errorf("%+v = %v, want ErrSelection", p, err)
			}
		}
	}
}
