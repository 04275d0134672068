package request

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/view"
)

// Listing describes a list of the API that is read page by page, newest first.
type Listing[T, V any] struct {
	// Read returns at most limit items whose numbers are below before, from the greatest down; before
	// is 0 for the first page.
	Read func(ctx context.Context, before int64, limit int) ([]T, error)
	Num  func(*T) int64 // the place of an item in the list
	View func(*T) V     // the item as the contract shows it
}

// Serve answers with one page of the list. It reads one item more than the page
// holds, to know whether another page follows.
func (l Listing[T, V]) Serve(c *gin.Context, page func(*gin.Context) (limit int, before int64, err error)) error {
	limit, before, err := page(c)
	if err != nil {
		return err
	}
	list, err := l.Read(c.Request.Context(), before, limit+1)
	if err != nil {
		return err
	}
	list, next := view.Cut(list, limit, l.Num)
	return AnswerPage(c, view.All(list, l.View), Sealed(c, next))
}

// AnswerPage answers with one page of a list; next is nil behind the last.
func AnswerPage[V any](c *gin.Context, items []V, next *string) error {
	JSON(c, http.StatusOK, view.Page[V]{Items: items, Next: next})
	return nil
}
