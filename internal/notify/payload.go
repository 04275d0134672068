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
	Task     taskPayload      `json:"task"`
	Progress *progressPayload `json:"progress,omitempty"` // of tasks.TopicProgress
}

// progressPayload is the progress of the task at the time of the notification.
type progressPayload struct {
	Processed int64 `json:"processed"` // rows at rest
	Percent   int64 `json:"percent"`   // floored
}

// taskPayload is the task in a webhook request, in the form in which the API returns it.
type taskPayload struct {
	tasks.TaskJSON
	Links map[string]string `json:"links"`
}

// payloadOf returns the body of a request. Its links begin with `base`.
func payloadOf(n *Notification, base string) payload {
	p := payload{Type: n.Topic, Timestamp: *textutil.Instant(n.At), Data: payloadData{Task: taskPayload{
		n.Task.JSON(), map[string]string{"self": base + "/api/v1/tasks/" + n.Task.ID},
	}}}
	if n.Topic == tasks.TopicProgress {
		p.Data.Progress = &progressPayload{n.Task.Processed(), n.percent()}
	}
	return p
}
