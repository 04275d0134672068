package rowschema

// Judges reports whether the rules of the column may produce a code. If so, the text of a cell can
// be checked for this fault again.
func (f *Field) Judges(code string) bool {
	switch code {
	case CodeRequired, CodeInvalidNumber, CodeInvalidDate, CodeInvalidValue:
		return true
	}
	return code == CodeTooLong || f.code != "" && code == f.code
}
