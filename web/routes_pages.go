package web

import (
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
)

// pageRoutes are the pages of tasks and files.
func (p *pages) pageRoutes() []route {
	const (
		task = "/tasks/:id"
		row  = "/tasks/:id/rows/:seq"
	)
	shown := input.Names{"code", "column", "fingerprint", "limit", "cursor"}
	listed := append(input.Names{"cause", "resolution", "q", "said", "build", "finished_gte", "finished_lt"}, shown...)
	many := input.PageForm("act", "rows", "id", "of", "value", "find", "with", "whole", "note", "press", "go",
		"code", "column", "q", "resolution", "fingerprint", "build", "finished_gte", "finished_lt", "superseded").Repeat("id")
	one := input.PageForm("act", "version", "note", "superseded").Prefixed(cellField)
	wanted := input.PageForm("kind", "format", "column").Repeat("column").Prefixed(paramField)
	draft := input.PageForm("draft", "act", "name", "sheet", "header_row", "encoding", "decimal").Prefixed(headingField)
	return []route{
		{get, "/", "pageHome", access.TasksRead, readTimeout, input.Names{"kind", "limit", "cursor"}, input.NoBody, p.home},
		{get, task, "pageTask", access.TasksRead, readTimeout, shown, input.NoBody, p.forTask(p.task)},
		{post, task + "/pause", "pagePause", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, p.turnTask("pause")},
		{post, task + "/resume", "pageResume", access.TasksWrite, readTimeout, input.NoQuery, input.PageForm("superseded"), p.turnTask("resume")},
		{post, task + "/cancel", "pageCancel", access.TasksWrite, readTimeout, input.NoQuery, input.NoBody, p.turnTask("cancel")},
		{post, task + "/corrections", "pageCorrections", access.RowsReview, unbounded, input.NoQuery, correctionsForm, p.postCorrections},
		{get, task + "/repair", "pageRepair", access.TasksRead, readTimeout, listed, input.NoBody, p.forTask(p.repair)},
		{post, task + "/repair", "pageRepairMany", access.RowsReview, pressTimeout, input.NoQuery, many, p.forTask(p.postRepair)},
		{get, row, "pageRow", access.TasksRead, readTimeout, input.Names{"said"}, input.NoBody, p.row},
		{post, row, "pageRowSave", access.RowsReview, readTimeout, input.NoQuery, one, p.postRow},
		{get, "/kinds/:kind/sample.csv", "pageSample", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, p.sample},
		{get, "/imports", "pageImports", access.TasksRead, readTimeout, input.NoQuery, input.NoBody, p.toHome},
		{post, "/imports", "pageImport", access.TasksWrite, unbounded, input.NoQuery, importForm, p.postImport},
		{get, "/imports/check", "pageCheck", access.TasksWrite, unbounded, input.Names{"draft"}, input.NoBody, p.getCheck},
		{post, "/imports/check", "pageCheckAgain", access.TasksWrite, unbounded, input.NoQuery, importForm.Or(draft), p.postCheck},
		{get, "/exports", "pageExports", access.TasksRead, readTimeout, input.Names{"kind"}, input.NoBody, p.exports},
		{post, "/exports", "pageExport", access.TasksWrite, readTimeout, input.NoQuery, wanted, p.postExport},
		{get, "/static/*file", "getStatic", everybody, unbounded, input.Names{"v"}, input.NoBody, p.static.serve},
		{get, docsPath, "getDocs", everybody, readTimeout, input.NoQuery, input.NoBody, p.docs},
	}
}

// signInRoutes are the pages of sessions, and of what a reader has chosen.
func (p *pages) signInRoutes() []route {
	// Browsers keep a key under the name that stands in as.
	key, choice := input.PageForm("key", "to", "as"), input.PageForm("lang", "theme", "to")
	return []route{
		{get, "/sign-in", "pageSignIn", everybody, readTimeout, input.NoQuery, input.NoBody, p.signIn},
		{post, "/sign-in", "pagePostSignIn", everybody, readTimeout, input.NoQuery, key, p.postSignIn},
		{get, "/sign-in/oidc", "pageBeginOIDC", everybody, readTimeout, input.Names{"to"}, input.NoBody, p.beginSSO},
		{get, "/sign-in/oidc/callback", "pageEndOIDC", everybody, ssoTimeout, input.AnyQuery, input.NoBody, p.endSSO},
		{post, "/look", "pageLook", everybody, readTimeout, input.NoQuery, choice, p.postLook},
	}
}
