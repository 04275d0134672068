// Package request holds the code that handlers share: it reads the caller, the language, the body, the
// parameters and the cursor of a request, loads the resource that its path names, and answers lists.
//
// It promises that a resource of another tenant is not found, and that a cursor is valid only for the
// tenant, list and filters that it was made for. It makes no decisions: packages below it do, and they
// do not depend on Gin.
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

// Tenant returns the tenant of a request.
func Tenant(c *gin.Context) string { return Caller(c).Tenant }

// Actor returns the caller for audits and created_by.
func Actor(c *gin.Context) string { return auth.Actor(c.Request.Context()) }
