package notify

import (
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// payload is the body of a webhook request.
type payload struct {
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Data      payloadData `json:"data"`
}

type payloadData struct {
	Task taskPayload `json:"task"`
}

// taskPayload is the part of a task that webhook requests have, as the API returns it.
type taskPayload struct {
	tasks.Served
	Links map[string]string `json:"links"`
}

// payloadOf returns the body of a request. Its links begin with base.
func payloadOf(n *Notification, base string) payload {
	return payload{Type: n.Topic, Timestamp: *textutil.Instant(n.At), Data: payloadData{Task: taskPayload{
		n.Task.Served(), map[string]string{"self": base + "/api/v1/tasks/" + n.Task.ID},
	}}}
}
