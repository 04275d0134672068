package tasklist

// The statements, for tests of their plans.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
)
