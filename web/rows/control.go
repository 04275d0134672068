package rows

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/reconcile"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Transition is one way to control a task: pause, resume or cancel.
type Transition struct {
	Run       func(ts *tasks.Store, ctx context.Context, tenant, id string) error
	Wakes     string // the topic to notify; "" for none
	Condition string // the required state of the task, in words
}

// Transitions maps the last part of a path to the transition that the path triggers.
var Transitions = map[string]Transition{
	"pause": {
		(*tasks.Store).Pause, "", "Only a waiting or running task can be paused",
	},
	"resume": {
		(*tasks.Store).Resume, feed.Topic, "Only a paused task can be resumed",
	},
	"cancel": {
		(*tasks.Store).Cancel, reconcile.CancelTopic, "Only an unfinished task can be canceled, and only once",
	},
}

// WrongStatus returns the problem that the status of a task does not allow a transition.
func WrongStatus(way Transition, stands tasks.Status) *problem.Problem {
	return problem.New(http.StatusConflict, "WRONG_STATUS", fmt.Sprintf("%s; this one is %s.", way.Condition, stands))
}

// Control pauses, resumes or cancels a task of the caller's tenant. It returns a problem if the status
// of the task does not allow this. If the argument `anyway` is true, a resume also runs rows of which a
// newer row of the same key has finished.
func (s *Service) Control(ctx context.Context, id, verb string, anyway bool) error {
	way := Transitions[verb]
	does := way.Run
	if verb == "resume" && anyway {
		does = (*tasks.Store).ResumeAnyway
	}
	err := does(s.Tasks.As(auth.Actor(ctx)), ctx, auth.Tenant(ctx), id)
	var stands *tasks.StatusError
	if errors.As(err, &stands) {
		return WrongStatus(way, stands.Status)
	}
	if err != nil {
		return err
	}
	s.Cache.Invalidate(auth.Tenant(ctx), id)
	if way.Wakes != "" {
		s.Wake(ctx, way.Wakes)
	}
	return nil
}

// RunReady resubmits the corrected rows of a paused task. For any other task it is a no-op. If the argument `anyway` is
// true, the rows run even if newer rows of their keys have finished.
func (s *Service) RunReady(ctx context.Context, id string, anyway bool) error {
	t, err := s.Tasks.Get(ctx, auth.Tenant(ctx), id)
	if err != nil || t.Status != tasks.Paused {
		return err
	}
	_, err = s.Bulk(ctx, t, review.BulkAction{
		Act: review.Resubmit, By: auth.Actor(ctx), Filter: events.Filter{Resolution: events.Fixed}, Anyway: anyway,
	})
	if err != nil {
		return ReviewProblem(err, nil, "")
	}
	return nil
}

// Overtaken returns the number of waiting rows with a key in a task, and how many of them newer rows
// supersede. It counts at most 10,000 waiting rows. If the kind is unordered, no row is superseded.
func (s *Service) Overtaken(ctx context.Context, t *tasks.Task) (events.Overtaken, error) {
	o, err := s.Events.Overtaken(ctx, t.Num)
	if kind, ok := s.Kinds.Kind(t.Kind); ok && kind.Unordered {
		o.Superseded = 0
	}
	return o, err
}
