package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// TestValues_SeveralFaults_CountsRowsWithAnotherColumn tests columns whose names differ from their form in
// JSON, and a value of Args with the name "column".
func TestValues_SeveralFaults_CountsRowsWithAnotherColumn(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		names := []string{"Price", "R&D", "<b>", `say "x"`, `a\b`, `x",`, `","value":"`, "two\nlines", "\u2028", "", "%_", "Größe"}
		var rows []events.Draft
		for _, name := range names {
			for _, second := range []string{name, name + " 2"} {
				rows = append(rows, events.Draft{Params: []byte(`{}`), Failure: &events.Failure{
					Code: "BAD", Column: name, Value: second, Fields: []events.Field{
						{Column: name, Value: second, Code: "BAD", Args: events.Args("").With(map[string]string{"column": "of args"})},
						{Column: second, Value: `,{"column":"`, Code: "WORSE"},
					},
				}})
			}
			rows = append(rows, events.Draft{Params: []byte(`{}`), Failure: &events.Failure{Code: "BAD", Column: name, Value: "alone"}})
		}
		task := split(t, db, true, rows...)
		list, err := events.New(db, events.Options{}).Values(t.Context(), task.Num, 9)
		if err != nil || len(list) != len(rows) {
			t.Fatalf("%d values of %d rows, %v", len(list), len(rows), err)
		}
		for _, v := range list {
			want := int64(0)
			if v.Text == v.Col+" 2" {
				want = 1
			}
			if v.Others != want {
				t.Errorf("column %q, text %q: %d rows with a fault in another column, want %d", v.Col, v.Text, v.Others, want)
			}
		}
	})
}
