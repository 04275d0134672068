package ledger

import "testing"

// TestInsertJoined_OfAnyNumberOfRows_PreparesNoStatement: otherwise a connection of Postgres would keep a
// prepared statement for each number of rows.
func TestInsertJoined_OfAnyNumberOfRows_PreparesNoStatement(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), onPostgres(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Write.Exec("CREATE TABLE rollcall.many (id bigint, name text)").Error; err != nil {
		t.Fatal(err)
	}
	var kept, rows int64
	err = inJoined(t, db, func(tx Tx) error {
		for n := range int64(20) {
			if err := Insert(t.Context(), tx, "many", []string{"id", "name"}, nameless(n)); err != nil {
				return err
			}
		}
		_, err := Row(t.Context(), tx, `SELECT (SELECT count(*) FROM pg_prepared_statements
			WHERE statement LIKE 'INSERT INTO many%'), (SELECT count(*) FROM rollcall.many WHERE name IS NULL)`, nil, &kept, &rows)
		return err
	})
	if err != nil || kept != 0 || rows != 190 {
		t.Errorf("%d statements are kept, %d rows added, %v: want 0, 190", kept, rows, err)
	}
}

// nameless returns n rows without a name.
func nameless(n int64) [][]any {
	out := make([][]any, n)
	for i := range out {
		out[i] = []any{int64(i), nil}
	}
	return out
}
