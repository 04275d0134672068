package tasks

import "github.com/rollcall-dev/rollcall/internal/textutil"

// TaskJSON holds the fields of a task that the API and webhooks share.
type TaskJSON struct {
	ID         string            `json:"id" schema:"format=uuid"`
	Kind       string            `json:"kind"`
	Type       string            `json:"type" schema:"enum=import|export|batch"`
	Name       string            `json:"name"`
	Status     Status            `json:"status"`
	Done       bool              `json:"done" doc:"The task has ended. It changes again only on request."`
	Outcome    *string           `json:"outcome" schema:"enum=success|partial|failure|canceled|null"`
	Tenant     string            `json:"tenant"`
	Labels     map[string]string `json:"labels" schema:"ref=Texts;null"`
	Round      int               `json:"round" doc:"Grows with each resubmission, also while the task runs. Within a round, rows that are at rest stay so."`
	Counts     CountsJSON        `json:"counts"`
	CreatedAt  *string           `json:"created_at" schema:"time"`
	StartedAt  *string           `json:"started_at" schema:"time"`
	FinishedAt *string           `json:"finished_at" schema:"time"`
}

// CountsJSON holds the number of rows of a task by status.
type CountsJSON struct {
	Counts
	TotalIsFinal bool `json:"total_is_final" doc:"No rows are being added any more."`
}

// Add adds the counts of another task to c.
func (c *CountsJSON) Add(o CountsJSON) {
	c.Total, c.Enqueue, c.Working, c.Finish = c.Total+o.Total, c.Enqueue+o.Enqueue, c.Working+o.Working, c.Finish+o.Finish
	c.Failed, c.Error, c.Canceled = c.Failed+o.Failed, c.Error+o.Error, c.Canceled+o.Canceled
	c.Retrying, c.Skipped, c.Superseded = c.Retrying+o.Retrying, c.Skipped+o.Skipped, c.Superseded+o.Superseded
	c.TotalIsFinal = c.TotalIsFinal && o.TotalIsFinal
}

// ToCorrect returns the number of failed rows that are not superseded. It includes rows that a user has
// skipped, accepted or corrected.
func (c CountsJSON) ToCorrect() int64 { return c.Failed - c.Superseded }

// JSON returns the fields of a task for the API and webhooks.
func (t *Task) JSON() TaskJSON {
	return TaskJSON{
		ID: t.ID, Kind: t.Kind, Type: t.Type, Name: t.Name, Status: t.Status, Done: t.Status.Done(),
		Outcome: textutil.Optional(t.Outcome),
		Tenant:  t.Tenant, Labels: t.Labels, Round: t.Round,
		Counts:    CountsJSON{t.Counts, t.TotalIsFinal},
		CreatedAt: textutil.Instant(t.CreatedAt), StartedAt: textutil.Instant(t.StartedAt), FinishedAt: textutil.Instant(t.FinishedAt),
	}
}
