package manage

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/feed"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// KeysRequest is the body of an act on keys of a queue. It names ordering keys, or selects all keys to
// which the act applies.
type KeysRequest struct {
	IDs    []string `json:"ids"`
	All    bool     `json:"all"`
	DryRun bool     `json:"dry_run"`
}

// MaxActKeys is the greatest number of keys that a request may name.
const MaxActKeys = 1000

// Check returns an error if the request selects no keys, names more than MaxActKeys keys, or both
// names keys and selects all.
func (in *KeysRequest) Check() error {
	switch {
	case in.All && in.IDs != nil:
		return problem.BadField("ids", `Send either ids or "all": true, not both.`)
	case !in.All && in.IDs == nil:
		return problem.BadField("ids", `The request selects no keys: list them in ids, or send "all": true for all of them.`)
	case !in.All && (len(in.IDs) == 0 || len(in.IDs) > MaxActKeys):
		return problem.BadField("ids", fmt.Sprintf("ids must have 1 to %d entries.", MaxActKeys))
	}
	return nil
}

// NewOrder returns the operate.Order that a request describes, for the caller's tenant.
func (s *Service) NewOrder(ctx context.Context, queue string, in *KeysRequest) operate.Order {
	return operate.Order{
		Tenant: auth.Tenant(ctx), By: auth.Actor(ctx), Queue: queue, Keys: in.IDs, All: in.All, DryRun: in.DryRun,
	}
}

// Act is a method of operate.Operator that changes keys of a queue.
type Act func(*operate.Operator, context.Context, operate.Order) (operate.Result, error)

// ActOnKeys executes the act `do` on keys of a queue. A dry run has no audit entry, because it changes
// nothing.
func (s *Service) ActOnKeys(ctx context.Context, verb string, o operate.Order, do Act) (out operate.Result, err error) {
	if _, err := s.QueueStats(ctx, o.Queue); err != nil {
		return out, err
	}
	if o.DryRun {
		out, err = do(s.operator(), ctx, o)
		return out, operateProblem(err)
	}
	_, err = s.Do(ctx, verb, o.Queue, namedKeys(o), func(ctx context.Context) (int, error) {
		out, err = do(s.operator(), ctx, o)
		if out.Touched > 0 {
			s.Wake(ctx, feed.Topic)
		}
		return out.Touched, operateProblem(err)
	})
	return out, err
}

// maxNamedKeys is the greatest number of keys that an audit entry lists.
const maxNamedKeys = 50

// namedKeys returns the first keys that an act names and the number of all keys that it names, for
// the audit entry. It returns nil if the act selects all keys.
func namedKeys(o operate.Order) any {
	if o.All {
		return nil
	}
	return map[string]any{"ids": o.Keys[:min(len(o.Keys), maxNamedKeys)], "count": len(o.Keys)}
}

// operator returns the object that executes acts of operators.
func (s *Service) operator() *operate.Operator {
	return operate.New(s.Tasks, s.Events, s.Queue, s.Kinds, operate.Options{Now: s.Now})
}

// operateProblem returns the problem of an error of package operate. It returns other errors unchanged.
func operateProblem(err error) error {
	switch {
	case errors.Is(err, operate.ErrQueue):
		return QueueProblem(err)
	case errors.Is(err, review.ErrKind):
		return input.ErrUnknownKind
	}
	return err
}

// RequeueKeys calls operate.Operator.Requeue and returns only the result about keys.
func RequeueKeys(d *operate.Operator, ctx context.Context, o operate.Order) (operate.Result, error) {
	out, err := d.Requeue(ctx, o)
	return out.Result, err
}
