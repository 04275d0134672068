package route

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
)

// ReadTimeout bounds how long a request waits for the database. Only TestMain changes it.
var ReadTimeout = 10 * time.Second

// Within returns a handler that calls `h` with a deadline. The handler `h` must pass on the context of
// the request, never the Gin context. Gin reuses its context for the next request.
func Within(d time.Duration, h func(*gin.Context) error) func(*gin.Context) error {
	return func(c *gin.Context) error {
		whole := c.Request
		ctx, cancel := context.WithTimeout(whole.Context(), d)
		defer func() { cancel(); c.Request = whole }()
		c.Request = whole.WithContext(ctx)
		return h(c)
	}
}

// BulkTimeout bounds a bulk action. After the timeout, the changes so far remain, and a repeated action
// continues.
const BulkTimeout = 5 * time.Minute

// PageNames are the parameters of lists that are read page by page.
var PageNames = input.Names{"limit", "cursor"}

// StatsTimeout bounds how long a request waits for numbers from the queues. Only TestMain changes it.
var StatsTimeout = 3 * time.Second
