package operate_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/tasks"
)

// hook is a buffer that calls a function once, when the first record of a task is written.
type hook struct {
	bytes.Buffer
	once func()
}

func (h *hook) Write(p []byte) (int, error) {
	if h.once != nil && bytes.Contains(p, []byte(`"record":"tasks"`)) {
		f := h.once
		h.once = nil
		f()
	}
	return h.Buffer.Write(p)
}

func TestExport_RowsAreAddedMeanwhile_HaveTheirNames(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		h := newTenantEnv(t, url)
		open := &tasks.Task{ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Batch, Status: tasks.Open}
		fine(h, h.Tasks.Create(t.Context(), open, time.Hour))
		out := &hook{}
		out.once = func() {
			row := events.Draft{Key: "k", Params: json.RawMessage(`{"Name of the customer":"Ann","Number of the customer":"7"}`)}
			_, err := h.Events.Append(t.Context(), events.Chunk{Num: open.Num, Rows: []events.Draft{row, row}, Count: true})
			fine(h, err)
		}
		fine(h, h.tenants.Export(t.Context(), "acme", out, nil))
		for _, line := range strings.Split(out.String(), "\n") {
			if strings.Contains(line, `"params":"[\"Ann`) {
				t.Error("a row is exported without the names of its members")
			}
		}
	})
}
