package rowschema

// Offered returns the values that a page offers for the column: the allowed values or, if any value
// is allowed, the known values.
func (f *Field) Offered() []string {
	if f.Enum != nil {
		return f.Enum
	}
	return f.Known
}
