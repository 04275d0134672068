package worker

// Judges tells whether a code is one that the rules of the column give, so that
// it can be found again in the text of a cell.
func (f *Field) Judges(code string) bool {
	switch code {
	case CodeRequired, CodeInvalidNumber, CodeInvalidDate, CodeInvalidValue:
		return true
	}
	return code == CodeTooLong || f.code != "" && code == f.code
}
