package ledger

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// onThings runs a test on both databases, with a table of things. On each database the test runs once in
// a transaction of the ledger, and once in a transaction of gorm that the ledger has joined.
func onThings(t *testing.T, test func(ctx context.Context, t *testing.T, tx Tx)) {
	t.Parallel()
	for name, url := range map[string]string{
		"sqlite": filepath.Join(t.TempDir(), "ledger.db"), "postgres": onPostgres(t),
	} {
		for _, how := range []struct {
			name string
			in   func(db *DB, f func(Tx) error) error
		}{
			{name, func(db *DB, f func(Tx) error) error { return db.InTx(t.Context(), f) }},
			{name + "/joined", func(db *DB, f func(Tx) error) error { return inJoined(t, db, f) }},
		} {
			t.Run(how.name, func(t *testing.T) {
				db, err := Open(t.Context(), url, Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				if err := db.Write.Exec("DROP TABLE IF EXISTS rollcall.things; CREATE TABLE rollcall.things (id bigint PRIMARY KEY, name text, weight smallint)").Error; err != nil {
					t.Fatal(err)
				}
				err = how.in(db, func(tx Tx) error {
					rows := [][]any{{int64(1), "a", int16(1)}, {int64(2), "b", nil}, {int64(3), "c", int16(3)}}
					if err := Insert(t.Context(), tx, "things", []string{"id", "name", "weight"}, rows); err != nil {
						return err
					}
					test(t.Context(), t, tx)
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// onPostgres returns the URL of a migrated ledger. Its copies take less processor time than migrations.
func onPostgres(t *testing.T) string {
	t.Helper()
	return testenv.PostgresLike(t, func(url string) error {
		db, err := Open(t.Context(), url, Options{MaxConns: 2})
		if err != nil {
			return err
		}
		return db.Close()
	})
}

func inJoined(t *testing.T, db *DB, f func(Tx) error) error {
	return db.GormTx(t.Context(), func(tx Gorm) error {
		own, err := db.Join(tx)
		if err != nil {
			return err
		}
		return f(own)
	})
}

const renameThings = `-- rename: a statement of Bulk.
UPDATE rollcall.things AS x SET name = v.names || @suffix, weight = coalesce(v.weights, 9)
FROM ROWS (ids bigint, names text, weights smallint) AS v
WHERE x.id = EACH (ids) AND x.id = v.ids AND x.weight IS NOT NULL
RETURNING x.id AS key
`

const addThings = `INSERT INTO rollcall.things (id, name, weight)
SELECT v.ids, @name, v.weights
FROM ROWS (ids bigint, weights smallint) AS v
WHERE TRUE
ON CONFLICT (id) DO UPDATE SET name = excluded.name
RETURNING id AS key
`

func TestBulk_SomeRowsDoNotMatch_ReportsTheOthers(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		done, err := Bulk(ctx, tx, renameThings, Args{
			"ids": []int64{3, 2, 1, 7}, "names": []string{"x", "y", "z", "?"}, "weights": []int16{}, "suffix": "!",
		})
		if want := []bool{true, false, true, false}; err != nil || !slices.Equal(done, want) {
			t.Errorf("Bulk = %v, %v, want %v", done, err, want)
		}
		things(ctx, t, tx, "z!9", "b", "x!9")
	})
}

// TestBulk_KeysCloseTogether_ChangesTheseAlone changes every third row from 10. Row 13 does not
// match, and row 403 does not exist.
func TestBulk_KeysCloseTogether_ChangesTheseAlone(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		var rows [][]any
		var ids []int64
		var names, want []string
		for id := int64(10); id <= 400; id++ {
			weight, name := any(int16(1)), "old1"
			switch {
			case id == 13:
				weight, name = nil, "old"
			case id%3 == 1:
				name = "new!9"
			}
			rows, want = append(rows, []any{id, "old", weight}), append(want, name)
		}
		for id := int64(403); id >= 10; id -= 3 {
			ids, names = append(ids, id), append(names, "new")
		}
		if err := Insert(ctx, tx, "things", []string{"id", "name", "weight"}, rows); err != nil {
			t.Fatal(err)
		}
		done, err := Bulk(ctx, tx, renameThings, Args{"ids": ids, "names": names, "weights": []int16{}, "suffix": "!"})
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if changed := id != 13 && id != 403; done[i] != changed {
				t.Errorf("Bulk reports %v for row %d", done[i], id)
			}
		}
		things(ctx, t, tx, append([]string{"a1", "b", "c3"}, want...)...)
	})
}

const weighThings = `UPDATE rollcall.things AS x SET weight = v.weights + coalesce(v.extras, 0)
FROM ROWS (ids bigint, weights bigint, extras bigint) AS v
WHERE x.id = EACH (ids) AND x.id = v.ids AND x.weight IS NOT NULL
RETURNING x.id AS key
`

// TestBulk_KeysAndNumbersCloseTogether_EachRowGetsItsOwn changes every third row from 10, the last
// first. Row 13 does not match, and row 403 does not exist.
func TestBulk_KeysAndNumbersCloseTogether_EachRowGetsItsOwn(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		var rows [][]any
		var ids, weights []int64
		want := []string{"a1", "b", "c3"}
		for id := int64(10); id <= 400; id++ {
			switch {
			case id == 13:
				rows, want = append(rows, []any{id, "n", nil}), append(want, "n")
			case id%3 == 1:
				rows, want = append(rows, []any{id, "n", int16(1)}), append(want, fmt.Sprint("n", 1000+id))
			default:
				rows, want = append(rows, []any{id, "n", int16(1)}), append(want, "n1")
			}
		}
		for id := int64(403); id >= 10; id -= 3 {
			ids, weights = append(ids, id), append(weights, 1000+id)
		}
		if err := Insert(ctx, tx, "things", []string{"id", "name", "weight"}, rows); err != nil {
			t.Fatal(err)
		}
		done, err := Bulk(ctx, tx, weighThings, Args{"ids": ids, "weights": weights, "extras": []int64{}})
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if changed := id != 13 && id != 403; done[i] != changed {
				t.Errorf("Bulk reports %v for row %d", done[i], id)
			}
		}
		things(ctx, t, tx, want...)
	})
}

func TestBulk_InsertOfRowsThatAreThere_ReportsAll(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		done, err := Bulk(ctx, tx, addThings, Args{"ids": []int64{2, 4}, "weights": []int16{5, 6}, "name": "n"})
		if err != nil || Count(done) != 2 {
			t.Errorf("Bulk = %v, %v", done, err)
		}
		things(ctx, t, tx, "a1", "n", "c3", "n6")
	})
}

func TestQuery_Slice_IsAList(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		const text = "SELECT name FROM rollcall.things WHERE name = ANY (cast(@names AS text[])) ORDER BY id FOR UPDATE"
		for _, want := range [][]string{{"a", "c"}, {}, nil} {
			var got []string
			err := tx.Query(ctx, text, Args{"names": want}, func(scan Scan) error {
				got = append(got, "")
				return scan(&got[len(got)-1])
			})
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("names = %q, %v, want %q", got, err, want)
			}
		}
	})
}

func things(ctx context.Context, t *testing.T, tx Tx, want ...string) {
	t.Helper()
	var got []string
	const text = "SELECT name || coalesce(cast(weight AS text), '') FROM rollcall.things ORDER BY id"
	err := tx.Query(ctx, text, nil, func(scan Scan) error {
		got = append(got, "")
		return scan(&got[len(got)-1])
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("things are %q, %v, want %q", got, err, want)
	}
}
