package client

import "context"

// StartResubmitAll starts the action of ResubmitAll as a task, and returns this task at once. Call Wait to
// wait for its end. It has one row for each task with matching rows. p.DryRun must be false.
func (c *Client) StartResubmitAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "resubmit", in, err)
}

// StartSkipAll starts the action of SkipAll as a task, and returns this task at once. Call Wait to wait for
// its end. p.DryRun must be false.
func (c *Client) StartSkipAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "skip", in, err)
}

// StartCancelAllRows starts the action of CancelAllRows as a task, and returns this task at once. Call Wait
// to wait for its end. r.DryRun must be false.
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
