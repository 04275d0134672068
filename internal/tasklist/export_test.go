package tasklist

// PageSQL, ErrorsSQL, CountsSQL and StillSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
	StillSQL  = stillSQL
)

// MaxCounted is the number of imports of a status that a count reads.
const MaxCounted = maxCounted
