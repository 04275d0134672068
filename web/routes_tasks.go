package web

import (
	"net/http"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/review"
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
	pageNames = names{"limit", "cursor"}
	rowNames  = names{
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
	filters := names{"status", "kind", "label", "created_by", "created_after", "created_before", "q", "limit", "cursor"}
	source := importForm.or(taskBody).or(lineBody("kind", "name", "parent_id", "options"))
	return []route{
		{get, tasks, "listTasks", access.TasksRead, readTimeout, filters, noBody, s.listTasks},
		{post, tasks, "createTask", access.TasksWrite, unbounded, noQuery, source, s.createTask},
		{post, "/api/v1/imports/preview", "previewImport", access.TasksWrite, unbounded, noQuery, source, s.previewImport},
		{get, task, "getTask", access.TasksRead, unbounded, names{"wait"}, noBody, s.getTask},
		{del, task, "deleteTask", access.OpsWrite, unbounded, noQuery, noBody, s.eraseTask},
		{http.MethodGet, task + "/stream", "streamTask", access.TasksRead, unbounded, noQuery, noBody, s.streamTask},
		{post, task + "/jobs", "addJobs", access.TasksWrite, unbounded, noQuery, jsonStream("rows"), s.addJobs},
		{post, task + "/close", "closeTask", access.TasksWrite, readTimeout, noQuery, noBody, s.forTask(s.closeTask)},
		{post, task + "/pause", "pauseTask", access.TasksWrite, readTimeout, noQuery, noBody, s.control("pause")},
		{post, task + "/resume", "resumeTask", access.TasksWrite, readTimeout, noQuery, jsonBody[resumeRequest]().orNone(), s.resumeTask},
		{post, task + "/cancel", "cancelTask", access.TasksWrite, readTimeout, noQuery, noBody, s.control("cancel")},
		{get, task + "/explain", "explainTask", access.TasksRead, readTimeout, noQuery, noBody, s.forTask(s.getTaskExplain)},
		{get, task + "/audit", "listTaskAudit", access.TasksRead, readTimeout, pageNames, noBody, s.forTask(s.listTaskAudit)},
		{get, task + "/result", "getResult", access.FilesRead, unbounded, names{"format", "only", "partial"}, noBody, s.getResult},
	}
}

// rowRoutes are the routes of rows, and of their review.
func (s *Server) rowRoutes() []route {
	const (
		task  = "/api/v1/tasks/:id"
		event = "/api/v1/events/:id"
	)
	edit, skip := jsonStream("params", "resolution", "note"), jsonBody[pressRequest]().without("patch", "superseded")
	repair, resubmit := jsonBody[pressRequest]().without("state", "superseded"), jsonBody[pressRequest]().without("state")
	return []route{
		{get, task + "/events", "listEvents", access.TasksRead, readTimeout, append(names{"since"}, rowNames...), noBody, s.listEvents},
		{get, task + "/errors", "listErrors", access.TasksRead, readTimeout, rowNames, noBody, s.listErrors},
		{get, task + "/error-groups", "listErrorGroups", access.TasksRead, readTimeout, noQuery, noBody, s.forTask(s.listGroups)},
		{get, event, "getEvent", access.TasksRead, readTimeout, noQuery, noBody, s.getEvent},
		{get, event + "/explain", "explainEvent", access.TasksRead, readTimeout, noQuery, noBody, s.getExplain},
		{del, event, "deleteEvent", access.OpsWrite, readTimeout, noQuery, noBody, s.eraseRow},
		{patch, event, "patchEvent", access.RowsReview, readTimeout, noQuery, edit, s.patchEvent},
		{post, task + "/repair", "repairRows", access.RowsReview, pressTimeout, noQuery, repair, s.press(review.Repair)},
		{post, task + "/skip", "skipRows", access.RowsReview, pressTimeout, noQuery, skip, s.press(review.Skip)},
		{post, task + "/resubmit", "resubmitRows", access.RowsReview, pressTimeout, noQuery, resubmit, s.press(review.Resubmit)},
		{post, task + "/undo", "undoRows", access.RowsReview, pressTimeout, noQuery, jsonBody[undoRequest](), s.forTask(s.undo)},
		{post, task + "/corrections", "correctRows", access.RowsReview, unbounded, names{"dry_run"}, correctionsForm, s.correct},
	}
}
