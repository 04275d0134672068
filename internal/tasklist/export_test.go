package tasklist

// The statements are exported for tests of their plans.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
)
