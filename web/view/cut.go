package view

import (
	"github.com/rollcall-dev/rollcall/events"
)

// EventCursor returns where the next page of a list of rows starts; nil behind the last.
func EventCursor(list []events.Event, limit int) *int64 {
	_, next := Cut(list, limit, func(e *events.Event) int64 { return e.ID.Seq() })
	return next
}

// Cut returns the first limit items of a list, and the place where the next page
// starts; nil behind the last.
func Cut[T any](list []T, limit int, num func(*T) int64) ([]T, *int64) {
	if len(list) <= limit {
		return list, nil
	}
	return list[:limit], new(num(&list[limit-1]))
}
