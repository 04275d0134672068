package notify

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/turns"
)

// permits is the number of delivery attempts that one process makes at once. Each attempt takes a permit.
// While all permits are taken, a tenant without a permit may get an extra one, until twice as many are
// taken. An endpoint, such as a webhook, has at most endpointPermits permits, so a hanging endpoint does
// not delay others.
const (
	permits         = 32
	endpointPermits = 4
)

// claimSlack is the time by which a claim outlasts the timeout of a delivery attempt. When the claim
// expires, another process repeats the delivery attempt.
const claimSlack = 25 * time.Second

// start starts some of the delivery attempts that are due. It returns how many deliveries it tried to
// claim.
func (d *Deliverer) start(ctx context.Context) (n int, err error) {
	if !d.turns.Free() || ctx.Err() != nil {
		return 0, nil
	}
	due, err := d.store.Due(ctx, d.subs.Kinds, endpointPermits)
	if err != nil {
		return 0, err
	}
	for next := d.next(&due); next != nil; next = d.next(&due) {
		n++
		c, err := d.store.Claim(ctx, *next, d.timeout(next.Channel)+claimSlack)
		if err != nil || c == nil {
			d.leave(next.Tenant, next.Endpoint)
			if err != nil {
				return n, err
			}
			continue
		}
		d.attempts.Go(func() { d.deliverOnce(ctx, c) })
	}
	return n, nil
}

// next takes a permit for the first delivery of the tenant that turns.Turns.Next chooses, and removes the
// delivery from the list. It returns nil if no delivery may be attempted now.
func (d *Deliverer) next(due *[]DueDelivery) *DueDelivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	*due = slices.DeleteFunc(*due, func(w DueDelivery) bool { return d.running[w.Endpoint] >= endpointPermits })
	waiting := make([]turns.Waiting, len(*due))
	for i, delivery := range *due {
		waiting[i] = delivery.Waiting
	}
	i := d.turns.Next(waiting, 1)
	if i < 0 {
		return nil
	}
	chosen := (*due)[i]
	*due = slices.Delete(*due, i, i+1)
	d.running[chosen.Endpoint]++
	return &chosen
}

// leave frees a permit of a tenant and of an endpoint.
func (d *Deliverer) leave(tenant, endpoint string) {
	d.turns.Leave(tenant)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running[endpoint]--; d.running[endpoint] == 0 {
		delete(d.running, endpoint)
	}
}

// timeout returns how long one delivery attempt over a channel may take.
func (d *Deliverer) timeout(channel Channel) time.Duration {
	if channel == ChannelCallback {
		return d.opt.CallbackTimeout
	}
	return d.opt.Client.Timeout
}
