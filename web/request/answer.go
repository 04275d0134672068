package request

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/view"
)

// JSON answers with a view. It adds the base path of the service to the links of the view.
func JSON(c *gin.Context, status int, v any) {
	c.JSON(status, view.Rebase(v, base.Of(c.Request.Context())))
}
