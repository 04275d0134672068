package reconcile

import (
	"cmp"
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/queue"
)

// checkStranded reports, and repairs on request, the stranded keys of a queue. Such keys wait,
// but are in no list of Redis, so that their jobs never run.
func (v *Verifier) checkStranded(ctx context.Context, name string) error {
	for key, err := range v.client.Admin().Stranded(ctx, name) {
		if err != nil {
			return err
		}
		task, what := strandedIn(key)
		if v.opt.Task != "" && task != v.opt.Task {
			continue
		}
		done := ""
		if v.opt.Repair {
			if _, err := v.client.Admin().Relist(ctx, name, key.Key); err != nil {
				return err
			}
			done = "listed again: the worker checks the ledger before it runs the job"
		}
		v.report(cmp.Or(task, name), what, done)
	}
	return nil
}

// strandedIn returns the task of the first payload of a stranded key, or "", and a description of
// the difference.
func strandedIn(key queue.KeyInfo) (task, what string) {
	what = fmt.Sprintf("the key %q waits in Redis but is in no list, so it never runs", key.Key)
	if len(key.Payloads) == 0 {
		return "", what
	}
	env, err := jobs.Unpack(key.Payloads[0].Payload)
	if err != nil {
		return "", what
	}
	if key.Count > 1 {
		return env.TaskID, fmt.Sprintf("row %d and %d more rows of its key wait in Redis but are in no list, so they never run",
			env.Row, key.Count-1)
	}
	return env.TaskID, fmt.Sprintf("row %d waits in Redis but is in no list, so it never runs", env.Row)
}

// relist puts stranded keys back into their lists. It handles the kinds in `checked`, and each
// other kind once per SweeperOptions.Full.
func (s *Sweeper) relist(ctx context.Context, checked map[string]bool) []error {
	var faults []error
	for _, kind := range s.kinds.Names() {
		if now := s.opt.Now(); checked[kind] || now.Sub(s.listed[kind]) >= s.opt.Full {
			s.listed[kind] = now
			faults = append(faults, s.relistKind(ctx, kind))
		}
	}
	return faults
}

func (s *Sweeper) relistKind(ctx context.Context, kind string) error {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	for key, err := range s.client.Admin().Stranded(ctx, kind) {
		if err != nil {
			return err
		}
		n, err := s.client.Admin().Relist(ctx, kind, key.Key)
		if err != nil {
			return err
		}
		if n > 0 {
			task, what := strandedIn(key)
			s.opt.Log.Warn("listed a stranded key again", "queue", kind, "task", task, "was", what)
			s.count(Repairs{Listed: 1})
		}
	}
	return nil
}
