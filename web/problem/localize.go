package problem

import (
	"maps"
	"strconv"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
)

// DetailIn returns the detail of a problem in a language. The argument `detail` is the English text.
// DetailIn returns this text if the language is English, or has no text for the code.
func DetailIn(lang, code, detail string, row int, args map[string]string) string {
	if lang == "" || lang == words.Default {
		return detail
	}
	values := map[string]string{}
	maps.Copy(values, args)
	if row > 0 {
		values["row"] = strconv.Itoa(row)
	}
	text, ok := words.Say(lang, "problem."+code, values)
	if !ok {
		return detail
	}
	if last, ok := words.Say(lang, "problem.last_row", values); ok && code == "DAMAGED_FILE" {
		text += " " + last
	}
	return text
}

// Localize returns a copy of the problem in a language. Texts without a translation stay in English.
func (p *Problem) Localize(lang string) Problem {
	out := *p
	out.Detail = DetailIn(lang, p.Code, p.Detail, p.row, p.Args)
	out.Errors = nil
	for _, f := range p.Errors {
		f.Detail = f.detailIn(lang, p)
		out.Errors = append(out.Errors, f)
	}
	return out
}

// detailIn returns the detail of a fault in a language. The argument `p` is the problem that has the fault.
func (f Fault) detailIn(lang string, p *Problem) string {
	if f.name == "" || lang == "" || lang == words.Default {
		if f.Detail == p.Detail {
			return DetailIn(lang, p.Code, p.Detail, p.row, p.Args)
		}
		return f.Detail
	}
	key := "fault.missing"
	if f.near != "" {
		key = "fault.near"
	}
	text, ok := words.Say(lang, key, map[string]string{"name": f.name, "near": f.near})
	if !ok {
		return f.Detail
	}
	return text
}

// OfTask returns a copy of a task's problem in a language. It returns nil for nil.
func OfTask(lang string, p *tasks.Problem) *tasks.Problem {
	if p == nil {
		return nil
	}
	out := *p
	out.Detail = DetailIn(lang, p.Code, p.Detail, p.Row, nil)
	return &out
}
