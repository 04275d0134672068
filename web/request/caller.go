// Package request holds the code that handlers share. It reads the caller, the language, the body, the
// parameters and the cursor of a request. It also loads the resource that the path names, and answers
// with one page of a list.
//
// A resource of another tenant is reported as not found. A signed cursor is valid only for the tenant,
// list and filters for which it was made. The rules of the service are in packages that do not depend on
// Gin.
package request

import (
	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// SetCaller stores the rights of the caller in the context of a request.
func SetCaller(c *gin.Context, g access.Grant) {
	c.Request = c.Request.WithContext(auth.WithCaller(c.Request.Context(), g))
}

// Caller returns the rights of the caller of a request.
func Caller(c *gin.Context) access.Grant { return auth.Caller(c.Request.Context()) }

// Tenant returns the tenant of the caller.
func Tenant(c *gin.Context) string { return Caller(c).Tenant }

// Actor returns the name of the caller for the audit log and for created_by.
func Actor(c *gin.Context) string { return auth.Actor(c.Request.Context()) }
