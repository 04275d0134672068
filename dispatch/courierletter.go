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

// taskLetter is the part of a task that receivers are told, in the words of
// the API.
type taskLetter struct {
	ID         string            `json:"id"`
	Kind       string            `json:"kind"`
	Type       string            `json:"type"`
	Name       string            `json:"name"`
	Status     tasks.Status      `json:"status"`
	Done       bool              `json:"done"`
	Outcome    *string           `json:"outcome"`
	Tenant     string            `json:"tenant"`
	Labels     map[string]string `json:"labels"`
	Round      int               `json:"round"`
	Counts     tasks.Counts      `json:"counts"`
	CreatedAt  *string           `json:"created_at"`
	StartedAt  *string           `json:"started_at"`
	FinishedAt *string           `json:"finished_at"`
	Links      map[string]string `json:"links"`
}

func letterOf(n *tasks.Notice) letter {
	t := &n.Task
	v := taskLetter{
		ID: t.ID, Kind: t.Kind, Type: t.Type, Name: t.Name, Status: t.Status, Done: t.Status.Done(),
		Tenant: t.Tenant, Labels: t.Labels, Round: t.Round,
		Counts:    t.Counts,
		CreatedAt: textutil.Instant(t.CreatedAt), StartedAt: textutil.Instant(t.StartedAt), FinishedAt: textutil.Instant(t.FinishedAt),
		Links: map[string]string{"self": "/api/v1/tasks/" + t.ID},
	}
	if t.Outcome != "" {
		v.Outcome = &t.Outcome
	}
	return letter{Type: n.Topic, Timestamp: *textutil.Instant(n.At), Data: letterData{Task: v}}
}
