package events

import (
	"slices"
	"strings"
)

// Rows of a task whose params are JSON objects with much the same members are stored without the
// names of these: the params are a list of values then, and the task has the names. A value that
// a row does not have is left out between its commas. Params that are no such object are stored
// as they are; a JSON array gets a blank in front, so that no list begins as it does.

// names are the names of the members of params, as JSON texts.
type names []string

// Of names that are stored with a task.
const (
	leastNames  = 32    // bytes of all names; fewer are not worth it
	mostNames   = 2_000 // bytes of all names: by so much the params of a row grow when they are read
	namesSample = 100   // rows of a chunk whose names are read
)

// namesOf returns the names that rows have in common, in their order; nil if they are not worth
// it. Rows that failed are not asked.
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

// with returns n with the names of an object, as far as their order is that of n.
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

// size returns the bytes of names and their colons.
func (n names) size() (size int) {
	for _, name := range n {
		size += len(name) + 1
	}
	return size
}

// stored returns params as they are stored.
func (n names) stored(params string) string {
	if strings.HasPrefix(params, "[") {
		return " " + params
	}
	if list, ok := n.values(params); ok {
		return list
	}
	return params
}

// values returns an object as a list, if that is shorter. Its names are among n, in their order.
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

// full returns params as they were given.
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
