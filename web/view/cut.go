package view

import (
	"github.com/rollcall-dev/rollcall/events"
)

// EventCursor returns the start of the next page of a list of rows, or nil after the last page.
func EventCursor(list []events.Event, limit int) *int64 {
	_, next := Cut(list, limit, func(e *events.Event) int64 { return e.ID.Seq() })
	return next
}

// Cut returns the first limit items of a list, and the start of the next page, or nil after the last
// page.
func Cut[T any](list []T, limit int, num func(*T) int64) ([]T, *int64) {
	if len(list) <= limit {
		return list, nil
	}
	return list[:limit], new(num(&list[limit-1]))
}
