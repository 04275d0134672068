package manage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// All tenants share the queues. QueueStats and NodeList cover all tenants. A list of keys contains
// keys, payloads and errors of one tenant only.

// QueueStats returns the state of one queue. If the queue of a kind is not in Redis yet, its state is
// empty. For any other unknown queue, QueueStats returns an error.
func (s *Service) QueueStats(ctx context.Context, name string) (queue.QueueStats, error) {
	st, err := s.Queue.Admin().Stats(ctx, name)
	if err = s.IgnoreNewQueue(name, err); err != nil {
		return st, err
	}
	st.Name = name
	return st, nil
}

// IgnoreNewQueue returns nil for the error that the queue of a kind is not in Redis yet, because such a
// queue is empty. It returns the problem of any other error.
func (s *Service) IgnoreNewQueue(name string, err error) error {
	if _, known := s.Kinds.Kind(name); known && errors.Is(err, queue.ErrUnknownQueue) {
		return nil
	}
	return QueueProblem(err)
}

// QueueProblem returns the problem of an error of package queue; nil for nil.
func QueueProblem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, queue.ErrUnknownQueue):
		return problem.ErrNotFound
	case errors.Is(err, queue.ErrBadQuery):
		return input.BadCursor()
	}
	return fmt.Errorf("%w: %w", problem.ErrQueueUnavailable, err)
}

// NodeList returns the live nodes, sorted by name.
func (s *Service) NodeList(ctx context.Context) ([]view.Node, error) {
	nodes, err := s.Queue.Admin().Nodes(ctx)
	if err != nil {
		return nil, QueueProblem(err)
	}
	list := []view.Node{}
	for i := range nodes {
		list = append(list, view.OfNode(&nodes[i]))
	}
	return list, nil
}

// KeyPage is a page of keys with the cursor of the next page. The cursor is "" on the last page.
type KeyPage struct {
	Items []view.QueueKey
	Next  string
}

// shownPayloads is the greatest number of payloads that a list shows for each key.
const shownPayloads = 5

// WaitingKeys returns a page of the tenant's keys that wait in a queue. The prefix in `q` does not
// include the tenant.
func (s *Service) WaitingKeys(
	ctx context.Context, tenant, name string, q queue.Query,
) (KeyPage, error) {
	q.Prefix, q.Each = tenant+"/"+q.Prefix, shownPayloads
	page, err := s.Queue.Admin().Waiting(ctx, name, q)
	return s.keyPage(tenant, name, page, err)
}

// DeadKeys returns a page of the tenant's keys in the morgue of a queue. The prefix in `q` does not
// include the tenant.
func (s *Service) DeadKeys(
	ctx context.Context, tenant, name string, q queue.Query,
) (KeyPage, error) {
	q.Prefix, q.Each = tenant+"/"+q.Prefix, shownPayloads
	page, err := s.Queue.Admin().Morgue(ctx, name, q)
	return s.keyPage(tenant, name, page, err)
}

func (s *Service) keyPage(tenant, name string, page queue.Page, err error) (KeyPage, error) {
	if err = s.IgnoreNewQueue(name, err); err != nil {
		return KeyPage{}, err
	}
	kind, _ := s.Kinds.Kind(name) // the sensitive columns of an unregistered kind are unknown
	out := KeyPage{[]view.QueueKey{}, page.Cursor}
	for i := range page.Keys {
		out.Items = append(out.Items, view.OfQueueKey(tenant, kind, &page.Keys[i]))
	}
	return out, nil
}

// BusyKeys returns keys of the tenant that are in flight. The argument `limit` bounds their number.
func (s *Service) BusyKeys(
	ctx context.Context, tenant, name string, limit int,
) ([]view.BusyKey, error) {
	keys, err := s.Queue.Admin().Busy(ctx, name, tenant+"/", limit)
	if err = s.IgnoreNewQueue(name, err); err != nil {
		return nil, err
	}
	kind, _ := s.Kinds.Kind(name) // the sensitive columns of an unregistered kind are unknown
	list := []view.BusyKey{}
	for i := range keys {
		k := &keys[i]
		list = append(list, view.BusyKey{
			QueueKey: view.OfQueueKey(tenant, kind, &k.KeyInfo), Shard: k.Shard, Node: textutil.Optional(k.Node), Redelivered: k.Redelivered,
		})
	}
	return list, nil
}

// HotKeys returns those keys of the tenant that have the most waiting payloads. The argument `top` bounds
// the number of keys.
func (s *Service) HotKeys(ctx context.Context, tenant, name string, top int) ([]view.HotKey, error) {
	keys, err := s.Queue.Admin().HotKeys(ctx, name, tenant+"/", top)
	if err = s.IgnoreNewQueue(name, err); err != nil {
		return nil, err
	}
	list := []view.HotKey{}
	for _, k := range keys {
		list = append(list, view.HotKey{ID: strings.TrimPrefix(k.Key, tenant+"/"), Count: k.Count})
	}
	return list, nil
}
