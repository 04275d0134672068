package tasklist

// PageSQL, ErrorsSQL and CountsSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
)
