package view

import (
	"github.com/rollcall-dev/rollcall/events"
)

// EventCursor returns the cursor of the next page of a list of rows; nil on the last page. The argument
// `limit` is the size of a page. If there is a next page, `list` must hold more than `limit` rows.
func EventCursor(list []events.Event, limit int) *int64 {
	_, next := Cut(list, limit, func(e *events.Event) int64 { return e.ID.Seq() })
	return next
}

// Cut returns the items of one page, and the cursor of the next page. On the last page, the cursor is
// nil. The argument `limit` is the size of a page. If there is a next page, `list` must hold more than
// `limit` items. The function `cursor` returns the cursor of the page after an item.
func Cut[T, P any](list []T, limit int, cursor func(*T) P) ([]T, *P) {
	if len(list) <= limit {
		return list, nil
	}
	return list[:limit], new(cursor(&list[limit-1]))
}
