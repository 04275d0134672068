package tasklist

// PageSQL, ErrorsSQL, CountsSQL, StillSQL, OvertakenSQL and OvertakenErrorsSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
	StillSQL  = stillSQL

	OvertakenSQL = overtakenSQL

	OvertakenErrorsSQL = overtakenErrorsSQL
)

// MaxCounted is the number of imports of a status that a count reads.
const MaxCounted = maxCounted
