package view

import (
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Reason is one reason for the state of a row, a task or a queue.
type Reason struct {
	Code   string  `json:"code" doc:"Later versions may add codes." schema:"enum=FILE_UNREAD|TASK_HELD|TASK_PAUSED|TASK_CANCELING|TASK_NOT_YET|AFTER_TASKS|AFTER_SUCCESS|QUEUE_AWAY|QUEUE_PAUSED|NO_WORKER|SHARD_UNOWNED|SCRIPT_FAILS|NO_PROGRESS|STRANDED|RUNNING|FETCHED|RUN_LOST|BEHIND_ROW|WAITS_FOR_RETRY|WAITS_FOR_ITS_TIME|LIMIT_AT_ONCE|LIMIT_RATE|DUE|LOST|OUTSIDE_RUN_HOURS|TENANT_PAUSED|TENANTS_PAUSED|TENANT_SLOTS|TENANTS_SLOTS|TENANT_TURN|KEYS_FILL_WINDOW|NOT_PUSHED|BEHIND_TASK|BEHIND_FILE|NOT_FED|FINISHED|SUPERSEDED|CANCELED|DUPLICATE|FAILED|GIVEN_UP|IN_MORGUE|SKIPPED|ACCEPTED"`
	Detail string  `json:"detail" doc:"Reason as a sentence, in the language of the request."`
	Hint   *string `json:"hint" doc:"Next step, in the language of the request."`
	At     *string `json:"at" doc:"Time since which, or until which, the reason applies." schema:"time"`
	Behind *string `json:"behind" doc:"Id of the row of the same key that runs first; for BEHIND_TASK and BEHIND_FILE, id of the task."`
	Place  *int64  `json:"place" doc:"Number of rows that run before this row."`
	Node   *string `json:"node" doc:"Node that runs the row. Only for 'ops:read'."`
}

// Explanation holds the reasons why a row waits, runs or has ended. The most important reason comes first.
type Explanation struct {
	EventID string        `json:"event_id"`
	TaskID  string        `json:"task_id" schema:"format=uuid"`
	Status  events.Status `json:"status"`
	Reasons []Reason      `json:"reasons"`
}

// WithoutNodes removes the names of nodes from reasons.
func WithoutNodes(reasons []Reason) {
	for i := range reasons {
		reasons[i].Node = nil
	}
}

// TaskExplanation holds the reasons for the state of a task. If rows wait or run, the reasons are those
// of the first waiting row or, without one, of the first running row.
type TaskExplanation struct {
	TaskID  string       `json:"task_id" schema:"format=uuid"`
	Status  tasks.Status `json:"status"`
	EventID *string      `json:"event_id" doc:"First waiting row or, without one, first running row; null: no row waits or runs."`
	Reasons []Reason     `json:"reasons"`
	Queued  int64        `json:"queued" doc:"Rows in Redis, waiting or running. Other rows with the status enqueue wait in the database until Redis has room for them."`
}
