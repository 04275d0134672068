package rowschema

// Offered returns the values that a page offers for the column: the allowed or the known ones.
func (f *Field) Offered() []string {
	if f.Enum != nil {
		return f.Enum
	}
	return f.Known
}
