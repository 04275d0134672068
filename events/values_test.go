package events_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
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
		list, err := events.New(db, events.Options{}).Values(t.Context(), task.Num, 9, true)
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

// TestValues_NewerRowsFinished_AreReadByTheirKeys: the rows that newer rows replace are counted among the first bad
// rows, by the index of keys, and only if the kind is ordered.
func TestValues_NewerRowsFinished_AreReadByTheirKeys(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
			INSERT INTO rollcall.events (id, row, key, status, params, key_hash, code, col, value, fields)
			SELECT 4294967296 + i, i, 'K' || (i % 3000), CASE WHEN i > 3000 THEN 'finish' ELSE 'failed' END, '{}', 1 + i % 3000,
			CASE WHEN i > 3000 THEN NULL ELSE 'BAD' END, 'Price', 'x', '[{"column":"Price","value":"x"}]' FROM n`).Error
		if err != nil {
			t.Fatal(err)
		}
		for ordered, want := range map[bool]int64{true: 1000, false: 0} {
			list, err := events.New(db, events.Options{}).Values(t.Context(), 1, 9, ordered)
			if err != nil || len(list) != 1 || list[0].Count != 1000 || list[0].Overtaken != want {
				t.Errorf("ordered: %t, values %+v, want %d overtaken: %v", ordered, list, want, err)
			}
		}
		if db.Pool == nil {
			return
		}
		args := events.Bounds(1)
		args["rows"], args["most"], args["ordered"] = 1000, 9, true
		if read := plans.RowsRead(t, db, events.ValuesSQL, args); read > 2000 {
			t.Errorf("%d rows are read for 1,000 bad rows", read)
		}
	})
}

// TestValues_OneKeyOfManyRows_IsReadOnce: the rows of a key are read once, and not once for each of them.
func TestValues_OneKeyOfManyRows_IsReadOnce(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
			INSERT INTO rollcall.events (id, row, key, status, params, key_hash, code, col, value, fields)
			SELECT 4294967296 + i, i, 'K', 'failed', '{}', 7, 'BAD', 'Price', 'x', '[{"column":"Price","value":"x"}]' FROM n`).Error
		if err != nil {
			t.Fatal(err)
		}
		list, err := events.New(db, events.Options{}).Values(t.Context(), 1, 9, true)
		if err != nil || len(list) != 1 || list[0].Count != 1000 || list[0].Overtaken != 0 {
			t.Errorf("values %+v, %v", list, err)
		}
		if db.Pool == nil {
			return
		}
		args := events.Bounds(1)
		args["rows"], args["most"], args["ordered"] = 1000, 9, true
		if read := plans.RowsRead(t, db, events.ValuesSQL, args); read > 5000 {
			t.Errorf("%d rows are read for 1,000 bad rows of a key with 3,000 rows", read)
		}
	})
}
