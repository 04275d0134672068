package exporters_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// rig is a service with a store of parts.
type rig struct {
	t *testing.T
	*fixture.Service
	parts *exporters.Parts
}

func newRig(t *testing.T, url string) *rig {
	t.Helper()
	r := &rig{t: t, Service: fixture.New(t, fixture.Options{Ledger: url})}
	r.parts = exporters.NewParts(r.Tasks, r.Files)
	return r
}

// ask adds the task of an export.
func (r *rig) ask(kind, name string, req jobs.ExportRequest) *tasks.Task {
	r.t.Helper()
	task := &tasks.Task{
		ID: tasks.NewID(), Tenant: "acme", Kind: kind, Name: name, Type: tasks.Export,
		Status: tasks.Open, Unmerged: true, Options: map[string]any{},
	}
	b, err := json.Marshal(req)
	if err == nil {
		err = json.Unmarshal(b, &task.Options)
	}
	if err == nil {
		err = r.Tasks.Create(r.t.Context(), task, time.Hour)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return task
}

// node is a worker process with a Runner.
type node struct {
	*fixture.Node
	runner *exporters.Runner
}

// start starts a node with n handlers.
func (r *rig) start(handlers int, defs ...worker.Definer) *node {
	r.t.Helper()
	n, started := &node{}, make(chan struct{})
	n.runner = exporters.NewRunner(r.Tasks, r.Events, r.parts, jobs.RegistryOf(worker.NewRegistry(defs...)), exporters.RunnerOptions{
		Poll: 20 * time.Millisecond, Claim: 8 * time.Second, Again: 10 * time.Millisecond,
		Added: func() { n.Feeder.Wake() },
	})
	var err error
	n.Node, err = r.Start(fixture.NodeOptions{
		Kinds: defs, Feeder: feed.Options{Poll: 20 * time.Millisecond},
		Recorder: middleware.Options{Parts: r.parts, OnCommit: n.runner.Committed},
		Server:   queue.ServerOptions{Concurrency: handlers},
		Beside: func(ctx context.Context) {
			select {
			case <-started: // Added reads n.Node
				n.runner.Run(ctx, nil)
			case <-ctx.Done():
			}
		},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	close(started)
	return n
}

// now reads the task.
func (r *rig) now(task *tasks.Task) *tasks.Task { r.t.Helper(); return r.Task(r.t, task) }

// askMerged adds an export without parts, which only waits for its file.
func (r *rig) askMerged() *tasks.Task {
	r.t.Helper()
	task := r.ask("numbers", "", as(table.CSV, map[string]string{"Rows": "1", "Parts": "1"}))
	t, claim, err := r.Tasks.Picker(tasks.Planning, []string{"numbers"}, 1).Next(r.t.Context(), time.Minute)
	if err != nil {
		r.t.Fatal(err)
	}
	chunk := events.Chunk{Num: t.Num, Claim: int64(claim), Final: true}
	if _, err := r.Events.Append(r.t.Context(), chunk); err != nil {
		r.t.Fatal(err)
	}
	return task
}

// await waits until the task is done, and returns it.
func (r *rig) await(task *tasks.Task) *tasks.Task { r.t.Helper(); return r.Await(r.t, task) }

// cleared waits until the files of the parts are deleted.
func (r *rig) cleared(task *tasks.Task) {
	r.t.Helper()
	fixture.Eventually(r.t, "no files of parts", func() bool {
		left, err := r.Tasks.PartFiles(r.t.Context(), task.Num)
		if err != nil {
			r.t.Fatal(err)
		}
		return len(left) == 0
	})
}

// content returns the file of a task, and compares it with the description in the task.
func (r *rig) content(task *tasks.Task) string {
	r.t.Helper()
	f, err := r.Files.Get(r.t.Context(), task.ResultID)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		r.t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	if hex.EncodeToString(sum[:]) != task.ResultSHA256 || int64(len(b)) != task.ResultSize {
		r.t.Errorf("the file is not what its task says: %d bytes, %+v", len(b), task.Result)
	}
	return string(b)
}

// as returns a request for a file.
func as(format string, params map[string]string) jobs.ExportRequest {
	return jobs.ExportRequest{Params: params, Spec: table.Spec{Format: format}}
}
