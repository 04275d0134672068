package web

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/api"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

var update = flag.Bool("update", false, "write the schemas of openapi.yaml anew")

// served lists the types of responses, by the names of their schemas, in their order in
// openapi.yaml.
var served = []servedType{
	{"Problem", "Problem details of RFC 9457.", problem.Problem{}},
	{"Fault", "One place of a problem.", problem.Fault{}},
	{"Task", "", view.Task{}},
	{"Counts", "`total` = `enqueue` + `working` + `finish` + `failed` + `error` + `canceled`, at every instant.", tasks.CountsJSON{}},
	{"Progress", "", view.Progress{}},
	{"TaskProblem", "Why the file of a task could not be read, or why the task does not run.", tasks.Problem{}},
	{"Source", "The file, and how it was read.", view.Source{}},
	{"Column", "", tasks.Column{}},
	{"RowError", "A bad row, in short.", view.RowError{}},
	{"Group", "A cause of bad rows.", view.Group{}},
	{"Event", "One row.", view.Event{}},
	{"FieldFault", "", view.FieldFault{}},
	{"Message", "", view.Message{}},
	{"Attempt", "One attempt on a row.", view.Attempt{}},
	{"Resolution", "What a user has decided about the row.", view.Resolution{}},
	{"AuditEntry", "", view.AuditEntry{}},
	{"JobsAnswer", "", view.Jobs{}},
	{"Preview", "", view.Preview{}},
	{"FileProblem", "", tabular.Problem{}},
	{"ResumeDryRun", "", view.ResumeDryRun{}},
	{"PressAnswer", "", view.BulkResult{}},
	{"PressTotal", "One step of an act on the rows of all tasks.", view.BulkTotal{}},
	{"CancelAnswer", "", view.CancelResult{}},
	{"CancelTotal", "One step of a cancel of the rows of all tasks.", view.CancelTotal{}},
	{"CorrectionsAnswer", "`matched` = `resubmitted` + `still_invalid` + `refused` + `conflicts` + `unchanged`.", view.Corrections{}},
	{"Upload", "A file that arrives in parts and has no task yet.", view.Upload{}},
	{"Mapping", "The columns to which the headings of a file were matched.", view.Mapping{}},
	{"Kind", "", view.Kind{}},
	{"KindExport", "Parameters, columns and formats of exports of the kind.", view.KindExport{}},
	{"KindColumn", "A column of the rows of a kind, or a parameter of its exports.", view.Column{}},
	{"Schedule", "", view.Schedule{}},
	{"RunProblem", "", view.RunProblem{}},
	{"Webhook", "", view.Webhook{}},
	{"Secret", "", view.Secret{}},
	{"Delivery", "", view.Delivery{}},
	{"Key", "", view.Key{}},
	{"LimitNumbers", "0: the tenant has no limit of its own.", view.Limits{}},
	{"Limits", "0: the tenant has no limit of its own.", view.TenantLimits{}},
	{"Tenant", "A tenant with its limits and usage.", view.TenantUsage{}},
	{"TenantUse", "", view.Usage{}},
	{"Removed", "", view.Removed{}},
	{"Stats", "", view.Stats{}},
	{"QueueStats", "", view.QueueStats{}},
	{"Queue", "Tenants share a queue. Counts that only `service:read` gets are of keys, each of which has one or more jobs.", view.Queue{}},
	{"Shard", "", view.Shard{}},
	{"QueueKey", "", view.QueueKey{}},
	{"Payload", "", view.Payload{}},
	{"BusyKey", "", view.BusyKey{}},
	{"HotKey", "", view.HotKey{}},
	{"Node", "", view.Node{}},
	{"Explanation", "", view.Explanation{}},
	{"TaskTree", "", view.TaskTree{}},
	{"TreeTask", "", view.TreeTask{}},
	{"TaskExplanation", "", view.TaskExplanation{}},
	{"Reason", "", view.Reason{}},
	{"Touched", "", view.Touched{}},
	{"KeysAnswer", "", view.KeysResult{}},
	{"Ended", "", view.Ended{}},
	{"RequeueAnswer", "", view.RequeueResult{}},
	{"Health", "", view.Health{}},
	{"Readiness", "", view.Readiness{}},
	{"TaskList", "", view.Page[view.Task]{}},
	{"EventList", "", api.EventsPage{}},
	{"ErrorList", "", view.Page[view.RowError]{}},
	{"GroupList", "", view.Page[view.Group]{}},
	{"AuditList", "", view.Page[view.AuditEntry]{}},
	{"KindList", "", view.Page[view.Kind]{}},
	{"MappingList", "", view.Page[view.Mapping]{}},
	{"ScheduleList", "", view.Page[view.Schedule]{}},
	{"WebhookList", "", view.Page[view.Webhook]{}},
	{"DeliveryList", "", view.Page[view.Delivery]{}},
	{"KeyList", "", view.Page[view.Key]{}},
	{"TenantList", "", view.Page[view.TenantUsage]{}},
	{"QueueList", "", view.Page[view.Queue]{}},
	{"ShardList", "", view.Page[view.Shard]{}},
	{"QueueKeyList", "", view.Page[view.QueueKey]{}},
	{"BusyKeyList", "", view.Page[view.BusyKey]{}},
	{"HotKeyList", "", view.Page[view.HotKey]{}},
	{"NodeList", "", view.Page[view.Node]{}},
}

// examples holds lines of YAML with which a schema ends.
var examples = map[string]string{"Problem": `      examples:
        - {type: /problems/missing-column, title: Unprocessable Entity, status: 422, detail: 'The file has no column "Name".',
           instance: /api/v1/tasks, code: MISSING_COLUMN, request_id: 0c0b2f0e-51a2-4bb4-a0ee-3c1fd1a7f5a3,
           errors: [{column: Name, code: MISSING_COLUMN, detail: 'The file has no column "Name". Did you mean "Nmae"?'}]}
`}

// alike lists types whose values have the schema of another type.
var alike = []servedType{
	{"TaskStatus", "", tasks.Status("")},
	{"EventStatus", "", events.Status("")},
	{"ResolutionState", "", events.Resolution("")},
	{"FieldFault", "", events.Field{}},
}

// generated is the line at which the generated part of openapi.yaml begins.
const generated = "\n    # Generated from the types that are served: go generate ./web\n"

// TestSchemas_OfAnswers_AreThoseOfTheTypes checks that openapi.yaml matches the types.
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

// TestViews_Links_HaveTheirType: view.Rebase finds links by their type, and puts the base in front
// of them.
func TestViews_Links_HaveTheirType(t *testing.T) {
	t.Parallel()
	found := 0
	for _, one := range served {
		of := reflect.TypeOf(one.value)
		if of.Kind() != reflect.Struct {
			continue
		}
		for i := range of.NumField() {
			f := of.Field(i)
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "links" {
				continue
			}
			if found++; f.Type != reflect.TypeFor[view.Links]() {
				t.Errorf("%s has links of the type %v, want view.Links", one.name, f.Type)
			}
		}
	}
	if found < 5 {
		t.Errorf("%d views with links were found", found)
	}
}
