package web

import "github.com/rollcall-dev/rollcall/access"

// pageRoutes are the pages of tasks and files.
func (p *pages) pageRoutes() []route {
	const (
		task = "/tasks/:id"
		row  = "/tasks/:id/rows/:seq"
	)
	shown := names{"code", "column", "fingerprint", "limit", "cursor"}
	listed := append(names{"cause", "resolution", "q", "said", "build", "finished_gte", "finished_lt"}, shown...)
	many := formBody("act", "rows", "id", "of", "value", "find", "with", "whole", "note", "press", "go",
		"code", "column", "q", "resolution", "fingerprint", "build", "finished_gte", "finished_lt", "superseded").repeat("id")
	one := formBody("act", "version", "note", "superseded").prefixed(cellField)
	wanted := formBody("kind", "format", "column").repeat("column").prefixed(paramField)
	draft := formBody("draft", "act", "name", "sheet", "header_row", "encoding", "decimal").prefixed(headingField)
	return []route{
		{get, "/", "pageHome", access.TasksRead, readTimeout, names{"kind", "limit", "cursor"}, noBody, p.home},
		{get, task, "pageTask", access.TasksRead, readTimeout, shown, noBody, p.forTask(p.task)},
		{post, task + "/pause", "pagePause", access.TasksWrite, readTimeout, noQuery, noBody, p.turnTask("pause")},
		{post, task + "/resume", "pageResume", access.TasksWrite, readTimeout, noQuery, formBody("superseded"), p.turnTask("resume")},
		{post, task + "/cancel", "pageCancel", access.TasksWrite, readTimeout, noQuery, noBody, p.turnTask("cancel")},
		{post, task + "/corrections", "pageCorrections", access.RowsReview, unbounded, noQuery, correctionsForm, p.postCorrections},
		{get, task + "/repair", "pageRepair", access.TasksRead, readTimeout, listed, noBody, p.forTask(p.repair)},
		{post, task + "/repair", "pageRepairMany", access.RowsReview, pressTimeout, noQuery, many, p.forTask(p.postRepair)},
		{get, row, "pageRow", access.TasksRead, readTimeout, names{"said"}, noBody, p.row},
		{post, row, "pageRowSave", access.RowsReview, readTimeout, noQuery, one, p.postRow},
		{get, "/kinds/:kind/sample.csv", "pageSample", access.TasksRead, readTimeout, noQuery, noBody, p.sample},
		{get, "/imports", "pageImports", access.TasksRead, readTimeout, noQuery, noBody, p.toHome},
		{post, "/imports", "pageImport", access.TasksWrite, unbounded, noQuery, importForm, p.postImport},
		{get, "/imports/check", "pageCheck", access.TasksWrite, unbounded, names{"draft"}, noBody, p.getCheck},
		{post, "/imports/check", "pageCheckAgain", access.TasksWrite, unbounded, noQuery, importForm.or(draft), p.postCheck},
		{get, "/exports", "pageExports", access.TasksRead, readTimeout, names{"kind"}, noBody, p.exports},
		{post, "/exports", "pageExport", access.TasksWrite, readTimeout, noQuery, wanted, p.postExport},
		{get, "/static/*file", "getStatic", everybody, unbounded, names{"v"}, noBody, p.static.serve},
		{get, docsPath, "getDocs", everybody, readTimeout, noQuery, noBody, p.docs},
	}
}

// signInRoutes are the pages of sessions, and of what a reader has chosen.
func (p *pages) signInRoutes() []route {
	// Browsers keep a key under the name that stands in as.
	key, choice := formBody("key", "to", "as"), formBody("lang", "theme", "to")
	return []route{
		{get, "/sign-in", "pageSignIn", everybody, readTimeout, noQuery, noBody, p.signIn},
		{post, "/sign-in", "pagePostSignIn", everybody, readTimeout, noQuery, key, p.postSignIn},
		{get, "/sign-in/oidc", "pageBeginOIDC", everybody, readTimeout, names{"to"}, noBody, p.beginSSO},
		{get, "/sign-in/oidc/callback", "pageEndOIDC", everybody, ssoTimeout, anyQuery, noBody, p.endSSO},
		{post, "/look", "pageLook", everybody, readTimeout, noQuery, choice, p.postLook},
	}
}
