package events

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/paramlist"
)

//go:embed sql/names.sql
var namesSQL string

const (
	leastNames  = 32  // least bytes of all names; a shorter list saves too little
	namesSample = 100 // rows of a chunk whose names are read
)

// namesOf returns the names of the params of a sample of rows, in their order. It skips invalid
// rows. It returns nil for fewer than two rows, and if the names together are shorter than
// leastNames or longer than paramlist.MaxNames.
func namesOf(rows []Draft) paramlist.Names {
	if len(rows) < 2 {
		return nil
	}
	var n paramlist.Names
	for i := 0; i < len(rows); i += (len(rows)-1)/namesSample + 1 {
		if rows[i].Failure == nil {
			n = n.With(string(rows[i].Params))
		}
	}
	if size := n.Size(); size < leastNames || size > paramlist.MaxNames {
		return nil
	}
	return n
}

// StoredParams returns the stored form of params in a task that stores no names of params.
func StoredParams(params string) string { return paramlist.Names(nil).Stored(params) }

// ParamsOf returns the original params of a row. The argument `taskNames` is column param_names of
// its task, and `params` is column params of the row.
func ParamsOf(taskNames, params string) string { return paramlist.Parse(taskNames).Full(params) }

// ParamNames returns column param_names of a task, for ParamsOf. It is "" if the task stores no
// names.
func (s *Store) ParamNames(ctx context.Context, num int64) (string, error) {
	byTask, err := namesOfTasks(ctx, s.db.Reader(), []int64{num})
	return byTask[num].JSON(), err
}

// RestoreParams replaces the stored params by the original params in `rows`, not in the ledger. The
// function `of` returns the id and the params of a row.
func RestoreParams[T any](ctx context.Context, tx ledger.Tx, rows []T, of func(*T) (ID, *string)) error {
	var nums []int64
	for i := range rows {
		id, params := of(&rows[i])
		if n := len(nums); strings.HasPrefix(*params, "[") && (n == 0 || nums[n-1] != id.Num()) {
			nums = append(nums, id.Num())
		}
	}
	if len(nums) == 0 {
		return nil
	}
	slices.Sort(nums)
	byTask, err := namesOfTasks(ctx, tx, slices.Compact(nums))
	for i := range rows {
		id, params := of(&rows[i])
		*params = byTask[id.Num()].Full(*params)
	}
	return err
}

// namesOfTasks returns the stored names of params of tasks, by task number. It omits tasks without
// names.
func namesOfTasks(ctx context.Context, tx ledger.Tx, nums []int64) (map[int64]paramlist.Names, error) {
	out := map[int64]paramlist.Names{}
	err := tx.Query(ctx, namesSQL, ledger.Args{"nums": nums}, func(scan ledger.Scan) error {
		var num int64
		var text string
		err := scan(&num, &text)
		out[num] = paramlist.Parse(text)
		return err
	})
	return out, err
}

func (e *Event) params() (ID, *string) { return e.ID, &e.Params }

func (s *State) params() (ID, *string) { return s.ID, &s.Params }
