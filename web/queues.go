package web

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Queues are shared by all tenants. Whoever may look at them sees how much there
// is of everybody's; keys, payloads and errors only of the own tenant.

// queueStats looks at one queue. That of a kind which Redis has not seen is
// empty; any other is not there.
func (s *Server) queueStats(ctx context.Context, name string) (queue.QueueStats, error) {
	st, err := s.opt.Queue.Admin().Stats(ctx, name)
	if err = s.unlessFresh(name, err); err != nil {
		return st, err
	}
	st.Name = name
	return st, nil
}

// unlessFresh forgives that Redis has not seen the queue of a kind: there is
// nothing in it.
func (s *Server) unlessFresh(name string, err error) error {
	if _, known := s.opt.Kinds.Kind(name); known && errors.Is(err, queue.ErrUnknownQueue) {
		return nil
	}
	return queueFault(err)
}

// queueFault is what is told of a fault of the queues.
func queueFault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, queue.ErrUnknownQueue):
		return problem.ErrNotFound
	case errors.Is(err, queue.ErrBadQuery):
		return badCursor()
	}
	return fmt.Errorf("%w: %w", problem.ErrQueueUnavailable, err)
}

// nodeList tells which nodes live, in order of name.
func (s *Server) nodeList(ctx context.Context) ([]view.Node, error) {
	nodes, err := s.opt.Queue.Admin().Nodes(ctx)
	if err != nil {
		return nil, queueFault(err)
	}
	list := []view.Node{}
	for i := range nodes {
		list = append(list, view.OfNode(&nodes[i]))
	}
	return list, nil
}

// keyPage is one page of keys, and where the next begins; "" behind the last.
type keyPage struct {
	items []view.QueueKey
	next  string
}

// shownPayloads is how many payloads of a key are shown.
const shownPayloads = 5

// waitingKeys are those of a tenant that wait in a queue. The prefix of q is
// that of the key as the tenant knows it.
func (s *Server) waitingKeys(
	ctx context.Context, tenant, name string, q queue.Query,
) (keyPage, error) {
	q.Prefix, q.Each = tenant+"/"+q.Prefix, shownPayloads
	page, err := s.opt.Queue.Admin().Waiting(ctx, name, q)
	return s.keyPage(tenant, name, page, err)
}

// deadKeys are those of a tenant in the morgue of a queue; q is as for waitingKeys.
func (s *Server) deadKeys(
	ctx context.Context, tenant, name string, q queue.Query,
) (keyPage, error) {
	q.Prefix, q.Each = tenant+"/"+q.Prefix, shownPayloads
	page, err := s.opt.Queue.Admin().Morgue(ctx, name, q)
	return s.keyPage(tenant, name, page, err)
}

func (s *Server) keyPage(tenant, name string, page queue.Page, err error) (keyPage, error) {
	if err = s.unlessFresh(name, err); err != nil {
		return keyPage{}, err
	}
	kind, _ := s.opt.Kinds.Kind(name) // of a kind that is gone, nothing is sensitive
	out := keyPage{[]view.QueueKey{}, page.Cursor}
	for i := range page.Keys {
		out.items = append(out.items, view.OfQueueKey(tenant, kind, &page.Keys[i]))
	}
	return out, nil
}

// busyKeys are those of a tenant in flight, up to limit.
func (s *Server) busyKeys(
	ctx context.Context, tenant, name string, limit int,
) ([]view.BusyKey, error) {
	keys, err := s.opt.Queue.Admin().Busy(ctx, name, tenant+"/", limit)
	if err = s.unlessFresh(name, err); err != nil {
		return nil, err
	}
	kind, _ := s.opt.Kinds.Kind(name) // of a kind that is gone, nothing is sensitive
	list := []view.BusyKey{}
	for i := range keys {
		k := &keys[i]
		list = append(list, view.BusyKey{
			QueueKey: view.OfQueueKey(tenant, kind, &k.KeyInfo), Shard: k.Shard, Node: textutil.Optional(k.Node), Redelivered: k.Redelivered,
		})
	}
	return list, nil
}

// hotKeys are those of a tenant with the most payloads that wait.
func (s *Server) hotKeys(ctx context.Context, tenant, name string, top int) ([]view.HotKey, error) {
	keys, err := s.opt.Queue.Admin().HotKeys(ctx, name, tenant+"/", top)
	if err = s.unlessFresh(name, err); err != nil {
		return nil, err
	}
	list := []view.HotKey{}
	for _, k := range keys {
		list = append(list, view.HotKey{ID: strings.TrimPrefix(k.Key, tenant+"/"), Count: k.Count})
	}
	return list, nil
}
