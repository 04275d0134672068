package pages

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// draft is a file that was sent and is looked at before it is imported. Nothing
// remembers it but the page, under a seal; the sweep of files that no task has
// removes it a day later.
type draft struct {
	Task   string     `json:"task"` // the id that its task will have: it is started once
	Kind   string     `json:"kind"`
	Name   string     `json:"name"`   // of the task
	Called string     `json:"called"` // the file's name
	File   blobs.Info `json:"file"`
	Until  int64      `json:"until"` // unix ms
}

// draftTime is how long a file waits to be started: well before the sweep comes.
const draftTime = 12 * time.Hour

var errNoDraft = problem.New(http.StatusNotFound, "FILE_EXPIRED",
	"The checked file is no longer kept, because too much time has passed. Upload it again.")

// hand is the draft as the page carries it.
func (p *Handlers) hand(c *gin.Context, d draft) (string, error) {
	return p.Secret.Seal(c.Request.Context(), d, "draft", request.Tenant(c))
}

// takeUp reads what hand gave to this tenant.
func (p *Handlers) takeUp(c *gin.Context, text string) (d draft, err error) {
	ok, err := p.Secret.Open(c.Request.Context(), text, &d, "draft", request.Tenant(c))
	if err == nil && (!ok || p.Now().UnixMilli() > d.Until) {
		err = errNoDraft
	}
	return d, err
}

// upload is the draft as a request to import it.
func (p *Handlers) uploadOf(c *gin.Context, d draft) (*ingest.Request, error) {
	kind, err := p.Ingest.Kind(d.Kind)
	if err != nil {
		return nil, err
	}
	u := request.NewTask(c)
	u.Kind, u.Name, u.FileName, u.File, u.TaskID = kind, d.Name, d.Called, d.File, d.Task
	u.Options.Name, u.Options.Limits = d.Called, p.Limits
	return u, nil
}
