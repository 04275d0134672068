package web

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// why is a reason in words, and what to do about it.
type why struct{ detail, hint string }

// reasons are all reasons that a row is explained by.
var reasons = map[string]why{
	"TASK_HELD": {
		"No row of the task runs before its file is read to the end and found to be in order.",
		"Wait; if rows are invalid, repair them, or resume the task.",
	},
	"TASK_PAUSED":    {"The task is paused.", "Resume it."},
	"TASK_CANCELING": {"The task is being canceled: the row will not run.", ""},
	"TASK_NOT_YET":   {"The task begins at a later time.", ""},
	"QUEUE_AWAY": {
		"Redis, which holds the queues, does not answer. Nothing is lost; nothing new begins.",
		"Look after Redis; the rows go on by themselves.",
	},
	"QUEUE_PAUSED": {"The queue is paused: nothing more of it is started.", "Resume the queue."},
	"NO_WORKER": {
		"No process works the queue {kind}.",
		"Start a worker that knows the kind, or end the drain of one.",
	},
	"RUNNING": {"The row runs.", ""},
	"FETCHED": {"A process has fetched the row and begins with it.", ""},
	"RUN_LOST": {
		"The row was running, and no process has it any more: the one that did has died.",
		"It runs again within minutes by itself.",
	},
	"BEHIND_ROW": {
		"{n} rows of its key {key} come first: rows of one key run one after another.",
		"See why the row before it waits.",
	},
	"WAITS_FOR_RETRY": {
		"Attempt {attempt} ended with a fault on our side. {why}",
		"It is tried again at that time; perform-all-now has it tried at once.",
	},
	"WAITS_FOR_ITS_TIME": {"The row runs at a later time.", ""},
	"DUE":                {"The row runs as soon as a worker is free.", "If it lasts, add workers."},
	"LOST": {
		"The row was handed to Redis, which does not have it any more.",
		"It is handed over again within minutes by itself.",
	},
	"TENANT_PAUSED": {"The tenant is paused: nothing more of it is started.", "Resume it on the page of its limits."},
	"TENANT_SLOTS": {
		"All {n} slots of the tenant are taken.",
		"Wait until rows end, or raise the slots in the limits of the tenant.",
	},
	"NOT_FED": {
		"{n} rows of the tenant and kind are handed to Redis before it; only so many are at a time.", "",
	},
	"FINISHED":   {"The row is done.", ""},
	"SUPERSEDED": {"Another row of its key was done in its place; its result names it.", ""},
	"CANCELED":   {"The row was canceled, and will not run.", "Its history tells by whom."},
	"DUPLICATE": {
		"Another row of the file has the key {key}.", "Change the key, or skip the row.",
	},
	"FAILED":    {"The row is wrong, or not allowed: {code}. {why}", "Repair it and run it again."},
	"GIVEN_UP":  {"After {n} attempts the row was given up: {code}. {why}", "Mend the cause, then resubmit the row."},
	"IN_MORGUE": {"Its job lies in the morgue of the queue.", "Resubmit the row, or requeue its key."},
	"SKIPPED":   {"A person has decided to leave it as it is.", ""},
}

// fill puts values into the places of a text: pairs of a name and a value.
func fill(text string, pairs []string) string {
	for i := 0; i+1 < len(pairs); i += 2 {
		text = strings.ReplaceAll(text, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.TrimSpace(text)
}

// payloadHead is how the payloads of a row begin.
func payloadHead(id events.ID) string { return fmt.Sprintf("%016x", int64(id)) }
