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
	return orNil(out, c.get(ctx, taskPath(id), out))
}

// orNil returns `out`, or nil if there is an error.
func orNil[T any](out *T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Wait waits until a task is done, and returns the task. If the function `each` is not nil, Wait calls
// `each` with every state of the task that Wait reads, including the last. The service sets the pace of
// the polls, so Wait may miss states in between. If the service is down during all tries (Options.Tries)
// of a poll, Wait returns an error. A later call continues to wait.
func (c *Client) Wait(ctx context.Context, id string, each func(*Task)) (*Task, error) {
	if each == nil {
		each = func(*Task) {}
	}
	for tag := ""; ; {
		task, answer, err := c.poll(ctx, id, tag)
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

// pollWait is how long, in seconds, the service may delay the response to a poll while the task is
// unchanged.
const pollWait = 10

// poll reads a task. If `tag` is not empty, the service delays the response until the ETag of the task
// differs from `tag`, for at most pollWait seconds. If the ETag still equals `tag`, poll returns a nil
// task.
func (c *Client) poll(ctx context.Context, id, tag string) (*Task, http.Header, error) {
	r := call{method: http.MethodGet, path: taskPath(id)}
	if tag != "" {
		r.header = map[string]string{"If-None-Match": tag}
		r.path += fmt.Sprintf("?wait=%d", pollWait)
		r.patience = pollWait * time.Second
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
