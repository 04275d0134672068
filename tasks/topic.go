package tasks

import "strings"

// Topics of the notifications about a task. Package events writes them to the outbox, and
// internal/notify delivers them.
const (
	TopicFinished     = "task.finished"      // the task is done; once per round
	TopicFirstFailure = "task.first_failure" // the first row is failed or in error; once per round
	TopicExportReady  = "export.ready"       // the file of an export is ready; once per round
	TopicExhausted    = "jobs.exhausted"     // jobs have no retries left; for Go callbacks only
)

// list returns names in the form in which a statement can search for one of them: ",a,,b,".
func list(names []string) string { return "," + strings.Join(names, ",,") + "," }
