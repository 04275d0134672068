package rowacts_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/internal/rowacts"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestStart_LargestAct_IsOneTask has an act on the greatest allowed number of tasks, and larger
// acts.
func TestStart_LargestAct_IsOneTask(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		s := fixture.New(t, fixture.Options{Ledger: url})
		starter := rowacts.Starter{Tasks: s.Tasks, Events: s.Events, Keep: time.Hour}
		ids := make([]string, rowacts.MaxTasks+1)
		for i := range ids {
			ids[i] = fmt.Sprintf("01a218d3-9b63-705e-a464-%012d", i)
		}
		start := func(note string, ids []string) (*tasks.Task, error) {
			task := &tasks.Task{Tenant: "acme", CreatedBy: "key_1", Name: "skip"}
			act := rowacts.Order{Bulk: &review.BulkAction{Act: review.Skip, By: "key_1", Note: note}}
			return task, starter.Start(t.Context(), task, act, ids)
		}
		task, err := start("", ids[:rowacts.MaxTasks])
		if err != nil || task.Total != rowacts.MaxTasks || task.Enqueue != rowacts.MaxTasks || task.Status != tasks.Running {
			t.Fatalf("%+v, %v", task, err)
		}
		for name, err := range map[string]error{
			"a task more":    second(start("", ids)),
			"a long content": second(start(strings.Repeat("x", 1<<20), ids[:33])),
		} {
			if !errors.Is(err, rowacts.ErrTooLarge) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if list, _, err := s.Tasks.Search(t.Context(), "acme", tasks.Search{Limit: 10}); err != nil || len(list) != 1 {
			t.Errorf("%d tasks, %v", len(list), err)
		}
	})
}

func second(_ *tasks.Task, err error) error { return err }
