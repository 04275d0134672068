package rowschema

// Judges reports whether a code comes from the rules of a type or of this column. A new check of
// the cell then shows whether the fault remains.
func (f *Field) Judges(code string) bool {
	switch code {
	case CodeRequired, CodeInvalidNumber, CodeInvalidDate, CodeInvalidValue:
		return true
	}
	return code == CodeTooLong || f.code != "" && code == f.code
}
