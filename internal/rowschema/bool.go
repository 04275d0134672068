package rowschema

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// yesWords and noWords are accepted in every boolean column, in upper or lower case. They are the words
// of JSON, of spreadsheets, and of the languages of package internal/words.
const (
	yesWords = "true|yes|y|1|да|истина|是|真|có|đúng"
	noWords  = "false|no|n|0|нет|ложь|否|假|không|sai"
)

// boolRule is a map of the words of a boolean column to values.
type boolRule map[string]bool

// newBoolRule returns a rule with yesWords, noWords, and the words in the struct tags "yes" and
// "no". It panics if a word means both yes and no.
func newBoolRule(tag reflect.StructTag) boolRule {
	r := boolRule{}
	for words, value := range map[string]bool{yesWords: true, noWords: false} {
		for w := range strings.SplitSeq(words, "|") {
			r[w] = value
		}
	}
	for name, value := range map[string]bool{"yes": true, "no": false} {
		for w := range strings.SplitSeq(tag.Get(name), "|") {
			if w = folded(w); w == "" {
				continue
			}
			if old, known := r[w]; known && old != value {
				panic(fmt.Sprintf("worker: %q means both yes and no", w))
			}
			r[w] = value
		}
	}
	return r
}

func folded(s string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(s)))
}

func (r boolRule) set(v reflect.Value, text string) *refusal {
	value, ok := r[folded(text)]
	if !ok {
		return refuse("boolean")
	}
	v.SetBool(value)
	return nil
}
