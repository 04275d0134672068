package view

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Reason is one reason why a row is in its state.
type Reason struct {
	Code   string  `json:"code" doc:"More may come." schema:"enum=FILE_UNREAD|TASK_HELD|TASK_PAUSED|TASK_CANCELING|TASK_NOT_YET|AFTER_TASKS|AFTER_SUCCESS|QUEUE_AWAY|QUEUE_PAUSED|NO_WORKER|SHARD_UNOWNED|SCRIPT_FAILS|NO_PROGRESS|STRANDED|RUNNING|FETCHED|RUN_LOST|BEHIND_ROW|WAITS_FOR_RETRY|WAITS_FOR_ITS_TIME|DUE|LOST|TENANT_PAUSED|TENANTS_PAUSED|TENANT_SLOTS|TENANTS_SLOTS|TENANT_TURN|KEYS_FILL_WINDOW|NOT_PUSHED|BEHIND_TASK|BEHIND_FILE|NOT_FED|FINISHED|SUPERSEDED|CANCELED|DUPLICATE|FAILED|GIVEN_UP|IN_MORGUE|SKIPPED"`
	Detail string  `json:"detail" doc:"In English words."`
	Hint   *string `json:"hint" doc:"What to do."`
	At     *string `json:"at" doc:"Since when or until when." schema:"time"`
	Behind *string `json:"behind" doc:"The row of its key that comes first; of BEHIND_TASK and BEHIND_FILE, the task."`
	Place  *int64  `json:"place" doc:"How many rows come before it."`
	Node   *string `json:"node" doc:"That runs it, for 'ops:read'."`
}

// Explanation holds the reasons why a row waits, runs or has ended. The reason to fix first comes
// first.
type Explanation struct {
	EventID string        `json:"event_id"`
	TaskID  string        `json:"task_id" schema:"format=uuid"`
	Status  events.Status `json:"status"`
	Reasons []Reason      `json:"reasons"`
}

// WithoutNodes removes the nodes from reasons.
func WithoutNodes(reasons []Reason) {
	for i := range reasons {
		reasons[i].Node = nil
	}
}

// TaskExplanation holds the reasons why a task does not progress, according to its first unfinished
// row.
type TaskExplanation struct {
	TaskID  string       `json:"task_id" schema:"format=uuid"`
	Status  tasks.Status `json:"status"`
	EventID *string      `json:"event_id" doc:"The first row that waits or, if none does, that runs; null: there is no such row."`
	Reasons []Reason     `json:"reasons"`
	Queued  int64        `json:"queued" doc:"Rows that Redis holds or workers run. The other rows of enqueue wait in the database, until Redis has room for them."`
}
