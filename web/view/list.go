package view

// All returns the views of all items; an empty slice if there are no items.
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

// NonNil returns the slice `s`. For nil, it returns an empty slice, because JSON encodes nil as null.
func NonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
