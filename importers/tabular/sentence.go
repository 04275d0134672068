package tabular

import "strings"

// sentenceTable holds English sentences by text key. A sentence has a placeholder such as {n} for each
// value.
type sentenceTable map[string]string

// sentences are the texts of faults of cells. Translations have the same text keys, which Cell.Args
// holds.
var sentences = sentenceTable{
	"cell.encoding": "The text is broken at byte {n} of the cell: it is not in the character set of the file. " +
		"Save the file as UTF-8.",
	"cell.control":   "The text holds a control character (number {n}) that cannot be stored. Type the value anew.",
	"cell.long":      "The text is longer than {n} characters.",
	"cell.foreign":   "The text has a place that is not in the character set of the file. Save the file as UTF-8.",
	"cell.reference": "The cell points to text number {text}, which the workbook does not hold. Type the value anew.",
	"cell.damaged":   "The stored value {text} does not fit the type of the cell. Type the value anew.",
	"formula.empty":  "The formula has no stored result. Open the file in Excel, save it and upload it again.",
	"formula.error":  "The cell shows the error {text} instead of a value.",
	"serial.range": "The number {text} is shown as a date, but the number lies outside the years 1900 to 9999. " +
		"Type the date anew.",
	"serial.leap": "The number {text} is shown as a date, but 29 February 1900 never existed. Type the date anew.",
}

// fill returns a sentence with values in place of its placeholders. The argument `pairs` holds the
// names and values of the placeholders.
func (t sentenceTable) fill(key string, pairs []string) string {
	var holes []string
	for i := 0; i+1 < len(pairs); i += 2 {
		holes = append(holes, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(holes...).Replace(t[key])
}
