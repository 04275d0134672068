package web

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/web/input"
)

// The methods of routes that change something.
const (
	post  = http.MethodPost
	put   = http.MethodPut
	patch = http.MethodPatch
	del   = http.MethodDelete
)

// Names of parameters that several lists share.
var (
	pageNames = input.Names{"limit", "cursor"}
	rowNames  = input.Names{
		"status", "code", "column", "key", "row_gte", "q", "resolution", "superseded", "fingerprint", "build", "finished_gte",
		"finished_lt", "limit", "cursor",
	}
)

// taskRoutes are the routes of tasks.
func (s *Server) taskRoutes() []route {
	const (
		tasks = "/api/v1/tasks"
		task  = "/api/v1/tasks/:id"
	)
	filters := input.Names{"status", "kind", "label", "created_by", "created_after", "created_before", "q", "limit", "cursor"}
	source := importForm.Or(taskBody).Or(input.Lines("kind", "name", "parent_id", "options"))
	return []route{
		{get, tasks, "listTasks", access.TasksRead, readTimeout, filters, input.NoBody, s.listTasks},
		{post, tasks, "createTask", access.TasksWrite, unbounded, input.NoQuery, source, s.createTask},
		{post, "/api/v1/imports/preview", "previewImport", access.TasksWrite, unbounded, input.NoQuery, source, s.previewImport},
		{get, task, "getTask", access.TasksRead, unbounded, input.Names{"wait"}, input.NoBody, s.getTask},
		{del, task, "deleteTask", access.OpsWrite, unbounded, input.NoQuery, input.NoBody, s.eraseTask},
		{http.MethodGet, task + "/stream", "streamTask", access.TasksRead, unbounded, input.NoQuery, input.NoBody, s.streamTask},
		{post, task + "/jobs", "addJobs", access.TasksWrite, unbounded, input.NoQuery, input.JSONStream("rows"), s.addJobs},
		{post, task + "/close", "closeTask", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.forTask(s.closeTask)},
		{post, task + "/pause", "pauseTask", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.control("pause")},
		{post, task + "/resume", "resumeTask", access.TasksWrite, readTimeout, input.NoQuery, input.JSON[resumeRequest]().OrNone(), s.resumeTask},
		{post, task + "/cancel", "cancelTask", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, s.control("cancel")},
		{get, task + "/explain", "explainTask", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.forTask(s.getTaskExplain)},
		{get, task + "/audit", "listTaskAudit", access.TasksRead, readTimeout, pageNames, input.NoBody, s.forTask(s.listTaskAudit)},
		{get, task + "/result", "getResult", access.FilesRead, unbounded, input.Names{"format", "only", "partial"}, input.NoBody, s.getResult},
	}
}

// rowRoutes are the routes of rows, and of their review.
func (s *Server) rowRoutes() []route {
	const (
		task  = "/api/v1/tasks/:id"
		event = "/api/v1/events/:id"
	)
	edit, skip := input.JSONStream("params", "resolution", "note"), input.JSON[pressRequest]().Without("patch", "superseded")
	repair, resubmit := input.JSON[pressRequest]().Without("state", "superseded"), input.JSON[pressRequest]().Without("state")
	return []route{
		{get, task + "/events", "listEvents", access.TasksRead, readTimeout, append(input.Names{"since"}, rowNames...), input.NoBody, s.listEvents},
		{get, task + "/errors", "listErrors", access.TasksRead, readTimeout, rowNames, input.NoBody, s.listErrors},
		{get, task + "/error-groups", "listErrorGroups", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.forTask(s.listGroups)},
		{get, event, "getEvent", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.getEvent},
		{get, event + "/explain", "explainEvent", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, s.getExplain},
		{del, event, "deleteEvent", access.OpsWrite, readTimeout, input.NoQuery, input.NoBody, s.eraseRow},
		{patch, event, "patchEvent", access.RowsReview, readTimeout, input.NoQuery, edit, s.patchEvent},
		{post, task + "/repair", "repairRows", access.RowsReview, pressTimeout, input.NoQuery, repair, s.press(review.Repair)},
		{post, task + "/skip", "skipRows", access.RowsReview, pressTimeout, input.NoQuery, skip, s.press(review.Skip)},
		{post, task + "/resubmit", "resubmitRows", access.RowsReview, pressTimeout, input.NoQuery, resubmit, s.press(review.Resubmit)},
		{post, task + "/undo", "undoRows", access.RowsReview, pressTimeout, input.NoQuery, input.JSON[undoRequest](), s.forTask(s.undo)},
		{post, task + "/corrections", "correctRows", access.RowsReview, unbounded, input.Names{"dry_run"}, correctionsForm, s.correct},
	}
}
