package middleware_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// edition is a row with a version.
type edition struct {
	SKU string `row:"SKU" key:"true"`
	V   int64  `row:"V" version:"true" validate:"required"`
}

// shelfOfEditions holds the versions of the written editions by key. The edition with version `ill`
// fails.
type shelfOfEditions struct {
	mu  sync.Mutex
	ill int64
	ran map[string][]int64
}

func (s *shelfOfEditions) write(_ context.Context, j *worker.Job[edition]) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.Args.V == s.ill {
		return worker.Fail("BAD", "bad")
	}
	s.ran[j.Args.SKU] = append(s.ran[j.Args.SKU], j.Args.V)
	return nil
}

func (s *shelfOfEditions) wrote(r *rig, key string, want ...int64) {
	r.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.ran[key], want) {
		r.t.Errorf("editions %v of %s were written, want %v", s.ran[key], key, want)
	}
}

// editions adds a task of rows such as "a3": the key and the version.
func (r *rig) editions(list ...string) *tasks.Task {
	r.t.Helper()
	var rows []events.Draft
	for i, text := range list {
		var v int64
		if _, err := fmt.Sscan(text[1:], &v); err != nil {
			r.t.Fatal(err)
		}
		params := fmt.Appendf(nil, `{"SKU":%q,"V":"%d"}`, text[:1], v)
		rows = append(rows, events.Draft{Row: i + 2, Key: text[:1], Params: params, Score: &v})
	}
	return r.Add(r.t, "k", rows...)
}

// overtaken checks which rows of a task ended as superseded, and their texts.
func (r *rig) overtaken(task *tasks.Task, says string, seqs ...int64) {
	r.t.Helper()
	now := r.await(task)
	if now.Superseded != int64(len(seqs)) || now.Finish != now.Total-now.Failed {
		r.t.Errorf("the task counts %+v, want %d superseded", now.Counts, len(seqs))
	}
	for _, seq := range seqs {
		if e := r.event(task, seq); e.State() != events.Superseded || !strings.Contains(text(e.Message), says) {
			r.t.Errorf("row %d is %s, %s: %s", seq, e.Status, e.State(), text(e.Message))
		}
	}
	r.agrees(task)
}

// TestVersion_OlderThanARowThatFinished_DoesNotRun tests rows of one task and of a later one. Of
// equal versions the later row runs.
func TestVersion_OlderThanARowThatFinished_DoesNotRun(t *testing.T) {
	on(t, func(r *rig) {
		task := r.editions("a3", "a1", "b1", "a2", "a3", "a5")
		s := &shelfOfEditions{ran: map[string][]int64{}}
		r.start(worker.Define("k", s.write, worker.Shards(1)))
		r.overtaken(task, "Row 2 has the same key, is newer", 2, 4)
		s.wrote(r, "a", 3, 3, 5)
		s.wrote(r, "b", 1)
		later := r.editions("a4", "a6", "b1")
		r.overtaken(later, "of another task has the same key and a newer version", 1)
		s.wrote(r, "a", 3, 3, 5, 6)
		s.wrote(r, "b", 1, 1)
		r.decideAnyway(later, 1)
		if now := r.await(later); now.Finish != 3 || now.Superseded != 0 {
			r.t.Errorf("%+v", now.Counts)
		}
		s.wrote(r, "a", 3, 3, 5, 6, 4)
	})
}

// TestVersion_TaskIsResumed_RunsAnywayIfAUserSaysSo: rows with greater versions of another task have finished
// meanwhile. Within the task, the greatest version still counts.
func TestVersion_TaskIsResumed_RunsAnywayIfAUserSaysSo(t *testing.T) {
	on(t, func(r *rig) {
		for _, anyway := range []bool{true, false} {
			paused := r.editions("a5", "a4")
			if err := r.Tasks.Pause(r.t.Context(), "acme", paused.ID); err != nil {
				r.t.Fatal(err)
			}
			s := &shelfOfEditions{ran: map[string][]int64{}}
			n := r.start(worker.Define("k", s.write, worker.Shards(1)))
			r.overtaken(r.editions("a9"), "")
			resume, want, superseded := r.Tasks.Resume, []int64{9}, []int64{1, 2}
			if anyway {
				resume, want, superseded = r.Tasks.ResumeAnyway, []int64{9, 5}, []int64{2}
			}
			if err := resume(r.t.Context(), "acme", paused.ID); err != nil {
				r.t.Fatal(err)
			}
			r.overtaken(paused, "", superseded...)
			s.wrote(r, "a", want...)
			n.Stop()
		}
	})
}

// TestVersion_NewestRowIsRepaired_RunsBehindOlderOnes: a repaired row with the greatest version
// counts, although rows with smaller versions are later in the file.
func TestVersion_NewestRowIsRepaired_RunsBehindOlderOnes(t *testing.T) {
	on(t, func(r *rig) {
		task := r.editions("a7", "a5", "a6")
		s := &shelfOfEditions{ran: map[string][]int64{}, ill: 7}
		r.start(worker.Define("k", s.write, worker.Shards(1)))
		r.overtaken(task, "")
		s.wrote(r, "a", 5, 6)
		s.mu.Lock()
		s.ill = 0
		s.mu.Unlock()
		r.decide(task, events.Resubmitted, 1)
		r.overtaken(task, "")
		s.wrote(r, "a", 5, 6, 7)
	})
}

