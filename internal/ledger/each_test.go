package ledger

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestRowEach_RunsWithAndWithoutRows_EachRowHasItsPlace(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		list := []Args{{"id": 3, "name": "z"}, {"id": 7, "name": "y"}, {"id": 1, "name": "x"}, {"id": 3, "name": "w"}}
		const rename = "UPDATE rollcall.things SET name = name || @name WHERE id = @id RETURNING id, name"
		var places, ids []int
		var names []string
		err := RowEach(ctx, tx, rename, list, func(i int, scan Scan) error {
			var id int
			var name string
			err := scan(&id, &name)
			places, ids, names = append(places, i), append(ids, id), append(names, name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(places, []int{0, 2, 3}) || !slices.Equal(ids, []int{3, 1, 3}) || !slices.Equal(names, []string{"cz", "ax", "czw"}) {
			t.Errorf("places %v, ids %v, names %v", places, ids, names)
		}
	})
}

func TestRowEach_AFaultInTheMiddle_IsReturned(t *testing.T) {
	onThings(t, func(ctx context.Context, t *testing.T, tx Tx) {
		seen := 0
		err := RowEach(ctx, tx, "SELECT id FROM rollcall.things WHERE id = @id", []Args{{"id": 1}, {"id": 2}}, func(int, Scan) error {
			seen++
			return context.Canceled
		})
		if !errors.Is(err, context.Canceled) || seen != 1 {
			t.Errorf("%v after %d rows", err, seen)
		}
	})
}
