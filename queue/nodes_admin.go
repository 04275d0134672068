package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Nodes returns the last heartbeat of each live node, sorted by name.
func (a *Admin) Nodes(ctx context.Context) ([]NodeReport, error) {
	queues, err := a.Queues(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	pipe := a.rdb.Pipeline()
	members := make([]*redis.StringSliceCmd, len(queues))
	for i, queue := range queues {
		members[i] = pipe.ZRange(ctx, a.keys.nodes(queue), 0, -1)
	}
	drains := pipe.SMembers(ctx, a.keys.drains())
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, fmt.Errorf("queue: list nodes: %w", err)
	}
	var names []string
	for _, cmd := range members {
		names = append(names, cmd.Val()...)
	}
	slices.Sort(names)
	return a.reports(ctx, slices.Compact(names), drains.Val())
}

// reports returns the last heartbeats of the nodes. It omits nodes without a heartbeat for two
// leases.
func (a *Admin) reports(ctx context.Context, names, drains []string) ([]NodeReport, error) {
	pipe := a.rdb.Pipeline()
	reports := make([]*redis.StringCmd, len(names))
	for i, name := range names {
		reports[i] = pipe.Get(ctx, a.keys.node(name))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, fmt.Errorf("queue: list nodes: %w", err)
	}
	var list []NodeReport
	for i, name := range names {
		var r NodeReport
		if json.Unmarshal([]byte(reports[i].Val()), &r) != nil {
			continue
		}
		r.Draining = slices.Contains(drains, name)
		list = append(list, r)
	}
	return list, nil
}

// Drain makes a node hand over its shards to the other nodes once its running jobs have ended. The
// argument `node` is NodeReport.Name. The node keeps running, and takes no shard until Undrain.
func (a *Admin) Drain(ctx context.Context, node string) error {
	if strings.TrimSpace(node) == "" {
		return fmt.Errorf("queue: drain: %w: no node", ErrBadQuery)
	}
	return a.setDrain(ctx, func(ctx context.Context) error {
		return runExempt(ctx, a.rdb, "drain", exempt(onSet, "SADD", a.keys.drains(), node))
	})
}

// Undrain ends a Drain.
func (a *Admin) Undrain(ctx context.Context, node string) error {
	return a.setDrain(ctx, func(ctx context.Context) error {
		return a.rdb.SRem(ctx, a.keys.drains(), node).Err()
	})
}

func (a *Admin) setDrain(ctx context.Context, set func(context.Context) error) error {
	queues, err := a.Queues(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := set(ctx); err != nil {
		return fmt.Errorf("queue: drain: %w", err)
	}
	for _, queue := range queues {
		if err := a.announce(ctx, queue); err != nil {
			return err
		}
	}
	return nil
}
