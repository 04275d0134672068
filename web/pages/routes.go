package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/savedviews"
)

func (p *Handlers) pageRoutes() []route.Route {
	const (
		task = "/tasks/:id"
		row  = "/tasks/:id/rows/:seq"
	)
	shown := input.Names{"code", "column", "fingerprint", "limit", "cursor", "said"}
	listed := append(input.Names{"cause", "resolution", "q", "build", "finished_gte", "finished_lt"}, shown...)
	many := input.PageForm("act", "rows", "id", "of", "value", "find", "with", "whole", "note", "act_id", "go",
		"code", "column", "q", "resolution", "fingerprint", "build", "finished_gte", "finished_lt", "superseded", "back", "fixed", "in", "only").Repeat("id")
	fix := input.PageForm("act", "act_id", "code", "column", "from", "to").Repeat("from", "to")
	one := input.PageForm("act", "version", "note", "superseded", "pick", "same").Prefixed(cellField)
	wanted := input.PageForm("kind", "format", "column").Repeat("column").Prefixed(paramField)
	wizard := input.PageForm("act", "name", "sheet", "header_row", "encoding", "delimiter", "decimal", "run_at_column", "remember", "as", "first").Prefixed(headingField)
	sent := input.PageForm("upload", "kind", "name")
	return []route.Route{
		route.New(route.Get, "/", "pageHome", access.TasksRead, route.ReadTimeout, input.Names{"tab", "q", "kind", "by", "days", "limit", "cursor"}, input.NoBody, p.home),
		route.New(route.Post, "/views", "pageViews", access.TasksRead, route.ReadTimeout, input.NoQuery, input.PageForm("act", "name", "query"), func(c *gin.Context) error { return savedviews.Save(c, homeFilters) }),
		route.New(route.Get, task, "pageTask", access.TasksRead, route.ReadTimeout, append(input.Names{"past"}, shown...), input.NoBody, p.Find.ForTask(p.task)),
		route.New(route.Post, task+"/pause", "pagePause", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, p.controlTask("pause", route.ReadTimeout)),
		route.New(route.Post, task+"/resume", "pageResume", access.TasksWrite, route.BulkTimeout, input.NoQuery, input.PageForm("ready", "superseded", "ask"), p.controlTask("resume", route.BulkTimeout)),
		route.New(route.Post, task+"/cancel", "pageCancel", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, p.controlTask("cancel", route.ReadTimeout)),
		route.New(route.Post, task+"/corrections", "pageCorrections", access.RowsReview, route.Unbounded, input.NoQuery, intake.CorrectionsForm, p.Find.ForTask(p.postCorrections)),
		route.New(route.Post, task+"/fix", "pageFix", access.RowsReview, route.BulkTimeout, input.NoQuery, fix, p.Find.ForTask(p.postFix)),
		route.New(route.Get, task+"/repair", "pageRepair", access.TasksRead, route.ReadTimeout, listed, input.NoBody, p.Find.ForTask(p.repair)),
		route.New(route.Post, task+"/repair", "pageRepairMany", access.RowsReview, route.BulkTimeout, input.NoQuery, many, p.Find.ForTask(p.postRepair)),
		route.New(route.Get, row, "pageRow", access.TasksRead, route.ReadTimeout, input.Names{"said"}, input.NoBody, p.row),
		route.New(route.Post, row, "pageRowSave", access.RowsReview, route.ReadTimeout, input.NoQuery, one, p.postRow),
		route.New(route.Get, "/kinds/:kind/sample.csv", "pageSample", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, p.sample),
		route.New(route.Get, "/imports", "pageImports", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, p.toForm),
		route.New(route.Get, "/imports/new", "pageNewImport", access.TasksRead, route.ReadTimeout, input.Names{"kind"}, input.NoBody, p.newImport),
		route.New(route.Post, "/imports", "pageImport", access.TasksWrite, route.Unbounded, input.NoQuery, intake.ImportForm.Or(sent), p.postImport),
		route.New(route.Get, "/imports/mappings", "pageMappings", access.TasksRead, route.ReadTimeout, input.NoQuery, input.NoBody, p.getMappings),
		route.New(route.Post, "/imports/mappings", "pageForgetMapping", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.PageForm("id"), p.postMappings),
		route.New(route.Get, "/imports/:upload", "pageColumns", access.TasksWrite, route.ReadTimeout, input.NoQuery, input.NoBody, p.inWizard(p.getColumns)),
		route.New(route.Post, "/imports/:upload", "pageChooseColumns", access.TasksWrite, route.Unbounded, input.NoQuery, wizard, p.inWizard(p.postWizard)),
		route.New(route.Get, "/imports/:upload/check", "pageOutlook", access.TasksWrite, route.Unbounded, input.NoQuery, input.NoBody, p.inWizard(p.getOutlook)),
		route.New(route.Get, "/exports", "pageExports", access.TasksRead, route.ReadTimeout, input.Names{"kind"}, input.NoBody, p.exports),
		route.New(route.Post, "/exports", "pageExport", access.TasksWrite, route.ReadTimeout, input.NoQuery, wanted, p.postExport),
	}
}

// preferenceRoutes returns the route that stores choices of the user in cookies.
func (p *Handlers) preferenceRoutes() []route.Route {
	choice := input.PageForm("lang", "theme", "to")
	return []route.Route{
		route.New(route.Post, "/look", "pageLook", route.Everybody, route.ReadTimeout, input.NoQuery, choice, p.savePreference),
	}
}
