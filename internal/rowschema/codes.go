package rowschema

// These are codes of faults in rows.
const (
	CodeRequired      = "REQUIRED"
	CodeInvalidNumber = "INVALID_NUMBER"
	CodeInvalidDate   = "INVALID_DATE"
	CodeInvalidValue  = "INVALID_VALUE"
	CodeTooLong       = "TOO_LONG"
	CodeLostDigits    = "LOST_DIGITS"   // a spreadsheet has rounded a long number
	CodeRowTooLarge   = "ROW_TOO_LARGE" // the arguments exceed MaxParams
)
