package api

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// rowNames are the parameters that the lists of rows share.
var (
	rowNames = input.Names{
		"status", "code", "column", "key", "row_gte", "q", "resolution", "superseded", "fingerprint", "build", "finished_gte",
		"finished_lt", "sort", "fields", "limit", "cursor",
	}
)

func (s *Handlers) taskRoutes() []route.Route {
	const (
		tasks = "/api/v1/tasks"
		task  = "/api/v1/tasks/:id"
	)
	filters := input.Names{"status", "kind", "label", "created_by", "created_after", "created_before", "q", "sort", "fields", "limit", "cursor"}
	source := intake.ImportForm.Or(intake.TaskBody).Or(input.Lines("kind", "name", "parent_id", "options"))
	return []route.Route{
		route.New(route.Get, tasks, "listTasks", access.TasksRead, route.ReadTimeout, filters, input.NoBody, s.listTasks),
		route.New(route.Post, tasks, "createTask", access.TasksWrite, route.Unbounded, input.NoQuery, source, s.createTask),
		route.New(route.Post, "/api/v1/imports/preview", "previewImport", access.TasksWrite, route.Unbounded, input.NoQuery, source, s.previewImport),
		route.New(route.Get, task, "getTask", access.TasksRead, route.Unbounded, input.Names{"wait", "fields"}, input.NoBody, s.getTask),
		route.New(route.Delete, task, "deleteTask", access.OpsWrite, route.Unbounded, input.NoQuery, input.NoBody, s.eraseTask),
		route.New(http.MethodGet, task+"/stream", "streamTask", access.TasksRead, route.Unbounded, input.NoQuery, input.NoBody, s.streamTask),
		route.New(route.Post, task+"/jobs", "addJobs", access.TasksWrite, route.Unbounded, input.NoQuery, input.JSONStream("rows"), s.addJobs),
		route.New(route.Post, task+"/close", "closeTask", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForTask(s.closeTask)),
		route.New(route.Post, task+"/pause", "pauseTask", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.control("pause")),
		route.New(route.Post, task+"/resume", "resumeTask", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.JSON[resumeRequest]().OrNone(), s.resumeTask),
		route.New(route.Post, task+"/cancel", "cancelTask", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.control("cancel")),
		route.New(route.Get, task+"/tree", "getTaskTree", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForTask(s.getTaskTree)),
		route.New(route.Get, task+"/explain", "explainTask", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForTask(s.getTaskExplain)),
		route.New(route.Get, task+"/audit", "listTaskAudit", access.TasksRead, route.ReadTimeout, route.PageNames, input.NoBody, s.Find.ForTask(s.listTaskAudit)),
		route.New(route.Get, task+"/result", "getResult", access.FilesRead, route.Unbounded, input.Names{"format", "only", "partial", "raw"}, input.NoBody, s.getResult),
	}
}

func (s *Handlers) rowRoutes() []route.Route {
	const (
		task  = "/api/v1/tasks/:id"
		event = "/api/v1/events/:id"
	)
	edit, skip := input.JSONStream("params", "resolution", "note"), input.JSON[rows.BulkRequest]().Without("patch", "superseded", "kind", "as_task")
	repair, resubmit := input.JSON[rows.BulkRequest]().Without("state", "superseded", "kind", "as_task"), input.JSON[rows.BulkRequest]().Without("state", "kind", "as_task")
	allSkip, allResubmit := input.JSON[rows.BulkRequest]().Without("patch", "superseded", "ids"), input.JSON[rows.BulkRequest]().Without("state", "ids")
	cancel, allCancel := input.JSON[rows.CancelRequest]().Without("kind", "created_after", "created_before", "as_task"), input.JSON[rows.CancelRequest]().Without("ids")
	return []route.Route{
		route.New(route.Get, task+"/events", "listEvents", access.TasksRead, route.ReadTimeout, append(input.Names{"since"}, rowNames...), input.NoBody, s.listEvents),
		route.New(route.Get, task+"/errors", "listErrors", access.TasksRead, route.ReadTimeout, rowNames, input.NoBody, s.listErrors),
		route.New(route.Get, task+"/error-groups", "listErrorGroups", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.Find.ForTask(s.listGroups)),
		route.New(route.Get, event, "getEvent", access.TasksRead, route.ReadTimeout, input.Names{"fields"}, input.NoBody, s.getEvent),
		route.New(route.Get, event+"/explain", "explainEvent", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, s.getExplain),
		route.New(route.Delete, event, "deleteEvent", access.OpsWrite, route.ReadTimeout, input.NoQuery, input.NoBody, s.eraseRow),
		route.New(route.Patch, event, "patchEvent", access.RowsReview, route.ReadTimeout, input.NoQuery, edit, s.patchEvent),
		route.New(route.Post, task+"/repair", "repairRows", access.RowsReview, route.BulkTimeout, input.NoQuery, repair, s.bulkAct(review.Repair)),
		route.New(route.Post, task+"/skip", "skipRows", access.RowsReview, route.BulkTimeout, input.NoQuery, skip, s.bulkAct(review.Skip)),
		route.New(route.Post, task+"/resubmit", "resubmitRows", access.RowsReview, route.BulkTimeout, input.NoQuery, resubmit, s.bulkAct(review.Resubmit)),
		route.New(route.Post, "/api/v1/rows/skip", "skipAllRows", access.RowsReview, route.BulkTimeout, input.Names{"cursor"}, allSkip, s.bulkActAll(review.Skip)),
		route.New(route.Post, "/api/v1/rows/resubmit", "resubmitAllRows", access.RowsReview, route.BulkTimeout, input.Names{"cursor"}, allResubmit, s.bulkActAll(review.Resubmit)),
		route.New(route.Post, task+"/rows/cancel", "cancelRows", access.TasksWrite, route.BulkTimeout, input.NoQuery, cancel, s.Find.ForTask(s.cancelRows)),
		route.New(route.Post, "/api/v1/rows/cancel", "cancelAllRows", access.TasksWrite, route.BulkTimeout, input.Names{"cursor"}, allCancel, s.cancelAllRows),
		route.New(route.Post, task+"/undo", "undoRows", access.RowsReview, route.BulkTimeout, input.NoQuery, input.JSON[rows.UndoRequest](), s.Find.ForTask(s.undo)),
		route.New(route.Post, task+"/corrections", "correctRows", access.RowsReview, route.Unbounded, input.Names{"dry_run"}, intake.CorrectionsForm, s.Find.ForTask(s.correct)),
	}
}
