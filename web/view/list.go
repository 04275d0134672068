package view

// All returns the view of each item. The result is never nil.
func All[T, V any](list []T, view func(*T) V) []V {
	out := make([]V, len(list))
	for i := range list {
		out[i] = view(&list[i])
	}
	return out
}

// Page is one page of a list.
type Page[V any] struct {
	Items []V     `json:"items"`
	Next  *string `json:"next_cursor" schema:"ref=NextCursor"`
}

// NonNil returns s, or an empty slice for nil, so that JSON has [] instead of null.
func NonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
