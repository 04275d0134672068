package worker_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

type castRow struct {
	Code  string          `row:"Code"`
	Price decimal.Decimal `row:"Price"`
	Stock *int64          `row:"Stock"`
	Start time.Time       `row:"Start"`
	New   bool            `row:"New"`
}

// TestCastTellsWhatAHandlerGets checks that the result has typed values, and that it leaves out empty
// and invalid values.
func TestCastTellsWhatAHandlerGets(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("cast", noop[castRow]))
	got, err := json.Marshal(kind.Cast(json.RawMessage(
		`{"Code":" 007 ","Price":"1.50","Stock":"7.0","Start":"2026-03-04","New":"perhaps","else":"x"}`)))
	want := `{"Code":"007","Price":1.5,"Start":"2026-03-04","Stock":7}`
	if err != nil || string(got) != want {
		t.Errorf("Cast = %s (%v), want %s", got, err, want)
	}
}
