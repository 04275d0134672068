package web

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var update = flag.Bool("update", false, "write the schemas of openapi.yaml anew")

// served are the types of answers, by the names of their schemas, in their order in
// openapi.yaml.
var served = []servedType{
	{"Problem", "What is wrong, as RFC 9457 tells it.", problem.Problem{}},
	{"Fault", "One place of a problem.", problem.Fault{}},
	{"Task", "", taskView{}},
	{"Counts", "`total` = `enqueue` + `working` + `finish` + `failed` + `error` + `canceled`, at every instant.", tasks.ServedCounts{}},
	{"Progress", "", progressView{}},
	{"TaskProblem", "Why its file could not be read, or does not run.", tasks.Problem{}},
	{"Source", "The file, and how it was read.", sourceView{}},
	{"Column", "", tasks.Column{}},
	{"RowError", "A bad row, in short.", errorView{}},
	{"Group", "A cause of bad rows.", groupView{}},
	{"Event", "One row.", eventView{}},
	{"FieldFault", "", fieldView{}},
	{"Message", "", messageView{}},
	{"Attempt", "One attempt on a row.", rowAttemptView{}},
	{"Resolution", "What a person has made of it.", resolutionView{}},
	{"AuditEntry", "", entryView{}},
	{"JobsAnswer", "", jobsView{}},
	{"Preview", "", previewView{}},
	{"FileProblem", "", importers.Problem{}},
	{"ResumeDryRun", "", resumeDryRun{}},
	{"PressAnswer", "", outcomeView{}},
	{"CorrectionsAnswer", "`matched` = `resubmitted` + `still_invalid` + `refused` + `conflicts` + `unchanged`.", correctionsView{}},
	{"Kind", "", kindView{}},
	{"KindExport", "What the files of the kind can be asked for.", exportKindView{}},
	{"KindColumn", "What an editor of a row needs to know.", columnView{}},
	{"Schedule", "", scheduleView{}},
	{"RunProblem", "", runProblem{}},
	{"Webhook", "", webhookView{}},
	{"Secret", "", secretView{}},
	{"Delivery", "", deliveryView{}},
	{"Key", "", keyView{}},
	{"LimitNumbers", "0 is no limit.", limitsView{}},
	{"Limits", "0 is no limit of its own.", tenantView{}},
	{"Tenant", "A tenant with its limits and what it uses.", tenantUseView{}},
	{"TenantUse", "", useView{}},
	{"Removed", "", removedView{}},
	{"Stats", "", statsView{}},
	{"QueueStats", "", queueStatsView{}},
	{"Queue", "Tenants share a queue. Counts that only `service:read` gets are of keys, each of which has one or more jobs.", queueView{}},
	{"Shard", "", shardView{}},
	{"QueueKey", "", keyOfQueue{}},
	{"Payload", "", payloadView{}},
	{"BusyKey", "", busyView{}},
	{"HotKey", "", hotView{}},
	{"Node", "", nodeView{}},
	{"Explanation", "", explainView{}},
	{"TaskExplanation", "", taskExplainView{}},
	{"Reason", "", reasonView{}},
	{"Touched", "", touchedView{}},
	{"KeysAnswer", "", keysView{}},
	{"Ended", "", endedView{}},
	{"RequeueAnswer", "", requeueView{}},
	{"Health", "", healthView{}},
	{"Readiness", "", readyView{}},
	{"TaskList", "", pageView[taskView]{}},
	{"EventList", "", eventsPage{}},
	{"ErrorList", "", pageView[errorView]{}},
	{"GroupList", "", pageView[groupView]{}},
	{"AuditList", "", pageView[entryView]{}},
	{"KindList", "", pageView[kindView]{}},
	{"ScheduleList", "", pageView[scheduleView]{}},
	{"WebhookList", "", pageView[webhookView]{}},
	{"DeliveryList", "", pageView[deliveryView]{}},
	{"KeyList", "", pageView[keyView]{}},
	{"TenantList", "", pageView[tenantUseView]{}},
	{"QueueList", "", pageView[queueView]{}},
	{"ShardList", "", pageView[shardView]{}},
	{"QueueKeyList", "", pageView[keyOfQueue]{}},
	{"BusyKeyList", "", pageView[busyView]{}},
	{"HotKeyList", "", pageView[hotView]{}},
	{"NodeList", "", pageView[nodeView]{}},
}

// examples are lines of YAML that a schema ends with.
var examples = map[string]string{"Problem": `      examples:
        - {type: /problems/missing-column, title: Unprocessable Entity, status: 422, detail: 'The file has no column "Name".',
           instance: /api/v1/tasks, code: MISSING_COLUMN, request_id: 0c0b2f0e-51a2-4bb4-a0ee-3c1fd1a7f5a3,
           errors: [{column: Name, code: MISSING_COLUMN, detail: 'The file has no column "Name". Did you mean "Nmae"?'}]}
`}

// alike are types whose values have the schema of another type.
var alike = []servedType{
	{"TaskStatus", "", tasks.Status("")},
	{"EventStatus", "", events.Status("")},
	{"ResolutionState", "", events.Resolution("")},
	{"FieldFault", "", events.Field{}},
}

// generated begins the part of openapi.yaml that the types make.
const generated = "\n    # Generated from the types that are served: go generate ./web\n"

// TestSchemas_OfAnswers_AreThoseOfTheTypes finds a type that was changed and
// openapi.yaml was not.
func TestSchemas_OfAnswers_AreThoseOfTheTypes(t *testing.T) {
	t.Parallel()
	byHand, got, found := strings.Cut(string(contractText), generated)
	want := newSchemas(served, alike).text()
	if *update {
		if err := os.WriteFile("openapi.yaml", []byte(byHand+generated+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !found || got != want {
		t.Error("openapi.yaml has other schemas than the types that are served: run go generate ./web")
	}
}
