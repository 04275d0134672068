package jsonrows

// Cells parses one JSON object whose values are texts, numbers, true, false or null. It returns the
// values as texts of cells, with "" for null. For any other input it returns a *Malformed.
func Cells(text []byte) (map[string]string, error) {
	list, err := Parse(text)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(list))
	for _, m := range list {
		out[m.Name] = m.Text
	}
	return out, nil
}
