package tasks

import (
	"fmt"
	"strings"
)

// What can be told of a task.
const (
	TopicFinished     = "task.finished"      // nothing will change without a person; once per round
	TopicFirstFailure = "task.first_failure" // the first row failed or is in error; once per round
	TopicExportReady  = "export.ready"       // the file of an export is there; once per round
	TopicExhausted    = "jobs.exhausted"     // jobs will not be retried any more; to Go callbacks only
)

// WebhookTopics are what a webhook can be told.
func WebhookTopics() []string { return []string{TopicFinished, TopicFirstFailure, TopicExportReady} }

// Lane is the way in which something is told.
type Lane string

// The lanes.
const (
	LaneWebhook  Lane = "webhook"      // HTTP, to a tenant's webhook
	LaneURL      Lane = "callback_url" // HTTP, to the address that came with the task
	LaneCallback Lane = "callback"     // a Go function of the task's kind
)

// Notice is something to be told of a task, as it stood when that became true.
type Notice struct {
	Num   int64   // number inside the ledger
	Topic string  //
	At    int64   // unix ms
	Seqs  []int64 // of TopicExhausted: the jobs; at most 100
	Task  Task    // without its file, options and split
}

// ID names the notice: the same at every try and for every listener, so that
// they can tell a repeat. It has no full stop, which signatures use.
func (n *Notice) ID() string {
	id := fmt.Sprintf("msg_%s_%s_%d", n.Task.ID, strings.ReplaceAll(n.Topic, ".", "_"), n.Task.Round)
	if n.Topic == TopicExhausted {
		id += fmt.Sprintf("_%d", n.Num)
	}
	return id
}

// Attempt is one try to tell a notice to a listener.
type Attempt struct {
	At       int64  `json:"at"`                 // unix ms
	Status   int    `json:"status,omitempty"`   // of the HTTP answer; 0 without one
	Error    string `json:"error,omitempty"`    // why it counts as failed, in words; empty if it does not
	Duration int64  `json:"duration_ms"`        //
	Response string `json:"response,omitempty"` // the first 1 kB of the answer
}
