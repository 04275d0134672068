package workertest_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

func TestEnqueue_OfATenant_ReturnsItsTask(t *testing.T) {
	t.Parallel()
	sell := (&shop{}).kind()
	h := workertest.New(t, worker.NewRegistry(sell))
	task := workertest.Enqueue(h, sell, sale{SKU: "A1"}, worker.Tenant("acme"))
	task.RequireCounts(worker.Counts{Finish: 1})
	h.Task(task.ID).RequireCounts(worker.Counts{Finish: 1})
	h.CheckOrder()
}
