package rowschema

// Judges reports whether the rules of the column produce a code, so that the text of a cell can be
// checked for it again.
func (f *Field) Judges(code string) bool {
	switch code {
	case CodeRequired, CodeInvalidNumber, CodeInvalidDate, CodeInvalidValue:
		return true
	}
	return code == CodeTooLong || f.code != "" && code == f.code
}
