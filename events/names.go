package events

import (
	"slices"
	"strings"
)

// The rows of a task often have the same members. The task stores the names of these members, and
// each row stores a list of their values as its params. A missing value leaves nothing between its
// commas. Other params are stored unchanged, but a JSON array gets a leading blank, which
// distinguishes it from a list.

// names holds the names of the members of params, as JSON texts.
type names []string

// Limits of the names of a task.
const (
	leastNames  = 32    // bytes of all names; a shorter list saves too little
	mostNames   = 2_000 // bytes of all names, which each row gets back when it is read
	namesSample = 100   // rows of a chunk whose names are read
)

// namesOf returns the names of a sample of rows, in their order. It returns nil if the names are
// shorter than leastNames or longer than mostNames. It skips failed rows.
func namesOf(rows []Draft) names {
	if len(rows) < 2 {
		return nil
	}
	var n names
	for i := 0; i < len(rows); i += (len(rows)-1)/namesSample + 1 {
		if rows[i].Failure == nil {
			n = n.with(string(rows[i].Params))
		}
	}
	if size := n.size(); size < leastNames || size > mostNames {
		return nil
	}
	return n
}

// with returns n with the new names of an object. It stops at a name that contradicts the order of n.
func (n names) with(params string) names {
	at := 0
	members(params, func(name, _ string) bool {
		i := slices.Index(n, name)
		if i < 0 && n.size() <= mostNames {
			n, i = slices.Insert(n, at, name), at
		}
		if i < at {
			return false
		}
		at = i + 1
		return true
	})
	return n
}

// size returns the number of bytes of the names and their colons.
func (n names) size() (size int) {
	for _, name := range n {
		size += len(name) + 1
	}
	return size
}

// stored returns the form in which a row stores params.
func (n names) stored(params string) string {
	if strings.HasPrefix(params, "[") {
		return " " + params
	}
	if list, ok := n.values(params); ok {
		return list
	}
	return params
}

// values returns the list of the values of an object. ok is false if n lacks one of its names, if
// its order differs from n, or if the list is not shorter.
func (n names) values(params string) (list string, ok bool) {
	if len(n) == 0 {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(params))
	at, before := 0, byte('[')
	ok = members(params, func(name, value string) bool {
		i := slices.Index(n[at:], name)
		for range i + 1 {
			b.WriteByte(before)
			before = ','
		}
		b.WriteString(value)
		at += i + 1
		return i >= 0
	})
	b.WriteByte(']')
	return b.String(), ok && b.Len() < len(params)
}

// full returns the original params of their stored form.
func (n names) full(params string) string {
	if len(n) == 0 || !strings.HasPrefix(params, "[") {
		return params
	}
	var b strings.Builder
	b.Grow(len(params) + n.size())
	rest, before := params, byte('{')
	for i := 0; i < len(n) && len(rest) > 1; i++ {
		end := valueEnd(rest[1:]) + 1
		if end > 1 {
			b.WriteByte(before)
			b.WriteString(n[i])
			b.WriteByte(':')
			b.WriteString(rest[1:end])
			before = ','
		}
		rest = rest[end:]
	}
	if rest != "]" || b.Len() == 0 { // no list of ours
		return params
	}
	b.WriteByte('}')
	return b.String()
}
