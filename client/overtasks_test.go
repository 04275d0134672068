package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/client"
)

// TestRowCancel_RowsNotSaid_MakesNoRequest: an empty list of IDs does not mean all rows.
func TestRowCancel_RowsNotSaid_MakesNoRequest(t *testing.T) {
	t.Parallel()
	asked := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the service was asked: %s %s", r.Method, r.URL)
	}))
	defer asked.Close()
	c := connect(t, asked.URL, client.Options{})
	for _, r := range []client.RowCancel{
		{},
		{IDs: []string{}},
		{IDs: []string{"a"}, All: true},
		{Rows: client.Waiting{Key: "k"}, All: true},
		{Rows: client.Waiting{Key: "k"}, IDs: []string{"a"}},
	} {
		if _, err := c.CancelRows(t.Context(), "id", r); !errors.Is(err, client.ErrWaiting) {
			t.Errorf("%+v = %v, want ErrWaiting", r, err)
		}
		if _, err := c.CancelAllRows(t.Context(), r); !errors.Is(err, client.ErrWaiting) {
			t.Errorf("all of %+v = %v, want ErrWaiting", r, err)
		}
	}
	if _, err := c.CancelAllRows(t.Context(), client.RowCancel{IDs: []string{"a"}}); !errors.Is(err, client.ErrWaiting) {
		t.Errorf("ids of all tasks = %v, want ErrWaiting", err)
	}
	if _, err := c.ResubmitAll(t.Context(), "", client.BulkAction{IDs: []string{"a"}}); !errors.Is(err, client.ErrSelection) {
		t.Errorf("ids of all tasks = %v, want ErrSelection", err)
	}
}

// testRowsOfAllTasks cancels, skips and resubmits rows of several tasks with one call each.
func testRowsOfAllTasks(t *testing.T, address string) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	c := connect(t, address, client.Options{})
	const tasks = 3
	create := func(n int, name string, price any, opt client.ImportOptions) (ids []string) {
		for i := range n {
			row := func(n int) any {
				return map[string]any{"SKU": fmt.Sprintf("%s%d-%d", name, i, n), "Name": name, "Price": price, "Brand": "Acme"}
			}
			task, err := c.Create(ctx, client.Batch{Kind: "products.import", Rows: []any{row(1), row(2)}, Options: opt})
			fine(t, err)
			ids = append(ids, task.ID)
		}
		return ids
	}
	const steps = 203 // tasks, more than the service reads in one step
	waiting := create(steps, "Wait", 1, client.ImportOptions{RunAt: time.Now().Add(time.Hour)})
	all := client.RowCancel{Rows: client.Waiting{Q: "wait"}, Kind: "products.import", CreatedAfter: time.Now().Add(-time.Hour), DryRun: true}
	if out, err := c.CancelAllRows(ctx, all); err != nil || out.Matched != 2*steps || out.Tasks != steps || out.Canceled != 0 {
		t.Errorf("dry run: %+v, %v", out, err)
	}
	one := client.RowCancel{IDs: []string{waiting[0] + ".1"}, Note: "not sold"}
	if out, err := c.CancelRows(ctx, waiting[0], one); err != nil || *out != (client.Canceled{Matched: 1, Canceled: 1}) {
		t.Errorf("one row: %+v, %v", out, err)
	}
	all.DryRun = false
	if out, err := c.CancelAllRows(ctx, all); err != nil || out.Canceled != 2*steps-1 {
		t.Errorf("the others: %+v, %v", out, err)
	}
	for _, id := range []string{waiting[0], waiting[steps-1]} {
		if task, err := c.Wait(ctx, id, nil); err != nil || task.Counts.Canceled != 2 {
			t.Errorf("a task of canceled rows: %+v, %v", task, err)
		}
	}

	bad := create(tasks, "Bad", -1, client.ImportOptions{})
	for _, id := range bad {
		_, err := c.Wait(ctx, id, nil)
		fine(t, err)
	}
	filter := client.Filter{Q: "bad", Column: "Price"}
	skip := client.BulkAction{Filter: client.Filter{Q: "bad", RowGte: 2}, Note: "not sold"}
	if out, err := c.SkipAll(ctx, "products.import", skip); err != nil || out.Done != tasks || out.Tasks != tasks {
		t.Errorf("skip: %+v, %v", out, err)
	}
	repair := client.BulkAction{Filter: filter, Set: client.Cells{"Price": client.Text("3")}}
	if out, err := c.ResubmitAll(ctx, "products.import", repair); err != nil || out.Resubmitted < tasks {
		t.Errorf("resubmit: %+v, %v", out, err)
	}
	for _, id := range bad {
		if task, err := c.Wait(ctx, id, nil); err != nil || task.Counts.Finish == 0 {
			t.Errorf("a task of repaired rows: %+v, %v", task, err)
		}
	}

	filter.Q, filter.Column = "task", "Price"
	worse := create(tasks, "Task", -1, client.ImportOptions{})
	for _, id := range worse {
		_, err := c.Wait(ctx, id, nil)
		fine(t, err)
	}
	testActsAsTasks(ctx, t, c, filter, worse)
}

// testActsAsTasks acts on the bad rows of several tasks. Each act is a task of the service. The
// first act skips one row of each task, and the second resubmits the others.
func testActsAsTasks(ctx context.Context, t *testing.T, c *client.Client, filter client.Filter, ids []string) {
	first := filter
	first.RowGte = 2
	skip, err := c.StartSkipAll(ctx, "products.import", client.BulkAction{Filter: first, Note: "not sold"})
	fine(t, err)
	if skip, err = c.Wait(ctx, skip.ID, nil); err != nil || int(skip.Counts.Finish) < len(ids) {
		t.Errorf("skip as a task: %+v, %v", skip, err)
	}
	repair := client.BulkAction{Filter: filter, Set: client.Cells{"Price": client.Text("3")}}
	run, err := c.StartResubmitAll(ctx, "products.import", repair)
	fine(t, err)
	if run, err = c.Wait(ctx, run.ID, nil); err != nil || int(run.Counts.Finish) < len(ids) {
		t.Errorf("resubmit as a task: %+v, %v", run, err)
	}
	for _, id := range ids {
		if task, err := c.Wait(ctx, id, nil); err != nil || task.Counts.Finish != 1 || task.Counts.Skipped != 1 {
			t.Errorf("a task of repaired rows: %+v, %v", task, err)
		}
	}
	cancel, err := c.StartCancelAllRows(ctx, client.RowCancel{All: true, Kind: "products.import"})
	fine(t, err)
	if cancel, err = c.Wait(ctx, cancel.ID, nil); err != nil || cancel.Outcome != "success" {
		t.Errorf("cancel as a task: %+v, %v", cancel, err)
	}
}
