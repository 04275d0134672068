package paramlist

import (
	"slices"
	"strings"
)

// Names holds the names of the members of params, as JSON strings with their quotes.
type Names []string

// MaxNames is the approximate maximum size of all names of a list, in bytes. Each read of an object
// copies the names again.
const MaxNames = 2_000

// With returns n with the additional names of an object. It stops at a name that contradicts the order of
// n. It also stops at a new name if the size of n exceeds MaxNames.
func (n Names) With(params string) Names {
	at := 0
	members(params, func(name, _ string) bool {
		i := slices.Index(n, name)
		if i < 0 && n.Size() <= MaxNames {
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

// Size returns the number of bytes of the names and their colons.
func (n Names) Size() (size int) {
	for _, name := range n {
		size += len(name) + 1
	}
	return size
}

// Stored returns the form in which a row stores params.
func (n Names) Stored(params string) string {
	if strings.HasPrefix(params, "[") {
		return " " + params
	}
	if list, ok := n.values(params); ok {
		return list
	}
	return params
}

// values returns the list of the values of an object. The result `ok` is false if n lacks a name of
// the object, or if the order of the names differs from n. It is also false if the list is not
// shorter than the object.
func (n Names) values(params string) (list string, ok bool) {
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

// Full converts the stored form of params to the original. If the original is a JSON array, the result
// begins with the blank that Stored has added.
func (n Names) Full(params string) string {
	if len(n) == 0 || !strings.HasPrefix(params, "[") {
		return params
	}
	var b strings.Builder
	b.Grow(len(params) + n.Size())
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
	if rest != "]" || b.Len() == 0 { // not a list of this package
		return params
	}
	b.WriteByte('}')
	return b.String()
}
