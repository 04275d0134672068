package client

import "context"

// StartResubmitAll starts a task that does the work of ResubmitAll, and returns that task without
// waiting for its end. Client.Wait waits for it. The task has one row for each task that may have
// matching rows. p.DryRun must be false.
func (c *Client) StartResubmitAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "resubmit", in, err)
}

// StartSkipAll starts a task that does the work of SkipAll, and returns that task without waiting for
// its end. Client.Wait waits for it. p.DryRun must be false.
func (c *Client) StartSkipAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "skip", in, err)
}

// StartCancelAllRows starts a task that does the work of CancelAllRows, and returns that task without
// waiting for its end. Client.Wait waits for it. r.DryRun must be false.
func (c *Client) StartCancelAllRows(ctx context.Context, r RowCancel) (*Task, error) {
	in, err := r.bodyOfAll()
	return c.startAct(ctx, "cancel", in, err)
}

func (c *Client) startAct(ctx context.Context, act string, in map[string]any, err error) (*Task, error) {
	if err != nil {
		return nil, err
	}
	in["as_task"] = true
	t := &Task{}
	return orNil(t, c.post(ctx, "/rows/"+act, "", in, t))
}
