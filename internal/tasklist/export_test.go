package tasklist

// PageSQL, ErrorsSQL and CountsSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
)

// MaxCounted is the number of imports of a status that a count reads.
const MaxCounted = maxCounted
