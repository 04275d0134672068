package exporters_test

import (
	"context"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/worker"
)

type shift struct {
	At    time.Time `row:"At"`
	On    time.Time `row:"On" format:"2006-01-02"`
	Text  string    `row:"Text"`
	Maybe *string   `row:"Maybe"`
}

var shifts = worker.DefineExport("shifts",
	func(context.Context, worker.Plan[struct{}]) ([]worker.Part, error) { return []worker.Part{{}}, nil },
	func(_ context.Context, _ worker.PartJob[struct{}], w worker.RowWriter[shift]) error {
		midnight := time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)
		text := ""
		for _, row := range []shift{
			{midnight, midnight, "", nil}, {midnight.Add(time.Hour), midnight.Add(time.Hour), "a", &text},
		} {
			if err := w.Write(row); err != nil {
				return err
			}
		}
		return nil
	})

// TestForms_ValuesOfAColumn_HaveOneForm: a time at midnight is written as a time. A date is written
// as a date, and an empty text is not written as null.
func TestForms_ValuesOfAColumn_HaveOneForm(t *testing.T) {
	t.Parallel()
	r := newRig(t, ledgers.SQLite(t))
	n := r.start(1, shifts)
	defer n.Stop()
	for format, want := range map[string]string{
		table.CSV: "At,On,Text,Maybe\n2026-03-31 00:00:00,2026-03-31,,\n2026-03-31 01:00:00,2026-03-31,a,\n",
		table.JSONLines: `{"At":"2026-03-31T00:00:00Z","On":"2026-03-31","Text":"","Maybe":null}` + "\n" +
			`{"At":"2026-03-31T01:00:00Z","On":"2026-03-31","Text":"a","Maybe":""}` + "\n",
	} {
		if got := r.content(r.await(r.ask("shifts", "", as(format, map[string]string{})))); got != want {
			t.Errorf("%s is %q, want %q", format, got, want)
		}
	}
}
