package events

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/names.sql
var namesSQL string

// json returns the JSON array that a task stores, or "" without names.
func (n names) json() string {
	if len(n) == 0 {
		return ""
	}
	return "[" + strings.Join(n, ",") + "]"
}

// namesIn parses a JSON array of names.json.
func namesIn(text string) (n names) {
	for rest := text; len(rest) > 1; {
		end := valueEnd(rest[1:]) + 1
		if end <= 1 {
			return nil
		}
		n, rest = append(n, rest[1:end]), rest[end:]
	}
	return n
}

// ParamsOf returns the original params of a row. taskNames is column param_names of the task, and
// params is column params of the row.
func ParamsOf(taskNames, params string) string { return namesIn(taskNames).full(params) }

// ParamNames returns column param_names of a task, which is "" without names. See ParamsOf.
func (s *Store) ParamNames(ctx context.Context, num int64) (string, error) {
	byTask, err := namesOfTasks(ctx, s.db.Reader(), []int64{num})
	return byTask[num].json(), err
}

// inFull replaces the stored params of rows by the original params.
func inFull[T any](ctx context.Context, tx ledger.Tx, rows []T, of func(*T) (ID, *string)) error {
	var nums []int64
	for i := range rows {
		if id, params := of(&rows[i]); strings.HasPrefix(*params, "[") {
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
		*params = byTask[id.Num()].full(*params)
	}
	return err
}

// namesOfTasks returns the names of tasks by their number. Tasks without names are left out.
func namesOfTasks(ctx context.Context, tx ledger.Tx, nums []int64) (map[int64]names, error) {
	out := map[int64]names{}
	err := tx.Query(ctx, namesSQL, ledger.Args{"nums": nums}, func(scan ledger.Scan) error {
		var num int64
		var text string
		err := scan(&num, &text)
		out[num] = namesIn(text)
		return err
	})
	return out, err
}

func (e *Event) params() (ID, *string) { return e.ID, &e.Params }
func (b *Back) params() (ID, *string)  { return b.ID, &b.Params }
func (s *State) params() (ID, *string) { return s.ID, &s.Params }
