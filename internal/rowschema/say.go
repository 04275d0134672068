package rowschema

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// Say returns `f` with a message from Rollcall's catalogue. It also sets Args, so that the message can
// be translated later. The argument `key` names a sentence of package internal/words, and `pairs` holds
// the names and values of its placeholders except {column} and {value}. It panics on an unknown key or a
// missing value.
func Say(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Message = saying(f, events.Sentence, key, pairs)
	return f
}

// saying returns the values of a fault's sentence, and its English text.
func saying(f events.Field, name, key string, pairs []string) (events.Args, string) {
	values := map[string]string{name: key}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	args := f.Args.With(values)
	values["column"], values["value"] = f.Column, f.Value
	return args, words.English(key, values)
}

// SayHint sets the hint of a fault, as Say sets its message.
func SayHint(f events.Field, key string, pairs ...string) events.Field {
	f.Args, f.Hint = saying(f, events.HintSentence, key, pairs)
	return f
}

// System returns a failure that the user cannot fix. The arguments `key` and `hint` are the keys of its
// message and its hint; `hint` may be empty.
func System(code, key, hint string) *events.Failure {
	f := Say(events.Field{Code: code}, key)
	if hint != "" {
		f = SayHint(f, hint)
	}
	return &events.Failure{Code: code, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// Superseded returns the failure of a row that does not run because a newer row of its key has finished.
// The argument `key` is the ordering key of both rows, and `row` is the number of the newer row. The
// argument `text` is the text key of the message.
func Superseded(key string, row int, text string) *events.Failure {
	f := SayHint(Say(events.Field{Value: key, Code: events.CodeSuperseded}, text, "n", strconv.Itoa(row)), "hint.overtaken")
	return &events.Failure{Code: f.Code, Value: f.Value, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// Stopped returns the failure of a row that does not run because an older row of its key is in
// error. The argument `row` is the number of the older row, in the same task or an earlier one.
func Stopped(code string, row int, sameTask bool) *events.Failure {
	text := "row.stopped.earlier"
	if sameTask {
		text = "row.stopped"
	}
	f := SayHint(Say(events.Field{Code: code}, text, "n", strconv.Itoa(row)), "hint.stopped", "n", strconv.Itoa(row))
	return &events.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint, Args: f.Args}
}

// Placed returns the values for the placeholders of a fault's texts.
func Placed(f events.Field) map[string]string {
	values := f.Args.Map()
	values["column"], values["value"] = f.Column, f.Value
	return values
}

// Translated returns a sentence of Rollcall's catalogue. It returns false for an unknown text key, and
// if `values` lacks a value of the sentence. It also returns false for English, because the English text
// is stored with the fault.
func Translated(lang, key string, values map[string]string) (string, bool) {
	if lang == words.Default || key == "" {
		return "", false
	}
	return words.Say(lang, key, values)
}
