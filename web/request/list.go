package request

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/view"
)

// Listing is a list that clients read page by page, newest item first.
type Listing[T, V any] struct {
	// Read returns items whose numbers are below the argument `before`, in descending order. The
	// argument `limit` bounds their number. For the first page, `before` is 0.
	Read func(ctx context.Context, before int64, limit int) ([]T, error)
	Num  func(*T) int64 // the position of an item in the list
	View func(*T) V     // the item as the contract shows it
}

// PageOf is the type of Page and Cursors.ListPage. Such a function returns the size and the position of
// the requested page.
type PageOf func(*gin.Context) (limit int, before int64, err error)

// Serve answers with one page of the list.
func (l Listing[T, V]) Serve(c *gin.Context, page PageOf) error {
	items, next, err := l.Items(c, page)
	if err != nil {
		return err
	}
	return AnswerPage(c, items, Sealed(c, next))
}

// Items returns the items of one page, and the position of the next page. On the last page, the position
// is nil. Items reads one more item to detect a next page.
func (l Listing[T, V]) Items(c *gin.Context, page PageOf) (items []V, next *int64, err error) {
	limit, before, err := page(c)
	if err != nil {
		return nil, nil, err
	}
	list, err := l.Read(c.Request.Context(), before, limit+1)
	if err != nil {
		return nil, nil, err
	}
	list, next = view.Cut(list, limit, l.Num)
	return view.All(list, l.View), next, nil
}

// AnswerPage answers with one page of a list. The argument `next` is the cursor of the next page; nil on
// the last page.
func AnswerPage[V any](c *gin.Context, items []V, next *string) error {
	return AnswerItems[V](c, view.Page[V]{Items: items, Next: next})
}
