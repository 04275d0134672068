package tasklist

// PageSQL, ErrorsSQL, CountsSQL, StillSQL and OvertakenSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
	StillSQL  = stillSQL

	OvertakenSQL = overtakenSQL
)

// MaxCounted is the number of imports of a status that a count reads.
const MaxCounted = maxCounted
