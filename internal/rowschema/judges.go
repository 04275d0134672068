package rowschema

// Judges reports whether the rules of the column or of its type can result in the given code. If they can,
// a new check of the cell shows whether the fault remains.
func (f *Field) Judges(code string) bool {
	switch code {
	case CodeRequired, CodeInvalidNumber, CodeInvalidDate, CodeInvalidValue:
		return true
	}
	return code == CodeTooLong || f.code != "" && code == f.code
}
