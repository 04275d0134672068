package tasklist

// PageSQL, ErrorsSQL and CountsSQL are the statements whose plans are tested.
var (
	PageSQL   = pageSQL
	ErrorsSQL = errorsSQL
	CountsSQL = countsSQL
)

// MaxRead is the number of read imports at which a search ends.
const MaxRead = maxRead
