package tasks

import "strings"

// These are the topics of the notifications about a task. Package events stores each change as a notice
// in the outbox, and internal/notify delivers it as a notification.
const (
	TopicFinished     = "task.finished"      // the task is done; once per round
	TopicFirstFailure = "task.first_failure" // the first row is failed or in error; once per round
	TopicProgress     = "task.progress"      // another tenth of the rows is processed; for webhooks that name it
	TopicExportReady  = "export.ready"       // the file of an export is ready; once per round
	TopicExhausted    = "jobs.exhausted"     // jobs have no retries left; for Go callbacks only
)

// list joins names in the form ",a,,b,". A statement searches this text for ",a,".
func list(names []string) string { return "," + strings.Join(names, ",,") + "," }
