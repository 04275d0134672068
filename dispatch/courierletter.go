package dispatch

import (
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
)

// letter is the body of a webhook.
type letter struct {
	Type      string     `json:"type"`
	Timestamp string     `json:"timestamp"`
	Data      letterData `json:"data"`
}

type letterData struct {
	Task taskLetter `json:"task"`
}

// taskLetter is the part of a task that webhooks carry, in the form of the API.
type taskLetter struct {
	tasks.Served
	Links map[string]string `json:"links"`
}

func letterOf(n *tasks.Notice) letter {
	return letter{Type: n.Topic, Timestamp: *textutil.Instant(n.At), Data: letterData{Task: taskLetter{
		n.Task.Served(), map[string]string{"self": "/api/v1/tasks/" + n.Task.ID},
	}}}
}
