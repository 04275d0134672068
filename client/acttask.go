package client

import "context"

// StartResubmitAll is like ResubmitAll, but the service runs the action as a task.
// StartResubmitAll returns this task at once; Wait waits for its end. The task has one row for each
// task that the action concerns. The action must not be a dry run.
func (c *Client) StartResubmitAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "resubmit", in, err)
}

// StartSkipAll is like SkipAll, as a task: see StartResubmitAll.
func (c *Client) StartSkipAll(ctx context.Context, kind string, p BulkAction) (*Task, error) {
	in, err := p.bodyOfAll(kind)
	return c.startAct(ctx, "skip", in, err)
}

// StartCancelAllRows is like CancelAllRows, as a task: see StartResubmitAll.
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
