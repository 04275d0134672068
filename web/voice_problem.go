package web

import (
	"maps"
	"strconv"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
)

// detailIn says in a language what a problem of a code is; detail itself in
// English, in which it was made, and where there are no words for it.
func detailIn(lang, code, detail string, row int, args map[string]string) string {
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

// in is the problem in a language. The places of a file are told, where there
// are words for them.
func (p *problem) in(lang string) problem {
	out := *p
	out.Detail = detailIn(lang, p.Code, p.Detail, p.row, p.args)
	out.Errors = nil
	for _, f := range p.Errors {
		f.Detail = f.in(lang, p)
		out.Errors = append(out.Errors, f)
	}
	return out
}

func (f fault) in(lang string, p *problem) string {
	if f.name == "" || lang == "" || lang == words.Default {
		if f.Detail == p.Detail {
			return detailIn(lang, p.Code, p.Detail, p.row, p.args)
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

// problemIn is what is wrong with the file of a task, in a language.
func problemIn(lang string, p *tasks.Problem) *tasks.Problem {
	if p == nil {
		return nil
	}
	out := *p
	out.Detail = detailIn(lang, p.Code, p.Detail, p.Row, nil)
	return &out
}