// TestVersion_RowIsCorrected_HasItsNewVersion: with it, the row is the newest.
func TestVersion_RowIsCorrected_HasItsNewVersion(t *testing.T) {
	on(t, func(r *rig) {
		task := r.editions("a7", "a8", "a9")
		s := &shelfOfEditions{ran: map[string][]int64{}, ill: 7}
		r.start(worker.Define("k", s.write, worker.Shards(1)))
		r.await(task)
		score := int64(10)
		r.edit(task, 1, `{"SKU":"a","V":"10"}`, &score)
		r.overtaken(task, "")
		s.wrote(r, "a", 8, 9, 10)
	})
}

// TestVersion_RowThatCountsIsSkipped_NextVersionIsItsHeir: the row with the next version counts,
// although an older version is later in the file.
func TestVersion_RowThatCountsIsSkipped_NextVersionIsItsHeir(t *testing.T) {
	on(t, func(r *rig) {
		rows := []events.Draft{{}, {}, {}}
		for i, v := range []int64{9, 7, 5} {
			rows[i] = events.Draft{Row: i + 2, Key: "a", Params: fmt.Appendf(nil, `{"SKU":"a","V":"%d"}`, v), Score: &v}
			if i > 0 {
				rows[i].Instead = &events.Replacement{Failure: &events.Failure{Code: events.CodeSuperseded, Message: "superseded"}}
			}
		}
		task := r.Add(r.t, "k", rows...)
		s := &shelfOfEditions{ran: map[string][]int64{}, ill: 9}
		r.start(worker.Define("k", s.write, worker.Shards(1)))
		r.await(task)
		r.review(decisions.Review{Num: task.Num, By: "ann", Keys: decisions.LatestRow, Hashed: true}, task, events.Skipped, []int64{1})
		if a, b := r.event(task, 2).State(), r.event(task, 3).State(); a != events.Fixed || b != events.Superseded {
			r.t.Errorf("version 7 is %s and version 5 is %s, want fixed and superseded", a, b)
		}
	})
}

// TestVersion_ErasedRows_KeepItWhereTheyFinished checks that an erased row that finished keeps its
// version, so that no older row runs. An erased row that failed keeps no version.
func TestVersion_ErasedRows_KeepItWhereTheyFinished(t *testing.T) {
	on(t, func(r *rig) {
		task := r.editions("a7", "a9")
		s := &shelfOfEditions{ran: map[string][]int64{}, ill: 7}
		r.start(worker.Define("k", s.write, worker.Shards(1)))
		r.await(task)
		for seq := int64(1); seq <= 2; seq++ {
			x := decisions.Erasure{ID: events.NewID(task.Num, seq), Tenant: "acme", By: "ann"}
			if err := decisions.New(r.Events).EraseRow(r.t.Context(), x); err != nil {
				r.t.Fatal(err)
			}
		}
		if v := r.event(task, 1).Score; v != nil {
			r.t.Errorf("the erased row that failed still has version %d", *v)
		}
		r.overtaken(r.editions("a8"), "", 1)
		s.wrote(r, "a", 9)
	})
}

// edit changes the params of row seq of a task, with the key a, and resubmits it.
func (r *rig) edit(task *tasks.Task, seq int64, params string, score *int64) {
	r.t.Helper()
	e := r.event(task, seq)
	made, err := decisions.New(r.Events).Decide(r.t.Context(), decisions.Review{Num: task.Num, By: "ann", Rows: []decisions.Decision{{
		ID: e.ID, Version: e.Version, Resolution: events.Resubmitted, Score: score,
		Edit: &decisions.Edit{Params: []byte(params), Key: "a"},
	}}})
	if err != nil || !made[0] {
		r.t.Fatal(made, err)
	}
}

// TestVersion_WrongKinds_AreRefused: the definition of such a kind fails.
func TestVersion_WrongKinds_AreRefused(t *testing.T) {
	t.Parallel()
	type blank struct {
		SKU string `row:"SKU" key:"true"`
		V   int    `row:"V" version:"true"`
	}
	type words struct {
		V string `row:"V" version:"true" validate:"required"`
	}
	type twice struct {
		V int `row:"V" version:"true" validate:"required"`
		W int `row:"W" version:"true" validate:"required"`
	}
	for name, define := range map[string]func(){
		"blank":     func() { worker.Define("k", func(context.Context, *worker.Job[blank]) error { return nil }) },
		"a text":    func() { worker.Define("k", func(context.Context, *worker.Job[words]) error { return nil }) },
		"two":       func() { worker.Define("k", func(context.Context, *worker.Job[twice]) error { return nil }) },
		"unordered": func() { worker.Define("k", (&shelfOfEditions{}).write, worker.Unordered()) },
		"latest":    func() { worker.Define("k", (&shelfOfEditions{}).write, worker.Latest()) },
		"untracked": func() { worker.Define("k", (&shelfOfEditions{}).write, worker.Track(false)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the kind is accepted", name)
				}
			}()
			define()
		}()
	}
}
