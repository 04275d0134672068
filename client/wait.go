package client

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Task returns the current state of a task.
func (c *Client) Task(ctx context.Context, id string) (*Task, error) {
	out := &Task{}
	return out, c.get(ctx, taskPath(id), out)
}

// Wait waits until a task is done and returns it. It calls each, unless nil, with every version
// that it reads, the last one too. The service sets the pace, so several versions may pass between
// two calls. If the service is down for all Options.Tries, Wait returns an error; it may be called
// again.
func (c *Client) Wait(ctx context.Context, id string, each func(*Task)) (*Task, error) {
	if each == nil {
		each = func(*Task) {}
	}
	for tag := ""; ; {
		task, answer, err := c.look(ctx, id, tag)
		if err != nil {
			return nil, err
		}
		if task != nil {
			each(task)
			if task.Done {
				return task, nil
			}
			tag = answer.Get("ETag")
		}
		if err := sleep(ctx, cmp.Or(retryAfter(answer), time.Second)); err != nil {
			return nil, err
		}
	}
}

// hang is the longest time that the service may hold a poll until the task changes, in seconds.
const hang = 10

// look polls a task. It returns nil if the task has not changed since the tag.
func (c *Client) look(ctx context.Context, id, tag string) (*Task, http.Header, error) {
	r := call{method: http.MethodGet, path: taskPath(id)}
	if tag != "" {
		r.header = map[string]string{"If-None-Match": tag}
		r.path += fmt.Sprintf("?wait=%d", hang)
		r.patience = hang * time.Second
	}
	res, err := c.do(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotModified {
		return nil, res.Header, nil
	}
	out := &Task{}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return nil, nil, fmt.Errorf("client: answer of %s: %w", r.path, err)
	}
	return out, res.Header, nil
}
