package web

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/view"
)

// listing describes a list of the API that is read page by page, newest first.
type listing[T, V any] struct {
	// read returns at most limit items whose numbers are below before, from the
	// greatest down; before is 0 for the first page.
	read func(ctx context.Context, before int64, limit int) ([]T, error)
	num  func(*T) int64 // the place of an item in the list
	view func(*T) V     // the item as the contract shows it
}

// serve answers with one page of the list. It reads one item more than the page
// holds, to know whether another page follows.
func (l listing[T, V]) serve(s *Server, c *gin.Context) error {
	limit, before, err := s.listPage(c)
	if err != nil {
		return err
	}
	list, err := l.read(c.Request.Context(), before, limit+1)
	if err != nil {
		return err
	}
	list, next := cut(list, limit, l.num)
	return answerPage(c, view.All(list, l.view), sealed(c, next))
}

// cut returns the first limit items of a list, and the place where the next page
// starts; nil behind the last.
func cut[T any](list []T, limit int, num func(*T) int64) ([]T, *int64) {
	if len(list) <= limit {
		return list, nil
	}
	return list[:limit], new(num(&list[limit-1]))
}

// answerPage answers with one page of a list; next is nil behind the last.
func answerPage[V any](c *gin.Context, items []V, next *string) error {
	c.JSON(http.StatusOK, view.Page[V]{Items: items, Next: next})
	return nil
}
