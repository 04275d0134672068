package rowschema

// These are codes of faults in rows.
const (
	CodeRequired      = "REQUIRED"
	CodeInvalidNumber = "INVALID_NUMBER"
	CodeInvalidDate   = "INVALID_DATE"
	CodeInvalidValue  = "INVALID_VALUE"
	CodeTooLong       = "TOO_LONG"
	CodeUnclearNumber = "UNCLEAR_NUMBER" // a point may be a decimal point or a separator of thousands
	CodeLostDigits    = "LOST_DIGITS"    // a spreadsheet has rounded a long number
	CodeRowTooLarge   = "ROW_TOO_LARGE"  // the arguments exceed MaxParams
)
