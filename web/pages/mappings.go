package pages

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/rows"
)

// mappingsPage holds the data of the page of stored mappings, which map headings of files to columns of
// kinds.
type mappingsPage struct {
	Title   string
	Refresh bool // always false: the page does not change
	May     bool // the user may delete mappings
	List    []mappingRow
}

// mappingRow is a stored mapping. Its pairs are sorted by heading.
type mappingRow struct {
	mappings.Mapping
	Title string // title of the kind
	Used  *string
	Pairs [][2]string // heading and field; the field is "" if the column is not imported
}

// getMappings serves GET /imports/mappings.
func (p *Handlers) getMappings(c *gin.Context) error {
	list, err := p.Mappings.List(c.Request.Context(), request.Tenant(c))
	if err != nil {
		return err
	}
	v := mappingsPage{Title: request.Printer(c).Text("mappings.title"), May: request.Caller(c).May(access.TasksWrite)}
	for _, m := range list {
		row := mappingRow{Mapping: m, Title: p.Kinds.Title(string(request.Printer(c)), m.Kind), Used: textutil.Instant(m.UsedAt)}
		for _, heading := range rows.SortedKeys(m.Fields) {
			row.Pairs = append(row.Pairs, [2]string{heading, m.Fields[heading]})
		}
		v.List = append(v.List, row)
	}
	return p.Render.Page(c, http.StatusOK, "mappings.html", v)
}

// postMappings serves POST /imports/mappings, which deletes a mapping.
func (p *Handlers) postMappings(c *gin.Context) error {
	err := p.Mappings.Delete(c.Request.Context(), request.Tenant(c), request.Form(c).Get("id"))
	if err != nil && !errors.Is(err, mappings.ErrNotFound) {
		return err
	}
	c.Redirect(http.StatusSeeOther, "/imports/mappings")
	return nil
}
